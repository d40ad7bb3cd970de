"""Rows of an engine's table that belong together: refused until somebody says how, or one of each person is drawn."""

from collections.abc import Collection, Mapping, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from losses.copies import (
    Copies,
    copies_words,
    equal_in_both,
    equal_rows_words,
    first_of_each,
    in_both_words,
    mixed_codes,
    one_row_counts,
    refuse_in_both,
    without_copies,
)
from losses.dependence import (
    SharedColumn,
    ValueCounts,
    judged,
    may_group,
    of_rows,
    refuse_shared,
    refuse_together,
    within_groups,
)
from losses.errors import TableError, listed, option, quoted
from losses.names import names_clusters, names_models, natural
from losses.row_questions import PEOPLE, ROWS
from losses.table import NO_LABEL
from losses.warehouse import passes
from losses.warehouse.columns import text_of
from losses.warehouse.engines import Engine, Table, ibis, refusals
from losses.warehouse.passes import LossRange, is_finite, one_where
from numerics.audits.several import MOST_ROWS, one_row_each
from numerics.epsilon_star.aggregates import LossBins
from numerics.trade_off import Floats

MOST_DRAWN_FROM = 20_000_000  # rows held in memory at once, some 50 bytes each
_MOST_LOOKED_AT = 200_000
_MOST_NAMED = 20


def of_one_model(engine: Engine, table: Table, named: Collection[str], column: str | None, model: str | None) -> Table:
    """The rows of the ``model`` that was named, by a ``column``, or all where there is no such column.

    Raises TableError where one of the columns that somebody ``named`` is not there, or no such model.
    """
    _refuse_missing(table, named)
    if column is None:
        return table
    words = text_of(table, column)
    chosen = None if model is None else table.filter(words == model)
    if chosen is not None and _asked(engine, chosen.aggregate(n=chosen.count()))["n"]:
        return chosen
    found = engine.to_pyarrow(table.select(model=words).distinct().limit(_MOST_NAMED + 1)).column("model").to_pylist()
    names = listed(sorted(str(name) for name in found if name is not None), _MOST_NAMED)
    what = f"has no {quoted(model)}" if model else "tells several models"
    remedy = f"Name the one that is audited: {option('model', column, 'LABEL')}."
    raise TableError(f"Column {quoted(column)} {what}.", remedy, f"Among them are {names}.")


def told_by(engine: Engine, tables: Sequence[Table], column: str, most: int, drop: bool) -> tuple[list[str], int]:
    """The different cells of a column, sorted, of which there may be ``most``, and how many rows have a blank one.

    Raises TableError where it is not there, for too many, and for blanks unless such rows may be left out (``drop``).
    """
    names, blanks = set[str](), 0
    for table in tables:
        _refuse_missing(table, [column])
        words = text_of(table, column)
        with refusals("name what the column tells"):
            found = engine.to_pyarrow(table.select(told=words).distinct().limit(most + 2)).column("told").to_pylist()
        names |= {str(name) for name in found if name is not None}
        blanks += _asked(engine, table.aggregate(n=one_where(words.isnull()).sum()))["n"]
    if not 0 < len(names) <= most:
        many = "nothing" if not names else f"more than {most:,} different ones"
        raise TableError(f"Column {quoted(column)} tells {many}.", "Name another column.")
    if blanks and not drop:
        raise TableError(
            f"{blanks:,} rows have a blank cell in column {quoted(column)}.",
            "Mend them, or leave out such rows: --drop.",
        )
    return sorted(names, key=natural), blanks


def rows_with(table: Table, column: str, cell: str) -> Table:
    """The rows with this cell in the column; raises TableError where it is not there."""
    _refuse_missing(table, [column])
    return table.filter(text_of(table, column) == cell)


def _refuse_missing(table: Table, columns: Collection[str]) -> None:
    if missing := set(columns) - set(table.columns):
        there = listed(list(table.columns), _MOST_NAMED)
        raise TableError(f"There is no column {quoted(min(missing))}.", f"There are {there}.")


def refuse_named(engine: Engine, table: Table, taken: Collection[str]) -> None:
    """Raise TableError where a column's name says that rows belong together; not one ``taken``, or spoken of."""
    open_ones = [name for name in table.columns if name not in taken and (names_clusters(name) or names_models(name))]
    if not open_ones:
        return
    numbered = {f"c{place}": name for place, name in enumerate(open_ones)}
    different = {key: table[name].cast("string").nunique() for key, name in numbered.items()}
    filled = {f"n{key}": table[name].count() for key, name in numbered.items()}
    found = _asked(engine, table.aggregate(**different, **filled))
    together = {name: found[key] for key, name in numbered.items() if may_group(name, found[key], found[f"n{key}"])}
    refuse_together(together)


