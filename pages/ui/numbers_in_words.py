"""Probabilities as people count: "43 of 1,000". Guarantees are never rounded to the unsafe side."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from math import ceil, isinf, log10

from numerics.validation import PROBABILITY
from plotting.people import ALL_BUT_CERTAIN, CROWD, Frequency, at_least, at_most, count_up, is_within

__all__ = [
    "ALL_BUT_CERTAIN",
    "CROWD",
    "EPSILON_DIGITS",
    "Frequency",
    "as_entered",
    "at_least",
    "at_most",
    "ceiling_digits",
    "count_up",
    "counted",
    "floor_digits",
    "is_within",
    "one_in",
    "rounded_down",
    "rounded_up",
]

EPSILON_DIGITS = 4
"""Of an epsilon, wherever it is shown, rounded up."""
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+")
_ROUNDING = 1e-12  # 0.043 * 1,000 is 43, whatever its last bit says
_MOST_PEOPLE = 10**10  # larger crowds are written as powers of ten
_SURE_DIGITS = 9  # of a number below 1 that is rounded up; beyond them it is 1


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


def as_entered(value: float) -> str:
    """A number that somebody chose, as far as eight digits say it: ``0.001``, ``10⁻⁵``, ``2.083 × 10⁻⁵``."""
    digits, _, power = f"{value:.8g}".partition("e")
    if not power:
        return digits
    raised = f"10{str(int(power)).translate(_RAISED)}"
    return raised if digits == "1" else f"{digits} × {raised}"


def rounded_up(value: float, digits: int = 3) -> str:
    """A guarantee as text: to ``digits`` significant digits, never below the value.

    What is less than 1 is not shown as 1 but for the ninth digit: 0.99961 is 0.9997 also to three digits.

    A float is read as the shortest decimal that means it, so that 0.1 is 0.1 at any number of digits: the float itself
    lies 6e-18 above, and by that alone would be 0.101.
    """
    return _rounded(value, Context(prec=digits, rounding=ROUND_CEILING))


def rounded_down(value: float, digits: int = 3) -> str:
    """What an attack reaches, as text: to ``digits`` significant digits, never above the value."""
    return _rounded(value, Context(prec=digits, rounding=ROUND_FLOOR))


def floor_digits(value: float, digits: int) -> float:
    """The next number of ``digits`` significant digits that is not above the value."""
    return float(Context(prec=digits, rounding=ROUND_FLOOR).create_decimal(_decimal(value)))


def ceiling_digits(value: float, digits: int) -> float:
    """The next number of ``digits`` significant digits that is not below the value."""
    return float(Context(prec=digits, rounding=ROUND_CEILING).create_decimal(_decimal(value)))


def _rounded(value: float, context: Context) -> str:
    """Small and large numbers as powers of ten (``1.63 × 10⁻⁵``), infinity as its sign."""
    if isinf(value):
        return "∞" if value > 0 else "−∞"
    number = context.create_decimal(_decimal(value))
    if value < 1.0 <= number:
        if context.prec >= _SURE_DIGITS:
            return "1"
        return _rounded(value, Context(prec=context.prec + 1, rounding=context.rounding))
    if number and not -4 <= number.adjusted() < 6:
        digits, power = f"{number:e}".split("e")
        return f"{digits} × 10{power.translate(_RAISED)}"
    return f"{number:f}"


def _decimal(value: float) -> str:
    """The shortest decimal that reads back as this float, whole numbers without a point."""
    return repr(float(value)).removesuffix(".0")


def of_crowd(share: float) -> float:
    """A share as a number of people of 10,000, without the last digit that multiplying leaves.

    >>> of_crowd(0.07), of_crowd(1e-12)
    (700.0, 1e-08)
    """
    return float(f"{share * CROWD:.15g}")
