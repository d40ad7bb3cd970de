"""How the numbers of an uploaded table stand: in one column, in a column for each group, or in one for each model."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from losses import LossTable, Membership, TableError
from losses.wide import (
    group_columns,
    groups_stacked,
    membership_columns,
    membership_of_groups,
    model_columns,
    models_stacked,
)
from pages.ui import uploads
from pages.ui.upload_look import refusing
from pages.ui.upload_preview import Preview
from pages.ui.upload_reading import Upload
from pages.ui.upload_snippet import corrections, opened


class Layout(StrEnum):
    """How the numbers stand; the values are the labels."""

    LONG = "one column of numbers"
    GROUPS = "a column for each group"
    MODELS = "a column for each model"


@dataclass(frozen=True, eq=False)
class Long:
    """The long form of an uploaded table.

    Attributes:
        table: with a number in each row.
        value: its column of numbers, where the layout says it.
        membership: which of its rows are in, where the layout says it.
        python: the expression that makes the table.
        imports: what that needs from ``losses``.
    """

    table: LossTable
    value: str | None
    membership: Membership | None
    python: str
    imports: tuple[str, ...]


def draw(preview: Preview, reader: str, groups: tuple[str, str]) -> Long | None:
    """Draw the choice of the layout and its columns; None where these make no long table.

    Args:
        preview: of one file.
        reader: the function of ``losses`` that read it.
        groups: what the two groups are called.
    """
    ((slot, upload),) = preview.files.items()
    table = upload.table
    ways, why = _ways(table)
    way = ways[0] if ways == [Layout.LONG] else preview.choice("Layout", "layout", ways, why)
    read = opened(reader, upload), (reader, *corrections(upload))
    if way == Layout.LONG:
        return Long(table, None, None, *read)
    names = [column.name for column in table.numbers]
    try:
        if way == Layout.GROUPS:
            return _groups(preview, names, groups, (slot, upload), read)
        return _models(preview, names, (slot, upload), read)
    except TableError as problem:
        preview.confirmed(refusing(problem))
        return None


def _ways(table: LossTable) -> tuple[list[Layout], str]:
    """The layouts that a table may have, the likeliest first, and why it is."""
    if len(table.numbers) < 2:
        return [Layout.LONG], ""
    pairs, models = len(group_columns(table)[0]), len(model_columns(table))
    if not any(len(column.labels) == 2 for column in table.labels):
        return [Layout.GROUPS], "columns are named so, and none tells groups"
    if pairs and not table.is_membership_clear:
        return [Layout.GROUPS, Layout.LONG, Layout.MODELS], "columns are named so"
    if models and not pairs:
        return [Layout.MODELS, Layout.LONG, Layout.GROUPS], f"{models:,} columns are named alike"
    why = "a column tells the groups" if pairs else "no columns are named alike"
    return [Layout.LONG, Layout.GROUPS, Layout.MODELS], why


def _groups(
    preview: Preview,
    names: Sequence[str],
    groups: tuple[str, str],
    file: tuple[str, Upload],
    read: tuple[str, tuple[str, ...]],
) -> Long:
    usual = group_columns(file[1].table)
    chosen = [
        preview.columns(f"Columns of {words}", f"columns{place}", names, usual[place])
        for place, words in enumerate(groups)
    ]
    members, outsiders = chosen
    make = partial(groups_stacked, file[1].table, members, outsiders)
    long = _made(file, (Layout.GROUPS, *members, "|", *outsiders), make)
    python = f"groups_stacked({read[0]}, {members!r}, {outsiders!r})"
    told = membership_of_groups(members, outsiders)
    return Long(long, long.numbers[0].name, told, python, ("groups_stacked", *read[1]))


def _models(
    preview: Preview, names: Sequence[str], file: tuple[str, Upload], read: tuple[str, tuple[str, ...]]
) -> Long:
    table = file[1].table
    columns = preview.columns("Columns of models", "columns", names, model_columns(table))
    memberships = membership_columns(table, columns) if len(columns) > 1 else ()
    make = partial(models_stacked, table, columns, memberships)
    long = _made(file, (Layout.MODELS, *columns, "|", *memberships), make)
    told = f", {list(memberships)!r}" if memberships else ""
    python = f"models_stacked({read[0]}, {columns!r}{told})"
    return Long(long, long.numbers[0].name, None, python, ("models_stacked", *read[1]))


def _made(file: tuple[str, Upload], key: tuple[str, ...], make: partial[LossTable]) -> LossTable:
    slot, upload = file
    return uploads.made(slot, "long", (upload.key, *key), make)