def equal_rows_settled(
    engine: Engine, rows: Table, others: Collection[str], said: str | None
) -> tuple[Table, Table, tuple[str, ...]]:
    """The rows that count, those of them that differ, and a note; copies count once where somebody said so.

    Args:
        engine: that holds the rows, which are few enough to be held here, too.
        rows: with columns loss and label.
        others: its other columns.
        said: what such rows are, ``COPIES`` or ``PEOPLE``.

    Raises:
        TableError: there are such, and nobody said what they are.
    """
    if not others:
        return rows, rows, ()
    with refusals("count equal rows"):
        held = engine.to_pyarrow(rows)
    losses, label = _losses(held), _codes(held, "label")
    cells = mixed_codes(_codes(held, key).astype(float) for key in others)
    left, told = np.ones(len(losses), bool), list[str]()
    for code in np.unique(label[label != NO_LABEL]):
        own = np.flatnonzero(np.isfinite(losses) & (label == code))
        first = first_of_each(losses[own], None if cells is None else cells[own])
        if first is not None:
            left[own] = first
            name = f"group {quoted(str(held.column('label')[int(own[0])]))}"
            told.append(equal_rows_words(name, len(own), int(np.count_nonzero(~first))))
    if not told:
        return rows, rows, ()
    noticed, different = " ".join(sorted(told)), ibis().memtable(held.filter(pa.array(left)))
    if said is None:
        raise TableError(noticed, f"Say what such rows are: {ROWS}")
    if said == PEOPLE:
        return rows, different, (f"{noticed} Each row is {PEOPLE}, as was said.",)
    return different, different, (f"{noticed} They are copies, as was said: each counts once.",)


def within_one_group(engine: Engine, rows: Table, others: Mapping[str, str]) -> dict[str, SharedColumn]:
    """Columns whose values repeat within one group each, by the names they have in ``rows`` (loss, label, ...).

    A query a column: how many values have so many rows, of which so many are members'.
    """
    if not others:
        return {}
    known = rows.filter(rows.label.notnull() & is_finite(rows.loss))
    with refusals("count the labels"):
        (first,) = engine.to_pyarrow(known.aggregate(label=known.label.max())).column("label").to_pylist()
    found = {}
    for key, name in others.items():
        filled = known.filter(known[key].notnull())
        each = filled.group_by(value=filled[key]).aggregate(n=filled.count(), m=one_where(filled.label == first).sum())
        counted = each.group_by([each.n, each.m]).aggregate(times=each.count())
        with refusals("count the values of a column"):
            table = engine.to_pyarrow(counted)
        counts = ValueCounts(*(np.asarray(table.column(one).to_numpy(), np.int64) for one in ("n", "m", "times")))
        shared = within_groups(name, counts)
        if shared is not None:
            found[key] = shared
    return found


def refuse_alike(engine: Engine, rows: Table, shared: Mapping[str, SharedColumn]) -> tuple[str, ...]:
    """Why rows may belong together by columns whose values lie within one group each, a sentence a column.

    Raises TableError where rows that share a value are more alike than chance explains: some thousand of them are
    read, those of the first values in the order of their text, whatever their losses.
    """
    alike = []
    for key, one in shared.items():
        known = rows.filter(rows.label.notnull() & is_finite(rows.loss) & rows[key].notnull())
        counts = known.group_by(value=known[key]).aggregate(n=known.count())
        first = counts.filter(counts.n > 1).order_by(counts.value).limit(MOST_ROWS).select("value")
        chosen = known.semi_join(first, known[key] == first.value)
        with refusals("read some rows"):
            held = engine.to_pyarrow(chosen.select("loss", "label", value=chosen[key]).limit(_MOST_LOOKED_AT))
        held = held.sort_by([(name, "ascending") for name in ("value", "label", "loss")])
        losses, label = _losses(held), _codes(held, "label")
        one_model = np.zeros(len(losses), np.int64)
        alike += judged([(one, _codes(held, "value"))], losses, label == label.max(), one_model, len(shared))
    refuse_shared(alike)
    return tuple(one.doubt for one in shared.values())


def _losses(held: pa.Table) -> Floats:
    return np.asarray(held.column("loss").fill_null(np.nan).to_numpy(), dtype=float)


def _codes(held: pa.Table, name: str) -> NDArray[np.int64]:
    """The cells of a column as codes, -1 for a blank one."""
    encoded = held.column(name).combine_chunks().dictionary_encode()
    return np.asarray(encoded.indices.fill_null(NO_LABEL).to_numpy(zero_copy_only=False), np.int64)


