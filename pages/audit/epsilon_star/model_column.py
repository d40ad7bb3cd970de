"""Several models in one file, with a column that tells them."""

import streamlit as st

from losses import LossTable, Membership, TableError, by_column
from losses.classes import as_labels
from losses.dependence import names_models
from losses.errors import quoted
from losses.groups import check_two_groups
from losses.instances import natural
from pages.audit.epsilon_star import row_groups
from pages.audit.epsilon_star.source import (
    Models,
    Source,
    all_confirmed,
    looked_at,
    loss_column,
    membership,
    read_columns,
)
from pages.ui import upload_places, uploads
from pages.ui.upload_look import nothing
from pages.ui.upload_preview import UNKNOWN, Preview
from pages.ui.upload_snippet import corrections, opened, python

WAY = "a column of one file"
SAID = (
    "Every model gets a row, and the smallest, mean and largest ε\\* are shown. Every model needs losses on its own "
    "training data and on fresh data."
)
_IN_ONE = "A file with a model, a loss and a membership in every row"


def draw() -> Source | None:
    """Draw the upload and choices; the model to look at, or None.

    Raises TableError where the file lacks a column.
    """
    preview = upload_places.of_file("models_column", _IN_ONE, check=check_two_groups)
    if preview is None:
        st.caption(SAID)
        return None
    (table,) = preview.tables
    loss = loss_column(preview, [column.name for column in table.numbers])
    found = membership(preview, table)
    instance = _instance(preview, table, {loss, found.column if found else ""})
    taken = (loss, found.column if found else "", instance or "")
    person = row_groups.persons(preview, taken)
    drop = preview.leave_out(*read_columns(table, loss, found))
    if found is None or instance is None or person == UNKNOWN:
        is_told = found is not None and instance is not None
        preview.confirmed(nothing, row_groups.OPEN if is_told else "Say which columns tell the models and the members.")
        return None
    return of_column(preview, (instance, loss), found, drop, person)


def of_column(
    preview: Preview, named: tuple[str, str], found: Membership, drop: bool, person: str | None
) -> Source | None:
    """The model to look at, by the columns of models and losses, by who is a member, and by whose each row is."""
    ((slot, upload),) = preview.files.items()
    columns = (*named, found.column, found.member)
    names = uploads.made(slot, "names", (upload.key, columns[0]), lambda: _names(upload.table, columns[0]))
    every = Models(
        (WAY, upload.key, *columns, str(drop), str(person)),
        names,
        lambda: by_column(upload.table, *columns, drop, person),
        (upload.file,),
    )
    if not all_confirmed(preview, every):
        return None
    chosen = ", ".join([opened("read_table", upload), *map(repr, columns), f"drop={drop}"])
    arguments = chosen + row_groups.python(person)
    imports = ("by_column", "read_table", *corrections(upload))

    def code(name: str) -> str:
        return python(imports, f"groups = dict(by_column({arguments}))[{name!r}]")

    return looked_at(every, lambda name: dict(every.read())[name], code, lambda _: found)


def _instance(preview: Preview, table: LossTable, taken: set[str]) -> str | None:
    """Draw the choice of the column that tells the models; None until it is made."""
    readable = {column.name for column in table.numbers} | {column.name for column in table.labels}
    readable = (readable | {column.name for column in table.clusters}) - taken
    names = [name for name in table.layout.names if name in readable]
    names.sort(key=lambda name: not names_models(name))
    if not names:
        raise TableError("No column is left that could tell the models.", "Add one with a number for every model.")
    clear = names_models(names[0])
    chosen = preview.column("Models", "instance", names if clear else [UNKNOWN, *names], "its name says so")
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
