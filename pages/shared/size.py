"""How large a release is: what attackers who know less are measured by, and full knowledge does not need."""

from typing import Literal

import streamlit as st

from numerics.relaxed import LARGEST_DIMENSION

_URL: Literal["query-params"] = "query-params"
KEYS = ("records", "dimension")
_LARGEST_RECORDS = 1_000_000_000
_RECORDS_HELP = "How many records the training data have. With the sampling rate this gives the size of a batch."
_DIMENSION_HELP = (
    "Number of coordinates in which the release differs: parameters of the model. Full knowledge does not care, the "
    "other attackers do. For several sampled steps the relaxed guarantee is computed in one dimension, its worst case."
)


def draw_records() -> int:
    """Draw the number of records, N."""
    return _whole("Records, N", "records", 48_000, _LARGEST_RECORDS, _RECORDS_HELP)


def draw_dimension() -> int:
    """Draw the dimension, d."""
    return _whole("Dimension, d", "dimension", 1, LARGEST_DIMENSION, _DIMENSION_HELP)


def _whole(label: str, key: str, default: int, largest: int, help_: str) -> int:
    """A whole number as a float: a box of whole numbers raises when a URL says it is infinite."""
    value = st.number_input(
        label, 1.0, float(largest), float(default), 1.0, "%.0f", key=key, bind=_URL, width=140, help=help_
    )
    return int(value)
