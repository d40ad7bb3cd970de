"""Which data sets count as neighbours."""

from enum import StrEnum

from numerics.validation import PositiveCount, checked


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
        return self.sentence_for(1)

    @checked
    def sentence_for(self, records: PositiveCount) -> str:
        """The convention in words, where a person may have so many records: the unit is a record, or a person."""
        if records == 1:
            return f"Neighbouring data sets differ {self._record} ({self})."
        return f"Neighbouring data sets differ {self._person.format(f'{records:,}')} ({self} of a person)."

    @property
    def _record(self) -> str:
        if self is Adjacency.REPLACE_ONE:
            return "in the value of one record"
        if self is Adjacency.ZERO_OUT:
            return "in one record, which adds nothing in one of them"
        return "by the presence of one record"

    @property
    def _person(self) -> str:
        if self is Adjacency.REPLACE_ONE:
            return "in the values of all records of one person, who has at most {}"
        if self is Adjacency.ZERO_OUT:
            return "in one person, whose records, at most {}, add nothing in one of them"
        return "by the presence of one person with all of their records, at most {}"
