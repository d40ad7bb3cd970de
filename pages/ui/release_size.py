"""How large a release is: what attackers who know less are measured by, and full knowledge does not need.

None of it follows from the release, so nothing is assumed: what nobody has said is None, and shown as "not set".
"""

from typing import Literal

import streamlit as st

from numerics.relaxed import LARGEST_DIMENSION

_URL: Literal["query-params"] = "query-params"
KEYS = ("records", "dimension", "clip")
NOT_SET = "not set"
_LARGEST_RECORDS = 1_000_000_000
_RECORDS_HELP = "How many records the training data have. With the sampling rate this gives the size of a batch."
_DIMENSION_HELP = (
    "Number of coordinates in which the release differs: parameters of the model. Full knowledge does not care, the "
    "other attackers do. Where it is not set, the relaxed attacker is computed in one dimension, its worst case."
)
_CLIP_HELP = "The clipping norm C of a record's gradient. Only the printed noise depends on it; all rates are the same."


def draw_records() -> int | None:
    """Draw the number of records, N."""
    return _whole("Records, N", "records", _LARGEST_RECORDS, _RECORDS_HELP)


def draw_dimension() -> int | None:
    """Draw the dimension, d."""
    return _whole("Dimension, d", "dimension", LARGEST_DIMENSION, _DIMENSION_HELP)


def dimension() -> int | None:
    """What the box of the dimension says that was drawn in this run."""
    value = st.session_state.get("dimension")
    return None if value is None else int(value)


def draw_clip() -> float | None:
    """Draw the clipping norm, C."""
    value = st.number_input(
        "Clip, C",
        1e-6,
        1e6,
        None,
        format="%g",
        key="clip",
        bind=_URL,
        placeholder=NOT_SET,
        width=120,
        help=_CLIP_HELP,
    )
    return None if value is None else float(value)


def state_of(records: int | None, dimension: int | None, clip: float | None) -> dict[str, float | None]:
    """The boxes of this size, by key; None empties a box."""
    return dict(
        zip(KEYS, (value if value is None else float(value) for value in (records, dimension, clip)), strict=True)
    )


def words(value: float | None) -> str:
    """A number that somebody said, or that nobody has."""
    return NOT_SET if value is None else f"{value:,}"


def _whole(label: str, key: str, largest: int, help_: str) -> int | None:
    """A whole number as a float: a box of whole numbers raises when a URL says it is infinite."""
    value = st.number_input(
        label,
        1.0,
        float(largest),
        None,
        1.0,
        "%.0f",
        key=key,
        bind=_URL,
        placeholder=NOT_SET,
        width=170,
        help=help_,
    )
    return None if value is None else int(value)
