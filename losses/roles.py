"""Roles of columns: what each column of a long table tells of its rows, and the rows read by them.

A table has a value in every row, and columns that say who was in, of which model (or epoch, or fold) the value is,
whose the row is, to which slice of the people it belongs, and which record it is. Every layout is read so.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from losses.classes import joint_labels, labels_of
from losses.copies import (
    Copies,
    codes_of_rows,
    copies_words,
    equal_rows_words,
    first_of_each,
    one_row_counts,
    refuse_in_both,
    without_copies,
)
from losses.errors import TableError, quoted
from losses.names import natural
from losses.table import NO_LABEL, ROW, AnyColumn, LabelColumn, LossTable
from numerics.audits import Scores, divided
from numerics.audits.several import one_row_each
from numerics.trade_off import Floats

_RECODE = "Mark members with one label and outsiders with another, or leave the other rows out."


@dataclass(frozen=True)
class ColumnRoles:
    """What columns of a long table were taken for, by their names.

    Attributes:
        value: losses or scores.
        group: tells who was in.
        member: its label for "in".
        person: whose a row is, where a person has several.
        models: of which model, epoch or fold a row is; several columns are read together.
        slice: to which class or subgroup it belongs.
        record: which record it is, where several models have it.
    """

    value: str
    group: str
    member: str
    person: str | None = None
    models: tuple[str, ...] = ()
    slice: str | None = None
    record: str | None = None


@dataclass(frozen=True, eq=False)
class LongRows:
    """Values of a long table that count as independent within their model, large ones speaking for "in".

    Attributes:
        values: (n,).
        is_in: (n,).
        models: of which model each is; None of one model.
        slices: to which slice each belongs; None where nobody chose slices.
        records: which record each is, as codes, -1 for none; None where nobody chose records.
        dropped: rows that cannot be used and were left out.
        columns: the other columns of the same rows, by name.
        rows: (n,) which of the table's each is, from 0.
        record_column: that of ``records``; None where nobody chose records.
        notes: what was done about rows that belong together, a sentence each.
    """

    values: Floats
    is_in: NDArray[np.bool_]
    models: LabelColumn | None
    slices: LabelColumn | None
    records: NDArray[np.signedinteger] | None
    dropped: int
    columns: dict[str, AnyColumn]
    rows: NDArray[np.intp]
    record_column: str | None = None
    notes: tuple[str, ...] = ()

    def of(self, chosen: NDArray[np.bool_] | NDArray[np.intp]) -> "LongRows":
        """Some of the rows."""
        models, slices = (None if one is None else one.at(chosen) for one in (self.models, self.slices))
        return replace(
            self,
            values=self.values[chosen],
            is_in=self.is_in[chosen],
            models=models,
            slices=slices,
            records=None if self.records is None else self.records[chosen],
            columns={name: column.at(chosen) for name, column in self.columns.items()},
            rows=self.rows[chosen],
        )

    def of_model(self, name: str) -> "LongRows":
        """The rows of one model."""
        if self.models is None:
            return self
        return self.of(self.models.codes == self.models.labels.index(name))

    def row_at(self, place: int) -> str:
        """Which row of the file one of the rows is: where models' columns were stacked, that which they share."""
        own = self.columns.get(ROW)
        return f"{self.rows[place] + 1:,}" if own is None else own.cell(place)

    def record_at(self, place: int) -> str:
        """What the file calls the record of one of the rows."""
        assert self.record_column is not None
        return self.columns[self.record_column].cell(place)

    @property
    def scores(self) -> Scores:
        """The scores without the record, and with it."""
        return Scores(self.values[~self.is_in], self.values[self.is_in])

    def scores_by(self, column: LabelColumn) -> tuple[Scores, ...]:
        """The scores of the rows with each of the labels."""
        known = column.codes != NO_LABEL
        groups = ~self.is_in & known, self.is_in & known
        without, with_it = (column.codes[group].astype(np.int64) for group in groups)
        scores = Scores(*(self.values[group] for group in groups))
        return divided(scores, without, with_it, len(column.labels))


