"""A prior from a list of candidates: the shipped example, or a file that lives in this visitor's session only."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import streamlit as st

from losses import AGES, LossTable, TableError, read_candidates, weights
from numerics.reconstruction.priors import largest_ball
from pages.rebuilding.known import Known
from pages.shared import uploads
from pages.shared.attempt import attempt
from pages.shared.in_turn import RUNS
from pages.shared.one_of import one_of
from pages.shared.uploads import Upload

_URL: Literal["query-params"] = "query-params"
_SLOT = "candidates"
_FOUND = "upload_candidates_found"
_NO_VALUES = "none: exact guesses"
_FILE_HELP = "A row for every candidate, with how often it occurs: a count, or a probability."
_RADIUS_HELP = (
    "A guess counts as right when its value is off by no more than this, in the column's own unit; 0 is exact."
)


class Kind(StrEnum):
    """Where the candidates come from; the values are the labels, and the values in the URL."""

    SAMPLE = "a sample"
    FILE = "a file"


KEYS = ("candidates_from", "guess_tolerance")


@dataclass(frozen=True)
class Reading:
    """How a table is read.

    Attributes:
        digest: tells the table from every other.
        column: with the weights.
        values: with a number for each candidate, if guesses near the record are right.
        radius: how near.
        drop: whether rows that cannot be used are left out.
    """

    digest: str
    column: str
    values: str | None
    radius: float
    drop: bool


@dataclass(frozen=True)
class Found:
    """What was found: kappa, the number of candidates, what they add up to, and rows left out."""

    kappa: float
    count: int
    total: float
    needs_dividing: bool
    dropped: int


def draw() -> Known | None:
    """Draw the choice of a list; None while a file or a choice is missing, or where it cannot be used."""
    chosen = one_of("Candidates from", list(Kind), default=Kind.SAMPLE, key="candidates_from")
    return _file() if chosen == Kind.FILE else _sample()


def _sample() -> Known | None:
    st.caption(
        "Ages of 442 patients (Efron, Hastie, Johnstone and Tibshirani, 2004): an attacker who knows how often each "
        "age occurs names the likeliest, or the middle of the likeliest span."
    )
    radius = _radius()
    found = weights(read_candidates(AGES.read_bytes()), "patients", values="age")
    kappa = None
    with attempt("prior guess"):
        kappa = largest_ball(found.weights, found.values, radius)
    return None if kappa is None else Known(kappa, f"the likeliest age of {found.total:,.0f} patients{_near(radius)}")


def _radius() -> float:
    return st.number_input(
        "Right within ±", 0.0, 1e12, 0.0, format="%g", key="guess_tolerance", bind=_URL, width=180, help=_RADIUS_HELP
    )


def _near(radius: float) -> str:
    return f", give or take {radius:g}" if radius else ""


def _file() -> Known | None:
    upload = uploads.draw(_SLOT, "Candidates, and how often each occurs", read_candidates)
    if upload is None:
        st.caption(f"{_FILE_HELP} The file stays in this session and is not stored.")
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reading = _reading(upload)
    try:
        found = _found(reading, upload.table)
    except TableError as problem:
        uploads.complain(problem)
        return None
    except ValueError as refusal:  # of the numerics
        st.warning(f"**No prior guess:** {refusal}", icon=":material/block:")
        return None
    return _accepted(found, reading)


def _reading(upload: Upload) -> Reading:
    """Draw the choices for the file that was read."""
    names = [column.name for column in upload.table.numbers]
    column = uploads.column("How often", _SLOT, "weights", names)
    others = [name for name in names if name != column]
    values = None
    if others:
        chosen = uploads.column("Values, if near counts", _SLOT, "values", [_NO_VALUES, *others])
        values = None if chosen == _NO_VALUES else chosen
    radius = 0.0 if values is None else _radius()
    return Reading(upload.digest, column, values, radius, uploads.leave_out(_SLOT))


def _found(reading: Reading, table: LossTable) -> Found:
    """What the table says: looked for once, and kept in this session."""
    kept = st.session_state.get(_FOUND)
    if isinstance(kept, tuple) and kept[0] == reading:
        known: Found = kept[1]
        return known
    with st.spinner("Looking for the best guess …", show_time=True), RUNS.paused():
        all_of_them = weights(table, reading.column, reading.drop, reading.values)
        kappa = largest_ball(all_of_them.weights, all_of_them.values, reading.radius)
    count, total, dropped = len(all_of_them.weights), all_of_them.total, all_of_them.dropped
    found = Found(kappa, count, total, all_of_them.need_dividing, dropped)
    st.session_state[_FOUND] = (reading, found)
    return found


def _accepted(found: Found, reading: Reading) -> Known | None:
    """The prior, once it is clear what the numbers mean; nothing is divided without having been asked for."""
    if found.needs_dividing:
        st.warning(
            f"**The probabilities add up to {found.total:.6g}, not to 1.** Perhaps rows are missing; then add them. If "
            "the numbers are all there and only their scale is another, have each divided by their sum.",
            icon=":material/help:",
        )
        if not uploads.tick("Divide by the sum", _SLOT, f"divide_{reading.digest[:16]}_{reading.column}"):
            return None
    if found.dropped:
        st.caption(f"{found.dropped:,} unusable rows were left out.")
    return Known(found.kappa, f"the likeliest of {found.count:,} uploaded candidates{_near(reading.radius)}")
