"""Columns by which rows may belong together, whatever they are called: a person's rows lie in one group, and are alike.

A name may say it, and is believed until somebody says otherwise. Values may say it: asked about where rows that share
one have losses more alike than chance explains, and named as a doubt where they have not, for that proves no
independence. The page asks in memory, and so does the command of a small table; of a large one it asks an engine.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from losses.classes import joint_labels, labels_of
from losses.copies import first_of_each, mixed_codes
from losses.errors import TableError, listed, option, quoted
from losses.names import names_clusters, names_models
from losses.roles import ColumnRoles, LongRows
from losses.table import NO_LABEL, DistinctTexts, LossTable
from numerics.audits import are_alike, one_row_each
from numerics.trade_off import Floats

FALSE_ALARMS = 0.001
"""Chance of asking about any column of a table whose columns tell nothing of the losses, all tests together."""
_LOOKED_AT = 1000  # rows, for fractions
_WITHIN = 0.95  # of the values that repeat lie in one group each
_CHANCE = 0.05  # of that by membership alone; of a few repeated numbers it is no sign
_MOST_NAMED = 20
Codes = NDArray[np.signedinteger]


# By their names.


def few_valued(table: LossTable) -> Iterator[tuple[str, int]]:
    """Columns whose rows may belong together by them, with how many different cells each has."""
    counts = {column.name: len(column.labels) for column in table.labels}
    counts |= {column.name: len(column.words) for column in table.clusters}
    for column in table.numbers:
        start = column.values[:_LOOKED_AT]
        if names_models(column.name) or not np.any(start[np.isfinite(start)] % 1.0):
            counts[column.name] = len(np.unique(column.values[np.isfinite(column.values)]))
    yield from ((name, count) for name, count in counts.items() if may_group(name, count, table.rows))


def may_group(name: str, cells: int, rows: int) -> bool:
    """Whether rows may belong together by a column with so many different cells in so many rows.

    A model has two rows or more on average: ``model_a`` with ever new numbers holds the losses of one.
    """
    return 1 < cells < rows and (2 * cells <= rows or not names_models(name))


def refuse_together(counts: Mapping[str, int]) -> None:
    """Raise TableError where one of these columns, with so many different cells, is named as of models or persons."""
    for name, count in counts.items():
        if names_models(name):
            raise TableError(
                f"Column {quoted(name)} tells {count:,} models, or states of one: pooled rows are not one model's.",
                f"Audit all: {option('model', name)}, or one: {option('model', name, 'LABEL')}. Or say that all are "
                f"one's: {option('rows', 'independent', name)}.",
            )
    for name, count in counts.items():
        if names_clusters(name):
            raise TableError(
                f"Column {quoted(name)} has {count:,} different cells: several rows of one person are no independent "
                "evidence.",
                _one_of_each(name),
            )


def _one_of_each(name: str) -> str:
    person, independent = (option("rows", what, name) for what in ("person", "independent"))
    return f"Count one row of each: {person}. Or say that rows are independent: {independent}."


def unseen(names: Sequence[str]) -> tuple[str, ...]:
    """What is to be known of columns that were not looked at: a sentence, or none."""
    return (f"Not looked at for values that rows share: {listed(list(names), _MOST_NAMED)}.",) if names else ()


# By their values.


class ValueCounts(NamedTuple):
    """Of values of a column: how many rows each has, and how many of them are members'; and how many values are so."""

    rows: NDArray[np.int64]
    members: NDArray[np.int64]
    times: NDArray[np.int64]


class SharedColumn(NamedTuple):
    """A column whose values repeat within one group each.

    Attributes:
        name: of the column.
        values: how many of them repeat.
        rows: that have these.
        is_alike: whether rows that share one have losses more alike than chance explains.
    """

    name: str
    values: int
    rows: int
    is_alike: bool = False

    @property
    def _found(self) -> str:
        return (
            f"Column {quoted(self.name)}: {self.values:,} values repeat, each within one group, in {self.rows:,} rows"
        )

    @property
    def question(self) -> str:
        """What is to be asked."""
        return (
            f"{self._found}, and rows that share one are more alike than chance explains: several rows of one person "
            "are no independent evidence."
        )

    @property
    def doubt(self) -> str:
        """What is to be known where nothing was asked."""
        return (
            f"{self._found}. If they name people, their rows are no independent evidence, and the bound is too high; "
            "that rows which share one look no more alike than others proves nothing."
        )


def refuse_shared(found: Sequence[SharedColumn]) -> None:
    """Raise TableError for the first column whose rows are alike, with the options that say what they are."""
    for one in found:
        if one.is_alike:
            raise TableError(one.question, _one_of_each(one.name))


