"""A table with a number in every row, as far as columns' names tell how, and the Python that says the same."""

from dataclasses import dataclass

from losses.errors import listed
from losses.table import LossTable
from losses.wide import group_columns, groups_stacked, membership_columns, model_columns, models_stacked


@dataclass(frozen=True, eq=False)
class LongForm:
    """The long form of a table.

    Attributes:
        table: with a number in every row.
        python: the expression that makes it.
        imports: what that needs from ``losses``.
        words: how the columns were taken; empty where nothing was done.
    """

    table: LossTable
    python: str
    imports: tuple[str, ...] = ()
    words: str = ""


def long_form(table: LossTable, read: str = "table") -> LongForm:
    """Of a table with columns for each group, or each model; another one as it is. ``read``: what reads the table."""
    members, outsiders = group_columns(table)
    if members and not any(len(one.labels) == 2 for one in table.labels):
        words = f"Columns of members are {listed(list(members))}; of outsiders, {listed(list(outsiders))}."
        python = f"groups_stacked({read}, {members!r}, {outsiders!r})"
        return LongForm(groups_stacked(table, members, outsiders), python, ("groups_stacked",), words)
    if columns := model_columns(table):
        told = membership_columns(table, columns)
        python = f"models_stacked({read}, {columns!r}{f', {list(told)!r}' if told else ''})"
        words = f"A column for each model: {listed(list(columns))}."
        return LongForm(models_stacked(table, columns, told), python, ("models_stacked",), words)
    return LongForm(table, read)
