"""Files with a score and a label in every row, read as the page reads them; what is not clear is refused."""

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from losses import row_questions
from losses.dependence import refuse_pooled
from losses.errors import TableError, listed, quoted
from losses.isolation import client
from losses.long_form import LongForm, long_form
from losses.membership import Membership, training_label
from losses.roles import ColumnRoles, LongRows, copied_rows, rows_counted_once, rows_of
from losses.scores import read_scores, small_means_in
from losses.shared_columns import of_long_rows, unseen
from losses.table import LossTable
from losses.warehouse.belonging import refuse_shared
from reports import python_code
from reports.audit_report import Data, notes_on_scores
from reports.command import identity
from reports.command.kinds import SCORES

Say = Callable[[str], object]


@dataclass(frozen=True, eq=False)
class Read:
    """A file's rows, and what was done to read them; its Python makes ``values`` and ``is_in``."""

    rows: LongRows
    data: Data


def read(chosen: argparse.Namespace, source: str, progress: Say) -> Read:
    """The rows of a file, of the model that was chosen if one was; raises TableError."""
    path = Path(source)
    table = client.read(read_scores, path.read_bytes())
    said = []
    if why := row_questions.curves(table):
        if chosen.rows != "people":
            raise TableError(why, f"{row_questions.NO_PEOPLE[1]} Or say that each row is a person's: --rows people.")
        said.append(f"{why} Each row is {row_questions.PEOPLE}, as was said.")
    form = _form(table, path.name, chosen)
    name = form.value or _score(table, chosen.loss)
    membership = _membership(form, chosen)
    models = () if chosen.model_column is None else (chosen.model_column,)
    roles = ColumnRoles(name, membership.column, membership.member, chosen.cluster, models, chosen.slice)
    _check(form.table, roles, chosen.independent)
    negate = small_means_in(name) if chosen.suspect is None else chosen.suspect == "small"
    rows = rows_of(form.table, roles, chosen.drop, negate)
    if chosen.evidence == SCORES:
        rows = _counted(rows, chosen.rows)
        shared = of_long_rows(rows, roles, chosen.independent)
        refuse_shared(shared)
        said += [f"Mind: {doubt}" for doubt in (*(one.doubt for one in shared), *unseen(form.table.unread))]
    notes = [*filter(None, [form.words]), *said, *notes_on_scores(membership, negate, rows.dropped), *rows.notes]
    if len(table.numbers) > 1 and not form.words:
        notes.insert(0, f"Scores are in column {quoted(name)}.")
    notes += [f"Rows that share {quoted(one)} count as independent, as was said." for one in chosen.independent]
    python = python_code.rows(form.python, form.imports, roles, f"drop={chosen.drop}, negate={negate}")
    if chosen.model is not None:
        rows = _of_model(rows, chosen.model)
        notes.append(f"Rows with {quoted(chosen.model)} in {quoted(chosen.model_column)}.")
        python += f"\nrows = rows.of_model({chosen.model!r})\nvalues, is_in = rows.values, rows.is_in"
    return Read(rows, Data(path.name, identity.of_files([source], progress), python, tuple(notes)))


def _form(table: LossTable, name: str, chosen: argparse.Namespace) -> LongForm:
    """The long form, unless somebody named the columns that hold the scores and the labels."""
    read = python_code.opened("read_scores", name), ("read_scores",)
    return long_form(table, *read) if chosen.loss is None else LongForm(table, *read)


def _score(table: LossTable, said: str | None) -> str:
    """The column of scores: that which was named, the only one, or the only one that is called so."""
    names = [column.name for column in table.numbers]
    if said is not None and said not in names:
        raise TableError(f"There is no column of numbers {quoted(said)}.", f"There are {listed(names, 20)}.")
    found = said or row_questions.clear_scores(names)
    if found is None:
        raise row_questions.refuse_several(names, "score")
    return found


def _membership(form: LongForm, chosen: argparse.Namespace) -> Membership:
    if form.membership is not None and chosen.membership is None:
        return form.membership
    names = [column.name for column in form.table.labels]
    if chosen.membership is not None and chosen.membership not in names:
        what = f"There is no column of labels {quoted(chosen.membership)}."
        raise TableError(what, f"There are {listed(names, 20)}." if names else "The file has none.")
    column = chosen.membership or (names[0] if names else "")
    if not column:
        raise TableError("There is no column that says what was in.", "Name it with --membership.")
    labels = list(form.table.label(column).labels)
    if chosen.member is not None and chosen.member not in labels:
        raise TableError(f"No row has the label {quoted(chosen.member)}.", f"The labels are {listed(labels)}.")
    found = training_label(column, labels, chosen.member)
    if found is None:
        raise TableError(f"It is not clear which label of {quoted(column)} means in.", "Say it with --member.")
    return found


def _check(table: LossTable, roles: ColumnRoles, independent: Sequence[str]) -> None:
    """Raise TableError for a column that is not there, and for rows that belong together of which nothing was said."""
    names = [column.name for column in table.columns]
    said = [*roles.models, *independent, *([] if roles.person is None else [roles.person])]
    for name in (*said, *([] if roles.slice is None else [roles.slice])):
        if name not in names:
            raise TableError(f"There is no column {quoted(name)}.", f"There are {listed(names, 20)}.")
    refuse_pooled(table, {roles.value, roles.group, *said})


def _counted(rows: LongRows, said: str | None) -> LongRows:
    """The rows, copies once where it was said that equal ones are copies; raises TableError until it is said."""
    copied = " ".join(copied_rows(rows)[:2])
    if copied and said is None:
        raise TableError(copied, f"Say what such rows are: {row_questions.ROWS}")
    if copied and said == "people":
        return replace(rows, notes=(*rows.notes, f"{copied} Each row is {row_questions.PEOPLE}, as was said."))
    return rows_counted_once(rows) if copied else rows


def _of_model(rows: LongRows, name: str) -> LongRows:
    told = rows.models
    assert told is not None
    if name not in told.labels:
        there = listed(list(told.labels), 20)
        raise TableError(f"Column {quoted(told.name)} has no {quoted(name)}.", f"There are {there}.")
    return rows.of_model(name)
