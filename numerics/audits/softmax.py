"""Softmax regression in NumPy, many models at a time: confidences, per-example gradients and noisy training.

Weights are (models, features, classes) or (features, classes); features are (records, features), a constant one among
them if an intercept is wanted; labels are whole numbers 0 ... classes - 1.
"""

from typing import Annotated

import numpy as np
from numpy.typing import NDArray
from scipy.special import logsumexp

from numerics.trade_off import Floats
from numerics.validation import Interval, PositiveOrInfinite, checked, value

Labels = NDArray[np.integer]
LARGEST_STEPS = 10_000
_LARGEST_CLASSES = 1000


def check_records(features: Floats, labels: Labels) -> None:
    """Raise ValueError unless features are a finite (n, k) and labels whole numbers (n,) from 0, two kinds or more."""
    if features.ndim != 2 or labels.shape != features.shape[:1]:
        raise ValueError(f"labels must be one per row of features, got shapes {labels.shape} and {features.shape}.")
    if not np.isfinite(features).all():
        raise ValueError("features must be finite, got NaN or infinity.")
    if not np.issubdtype(labels.dtype, np.integer) or not len(labels) or labels.min() < 0 or labels.max() < 1:
        raise ValueError("labels must be whole numbers from 0, of at least two classes.")
    Interval(1, _LARGEST_CLASSES).check("number of classes", int(labels.max()) + 1)


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
    return np.asarray(own - logsumexp(scores, axis=-1))


def score_errors(scores: Floats, labels: Labels) -> Floats:
    """Derivatives of the cross-entropy loss with respect to ``scores`` (..., records, classes), of the same shape."""
    errors = np.exp(scores - scores.max(axis=-1, keepdims=True))
    errors /= errors.sum(axis=-1, keepdims=True)
    errors -= np.eye(errors.shape[-1])[labels]
    return np.asarray(errors)


@checked
def gradients(features: Floats, labels: Labels, weights: Floats, clip: PositiveOrInfinite = np.inf) -> Floats:
    """Per-example gradients of the cross-entropy loss, (records, features * classes), L2 norms cut to ``clip``."""
    errors = _clipped_errors(features, labels, weights, clip)
    return np.asarray((features[:, :, None] * errors[:, None, :]).reshape(len(features), -1))


@value
class Training:
    """Full-batch gradient descent with clipped gradients and Gaussian noise on their sum.

    Attributes:
        noise_multiplier: standard deviation of the noise on the sum, in units of ``clip``; 0 for none.
        steps: passes over the data.
        learning_rate: step length per record, on the sum divided by the number of records handed in.
        clip: largest L2 norm of a record's gradient.

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
    return np.asarray(errors)


def _column(labels: Labels, scores: Floats) -> Labels:
    """Index of the right class, in the shape that NumPy's take_along_axis wants."""
    return np.broadcast_to(labels, scores.shape[:-1])[..., None]