def rows_of(
    table: LossTable, roles: ColumnRoles, drop: bool = False, negate: bool = False, what: str = "values"
) -> LongRows:
    """The rows of a long table, read by the roles of its columns; of each person one in each model, drawn by lot.

    Args:
        table: a long table, as files are read or as ``losses.long_form`` makes it.
        roles: of its columns.
        drop: leave out rows without a usable value, label, model or person, instead of stopping there.
        negate: small values speak for "in", as losses do: their signs are turned.
        what: what the values are called in notes.

    Raises:
        TableError: the group has more or fewer than two labels, rows cannot be used, or a person is in both groups.
    """
    scores, labels = table.number(roles.value), table.label(roles.group)
    check_two_labels(labels, roles.member)
    is_usable = scores.usable(drop) & labels.usable(drop)
    for name in filter(None, (*roles.models, roles.person)):
        is_usable &= table.column(name).usable(drop)
    values, is_in = scores.values, labels.codes == labels.labels.index(roles.member)
    taken = roles.value, roles.group
    kept = {one.name: table.column(one.name) for one in table.columns if one.name not in taken}
    dropped = int(np.count_nonzero(~is_usable))
    if dropped:
        values, is_in = values[is_usable], is_in[is_usable]
        kept = {name: column.at(is_usable) for name, column in kept.items()}
    rows = LongRows(
        -values if negate else values,
        is_in,
        in_natural_order(joint_labels([labels_of(kept[name]) for name in roles.models])) if roles.models else None,
        None if roles.slice is None else in_natural_order(labels_of(kept[roles.slice])),
        None if roles.record is None else kept[roles.record].codes,
        dropped,
        kept,
        np.flatnonzero(is_usable),
        roles.record,
    )
    return rows if roles.person is None else _one_of_each(rows, kept[roles.person], what)


def check_two_labels(column: LabelColumn, member: str) -> None:
    """Raise TableError for a column that has other than two labels, or has not the one for members."""
    counts = column.counts
    if len(counts) == 1:
        raise TableError(
            f"One group is missing: the column {quoted(column.name)} says {quoted(next(iter(counts)))} in every row.",
            "Add the losses of the other group, or upload each group as a file of its own.",
        )
    if len(counts) != 2:
        common = sorted(counts, key=lambda label: -counts[label])[:5]
        shown = ", ".join(f"{quoted(label)} {counts[label]:,} times" for label in common)
        more = f" and {len(counts) - len(common):,} more" if len(counts) > len(common) else ""
        raise TableError(
            f"The column {quoted(column.name)} has {len(counts):,} different labels; two are needed.",
            _RECODE,
            f"They are {shown}{more}." if counts else "",
        )
    if member not in counts:
        raise TableError(f"The column {quoted(column.name)} has no label {quoted(member)}.", _RECODE)


def in_natural_order(column: LabelColumn) -> LabelColumn:
    """The same cells with the labels sorted, numbers by their size."""
    order = sorted(range(len(column.labels)), key=lambda place: natural(column.labels[place]))
    place = np.full(len(order) + 1, NO_LABEL, np.int16)
    place[order] = np.arange(len(order))
    return LabelColumn(column.name, place[column.codes], tuple(column.labels[one] for one in order))


def _one_of_each(rows: LongRows, persons: AnyColumn, what: str) -> LongRows:
    """One row of each person in each model, drawn without a look at the values."""
    whose = persons.codes.astype(np.int64)
    codes = np.zeros(len(whose), np.int64) if rows.models is None else rows.models.codes.astype(np.int64)
    of_model = whose * (codes.max(initial=0) + 1) + codes
    refuse_in_both(persons.name, len(np.intersect1d(of_model[rows.is_in], of_model[~rows.is_in])))
    order = np.lexsort((rows.is_in, codes))
    starts = np.flatnonzero(np.diff(codes[order] * 2 + rows.is_in[order], prepend=-1))
    parts = np.split(order, starts[1:])
    chosen = np.sort(np.concatenate([part[one_row_each(whose[part])] for part in parts]))
    of = "" if rows.models is None else "; in each model"
    note = one_row_counts(persons.name, len(chosen), len(whose), what, of)
    return replace(rows.of(chosen), notes=(*rows.notes, note))


