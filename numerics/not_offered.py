"""What an operation answers for noise that it does not know: a refusal by name, never the answer for other noise."""

from collections.abc import Mapping
from typing import TypeVar

Law = TypeVar("Law")

FULL_KNOWLEDGE = "The guarantee against full knowledge holds against whoever knows less."
"""What holds of an attacker who knows less, whatever the noise."""


class NotOfferedError(ValueError):
    """Raised by an operation that does not know the noise of a mechanism."""


def law_of(thing: object, laws: Mapping[type[object], Law], what: str, otherwise: str = "") -> Law:
    """The entry of ``laws`` for the class of ``thing``: a noise, or the shift of one.

    ``what`` is the beginning of the refusal ("The relaxed curve is"), ``otherwise`` a sentence about what holds
    nevertheless. Raises NotOfferedError, with the name of the noise, where there is no entry.
    """
    try:
        return laws[type(thing)]
    except KeyError:
        known = " and ".join(map(name_of, laws))
        refusal = f"{what} not offered for {name_of(type(thing))} noise, only for {known} noise."
        raise NotOfferedError(f"{refusal} {otherwise}".rstrip()) from None


def name_of(kind: type) -> str:
    """The name of a noise by that of its class.

    >>> class LogisticNoise: ...
    >>> name_of(LogisticNoise)
    'Logistic'
    """
    return kind.__name__.removesuffix("Noise").removesuffix("Shift")
