"""Logit-space audit with shadow models: the offline attack (paper 000 Fig. 3a).

The attacker never trains with the record. Shadow models trained without it give its logit a normal law; the score of a
model under test is minus the log of the p-value P(shadow logit >= observed logit): large where the model is surer of
the record than models that never saw it.
"""

from collections.abc import Generator
from functools import partial
from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.special import log_ndtr, logsumexp

from numerics.audits.rounds import AuditProgress, Rounds, Scores, chunked
from numerics.lazy_property import lazy_property
from numerics.trade_off import Floats
from numerics.validation import POSITIVE, Interval, PositiveOrInfinite, PositiveProbability, Seed, checked, value

# Softmax regression in NumPy, many models at a time: confidences, per-example gradients and noisy training.
#
# Weights are (models, features, classes) or (features, classes); features are (records, features), a constant one among
# them if an intercept is wanted; labels are whole numbers 0 ... classes - 1.


Labels = NDArray[np.integer]
LARGEST_STEPS = 10_000
_LARGEST_CLASSES = 1000


@checked
def clip_factors(norms: Floats, clip: PositiveOrInfinite) -> Floats:
    """min(1, clip / norm), which shortens long gradients and leaves short ones (correction 49: not max)."""
    return np.minimum(1.0, clip / np.maximum(norms, np.finfo(np.float64).tiny))


def logits(features: Floats, labels: Labels, weights: Floats) -> Floats:
    """log(p / (1 - p)) of the right class's probability p; digits are kept where p is near 0 or 1."""
    return logits_of_scores(features @ weights, labels)


def logits_of_scores(scores: Floats, labels: Labels) -> Floats:
    """The same from scores (..., records, classes), which it overwrites: log(f_y / (1 - f_y)), (..., records)."""
    own = np.take_along_axis(scores, _column(labels, scores), axis=-1)[..., 0]
    np.put_along_axis(scores, _column(labels, scores), -np.inf, axis=-1)
    return own - logsumexp(scores, axis=-1)


def score_errors(scores: Floats, labels: Labels) -> Floats:
    """Derivatives of the cross-entropy loss with respect to ``scores`` (..., records, classes), of the same shape."""
    errors = np.exp(scores - scores.max(axis=-1, keepdims=True))
    errors /= errors.sum(axis=-1, keepdims=True)
    errors -= np.eye(errors.shape[-1])[labels]
    return errors


@checked
def gradients(features: Floats, labels: Labels, weights: Floats, clip: PositiveOrInfinite = np.inf) -> Floats:
    """Per-example gradients of the cross-entropy loss, (records, features * classes), L2 norms cut to ``clip``."""
    errors = _clipped_errors(features, labels, weights, clip)
    return (features[:, :, None] * errors[:, None, :]).reshape(len(features), -1)


@value
class Training:
    """Full-batch gradient descent with clipped gradients and Gaussian noise on their sum.

    The noise has ``noise_multiplier`` standard deviations in units of ``clip``, the largest L2 norm of a record's
    gradient. The ``learning_rate`` is per record: on the sum divided by the number of records handed in.

    Raises ValueError (TypeError for ``steps`` that are no whole number) at construction.
    """

    noise_multiplier: Annotated[float, Interval(0.0, 1e6)]
    steps: Annotated[int, Interval(1, LARGEST_STEPS)] = 1
    learning_rate: Annotated[float, Interval(1e-6, 1e6)] = 1.0
    clip: Annotated[float, Interval(1e-6, 1e6)] = 1.0

    def run(
        self, features: Floats, labels: Labels, taking_part: Floats, start: Floats, generator: np.random.Generator
    ) -> Floats:
        """Weights (models, features, classes) after training from ``start`` (features, classes).

        ``taking_part`` (models, records) is 1 where a model trains on a record, else 0.
        """
        weights = start[None]  # the same for all models until the first step is done
        for _ in range(self.steps):
            errors = _clipped_errors(features, labels, weights, self.clip) * taking_part[..., None]
            total = features.T @ errors
            total += self.noise_multiplier * self.clip * generator.standard_normal(total.shape)
            weights = weights - self.learning_rate / len(features) * total
        return weights


