"""Files that come with the project; how they were made is told in data/README.md."""

from dataclasses import dataclass
from hashlib import sha256

from numerics.shipped import DATA


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
