"""Files that are read as the page reads them, and put into an engine: other encodings, layouts, predictions."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import csv

from losses import row_questions
from losses.classes import guess
from losses.errors import TableError, quoted
from losses.instances import refusals_of
from losses.isolation import client
from losses.layout import KnownLayout
from losses.long_form import LongForm, long_form
from losses.membership import Membership
from losses.parquet_file import is_parquet
from losses.predictions import LOSS, Predicted, PredictionScale, Roles, with_losses
from losses.reading import as_written, read_predictions, read_table
from losses.table import NO_LABEL, ROW, LossTable
from losses.unpacking import LARGEST
from losses.warehouse.columns import LossColumns
from losses.warehouse.engines import Engine, Table, files_of, named_table, refusals

_LOSS = "loss"
_PROBED = 1000  # rows
_WHOLE = 2.0**53
_START = 4  # bytes


class ReadLosses(NamedTuple):
    """Losses as an engine holds them, the files as they were read, by name, how they were taken, and who is in.

    ``membership`` is None where a column of the files tells it.
    """

    stored: Table
    tables: Sequence[tuple[str, LossTable]]
    notes: tuple[str, ...]
    membership: Membership | None = None


def is_readable(source: str) -> bool:
    """Whether a source is a file, or files together, that the page would take."""
    try:
        return sum(path.stat().st_size for path in files_of(source)) <= LARGEST
    except TableError:
        return False


def of_losses(engine: Engine, source: str, place: int, chosen: argparse.Namespace) -> ReadLosses:
    """Losses in a file, a folder or a glob, read as the page reads files: within its limits, with its questions.

    Raises TableError, with the file where there are several, and with the option that answers what is open.
    """
    paths = files_of(source)
    if len(paths) == 1 and Path(source).is_file():
        table, notes = _read(paths[0], chosen)
        form = long_form(table) if chosen.loss is None else LongForm(table, "")
        long = _of_file(form)
        told = (*notes, *filter(None, [form.words]))
        return ReadLosses(_stored(engine, long, f"read_{place}"), [("", long)], told, form.membership)
    stored, tables, notes = [], list[tuple[str, LossTable]](), list[str]()
    for number, path in enumerate(paths):
        with refusals_of(path.name):
            table, said = _read(path, chosen)
            stored.append(_stored_whole(engine, path, f"read_{place}_{number}"))
        tables.append((path.name, table))
        notes += said
    return ReadLosses(_joined(engine, stored, f"read_{place}"), tables, tuple(dict.fromkeys(notes)))


def _read(path: Path, chosen: argparse.Namespace) -> tuple[LossTable, list[str]]:
    table = client.read(read_table, path.read_bytes(), KnownLayout(columns=_named(chosen)))
    return table, [*refuse_curves(table, chosen), *refuse_other_numbers(table, chosen)]


def refuse_curves(table: LossTable | None, chosen: argparse.Namespace) -> list[str]:
    """Raise TableError where rows may be steps of training, unless somebody said that they are people: then note it."""
    why = "" if table is None else row_questions.curves(table)
    if why and chosen.rows != "people":
        raise TableError(why, f"{row_questions.NO_PEOPLE[1]} Or say that each row is a person's: --rows people.")
    return [f"{why} Each row is {row_questions.PEOPLE}, as was said."] if why else []


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


def refuse_unusable(name: str, table: LossTable, columns: LossColumns, chosen: argparse.Namespace) -> None:
    """Raise TableError for cells that cannot be used, with the first of them, unless such rows are to be left out.

    ``name`` is that of the file, where there are several.
    """
    wanted = (*columns.loss.split(" and "), columns.membership, chosen.cluster)
    numbers, names = ({one.name for one in some} for some in (table.numbers, table.columns))
    for column in wanted:
        if column in names:
            try:
                (table.number(column) if column in numbers else table.column(column)).usable(chosen.drop)
            except TableError as refusal:
                what = f"{quoted(name)}: {refusal.what}" if name else refusal.what
                raise TableError(what, f"{refusal.remedy[:-1]}: --drop.", refusal.where) from None


def first_rows(engine: Engine, table: Table) -> LossTable | None:
    """The first rows of an engine's table, as a file of them would be read; None where they tell nothing."""
    kinds = table.schema()
    plain = [name for name, kind in kinds.items() if kind.is_numeric() or kind.is_string() or kind.is_boolean()]
    if not plain:
        return None
    with refusals("show the first rows"):
        held = engine.to_pyarrow(table.select(*plain).limit(_PROBED))
    out = pa.BufferOutputStream()
    csv.write_csv(held.rename_columns(plain), out)  # numbers that are held as text are numbers again
    try:
        return read_predictions(out.getvalue().to_pybytes())
    except TableError:
        return None


def _of_file(form: LongForm) -> LossTable:
    """The long form of a table with columns for each group, or each model; another one as it is."""
    long = form.table
    if not form.words:
        return long
    # Which row of the file a number was in says nothing of persons: the cells of a row are of several.
    clusters = tuple(one for one in long.clusters if not one.name.startswith(ROW))
    return replace(long, numbers=(replace(long.numbers[0], name=_LOSS),), clusters=clusters)


def of_predictions(engine: Engine, source: str, place: int, chosen: argparse.Namespace) -> tuple[Table, int, str]:
    """A file of predictions with their losses, how many were cut, and how labels were understood; raises TableError."""
    if not (Path(source).is_file() and is_readable(source)):
        raise TableError(
            f"{quoted(source)} is no file of at most {LARGEST / 1e6:,.0f} MB.", "Predictions are one file."
        )
    table = client.read(read_predictions, Path(source).read_bytes())
    found = with_predicted(table, chosen)
    return _stored(engine, found.table, f"read_{place}"), found.clipped, f"{LOSS}: {found.words}."


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


def _stored(engine: Engine, table: LossTable, name: str) -> Table:
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
    return _held(engine, pa.table(columns), name)


def _stored_whole(engine: Engine, path: Path, name: str) -> Table:
    """A file with all of its columns as they are written, and with those that folders of its path name."""
    if is_parquet(path.read_bytes()[:_START]):
        return engine.read_parquet(str(path), table_name=name)
    table = as_written(path.read_bytes())
    for folder in path.parts[:-1]:
        key, sign, value = folder.partition("=")
        if sign and key not in table.column_names:
            table = table.append_column(key, pa.array([value] * table.num_rows, pa.string()))
    return _held(engine, table, name)


def _joined(engine: Engine, tables: Sequence[Table], name: str) -> Table:
    """Tables below each other, columns by their names."""
    parts = " UNION ALL BY NAME ".join(f'FROM "{table.get_name()}"' for table in tables)
    engine.con.execute(f"CREATE OR REPLACE VIEW {name} AS {parts}")
    return named_table(engine, name)


def _held(engine: Engine, table: pa.Table, name: str) -> Table:
    engine.con.register("held", table)
    engine.con.execute(f"CREATE OR REPLACE TABLE {name} AS FROM held")
    engine.con.unregister("held")
    return named_table(engine, name)


def _words(words: list[str], codes: np.ndarray) -> pa.Array:
    indices = pa.array(codes.astype(np.int32), mask=codes == NO_LABEL)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string())).dictionary_decode()
