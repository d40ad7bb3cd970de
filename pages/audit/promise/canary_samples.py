"""Shipped runs of DP-SGD with canaries: as promised, and broken in three ways. How they were made: data/README.md."""

from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path

from losses import labelled, read_scores
from numerics.audits.one_run import Canaries, Guesses

_DATA = Path(__file__).parents[3] / "data"


@dataclass(frozen=True)
class CanarySample:
    """One run.

    Attributes:
        name: what it is called on the page and in its URL.
        description: what the code did.
        file: its name in data/, with columns ``score`` and ``included``.
    """

    name: str
    description: str
    file: str

    @property
    def digest(self) -> str:
        """SHA-256 of the file."""
        return sha256((_DATA / self.file).read_bytes()).hexdigest()

    @property
    def python(self) -> str:
        """Python that reads it, imports included."""
        return (
            "from pathlib import Path\n\nfrom losses import labelled, read_scores\n"
            f'data = Path("data/{self.file}").read_bytes()\n'
            'found = labelled(read_scores(data), "score", "included", "1")\n'
            "values, is_in = found.values, found.is_in"
        )

    def guesses(self) -> Guesses:
        """How many guesses are right, by its scores and coins."""
        return _guesses(self.file)


@cache
def _guesses(file: str) -> Guesses:
    found = labelled(read_scores((_DATA / file).read_bytes()), "score", "included", "1")
    return Canaries(found.values, found.is_in).guesses()


CANARY_SAMPLES = (
    CanarySample("noise too small", "The noise of a mean was added to the sum.", "canaries_noise_by_batch.csv"),
    CanarySample("not clipped", "Gradients were not clipped.", "canaries_not_clipped.csv"),
    CanarySample("wrong rate", "Five times as many records a step.", "canaries_five_times_the_rate.csv"),
    CanarySample("as promised", "What was promised: noise 1, rate 0.01, 1,000 steps.", "canaries_as_promised.csv"),
)
