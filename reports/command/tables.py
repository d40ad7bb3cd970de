"""Losses and labels of files and of an engine's tables, where an engine can count them; what is open is refused.

Files are read as the page reads them, with its questions, and put into an engine; what is too large for that, an
engine reads itself.
"""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import csv

from losses import row_questions
from losses.classes import guess
from losses.dependence import unseen
from losses.errors import TableError, TooLargeError, quoted
from losses.instances import refusals_of
from losses.isolation import client
from losses.layout import KnownLayout
from losses.long_form import LongForm, long_form
from losses.names import is_told_by_slicing
from losses.parquet_file import is_parquet
from losses.predictions import LOSS, Predicted, PredictionScale, Roles, seen_scale, with_losses
from losses.reading import as_written, read_predictions, read_table
from losses.row_questions import COPIES, PEOPLE
from losses.table import LARGEST_WHOLE, NO_LABEL, ROW, LossTable
from losses.training_labels import Membership
from losses.unpacking import LARGEST, check_size
from losses.warehouse import grouping
from losses.warehouse.columns import LossColumns, labelled_losses, two_tables
from losses.warehouse.engines import (
    Engine,
    Resources,
    Table,
    attached,
    check_database,
    embedded,
    file_table,
    files_of,
    named_table,
    refusals,
)
from reports.command.arguments import PREDICTIONS

EQUAL_ROWS = {None: None, "people": PEOPLE, "copies": COPIES}
_PROBED = 1000  # rows
_START = 4  # bytes
_LEAST_CELL = 2  # bytes of text, with what ends it


class Opened(NamedTuple):
    """Tables with losses, as an engine holds them.

    Attributes:
        tables: one, or training data and fresh data.
        notes: how they were read.
        cut: how many losses come from probabilities that were cut.
        read: the files as they were read, by name, where they were.
        membership: who is in, where no column of the file tells it.
        answers: the column with the right answers of predictions, where it was read.
    """

    tables: Sequence[Table]
    notes: tuple[str, ...] = ()
    cut: int = 0
    read: Sequence[tuple[str, LossTable]] = ()
    membership: Membership | None = None
    answers: tuple[str, ...] = ()


@dataclass(frozen=True)
class LabelledRows:
    """Rows with a loss and a label, where they are counted, and what was done about those that belong together."""

    engine: Engine
    table: Table
    columns: LossColumns
    notes: tuple[str, ...]
    doubts: tuple[str, ...] = ()


def sources_of(chosen: argparse.Namespace) -> tuple[str, ...]:
    """One source, or training data and fresh data."""
    return (*chosen.sources[:1], *chosen.population[:1])


def content_of(chosen: argparse.Namespace, source: str) -> bytes:
    """The bytes of a file; or of an engine's table, as the CSV file that its columns of numbers and texts are.

    Raises TableError for a folder, and for what is larger than a file may be.
    """
    if chosen.engine is None:
        path = Path(source)
        if path.is_dir() or not path.exists():
            raise TableError(f"{quoted(source)} is no file.", "Name files one by one: each is read whole.")
        check_size(path.stat().st_size, LARGEST)
        return path.read_bytes()
    check_database(chosen.engine)
    out = pa.BufferOutputStream()
    with attached(chosen.engine) as engine:
        table = named_table(engine, source)
        table = table.select(*_plain(table))
        with refusals("read the table"):
            if _LEAST_CELL * len(table.columns) * int(table.count().execute()) <= LARGEST:
                csv.write_csv(engine.to_pyarrow(table), out)
    content = bytes(out.getvalue())
    if not 0 < len(content) <= LARGEST:
        what = f"The table {quoted(source)} takes more than {LARGEST / 1e6:,.0f} MB as a file."
        raise TableError(what, "Engines count losses of any size; all else is read as a file is: make a view of it.")
    return content


