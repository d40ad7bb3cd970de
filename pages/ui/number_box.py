"""Boxes that a number is entered in, bound to the address."""

from typing import Any, Literal

import streamlit as st

Limits = tuple[float, float]


def number_box(
    label: str,
    key: str,
    limits: Limits,
    default: float,
    *,
    width: int | Literal["stretch"] = 140,
    step: float | None = None,
    help: str | None = None,  # noqa: A002 - as Streamlit's widgets name it
    disabled: bool = False,
) -> float:
    """Draw the box and return the number, within ``limits``."""
    look: dict[str, Any] = {"width": width, "help": help, "disabled": disabled}
    low, high = map(float, limits)
    entered = st.number_input(label, low, high, default, step, "%g", key=key, bind="query-params", **look)
    return float(entered)


def whole_box(
    label: str,
    key: str,
    limits: Limits,
    default: float,
    *,
    width: int = 140,
    help: str | None = None,  # noqa: A002 - as Streamlit's widgets name it
) -> int:
    """The same for a whole number; a box of whole numbers would raise when an address says that it is infinite."""
    low, high = map(float, limits)
    entered = st.number_input(
        label, low, high, float(default), 1.0, "%.0f", key=key, bind="query-params", width=width, help=help
    )
    return int(entered)
