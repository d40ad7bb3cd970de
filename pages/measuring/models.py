"""Several models of one mechanism: a file each, a pair of files each, or one file with a column that tells them."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import partial

import streamlit as st

from losses import (
    Groups,
    Instance,
    LossTable,
    Membership,
    TableError,
    by_column,
    by_file,
    by_name,
    read_table,
    training_label,
)
from losses.classes import as_labels
from losses.errors import quoted
from losses.instances import natural, pairs, stem
from pages.measuring.chosen import UNKNOWN, Models, Source, membership
from pages.shared import corrected, many_uploads, uploads
from pages.shared.one_of import one_of
from pages.shared.opened import corrections, opened, python
from pages.shared.uploads import Upload

KEYS = ("models_in",)
_INSTANCE = re.compile(r"(^|[^a-z])(model|instance|run|seed|trial|shadow|id)([^a-z]|$)", re.IGNORECASE)
_SAID = (
    "Every model gets a row, and the smallest, mean and largest ε\\* are shown. Every model needs losses on its own "
    "training data and on fresh data."
)


class Way(StrEnum):
    """How the models come; the values are the labels, and the values in the URL."""

    FILES = "a file each"
    PAIRS = "a pair of files each"
    COLUMN = "a column of one file"


def draw_way() -> Way:
    """Draw how the models come."""
    return one_of("Models are", list(Way), default=Way.FILES, key=KEYS[0])


def draw(way: Way) -> Source | None:
    """Draw uploads and choices; the model to look at, with all of them as its ``models``, or None."""
    try:
        if way is Way.COLUMN:
            return _one_file()
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
    known = corrected.draw(slot)
    with place:
        files = many_uploads.draw(slot, _LABELS[way], partial(read_table, known=known), known)
        if not files:
            st.caption(_SAID)
    return {name: files[name] for name in sorted(files, key=natural)}


def _column(label: str, what: str, columns: Sequence[Sequence[str]], likely: bool = True) -> str:
    """A column that all files have; the first file's order."""
    common = [name for name in columns[0] if all(name in names for names in columns)]
    if not common:
        raise TableError(f"The files have no column in common that could be the {what}.", "Name it alike in all files.")
    return uploads.choice(label, f"models_{what}", common if likely else [UNKNOWN, *common])


def _a_file_each() -> Source | None:
    files = _files(Way.FILES)
    if not files:
        return None
    _refuse_lone_groups(files)
    tables = [file.table for file in files.values()]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        loss = _column("Losses", "losses", [[one.name for one in table.numbers] for table in tables])
        clear = all(table.is_membership_clear for table in tables)
        group = _column("Membership", "membership", [[one.name for one in table.labels] for table in tables], clear)
        member = None if group == UNKNOWN else _member(tables, group)
        drop = uploads.tick("Leave out unusable rows", "models", "drop")
        place = st.container(width="content")
    if UNKNOWN in (group, member):
        st.info("Say which column and which label mark the members.", icon=":material/help:")
        return None

    def read(name: str) -> Instance:
        return by_file({name: _only(files[name].table, loss, group)}, drop, member)[0]

    short = {stem(name): name for name in files}
    names = short if len(short) == len(files) else {name: name for name in files}
    with place:
        key = (Way.FILES, *_keys(files), loss, group, str(member), str(drop))
        every = Models(key, tuple(names), lambda: [read(name) for name in names.values()], _named(files))
        return _one_of(
            every,
            names,
            read,
            lambda name: _python_of_file(files[name], loss, group, member, drop),
            lambda name: training_label(group, files[name].table.label(group).labels, member),
        )


def _member(tables: Sequence[LossTable], group: str) -> str | None:
    """Draw the choice of the members' label where neither labels nor the column's name say it; else None."""
    labels = [table.label(group).labels for table in tables]
    open_ones = [words for words in labels if len(words) == 2 and training_label(group, words) is None]
    if not open_ones:
        return None
    return uploads.choice("Members are", "models_member", [UNKNOWN, *open_ones[0]])


def _refuse_lone_groups(files: dict[str, Upload]) -> None:
    lone = next((name for name, file in files.items() if not file.table.labels), None)
    if lone is not None:
        raise TableError(
            f"The file {quoted(lone)} has no column that tells members from outsiders.",
            "Add one with two different labels, or choose “a pair of files each”.",
        )


def _python_of_file(file: Upload, loss: str, group: str, member: str | None, drop: bool) -> str:
    found = training_label(group, file.table.label(group).labels, member)
    member = found.member if found else ""
    line = f"groups = split({opened('read_table', file)}, {loss!r}, {group!r}, {member!r}, drop={drop})"
    return python(("read_table", "split", *corrections(file)), line)


