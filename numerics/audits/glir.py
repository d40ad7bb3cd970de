"""GLiR, the gradient likelihood ratio attack on an average of gradients (paper 004 Algorithm 1, corrections 44-49).

For a query gradient theta and the released average m of n gradients with mean mu and covariance Sigma, the attack takes
S = n (m - theta)' Sigma^-1 (m - theta), which without the query is non-central chi-squared with d degrees of freedom
and non-centrality n K, K = (theta - mu)' Sigma^-1 (theta - mu). A small S, hence a small p-value, means membership.
Both worlds have n records (replace-one, batches of fixed size).
"""

from collections.abc import Generator
from enum import StrEnum
from typing import Annotated, Self

import numpy as np

from numerics.audits.rounds import AuditChunk, Rounds, Scores, chunked
from numerics.chi_squared import log_tails
from numerics.trade_off import Floats
from numerics.validation import Interval, NonNegative, PositiveCount, Probability, Seed, checked, value

LARGEST_BATCH = 1_000_000
LARGEST_DIMENSION = 100_000
# Numbers held at once in a chunk of rounds: 8 MB.
_DRAWS = 1 << 20


@checked
def statistic(averages: Floats, queries: Floats, batch: PositiveCount, noise: NonNegative = 0.0) -> Floats:
    """S (...), small for members, of whitened averages and queries (..., d), centred.

    Without noise S = n |m - theta|^2, which the paper has with n - 1, and then p-values are wrong (correction 47).
    Noise of ``noise`` standard deviations of the gradients on the sum makes it |n m - n_eff theta|^2 / n_eff with
    n_eff = n + noise^2: it is smallest where the likelihood ratio is largest.
    """
    effective = batch + noise**2
    return _square(batch * averages - effective * queries) / effective


@checked
def log_p_value(statistic: Floats, dimension: PositiveCount, non_centrality: Floats | float) -> Floats:
    """Logarithm of P(chi2_d(n_eff K) <= S), the lower tail of the GLiR statistic; small for members.

    Line 11 has the inverse of the distribution function (correction 48). Finite however small; the accuracy is that
    of ``numerics.chi_squared.log_tails``.
    """
    return log_tails(statistic, dimension, non_centrality)[1]


@value(eq=False)
class Background:
    """What the attacker knows about the gradients' law: mean (p,) and whitening matrix (p, d), Sigma^-1 = W W'."""

    mean: Floats
    whitening: Floats

    @classmethod
    def estimated(cls, gradients: Floats, smallest_share: Probability = 1e-3) -> Self:
        """From background gradients (records, p); d is the number of directions kept.

        Left out are directions with less than ``smallest_share`` of the largest direction's variance: few records
        estimate them badly, and unseen records then seem infinitely unusual.

        Raises ValueError unless there are at least two records and variance in some direction.
        """
        if gradients.ndim != 2 or len(gradients) < 2:
            raise ValueError(f"gradients must be a table of at least two rows, got shape {gradients.shape}.")
        mean = gradients.mean(axis=0)
        _, spread, directions = np.linalg.svd(gradients - mean, full_matrices=False)
        variance = spread**2 / (len(gradients) - 1)
        kept = variance > smallest_share * variance[0]
        if not kept.any():
            raise ValueError("gradients must vary, got the same row everywhere.")
        return cls(mean, directions[kept].T / np.sqrt(variance[kept]))

    @property
    def dimension(self) -> int:
        """Number of directions in which gradients vary (d)."""
        return int(self.whitening.shape[1])

    def whitened(self, gradients: Floats) -> Floats:
        """Gradients (..., p) in directions of variance 1, centred, (..., d); their squared length is K.

        Centred by the mean (correction 45).
        """
        return np.asarray((gradients - self.mean) @ self.whitening)


class Pooling(StrEnum):
    """What is added up over several steps."""

    P_VALUES = "log p-values"  # as printed: it weighs the steps by chance
    STATISTICS = "statistics"  # the best there is for independent steps of the same K


@value
class SimulatedGradients:
    """GLiR on Gaussian gradients in ``dimension`` d with known mean and covariance, averaged over ``batch`` records.

    The attack is invariant under linear maps, so the law is standard normal and the query has ``susceptibility`` K
    along one direction. Noise with ``noise_multiplier`` standard deviations of the gradients on the sum acts like
    noise_multiplier^2 further records. ``steps`` independent averages are pooled; the theory is paper 004 Eq. 8,
    ``StepTest(...)`` and its ``repeated(steps)``, which pooled statistics reach and pooled p-values do not.

    Raises ValueError or TypeError at construction.
    """

    dimension: Annotated[int, Interval(1, LARGEST_DIMENSION)]
    batch: Annotated[int, Interval(1, LARGEST_BATCH)]
    susceptibility: Annotated[float, Interval(1e-12, 1e12)]
    noise_multiplier: Annotated[float, Interval(0.0, 1e6)] = 0.0
    steps: Annotated[int, Interval(1, 1000)] = 1
    pooling: Pooling = Pooling.P_VALUES

    @property
    def effective_batch(self) -> float:
        """Batch size with the noise counted as records (n_eff)."""
        return self.batch + self.noise_multiplier**2

    def rounds(self, rounds: Rounds, seed: Seed) -> Generator[AuditChunk, None, None]:
        """Scores (minus log p-value) of ``rounds`` averages without and as many with the query, chunk by chunk."""
        return chunked(rounds, max(1, _DRAWS // self.dimension), seed, self._draw)

    def _draw(self, generator: np.random.Generator, size: int) -> Scores:
        separate = self.pooling is Pooling.P_VALUES
        totals = [np.zeros(size), np.zeros(size)]
        for _ in range(self.steps):
            for member in (0, 1):
                found = self._step(generator, size, member)
                totals[member] += self._log_p_value(found, 1) if separate else found
        return Scores(*(-total if separate else -self._log_p_value(total, self.steps) for total in totals))

    def _log_p_value(self, found: Floats, steps: int) -> Floats:
        """That of the sum of statistics over ``steps``."""
        return log_p_value(found, steps * self.dimension, steps * self.effective_batch * self.susceptibility)

    def _step(self, generator: np.random.Generator, size: int, member: int) -> Floats:
        # The sum of independent normal gradients and noise is normal; a member takes one record's place.
        query = np.zeros(self.dimension)
        query[0] = np.sqrt(self.susceptibility)
        averages = np.sqrt(self.effective_batch - member) * generator.standard_normal((size, self.dimension))
        averages += member * query
        averages /= self.batch
        return statistic(averages, query, self.batch, self.noise_multiplier)


def _square(vectors: Floats) -> Floats:
    """Squared L2 norm along the last axis."""
    return np.asarray(np.einsum("...i,...i->...", vectors, vectors))
