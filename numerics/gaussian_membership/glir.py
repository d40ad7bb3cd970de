"""The gradient likelihood-ratio attack (paper 004 Alg. 1): is this gradient among those averaged?"""

import numpy as np

from numerics.gaussian_membership import chi_square
from numerics.trade_off import Floats
from numerics.validation import non_negative, positive


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

    Small for members. The print has the inverse of F (correction 48). Finite however small.
    """
    positive("effective_size", effective_size)
    noncentrality = effective_size * np.asarray(susceptibility, dtype=float)
    return chi_square.log_cdf(statistic, dimension, noncentrality)


def _whitened_square(difference: Floats, covariance: Floats) -> Floats:
    """Squared length (...) of vectors (..., d) in the metric of ``covariance`` (d, d), positive definite."""
    root = np.linalg.cholesky(covariance)
    return np.asarray(np.sum(np.linalg.solve(root, difference[..., None])[..., 0] ** 2, axis=-1))
