"""Models as formulas: scores, and sums of clipped per-example gradients that are never written down one by one.

A record's gradient with respect to a layer's weights is the outer product of the layer's input x and of the loss's
derivative e at its output, so its squared norm is |x|^2 |e|^2, added up over layers. Each record's e is shortened by
the same factor in all layers, and one matrix product per layer adds up the records. A constant 1 is part of every
layer's input: intercepts count in the norm.

Several models are computed at a time: weights are (models, d), each row all weights of one model.
"""

from typing import Annotated

import numpy as np

from numerics.audits.logit_space import Labels, clip_factors, score_errors
from numerics.trade_off import Floats
from numerics.validation import Interval, value

LARGEST_WIDTH = 1000


def with_constant(features: Floats) -> Floats:
    """Inputs (n, k + 1) of a model: the features and a 1."""
    return np.column_stack((features, np.ones(len(features))))


@value
class Softmax:
    """Softmax regression; for two classes logistic regression, with one column of weights (the other's are 0)."""

    @property
    def label(self) -> str:
        """Short description."""
        return "softmax regression"

    def dimension(self, features: int, classes: int) -> int:
        """Number of weights d, intercepts included."""
        return (features + 1) * _columns(classes)

    def start(self, features: int, classes: int, generator: np.random.Generator) -> Floats:
        """Weights (d,) before training: zeros, as the loss is convex."""
        return np.zeros(self.dimension(features, classes))

    def scores(self, weights: Floats, inputs: Floats) -> Floats:
        """Scores (models, n, classes), whose softmax are the probabilities.

        ``weights`` (models, d); ``inputs`` (n, k + 1) or (models, n, k + 1), the last column 1.
        """
        return _with_reference(inputs @ _matrices(weights, inputs.shape[-1]))

    def clipped_sum(self, weights: Floats, inputs: Floats, labels: Labels, taking_part: Floats, clip: float) -> Floats:
        """Sum (models, d) over records of gradients of the cross-entropy loss, norms cut to ``clip``.

        ``inputs`` (models, n, k + 1), ``labels`` (models, n); records count ``taking_part`` (models, n) times.
        """
        errors = _errors(self.scores(weights, inputs), labels)
        errors *= _factors(_squared(inputs) * _squared(errors), taking_part, clip)
        return _sum_of_products(inputs, errors)


@value
class OneHiddenLayer:
    """Network with one hidden layer of ``width`` units, tanh, and softmax on top.

    Raises ValueError (TypeError for no whole number) unless ``width`` is 1 to 1000.
    """

    width: Annotated[int, Interval(1, LARGEST_WIDTH)] = 32

    @property
    def label(self) -> str:
        return f"network with one hidden layer of {self.width} units"

    def dimension(self, features: int, classes: int) -> int:
        return (features + 1) * self.width + (self.width + 1) * _columns(classes)

    def start(self, features: int, classes: int, generator: np.random.Generator) -> Floats:
        """Normal with variance 1/(inputs of the layer), intercepts 0."""
        first = generator.standard_normal((features + 1, self.width)) / np.sqrt(features)
        second = generator.standard_normal((self.width + 1, _columns(classes))) / np.sqrt(self.width)
        first[-1] = second[-1] = 0.0
        return np.concatenate((first.ravel(), second.ravel()))

    def scores(self, weights: Floats, inputs: Floats) -> Floats:
        first, second = self._layers(weights, inputs.shape[-1])
        return _with_reference(_hidden(inputs, first) @ second)

    def clipped_sum(self, weights: Floats, inputs: Floats, labels: Labels, taking_part: Floats, clip: float) -> Floats:
        first, second = self._layers(weights, inputs.shape[-1])
        hidden = _hidden(inputs, first)
        errors = _errors(_with_reference(hidden @ second), labels)
        units = hidden[..., :-1]
        hidden_errors = errors @ second[:, :-1].swapaxes(1, 2) * (1.0 - units * units)
        squares = _squared(inputs) * _squared(hidden_errors) + _squared(hidden) * _squared(errors)
        factors = _factors(squares, taking_part, clip)
        sums = _sum_of_products(inputs, hidden_errors * factors), _sum_of_products(hidden, errors * factors)
        return np.concatenate(sums, axis=1)

    def _layers(self, weights: Floats, inputs: int) -> tuple[Floats, Floats]:
        """Weights of both layers, (models, inputs, width) and (models, width + 1, columns)."""
        first = inputs * self.width
        return _matrices(weights[:, :first], inputs), _matrices(weights[:, first:], self.width + 1)


Model = Softmax | OneHiddenLayer
"""A formula with weights, with the methods of ``Softmax``."""


def _columns(classes: int) -> int:
    return 1 if classes == 2 else classes


def _matrices(weights: Floats, inputs: int) -> Floats:
    return weights.reshape(len(weights), inputs, -1)


def _with_reference(scores: Floats) -> Floats:
    """For two classes one score is computed, and the first class's is 0."""
    return scores if scores.shape[-1] > 1 else np.concatenate((np.zeros_like(scores), scores), axis=-1)


def _hidden(inputs: Floats, first: Floats) -> Floats:
    """Outputs of the hidden layer and a 1, (models, n, width + 1)."""
    outputs = inputs @ first
    return np.concatenate((np.tanh(outputs, out=outputs), np.ones((*outputs.shape[:-1], 1))), axis=-1)


def _errors(scores: Floats, labels: Labels) -> Floats:
    """Derivatives of the loss with respect to the computed scores, (models, n, columns)."""
    errors = score_errors(scores, labels)
    return errors[..., 1:] if errors.shape[-1] == 2 else errors


def _squared(values: Floats) -> Floats:
    """Squared norms of the rows."""
    return np.einsum("...i,...i->...", values, values)


def _factors(squared_norms: Floats, taking_part: Floats, clip: float) -> Floats:
    """What each record's error is multiplied by, (models, n, 1)."""
    factors = taking_part * clip_factors(np.sqrt(squared_norms), clip) if np.isfinite(clip) else taking_part
    return factors[..., None]


def _sum_of_products(inputs: Floats, errors: Floats) -> Floats:
    """Sum over records of the outer products, flat: (models, inputs * outputs)."""
    total = inputs.swapaxes(-1, -2) @ errors
    return total.reshape(len(total), -1)
