"""A prior from a list of candidates: the shipped example, or a file that lives in this visitor's session only."""

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
import streamlit as st

from losses import AGES, Candidates, LossTable, RowUnit, TableError, counted_rows, read_candidates, readings, weights
from numerics.reconstruction.priors import largest_ball
from pages.server.shared_cache import Private
from pages.ui import upload_preview, uploads
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import number_box
from pages.ui.plain_text import literal
from pages.ui.prior_guess import Known
from pages.ui.segmented_control import segmented_control
from pages.ui.upload_preview import UNKNOWN, Preview, UploadLook, look_at, nothing, refusing
from pages.ui.uploads import Upload

_SLOT = "reconstruct.candidates"
_NO_VALUES = "none: exact guesses"
_SHOWN = 3  # candidates in the preview
_UNEVEN = (
    "**The probabilities add up to {total:.6g}, not to 1.** Perhaps rows are missing; then add them. If the "
    "numbers are all there and only their scale is another, have each divided by their sum."
)
_FILE_HELP = (
    "A row for every candidate, with how often it occurs: a count, or a probability. Or a row for every record, whose "
    "values are counted here."
)
_RADIUS_HELP = (
    "A guess counts as right when its value is off by no more than this, in the column's own unit; 0 is exact."
)


class CandidateKind(StrEnum):
    """Where the candidates come from; the values are the labels, and the values in the URL."""

    SAMPLE = "a sample"
    FILE = "a file"


KEYS = ("reconstruct.candidates_from", "reconstruct.guess_tolerance")


@dataclass(frozen=True)
class TableReading:
    """How the table of this ``digest`` is read.

    ``column`` has the weights, or what is counted; ``values`` a number for each candidate, if guesses near the record
    are right. ``drop`` leaves out rows that cannot be used.
    """

    digest: str
    rows: RowUnit
    column: str
    values: str | None
    drop: bool


def draw() -> Known | None:
    """Draw the choice of a list; None while a file or a choice is missing, or where it cannot be used."""
    chosen = segmented_control(
        "Candidates from", list(CandidateKind), default=CandidateKind.SAMPLE, key="reconstruct.candidates_from"
    )
    return _file() if chosen == CandidateKind.FILE else _sample()


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
    return number_box("Right within ±", "reconstruct.guess_tolerance", (0.0, 1e12), 0.0, width=180, help=_RADIUS_HELP)


def _near(radius: float) -> str:
    return f", give or take {radius:g}" if radius else ""


def _file() -> Known | None:
    label = "Candidates with how often each occurs, or records"
    preview = upload_preview.of_file(_SLOT, label, read_candidates, button="Use it")
    if preview is None:
        st.caption(f"{_FILE_HELP} The file stays in this session and is not stored.")
        return None
    (upload,) = preview.files.values()
    rows = _rows(preview, upload.table)
    if rows is None:
        preview.confirmed(nothing, _question(upload.table))
        return None
    reading = _counted_reading(preview, upload) if rows is RowUnit.RECORDS else _reading(preview, upload)
    try:
        listed = uploads.made(_SLOT, "listed", reading, lambda: _candidates(reading, upload.table))
    except TableError as problem:
        preview.confirmed(refusing(problem))
        return None
    is_divided = listed.need_dividing and preview.tick("Divide by the sum", f"divide_{reading.column}")
    question = _UNEVEN.format(total=listed.total) if listed.need_dividing and not is_divided else ""
    if not preview.confirmed(lambda: _look(listed, reading), question):
        return None
    has_numbers = listed.values is not None
    radius = _radius() if has_numbers else 0.0
    try:
        kappa = _likeliest(listed, reading, radius)
    except ValueError as refusal:  # of the numerics
        st.warning(f"**No prior guess:** {refusal}", icon=":material/block:")
        return None
    return _accepted(listed, reading, radius, kappa)


