"""Shipped runs of DP-SGD with canaries: as promised, and broken in three ways. How they were made: data/README.md."""

from dataclasses import dataclass
from functools import cache

from losses import ColumnRoles, read_scores, rows_of
from losses.samples import ShippedFile
from numerics.audits.one_run import Canaries, Guesses


@dataclass(frozen=True)
class CanarySample(ShippedFile):
    """One run, with columns ``score`` and ``included``; the description is of what the code did."""

    @property
    def python(self) -> str:
        """Python that reads it, imports included."""
        return (
            "from pathlib import Path\n\nfrom losses import ColumnRoles, read_scores, rows_of\n"
            f'data = Path("data/{self.file}").read_bytes()\n'
            'rows = rows_of(read_scores(data), ColumnRoles("score", "included", "1"))\n'
            "values, is_in = rows.values, rows.is_in"
        )

    def guesses(self) -> Guesses:
        """How many guesses are right, by its scores and coins."""
        return _guesses(self)


@cache
def _guesses(sample: CanarySample) -> Guesses:
    rows = rows_of(read_scores(sample.content), ColumnRoles("score", "included", "1"))
    return Canaries(rows.values, rows.is_in).guesses()


CANARY_SAMPLES = (
    CanarySample("noise too small", "The noise of a mean was added to the sum.", "canaries_noise_by_batch.csv"),
    CanarySample("not clipped", "Gradients were not clipped.", "canaries_not_clipped.csv"),
    CanarySample("wrong rate", "Five times as many records a step.", "canaries_five_times_the_rate.csv"),
    CanarySample("as promised", "What was promised: noise 1, rate 0.01, 1,000 steps.", "canaries_as_promised.csv"),
)
