"""Losses of members and outsiders, checked."""

from dataclasses import dataclass

import numpy as np

from losses.problem import TableError
from losses.table import Numbers, OnInvalid, Table
from numerics.trade_off import Floats

SMALLEST_GROUP = 10
_MEMBER_WORDS = ("1", "1.0", "true", "yes", "y", "in", "member", "members", "train", "training", "trained")


@dataclass(frozen=True, eq=False)
class LossGroups:
    """Losses on training data ``train`` (n,) and on fresh data ``population`` (m,), and what is odd about them."""

    train: Floats
    population: Floats
    notes: tuple[str, ...] = ()


def groups_from_two(train: Numbers, population: Numbers) -> LossGroups:
    """Losses from two columns. Raises TableError where a group is too small or all losses are equal."""
    notes = _dropped("training", train) + _dropped("population", population)
    return _checked(train.values, population.values, notes)


def groups_from_one(
    table: Table,
    loss_column: str,
    membership_column: str,
    member_value: str | None = None,
    on_invalid: OnInvalid = "stop",
) -> LossGroups:
    """Losses from one table whose ``membership_column`` says who was trained on.

    Without ``member_value`` the one that reads like yes is taken, else the last in order.
    """
    if loss_column == membership_column:
        raise TableError("Losses and membership cannot be the same column. A single column needs a second file.")
    labels = table.values_of(membership_column)
    if len(labels) != 2:
        found = f"{len(labels)} values" if len(labels) != 1 else f"only the value “{labels[0]}”"
        message = f"Column “{membership_column}” must tell members from outsiders by two values, but it has {found}."
        raise TableError(f"{message} Choose another column.")
    member = member_value or next((label for label in labels if label.lower() in _MEMBER_WORDS), labels[-1])
    losses, members = table.numbers(loss_column, on_invalid), table.rows_with(membership_column, member)
    outsiders = table.rows_with(membership_column, next(label for label in labels if label != member))
    if losses.kept is not None:
        members, outsiders = members[losses.kept], outsiders[losses.kept]
    notes: tuple[str, ...] = (f"Rows with “{member}” in column “{membership_column}” are taken as training data.",)
    unlabelled = len(members) - int(members.sum()) - int(outsiders.sum())
    notes += (f"{unlabelled:,} rows without membership were left out.",) if unlabelled else ()
    return _checked(losses.values[members], losses.values[outsiders], notes + _dropped("both", losses))


def _dropped(which: str, numbers: Numbers) -> tuple[str, ...]:
    if not numbers.dropped:
        return ()
    return (f"{numbers.dropped:,} cells that are no finite number were left out ({which} losses).",)


def _checked(train: Floats, population: Floats, notes: tuple[str, ...]) -> LossGroups:
    for name, losses in (("training", train), ("population", population)):
        if len(losses) < SMALLEST_GROUP:
            message = f"There are {len(losses)} {name} losses, fewer than the {SMALLEST_GROUP} that any estimate needs."
            raise TableError(f"{message} Add rows, or check the choice of columns.")
    lowest, highest = _extremes(train, population)
    if lowest == highest:
        raise TableError(
            f"All losses are {lowest:g}: there is nothing to tell members by. Check the choice of columns."
        )
    return LossGroups(train, population, notes + _oddities(train, population))


def _extremes(train: Floats, population: Floats) -> tuple[float, float]:
    return float(min(train.min(), population.min())), float(max(train.max(), population.max()))


def _oddities(train: Floats, population: Floats) -> tuple[str, ...]:
    """Notes on groups that are the same, or that a threshold separates."""
    if len(train) == len(population) and np.array_equal(train, population):
        return ("Both groups hold the same losses: was one file uploaded twice?",)
    if train.max() < population.min() or population.max() < train.min():
        return ("A single threshold separates the groups without an error: epsilon* is infinite unless clipped.",)
    return ()
