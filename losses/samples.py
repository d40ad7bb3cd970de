"""Losses of real models that come with the project."""

from dataclasses import dataclass
from hashlib import sha256

from losses.groups import Groups, split
from losses.reading import read_table
from losses.training_labels import Membership, Why
from numerics.shipped import DATA

# Files that come with the project; how they were made is told in data/README.md.


@dataclass(frozen=True)
class ShippedFile:
    """A file in data/ that a person may choose.

    Attributes:
        name: what it is called on the page and in its URL.
        description: what it holds, in a sentence.
        file: its name in data/.
    """

    name: str
    description: str
    file: str

    @property
    def content(self) -> bytes:
        """Its bytes."""
        return (DATA / self.file).read_bytes()

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return sha256(self.content).hexdigest()


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
