"""Wide tables: the losses of training data and of fresh data in a column each, instead of a label in every row."""

from losses.groups import check_two_groups
from losses.membership import says_trained
from losses.table import LossTable


def wide_columns(table: LossTable) -> tuple[str, str] | None:
    """The columns that are named like losses of training data and of fresh data; None unless there is one of each."""
    said = {column.name: says_trained(column.name, is_cell=True) for column in table.numbers}
    train = [name for name, is_train in said.items() if is_train is True]
    fresh = [name for name, is_train in said.items() if is_train is False]
    return (train[0], fresh[0]) if len(train) == len(fresh) == 1 else None


def check_long_or_wide(table: LossTable) -> None:
    """Raise TableError for a table that no choice of columns makes two groups, in either layout."""
    if wide_columns(table) is None:
        check_two_groups(table)
