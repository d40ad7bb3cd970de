"""Files that are read as the page reads them, and put into an engine: other encodings, layouts, predictions."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from losses import row_questions
from losses.classes import guess
from losses.errors import TableError, quoted
from losses.isolation import client
from losses.known_layout import KnownLayout
from losses.long_form import long_form
from losses.predictions import LOSS, Predicted, PredictionScale, Roles, with_losses
from losses.reading import read_predictions, read_table
from losses.table import NO_LABEL, ROW, LossTable
from losses.unpacking import LARGEST
from losses.warehouse.columns import LossColumns
from losses.warehouse.engines import Engine, Table, named_table, refusals

_LOSS = "loss"
_PROBED = 1000  # rows
_WHOLE = 2.0**53


class ReadLosses(NamedTuple):
    """A file of losses: as an engine holds it, as it was read, and how its columns were taken."""

    stored: Table
    table: LossTable
    notes: tuple[str, ...]


def is_readable(source: str) -> bool:
    """Whether a source is one file that the page would take."""
    path = Path(source)
    return path.is_file() and path.stat().st_size <= LARGEST


def of_losses(engine: Engine, source: str, place: int, chosen: argparse.Namespace) -> ReadLosses:
    """A file of losses, read as the page reads it: within the same limits, with the same questions.

    Raises TableError, with the option that answers what is open.
    """
    table = client.read(read_table, Path(source).read_bytes(), KnownLayout(columns=_named(chosen)))
    notes = []
    if why := row_questions.curves(table):
        if chosen.rows != "people":
            raise TableError(why, f"{row_questions.NO_PEOPLE[1]} Or say that each row is a person's: --rows people.")
        notes.append(f"{why} Each row is {row_questions.PEOPLE}, as was said.")
    notes += refuse_other_numbers(table, chosen)
    long, words = _long(table) if chosen.loss is None else (table, "")
    return ReadLosses(_stored(engine, long, place), long, tuple(filter(None, (*notes, words))))


def _named(chosen: argparse.Namespace) -> tuple[str, ...]:
    """The columns that somebody named."""
    named = (chosen.loss, chosen.membership, chosen.cluster, chosen.model_column, chosen.slice, *chosen.independent)
    return tuple(dict.fromkeys(name for name in named if name is not None))


def refuse_other_numbers(table: LossTable | None, chosen: argparse.Namespace) -> list[str]:
    """Raise TableError where numbers look like predictions, unless somebody said that they are losses: then note it."""
    why = "" if table is None else row_questions.predictions(table)
    if why and chosen.evidence is None:
        raise TableError(why, "Read them so: --evidence predictions. Or say that they are losses: --evidence losses.")
    return [f"{why} They are losses, as was said."] if why else []


def refuse_scores(column: str, chosen: argparse.Namespace) -> list[str]:
    """Raise TableError where a column is named like scores, unless somebody said that they are losses: then note it."""
    why = row_questions.scores(column)
    if why and chosen.evidence is None:
        raise TableError(why, "Read them so: --evidence scores. Or say that they are losses: --evidence losses.")
    return [f"{why} They are losses, as was said."] if why else []


def refuse_unusable(table: LossTable, columns: LossColumns, chosen: argparse.Namespace) -> None:
    """Raise TableError for cells that cannot be used, with the first of them, unless such rows are to be left out."""
    wanted = (*columns.loss.split(" and "), columns.membership, chosen.cluster)
    names = {one.name for one in table.columns}
    for name in wanted:
        if name in names:
            try:
                (table.number(name) if name in columns.loss else table.column(name)).usable(chosen.drop)
            except TableError as refusal:
                raise TableError(refusal.what, f"{refusal.remedy[:-1]}: --drop.", refusal.where) from None


def first_rows(engine: Engine, table: Table) -> LossTable | None:
    """The first rows of an engine's table, as a file of them would be read; None where they tell nothing."""
    with refusals("show the first rows"):
        held = engine.to_pyarrow(table.limit(_PROBED))
    out = pa.BufferOutputStream()
    parquet.write_table(held.rename_columns(list(table.columns)), out)
    try:
        return read_predictions(out.getvalue().to_pybytes())
    except TableError:
        return None


def _long(table: LossTable) -> tuple[LossTable, str]:
    """The long form of a table with columns for each group, or each model, and how they were taken."""
    form = long_form(table)
    long = form.table
    if not form.words:
        return long, ""
    # Which row of the file a number was in says nothing of persons: the cells of a row are of several.
    clusters = tuple(one for one in long.clusters if not one.name.startswith(ROW))
    return replace(long, numbers=(replace(long.numbers[0], name=_LOSS),), clusters=clusters), form.words


def of_predictions(engine: Engine, source: str, place: int, chosen: argparse.Namespace) -> tuple[Table, int, str]:
    """A file of predictions with their losses, how many were cut, and how labels were understood; raises TableError."""
    if not is_readable(source):
        raise TableError(
            f"{quoted(source)} is no file of at most {LARGEST / 1e6:,.0f} MB.", "Predictions are one file."
        )
    table = client.read(read_predictions, Path(source).read_bytes())
    found = with_predicted(table, chosen)
    return _stored(engine, found.table, place), found.clipped, f"{LOSS}: {found.words}."


def with_predicted(table: LossTable, chosen: argparse.Namespace) -> Predicted:
    """The table with its losses, by the columns that were named, or that look like it."""
    names = {column.name for column in table.numbers} | {column.name for column in table.labels}
    for name in (*chosen.predictions, *filter(None, [chosen.answer])):
        if name not in names:
            raise TableError(f"There is no column {quoted(name)}.", "Check its name.")
    guessed = guess(table)
    if guessed is None and not (chosen.predictions and chosen.answer):
        what = "Which columns hold predictions and which the right answers is not clear."
        raise TableError(what, "Say it: --predictions COLUMN (for each class) and --answer COLUMN.")
    scores = tuple(chosen.predictions) or (guessed.scores if guessed else ())
    label = chosen.answer or (guessed.label if guessed else "")
    scale = PredictionScale.LOGITS if chosen.logits else PredictionScale.PROBABILITIES
    return with_losses(table, Roles(scores, label, scale, chosen.positive))


def _stored(engine: Engine, table: LossTable, place: int) -> Table:
    """The table in the embedded engine, all its columns by name."""
    columns: dict[str, pa.Array] = {}
    for number in table.numbers:
        known = np.isfinite(number.values)
        is_whole = bool(np.all(number.values[known] % 1.0 == 0.0)) and bool(np.all(abs(number.values[known]) < _WHOLE))
        values = np.where(known, number.values, 0.0).astype(np.int64) if is_whole else number.values
        columns[number.name] = pa.array(values, mask=~known)
    for label in table.labels:
        if label.name not in columns or len(label.labels) == 2:
            columns[label.name] = _words(list(label.labels), label.codes)
    for cluster in table.clusters:
        columns[cluster.name] = _words([str(word) for word in cluster.words], cluster.codes)
    name, held = f"read_{place}", pa.table(columns)
    engine.con.register("held", held)
    engine.con.execute(f"CREATE OR REPLACE TABLE {name} AS FROM held")
    engine.con.unregister("held")
    return named_table(engine, name)


def _words(words: list[str], codes: np.ndarray) -> pa.Array:
    indices = pa.array(codes.astype(np.int32), mask=codes == NO_LABEL)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string())).dictionary_decode()
