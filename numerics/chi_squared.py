"""Central and noncentral chi-squared laws with 1 to 10^10 degrees of freedom, each tail to its own digits.

``noncentral_tails`` sums the mixture of central laws: 13 digits, 10 to 30 microseconds a value, tails down to 1e-290.
``log_tails`` and what rests on it are for many values: SciPy's series where it holds, that mixture where the series
underflows, and the saddlepoint formula of Lugannani and Rice (1980) for large parameters, whose error falls with the
skewness to the fourth power, and for tails below 1e-290.
"""

import numpy as np
import scipy
from numpy.typing import ArrayLike
from scipy.special import (
    erfc,
    gammainc,
    gammaincc,
    gammainccinv,
    gammaincinv,
    gammaln,
    log_ndtr,
    ndtr,
    ndtri,
    ndtri_exp,
)

from numerics.trade_off import Floats

# From this mean on ``log_tails`` takes the saddlepoint: its relative error is below 1e-8.
LARGE = 2e5
# The series underflows in the middle of its computation, the mixture only with the tail itself.
_SMALLEST_OF_SERIES, _SMALLEST_OF_MIXTURE = 1e-100, 1e-290
_SMALLEST_X = 1e-60  # its powers, times any parameter's, still fit float64
_SMALLEST_MEAN = 1e-300  # stands for a noncentrality of 0 among others
_NEAR_MEAN = 1e-3  # in standard deviations: there the saddlepoint's correction is its limit, a sixth of the skewness
_NEWTON_STEPS = 6
_SERIES = 1e-2

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


def _lower(shape: Floats, x: Floats) -> Floats:
    """P(Gamma < x) for any ``shape`` and ``x`` that broadcast against each other.

    By Temme's expansion far below the mean of a large shape; relative error about 1e-10.
    """
    shape, x = np.broadcast_arrays(shape, x)
    lower = np.asarray(gammainc(shape, x))
    far = (shape > _LARGE_SHAPE) & (x - shape < _FAR_BELOW * np.sqrt(shape))
    if np.any(far):
        a = shape[far]
        excess = x[far] / a - 1.0
        eta = -np.sqrt(2.0 * np.maximum(excess - np.log1p(excess), 0.0))
        series = np.polyval(_TEMME[0][::-1], eta) + np.polyval(_TEMME[1][::-1], eta) / a
        density = np.exp(-0.5 * a * eta**2) / np.sqrt(2.0 * np.pi * a)
        lower[far] = 0.5 * erfc(-eta * np.sqrt(0.5 * a)) - density * series
    return lower


def central_tails(degrees: float, critical: Floats) -> tuple[Floats, Floats]:
    """P(X > c) and P(X < c) at ``critical`` (n,) for X chi-squared."""
    shape, x = 0.5 * degrees, 0.5 * critical
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
        critical = critical + (z - deviate(*central_tails(degrees, critical))) * np.sqrt(2.0 * degrees)
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


def noncentral_tails(degrees: float, noncentrality: Floats | float, critical: Floats) -> tuple[Floats, Floats]:
    """P(X > c) and P(X < c) at ``critical`` (n,) for X noncentral chi-squared; ``noncentrality`` is one or (n,).

    A Poisson mixture of central laws. The sum runs around the peak of its terms at c (where the saddle point
    u = 2c / (d + sqrt(d^2 + 4 kappa c)) tilts the Poisson mean to kappa u / 2), in strides of half its width: for a
    smooth summand that is as good as every term.
    """
    if not np.any(noncentrality):
        return central_tails(degrees, critical)
    mean = np.broadcast_to(np.maximum(0.5 * np.asarray(noncentrality), _SMALLEST_MEAN), critical.shape)
    tilt = 2.0 * critical / (degrees + np.sqrt(degrees**2 + 8.0 * mean * critical))
    centre = mean * tilt
    stride = np.maximum(np.floor(0.5 * np.sqrt(centre)), 1.0)
    first = np.maximum(np.floor(centre) - _ARM * stride, 0.0)
    last = np.max((centre + _REACH * np.sqrt(centre) + _FEW - first) / stride)
    k = first[:, None] + stride[:, None] * np.arange(int(min(last, 2.0 * _ARM)) + 1)
    weight = stride[:, None] * np.exp(_log_poisson(k, mean[:, None]))
    rare_above = critical > degrees + 2.0 * mean
    shape, half = 0.5 * degrees + k, 0.5 * critical[:, None]
    rare = np.empty(critical.shape)
    for rows, tail in ((rare_above, gammaincc), (~rare_above, _lower)):
        terms: Floats = weight[rows] * tail(shape[rows], half[rows])
        rare[rows] = np.minimum(terms.sum(axis=1), 1.0)
    return np.where(rare_above, rare, 1.0 - rare), np.where(rare_above, 1.0 - rare, rare)