def _keys(files: dict[str, Upload]) -> tuple[str, ...]:
    return tuple(part for name, file in files.items() for part in (name, file.key))


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
    with st.container(horizontal=True, vertical_alignment="bottom"):
        loss = _column("Losses", "losses", [[one.name for one in file.table.numbers] for file in files.values()])
        drop = uploads.tick("Leave out unusable rows", "models", "drop")
        place = st.container(width="content")

    def read(name: str) -> Instance:
        return by_name({file: _only(files[file].table, loss) for file in found[name]}, drop)[0]

    names = {name: name for name in sorted(found, key=natural)}
    with place:
        key = (Way.PAIRS, *_keys(files), loss, str(drop))
        every = Models(key, tuple(names), lambda: [read(name) for name in names.values()], _named(files))
        return _one_of(
            every, names, read, lambda name: _python_of_pair([files[one] for one in found[name]], loss, drop)
        )


def _python_of_pair(pair: Sequence[Upload], loss: str, drop: bool) -> str:
    lines = (f"    one_column({opened('read_table', file)}, {loss!r}, drop={drop})," for file in pair)
    return python(("join", "one_column", "read_table", *corrections(*pair)), "groups = join(", *lines, ")")


def _one_of(
    every: Models,
    names: Mapping[str, str],
    read: Callable[[str], Instance],
    code: Callable[[str], str],
    found: Callable[[str], Membership | None] = lambda _: None,
) -> Source:
    """Draw the choice of the model to look at; ``names`` are those shown, with those the functions go by."""
    return _looked_at(
        every,
        lambda shown: read(names[shown]).groups,
        lambda shown: code(names[shown]),
        lambda shown: found(names[shown]),
    )


def _looked_at(
    models: Models,
    groups: Callable[[str], Groups],
    code: Callable[[str], str],
    found: Callable[[str], Membership | None],
) -> Source:
    name = uploads.choice("Look at one", "models_looked_at", models.names)
    words = f"{name}, one of {len(models.names):,} models"
    return Source((*models.key, name), words, lambda: groups(name), code(name), models, models.files, found(name))


_IN_ONE = "A file with a model, a loss and a membership in every row"


def _one_file() -> Source | None:
    slot = "models_column"
    upload = corrected.upload(slot, _IN_ONE)
    if upload is None:
        st.caption(_SAID)
        return None
    table = upload.table
    if not table.labels:
        raise TableError(
            "No column tells members from outsiders.", "Add one with two different labels, such as 1 and 0."
        )
    with st.container(horizontal=True, vertical_alignment="bottom"):
        loss = uploads.column("Losses", slot, "loss", [column.name for column in table.numbers])
        found = membership(table, slot)
        instance = _instance(table, slot, {loss, found.column if found else ""})
        drop = uploads.leave_out(slot)
        place = st.container(width="content")
    if found is None or instance is None:
        st.info("Say which columns tell the models and the members.", icon=":material/help:")
        return None
    with place:
        return _of_column(upload, slot, (instance, loss), found, drop)


def _of_column(upload: Upload, slot: str, named: tuple[str, str], found: Membership, drop: bool) -> Source:
    """The model to look at, by the columns of models and losses, and by who is a member."""
    columns = (*named, found.column, found.member)
    names = uploads.made(slot, "names", (upload.key, columns[0]), lambda: _names(upload.table, columns[0]))
    every = Models(
        (Way.COLUMN, upload.key, *columns, str(drop)),
        names,
        lambda: by_column(upload.table, *columns, drop),
        (upload.file,),
    )
    arguments = ", ".join([opened("read_table", upload), *map(repr, columns), f"drop={drop}"])
    imports = ("by_column", "read_table", *corrections(upload))

    def code(name: str) -> str:
        return python(imports, f"groups = dict(by_column({arguments}))[{name!r}]")

    return _looked_at(every, lambda name: dict(every.read())[name], code, lambda _: found)


def _instance(table: LossTable, slot: str, taken: set[str]) -> str | None:
    """Draw the choice of the column that tells the models; None until it is made."""
    readable = {column.name for column in table.numbers} | {column.name for column in table.labels}
    readable -= taken
    names = [name for name in table.layout.names if name in readable]
    names.sort(key=lambda name: _INSTANCE.search(name) is None)
    if not names:
        raise TableError("No column is left that could tell the models.", "Add one with a number for every model.")
    clear = _INSTANCE.search(names[0]) is not None
    chosen = uploads.column("Models", slot, "instance", names if clear else [UNKNOWN, *names])
    return None if chosen == UNKNOWN else chosen


def _names(table: LossTable, instance: str) -> tuple[str, ...]:
    """The models' names in the order of ``by_column``."""
    words = as_labels(table, instance).labels
    if any(column.name == instance for column in table.labels) and "(others)" in words:
        raise TableError(
            f"The column {quoted(instance)} has too many different words to name models.",
            "Number the models, 1, 2, 3, ...",
        )
    return tuple(sorted(words, key=natural))
