"""A table with a number in every row, made of any layout; and the Python that says the same."""

from collections.abc import Sequence
from dataclasses import dataclass

from losses.columns import refuse_too_many_alike
from losses.errors import listed
from losses.groups import check_two_groups
from losses.membership import Membership
from losses.row_questions import curves
from losses.table import LossTable
from losses.wide import (
    group_columns,
    groups_stacked,
    membership_columns,
    membership_of_groups,
    model_columns,
    models_stacked,
)
from numerics.epsilon_star import SMALLEST_GROUP


@dataclass(frozen=True, eq=False)
class LongForm:
    """The long form of a table.

    Attributes:
        table: with a number in every row.
        python: the expression that makes it.
        imports: what that needs from ``losses``.
        value: its column of numbers; None where the layout does not say it.
        membership: which of its rows are in; None where the layout does not say it.
        words: how the columns were taken; empty where nothing was done.
    """

    table: LossTable
    python: str
    imports: tuple[str, ...] = ()
    value: str | None = None
    membership: Membership | None = None
    words: str = ""


def long_form(table: LossTable, read: str = "table", imports: Sequence[str] = ()) -> LongForm:
    """Of a table with columns for each group, or each model, as far as their names tell; another one as it is.

    Args:
        table: of any layout.
        read: the expression that reads it.
        imports: what that needs from ``losses``.
    """
    members, outsiders = group_columns(table)
    if members and not any(len(one.labels) == 2 for one in table.labels):
        return of_groups(table, members, outsiders, read, imports)
    if columns := model_columns(table):
        return of_models(table, columns, read, imports)
    return LongForm(table, read, tuple(imports))


def of_groups(
    table: LossTable, members: Sequence[str], outsiders: Sequence[str], read: str, imports: Sequence[str]
) -> LongForm:
    """Of a table with these columns for each group; raises TableError unless they are pairs."""
    stacked = groups_stacked(table, members, outsiders)
    return LongForm(
        stacked,
        f"groups_stacked({read}, {members!r}, {outsiders!r})",
        ("groups_stacked", *imports),
        stacked.numbers[0].name,
        membership_of_groups(members, outsiders),
        f"Columns of members are {listed(list(members))}; of outsiders, {listed(list(outsiders))}.",
    )


def of_models(table: LossTable, columns: Sequence[str], read: str, imports: Sequence[str]) -> LongForm:
    """Of a table with these columns of models; raises TableError unless there are two, and memberships agree."""
    told = membership_columns(table, columns) if len(columns) > 1 else ()
    stacked = models_stacked(table, columns, told)
    return LongForm(
        stacked,
        f"models_stacked({read}, {columns!r}{f', {list(told)!r}' if told else ''})",
        ("models_stacked", *imports),
        stacked.numbers[0].name,
        words=f"A column for each model: {listed(list(columns))}.",
    )


def check_any_layout(table: LossTable, fewest: int = SMALLEST_GROUP) -> None:
    """Raise TableError for a table that no choice of columns makes two groups of ``fewest`` rows, in any layout.

    Raises it, too, where columns of models were left out for their number. What may be no table of people is not told
    how to become one: that is asked first, and ``check_groups`` comes after the answer.
    """
    if not curves(table):
        check_groups(table, fewest)


def check_groups(table: LossTable, fewest: int = SMALLEST_GROUP) -> None:
    """The same of a table of people, whatever it looks like."""
    refuse_too_many_alike([column.name for column in table.numbers], table.layout.names)
    if not group_columns(table)[0]:
        check_two_groups(table, fewest)
