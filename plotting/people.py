"""Probabilities as people count: "43 of 10,000". Guarantees are never rounded to the unsafe side.

In this layer because what hovers over a figure counts in the same crowd as the sentence above it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, floor

import numpy as np

from numerics.trade_off import Floats
from numerics.validation import PROBABILITY

CROWD = 10_000
"""People that are counted wherever that many are enough."""
COUNTED = "%{customdata[0]:,} of %{customdata[1]:,}"
"""In a text that hovers: what ``counts`` gives as ``customdata``."""
_GROUPS = tuple(10**digits for digits in range(4, 11))  # the last is more people than there are
_ROUNDING = 1e-12  # 0.0043 * 10,000 is 43, whatever its last bit says
ALL_BUT_CERTAIN = 1.0 - 1e-9
"""What is above it is said of everybody, in any crowd."""
_FAITHFUL = 1.1  # a count may overstate by a tenth; beyond that a larger group is counted


@dataclass(frozen=True)
class Frequency:
    """``count`` of ``of`` people."""

    count: int
    of: int

    def __str__(self) -> str:
        """For instance ``43 of 10,000``."""
        return f"{self.count:,} of {self.of:,}"


def at_most(rate: float, smallest_group: int = CROWD) -> Frequency:
    """The rate as a count, rounded up, in the smallest of 10,000, 100,000, ... where it is a tenth too large at most.

    Near 1 the rest must stay true to a tenth too: 0.99996 is 99,996 of 100,000, not all of 10,000. What is all but
    certain is everybody of the smallest.
    """
    PROBABILITY.check("rate", rate)
    if rate > ALL_BUT_CERTAIN:
        return Frequency(smallest_group, smallest_group)
    for group in (size for size in _GROUPS if size >= smallest_group):
        count = count_up(rate, group)
        is_faithful = (
            count <= _FAITHFUL * rate * group and (1 - rate) * group <= _FAITHFUL * (group - count) + _ROUNDING
        )
        if is_faithful:
            break
    return Frequency(count, group)


def count_up(rate: float, of: int) -> int:
    """The rate as a count in a group of ``of``, rounded up."""
    return min(ceil(rate * of * (1 - _ROUNDING)), of)


def quantity(number: float, digits: int = 6) -> str:
    """How many, as somebody says it: to so many digits, and all of a number before the point.

    >>> quantity(20.0), quantity(0.5), quantity(5e8), quantity(12_345_678.9)
    ('20', '0.5', '500,000,000', '12,345,679')
    """
    text = f"{number:,.{digits}g}"
    return f"{number:,.0f}" if "e+" in text else text


def is_within(rate: float, limit: float) -> bool:
    """Whether a rate keeps a limit, up to what rounding adds to it."""
    return rate <= limit * (1 + _ROUNDING)


def at_least(rate: float, of: int) -> Frequency:
    """The rate as a count in a group of ``of``, rounded down."""
    PROBABILITY.check("rate", rate)
    return Frequency(floor(rate * of * (1 + _ROUNDING)), of)


def counts(rates: Floats, crowd: int = CROWD) -> Floats:
    """Every rate (n,) as a count, rounded up, and of how many (n, 2), for text that hovers.

    All of one ``crowd``, the page's; of a larger one only where less than one of it is found.
    """
    clipped = np.clip(np.asarray(rates, dtype=float), 0.0, 1.0)
    groups = np.full(clipped.shape, crowd)
    for larger in (size for size in _GROUPS if size > crowd):
        groups = np.where(clipped * groups * (1 + _ROUNDING) < 1.0, larger, groups)
    found = np.minimum(np.ceil(clipped * groups * (1 - _ROUNDING)), groups)
    return np.column_stack([found, groups]).astype(float)


def people_a_mark(people: int, marks: int) -> int:
    """How many people a mark stands for, so that there are at most so many marks: 1, 2, 5, 10, ..."""
    units: Iterator[int] = (step * 10**digits for digits in range(12) for step in (1, 2, 5))
    return next(unit for unit in units if people <= marks * unit)
