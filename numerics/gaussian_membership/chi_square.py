"""The noncentral chi-square distribution, also where its parameters are huge or its tails tiny.

Sums of series are exact but slow, and fail, for large parameters. There the saddlepoint formula of Lugannani and Rice
(1980) is as good as exact: its error falls with the skewness to the fourth power.
"""

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import log_ndtr, ndtri, ndtri_exp
from scipy.stats import ncx2

from numerics.trade_off import Floats

# From this mean on the saddlepoint is used: its relative error is below 1e-8 in both tails.
LARGE = 2e5
# Below this the series underflows in the middle of its computation; the saddlepoint's logarithm is good to 0.1 % there.
_SMALLEST_CHANCE = 1e-100
_NEAR_MEAN = 1e-3  # in standard deviations: there the correction is its limit, a sixth of the skewness
_NEWTON_STEPS = 6


def cdf(x: ArrayLike, dimension: float, noncentrality: ArrayLike) -> Floats:
    """Chance (...) of at most ``x``."""
    return np.asarray(np.exp(log_cdf(x, dimension, noncentrality)))


def log_cdf(x: ArrayLike, dimension: float, noncentrality: ArrayLike) -> Floats:
    """Logarithm (...) of the chance of at most ``x``; finite for every positive x."""
    return _log_tail(x, dimension, noncentrality, upper=False)


def sf(x: ArrayLike, dimension: float, noncentrality: ArrayLike) -> Floats:
    """Chance (...) of more than ``x``."""
    return np.asarray(np.exp(_log_tail(x, dimension, noncentrality, upper=True)))


def quantile(chance: Floats, dimension: float, noncentrality: float) -> Floats:
    """The x (n,) that is exceeded with all but ``chance`` (n,), strictly between 0 and 1."""
    if dimension + noncentrality < LARGE:
        return np.asarray(ncx2.ppf(chance, dimension, noncentrality))
    z = ndtri(chance)
    mean, spread = dimension + noncentrality, np.sqrt(2.0 * dimension + 4.0 * noncentrality)
    nc = np.full_like(z, noncentrality)
    x = mean + spread * z
    for _ in range(_NEWTON_STEPS):
        lower, higher = (_saddlepoint(x, dimension, nc, upper) for upper in (False, True))
        score = np.where(lower < higher, ndtri_exp(lower), -ndtri_exp(higher))
        x = np.maximum(x + spread * (z - score), 0.5 * x)
    return np.asarray(x)


def _log_tail(x: ArrayLike, dimension: float, noncentrality: ArrayLike, upper: bool) -> Floats:
    x, nc = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(noncentrality, dtype=float))
    inside = (x > 0.0) & np.isfinite(x)
    small = inside & (dimension + nc < LARGE)
    chance = np.zeros(x.shape)
    chance[small] = (ncx2.sf if upper else ncx2.cdf)(x[small], dimension, nc[small])
    tail = np.full(x.shape, -np.inf)
    tail[(x <= 0.0) if upper else (x == np.inf)] = 0.0
    series = chance > _SMALLEST_CHANCE
    tail[series] = np.log(chance[series])
    rest = inside & ~series
    tail[rest] = _saddlepoint(x[rest], dimension, nc[rest], upper)
    return tail


def _saddlepoint(x: Floats, dimension: float, noncentrality: Floats, upper: bool) -> Floats:
    """Logarithm (n,) of either tail at ``x`` (n,) > 0.

    With cumulant function K(t) = lambda t / u - d/2 log(u), u = 1 - 2 t, the saddlepoint solves K'(t) = x; all is
    expressed by e = u - 1, so that nothing cancels where x is close to the mean.
    """
    d, nc = dimension, noncentrality
    slope = 2.0 * x - d
    e = 2.0 * (d + nc - x) / (slope + np.sqrt(d * d + 4.0 * x * nc))
    u = 1.0 + e
    w = -np.sign(e) * np.sqrt(d * _log_excess(e) + nc * (e / u) ** 2)
    v = -0.5 * e * np.sqrt(2.0 * d / u**2 + 4.0 * nc / u**3)
    near = np.abs(w) < _NEAR_MEAN
    limit = (8.0 * d + 24.0 * nc) / (6.0 * (2.0 * d + 4.0 * nc) ** 1.5)
    correction = np.where(near, limit, 1.0 / np.where(near, 1.0, w) - 1.0 / np.where(near, 1.0, v))
    side, sign = (-w, -1.0) if upper else (w, 1.0)
    normal = log_ndtr(side)
    ratio = np.exp(-0.5 * w * w - 0.5 * np.log(2.0 * np.pi) - normal)
    return np.asarray(np.minimum(normal + np.log1p(sign * ratio * correction), 0.0))


def _log_excess(e: Floats) -> Floats:
    """Log(1 + e) - e / (1 + e), which is e^2/2 - 2 e^3/3 + 3 e^4/4 ... near 0."""
    near = np.abs(e) < 1e-2
    powers = np.where(near, e, 0.0)[..., None] ** np.arange(2, 9)
    k = np.arange(2, 9)
    series = np.sum((-1.0) ** k * (k - 1) / k * powers, axis=-1)
    return np.where(near, series, np.log1p(e) - e / (1.0 + e))
