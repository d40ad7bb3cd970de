"""Tails of central and noncentral chi-squared laws with 1 to 10^10 degrees of freedom, each to its own digits."""

import numpy as np
from scipy.special import erfc, gammainc, gammaincc, gammainccinv, gammaincinv, gammaln, ndtr, ndtri

from numerics.trade_off import Floats

# From here the series of the lower tail of the incomplete gamma function in SciPy stops before it converges.
_LARGE_SHAPE, _FAR_BELOW = 2e4, -3.5
# Taylor coefficients of the first two terms of Temme's uniform expansion (DLMF 8.12.11).
_TEMME = (
    (-1.0 / 3.0, 1.0 / 12.0, -2.0 / 135.0, 1.0 / 864.0, 1.0 / 2835.0, -139.0 / 777600.0),
    (-1.0 / 540.0, -1.0 / 288.0, 1.0 / 378.0),
)
_ARM = 40  # terms of the Poisson sum on either side of its peak
_REACH, _FEW = 9.0, 16.0  # terms further than 9 standard deviations and 16 terms above the peak are left out
_STIRLING_FROM = 30.0
_REFINEMENTS = 4


def _temme_lower(shape: Floats, x: Floats) -> Floats:
    """Lower incomplete gamma ratio far below the mean of a large ``shape``; relative error about 1e-10."""
    excess = x / shape - 1.0
    eta = -np.sqrt(2.0 * np.maximum(excess - np.log1p(excess), 0.0))
    series = np.polyval(_TEMME[0][::-1], eta) + np.polyval(_TEMME[1][::-1], eta) / shape
    density = np.exp(-0.5 * shape * eta**2) / np.sqrt(2.0 * np.pi * shape)
    lower: Floats = 0.5 * erfc(-eta * np.sqrt(0.5 * shape)) - density * series
    return lower


def _lower(shape: Floats, x: Floats) -> Floats:
    """P(Gamma < x) for any ``shape`` and ``x`` that broadcast against each other."""
    shape, x = np.broadcast_arrays(shape, x)
    lower = np.asarray(gammainc(shape, x))
    far = (shape > _LARGE_SHAPE) & (x - shape < _FAR_BELOW * np.sqrt(shape))
    if np.any(far):
        lower[far] = _temme_lower(shape[far], x[far])
    return lower


def gamma_tails(shape: float, x: Floats) -> tuple[Floats, Floats]:
    """P(Gamma > x) and P(Gamma < x) at ``x`` (n,)."""
    upper, lower = np.asarray(gammaincc(shape, x)), _lower(np.asarray(shape), x)
    return np.where(upper < 0.5, upper, 1.0 - lower), lower


def chi_squared_quantile(degrees: float, z: Floats) -> Floats:
    """Critical values c (n,) at which P(chi^2 > c) = P(Z > z)."""
    shape = 0.5 * degrees
    if shape <= _LARGE_SHAPE:
        below = 2.0 * gammaincinv(shape, ndtr(np.minimum(z, 0.0)))
        return np.where(z > 0.0, 2.0 * gammainccinv(shape, ndtr(-np.maximum(z, 0.0))), below)
    spread = 2.0 / (9.0 * degrees)
    critical: Floats = degrees * (1.0 - spread + z * np.sqrt(spread)) ** 3  # Wilson and Hilferty
    for _ in range(_REFINEMENTS):
        critical = critical + (z - deviate(*gamma_tails(shape, 0.5 * critical))) * np.sqrt(2.0 * degrees)
    return critical


def deviate(upper: Floats, lower: Floats) -> Floats:
    """The z with P(Z > z) = ``upper`` and P(Z < z) = ``lower``, from the smaller of the two."""
    return np.where(upper < 0.5, -ndtri(upper), ndtri(lower))


def _log_poisson(k: Floats, mean: Floats | float) -> Floats:
    """Log of the Poisson probability of ``k``, without the cancellation of large terms."""
    large = np.maximum(k, _STIRLING_FROM)
    excess = (large - mean) / mean
    stirling = (1.0 / 12.0 - (1.0 / 360.0 - 1.0 / (1260.0 * large**2)) / large**2) / large
    entropy = mean * ((1.0 + excess) * np.log1p(excess) - excess)
    near = -entropy - stirling - 0.5 * np.log(2.0 * np.pi * large)
    return np.where(k >= _STIRLING_FROM, near, k * np.log(mean) - mean - gammaln(k + 1.0))


def noncentral_tails(degrees: float, noncentrality: float, critical: Floats) -> tuple[Floats, Floats]:
    """P(X > c) and P(X < c) at ``critical`` (n,) for X noncentral chi-squared.

    A Poisson mixture of central laws. The sum runs around the peak of its terms at c (where the saddle point
    u = 2c / (d + sqrt(d^2 + 4 kappa c)) tilts the Poisson mean to kappa u / 2), in strides of half its width: for a
    smooth summand that is as good as every term.
    """
    if noncentrality == 0.0:
        return gamma_tails(0.5 * degrees, 0.5 * critical)
    mean = 0.5 * noncentrality
    tilt = 2.0 * critical / (degrees + np.sqrt(degrees**2 + 4.0 * noncentrality * critical))
    centre = mean * tilt
    stride = np.maximum(np.floor(0.5 * np.sqrt(centre)), 1.0)
    first = np.maximum(np.floor(centre) - _ARM * stride, 0.0)
    last = np.max((centre + _REACH * np.sqrt(centre) + _FEW - first) / stride)
    k = first[:, None] + stride[:, None] * np.arange(int(min(last, 2.0 * _ARM)) + 1)
    weight = stride[:, None] * np.exp(_log_poisson(k, mean))
    rare_above = critical > degrees + noncentrality
    shape, half = 0.5 * degrees + k, 0.5 * critical[:, None]
    rare = np.empty(critical.shape)
    for rows, tail in ((rare_above, gammaincc), (~rare_above, _lower)):
        rare[rows] = np.minimum(np.sum(weight[rows] * tail(shape[rows], half[rows]), axis=1), 1.0)
    return np.where(rare_above, rare, 1.0 - rare), np.where(rare_above, 1.0 - rare, rare)
