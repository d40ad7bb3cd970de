"""A box of the rail: a number that is bound to the address, or not set."""

from typing import Literal

import streamlit as st

_URL: Literal["query-params"] = "query-params"


def rail_box(
    label: str,
    key: str,
    limits: tuple[float, float],
    default: float | None,
    help_: str,
    *,
    step: float | None = None,
    unset: str = "",
    whole: bool = False,
) -> float | None:
    """Draw the box; ``unset`` stands in an empty one, which says None.

    A whole number is a float too: a box of whole numbers raises when a URL says it is infinite.
    """
    low, high = map(float, limits)
    value = None if default is None else float(default)
    shown = "%.0f" if whole else "%g"
    return st.number_input(
        label, low, high, value, step, shown, key=key, bind=_URL, placeholder=unset or None, help=help_
    )
