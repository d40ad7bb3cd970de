"""Losses of real models that come with the project; how they were made is told in data/README.md."""

from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from losses.groups import Groups, split
from losses.membership import Membership, Why
from losses.reading import read_table

_DATA = Path(__file__).parents[1] / "data"


@dataclass(frozen=True)
class Sample:
    """A shipped table of losses with columns ``loss`` and ``member``.

    Attributes:
        name: what it is called on the page and in its URL.
        description: the model in a sentence.
        file: its name in data/.
    """

    name: str
    description: str
    file: str

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return sha256((_DATA / self.file).read_bytes()).hexdigest()

    @property
    def membership(self) -> Membership:
        """Which rows are training data: those with 1 in its column ``member``."""
        return Membership("member", "1", Why.NAME)

    def groups(self) -> Groups:
        """The losses."""
        told = self.membership
        return split(read_table((_DATA / self.file).read_bytes()), "loss", told.column, told.member)


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
