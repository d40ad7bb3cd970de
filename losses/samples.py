"""Losses of real models that come with the project."""

from dataclasses import dataclass

from losses.groups import Groups, split
from losses.membership import Membership, Why
from losses.reading import read_table
from losses.shipped import ShippedFile


@dataclass(frozen=True)
class Sample(ShippedFile):
    """A shipped table of losses with columns ``loss`` and ``member``; the description is of the model."""

    @property
    def membership(self) -> Membership:
        """Which rows are training data: those with 1 in its column ``member``."""
        return Membership("member", "1", Why.NAME)

    def groups(self) -> Groups:
        """The losses."""
        told = self.membership
        return split(read_table(self.content), "loss", told.column, told.member)


SAMPLES = (
    Sample(
        "digits, overfitted",
        "A network with 512 hidden units, trained on 898 handwritten digits until it knew them by heart.",
        "digits_overfitted.csv.gz",
    ),
    Sample(
        "digits, regularised",
        "A strongly regularised logistic regression, trained on the same 898 handwritten digits.",
        "digits_regularised.csv.gz",
    ),
)
