"""Several models of one mechanism: a file each, a pair of files each, or one file with a column that tells them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from hashlib import sha256
from typing import NamedTuple

import streamlit as st

from losses import (
    Instance,
    LossTable,
    Membership,
    TableError,
    by_file,
    by_name,
    read_table,
    training_label,
)
from losses.errors import quoted
from losses.instances import natural, pairs, stem
from pages.audit.epsilon_star import model_column, row_groups
from pages.audit.epsilon_star.source import UNKNOWN, Models, Source, looked_at
from pages.ui import file_layout, multiple_uploads, upload_choices, uploads
from pages.ui.segmented_control import segmented_control
from pages.ui.upload_reading import Upload
from pages.ui.upload_snippet import corrections, opened, python

KEYS = ("models_in",)


class Way(StrEnum):
    """How the models come; the values are the labels, and the values in the URL."""

    FILES = "a file each"
    PAIRS = "a pair of files each"
    COLUMN = model_column.WAY


def draw_way() -> Way:
    """Draw how the models come."""
    return segmented_control("Models are", list(Way), default=Way.FILES, key=KEYS[0])


def draw(way: Way) -> Source | None:
    """Draw uploads and choices; the model to look at, with all of them as its ``models``, or None."""
    try:
        if way is Way.COLUMN:
            return model_column.draw()
        return _a_file_each() if way is Way.FILES else _a_pair_each()
    except TableError as problem:
        uploads.complain(problem)
        return None


_LABELS = {
    Way.FILES: "A file for every model, with a loss and a membership in every row",
    Way.PAIRS: "Two files for every model, such as train_1.csv and population_1.csv",
}


def _files(way: Way) -> dict[str, Upload]:
    """The uploaded files in the order of their names."""
    slot = f"models_{way.name.lower()}"
    place = st.container()
    said = file_layout.draw(slot, multiple_uploads.seen(slot))
    with place:
        files = multiple_uploads.draw(slot, _LABELS[way], read_table, said)
        if not files:
            st.caption(model_column.SAID)
    return {name: files[name] for name in sorted(files, key=natural)}


def _column(label: str, place: str, what: str, columns: Sequence[Sequence[str]], likely: bool = True) -> str:
    """A column that all files have; the first file's order."""
    common = [name for name in columns[0] if all(name in names for names in columns)]
    if not common:
        raise TableError(f"The files have no column in common that could be the {what}.", "Name it alike in all files.")
    return upload_choices.choice(label, place, common if likely else [UNKNOWN, *common])


class _Choices(NamedTuple):
    """What is chosen for all files: columns, the members' label, whether rows may be left out, whose rows are."""

    loss: str
    group: str
    member: str | None
    drop: bool
    person: str | None


def _a_file_each() -> Source | None:
    files = _files(Way.FILES)
    if not files:
        return None
    _refuse_lone_groups(files)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        chosen = _choices(files)
        place = st.container(width="content")
    if chosen is None:
        return None
    loss, group, member, drop, person = chosen

    def read(name: str) -> Instance:
        return by_file({name: _only(files[name].table, loss, group)}, drop, member, person)[0]

    short = {stem(name): name for name in files}
    names = short if len(short) == len(files) else {name: name for name in files}
    with place:
        key = (Way.FILES, *_keys(files), *map(str, chosen))
        every = Models(key, tuple(names), lambda: [read(name) for name in names.values()], _named(files))
        return _one_of(
            every,
            names,
            read,
            lambda name: _python_of_file(files[name], chosen),
            lambda name: training_label(group, files[name].table.label(group).labels, member),
        )


def _choices(files: dict[str, Upload]) -> _Choices | None:
    """Draw the choices, and what is still open; None until it is said."""
    tables, key = [file.table for file in files.values()], "".join(_keys(files))
    numbers = [[one.name for one in table.numbers] for table in tables]
    labels = [[one.name for one in table.labels] for table in tables]
    loss = _column("Losses", _memory("losses", key), "losses", numbers)
    clear = all(table.is_membership_clear for table in tables)
    group = _column("Membership", _memory("membership", key), "membership", labels, clear)
    member = None if group == UNKNOWN else _member(tables, group, _memory("member", key))
    person = row_groups.persons(tables, _memory("person", key), (loss, group))
    is_one = row_groups.are_of_one_model(tables, key, _memory("one", key), (loss, group))
    drop = upload_choices.tick("Leave out unusable rows", "models", _memory("drop", key))
    if person == UNKNOWN or not is_one:
        row_groups.ask()
        return None
    if UNKNOWN in (group, member):
        st.info("Say which column and which label mark the members.", icon=":material/help:")
        return None
    return _Choices(loss, group, member, drop, person)


