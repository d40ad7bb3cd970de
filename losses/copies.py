"""Rows that count once: copies of a row, which equal losses or equal cells show, and several rows of one person.

Bounds hold for independent losses. Where a column names the person, one row of each is drawn, with a fixed seed and
without a look at the losses: the rows drawn are independent if the persons are, and what is said of them is said of a
random row of a random person. Counted as if they were independent, 100 persons with ten alike rows each show something
where there is nothing in nine audits of ten.
"""

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from losses.errors import TableError, counted, quoted
from losses.table import ROW, UNIT, AnyColumn, NumberColumn
from numerics.trade_off import Floats

_LONG = 12  # significant digits; rounded losses have no more
_SAMPLED = 2000  # losses whose digits are counted
_ALMOST_ALL = 0.99
_FEWEST = 10  # different losses; of fewer, the same number of each may be chance
_FEW_OUTPUTS = 3  # times that a loss, or a row, is there on average: then few people are told apart
_AROUND, _NEXT = 25, 1.5  # gaps on either side, and how many times the smallest of them is no gap to a next point
_DEVIATIONS = 4  # of a Poisson law
_CHANCE = 2  # equal rows, or equal losses in both groups; more are no chance
_DEPENDENT = 4  # times as many equal rows as there were if losses had nothing to do with other cells
_MIX = np.uint64(0x9E3779B97F4A7C15)
Codes = NDArray[np.uint64]


def refuse_in_both(column: str, count: int) -> None:
    """Raise TableError where persons are in both groups."""
    if count:
        raise TableError(
            f"{counted(count, 'value')} of column {quoted(column)} {'is' if count == 1 else 'are'} in both groups: "
            "whoever has rows in the training data is no outsider.",
            f"Leave all their rows out of both groups; or say that {quoted(column)} names no persons.",
        )


def one_row_counts(column: str, persons: int, rows: int, what: str = "losses", of: str = "") -> str:
    """What was done where persons have several rows with ``what``."""
    return (
        f"Column {quoted(column)} names {persons:,} persons in {rows:,} rows: one row of each counts, drawn without a "
        f"look at the {what}{of}."
    )


# Equal losses.


class Copies(NamedTuple):
    """The losses of a group if equal ones beyond what rounding explains are copies of rows.

    Attributes:
        losses: those to be counted then, ascending; all where there are no such.
        times: how often every row is there, as a rule; 1 where that differs from row to row.
    """

    losses: Floats
    times: int = 1


