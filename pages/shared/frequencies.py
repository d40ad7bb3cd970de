"""Probabilities as people count: "43 of 1,000". Guarantees are never rounded to the unsafe side."""

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from math import ceil, floor, isinf, log10

from numerics.validation import PROBABILITY

EPSILON_DIGITS = 4
"""Of an epsilon, wherever it is shown, rounded up."""
_GROUPS = tuple(10**digits for digits in range(3, 13))
_ROUNDING = 1e-12  # 0.043 * 1,000 is 43, whatever its last bit says
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+")
_FAITHFUL = 1.1  # a count may overstate by a tenth; beyond that a larger group is counted


@dataclass(frozen=True)
class Frequency:
    """``count`` of ``of`` people."""

    count: int
    of: int

    def __str__(self) -> str:
        """For instance ``43 of 1,000``."""
        return f"{self.count:,} of {self.of:,}"


def at_most(rate: float, smallest_group: int = 1000) -> Frequency:
    """The rate as a count, rounded up, in the smallest of 1,000, 10,000, ... where that overstates by a tenth at most.

    Near 1 the rest must stay true to a tenth too: 0.9996 is 9,996 of 10,000, not all of 1,000.
    """
    PROBABILITY.check("rate", rate)
    for group in (size for size in _GROUPS if size >= smallest_group):
        count = ceil(rate * group * (1 - _ROUNDING))
        is_faithful = (
            count <= _FAITHFUL * rate * group and (1 - rate) * group <= _FAITHFUL * (group - count) + _ROUNDING
        )
        if is_faithful:
            break
    return Frequency(count, group)


def at_least(rate: float, of: int) -> Frequency:
    """The rate as a count in a group of ``of``, rounded down."""
    PROBABILITY.check("rate", rate)
    return Frequency(floor(rate * of * (1 + _ROUNDING)), of)


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
    return f"{count:,} in {of:,}"


def chosen(value: float) -> str:
    """A number that somebody chose, as far as eight digits say it: ``0.001``, ``10⁻⁵``, ``2.083 × 10⁻⁵``."""
    digits, _, power = f"{value:.8g}".partition("e")
    if not power:
        return digits
    raised = f"10{str(int(power)).translate(_RAISED)}"
    return raised if digits == "1" else f"{digits} × {raised}"


def rounded_up(value: float, digits: int = 3) -> str:
    """A guarantee as text: to ``digits`` significant digits, never below the value."""
    return _rounded(value, Context(prec=digits, rounding=ROUND_CEILING))


def rounded_down(value: float, digits: int = 3) -> str:
    """What an attack reaches, as text: to ``digits`` significant digits, never above the value."""
    return _rounded(value, Context(prec=digits, rounding=ROUND_FLOOR))


def _rounded(value: float, context: Context) -> str:
    """Small and large numbers as powers of ten (``1.63 × 10⁻⁵``), infinity as its sign."""
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    number = context.create_decimal(Decimal(value))
    if number and not -4 <= number.adjusted() < 6:
        digits, power = f"{number:e}".split("e")
        return f"{digits} × 10{power.translate(_RAISED)}"
    return f"{number:f}"