def _member(tables: Sequence[LossTable], group: str, place: str) -> str | None:
    """Draw the choice of the members' label where neither labels nor the column's name say it; else None."""
    labels = [table.label(group).labels for table in tables]
    open_ones = [words for words in labels if len(words) == 2 and training_label(group, words) is None]
    if not open_ones:
        return None
    return upload_choices.choice("Members are", place, [UNKNOWN, *open_ones[0]])


def _refuse_lone_groups(files: dict[str, Upload]) -> None:
    lone = next((name for name, file in files.items() if not file.table.labels), None)
    if lone is not None:
        raise TableError(
            f"The file {quoted(lone)} has no column that tells members from outsiders.",
            "Add one with two different labels, or choose “a pair of files each”.",
        )


def _python_of_file(file: Upload, chosen: _Choices) -> str:
    found = training_label(chosen.group, file.table.label(chosen.group).labels, chosen.member)
    member = found.member if found else ""
    rest = f"{chosen.loss!r}, {chosen.group!r}, {member!r}, drop={chosen.drop}{row_groups.python(chosen.person)}"
    line = f"groups = split({opened('read_table', file)}, {rest})"
    return python(("read_table", "split", *corrections(file)), line)


def _keys(files: dict[str, Upload]) -> tuple[str, ...]:
    return tuple(part for name, file in files.items() for part in (name, file.key))


def _memory(what: str, key: str) -> str:
    """Where a choice for these very files is remembered."""
    return f"models_{what}_{sha256(key.encode()).hexdigest()[:16]}"


def _named(files: dict[str, Upload]) -> tuple[tuple[str, str], ...]:
    return tuple(file.file for file in files.values())


def _only(table: LossTable, loss: str, group: str | None = None) -> LossTable:
    """The table with the chosen columns and no others."""
    labels = () if group is None else (table.label(group),)
    return replace(table, numbers=(table.number(loss),), labels=labels, is_membership_clear=True)


def _a_pair_each() -> Source | None:
    files = _files(Way.PAIRS)
    if not files:
        return None
    found = pairs(files)
    tables, key = [file.table for file in files.values()], "".join(_keys(files))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        loss = _column(
            "Losses",
            _memory("losses", key),
            "losses",
            [[one.name for one in file.table.numbers] for file in files.values()],
        )
        person = row_groups.persons(tables, _memory("person", key), (loss,))
        is_one = row_groups.are_of_one_model(tables, key, _memory("one", key), (loss,))
        drop = upload_choices.tick("Leave out unusable rows", "models", _memory("drop", key))
        place = st.container(width="content")
    if person == UNKNOWN or not is_one:
        row_groups.ask()
        return None

    def read(name: str) -> Instance:
        return by_name({file: _only(files[file].table, loss) for file in found[name]}, drop, person)[0]

    names = {name: name for name in sorted(found, key=natural)}
    with place:
        choices = (Way.PAIRS, *_keys(files), loss, str(drop), str(person))
        every = Models(choices, tuple(names), lambda: [read(name) for name in names.values()], _named(files))
        return _one_of(
            every, names, read, lambda name: _python_of_pair([files[one] for one in found[name]], loss, drop, person)
        )


def _python_of_pair(pair: Sequence[Upload], loss: str, drop: bool, person: str | None) -> str:
    chosen = f"{loss!r}, drop={drop}{row_groups.python(person)}"
    lines = (f"    one_column({opened('read_table', file)}, {chosen})," for file in pair)
    return python(("join", "one_column", "read_table", *corrections(*pair)), "groups = join(", *lines, ")")


def _one_of(
    every: Models,
    names: Mapping[str, str],
    read: Callable[[str], Instance],
    code: Callable[[str], str],
    found: Callable[[str], Membership | None] = lambda _: None,
) -> Source:
    """Draw the choice of the model to look at; ``names`` are those shown, with those the functions go by."""
    return looked_at(
        every,
        lambda shown: read(names[shown]).groups,
        lambda shown: code(names[shown]),
        lambda shown: found(names[shown]),
    )
