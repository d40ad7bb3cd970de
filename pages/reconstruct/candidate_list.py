"""A prior from a list of candidates: the shipped example, or a file that lives in this visitor's session only."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import streamlit as st

from losses import AGES, Candidates, LossTable, Rows, TableError, counted_rows, read_candidates, readings, weights
from numerics.reconstruction.priors import largest_ball
from pages.server.shared_cache import Private
from pages.server.turns import RUNS
from pages.ui import upload_choices, uploads
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import number_box
from pages.ui.prior_guess import Known
from pages.ui.segmented_control import segmented_control
from pages.ui.upload_reading import Upload
from pages.ui.uploads import literal

_SLOT = "candidates"
_FOUND = "upload_candidates_found"
_NO_VALUES = "none: exact guesses"
_UNSAID = "say which"
_SHOWN = 3  # candidates in the preview
_FILE_HELP = (
    "A row for every candidate, with how often it occurs: a count, or a probability. Or a row for every record, whose "
    "values are counted here."
)
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
        rows: what a row stands for.
        column: with the weights, or with what is counted.
        values: with a number for each candidate, if guesses near the record are right.
        radius: how near.
        drop: whether rows that cannot be used are left out.
    """

    digest: str
    rows: Rows
    column: str
    values: str | None
    radius: float
    drop: bool


@dataclass(frozen=True)
class Found:
    """What was found: kappa, the number of candidates, what they add up to, rows left out, and counted ones by name."""

    kappa: float
    count: int
    total: float
    needs_dividing: bool
    dropped: int
    likeliest: tuple[tuple[str, float], ...] = ()


def draw() -> Known | None:
    """Draw the choice of a list; None while a file or a choice is missing, or where it cannot be used."""
    chosen = segmented_control("Candidates from", list(Kind), default=Kind.SAMPLE, key="candidates_from")
    return _file() if chosen == Kind.FILE else _sample()


def _sample() -> Known | None:
    st.caption(
        "Ages of 442 patients (Efron, Hastie, Johnstone and Tibshirani, 2004): an attacker who knows how often each "
        "age occurs names the likeliest, or the middle of the likeliest span."
    )
    radius = _radius()
    found = weights(read_candidates(AGES.read_bytes()), "patients", values="age")
    kappa = None
    with error_boundary("prior guess"):
        kappa = largest_ball(found.weights, found.values, radius)
    return None if kappa is None else Known(kappa, f"the likeliest age of {found.total:,.0f} patients{_near(radius)}")


def _radius() -> float:
    return number_box("Right within ±", "guess_tolerance", (0.0, 1e12), 0.0, width=180, help=_RADIUS_HELP)


def _near(radius: float) -> str:
    return f", give or take {radius:g}" if radius else ""


def _file() -> Known | None:
    upload = uploads.draw(_SLOT, "Candidates with how often each occurs, or records", read_candidates)
    if upload is None:
        st.caption(f"{_FILE_HELP} The file stays in this session and is not stored.")
        return None
    rows = _rows(upload.table)
    if rows is None:
        return None
    with st.container(horizontal=True, vertical_alignment="bottom"):
        reading = _counted_reading(upload) if rows is Rows.RECORDS else _reading(upload)
    try:
        found = _found(reading, upload.table)
    except TableError as problem:
        uploads.complain(problem)
        return None
    except ValueError as refusal:  # of the numerics
        st.warning(f"**No prior guess:** {refusal}", icon=":material/block:")
        return None
    return _accepted(found, reading)


def _rows(table: LossTable) -> Rows | None:
    """What a row stands for; None until somebody has said it, where the table can be read in two ways."""
    ways = readings(table)
    if len(ways) == 1:
        st.caption(f"Each row was read as {ways[0]}.")
        return ways[0]
    place = st.container()
    chosen = upload_choices.column("Each row is", _SLOT, "rows", [_UNSAID, *ways])
    if chosen != _UNSAID:
        return Rows(chosen)
    column = table.numbers[0]
    values = len(np.unique(column.values[np.isfinite(column.values)]))
    place.info(
        f"**What is a row of this table?** “{literal(column.name)}” has {values:,} different numbers in {table.rows:,} "
        "rows. Perhaps each is how often a candidate occurs; perhaps each row is a record, and equal ones are to be "
        "counted. The answer differs: say which.",
        icon=":material/help:",
    )
    return None


def _reading(upload: Upload) -> Reading:
    """Draw the choices for a file with a row for each candidate."""
    names = [column.name for column in upload.table.numbers]
    column = upload_choices.column("How often", _SLOT, "weights", names)
    others = [name for name in names if name != column]
    values = None
    if others:
        chosen = upload_choices.column("Values, if near counts", _SLOT, "values", [_NO_VALUES, *others])
        values = None if chosen == _NO_VALUES else chosen
    radius = 0.0 if values is None else _radius()
    return Reading(upload.digest, Rows.CANDIDATES, column, values, radius, upload_choices.leave_out(_SLOT))


def _counted_reading(upload: Upload) -> Reading:
    """Draw the choices for a file with a row for each record."""
    numbers = [column.name for column in upload.table.numbers]
    texts = [column.name for column in upload.table.labels]
    column = upload_choices.column("What is guessed", _SLOT, "counted", [*numbers, *texts])
    radius = _radius() if column in numbers else 0.0
    return Reading(upload.digest, Rows.RECORDS, column, None, radius, upload_choices.leave_out(_SLOT))


def _candidates(reading: Reading, table: LossTable) -> Candidates:
    if reading.rows is Rows.RECORDS:
        return counted_rows(table, reading.column, reading.drop)
    return weights(table, reading.column, reading.drop, reading.values)


def _found(reading: Reading, table: LossTable) -> Found:
    """What the table says: looked for once, and kept in this session."""
    kept = st.session_state.get(_FOUND)
    if isinstance(kept, tuple) and kept[0] == reading:
        known: Found = kept[1]
        return known
    with st.spinner("Looking for the best guess …", show_time=True), RUNS.paused():
        all_of_them = _candidates(reading, table)
        kappa = largest_ball(all_of_them.weights, all_of_them.values, reading.radius)
    count, total, dropped = len(all_of_them.weights), all_of_them.total, all_of_them.dropped
    likeliest = all_of_them.likeliest(_SHOWN) if reading.rows is Rows.RECORDS else ()
    found = Found(kappa, count, total, all_of_them.need_dividing, dropped, likeliest)
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
        if not upload_choices.tick("Divide by the sum", _SLOT, f"divide_{reading.digest[:16]}_{reading.column}"):
            return None
    if found.dropped:
        st.caption(f"{found.dropped:,} unusable rows were left out.")
    near, kappa = _near(reading.radius), Private(found.kappa)
    if reading.rows is Rows.RECORDS:
        shares = ", ".join(f"“{literal(name)}” {share:.1%}" for name, share in found.likeliest)
        st.caption(f"{found.count:,} different values in {found.total:,.0f} rows; the most frequent: {shares}.")
        return Known(kappa, f"the likeliest of {found.count:,} values counted in {found.total:,.0f} rows{near}")
    return Known(kappa, f"the likeliest of {found.count:,} uploaded candidates{near}")
