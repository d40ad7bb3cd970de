"""A parameter that only some kinds of mechanisms have, as their constructors and the pages' controls describe it."""

from typing import NamedTuple


class Parameter(NamedTuple):
    """A field that a kind of mechanism has beyond those that all have.

    Attributes:
        name: of the field, and of the control in a page's address: a public format.
        label: of the control.
        help: what it means.
        low, high: smallest and largest value.
        is_whole: whether it is a whole number.
    """

    name: str
    label: str
    help: str
    low: float
    high: float
    is_whole: bool = False
