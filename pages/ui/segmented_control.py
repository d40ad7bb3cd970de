"""A row of choices of which one is always in force."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, TypeVar

import streamlit as st

_Option = TypeVar("_Option")


def segmented_control(
    label: str,
    options: Sequence[_Option],
    *,
    default: _Option,
    key: str,
    format_func: Callable[[Any], str] = str,
    help: str | None = None,  # noqa: A002 - as Streamlit's widgets name it
    label_visibility: Literal["visible", "hidden", "collapsed"] = "visible",
) -> _Option:
    """Draw the choices, bound to the address, and return the one in force.

    An address that says ``key=`` leaves nothing chosen, required or not: then the default holds.
    """
    chosen = st.segmented_control(
        label,
        options,
        default=default,
        key=key,
        bind="query-params",
        required=True,
        wrap=True,
        format_func=format_func,
        help=help,
        label_visibility=label_visibility,
    )
    # The session may hold the plain text of an option.
    return next((option for option in options if option == chosen), default)
