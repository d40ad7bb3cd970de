"""Boxes that a number is entered in, bound to the address; one without a default may stay empty, which says None."""

from typing import Any, TypeVar

import streamlit as st

Limits = tuple[float, float]
_Default = TypeVar("_Default", float, None)
_Whole = TypeVar("_Whole", int, None)


def number_box(
    label: str,
    key: str,
    limits: Limits,
    default: _Default,
    help: str | None = None,  # noqa: A002 - as Streamlit's widgets name it
    *,
    unset: str | None = None,
    **look: Any,
) -> float | _Default:
    """Draw the box and return the number, within ``limits``.

    ``unset`` stands in an empty box; ``look`` are further settings of Streamlit's ``number_input``.
    """
    low, high = map(float, limits)
    value = None if default is None else float(default)
    look = {"format": "%g", "placeholder": unset, "help": help, **look}
    return st.number_input(label, low, high, value, key=key, bind="query-params", **look)


def whole_box(
    label: str,
    key: str,
    limits: Limits,
    default: _Whole,
    help: str | None = None,  # noqa: A002 - as Streamlit's widgets name it
    **look: Any,
) -> int | _Whole:
    """The same for a whole number; a box of whole numbers would raise when an address says that it is infinite."""
    entered = number_box(label, key, limits, default, help, step=1.0, format="%.0f", **look)
    return None if entered is None else int(entered)
