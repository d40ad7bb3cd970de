"""What an operation answers for what it does not know: a refusal by name, never the answer for something else."""

from re import sub
from typing import TypeVar

from numerics.validation import PositiveCount, checked

Law = TypeVar("Law")

FULL_KNOWLEDGE = "The guarantee against full knowledge holds against whoever knows less."
"""What holds of an attacker who knows less, whatever the noise."""


class UnsupportedError(ValueError):
    """Raised by an operation that does not know the noise, the batches or the people of a mechanism."""


def law_of(law: Law | None, noise: object, what: str, otherwise: str = "") -> Law:
    """The ``law`` that a ``noise``, or the shift of one, has for an operation.

    ``what`` is the beginning of the refusal ("The relaxed curve is"), ``otherwise`` a sentence about what holds
    nevertheless. Raises UnsupportedError, with the name of the noise, where there is no law.
    """
    if law is None:
        name = name_of(type(getattr(noise, "noise", noise)))  # a shift on a lattice holds its noise
        raise UnsupportedError(f"{what} not offered for {name} noise. {otherwise}".rstrip())
    return law


@checked
def one_record(records_per_person: PositiveCount, what: str, otherwise: str = "") -> None:
    """Raise UnsupportedError, as ``law_of`` does, where an operation is about one record and people have several."""
    if records_per_person > 1:
        raise UnsupportedError(f"{what} not offered for people with several records. {otherwise}".rstrip())


def name_of(kind: type) -> str:
    """The name of a noise by that of its class.

    >>> class LogisticNoise: ...
    >>> name_of(LogisticNoise)
    'Logistic'
    >>> class DiscreteLaplaceShift: ...
    >>> name_of(DiscreteLaplaceShift)
    'Discrete Laplace'
    """
    return sub("(?<=[a-z])(?=[A-Z])", " ", kind.__name__.removesuffix("Noise").removesuffix("Shift"))
