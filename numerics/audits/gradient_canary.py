"""Gradient-space audit: noisy sums with and without a canary, a gradient of largest norm along one coordinate.

Paper 000 Figs. 3b, 5b and 6. All other records are known to the attacker and subtracted. Sampling masks the record, not
the noise (correction 14).
"""

from collections.abc import Generator
from enum import StrEnum
from typing import Annotated

import numpy as np

from numerics.audits.rounds import AuditProgress, Rounds, Scores, chunked
from numerics.mechanisms import Adjacency, SampledMechanism
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Floats
from numerics.unsupported import law_of, one_record
from numerics.validation import Interval, Seed, value

LARGEST_DIMENSION = 1_000_000
# Numbers drawn at once: 2 MB, small enough to stay near the processor and to show progress often.
_DRAWS = 1 << 18
# Numbers drawn per chunk over all steps: a fraction of a second, so that it can be stopped.
_WORK = 1 << 23
_FEWEST = 64  # rounds; fewer would leave the time to NumPy's calls
# Largest lot; it can swap two releases only if their likelihood ratios differ by less than a billionth.
_LOT = 1e-9


class Attacker(StrEnum):
    """What the attacker knows about the canary."""

    FULL_KNOWLEDGE = "knows the record"  # the DP threat model: the likelihood ratio of the canary itself
    RELAXED = "does not know the record"  # the relaxed threat model: the magnitude of the mean


@value
class Canary:
    """A canary of norm one sensitivity in ``dimension`` coordinates, all of it in the first, present in every step.

    Under replace-one adjacency it takes the place of its mirror image. The full-knowledge attacker sums the steps'
    log-likelihood ratios. The relaxed one takes the magnitude of the mean over the steps (corrections 9, 11: the direct
    mean, one common direction), in the norm of the mechanism's sensitivity; with sampling that is the power of this
    statistic, no guarantee.

    Raises ValueError (TypeError for a ``dimension`` that is no whole number) at construction: for noise that cannot be
    drawn here, for batches that are not drawn by Poisson sampling, for several dimensions of a mechanism that releases
    one number, and for the relaxed attacker under replace-one, where mirror images have the same magnitude.
    """

    mechanism: SampledMechanism
    attacker: Attacker = Attacker.FULL_KNOWLEDGE
    dimension: Annotated[int, Interval(1, LARGEST_DIMENSION)] = 1

    def __post_init__(self) -> None:
        noise = self.mechanism.noise()
        law_of(noise.standard, noise, "A planted record is")
        one_record(self.mechanism.records_per_person, "An audit by a planted record is")
        sampled_pairs(self.mechanism.pairs)  # drawn step by step: in other batches the steps of a record depend
        if self.mechanism.norm is None and self.dimension > 1:
            raise ValueError(f"dimension must be 1 for {self.mechanism.name} noise, got {self.dimension!r}.")
        if self.attacker is Attacker.RELAXED and self.mechanism.adjacency is Adjacency.REPLACE_ONE:
            raise ValueError("adjacency must be add/remove for the relaxed attacker, got replace-one.")

    def run(self, rounds: Rounds, seed: Seed) -> Generator[AuditProgress, None, None]:
        """Scores of ``rounds`` independent trainings without and as many with the canary, chunk by chunk.

        Memory does not grow with ``rounds``, nor with the number of steps. Raises ValueError unless
        1 <= rounds <= 10,000,000.
        """
        chunk = max(1, min(_DRAWS // self._width, max(_WORK // self.draws, _FEWEST)))
        return chunked(rounds, chunk, seed, self._draw)

    @property
    def draws(self) -> int:
        """Random numbers per round, in both worlds together: what the time of an audit is proportional to."""
        return 2 * self._width * self.mechanism.steps

    @property
    def norm(self) -> int:
        """Order of the norm of a record's share, and of the relaxed attacker's magnitude; any for a single number."""
        return self.mechanism.norm or 1

    @property
    def _width(self) -> int:
        # Coordinates without canary are the same noise in both worlds: they tell a full-knowledge attacker nothing.
        return self.dimension if self.attacker is Attacker.RELAXED else 1

    def _draw(self, generator: np.random.Generator, size: int) -> Scores:
        mirrored = self.mechanism.adjacency is Adjacency.REPLACE_ONE
        score = self._magnitude if self.attacker is Attacker.RELAXED else self._log_likelihood_ratio
        return Scores(score(generator, size, -1.0 if mirrored else 0.0), score(generator, size, 1.0))

    def _log_likelihood_ratio(self, generator: np.random.Generator, size: int, record: float) -> Floats:
        """Sum over the steps, (size,), for values of the canary's coordinate in sensitivity units."""
        noise, rate, total = self.mechanism.noise(), self.mechanism.sampling_rate, np.zeros(size)

        def ratio(release: Floats) -> Floats:
            loss = noise.shift_loss(release)
            return loss if rate == 1.0 else np.asarray(np.logaddexp(np.log1p(-rate), np.log(rate) + loss))

        for _ in range(self.mechanism.steps):
            release = self._step(generator, size, record)[:, 0]
            total += ratio(release)
            if self.mechanism.adjacency is Adjacency.REPLACE_ONE:
                total -= ratio(-release)
        if np.isfinite(noise.flat_beyond):
            # Such noise gives the same ratio to whole half lines: lots are drawn, or limits would span the gap.
            total += _LOT * generator.random(size)
        return total

    def _magnitude(self, generator: np.random.Generator, size: int, record: float) -> Floats:
        total = np.zeros((size, self.dimension))
        for _ in range(self.mechanism.steps):
            total += self._step(generator, size, record)
        total /= self.mechanism.steps
        return np.linalg.norm(total, ord=self.norm, axis=1)

    def _step(self, generator: np.random.Generator, size: int, record: float) -> Floats:
        """One release per round, (size, width): noise, plus the record where it takes part."""
        law = self.mechanism.noise()
        noise = law.scale * law_of(law.standard, law, "A planted record is").draw(generator, (size, self._width))
        if record:
            rate = self.mechanism.sampling_rate
            noise[:, 0] += record if rate == 1.0 else record * (generator.random(size) < rate)
        return noise
