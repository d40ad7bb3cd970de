"""Numbers as text: guarantees are never rounded to the unsafe side."""

from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from math import isinf

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "+")
_MINUS = "−"
_SURE_DIGITS = 9  # of a number below 1 that is rounded up; beyond them it is 1


def as_entered(value: float) -> str:
    """A number that somebody chose, as far as eight digits say it: ``0.001``, ``10⁻⁵``, ``2.083 × 10⁻⁵``."""
    return nearest(value, 8)


def nearest(value: float, digits: int = 4) -> str:
    """A number without a safe side, to so many significant digits: ``1.353``, ``−4.673``, ``2.08 × 10⁻⁵``, ``−∞``."""
    if isinf(value):
        return "∞" if value > 0 else f"{_MINUS}∞"
    text, _, power = f"{value + 0.0:.{digits}g}".replace("-", _MINUS, 1 if value < 0 else 0).partition("e")
    if not power:
        return text
    raised = f"10{str(int(power)).translate(_RAISED)}"
    return raised if text == "1" else f"{text} × {raised}"


def how_many(count: int, one: str) -> str:
    """A number of things whose plural has an s: ``1 row``, ``2,000 rows``."""
    return f"{count:,} {one}{'' if count == 1 else 's'}"


def capitalised(words: str) -> str:
    """As a sentence begins: the rest stays as it is, and so do ε and μ, whose capital letters read as E and M."""
    return words if words.startswith(("ε", "μ")) else words[:1].upper() + words[1:]


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
        return "∞" if value > 0 else f"{_MINUS}∞"
    number = context.create_decimal(_decimal(value))
    if value < 1.0 <= number:
        if context.prec >= _SURE_DIGITS:
            return "1"
        return _rounded(value, Context(prec=context.prec + 1, rounding=context.rounding))
    if number and not -4 <= number.adjusted() < 6:
        digits, power = f"{number:e}".split("e")
        return f"{digits.replace('-', _MINUS)} × 10{power.translate(_RAISED)}"
    return f"{number:f}".replace("-", _MINUS)


def _decimal(value: float) -> str:
    """The shortest decimal that reads back as this float, whole numbers without a point."""
    return repr(float(value)).removesuffix(".0")
