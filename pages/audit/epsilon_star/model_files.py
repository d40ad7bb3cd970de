"""Several models of one mechanism: a file each, a pair of files each, or one file with a column that tells them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial
from typing import NamedTuple

import streamlit as st

from losses import (
    Column,
    ColumnRoles,
    Groups,
    Instance,
    LossTable,
    Membership,
    TableError,
    join,
    one_column,
    split,
    training_label,
)
from losses.dependence import SharedColumn, of_table, of_two_tables
from losses.errors import quoted
from losses.instances import pairs, refusals_of, stem
from losses.names import natural
from losses.training_labels import Why
from pages.audit import row_groups, row_questions
from pages.audit.epsilon_star import one_file
from pages.audit.epsilon_star.source import LossSource, Models, all_confirmed, looked_at, loss_column
from pages.ui import upload_preview, uploads
from pages.ui.controls import segmented_control
from pages.ui.upload_preview import UNKNOWN, Preview, nothing
from pages.ui.uploads import Upload, imports, opened
from reports.python_code import readers

KEYS = ("audit.models_in",)
_TESTED = 5  # of several files, for rows that are alike


class ModelLayout(StrEnum):
    """How the models come; the values are the labels, and the values in the URL."""

    FILES = "a file each"
    PAIRS = "a pair of files each"
    COLUMN = "a column of one file"


def draw_way() -> ModelLayout:
    """Draw how the models come."""
    return segmented_control("Models are", list(ModelLayout), default=ModelLayout.FILES, key=KEYS[0])


def draw(way: ModelLayout) -> LossSource | None:
    """Draw uploads and choices; the model to look at, with all of them as its ``models``, or None."""
    try:
        if way is ModelLayout.COLUMN:
            return one_file.draw("audit.models_column", is_of_several=True)
        return _a_file_each() if way is ModelLayout.FILES else _a_pair_each()
    except TableError as problem:
        uploads.complain(problem)
        return None


_SAID = (
    "Every model gets a row, and the smallest, mean and largest ε\\* are shown. Every model needs losses on its own "
    "training data and on fresh data."
)
_LABELS = {
    ModelLayout.FILES: "A file for every model, with a loss and a membership in every row",
    ModelLayout.PAIRS: "Two files for every model, such as train_1.csv and population_1.csv",
}


def _preview(way: ModelLayout) -> Preview | None:
    """Draw the place for files; those that came, in the order of their names, once their rows are people."""
    preview = upload_preview.of_many(f"audit.models_{way.name.lower()}", _LABELS[way])
    if preview is None:
        st.caption(_SAID)
        return None
    return preview if row_questions.rows_are_people(preview) else None


def _common(what: str, columns: Sequence[Sequence[str]]) -> list[str]:
    """The columns that all files have, in the first one's order."""
    common = [name for name in columns[0] if all(name in names for names in columns)]
    if not common:
        raise TableError(f"The files have no column in common that could be the {what}.", "Name it alike in all files.")
    return common


class _Choices(NamedTuple):
    """What is chosen for all files: columns, the members' label, whether rows may be left out, whose rows are."""

    loss: str
    group: str
    member: str | None
    drop: bool
    person: str | None

    def membership(self, table: LossTable) -> Membership:
        """Which rows of a file are members'; any label where none is for them, which is refused when it is read."""
        labels = table.label(self.group).labels
        found = training_label(self.group, labels, self.member)
        return found or Membership(self.group, next(iter(labels), ""), Why.SAID)


def _a_file_each() -> LossSource | None:
    preview = _preview(ModelLayout.FILES)
    if preview is None:
        return None
    files = preview.files
    _refuse_lone_groups(files)
    chosen = _choices(preview)
    if chosen is None:
        return None

    def read(name: str) -> Groups:
        with refusals_of(name):
            table = files[name].table
            found = chosen.membership(table)
            return split(table, chosen.loss, found.column, found.member, chosen.drop, chosen.person)

    short = {stem(name): name for name in files}
    names = short if len(short) == len(files) else {name: name for name in files}
    key = (ModelLayout.FILES, *_keys(files), *map(str, chosen))
    return _one_of(
        preview,
        key,
        names,
        read,
        lambda name: _python_of_file(files[name], chosen),
        lambda name: chosen.membership(files[name].table),
    )


def _choices(preview: Preview) -> _Choices | None:
    """Draw the choices, and what is still open; None until it is said."""
    tables = preview.tables
    loss = _loss(preview)
    if loss is None:
        return None
    groups = _common("membership", [[one.name for one in table.labels] for table in tables])
    clear = all(table.is_membership_clear for table in tables)
    group = preview.column(
        "Membership", "membership", groups if clear else [UNKNOWN, *groups], "its name or labels say so"
    )
    member = None if group == UNKNOWN else _member(preview, group)

    def shared(whose: str | None) -> list[SharedColumn]:
        if UNKNOWN in (group, member):
            return []
        found = []
        for table in tables[:_TESTED]:
            told = _Choices(loss, group, member, False, whose).membership(table)
            roles = ColumnRoles(loss, told.column, told.member, whose)
            found.append(partial(of_table, table, roles, (), min(len(tables), _TESTED)))
        return row_groups.of_files(preview, str((loss, group, member, whose)), found)

    person, is_said = row_groups.persons(preview, (loss, group), tables, shared)
    is_one = row_groups.are_of_one_model(preview, (loss, group))
    drop = preview.tick("Leave out unusable rows", "drop")
    if UNKNOWN in (group, member) or not is_said or not is_one:
        told = UNKNOWN in (group, member)
        preview.confirmed(
            nothing, "Say which column and which label mark the members." if told else row_groups.question()
        )
        return None
    return _Choices(loss, group, member, drop, person)