def _rows(preview: Preview, table: LossTable) -> RowUnit | None:
    """What a row stands for; None until somebody has said it, where the table can be read in two ways."""
    ways = list(map(str, readings(table)))
    why = "they add up" if table.numbers else "there are no numbers"
    chosen = preview.choice("Each row is", "rows", ways if len(ways) == 1 else [UNKNOWN, *ways], why, width=320)
    return None if chosen == UNKNOWN else RowUnit(chosen)


def _question(table: LossTable) -> str:
    column = table.numbers[0]
    values = len(np.unique(column.values[np.isfinite(column.values)]))
    return (
        f"**What is a row of this table?** “{literal(column.name)}” has {values:,} different numbers in {table.rows:,} "
        "rows. Perhaps each is how often a candidate occurs; perhaps each row is a record, and equal ones are to be "
        "counted. The answer differs: say which."
    )


def _reading(preview: Preview, upload: Upload) -> TableReading:
    """Draw the choices for a file with a row for each candidate."""
    table, names = upload.table, [column.name for column in upload.table.numbers]
    column = preview.column("How often", "weights", names, "its name, or its place as the last")
    others = [name for name in names if name != column]
    values = None
    if others:
        chosen = preview.column("Values, if near counts", "values", [_NO_VALUES, *others])
        values = None if chosen == _NO_VALUES else chosen
    cells = table.number(column).values
    usable = np.isfinite(cells) & (cells >= 0.0)
    if values is not None:
        usable &= np.isfinite(table.number(values).values)
    drop = preview.leave_out_rows(int(np.count_nonzero(~usable)))
    return TableReading(upload.key, RowUnit.CANDIDATES, column, values, drop)


def _counted_reading(preview: Preview, upload: Upload) -> TableReading:
    """Draw the choices for a file with a row for each record."""
    table = upload.table
    numbers = [column.name for column in table.numbers]
    column = preview.column("What is guessed", "counted", [*numbers, *(one.name for one in table.labels)], "the first")
    drop = preview.leave_out(table.number(column) if column in numbers else table.label(column))
    return TableReading(upload.key, RowUnit.RECORDS, column, None, drop)


def _look(listed: Candidates, reading: TableReading) -> UploadLook:
    """How many candidates there are, and how often they occur."""
    seen = look_at({"candidates": listed.weights}, listed.dropped, "How often")
    if reading.rows is RowUnit.CANDIDATES:
        return seen
    rest = seen.words.partition("; ")[2]
    return replace(seen, words=f"{len(listed.weights):,} different values in {listed.total:,.0f} rows; {rest}")


def _candidates(reading: TableReading, table: LossTable) -> Candidates:
    if reading.rows is RowUnit.RECORDS:
        return counted_rows(table, reading.column, reading.drop)
    return weights(table, reading.column, reading.drop, reading.values)


def _likeliest(listed: Candidates, reading: TableReading, radius: float) -> float:
    """Kappa: how often the best guess is right. Looked for once, and kept in this session."""

    def look() -> float:
        with st.spinner("Looking for the best guess …", show_time=True):
            return largest_ball(listed.weights, listed.values, radius)

    return uploads.made(_SLOT, "kappa", (reading, radius), look)


def _accepted(listed: Candidates, reading: TableReading, radius: float, kappa: float) -> Known:
    if listed.dropped:
        st.caption(f"{listed.dropped:,} unusable rows were left out.")
    near, count = _near(radius), len(listed.weights)
    if reading.rows is RowUnit.RECORDS:
        shares = ", ".join(f"“{literal(name)}” {100.0 * share:.1f} %" for name, share in listed.likeliest(_SHOWN))
        st.caption(f"{count:,} different values in {listed.total:,.0f} rows; the most frequent: {shares}.")
        words = f"the likeliest of {count:,} values counted in {listed.total:,.0f} rows{near}"
        return Known(Private(kappa), words)
    return Known(Private(kappa), f"the likeliest of {count:,} uploaded candidates{near}")
