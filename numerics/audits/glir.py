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
from scipy.special import gammainc, gammaincc

from numerics.audits.logit_space import clip_factors
from numerics.audits.rounds import AuditProgress, Rounds, Scores, chunked, in_both_worlds
from numerics.chi_squared import log_tails
from numerics.trade_off import Floats
from numerics.validation import (
    Interval,
    NonNegative,
    PositiveCount,
    PositiveOrInfinite,
    Probability,
    Seed,
    checked,
    value,
)

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
    apart = batch * averages - effective * queries
    return np.einsum("...i,...i->...", apart, apart) / effective


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
        return (gradients - self.mean) @ self.whitening


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

    def run(self, rounds: Rounds, seed: Seed) -> Generator[AuditProgress, None, None]:
        """Scores (minus log p-value) of ``rounds`` averages without and as many with the query, chunk by chunk."""
        return chunked(rounds, max(1, _DRAWS // self.dimension), seed, self._draw)

    def _draw(self, generator: np.random.Generator, size: int) -> Scores:
        separate, effective = self.pooling is Pooling.P_VALUES, self.effective_batch
        query = np.zeros(self.dimension)
        query[0] = np.sqrt(self.susceptibility)

        def log_p(found: Floats, steps: int) -> Floats:  # of the sum of statistics over steps
            return log_p_value(found, steps * self.dimension, steps * effective * self.susceptibility)

        totals = [np.zeros(size), np.zeros(size)]
        for _ in range(self.steps):
            for member in (0, 1):
                # The sum of independent normal gradients and noise is normal; a member takes one record's place.
                averages = np.sqrt(effective - member) * generator.standard_normal((size, self.dimension))
                averages += member * query
                averages /= self.batch
                found = statistic(averages, query, self.batch, self.noise_multiplier)
                totals[member] += log_p(found, 1) if separate else found
        return Scores(*(-total if separate else -log_p(total, self.steps) for total in totals))


# GLiR where the theory's law of gradients does not hold: other laws and clipping (paper 004 Fig. 4).
#
# Every gradient of a batch is drawn by itself, the attacker knows mean and covariance of their law after clipping, and
# the query is one more draw: its susceptibility K varies around d, which the plug-in K = d leaves out.


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

    def run(self, rounds: Rounds, seed: Seed) -> Generator[AuditProgress, None, None]:
        """Scores (minus log p-value) of ``rounds`` means without and as many with their query, chunk by chunk."""
        deviation = float(np.sqrt(self.variance))

        def score(generator: np.random.Generator, size: int, member: int) -> Floats:
            drawn = self.gradients(generator, size * (self.batch + 1)).reshape(size, self.batch + 1, self.dimension)
            drawn /= deviation
            queries = drawn[:, -1]
            averages = drawn[:, member : self.batch + member].mean(axis=1)
            susceptibility = np.einsum("ij,ij->i", queries, queries)
            return -log_p_value(statistic(averages, queries, self.batch), self.dimension, self.batch * susceptibility)

        return chunked(rounds, max(1, _DRAWS // (self.dimension * (self.batch + 1))), seed, in_both_worlds(score))

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
        return drawn * clip_factors(lengths, self.clip * float(np.sqrt(self.dimension)))[:, None]


# GLiR on gradients of a real model, of one step or of several that see the same batch (paper 004 Fig. 2b and 2c).
#
# The theory takes gradients for normal and the steps' averages for independent. Real gradients are not, so expect
# curves on the weak side of Eq. 8; and a real model takes full batches of the same records, whose gradients change
# little from step to step, so more steps tell hardly more than one, whatever the theory promises.


@value(eq=False)
class RealGradients:
    """``populations``: gradients (records, p) of the same records at every step; ``backgrounds``: one for each.

    Each round draws a query and a ``batch`` of n other records, all different and the same ones in all steps; with the
    query it takes the place of one of them. Rounds are independent given the populations, which should be much larger
    than a batch: records drawn without replacement vary less than the theory's independent ones. The attacker's
    backgrounds are estimated from other records.

    Raises ValueError for tables of different shapes or without the backgrounds' columns, unless there are as many
    backgrounds as steps, and for a batch of everybody.
    """

    populations: tuple[Floats, ...]
    backgrounds: tuple[Background, ...]
    batch: int

    def __post_init__(self) -> None:
        Interval(1, 1000).check("number of steps", len(self.populations))
        if len(self.populations) != len(self.backgrounds):
            raise ValueError(
                f"backgrounds must be as many as steps ({len(self.populations)}), got {len(self.backgrounds)}."
            )
        shapes = {population.shape for population in self.populations}
        if len(shapes) != 1 or self.populations[0].ndim != 2:
            raise ValueError(f"populations must be tables of one shape, got {sorted(shapes)}.")
        (shape,) = shapes
        if any(background.mean.shape != shape[1:] for background in self.backgrounds):
            raise ValueError(f"populations must have the background's columns, got shape {shape}.")
        Interval(1, shape[0] - 1).check("batch", self.batch)

    def run(self, rounds: Rounds, seed: Seed) -> Generator[AuditProgress, None, None]:
        """Scores of ``rounds`` batches without and as many with their query, chunk by chunk.

        Of several steps minus the sum of log p-values, as printed; of one minus the log odds of the p-value, which is
        the same test without ties close to 1.
        """
        pairs = zip(self.backgrounds, self.populations, strict=True)
        whitened = [background.whitened(population) for background, population in pairs]
        records, batch = len(whitened[0]), self.batch

        def score(generator: np.random.Generator, size: int, member: int) -> Floats:
            # The records with the smallest of random marks are a draw without replacement; the last one is the query.
            drawn = np.argpartition(generator.random((size, records)), batch, axis=1)[:, : batch + 1]
            taken = np.zeros((size, records))
            np.put_along_axis(taken, drawn[:, member : batch + member], 1.0, axis=1)
            tails = []
            for gradients in whitened:
                queries = gradients[drawn[:, -1]]
                susceptibility = np.einsum("ij,ij->i", queries, queries)
                found = statistic(taken @ gradients / batch, queries, batch)
                tails.append(log_tails(found, queries.shape[1], batch * susceptibility))
            if len(tails) == 1:
                return tails[0][0] - tails[0][1]
            return -np.sum([lower for _, lower in tails], axis=0)

        chunk = max(1, _DRAWS // (records + 2 * max(each.shape[1] for each in whitened)))
        return chunked(rounds, chunk, seed, in_both_worlds(score))