def copied_rows(rows: LongRows) -> tuple[str, ...]:
    """Why rows of a group (of a model) may be copies, a sentence each: values are equal more often than by rounding."""
    found = list[str]()
    for name, whole, part, copies in _copies(rows):
        found += filter(None, [equal_rows_words(name, whole, whole - len(part))])
        if len(copies.losses) < len(part):
            found.append(copies_words(name, len(part), copies).replace("losses", "values"))
    return tuple(found)


def rows_counted_once(rows: LongRows) -> LongRows:
    """The rows where somebody said that equal values beyond what rounding explains are copies: each counts once."""
    kept = []
    for _, _, group, copies in _copies(rows):
        part = group[np.argsort(rows.values[group], kind="stable")]
        different, starts, counts = np.unique(rows.values[part], return_index=True, return_counts=True)
        wanted = {value: int(count) for value, count in zip(*np.unique(copies.losses, return_counts=True), strict=True)}
        most = np.array([wanted[value] for value in different.tolist()])
        place = np.arange(len(part)) - np.repeat(starts, counts)
        kept.append(part[place < np.repeat(most, counts)])
    found = rows.of(np.sort(np.concatenate(kept)))
    left = len(rows.values) - len(found.values)
    note = f"{left:,} of {len(rows.values):,} rows are copies, as was said: each row counts once."
    return replace(found, notes=(*rows.notes, note))


def _copies(rows: LongRows) -> Iterator[tuple[str, int, NDArray[np.intp], Copies]]:
    """Of each group of each model: its name and size, its rows, and what are no copies among them.

    The rows are those without equal ones, where these may be copies.
    """
    models = np.zeros(len(rows.values), np.int8) if rows.models is None else rows.models.codes
    others = codes_of_rows(rows.columns.values())
    for model in np.flatnonzero(np.bincount(models)):
        for name, group in (("members", rows.is_in), ("outsiders", ~rows.is_in)):
            part = np.flatnonzero(group & (models == model))
            first = first_of_each(rows.values[part], None if others is None else others[part])
            left = part if first is None else part[first]
            yield name, len(part), left, without_copies(np.sort(rows.values[left]))


@dataclass(frozen=True, eq=False)
class ByRecord:
    """The scores of records under several models.

    Attributes:
        places: (r,) one of the rows of each record.
        scores: (r, k), large ones speaking for "in".
        is_in: (r, k), whether the model was trained on the record.
        skipped: records that some model has no score of.
    """

    places: NDArray[np.intp]
    scores: Floats
    is_in: NDArray[np.bool_]
    skipped: int


def by_record(rows: LongRows) -> ByRecord:
    """The scores of each record under every model.

    Raises TableError where nobody said which record a row is, or a record has two rows in one model.
    """
    if rows.records is None or rows.models is None:
        raise TableError("Which record a row is was not said.", "Choose the column that names the records.")
    known = rows.records != NO_LABEL
    models = len(rows.models.labels)
    different, first, record = np.unique(rows.records[known], return_index=True, return_inverse=True)
    cell = record.astype(np.int64) * models + rows.models.codes[known]
    counts = np.bincount(cell, minlength=len(different) * models).reshape(len(different), models)
    if counts.max(initial=0) > 1:
        twice = int(np.count_nonzero((counts > 1).any(axis=1)))
        raise TableError(
            f"{twice:,} records have several rows in one model.", "Choose a column that names each of its records once."
        )
    scores, is_in = np.full(counts.size, np.nan), np.zeros(counts.size, bool)
    scores[cell], is_in[cell] = rows.values[known], rows.is_in[known]
    whole = (counts == 1).all(axis=1)
    shape = counts.shape
    return ByRecord(
        np.flatnonzero(known)[first[whole]],
        scores.reshape(shape)[whole],
        is_in.reshape(shape)[whole],
        int(np.count_nonzero(~whole)),
    )
