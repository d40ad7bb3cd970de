"""Losses and labels of files and of an engine's tables, where an engine can count them; what is open is refused.

Files are read as the page reads them, with its questions, and an engine gets what was read; what is too large for that,
an engine reads itself.
"""

import argparse
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
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
from losses.long_form import LongForm, long_form
from losses.names import is_told_by_slicing
from losses.predictions import Predicted, PredictionScale, Roles, seen_scale, with_losses
from losses.reading import read_predictions
from losses.row_questions import COPIES, PEOPLE
from losses.table import LARGEST_WHOLE, NO_LABEL, ROW, LossTable
from losses.training_labels import Membership
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
    is_read_by_engines,
    named_table,
    refusals,
)
from reports.command import reading
from reports.command.arguments import PREDICTIONS

EQUAL_ROWS = {None: None, "people": PEOPLE, "copies": COPIES}
_PROBED = 1000  # rows


class Opened(NamedTuple):
    """Tables with losses, as an engine holds them.

    Attributes:
        engine: that holds them.
        tables: one, or training data and fresh data.
        notes: how they were read.
        cut: how many losses come from probabilities that were cut.
        read: the files as they were read, by name, where they were.
        membership: who is in, where no column of the file tells it.
        answers: the column with the right answers of predictions, where it was read.
    """

    engine: Engine
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


@contextmanager
def opened(chosen: argparse.Namespace) -> Iterator[Opened]:
    """The tables of the sources, in the engine that was named, or in the embedded one, where predictions always are.

    Raises TableError for numbers that are no losses, and rows that are no people.
    """
    if chosen.engine is None or chosen.evidence == PREDICTIONS:
        with embedded(Resources(chosen.memory)) as engine:
            yield (_of_predictions if chosen.evidence == PREDICTIONS else _of_files)(engine, chosen)
        return
    check_database(chosen.engine)
    with attached(chosen.engine) as engine:
        yield _where_they_are(engine, chosen)


def _of_files(engine: Engine, chosen: argparse.Namespace) -> Opened:
    """The losses of files, those of a folder or glob as parts of one table, which is said."""
    found, notes = _as_one_table(engine, chosen), list[str]()
    for source in sources_of(chosen):
        if (count := len(files_of(source))) > 1:
            notes.append(f"The {count:,} files of {quoted(source)} count as one model's: else name each of them.")
    return found._replace(notes=(*notes, *found.notes))


def _as_one_table(engine: Engine, chosen: argparse.Namespace) -> Opened:
    """Read as the page reads files where they are no larger, else by the engine."""
    if all(map(reading.is_readable, sources_of(chosen))):
        try:
            return _as_the_page_reads(engine, chosen)
        except TooLargeError:
            if not all(is_read_by_engines(path) for source in sources_of(chosen) for path in files_of(source)):
                raise
    return _where_they_are(engine, chosen)


def _where_they_are(engine: Engine, chosen: argparse.Namespace) -> Opened:
    """The losses of files, or of an engine's tables, that an engine reads itself."""
    find = named_table if chosen.engine else file_table
    tables, notes = [find(engine, source) for source in sources_of(chosen)], list[str]()
    for table in tables:
        first = _first_rows(engine, table)
        notes += [] if first is None else _refuse_other_tables(first, chosen)
    return Opened(engine, tables, tuple(dict.fromkeys(notes)))


def _as_the_page_reads(engine: Engine, chosen: argparse.Namespace) -> Opened:
    """Files, folders and globs within the page's limits.

    Raises TableError, with the file where there are several, and with the option that answers what is open.
    """
    sources = sources_of(chosen)
    tables, notes, read, membership = list[Table](), list[str](), list[tuple[str, LossTable]](), None
    for place, source in enumerate(sources):
        is_alone, parts = Path(source).is_file(), list[str]()
        for file, path in reading.named_files(source).items():
            with nullcontext() if is_alone else refusals_of(file):
                table = reading.read(chosen, path)
                notes += [*table.layout.notes, *_refuse_other_tables(table, chosen)]
            form = long_form(table) if is_alone and chosen.loss is None else LongForm(table, "")
            table, membership = _of_file(form), form.membership
            notes += filter(None, [form.words])
            arrow = _as_arrow(table)
            part = _held(engine, arrow if is_alone else _with_folders(arrow, path), f"read_{place}_{len(parts)}")
            parts.append(f'FROM "{part.get_name()}"')
            read.append(("" if is_alone else file, table))
        engine.con.execute(f"CREATE OR REPLACE VIEW read_{place} AS {' UNION ALL BY NAME '.join(parts)}")
        tables.append(named_table(engine, f"read_{place}"))
    said_by = membership if len(sources) == 1 else None
    return Opened(engine, tables, tuple(dict.fromkeys(notes)), 0, read, said_by)


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
    if not (plain := reading.plain_columns(table)):
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


def _of_predictions(engine: Engine, chosen: argparse.Namespace) -> Opened:
    """Predictions with their losses."""
    tables, notes, cut, answers = [], list[str](), 0, list[str]()
    for place, source in enumerate(sources_of(chosen)):
        read = reading.read_whole(chosen, source)
        found = _with_losses(read, chosen)
        answers.append(found.table.answers)
        tables.append(_held(engine, _as_arrow(found.table), f"read_{place}"))
        notes += [*read.layout.notes, *found.notes]
        cut += found.clipped
    return Opened(engine, tables, tuple(dict.fromkeys(notes)), cut, answers=tuple(dict.fromkeys(answers)))


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


def _with_folders(table: pa.Table, path: Path) -> pa.Table:
    """The table of a file with the columns that folders of its path name: ``split=train``."""
    for folder in path.parts[:-1]:
        key, sign, value = folder.partition("=")
        if sign and key not in table.column_names:
            table = table.append_column(key, pa.array([value] * table.num_rows, pa.string()))
    return table


def _held(engine: Engine, table: pa.Table, name: str) -> Table:
    engine.con.register("held", table)
    engine.con.execute(f"CREATE OR REPLACE TABLE {name} AS FROM held")
    engine.con.unregister("held")
    return named_table(engine, name)


def _words(words: list[str], codes: np.ndarray) -> pa.Array:
    indices = pa.array(codes.astype(np.int32), mask=codes == NO_LABEL)
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.string())).dictionary_decode()


def labelled_rows(found: Opened, chosen: argparse.Namespace, slice_value: str | None, stack: ExitStack) -> LabelledRows:
    """The rows that count: of one model, of one slice if it was named, and one of each person where persons were.

    Raises TableError for cells that cannot be used, and for rows that belong together of which nothing was said.
    """
    engine, named = found.engine, {*filter(None, (chosen.cluster, chosen.model_column)), *chosen.independent}
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
