"""Several models in one file, with a column that tells them."""

import streamlit as st

from losses import LossTable, Membership, TableError, by_column
from losses.classes import as_labels
from losses.dependence import names_models
from losses.errors import quoted
from losses.groups import check_two_groups
from losses.instances import natural
from pages.audit.epsilon_star import row_groups
from pages.audit.epsilon_star.source import UNKNOWN, Models, Source, looked_at, membership
from pages.ui import file_layout, upload_choices, uploads
from pages.ui.upload_reading import Upload
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
    slot = "models_column"
    upload = file_layout.upload(slot, _IN_ONE, check=check_two_groups)
    if upload is None:
        st.caption(SAID)
        return None
    table = upload.table
    with st.container(horizontal=True, vertical_alignment="bottom"):
        loss = upload_choices.column("Losses", slot, "loss", [column.name for column in table.numbers])
        found = membership(table, slot)
        instance = _instance(table, slot, {loss, found.column if found else ""})
        taken = (loss, found.column if found else "", instance or "")
        person = row_groups.persons([table], upload_choices.memory(slot, "person"), taken)
        drop = upload_choices.leave_out(slot)
        place = st.container(width="content")
    if found is None or instance is None:
        st.info("Say which columns tell the models and the members.", icon=":material/help:")
        return None
    if person == UNKNOWN:
        row_groups.ask()
        return None
    with place:
        return of_column(upload, slot, (instance, loss), found, drop, person)


def of_column(
    upload: Upload, slot: str, named: tuple[str, str], found: Membership, drop: bool, person: str | None
) -> Source:
    """The model to look at, by the columns of models and losses, by who is a member, and by whose each row is."""
    columns = (*named, found.column, found.member)
    names = uploads.made(slot, "names", (upload.key, columns[0]), lambda: _names(upload.table, columns[0]))
    every = Models(
        (WAY, upload.key, *columns, str(drop), str(person)),
        names,
        lambda: by_column(upload.table, *columns, drop, person),
        (upload.file,),
    )
    chosen = ", ".join([opened("read_table", upload), *map(repr, columns), f"drop={drop}"])
    arguments = chosen + row_groups.python(person)
    imports = ("by_column", "read_table", *corrections(upload))

    def code(name: str) -> str:
        return python(imports, f"groups = dict(by_column({arguments}))[{name!r}]")

    return looked_at(every, lambda name: dict(every.read())[name], code, lambda _: found)


def _instance(table: LossTable, slot: str, taken: set[str]) -> str | None:
    """Draw the choice of the column that tells the models; None until it is made."""
    readable = {column.name for column in table.numbers} | {column.name for column in table.labels}
    readable = (readable | {column.name for column in table.clusters}) - taken
    names = [name for name in table.layout.names if name in readable]
    names.sort(key=lambda name: not names_models(name))
    if not names:
        raise TableError("No column is left that could tell the models.", "Add one with a number for every model.")
    clear = names_models(names[0])
    chosen = upload_choices.column("Models", slot, "instance", names if clear else [UNKNOWN, *names])
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
