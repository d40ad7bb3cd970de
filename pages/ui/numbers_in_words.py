"""Probabilities as people count: "43 of 1,000". Guarantees are never rounded to the unsafe side."""

from math import ceil, log10

from numerics.validation import PROBABILITY
from plotting.people import ALL_BUT_CERTAIN, CROWD, Frequency, at_least, at_most, count_up, is_within, quantity
from reports.rounding import as_entered, ceiling_digits, floor_digits, nearest, rounded_down, rounded_up

__all__ = [
    "ALL_BUT_CERTAIN",
    "CROWD",
    "EPSILON_DIGITS",
    "NOT_SET",
    "Frequency",
    "as_entered",
    "at_least",
    "at_most",
    "ceiling_digits",
    "count_up",
    "counted",
    "floor_digits",
    "is_within",
    "nearest",
    "one_in",
    "or_not_set",
    "quantity",
    "rounded_down",
    "rounded_up",
]

EPSILON_DIGITS = 4
"""Of an epsilon, wherever it is shown, rounded up."""
NOT_SET = "not set"
"""What stands for a number that nobody has said."""
_ROUNDING = 1e-12  # 0.043 * 1,000 is 43, whatever its last bit says
_MOST_PEOPLE = 10**10  # larger crowds are written as powers of ten


def counted(rate: float, of: int) -> str:
    """A rate that somebody chose: ``10 of 10,000`` where it is a whole number of these people, else as ``one_in``."""
    PROBABILITY.check("rate", rate)
    count = round(rate * of)
    if count and abs(count - rate * of) <= _ROUNDING * count:
        return str(Frequency(count, of))
    return one_in(rate)


def one_in(rate: float) -> str:
    """A rate that somebody chose, to three digits, and of the rest near 1: ``1 in 1,000``, ``37 in 100``.

    One of a number of people that has more digits keeps them: ``1 in 48,000``.
    """
    PROBABILITY.check("rate", rate)
    if rate in (0.0, 1.0):
        return "nobody" if rate == 0.0 else "everybody"
    of = 10 ** (ceil(-log10(min(rate, 1.0 - rate))) + 2)
    count = round(rate * of)
    if abs(count / of - rate) > _ROUNDING * rate and abs(round(1.0 / rate) * rate - 1.0) < _ROUNDING:
        return f"1 in {round(1.0 / rate):,}"
    while count % 10 == 0 and of > 10:
        count, of = count // 10, of // 10
    return f"{count:,} in {of:,}" if of <= _MOST_PEOPLE else f"{count:,} in {as_entered(of)}"


def or_not_set(value: float | None) -> str:
    """A number that somebody said, or that nobody has."""
    return NOT_SET if value is None else f"{value:,}"


def of_crowd(share: float) -> float:
    """A share as a number of people of 10,000, without the last digit that multiplying leaves.

    >>> of_crowd(0.07), of_crowd(1e-12)
    (700.0, 1e-08)
    """
    return float(f"{share * CROWD:.15g}")
