"""Logit-space audit with shadow models: the offline attack (paper 000 Fig. 3a).

The attacker never trains with the record. Shadow models trained without it give its logit a normal law; the score of a
model under test is minus the log of the p-value P(shadow logit >= observed logit): large where the model is surer of
the record than models that never saw it.
"""

from collections.abc import Generator
from typing import Annotated, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr

from numerics.audits.rounds import AuditChunk, Draw, Rounds, Scores, chunked
from numerics.audits.softmax import Labels, Training, check_records, logits
from numerics.lazy_property import lazy_property
from numerics.trade_off import Floats
from numerics.validation import POSITIVE, Interval, PositiveProbability, Seed, value

LARGEST_SHADOWS = 100_000
# Numbers per pass over the data of all models of a chunk: 8 MB.
_NUMBERS = 1 << 20


class NormalFit(NamedTuple):
    """Normal law of one target's logit in models trained without it."""

    mean: float
    deviation: float

    @classmethod
    def of(cls, observed: Floats) -> Self:
        """Fit to the logits of shadow models; raises ValueError when they are all the same."""
        deviation = float(np.std(observed, ddof=1))
        POSITIVE.check("deviation of the shadow models' logits", deviation)
        return cls(float(np.mean(observed)), deviation)


@value(eq=False)
class OfflineAttack:
    """Offline attack on ``targets``, rows of ``features`` (n, k) and ``labels`` (n,), against noisy softmax regression.

    Every model starts from ``start`` (k, classes), zeros if not given, and trains on a random subset of the records
    other than the target, each kept with probability ``share`` (1: the attacker knows all others). Each round picks a
    target at random and trains one model without and one with it, so rounds are independent given the shadow models.
    Where the attacker does not know to which side the record moves its logit (``knows_side``), the score is how far
    the logit is from what shadow models expect: the statistic of paper 000 Lemma 4.
    A canary is made by changing the target's label beforehand. Models are functions of clipped, noisy sums, so the
    add/remove Gaussian mechanism with the training's noise multiplier and steps is a guarantee against every attack.

    Raises ValueError or TypeError at construction; also when nothing is random (no noise and a share of 1).
    """

    features: Floats
    labels: Labels
    targets: tuple[int, ...]
    training: Training
    shadows: Annotated[int, Interval(2, LARGEST_SHADOWS)] = 256
    share: PositiveProbability = 1.0
    knows_side: bool = True
    start: Floats | None = None

    def __post_init__(self) -> None:
        check_records(self.features, self.labels)
        Interval(1, len(self.labels)).check("number of targets", len(self.targets))
        if not all(0 <= target < len(self.labels) for target in self.targets):
            raise ValueError(f"targets must be rows from 0 to {len(self.labels) - 1}, got {self.targets}.")
        if self.share == 1.0 and self.training.noise_multiplier == 0.0:
            raise ValueError("share must be below 1 when noise_multiplier is 0, got 1.0: all models would be the same.")
        if self._start.shape != self._shape:
            shape = "{} features by {} classes".format(*self._shape)
            raise ValueError(f"start must be a table of {shape}, got shape {self._start.shape}.")

    def rounds(self, rounds: Rounds, seed: Seed) -> Generator[AuditChunk, None, None]:
        """Scores of ``rounds`` models without and as many with a target, chunk by chunk; first the shadow models.

        AuditChunk counts trained models; its scores are empty while shadow models are trained.
        """
        shadow_seeds = np.random.SeedSequence(seed).spawn(len(self.targets) + 1)
        before = self.shadows * len(self.targets)
        work = before + 2 * rounds
        fits = []
        for place, target in enumerate(self.targets):
            observed = []
            for step in chunked(self.shadows, self._chunk, shadow_seeds[place], self._shadow_of(target)):
                observed.append(step.null)
                yield AuditChunk(place * self.shadows + step.done, work, np.empty(0), np.empty(0))
            fits.append(NormalFit.of(np.concatenate(observed)))
        for step in chunked(rounds, self._chunk, shadow_seeds[-1], self._attack_with(fits)):
            yield step._replace(done=before + 2 * step.done, total=work)

    @property
    def _shape(self) -> tuple[int, int]:
        return self.features.shape[1], int(self.labels.max()) + 1

    @lazy_property
    def _start(self) -> Floats:
        return np.zeros(self._shape) if self.start is None else self.start

    @property
    def _chunk(self) -> int:
        return max(1, _NUMBERS // int(len(self.labels) * self._start.shape[1] + self._start.size))

    def _shadow_of(self, target: int) -> Draw:
        def draw(generator: np.random.Generator, size: int) -> Scores:
            return Scores(self._observed(generator, np.full(size, target), member=0.0), np.empty(0))

        return draw

    def _attack_with(self, fits: list[NormalFit]) -> Draw:
        mean, deviation = (np.array(values) for values in zip(*fits, strict=True))

        def draw(generator: np.random.Generator, size: int) -> Scores:
            scores = []
            for member in (0.0, 1.0):
                picked = generator.integers(len(self.targets), size=size)
                observed = self._observed(generator, np.array(self.targets)[picked], member)
                surer = (observed - mean[picked]) / deviation[picked]
                scores.append(-log_ndtr(-surer) if self.knows_side else np.abs(surer))
            return Scores(*scores)

        return draw

    def _observed(self, generator: np.random.Generator, targets: NDArray[np.int64], member: float) -> Floats:
        """Logit of each model's target (size,) in models trained without (``member`` 0) or with it (1)."""
        size = len(targets)
        taking_part = np.ones((size, len(self.labels)))
        if self.share < 1.0:
            taking_part = (generator.random(taking_part.shape) < self.share).astype(np.float64)
        taking_part[np.arange(size), targets] = member
        weights = self.training.run(self.features, self.labels, taking_part, self._start, generator)
        return logits(self.features[targets][:, None], self.labels[targets][:, None], weights)[:, 0]
