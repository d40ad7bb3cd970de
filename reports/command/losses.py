"""Losses, or predictions that give them, in files of any size or in the tables of an engine."""

import argparse
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from typing import NamedTuple

from losses.errors import TableError, quoted
from losses.warehouse.auditing import METHODS, Wish, audit
from losses.warehouse.belonging import Belonging, of_one_model, one_of_each, refuse_dependent, rows_with, told_by
from losses.warehouse.columns import LossColumns, labelled_losses, two_tables
from losses.warehouse.engines import Engine, Resources, Table, attached, check_database, embedded, file_table
from losses.warehouse.engines import named_table as table_named
from numerics.epsilon_star import LossScale
from numerics.validation import Interval
from reports.command import memory_tables
from reports.command.kinds import PREDICTIONS
from reports.command.writing import NAMES, EngineAudit

PAPER = "paper"
UNITS = {"nats": LossScale.NATS, "bits": LossScale.BITS, "log-odds": LossScale.LOG_ODDS, "none": None}
Say = Callable[[str], object]


class Opened(NamedTuple):
    """Tables with losses, and what was noted when they were read."""

    tables: Sequence[Table]
    notes: tuple[str, ...] = ()
    cut: int = 0


@dataclass(frozen=True)
class LabelledRows:
    """Rows with a loss and a label, where they are counted, and what was done about those that belong together."""

    engine: Engine
    table: Table
    columns: LossColumns
    notes: tuple[str, ...]


def audited(chosen: argparse.Namespace, progress: Say) -> EngineAudit:
    """The audit of one model; raises TableError, and ValueError for settings that do not fit.

    Where an engine cannot read a file, and the page would take it, it is read as the page reads it.
    """
    Interval(0.0, 1.0 - 1e-9).check("level", chosen.level)
    sources = sources_of(chosen)
    try:
        return _audited(chosen, sources, progress, _by_predictions if chosen.evidence == PREDICTIONS else _by_engine)
    except TableError as refusal:
        if chosen.engine or chosen.evidence == PREDICTIONS or not all(map(memory_tables.is_readable, sources)):
            raise
        try:
            progress("reading the file again, as the page does")
            return _audited(chosen, sources, progress, _by_page)
        except TableError:
            raise refusal from None


Open = Callable[[Engine, Sequence[str], argparse.Namespace], Opened]


def _audited(chosen: argparse.Namespace, sources: Sequence[str], progress: Say, open_: Open) -> EngineAudit:
    with opened_engine(chosen) as engine, ExitStack() as stack:
        opened = open_(engine, sources, chosen)
        rows = _rows(engine, opened, chosen, stack)
        wish = replace(wish_of(chosen), cut=opened.cut)
        if chosen.evidence == PREDICTIONS and wish.scale is None:
            wish = replace(wish, scale=LossScale.LOG_ODDS)
        label = rows.columns.membership or "group"
        found = audit(rows.engine, rows.table, wish, chosen.member, chosen.drop, progress, label)
        version = f"{engine.name} {engine.version}"
    notes = (*opened.notes, *rows.notes)
    return EngineAudit(found, tuple(sources), rows.columns, version, chosen.max_epsilon_star, notes)


def cells_of(chosen: argparse.Namespace, column: str, most: int) -> tuple[list[str], int]:
    """What a column of the sources tells, of at most so many, and how many rows have a blank cell there.

    Raises TableError.
    """
    sources = sources_of(chosen)
    with opened_engine(chosen) as engine:
        tables = (_by_predictions if chosen.evidence == PREDICTIONS else _by_engine)(engine, sources, chosen).tables
        readable = not chosen.engine and all(map(memory_tables.is_readable, sources))
        if readable and not all(column in table.columns for table in tables):
            tables = _by_page(engine, sources, chosen).tables
        return told_by(engine, tables, column, most, chosen.drop)


def _by_engine(engine: Engine, sources: Sequence[str], chosen: argparse.Namespace) -> Opened:
    read = table_named if chosen.engine else file_table
    return Opened([read(engine, source) for source in sources])


def _by_page(engine: Engine, sources: Sequence[str], _chosen: argparse.Namespace) -> Opened:
    found = [memory_tables.of_losses(engine, source, place) for place, source in enumerate(sources)]
    return Opened([table for table, _ in found], tuple(dict.fromkeys(words for _, words in found if words)))


def _by_predictions(engine: Engine, sources: Sequence[str], chosen: argparse.Namespace) -> Opened:
    found = [memory_tables.of_predictions(engine, source, place, chosen) for place, source in enumerate(sources)]
    cut = sum(clipped for _, clipped, _ in found)
    return Opened([table for table, _, _ in found], tuple(dict.fromkeys(words for *_, words in found)), cut)


def _rows(engine: Engine, opened: Opened, chosen: argparse.Namespace, stack: ExitStack) -> LabelledRows:
    said = Belonging(chosen.cluster, chosen.model_column, chosen.model, chosen.independent)
    tables = [of_one_model(engine, table, said) for table in opened.tables]
    if chosen.slice_value is not None:
        tables = [rows_with(table, chosen.slice, chosen.slice_value) for table in tables]
    if len(tables) == 1:
        rows, columns = labelled_losses(engine, tables[0], chosen.loss, chosen.membership, chosen.cluster)
    else:
        rows, columns = two_tables(engine, tables[0], tables[1], chosen.loss, chosen.cluster)
    taken = {*columns.loss.split(" and "), columns.membership or ""}
    for table in tables:
        refuse_dependent(engine, table, taken, said)
    notes = [f"Rows that share {quoted(name)} count as independent, as was said." for name in said.independent]
    if chosen.model is not None:
        notes.append(f"Rows with {quoted(chosen.model)} in {quoted(chosen.model_column)}.")
    if chosen.cluster is None:
        return LabelledRows(engine, rows, columns, tuple(notes))
    rows, note = one_of_each(engine, rows, chosen.cluster, chosen.drop)
    return LabelledRows(stack.enter_context(embedded(_resources(chosen))), rows, columns, (*notes, note))


def wish_of(chosen: argparse.Namespace) -> Wish:
    """What is to be computed."""
    methods = [method for method in METHODS if chosen.method in {NAMES[method], "all"}]
    paper = chosen.clip == PAPER
    scale = LossScale.PRINTED if chosen.as_printed else UNITS.get(chosen.unit)
    return Wish(methods, chosen.delta, None if paper else chosen.clip, paper, chosen.level, scale)


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