def _plain(table: Table) -> list[str]:
    """The columns of a table that hold numbers, texts, or yes and no."""
    kinds = table.schema().items()
    return [name for name, kind in kinds if kind.is_numeric() or kind.is_string() or kind.is_boolean()]


@contextmanager
def opened_engine(chosen: argparse.Namespace) -> Iterator[Engine]:
    """The engine that was named, or the embedded one, which has the losses of predictions wherever these are."""
    if chosen.engine is None or chosen.evidence == PREDICTIONS:
        with embedded(Resources(chosen.memory)) as engine:
            yield engine
        return
    check_database(chosen.engine)
    with attached(chosen.engine) as engine:
        yield engine


def opened(engine: Engine, chosen: argparse.Namespace) -> Opened:
    """The tables of the sources; raises TableError for numbers that are no losses, and rows that are no people."""
    sources = sources_of(chosen)
    if chosen.evidence == PREDICTIONS:
        return _of_predictions(engine, sources, chosen)
    if chosen.engine is None and all(map(is_readable, sources)):
        try:
            return _as_the_page_reads(engine, sources, chosen)
        except TooLargeError:
            pass
    read = named_table if chosen.engine else file_table
    tables, notes = [read(engine, source) for source in sources], list[str]()
    for table in tables:
        first = _first_rows(engine, table)
        notes += [] if first is None else _refuse_other_tables(first, chosen)
    return Opened(tables, tuple(dict.fromkeys(notes)))


def is_readable(source: str) -> bool:
    """Whether a source is a file, or files together, that the page would take."""
    try:
        return sum(path.stat().st_size for path in files_of(source)) <= LARGEST
    except TableError:
        return False


def _as_the_page_reads(engine: Engine, sources: Sequence[str], chosen: argparse.Namespace) -> Opened:
    """Files, folders and globs within the page's limits.

    Raises TableError, with the file where there are several, and with the option that answers what is open.
    """
    tables, notes, read, membership = list[Table](), list[str](), list[tuple[str, LossTable]](), None
    for place, source in enumerate(sources):
        paths, name = files_of(source), f"read_{place}"
        if len(paths) == 1 and Path(source).is_file():
            table, said = _read(paths[0], chosen)
            form = long_form(table) if chosen.loss is None else LongForm(table, "")
            long, membership = _of_file(form), form.membership
            tables.append(_stored(engine, long, name))
            read.append(("", long))
            notes += [*said, *filter(None, [form.words])]
            continue
        parts = []
        for number, path in enumerate(paths):
            with refusals_of(path.name):
                table, said = _read(path, chosen)
                parts.append(_stored_whole(engine, path, table, f"{name}_{number}"))
            read.append((path.name, table))
            notes += said
        together = " UNION ALL BY NAME ".join(f'FROM "{part.get_name()}"' for part in parts)
        engine.con.execute(f"CREATE OR REPLACE VIEW {name} AS {together}")
        tables.append(named_table(engine, name))
    return Opened(tables, tuple(dict.fromkeys(notes)), 0, read, membership if len(sources) == 1 else None)


def _read(path: Path, chosen: argparse.Namespace) -> tuple[LossTable, list[str]]:
    named = (chosen.loss, chosen.membership, chosen.cluster, chosen.model_column, chosen.slice, *chosen.independent)
    known = KnownLayout(columns=tuple(dict.fromkeys(name for name in named if name is not None)))
    table = client.read(read_table, path.read_bytes(), known)
    return table, [*table.layout.notes, *_refuse_other_tables(table, chosen)]


def _refuse_other_tables(table: LossTable, chosen: argparse.Namespace) -> list[str]:
    """What was said of rows and numbers that look like something else; raises TableError until it was said."""
    return refuse_curves(table, chosen) + _refuse_unless_losses(row_questions.predictions(table), PREDICTIONS, chosen)