def within_groups(name: str, found: ValueCounts, models: int = 1) -> SharedColumn | None:
    """The column if its repeated values lie within one group each, and no chance explains it; else None.

    A column that has one value in each group (of each of so many ``models``) tells the groups, and nothing else.
    """
    rows, members, times = found
    repeats = rows > 1
    pure = repeats & ((members == 0) | (members == rows))
    total = int(times[repeats].sum())
    tells_groups = int(times[members > 0].sum()) <= models and int(times[members < rows].sum()) <= models
    if not total or tells_groups or int(times[pure].sum()) < _WITHIN * total:
        return None
    share = float((members * times).sum() / (rows * times).sum())
    with np.errstate(divide="ignore"):
        chance = np.logaddexp(rows[pure] * np.log(share), rows[pure] * np.log1p(-share))
    if float((chance * times[pure]).sum()) > np.log(_CHANCE):
        return None
    return SharedColumn(name, total, int((rows * times)[repeats].sum()))


def judged(
    candidates: Sequence[tuple[SharedColumn, Codes]],
    scores: Floats,
    is_in: NDArray[np.bool_],
    strata: NDArray[np.signedinteger],
    tables: int = 1,
) -> list[SharedColumn]:
    """The columns with what the permutation test says of each, at ``FALSE_ALARMS`` over all columns, groups and tables.

    Args:
        candidates: columns, with the codes of their cells, (n,), -1 for a blank one.
        scores: finite ones, (n,).
        is_in: who was in, (n,).
        strata: the model of each row, (n,).
        tables: that are judged together.
    """
    risk = FALSE_ALARMS / max(2 * len(candidates) * tables, 1)

    def is_alike(codes: Codes, group: NDArray[np.bool_]) -> bool:
        rows = np.flatnonzero(group & (codes != NO_LABEL))
        return len(rows) > 0 and are_alike(scores[rows], codes[rows], strata[rows], risk)

    return [
        one._replace(is_alike=any(is_alike(codes, group) for group in (is_in, ~is_in))) for one, codes in candidates
    ]


def of_rows(
    columns: Mapping[str, Codes],
    scores: Floats,
    is_in: NDArray[np.bool_],
    person: Codes | None = None,
    strata: Codes | None = None,
    tables: int = 1,
) -> list[SharedColumn]:
    """Those of the ``columns`` whose values repeat within one group each.

    Args:
        columns: the codes of their cells, (n,), -1 for a blank one, by name.
        scores: of the rows, (n,); those that are not finite are left out.
        is_in: who was in, (n,).
        person: whose a row is: one of each, in each model, is looked at.
        strata: the model of each row.
        tables: that are asked about together.
    """
    if not columns:
        return []
    model = np.zeros(len(scores), np.int64) if strata is None else strata.astype(np.int64)
    models = int(model.max(initial=0)) + 1
    rows = np.flatnonzero(np.isfinite(scores))
    if person is not None:
        rows = rows[person[rows] != NO_LABEL]
        rows = rows[one_row_each(person[rows].astype(np.int64) * models + model[rows])]
    else:  # what equal rows are is another question
        others = mixed_codes(one[rows].astype(np.float64) for one in (is_in, model, *columns.values()))
        different = first_of_each(scores[rows], others)
        rows = rows if different is None else rows[different]
    scores, is_in, model = scores[rows], is_in[rows], model[rows]
    candidates = []
    for name, codes in ((name, codes[rows].astype(np.int64)) for name, codes in columns.items()):
        known = codes != NO_LABEL
        _, place, counts = np.unique(codes[known] * models + model[known], return_inverse=True, return_counts=True)
        members = np.bincount(place, is_in[known], len(counts)).astype(np.int64)
        found = within_groups(name, ValueCounts(counts, members, np.ones(len(counts), np.int64)), models)
        candidates += [] if found is None else [(found, codes)]
    return judged(candidates, scores, is_in, model, tables)


def of_table(table: LossTable, roles: ColumnRoles, taken: Collection[str] = (), tables: int = 1) -> list[SharedColumn]:
    """The shared columns of a table that holds both groups; those ``taken`` mean something else, or were said to."""
    labels = table.label(roles.group)
    scores, usable = table.number(roles.value).values, labels.is_usable
    strata = None
    if roles.models:
        told = joint_labels([labels_of(table.column(name)) for name in roles.models])
        usable, strata = usable & told.is_usable, told.codes
    named = {roles.value, roles.group, roles.person, *roles.models, *taken}
    columns = {one.name: one.codes for one in table.columns if one.name not in named}
    person = None if roles.person is None else table.column(roles.person).codes
    is_in = labels.codes == labels.labels.index(roles.member)
    return of_rows(columns, np.where(usable, scores, np.nan), is_in, person, strata, tables)


def of_long_rows(rows: LongRows, roles: ColumnRoles, taken: Collection[str] = ()) -> list[SharedColumn]:
    """The shared columns of rows that count, one of each person; those ``taken`` mean something else."""
    named = {roles.person, *roles.models, *taken}
    columns = {name: one.codes for name, one in rows.columns.items() if name not in named}
    return of_rows(columns, rows.values, rows.is_in, None, None if rows.models is None else rows.models.codes)


def digests_of(words: DistinctTexts) -> NDArray[np.void]:
    """128 bits that stand for each word: no text of it is made, which would stay where it lay in memory."""
    digests = bytearray().join(blake2b(words.raw(place), digest_size=16).digest() for place in range(len(words)))
    return np.frombuffer(digests, dtype=[("high", "<u8"), ("low", "<u8")])
