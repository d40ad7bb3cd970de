"""A trade-off curve known at many thresholds of a test, read at any false positive rate and in any order."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import ndtr

from numerics.chi_squared import deviate
from numerics.privacy_loss.bounds import Polyline
from numerics.trade_off import CurvePoints, Floats, Order, alpha_grid

# Lower convex envelope of the minimum of two trade-off functions, of either order of one test.
#
# Where the two cross, neither a two-case rule nor one chord will do (correction 6): sampled Laplace noise leads in one
# order at small and in the other at moderate false positive rates. Away from the chords the envelope is the lower
# curve.


Curve = Callable[[Floats], CurvePoints]

_POINTS = 1201
_ROUNDS, _AROUND = 4, 21  # of sharpening an end, and points around it
_ROUNDING = 1e-13


def envelope(first: Curve, second: Curve, alpha: Floats) -> CurvePoints:
    """The envelope at ``alpha`` (n,)."""
    grid = alpha_grid(_POINTS)
    lower = _lower(first, second, grid)
    _, beta, power = _lower(first, second, alpha)
    corners = _hull(lower)
    for start, end in zip(corners[:-1].tolist(), corners[1:].tolist(), strict=True):
        # Neighbouring corners of the lower convex hull that skip points which clearly lie above the chord.
        between = slice(start + 1, end)
        slope = (lower.beta[end] - lower.beta[start]) / (lower.alpha[end] - lower.alpha[start])
        height = lower.beta[start] + slope * (lower.alpha[between] - lower.alpha[start])
        if not np.any(lower.beta[between] > height + _ROUNDING):
            continue
        left, right = _sharpened(first, second, grid, start, end)
        ends = _lower(first, second, np.array([left, right]))
        inside = (alpha > left) & (alpha < right)
        share = (alpha[inside] - left) / (right - left)
        beta[inside] = ends.beta[0] + share * (ends.beta[1] - ends.beta[0])
        power[inside] = ends.power[0] + share * (ends.power[1] - ends.power[0])
    return CurvePoints(alpha, beta, power)


def _lower(first: Curve, second: Curve, alpha: Floats) -> CurvePoints:
    """The smaller beta with its power."""
    one, other = first(alpha), second(alpha)
    leads = np.where(one.beta < 0.5, one.beta <= other.beta, one.power >= other.power)
    return CurvePoints(alpha, np.where(leads, one.beta, other.beta), np.where(leads, one.power, other.power))


def _hull(curve: CurvePoints) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Indices of the corners of the lower convex hull (monotone chain)."""
    x, y, kept = curve.alpha.tolist(), curve.beta.tolist(), [0]
    for i in range(1, len(x)):
        while len(kept) > 1:
            a, b = kept[-2], kept[-1]
            if (y[b] - y[a]) * (x[i] - x[b]) < (y[i] - y[b]) * (x[b] - x[a]):
                break
            kept.pop()
        kept.append(i)
    return np.array(kept, dtype=np.int64)


def _sharpened(first: Curve, second: Curve, grid: Floats, start: int, end: int) -> tuple[float, float]:
    """Ends of the common tangent, each sought within ever smaller neighbourhoods."""
    chord = float(grid[start]), float(grid[end])
    gaps = np.diff(grid, prepend=grid[0], append=grid[-1])
    spans = [float(gaps[point : point + 2].max()) for point in (start, end)]
    for _ in range(_ROUNDS):
        sides = [np.clip(np.linspace(-1.0, 1.0, _AROUND) * w + x, 0.0, 1.0) for x, w in zip(chord, spans, strict=True)]
        middle = 0.5 * (chord[0] + chord[1])
        alpha = np.unique(np.concatenate((sides[0][sides[0] < middle], sides[1][sides[1] > middle])))
        corners = alpha[_hull(_lower(first, second, alpha))]
        right = int(np.searchsorted(corners, middle))
        chord = float(corners[right - 1]), float(corners[right])
        spans = [span * 2.0 / (_AROUND - 1) for span in spans]
    return chord


_TRUSTED = 1e-13  # error rates below are rounding of the transform


@dataclass(frozen=True, eq=False)
class Roc:
    """Errors of a test at rising thresholds of a smooth statistic, (n,) each.

    ``rest`` is 1 - alpha and ``power`` 1 - beta. Between thresholds it is read in normal deviates; the curve of a
    discrete statistic is a ``Polyline``.
    """

    alpha: Floats
    rest: Floats
    beta: Floats
    power: Floats

    @property
    def mirrored(self) -> "Roc":
        """The remove-one order: the roles of the two errors exchanged."""
        return Roc(self.beta[::-1], self.power[::-1], self.alpha[::-1], self.rest[::-1])

    def deviates(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Indices of the points where no error rate is lost in rounding, and deviates of alpha and of power there."""
        trusted = np.min([self.alpha, self.rest, self.beta, self.power], axis=0) > _TRUSTED
        points = np.flatnonzero(trusted).astype(np.int64)
        z, h = deviate(self.alpha[points], self.rest[points]), deviate(self.power[points], self.beta[points])
        before = (np.maximum.accumulate(np.append(-np.inf, values))[:-1] for values in (z, h))
        rising = (z > next(before)) & (h > next(before))
        return points[rising], z[rising], h[rising]

    @property
    def separates(self) -> bool:
        """Whether rounding leaves no curve to read: the hypotheses are then taken to be told apart for certain."""
        return len(self.deviates()[0]) < 2

    def at(self, alpha: Floats) -> CurvePoints:
        """The curve at ``alpha`` (n,): monotone cubics between the trusted points, chords to the corners beyond."""
        points, z, h = self.deviates()
        rest = 1.0 - alpha
        if len(points) < 2:  # no two points with both errors above rounding: told apart for certain
            certain = np.where(alpha > 0.0, 1.0, 0.0)
            return CurvePoints(alpha, 1.0 - certain, certain)
        first, last = points[0], points[-1]
        inside = (alpha >= self.alpha[last]) & (alpha <= self.alpha[first])
        where = deviate(np.where(inside, alpha, 0.5), np.where(inside, rest, 0.5))
        # The cubic spline, its slopes limited so that it rises everywhere (Hyman 1983). The limits bind at the ends,
        # where rounding shows; elsewhere the error is that of the spline, of fourth order.
        secant = np.diff(h) / np.diff(z)
        steepest = 3.0 * np.minimum(np.append(secant, np.inf), np.append(np.inf, secant))
        slope = np.clip(scipy.interpolate.CubicSpline(z, h)(z, 1), 0.0, steepest)
        height = scipy.interpolate.CubicHermiteSpline(z, h, slope)(np.clip(where, z[0], z[-1]))
        above = self.power[last] * alpha / self.alpha[last]
        below = self.beta[first] * rest / self.rest[first]
        cases = [inside, alpha < self.alpha[last]]
        beta = np.select(cases, [ndtr(height), 1.0 - above], below)
        return CurvePoints(alpha, beta, np.select(cases, [ndtr(-height), above], 1.0 - below))


def in_order(test: Roc | Polyline, alpha: Floats, order: Order) -> CurvePoints:
    """The curve of a test at ``alpha`` (n,), or of its other order, or of both."""
    if order is Order.SYMMETRIC and isinstance(test, Polyline):
        both = (np.concatenate(sides) for sides in zip(test, test.mirrored, strict=True))
        return Polyline.hull(Polyline(*both)).at(alpha)
    if order is Order.SYMMETRIC:
        return envelope(test.at, test.mirrored.at, alpha)
    return (test.mirrored if order is Order.REMOVE else test).at(alpha)