def one_of_each(
    engine: Engine, rows: Table, column: str, drop: bool, shared: Mapping[str, SharedColumn]
) -> tuple[Table, str, tuple[str, ...]]:
    """One row of each person, drawn without a look at the losses, that in words, and what is doubtful of those rows.

    Args:
        engine: that holds the rows.
        rows: with columns loss, label and person.
        column: the name of the persons' column.
        drop: leave out rows without a usable loss, a label or a person, instead of stopping there.
        shared: columns whose values lie within one group each.

    Raises:
        TableError: rows are too many, cannot be used, a person is in both groups, or rows of different persons are
            alike by one of the columns ``shared``.
    """
    total = _asked(engine, rows.aggregate(n=rows.count()))["n"]
    if total > MOST_DRAWN_FROM:
        what = f"The table has {total:,} rows; one of each person is drawn from at most {MOST_DRAWN_FROM:,}."
        raise TableError(what, "Draw one row of each person in the engine, at random, and audit those.")
    with refusals("read the rows"):
        # In an order of its own, whatever the engine's is: which row is drawn is left to the lots.
        wanted = rows.select("loss", "label", "person", *shared)
        held = engine.to_pyarrow(wanted).sort_by([(name, "ascending") for name in ("person", "label", "loss")])
    losses, whose, group = _losses(held), _codes(held, "person"), _codes(held, "label")
    usable = np.isfinite(losses) & (whose >= 0) & (group >= 0)
    if not usable.all() and not drop:
        count = int(np.count_nonzero(~usable))
        first = int(np.argmin(usable))
        cells = {name: held.column(name)[first].as_py() for name in ("loss", "label", "person")}
        shown = ", ".join(f"{name} {quoted(str(cell))}" for name, cell in cells.items())
        raise TableError(
            f"{count:,} rows cannot be used.", "Mend them, or leave out such rows: --drop.", f"One has {shown}."
        )
    pairs = np.unique(np.stack([whose[usable], group[usable]]), axis=1)
    refuse_in_both(column, pairs.shape[1] - len(np.unique(pairs[0])))
    places = np.flatnonzero(usable)[one_row_each(whose[usable])]
    note = one_row_counts(column, len(places), int(np.count_nonzero(usable)))
    drawn, losses, group = held.take(pa.array(places)), losses[places], group[places]
    found = of_rows({one.name: _codes(drawn, key) for key, one in shared.items()}, losses, group == group.max())
    refuse_shared(found)
    return ibis().memtable(drawn.select(["loss", "label"])), note, tuple(one.doubt for one in found)


def noticed(engine: Engine, rows: Table, bins: LossBins) -> tuple[dict[str, Copies], str, tuple[str, ...]]:
    """What losses alone show of copies: by group what is left of those looked at; that and doubts in words.

    Args:
        engine: that holds the rows.
        rows: with columns loss and member.
        bins: of their losses; of many, those around the middle are looked at.
    """
    counts = bins.train + bins.population
    upper = np.cumsum(counts)
    inside = np.abs(upper - 0.5 * counts - 0.5 * upper[-1]) <= 0.5 * _MOST_LOOKED_AT
    places = np.flatnonzero(inside)
    if not len(places) or counts[inside].sum() > 2.0 * _MOST_LOOKED_AT:  # too many fall together
        return {}, "", ()
    run = LossRange(float(bins.lowest[places[0]]), float(bins.highest[places[-1]]))
    look = bins.among(inside)
    if not look.settled.all():
        look = passes.single_losses(engine, rows, [run])
    groups = {
        name: np.repeat(look.lowest, counts.astype(int))
        for name, counts in (("training data", look.train), ("fresh data", look.population))
    }
    copies = {name: without_copies(losses) for name, losses in groups.items()}
    train, fresh = copies.values()
    common = equal_in_both(train.losses, fresh.losses)
    found = {name: one for name, one in copies.items() if len(one.losses) < len(groups[name])}
    told = " ".join(copies_words(name, len(groups[name]), one) for name, one in found.items())
    return found, told, (in_both_words(common, " or more"),) if common else ()


def counted_once(rows: Table, times: Mapping[str, int]) -> Table:
    """Rows (loss, label), of ``times`` equal ones with a label one; 1 leaves one of all that are equal."""
    place = ibis().row_number().over(ibis().window(group_by=["loss", "label"], order_by="loss"))
    numbered = rows.select("loss", "label", place=place)
    kept = ibis().literal(value=True)
    for label, count in times.items():
        kept &= (numbered.label != label) | (numbered.place % count == 0 if count > 1 else numbered.place == 0)
    return numbered.filter(kept).select("loss", "label")


def _asked(engine: Engine, expression: Table) -> dict[str, int]:
    with refusals("count the rows"):
        (row,) = engine.to_pyarrow(expression).to_pylist()
    return {name: int(count) for name, count in row.items()}
