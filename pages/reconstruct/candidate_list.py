"""A prior from a list of candidates: the shipped example, or a file that lives in this visitor's session only."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from losses import AGES, Candidates, LossTable, RowUnit, TableError, counted_rows, read_candidates, readings, weights
from numerics.reconstruction.priors import largest_ball
from pages.server.shared_cache import Private
from pages.ui import upload_preview, uploads
from pages.ui.controls import number_box, segmented_control
from pages.ui.plain_text import literal
from pages.ui.prior_guess import Known
from pages.ui.upload_preview import UNKNOWN, Preview, UploadLook, look_at, nothing, refusing
from pages.ui.uploads import Upload

_SLOT, _NO_VALUES = "reconstruct.candidates", "none: exact guesses"
_SHOWN = 3  # candidates in the preview
_UNEVEN = (
    "**The probabilities add up to {:.6g}, not to 1.** Perhaps rows are missing; then add them. If the numbers are all "
    "there and only their scale is another, have each divided by their sum."
)
_QUESTION = (
    "**What is a row of this table?** “{}” has {:,} different numbers in {:,} rows. Perhaps each is how often a "
    "candidate occurs; perhaps each row is a record, and equal ones are to be counted. The answer differs: say which."
)
_FILE_HELP = (
    "A row for every candidate, with how often it occurs: a count, or a probability. Or a row for every record, whose "
    "values are counted here. The file stays in this session and is not stored."
)
_RADIUS_HELP = (
    "A guess counts as right when its value is off by no more than this, in the column's own unit; 0 is exact."
)


_FROM = ("a sample", "a file")
"""Where the candidates come from, as labels and in the URL."""
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

    def candidates(self, table: LossTable) -> Candidates:
        """The candidates; raises TableError where they cannot be read."""
        if self.rows is RowUnit.RECORDS:
            return counted_rows(table, self.column, self.drop)
        return weights(table, self.column, self.drop, self.values)


def draw() -> Known | None:
    """Draw the choice of a list; None while a file or a choice is missing, or where it cannot be used."""
    sample, file = _FROM
    if segmented_control("Candidates from", _FROM, default=sample, key="reconstruct.candidates_from") == file:
        return _file()
    st.caption(
        "Ages of 442 patients (Efron, Hastie, Johnstone and Tibshirani, 2004): an attacker who knows how often each "
        "age occurs names the likeliest, or the middle of the likeliest span."
    )
    radius, found = _radius(), weights(read_candidates(AGES.read_bytes()), "patients", values="age")
    kappa = largest_ball(found.weights, found.values, radius)
    return Known(kappa, f"the likeliest age of {found.total:,.0f} patients{_near(radius)}")


def _radius() -> float:
    return number_box("Right within ±", "reconstruct.guess_tolerance", (0.0, 1e12), 0.0, width=180, help=_RADIUS_HELP)


def _near(radius: float) -> str:
    return f", give or take {radius:g}" if radius else ""


def _file() -> Known | None:
    label = "Candidates with how often each occurs, or records"
    preview = upload_preview.of_file(_SLOT, label, read_candidates)
    if preview is None:
        st.caption(_FILE_HELP)
        return None
    (upload,) = preview.files.values()
    reading = _reading(preview, upload)
    if reading is None:
        column = upload.table.numbers[0]
        different = len(np.unique(column.values[np.isfinite(column.values)]))
        preview.read_as(nothing, _QUESTION.format(literal(column.name), different, upload.table.rows))
        return None
    try:
        listed = uploads.made(_SLOT, "listed", reading, lambda: reading.candidates(upload.table))
    except TableError as problem:
        preview.read_as(refusing(problem))
        return None
    is_divided = listed.need_dividing and preview.tick("Divide by the sum", f"divide_{reading.column}")
    question = _UNEVEN.format(listed.total) if listed.need_dividing and not is_divided else ""
    if not preview.read_as(lambda: _look(listed, reading), question):
        return None
    radius = 0.0 if listed.values is None else _radius()
    # Looked for once, and kept in this session. Raises ValueError, of the numerics.
    likeliest = partial(largest_ball, listed.weights, listed.values, radius)
    with st.spinner("Looking for the best guess …", show_time=True):
        kappa = uploads.made(_SLOT, "kappa", (reading, radius), likeliest)
    if reading.rows is RowUnit.CANDIDATES:
        return Known(Private(kappa), f"the likeliest of {len(listed.weights):,} uploaded candidates{_near(radius)}")
    shares = ", ".join(f"“{literal(name)}” {100.0 * share:.1f} %" for name, share in listed.likeliest(_SHOWN))
    st.caption(f"{_counted(listed)}; the most frequent: {shares}.")
    words = f"the likeliest of {len(listed.weights):,} values counted in {listed.total:,.0f} rows{_near(radius)}"
    return Known(Private(kappa), words)


def _reading(preview: Preview, upload: Upload) -> TableReading | None:
    """Draw how the table is read; None until somebody has said what a row is, where it can be read in two ways."""
    table = upload.table
    ways, numbers = list(map(str, readings(table))), [column.name for column in table.numbers]
    why = "they add up" if table.numbers else "there are no numbers"
    rows = preview.choice("Each row is", "rows", ways if len(ways) == 1 else [UNKNOWN, *ways], why, width=320)
    if rows == UNKNOWN:
        return None
    if RowUnit(rows) is RowUnit.RECORDS:
        names = [*numbers, *(one.name for one in table.labels)]
        column = preview.column("What is guessed", "counted", names, "the first")
        drop = preview.leave_out(table.number(column) if column in numbers else table.label(column))
        return TableReading(upload.key, RowUnit.RECORDS, column, None, drop)
    column, values = preview.column("How often", "weights", numbers, "its name, or its place as the last"), None
    if others := [name for name in numbers if name != column]:
        chosen = preview.column("Values, if near counts", "values", [_NO_VALUES, *others])
        values = None if chosen == _NO_VALUES else chosen
    cells = table.number(column).values
    usable = np.isfinite(cells) & (cells >= 0.0)
    if values is not None:
        usable &= np.isfinite(table.number(values).values)
    drop = preview.leave_out_rows(int(np.count_nonzero(~usable)))
    return TableReading(upload.key, RowUnit.CANDIDATES, column, values, drop)


def _counted(listed: Candidates) -> str:
    return f"{len(listed.weights):,} different values in {listed.total:,.0f} rows"


def _look(listed: Candidates, reading: TableReading) -> UploadLook:
    """How many candidates there are, and how often they occur."""
    seen = look_at({"candidates": listed.weights}, listed.dropped, "How often")
    if reading.rows is RowUnit.CANDIDATES:
        return seen
    return replace(seen, words=f"{_counted(listed)}; {seen.words.partition('; ')[2]}")