def refuse_curves(table: LossTable, chosen: argparse.Namespace) -> list[str]:
    """Raise TableError where rows may be steps of training, unless somebody said that they are people: then note it."""
    why = row_questions.curves(table)
    if why and chosen.rows != "people":
        raise TableError(why, f"{row_questions.NO_PEOPLE[1]} Or say that each row is a person's: --rows people.")
    return [f"{why} Each row is {PEOPLE}, as was said."] if why else []


def _refuse_unless_losses(why: str, evidence: str, chosen: argparse.Namespace) -> list[str]:
    """Raise TableError where numbers look like other evidence, unless somebody said that they are losses."""
    if why and chosen.evidence is None:
        raise TableError(why, f"Read them so: --evidence {evidence}. Or say that they are losses: --evidence losses.")
    return [f"{why} They are losses, as was said."] if why else []


def _first_rows(engine: Engine, table: Table) -> LossTable | None:
    """The first rows of an engine's table, as a file of them would be read; None where they tell nothing."""
    if not (plain := _plain(table)):
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
    return replace(long, numbers=(replace(long.numbers[0], name="loss"),), clusters=clusters)


def _of_predictions(engine: Engine, sources: Sequence[str], chosen: argparse.Namespace) -> Opened:
    """Files of predictions with their losses."""
    tables, notes, cut, answers = [], list[str](), 0, list[str]()
    for place, source in enumerate(sources):
        if chosen.engine is None and not (Path(source).is_file() and is_readable(source)):
            raise TableError(
                f"{quoted(source)} is no file of at most {LARGEST / 1e6:,.0f} MB.", "Predictions are one file."
            )
        read = client.read(read_predictions, content_of(chosen, source))
        found = _with_losses(read, chosen)
        answers.append(found.table.answers)
        tables.append(_stored(engine, found.table, f"read_{place}"))
        notes += [*read.layout.notes, f"{LOSS}: {found.words}."]
        cut += found.clipped
    return Opened(tables, tuple(dict.fromkeys(notes)), cut, answers=tuple(dict.fromkeys(answers)))


def _with_losses(table: LossTable, chosen: argparse.Namespace) -> Predicted:
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
    scale = seen_scale(table, scores)
    found = with_losses(table, Roles(scores, label, scale, chosen.positive))
    said = "; numbers below 0 are seen, so they are logits" if scale is PredictionScale.LOGITS else ""
    return found._replace(words=f"{found.words}{said}")


def _stored(engine: Engine, table: LossTable, name: str) -> Table:
    """The table in the embedded engine, all its columns by name."""
    return _held(engine, _as_arrow(table), name)


def _as_arrow(table: LossTable) -> pa.Table:
    """All columns of a table, by name."""
    columns: dict[str, pa.Array] = {}
    for number in table.numbers:
        known = np.isfinite(number.values)
        is_whole = not np.any(number.values[known] % 1.0) and bool(np.all(abs(number.values[known]) < LARGEST_WHOLE))
        values = np.where(known, number.values, 0.0).astype(np.int64) if is_whole else number.values
        columns[number.name] = pa.array(values, mask=~known)
    for label in table.labels:
        if label.name not in columns or len(label.labels) == 2:
            columns[label.name] = _words(list(label.labels), label.codes)
    for cluster in table.clusters:
        columns[cluster.name] = _words([str(word) for word in cluster.words], cluster.codes)
    return pa.table(columns)


def _stored_whole(engine: Engine, path: Path, read: LossTable, name: str) -> Table:
    """A file with all of its columns as they are written, and with those that folders of its path name.

    Of a file that holds no rows of cells, those are there that were ``read``.
    """
    data = path.read_bytes()
    if is_parquet(data[:_START]):
        return engine.read_parquet(str(path), table_name=name)
    table = as_written(data)
    table = _as_arrow(read) if table is None else table
    for folder in path.parts[:-1]:
        key, sign, value = folder.partition("=")
        if sign and key not in table.column_names:
            table = table.append_column(key, pa.array([value] * table.num_rows, pa.string()))
    return _held(engine, table, name)