def without_copies(losses: Floats) -> Copies:
    """The losses of a group, (n,) ascending, without what may be copies: equal ones, more than rounding explains.

    Two signs, either of which has to be asked about, for neighbours and saturated losses tie rightly:

    - nearly all different losses, ten or more, occur a multiple of k times (k above 1);
    - more of the different losses repeat than rounding makes. On a grid, a smooth law puts half as many pairs on one
      point as on two neighbouring ones; the grid around a loss is taken as the smallest of the 51 gaps there. Where a
      loss is there three times on average or more, the model has few outputs (a tree, a few neighbours), and ties say
      nothing.
    """
    starts = _starts(losses)
    different, counts = losses[starts], np.diff(np.append(starts, len(losses)))
    if len(different) < _FEWEST or len(different) == len(losses):
        return Copies(losses)
    for times in range(int(np.median(counts)), 1, -1):
        if np.mean(counts % times == 0) >= _ALMOST_ALL:
            return Copies(np.repeat(different, -(-counts // times)), times)
    if _FEW_OUTPUTS * len(different) < len(losses):
        return Copies(losses)
    gaps = np.diff(different)
    smallest = scipy.ndimage.minimum_filter1d(gaps, 2 * _AROUND + 1, mode="nearest")
    expected = 0.5 * float((counts[1:] * counts[:-1])[gaps <= _NEXT * smallest].sum())
    repeated = int(np.count_nonzero(counts > 1))
    if repeated - expected < max(_FEWEST, _DEVIATIONS * np.sqrt(expected)):
        return Copies(losses)
    return Copies(different)


def copies_words(group: str, losses: int, copies: Copies) -> str:
    """What is noticed of a group whose ``losses`` are more often equal than rounding explains."""
    found = f"{losses - len(copies.losses):,} of the {losses:,} losses of the {group} equal another one"
    if copies.times > 1:
        found = f"The {losses:,} losses of the {group} are there {copies.times:,} times each, as a rule"
    return f"{found}: more than rounding explains."


def equal_in_both(train: Floats, population: Floats, unit: float = UNIT) -> int:
    """How many losses are in both groups to their last digit, where that is no chance; else 0.

    Losses that are rounded, or of a model with few different outputs, are equal by nature.
    """
    groups = [group[_starts(group)] for group in (train, population)]
    for group, own in zip(groups, (train, population), strict=True):
        if len(group) < _ALMOST_ALL * len(own) or not are_continuous(group, unit):
            return 0
    pooled = np.sort(np.concatenate(groups), kind="stable")  # fast: it finds both ascending already
    common = len(pooled) - len(_starts(pooled))
    return common if common > _CHANCE else 0


def in_both_words(common: int, more: str = "") -> str:
    """What is doubtful where ``common`` losses (or ``more``) are in both groups."""
    return (
        f"{common:,}{more} losses are in both groups, equal to their last digit. The same people may be in both: leave "
        "them out of both, else the bound may be false."
    )


def _starts(losses: Floats) -> NDArray[np.intp]:
    """Where each different loss begins, (d,), in ascending ones."""
    return np.flatnonzero(np.append(True, losses[1:] != losses[:-1]))


def are_continuous(losses: Floats, unit: float = UNIT) -> bool:
    """Whether nearly all losses are written with more than 12 significant digits."""
    sampled = losses[:: max(1, len(losses) // _SAMPLED)]
    with np.errstate(over="ignore"):
        are_short = np.mean(sampled.astype(np.float32) == sampled) > 1.0 - _ALMOST_ALL
    if unit > UNIT or are_short:  # floats of 32 bits are equal by chance, with as many digits as they are printed
        return False
    digits = [len(repr(loss).partition("e")[0].replace(".", "").lstrip("-0")) for loss in sampled.tolist()]
    return bool(np.mean([count > _LONG for count in digits]) >= _ALMOST_ALL)


# Rows that are equal in all columns: copies, or people whom the columns do not tell apart.


def equal_rows_words(group: str, rows: int, copied: int) -> str:
    """What is noticed of a group some of whose ``rows`` are ``copied``; empty for none."""
    if not copied:
        return ""
    equal = "equals" if copied == 1 else "equal"
    return f"{copied:,} of the {counted(rows, 'row')} of the {group} {equal} another one in all columns."


def codes_of_rows(columns: Iterable[AnyColumn]) -> Codes | None:
    """A number for the cells that a row has in these columns, (n,); None without a column that the file has."""
    cells = (
        one.values + 0.0 if isinstance(one, NumberColumn) else one.codes.astype(np.float64)
        for one in columns
        if not one.name.startswith(ROW)
    )
    return mixed_codes(cells)


def mixed_codes(columns: Iterable[Floats]) -> Codes | None:
    """A number for the numbers that a row has in these columns, (n,); None without any."""
    found: Codes | None = None
    for cells in columns:
        mixed = _mixed(np.ascontiguousarray(cells).view(np.uint64))
        found = mixed if found is None else _mixed(found * np.uint64(3) + mixed)
    return found


def _mixed(codes: Codes) -> Codes:
    """Different numbers, whose digits all depend on those of the code."""
    codes = (codes ^ (codes >> np.uint64(30))) * _MIX
    return np.asarray(codes ^ (codes >> np.uint64(27)))


def first_of_each(losses: Floats, others: Codes | None) -> NDArray[np.bool_] | None:
    """Which rows of a group are left if equal ones count once, (n,); None where nothing has to be asked.

    People whose other cells are equal are one person to a table, unless their losses differ; and a few equal losses
    and cells meet by chance. Rows of which every one is there often are of few kinds, which tie rightly.
    """
    if others is None or not len(losses):
        return None
    both = _mixed(_mixed((losses + 0.0).view(np.uint64)) + others)
    _, first = np.unique(both, return_index=True)
    rows, different = len(losses), len(first)
    if different == rows:
        return None
    loss_counts, other_counts = (np.unique(one, return_counts=True)[1] for one in (losses, others))
    loss_pairs, other_pairs = (float(np.sum(0.5 * n * (n - 1.0))) for n in (loss_counts, other_counts))
    equal, alike = rows - different, rows - len(other_counts)
    chance = _DEPENDENT * loss_pairs * other_pairs / max(0.5 * rows * (rows - 1.0), 1.0)
    is_chance = equal <= chance + _DEVIATIONS * np.sqrt(chance) + _CHANCE
    if is_chance or 2 * equal < alike or _FEW_OUTPUTS * different < rows:
        return None
    kept = np.zeros(rows, bool)
    kept[first] = True
    return kept
