"""Averages over a law by the trapezoidal rule in normal scores, in which smooth integrands converge geometrically."""

from typing import NamedTuple

import numpy as np
from scipy.special import betainccinv, betaincinv, ndtr

from numerics.trade_off import Floats


class NormalScores(NamedTuple):
    """Even normal scores (s,) from minus ``farthest`` on, and their weights."""

    scores: Floats
    weights: Floats


def normal_scores(step: float, farthest: float) -> NormalScores:
    """Scores ``step`` apart, up to ``farthest`` on either side."""
    scores = np.arange(-farthest, farthest + step / 2, step)
    return NormalScores(scores, step * np.exp(-0.5 * scores**2) / np.sqrt(2.0 * np.pi))


def beta_quantiles(a: Floats, b: Floats, scores: Floats) -> Floats:
    """Quantiles (k, s) of beta laws (k,) at ascending normal ``scores`` (s,), each half from its own tail."""
    a, b = a[:, None], b[:, None]
    lower = betaincinv(a, b, ndtr(scores[scores < 0.0]))
    upper = betainccinv(a, b, ndtr(-scores[scores >= 0.0]))
    return np.concatenate([lower, upper], axis=1, dtype=float)