def _held(engine: Engine, table: pa.Table, name: str) -> Table:
    engine.con.register("held", table)
    engine.con.execute(f"CREATE OR REPLACE TABLE {name} AS FROM held")
    engine.con.unregister("held")
    return named_table(engine, name)


def _words(words: list[str], codes: np.ndarray) -> pa.Array:
    indices = pa.array(codes.astype(np.int32), mask=codes == NO_LABEL)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string())).dictionary_decode()


def labelled_rows(
    engine: Engine, found: Opened, chosen: argparse.Namespace, slice_value: str | None, stack: ExitStack
) -> LabelledRows:
    """The rows that count: of one model, of one slice if it was named, and one of each person where persons were.

    Raises TableError for cells that cannot be used, and for rows that belong together of which nothing was said.
    """
    named = {name for name in (chosen.cluster, chosen.model_column, *chosen.independent) if name is not None}
    tables = [grouping.of_one_model(engine, table, named, chosen.model_column, chosen.model) for table in found.tables]
    if slice_value is not None:
        tables = [grouping.rows_with(table, chosen.slice, slice_value) for table in tables]
    spoken_for = {*named, *found.answers}
    is_small = bool(found.read)
    with _telling(found):
        if len(tables) == 1:
            other = {*spoken_for, *([] if chosen.slice is None else [chosen.slice])}
            rows, columns = labelled_losses(
                engine, tables[0], chosen.loss, chosen.membership, chosen.cluster, is_small, other
            )
        else:
            rows, columns = two_tables(engine, tables[0], tables[1], chosen.loss, chosen.cluster, is_small)
        for name, read in found.read:
            _refuse_unusable(name, read, columns, chosen)
    why = "" if chosen.evidence == PREDICTIONS else row_questions.scores(columns.loss)
    notes = _refuse_unless_losses(why, "scores", chosen)
    sliced = [chosen.slice] if chosen.slice is not None and is_told_by_slicing(chosen.slice) else []
    taken = {*columns.loss.split(" and "), columns.membership or "", *spoken_for, *sliced}
    for table in tables:
        grouping.refuse_named(engine, table, taken)
    notes += [f"Rows that share {quoted(name)} count as independent, as was said." for name in chosen.independent]
    if chosen.model is not None:
        notes.append(f"Rows with {quoted(chosen.model)} in {quoted(chosen.model_column)}.")
    others = {key: name for key, name in columns.others.items() if name not in spoken_for}
    unread = (name for _, table in found.read for name in table.unread if name not in named)
    left = unseen(list(dict.fromkeys((*columns.unseen, *unread))))
    if is_small and chosen.cluster is None:
        said = EQUAL_ROWS[chosen.rows]
        rows, told, doubts = grouping.few_rows_settled(engine, rows, columns.others, others.values(), said)
        return LabelledRows(engine, rows, columns, (*notes, *told), (*doubts, *left))
    shared = grouping.within_one_group(engine, rows, others)
    if chosen.cluster is None:
        doubts = grouping.refuse_alike(engine, rows, shared)
        return LabelledRows(engine, rows, columns, tuple(notes), (*doubts, *left))
    rows, note, doubts = grouping.one_of_each(engine, rows, chosen.cluster, chosen.drop, shared)
    held = stack.enter_context(embedded(Resources(chosen.memory)))
    return LabelledRows(held, rows, columns, (*notes, note), (*doubts, *left))


@contextmanager
def _telling(found: Opened) -> Iterator[None]:
    """Let a refusal say how files were read as tables: the other group may be on a workbook's second sheet."""
    try:
        yield
    except TableError as refusal:
        said = dict.fromkeys(note for _, table in found.read for note in table.layout.notes)
        raise TableError(refusal.what, refusal.remedy, " ".join(filter(None, (refusal.where, *said)))) from None


def _refuse_unusable(name: str, table: LossTable, columns: LossColumns, chosen: argparse.Namespace) -> None:
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