def _clipped_errors(features: Floats, labels: Labels, weights: Floats, clip: float) -> Floats:
    """Gradients with respect to the scores, (..., records, classes), scaled so that those of the weights are clipped.

    A record's gradient is the outer product of its features and its error, so its norm is the product of theirs.
    """
    errors = score_errors(features @ weights, labels)
    if np.isfinite(clip):
        norms = np.linalg.norm(errors, axis=-1) * np.linalg.norm(features, axis=1)
        errors *= clip_factors(norms, clip)[..., None]
    return errors


def _column(labels: Labels, scores: Floats) -> Labels:
    """Index of the right class, in the shape that NumPy's take_along_axis wants."""
    return np.broadcast_to(labels, scores.shape[:-1])[..., None]


LARGEST_SHADOWS = 100_000
# Numbers per pass over the data of all models of a chunk: 8 MB.
_NUMBERS = 1 << 20


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
        features, labels = self.features, self.labels
        if features.ndim != 2 or labels.shape != features.shape[:1]:
            shapes = f"{labels.shape} and {features.shape}"
            raise ValueError(f"labels must be one per row of features, got shapes {shapes}.")
        if not np.isfinite(features).all():
            raise ValueError("features must be finite, got NaN or infinity.")
        if not np.issubdtype(labels.dtype, np.integer) or not len(labels) or labels.min() < 0 or labels.max() < 1:
            raise ValueError("labels must be whole numbers from 0, of at least two classes.")
        Interval(1, _LARGEST_CLASSES).check("number of classes", int(labels.max()) + 1)
        Interval(1, len(self.labels)).check("number of targets", len(self.targets))
        if not all(0 <= target < len(self.labels) for target in self.targets):
            raise ValueError(f"targets must be rows from 0 to {len(self.labels) - 1}, got {self.targets}.")
        if self.share == 1.0 and self.training.noise_multiplier == 0.0:
            raise ValueError("share must be below 1 when noise_multiplier is 0, got 1.0: all models would be the same.")
        if self._start.shape != self._shape:
            shape = "{} features by {} classes".format(*self._shape)
            raise ValueError(f"start must be a table of {shape}, got shape {self._start.shape}.")

    def run(self, rounds: Rounds, seed: Seed) -> Generator[AuditProgress, None, None]:
        """Scores of ``rounds`` models without and as many with a target, chunk by chunk; first the shadow models.

        AuditProgress counts trained models; its scores are empty while shadow models are trained.
        """
        seeds = np.random.SeedSequence(seed).spawn(len(self.targets) + 1)
        before = self.shadows * len(self.targets)
        work = before + 2 * rounds
        fits = []
        for place, target in enumerate(self.targets):
            observed = []
            for step in chunked(self.shadows, self._chunk, seeds[place], partial(self._shadows, target)):
                observed.append(step.null)
                yield AuditProgress(place * self.shadows + step.done, work, np.empty(0), np.empty(0))
            logit = np.concatenate(observed)
            deviation = float(np.std(logit, ddof=1))
            POSITIVE.check("deviation of the shadow models' logits", deviation)
            fits.append((float(np.mean(logit)), deviation))
        for step in chunked(rounds, self._chunk, seeds[-1], partial(self._attacks, np.array(fits))):
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

    def _shadows(self, target: int, generator: np.random.Generator, size: int) -> Scores:
        return Scores(self._observed(generator, np.full(size, target), member=0.0), np.empty(0))

    def _attacks(self, fits: Floats, generator: np.random.Generator, size: int) -> Scores:
        """Scores by the normal laws of the targets' logits, means and deviations (targets, 2)."""
        scores = []
        for member in (0.0, 1.0):
            picked = generator.integers(len(self.targets), size=size)
            observed = self._observed(generator, np.array(self.targets)[picked], member)
            surer = (observed - fits[picked, 0]) / fits[picked, 1]
            scores.append(-log_ndtr(-surer) if self.knows_side else np.abs(surer))
        return Scores(*scores)

    def _observed(self, generator: np.random.Generator, targets: NDArray[np.int64], member: float) -> Floats:
        """Logit of each model's target (size,) in models trained without (``member`` 0) or with it (1)."""
        size = len(targets)
        taking_part = np.ones((size, len(self.labels)))
        if self.share < 1.0:
            taking_part = (generator.random(taking_part.shape) < self.share).astype(np.float64)
        taking_part[np.arange(size), targets] = member
        weights = self.training.run(self.features, self.labels, taking_part, self._start, generator)
        return logits(self.features[targets][:, None], self.labels[targets][:, None], weights)[:, 0]
