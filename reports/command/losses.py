"""Losses, or predictions that give them, in files of any size or in the tables of an engine."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

from losses.errors import TooLargeError, quoted
from losses.membership import Membership
from losses.row_questions import COPIES, PEOPLE
from losses.shared_columns import unseen
from losses.table import LossTable
from losses.warehouse.auditing import METHODS, Clips, Wish, audit
from losses.warehouse.belonging import (
    Belonging,
    equal_rows_settled,
    of_one_model,
    one_of_each,
    refuse_alike,
    refuse_named,
    rows_with,
    told_by,
    within_one_group,
)
from losses.warehouse.columns import LossColumns, labelled_losses, two_tables
from losses.warehouse.engines import Engine, Resources, Table, attached, check_database, embedded, file_table
from losses.warehouse.engines import named_table as table_named
from numerics.epsilon_star import LossScale
from numerics.validation import Interval
from reports.command import memory_tables
from reports.command.kinds import PREDICTIONS
from reports.command.writing import NAMES, EngineAudit

PAPER, NO_CLIP = "paper", "no"
UNITS = {"nats": LossScale.NATS, "bits": LossScale.BITS, "log-odds": LossScale.LOG_ODDS, "none": None}
Say = Callable[[str], object]


class Opened(NamedTuple):
    """Tables with losses, what was noted when they were read, and the files as they were read where they were.

    ``membership`` is who is in, where no column of the file tells it.
    """

    tables: Sequence[Table]
    notes: tuple[str, ...] = ()
    cut: int = 0
    read: Sequence[tuple[str, LossTable]] = ()
    membership: Membership | None = None


@dataclass(frozen=True)
class LabelledRows:
    """Rows with a loss and a label, where they are counted, and what was done about those that belong together."""

    engine: Engine
    table: Table
    columns: LossColumns
    notes: tuple[str, ...]
    doubts: tuple[str, ...] = ()


def audited(chosen: argparse.Namespace, progress: Say) -> EngineAudit:
    """The audit of one model; raises TableError, and ValueError for settings that do not fit.

    Files are read as the page reads them; what is too large for that an engine reads.
    """
    Interval(0.0, 1.0 - 1e-9).check("level", chosen.level)
    sources = sources_of(chosen)
    with opened_engine(chosen) as engine, ExitStack() as stack:
        opened = _opened(engine, sources, chosen)
        rows = _rows(engine, opened, chosen, stack)
        wish = replace(wish_of(chosen), cut=opened.cut)
        if chosen.evidence == PREDICTIONS and wish.scale is None:
            wish = replace(wish, scale=LossScale.LOG_ODDS)
        label = rows.columns.membership or "group"
        found = audit(rows.engine, rows.table, wish, chosen.member, chosen.drop, progress, label)
        if opened.membership is not None and opened.membership.member == found.membership.member:
            found = replace(found, membership=opened.membership)
            groups = opened.read[0][1].label(opened.membership.column).labels
            rows = replace(rows, columns=replace(rows.columns, loss=" and ".join(groups)))
        version = f"{engine.name} {engine.version}"
    notes = (*opened.notes, *rows.notes)
    return EngineAudit(found, tuple(sources), rows.columns, version, chosen.max_epsilon_star, notes, rows.doubts)


def cells_of(chosen: argparse.Namespace, column: str, most: int) -> tuple[list[str], int]:
    """What a column of the sources tells, of at most so many, and how many rows have a blank cell there.

    Raises TableError.
    """
    sources = sources_of(chosen)
    with opened_engine(chosen) as engine:
        return told_by(engine, _opened(engine, sources, chosen).tables, column, most, chosen.drop)


def _opened(engine: Engine, sources: Sequence[str], chosen: argparse.Namespace) -> Opened:
    if chosen.evidence == PREDICTIONS:
        return _by_predictions(engine, sources, chosen)
    if chosen.engine is None and all(map(memory_tables.is_readable, sources)):
        try:
            return _by_page(engine, sources, chosen)
        except TooLargeError:
            pass
    read = table_named if chosen.engine else file_table
    tables = [read(engine, source) for source in sources]
    notes = list[str]()
    for table in tables:
        first = memory_tables.first_rows(engine, table)
        notes += [*memory_tables.refuse_curves(first, chosen), *memory_tables.refuse_other_numbers(first, chosen)]
    return Opened(tables, tuple(dict.fromkeys(notes)))


def _by_page(engine: Engine, sources: Sequence[str], chosen: argparse.Namespace) -> Opened:
    found = [memory_tables.of_losses(engine, source, place, chosen) for place, source in enumerate(sources)]
    notes = tuple(dict.fromkeys(note for one in found for note in one.notes))
    read = [table for one in found for table in one.tables]
    return Opened([one.stored for one in found], notes, 0, read, found[0].membership if len(found) == 1 else None)


def _by_predictions(engine: Engine, sources: Sequence[str], chosen: argparse.Namespace) -> Opened:
    found = [memory_tables.of_predictions(engine, source, place, chosen) for place, source in enumerate(sources)]
    cut = sum(clipped for _, clipped, _ in found)
    return Opened([table for table, _, _ in found], tuple(dict.fromkeys(words for *_, words in found)), cut)


def _rows(engine: Engine, opened: Opened, chosen: argparse.Namespace, stack: ExitStack) -> LabelledRows:
    said = Belonging(chosen.cluster, chosen.model_column, chosen.model, chosen.independent)
    tables = [of_one_model(engine, table, said) for table in opened.tables]
    if chosen.slice_value is not None:
        tables = [rows_with(table, chosen.slice, chosen.slice_value) for table in tables]
    small = bool(opened.read)
    if len(tables) == 1:
        rows, columns = labelled_losses(engine, tables[0], chosen.loss, chosen.membership, chosen.cluster, small)
    else:
        rows, columns = two_tables(engine, tables[0], tables[1], chosen.loss, chosen.cluster, small)
    for name, read in opened.read:
        memory_tables.refuse_unusable(name, read, columns, chosen)
    said_of = [] if chosen.evidence == PREDICTIONS else memory_tables.refuse_scores(columns.loss, chosen)
    taken = {*columns.loss.split(" and "), columns.membership or ""}
    for table in tables:
        refuse_named(engine, table, taken, said)
    notes = said_of + [
        f"Rows that share {quoted(name)} count as independent, as was said." for name in said.independent
    ]
    if chosen.model is not None:
        notes.append(f"Rows with {quoted(chosen.model)} in {quoted(chosen.model_column)}.")
    different = rows
    if small and chosen.cluster is None:
        rows, different, told = equal_rows_settled(engine, rows, columns.others, wish_of(chosen).rows)
        notes += told
    others = {key: name for key, name in columns.others.items() if name not in said.named}
    shared = within_one_group(engine, different, others)
    unread = (name for _, table in opened.read for name in table.unread if name not in said.named)
    left = unseen(list(dict.fromkeys((*columns.unseen, *unread))))
    if chosen.cluster is None:
        doubts = refuse_alike(engine, different, shared)
        return LabelledRows(engine, rows, columns, tuple(notes), (*doubts, *left))
    rows, note, doubts = one_of_each(engine, rows, chosen.cluster, chosen.drop, shared)
    held = stack.enter_context(embedded(_resources(chosen)))
    return LabelledRows(held, rows, columns, (*notes, note), (*doubts, *left))


def wish_of(chosen: argparse.Namespace) -> Wish:
    """What is to be computed."""
    methods = [method for method in METHODS if chosen.method in {NAMES[method], "all"}]
    clips = {None: Clips.USUAL, PAPER: Clips.PAPER}.get(chosen.clip, Clips.CHOSEN)
    clip = chosen.clip if isinstance(chosen.clip, float) else None
    scale = LossScale.PRINTED if chosen.as_printed else UNITS.get(chosen.unit)
    rows = {None: None, "people": PEOPLE, "copies": COPIES}[chosen.rows]
    return Wish(methods, chosen.delta, clip, clips, chosen.level, scale, rows=rows)


def sources_of(chosen: argparse.Namespace) -> tuple[str, ...]:
    """One source, or training data and fresh data.

    Raises ValueError for settings that contradict each other.
    """
    if (chosen.engine is None) != (chosen.table is None):
        raise ValueError("--engine and --table must be given together.")
    if (chosen.source is None) == (chosen.table is None):
        raise ValueError("there must be a SOURCE, or --engine URL with --table NAME, and not both.")
    if chosen.setting and chosen.engine is None:
        raise ValueError("--setting must be given with --engine: it is one of that engine.")
    if chosen.model is not None and chosen.model_column is None:
        raise ValueError("--model must be given with --model-column.")
    if chosen.fresh is not None and (chosen.membership is not None or chosen.member is not None):
        raise ValueError("--membership and --member must not be given with --population: each source is a group.")
    return tuple(source for source in (chosen.source or chosen.table, chosen.fresh) if source is not None)


def _resources(chosen: argparse.Namespace) -> Resources:
    return Resources(chosen.memory, chosen.threads, chosen.temporary)


@contextmanager
def opened_engine(chosen: argparse.Namespace) -> Iterator[Engine]:
    """The engine that was named, or the embedded one."""
    if chosen.engine is None:
        with embedded(_resources(chosen)) as engine:
            yield engine
        return
    check_database(chosen.engine)
    with attached(chosen.engine, dict(chosen.setting)) as engine:
        yield engine
