"""GLiR where the theory's law of gradients does not hold: other laws and clipping (paper 004 Fig. 4).

Every gradient of a batch is drawn by itself, the attacker knows mean and covariance of their law after clipping, and
the query is one more draw: its susceptibility K varies around d, which the plug-in K = d leaves out.
"""

from collections.abc import Generator
from enum import StrEnum
from typing import Annotated

import numpy as np
from scipy.special import gammainc, gammaincc

from numerics.audits.glir import log_p_value, statistic
from numerics.audits.rounds import AuditChunk, Rounds, Scores, chunked
from numerics.audits.softmax import clip_factors
from numerics.trade_off import Floats
from numerics.validation import Interval, PositiveOrInfinite, Seed, value

_DRAWS = 1 << 20
_FEWEST = 500  # gradients that a variance without a formula is taken from; each has d coordinates


class GradientLaw(StrEnum):
    """The law of every coordinate, of mean 0 and variance 1; all are independent before clipping."""

    NORMAL = "normal"
    UNIFORM = "uniform"


@value
class DrawnGradients:
    """GLiR on means of ``batch`` gradients of a ``law`` in ``dimension`` d, clipped to ``clip`` of their usual length.

    ``clip`` is in units of sqrt(d), the root of the mean squared length before clipping. Coordinates stay uncorrelated
    and alike, so that whitening is dividing by one number. The theory to hold it against is ``StepTest`` at K = d.

    Raises ValueError or TypeError at construction.
    """

    dimension: Annotated[int, Interval(1, 10_000)]
    batch: Annotated[int, Interval(2, 10_000)]
    law: GradientLaw = GradientLaw.NORMAL
    clip: PositiveOrInfinite = float("inf")

    def rounds(self, rounds: Rounds, seed: Seed) -> Generator[AuditChunk, None, None]:
        """Scores (minus log p-value) of ``rounds`` means without and as many with their query, chunk by chunk."""
        deviation = float(np.sqrt(self.variance))
        size = max(1, _DRAWS // (self.dimension * (self.batch + 1)))
        return chunked(rounds, size, seed, lambda generator, n: self._draw(generator, n, deviation))

    @property
    def variance(self) -> float:
        """That of a coordinate after clipping: by formula for normal gradients, else from a million fixed draws.

        For normal ones E min(r^2, c^2) / d with r^2 chi-squared of d degrees of freedom, c = ``clip`` sqrt(d).
        """
        if np.isinf(self.clip):
            return 1.0
        half, limit = 0.5 * self.dimension, 0.5 * self.dimension * self.clip**2
        if self.law is GradientLaw.NORMAL:
            return float(gammainc(half + 1.0, limit) + self.clip**2 * gammaincc(half, limit))
        drawn = self.gradients(np.random.default_rng(0), max(_FEWEST, _DRAWS // self.dimension))
        return float(np.mean(drawn**2))

    def gradients(self, generator: np.random.Generator, size: int) -> Floats:
        """Clipped gradients (``size``, d)."""
        shape = (size, self.dimension)
        if self.law is GradientLaw.NORMAL:
            drawn = generator.standard_normal(shape)
        else:
            drawn = np.sqrt(3.0) * generator.uniform(-1.0, 1.0, shape)
        lengths = np.linalg.norm(drawn, axis=1)
        return np.asarray(drawn * clip_factors(lengths, self.clip * float(np.sqrt(self.dimension)))[:, None])

    def _draw(self, generator: np.random.Generator, size: int, deviation: float) -> Scores:
        return Scores(*(self._score(generator, size, member, deviation) for member in (0, 1)))

    def _score(self, generator: np.random.Generator, size: int, member: int, deviation: float) -> Floats:
        drawn = self.gradients(generator, size * (self.batch + 1)).reshape(size, self.batch + 1, self.dimension)
        drawn /= deviation
        queries = drawn[:, -1]
        averages = drawn[:, member : self.batch + member].mean(axis=1)
        susceptibility = np.einsum("ij,ij->i", queries, queries)
        return -log_p_value(statistic(averages, queries, self.batch), self.dimension, self.batch * susceptibility)
