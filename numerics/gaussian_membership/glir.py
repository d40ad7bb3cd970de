"""The gradient likelihood-ratio attack (paper 004 Alg. 1): is this gradient among those averaged?"""

import numpy as np
from scipy.special import log_ndtr
from scipy.stats import ncx2

from numerics.trade_off import Floats
from numerics.validation import non_negative, positive

# Below this a chance is found from its logarithm.
_SMALLEST_CHANCE = 1e-280


def clipped(gradients: Floats, norm: float) -> Floats:
    """Gradients (..., d) scaled down to length ``norm`` where longer.

    By the factor min(1, C/||g||); the paper prints max (correction 49).
    """
    positive("norm", norm)
    length = np.linalg.norm(gradients, axis=-1, keepdims=True)
    return np.asarray(gradients * (norm / np.maximum(length, norm)))


def susceptibility(target: Floats, mean: Floats, covariance: Floats) -> Floats:
    """K (...): squared length of ``target`` (..., d), *centred* by ``mean`` (d,) and whitened (correction 45)."""
    return _whitened_square(target - mean, covariance)


def statistic(released: Floats, target: Floats, mean: Floats, covariance: Floats, batch: tuple[int, float]) -> Floats:
    """The statistic S (...), small for members, of a ``released`` mean gradient (..., d) and a ``target`` (..., d).

    ``batch`` is the batch size n and the noise multiplier s. Without noise S = n (m - theta)' Sigma^-1 (m - theta); the
    paper prints n - 1, with which the p-values are wrong (correction 47). With noise, which is taken to have the shape
    of the gradients' covariance, (n (m - mean) - n_eff (theta - mean))' Sigma^-1 (...) / n_eff with n_eff = n + s^2.
    """
    size, noise = batch
    positive("batch size", size)
    non_negative("noise multiplier", noise)
    effective = size + noise**2
    return _whitened_square(size * (released - mean) - effective * (target - mean), covariance) / effective


def log_p_value(statistic: Floats, effective_size: float, dimension: int, susceptibility: Floats) -> Floats:
    """Logarithm (...) of the chance that a non-member has a statistic as small: log F of chi-square (d, n_eff K).

    Small for members. The print has the inverse of F (correction 48). Chances below 1e-280 are estimated by a
    saddlepoint, to about 1 % of the chance.
    """
    positive("effective_size", effective_size)
    noncentrality = np.asarray(effective_size * np.asarray(susceptibility, dtype=float))
    x = np.asarray(statistic, dtype=float)
    chance = np.asarray(ncx2.cdf(x, dimension, noncentrality))
    tiny = chance < _SMALLEST_CHANCE
    far = _log_lower_tail(np.where(tiny, np.maximum(x, 1e-300), 1.0), dimension, np.where(tiny, noncentrality, 1e6))
    return np.where(tiny, far, np.log(np.where(tiny, 1.0, chance)))


def _log_lower_tail(x: Floats, dimension: int, noncentrality: Floats) -> Floats:
    """Log of the lower tail far below the mean, by the saddlepoint formula of Lugannani and Rice (1980)."""
    root = (dimension + np.sqrt(dimension**2 + 4.0 * x * noncentrality)) / (2.0 * x)  # 1 - 2 t at the saddlepoint t < 0
    t = 0.5 * (1.0 - root)
    cumulant = noncentrality * t / root - 0.5 * dimension * np.log(root)
    w = -np.sqrt(2.0 * (t * x - cumulant))
    v = t * np.sqrt(2.0 * dimension / root**2 + 4.0 * noncentrality / root**3)
    density_ratio = np.exp(-0.5 * w * w - 0.5 * np.log(2.0 * np.pi) - log_ndtr(w))
    return np.asarray(log_ndtr(w) + np.log1p(density_ratio * (1.0 / w - 1.0 / v)))


def _whitened_square(difference: Floats, covariance: Floats) -> Floats:
    """Squared length (...) of vectors (..., d) in the metric of ``covariance`` (d, d), positive definite."""
    root = np.linalg.cholesky(covariance)
    return np.asarray(np.sum(np.linalg.solve(root, difference[..., None])[..., 0] ** 2, axis=-1))
