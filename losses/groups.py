"""Two groups of losses: those of training data and those of fresh data."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from losses.copies import (
    Codes,
    codes_of_rows,
    copies_words,
    equal_in_both,
    equal_rows_words,
    first_of_each,
    in_both_words,
    without_copies,
)
from losses.errors import TableError
from losses.roles import ColumnRoles, rows_of
from losses.table import LossTable
from numerics.epsilon_star import SMALLEST_GROUP
from numerics.trade_off import Floats


@dataclass(frozen=True, eq=False)
class Groups:
    """Two groups of losses that count as independent.

    Attributes:
        train, population: losses of training data (n,) and of fresh data (m,), both ascending.
        dropped: rows that cannot be used and were left out.
        notes: what was done about rows that are no independent evidence, a sentence each.
        doubts: what looks like dependence, and was left alone.
        copied: why rows may be copies, a sentence a group, until ``counted_once`` or ``counted_as_people`` settles it.
        once: both groups with rows that are equal in all columns counted once, where these may be copies.
    """

    train: Floats
    population: Floats
    dropped: int = 0
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    once: tuple[Floats, Floats] | None = None


def split(
    table: LossTable, name: str, membership: str, member: str, drop: bool = False, person: str | None = None
) -> Groups:
    """The losses of a file that holds both groups.

    Args:
        table: the file.
        name: the column with the losses.
        membership: the column that tells members from outsiders.
        member: the label that means a member.
        drop: leave out rows without a usable loss, a label or a person, instead of stopping there.
        person: the column that says whose a row is, where a person has several.

    Raises:
        TableError: the membership has more or fewer than two labels, rows cannot be used, a group is too small, or a
            person is in both.
    """
    rows = rows_of(table, ColumnRoles(name, membership, member, person), drop, what="losses")
    train, population = _ascending([partial(np.compress, side, rows.values) for side in (rows.is_in, ~rows.is_in)])
    if person is not None:
        return _checked(Groups(train, population, rows.dropped, rows.notes))
    others = codes_of_rows(rows.columns.values())
    sides = [] if others is None else [(rows.values[own], others[own]) for own in (rows.is_in, ~rows.is_in)]
    groups = Groups(train, population, rows.dropped, once=_once((train, population), sides))
    return _noticed(_checked(groups), table.number(name).unit)


def _once(groups: Sequence[Floats], cells: Sequence[tuple[Floats, Codes | None]]) -> tuple[Floats, Floats] | None:
    """Both groups, ascending, with equal rows counted once, where these may be copies; their ``cells`` are in order."""
    kept = [first_of_each(losses, others) for losses, others in cells]
    if all(one is None for one in kept):
        return None
    train, population = (
        group if one is None else np.sort(losses[one])
        for group, (losses, _), one in zip(groups, cells, kept, strict=True)
    )
    return train, population


def counted_once(groups: Groups) -> Groups:
    """The groups where somebody said that equal losses beyond what rounding explains are copies: each counts once."""
    parts = {"training data": groups.train, "fresh data": groups.population}
    kept = [without_copies(losses).losses for losses in groups.once or parts.values()]
    notes = [
        f"The {len(losses):,} losses of the {name} hold copies, as was said: they count once, as {len(once):,}."
        for (name, losses), once in zip(parts.items(), kept, strict=True)
        if len(once) < len(losses)
    ]
    return _checked(
        replace(groups, train=kept[0], population=kept[1], notes=(*groups.notes, *notes), copied=(), once=None)
    )


def counted_as_people(groups: Groups) -> Groups:
    """The groups where somebody said that rows with equal losses are people of their own."""
    notes = (*groups.notes, f"{' '.join(groups.copied)} Each row is a person of its own, as was said.")
    return replace(groups, notes=notes, copied=(), once=None) if groups.copied else groups


def _noticed(groups: Groups, unit: float) -> Groups:
    """The groups with what their losses show of copies. ``unit``: of the losses as stored."""
    parts = {"training data": groups.train, "fresh data": groups.population}
    found = {}
    copied = list[str]()
    for (name, losses), left in zip(parts.items(), groups.once or parts.values(), strict=True):
        found[name] = without_copies(left)
        copied += filter(None, [equal_rows_words(name, len(losses), len(losses) - len(left))])
        copied += [copies_words(name, len(left), found[name])] if len(found[name].losses) < len(left) else []
    train, population = found.values()
    common = equal_in_both(train.losses, population.losses, unit)
    doubts = (in_both_words(common),) if common else ()
    return replace(groups, copied=tuple(copied), doubts=doubts) if copied or doubts else groups


def _ascending(groups: Sequence[Callable[[], Floats]]) -> list[Floats]:
    """The groups, taken and sorted at once: that takes longer than all the rest, and lets others run."""
    with ThreadPoolExecutor(len(groups)) as pool:
        return list(pool.map(_sorted, groups))


def _sorted(take: Callable[[], Floats]) -> Floats:
    losses = take()
    losses.sort()
    return losses


def _checked(groups: Groups) -> Groups:
    sizes = {"Training data": len(groups.train), "Fresh data": len(groups.population)}
    for name, size in sizes.items():
        if size < SMALLEST_GROUP:
            raise TableError(
                f"{name}: {size:,} usable losses, at least {SMALLEST_GROUP} are needed, and thousands to see anything.",
                "Upload more rows of this group.",
            )
    return groups
