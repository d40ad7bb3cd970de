"""Normal approximations of paper 000 Theorem 3, for many dimensions. Neither is a bound (corrections 12, 13)."""

import numpy as np
from scipy.special import ndtr, ndtri

from numerics.trade_off import CurvePoints, Floats
from numerics.validation import NonNegative, Positive, Probabilities, checked


@checked
def scaled(alpha: Probabilities, noncentrality: NonNegative, dimension: Positive) -> CurvePoints:
    """Phi((z - kappa/sqrt(2d)) / sqrt(1 + 2 kappa/d)): both laws of the squared distance taken for normal."""
    spread = np.sqrt(1.0 + 2.0 * noncentrality / dimension)
    return _corners(alpha, (-ndtri(alpha) - noncentrality / np.sqrt(2.0 * dimension)) / spread)


@checked
def shifted(alpha: Probabilities, noncentrality: NonNegative, dimension: Positive) -> CurvePoints:
    """Phi(z - kappa/sqrt(2d)): of equal variance besides, so that the curve is that of a normal shift."""
    return _corners(alpha, -ndtri(alpha) - noncentrality / np.sqrt(2.0 * dimension))


def _corners(alpha: Floats, height: Floats) -> CurvePoints:
    return CurvePoints(alpha, np.asarray(ndtr(height)), np.asarray(ndtr(-height)))
