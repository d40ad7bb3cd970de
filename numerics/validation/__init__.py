"""Parameters are coerced or refused where they come in, in one form of message: name, rule, value received.

What is public is marked ``checked``, or ``value`` where it is a class of fields, and its annotations are the rules:

===========================================  ===================================================================
``float``, ``Probability``, ...              a number of Python's or NumPy's, taken as the float of the same value
``int``, ``Annotated[int, Interval(1, 9)]``  a whole number of either, taken as an int
an enumeration                               its member, or a member's value as plain text
an array                                     an array, or a list that makes one, taken in double precision
``tuple``                                    a tuple or list, each item by its own rule
any other class                              its instances
===========================================  ===================================================================

A bool is no number, nor is text or an array of one; None stands only where the annotation has it. What protocols and
callables say is not looked at. A wrong kind raises TypeError, a value that the rule excludes ValueError.
"""

from numerics.validation.decorator import checked, value
from numerics.validation.rules import (
    LARGEST,
    NON_NEGATIVE,
    POSITIVE,
    PROBABILITY,
    Finite,
    FiniteNonNegative,
    Interval,
    NonNegative,
    OpenProbability,
    Positive,
    PositiveCount,
    PositiveOrInfinite,
    PositiveProbability,
    Probabilities,
    Probability,
    Seed,
    Unknown,
    better_than_guessing,
)

__all__ = [
    "LARGEST",
    "NON_NEGATIVE",
    "POSITIVE",
    "PROBABILITY",
    "Finite",
    "FiniteNonNegative",
    "Interval",
    "NonNegative",
    "OpenProbability",
    "Positive",
    "PositiveCount",
    "PositiveOrInfinite",
    "PositiveProbability",
    "Probabilities",
    "Probability",
    "Seed",
    "Unknown",
    "better_than_guessing",
    "checked",
    "value",
]
