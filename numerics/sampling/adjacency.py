"""Which data sets count as neighbours."""

from enum import StrEnum


class Adjacency(StrEnum):
    """Which data sets count as neighbours."""

    ADD_REMOVE = "add/remove"
    REPLACE_ONE = "replace-one"
    ZERO_OUT = "zero-out"

    @property
    def reach(self) -> float:
        """Distance between two neighbouring sums, in units of the sensitivity (the largest norm of one record)."""
        return 2.0 if self is Adjacency.REPLACE_ONE else 1.0

    @property
    def sentence(self) -> str:
        """The convention in words."""
        if self is Adjacency.REPLACE_ONE:
            return "Neighbouring data sets differ in the value of one record (replace-one)."
        if self is Adjacency.ZERO_OUT:
            return "Neighbouring data sets differ in one record, which adds nothing in one of them (zero-out)."
        return "Neighbouring data sets differ by the presence of one record (add/remove)."
