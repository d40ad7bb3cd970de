"""Files that are read as the page reads them, and put into an engine: other encodings, layouts, predictions."""

import argparse
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from losses.classes import guess
from losses.errors import TableError, quoted
from losses.long_form import long_form
from losses.predictions import LOSS, Predicted, PredictionScale, Roles, with_losses
from losses.reading import read_predictions, read_table
from losses.table import NO_LABEL, LossTable
from losses.unpacking import LARGEST
from losses.warehouse.engines import Engine, Table, named_table
from losses.wide import ROW

_LOSS = "loss"


def is_readable(source: str) -> bool:
    """Whether a source is one file that the page would take."""
    path = Path(source)
    return path.is_file() and path.stat().st_size <= LARGEST


def of_losses(engine: Engine, source: str, place: int) -> tuple[Table, str]:
    """A file of losses, read as the page reads it, and how its columns were taken; raises TableError."""
    long, words = _long(read_table(Path(source).read_bytes()))
    return _stored(engine, long, place), words


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
    table = read_predictions(Path(source).read_bytes())
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
        columns[number.name] = pa.array(number.values, mask=~np.isfinite(number.values))
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
