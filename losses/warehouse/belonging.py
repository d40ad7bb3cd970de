"""Rows of an engine's table that belong together: refused until somebody says how, or one of each person is drawn."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from losses.dependence import (
    equal_in_both,
    in_both_words,
    names_clusters,
    names_models,
    one_row_counts,
    refuse_in_both,
    refuse_together,
    without_copies,
)
from losses.errors import TableError, listed, quoted
from losses.instances import natural
from losses.warehouse import passes
from losses.warehouse.engines import Engine, Expression, Table, ibis, refusals
from losses.warehouse.expressions import LossRange, one_where
from numerics.audits.several import one_row_each
from numerics.epsilon_star.loss_bins import LossBins

MOST_DRAWN_FROM = 20_000_000  # rows held in memory at once, some 50 bytes each
_MOST_LOOKED_AT = 200_000
_MOST_NAMED = 20


@dataclass(frozen=True)
class Belonging:
    """What a person said about columns that put rows together.

    Attributes:
        cluster: the column that says whose a row is: one row of each counts.
        model_column, model: the column that tells models, and the one that is audited.
        independent: columns that are called so, but whose rows count as independent.
    """

    cluster: str | None = None
    model_column: str | None = None
    model: str | None = None
    independent: Collection[str] = ()

    @property
    def named(self) -> set[str]:
        """All columns it is about."""
        return {name for name in (self.cluster, self.model_column, *self.independent) if name is not None}


def of_one_model(engine: Engine, table: Table, said: Belonging) -> Table:
    """The rows of the model that was named, or all.

    Raises TableError where a column is not there, no model was named, or none has that name.
    """
    _refuse_missing(table, said.named)
    if said.model_column is None:
        return table
    words = _words(table, said.model_column)
    chosen = None if said.model is None else table.filter(words == said.model)
    if chosen is not None and _asked(engine, chosen.aggregate(n=chosen.count()))["n"]:
        return chosen
    found = engine.to_pyarrow(table.select(model=words).distinct().limit(_MOST_NAMED + 1)).column("model").to_pylist()
    names = listed(sorted(str(name) for name in found if name is not None), _MOST_NAMED)
    column = quoted(said.model_column)
    what = f"Column {column} has no {quoted(said.model)}." if said.model else f"Column {column} tells several models."
    raise TableError(what, "Name the one that is audited: --model VALUE.", f"Among them are {names}.")


def told_by(engine: Engine, tables: Sequence[Table], column: str, most: int, drop: bool) -> tuple[list[str], int]:
    """The different cells of a column, sorted, of which there may be ``most``, and how many rows have a blank one.

    Raises TableError where it is not there, for too many, and for blanks unless such rows may be left out (``drop``).
    """
    names, blanks = set[str](), 0
    for table in tables:
        _refuse_missing(table, [column])
        words = _words(table, column)
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
    return table.filter(_words(table, column) == cell)


def _words(table: Table, column: str) -> Expression:
    return table[column].cast("string").strip().nullif("")


def _refuse_missing(table: Table, columns: Collection[str]) -> None:
    if missing := set(columns) - set(table.columns):
        there = listed(list(table.columns), _MOST_NAMED)
        raise TableError(f"There is no column {quoted(min(missing))}.", f"There are {there}.")


def refuse_dependent(engine: Engine, table: Table, taken: Collection[str], said: Belonging) -> None:
    """Raise TableError where a column says that rows belong together, unless it is ``taken`` or was spoken of."""
    open_ones = [name for name in table.columns if name not in said.named | set(taken)]
    open_ones = [name for name in open_ones if names_clusters(name) or names_models(name)]
    if not open_ones:
        return
    numbered = {f"c{place}": name for place, name in enumerate(open_ones)}
    different = {key: table[name].cast("string").nunique() for key, name in numbered.items()}
    filled = {f"n{key}": table[name].count() for key, name in numbered.items()}
    found = _asked(engine, table.aggregate(**different, **filled))
    together = {name: found[key] for key, name in numbered.items() if 1 < found[key] < found[f"n{key}"]}
    refuse_together(together)


def one_of_each(engine: Engine, rows: Table, column: str, drop: bool) -> tuple[Table, str]:
    """One row of each person, drawn without a look at the losses, and that in words.

    Args:
        engine: that holds the rows.
        rows: with columns loss, label and person.
        column: the name of the persons' column.
        drop: leave out rows without a usable loss, a label or a person, instead of stopping there.

    Raises:
        TableError: rows are too many, cannot be used, or a person is in both groups.
    """
    total = _asked(engine, rows.aggregate(n=rows.count()))["n"]
    if total > MOST_DRAWN_FROM:
        what = f"The table has {total:,} rows; one of each person is drawn from at most {MOST_DRAWN_FROM:,}."
        raise TableError(what, "Draw one row of each person in the engine, at random, and audit those.")
    with refusals("read the rows"):
        # In an order of its own, whatever the engine's is: which row is drawn is left to the lots.
        held = engine.to_pyarrow(rows).sort_by([(name, "ascending") for name in ("person", "label", "loss")])
    losses = np.asarray(held.column("loss").fill_null(np.nan).to_numpy(), dtype=float)
    person, label = (held.column(name).combine_chunks().dictionary_encode() for name in ("person", "label"))
    whose, group = (one.indices.fill_null(-1).to_numpy(zero_copy_only=False) for one in (person, label))
    usable = np.isfinite(losses) & (whose >= 0) & (group >= 0)
    if not usable.all() and not drop:
        count = int(np.count_nonzero(~usable))
        raise TableError(f"{count:,} rows cannot be used.", "Mend them, or leave out such rows: --drop.")
    pairs = np.unique(np.stack([whose[usable], group[usable]]), axis=1)
    refuse_in_both(column, pairs.shape[1] - len(np.unique(pairs[0])))
    places = np.flatnonzero(usable)[one_row_each(whose[usable])]
    note = one_row_counts(column, len(places), int(np.count_nonzero(usable)))
    drawn = held.take(pa.array(places)).select(["loss", "label"])
    return ibis().memtable(drawn), note


def noticed(engine: Engine, rows: Table, bins: LossBins) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What losses alone show of copies, in words: what is to be counted once, and what is doubtful.

    Args:
        engine: that holds the rows.
        rows: with columns loss and member.
        bins: of their losses; of many, those around the middle are looked at.
    """
    run = _middle(bins)
    if run is None:
        return (), ()
    look = passes.single_losses(engine, rows, [run])
    groups = [np.repeat(look.lowest, counts.astype(int)) for counts in (look.train, look.population)]
    copies = [without_copies(losses) for losses in groups]
    notes = [
        f"The losses of the {name} occur {copy.times:,} times each, as a rule, to the last digit: copies, which count "
        "once."
        for name, copy in zip(("training data", "fresh data"), copies, strict=True)
        if copy.times > 1
    ]
    common = equal_in_both(copies[0].losses, copies[1].losses)
    return tuple(notes), (in_both_words(common, " or more"),) if common else ()


def _middle(bins: LossBins) -> LossRange | None:
    """The range of losses that are looked at one by one; None where too many fall together."""
    counts = bins.train + bins.population
    upper = np.cumsum(counts)
    middle = 0.5 * upper[-1]
    inside = np.abs(upper - 0.5 * counts - middle) <= 0.5 * _MOST_LOOKED_AT
    places = np.flatnonzero(inside)
    if not len(places) or counts[inside].sum() > 2.0 * _MOST_LOOKED_AT:
        return None
    return LossRange(float(bins.lowest[places[0]]), float(bins.highest[places[-1]]))


def _asked(engine: Engine, expression: Table) -> dict[str, int]:
    with refusals("count the rows"):
        (row,) = engine.to_pyarrow(expression).to_pylist()
    return {name: int(count) for name, count in row.items()}