def _loss(preview: Preview) -> str | None:
    """Draw the choice of the column with the losses of every file's model; None while something about it is open."""
    tables = preview.tables
    names = _common("losses", [[one.name for one in table.numbers] for table in tables])
    loss = loss_column(preview, names, tables)
    more = f" For all, choose “{ModelLayout.COLUMN}”."
    return loss if row_questions.numbers_are_losses(preview, tables, [loss], more) else None


def _member(preview: Preview, group: str) -> str | None:
    """Draw the choice of the members' label where neither labels nor the column's name say it; else None."""
    labels = [table.label(group).labels for table in preview.tables]
    open_ones = [words for words in labels if len(words) == 2 and training_label(group, words) is None]
    if not open_ones:
        return None
    return preview.choice("Members are", "member", [UNKNOWN, *open_ones[0]])


def _refuse_lone_groups(files: Mapping[str, Upload]) -> None:
    lone = next((name for name, file in files.items() if not file.table.labels), None)
    if lone is not None:
        raise TableError(
            f"The file {quoted(lone)} has no column that tells members from outsiders.",
            "Add one with two different labels, or choose “a pair of files each”.",
        )


def _python_of_file(file: Upload, chosen: _Choices) -> str:
    member = chosen.membership(file.table).member
    rest = f"{chosen.loss!r}, {chosen.group!r}, {member!r}, drop={chosen.drop}{row_groups.python(chosen.person)}"
    line = f"groups = split({opened('read_table', file)}, {rest})"
    return readers(("read_table", "split", *imports(file)), line)


def _keys(files: Mapping[str, Upload]) -> tuple[str, ...]:
    return tuple(part for name, file in files.items() for part in (name, file.key))


def _a_pair_each() -> LossSource | None:
    preview = _preview(ModelLayout.PAIRS)
    if preview is None:
        return None
    files = preview.files
    found = pairs(files)
    loss = _loss(preview)
    if loss is None:
        return None

    def shared(whose: str | None) -> list[SharedColumn]:
        every = [[files[one].table for one in pair] for pair in list(found.values())[:_TESTED]]
        asked = [partial(of_two_tables, pair, (loss, loss), whose, (), (), min(len(found), _TESTED)) for pair in every]
        return row_groups.of_files(preview, str((loss, whose)), asked)

    person, is_said = row_groups.persons(preview, (loss,), preview.tables, shared)
    is_one = row_groups.are_of_one_model(preview, (loss,))
    drop = preview.tick("Leave out unusable rows", "drop")
    if not is_said or not is_one:
        preview.confirmed(nothing, row_groups.question())
        return None

    def column(name: str) -> Column:
        with refusals_of(name):
            return one_column(files[name].table, loss, drop, person)

    def read(name: str) -> Groups:
        train, population = map(column, found[name])
        with refusals_of(name):
            return join(train, population)

    names = {name: name for name in sorted(found, key=natural)}
    key = (ModelLayout.PAIRS, *_keys(files), loss, str(drop), str(person))
    return _one_of(
        preview, key, names, read, lambda name: _python_of_pair([files[one] for one in found[name]], loss, drop, person)
    )


def _python_of_pair(pair: Sequence[Upload], loss: str, drop: bool, person: str | None) -> str:
    chosen = f"{loss!r}, drop={drop}{row_groups.python(person)}"
    lines = (f"    one_column({opened('read_table', file)}, {chosen})," for file in pair)
    return readers(("join", "one_column", "read_table", *imports(*pair)), "groups = join(", *lines, ")")


def _one_of(
    preview: Preview,
    key: tuple[str, ...],
    names: Mapping[str, str],
    read: Callable[[str], Groups],
    code: Callable[[str], str],
    found: Callable[[str], Membership | None] = lambda _: None,
) -> LossSource | None:
    """Draw what the files hold; once that is confirmed, the model to look at.

    ``names`` are those shown, with those the functions go by.
    """

    def every_one() -> list[Instance]:
        return [Instance(shown, read(name)) for shown, name in names.items()]

    files = tuple(file.file for file in preview.files.values())
    confirmed = all_confirmed(preview, Models(key, tuple(names), every_one, files))
    if confirmed is None:
        return None
    every, chosen = confirmed
    looked = looked_at(
        every,
        lambda shown: row_questions.settled(chosen)(read(names[shown])),
        lambda shown: code(names[shown]),
        lambda shown: found(names[shown]),
    )
    return replace(looked, python=looked.python + row_questions.in_python(chosen))