def cdf(x: ArrayLike, degrees: float, noncentrality: ArrayLike) -> Floats:
    """Chance (...) of at most ``x``."""
    return np.exp(log_tails(x, degrees, noncentrality)[1])


def sf(x: ArrayLike, degrees: float, noncentrality: ArrayLike) -> Floats:
    """Chance (...) of more than ``x``."""
    return np.exp(log_tails(x, degrees, noncentrality)[0])


def log_tails(x: ArrayLike, degrees: float, noncentrality: ArrayLike) -> tuple[Floats, Floats]:
    """Logarithms (...) of the chances of more and of less than ``x``; finite for every positive finite x.

    The relative error of the chances is below 1e-8, or below 20 % where they are below 1e-290.
    """
    x, nc = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(noncentrality, dtype=float))
    above = x > degrees + nc
    rare = np.full(x.shape, -np.inf)  # as it is at 0 and at infinity
    for upper, side in ((True, above), (False, ~above)):
        inside = side & (x > 0.0) & np.isfinite(x)
        rare[inside] = _log_rare(x[inside], degrees, nc[inside], upper)
    other = np.log1p(-np.exp(rare))
    return np.where(above, rare, other), np.where(above, other, rare)


def quantile(chance: Floats, degrees: float, noncentrality: float) -> Floats:
    """The x (n,) that is exceeded with all but ``chance`` (n,), strictly between 0 and 1."""
    if degrees + noncentrality < LARGE:
        return scipy.stats.ncx2.ppf(chance, degrees, noncentrality)
    z = ndtri(chance)
    mean, spread = degrees + noncentrality, np.sqrt(2.0 * degrees + 4.0 * noncentrality)
    x = np.asarray(mean + spread * z)
    for _ in range(_NEWTON_STEPS):
        upper, lower = log_tails(x, degrees, noncentrality)
        score = np.where(lower < upper, ndtri_exp(lower), -ndtri_exp(upper))
        x = np.maximum(x + spread * (z - score), 0.5 * x)
    return x


def _log_rare(x: Floats, degrees: float, nc: Floats, upper: bool) -> Floats:
    """Logarithm (n,) of the tail beyond ``x`` (n,) > 0 on the side of the mean where x lies."""
    small = np.flatnonzero(degrees + nc < LARGE)
    chance = np.asarray((scipy.stats.ncx2.sf if upper else scipy.stats.ncx2.cdf)(x[small], degrees, nc[small]))
    lost = chance <= _SMALLEST_OF_SERIES
    chance[lost] = noncentral_tails(degrees, nc[small[lost]], x[small[lost]])[0 if upper else 1]
    known = chance > _SMALLEST_OF_MIXTURE
    tail, rest = np.empty(x.shape), np.ones(x.shape, dtype=bool)
    tail[small[known]], rest[small[known]] = np.log(chance[known]), False
    tail[rest] = _saddlepoint(x[rest], degrees, nc[rest], upper)
    return tail


def _saddlepoint(x: Floats, degrees: float, nc: Floats, upper: bool) -> Floats:
    """Logarithm (n,) of either tail at ``x`` (n,) > 0.

    With cumulant function K(t) = lambda t / u - d/2 log(u), u = 1 - 2 t, the saddlepoint solves K'(t) = x; all is
    expressed by e = u - 1, so that nothing cancels where x is close to the mean.
    """
    x, d = np.maximum(x, _SMALLEST_X), degrees
    slope, root = 2.0 * x - d, np.sqrt(d * d + 4.0 * x * nc)
    e = np.where(slope < 0.0, (root - slope) / (2.0 * x), 2.0 * (d + nc - x) / (np.maximum(slope, 0.0) + root))
    u, k = 1.0 + e, np.arange(2, 9)
    # Log(1 + e) - e / (1 + e), which is e^2/2 - 2 e^3/3 + 3 e^4/4 ... near 0.
    powers = np.where(np.abs(e) < _SERIES, e, 0.0)[..., None] ** k
    log_excess = np.where(
        np.abs(e) < _SERIES, np.sum((-1.0) ** k * (k - 1) / k * powers, axis=-1), np.log1p(e) - e / (1.0 + e)
    )
    w = -np.sign(e) * np.sqrt(d * log_excess + nc * (e / u) ** 2)
    v = -0.5 * e * np.sqrt(2.0 * d / u**2 + 4.0 * nc / u**3)
    near = np.abs(w) < _NEAR_MEAN
    limit = (8.0 * d + 24.0 * nc) / (6.0 * (2.0 * d + 4.0 * nc) ** 1.5)
    correction = np.where(near, limit, 1.0 / np.where(near, 1.0, w) - 1.0 / np.where(near, 1.0, v))
    side, sign = (-w, -1.0) if upper else (w, 1.0)
    normal = log_ndtr(side)
    ratio = np.exp(-0.5 * w * w - 0.5 * np.log(2.0 * np.pi) - normal)
    return np.minimum(normal + np.log1p(sign * ratio * correction), 0.0)
