"""A trade-off curve known at many thresholds of a test, read at any false positive rate and in any order."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

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


class Chord(NamedTuple):
    """Straight part of the envelope between two points of the lower curve."""

    left: float
    right: float


def envelope(first: Curve, second: Curve, alpha: Floats) -> CurvePoints:
    """The envelope at ``alpha`` (n,)."""
    grid = alpha_grid(_POINTS)
    lower = _lower(first, second, grid)
    result = _lower(first, second, alpha)
    beta, power = result.beta.copy(), result.power.copy()
    for start, end in _bridges(lower):
        chord = _sharpened(first, second, grid, start, end)
        ends = _lower(first, second, np.array(chord))
        inside = (alpha > chord.left) & (alpha < chord.right)
        share = (alpha[inside] - chord.left) / (chord.right - chord.left)
        beta[inside] = ends.beta[0] + share * (ends.beta[1] - ends.beta[0])
        power[inside] = ends.power[0] + share * (ends.power[1] - ends.power[0])
    return CurvePoints(alpha, beta, power)


def _lower(first: Curve, second: Curve, alpha: Floats) -> CurvePoints:
    """The smaller beta with its power."""
    one, other = first(alpha), second(alpha)
    leads = np.where(one.beta < 0.5, one.beta <= other.beta, one.power >= other.power)
    return CurvePoints(alpha, np.where(leads, one.beta, other.beta), np.where(leads, one.power, other.power))


def _bridges(curve: CurvePoints) -> list[tuple[int, int]]:
    """Neighbouring corners of the lower convex hull that skip points which clearly lie above the chord."""
    corners = _hull(curve)
    bridges = []
    for start, end in zip(corners[:-1].tolist(), corners[1:].tolist(), strict=True):
        between = slice(start + 1, end)
        slope = (curve.beta[end] - curve.beta[start]) / (curve.alpha[end] - curve.alpha[start])
        height = curve.beta[start] + slope * (curve.alpha[between] - curve.alpha[start])
        if np.any(curve.beta[between] > height + _ROUNDING):
            bridges.append((start, end))
    return bridges


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


def _sharpened(first: Curve, second: Curve, grid: Floats, start: int, end: int) -> Chord:
    """Ends of the common tangent, each sought within ever smaller neighbourhoods."""
    chord = Chord(float(grid[start]), float(grid[end]))
    spans = [_span(grid, start), _span(grid, end)]
    for _ in range(_ROUNDS):
        sides = [np.clip(np.linspace(-1.0, 1.0, _AROUND) * w + x, 0.0, 1.0) for x, w in zip(chord, spans, strict=True)]
        middle = 0.5 * (chord.left + chord.right)
        alpha = np.unique(np.concatenate((sides[0][sides[0] < middle], sides[1][sides[1] > middle])))
        corners = alpha[_hull(_lower(first, second, alpha))]
        right = int(np.searchsorted(corners, middle))
        chord = Chord(float(corners[right - 1]), float(corners[right]))
        spans = [span * 2.0 / (_AROUND - 1) for span in spans]
    return chord


def _span(grid: Floats, point: int) -> float:
    return float(max(grid[min(point + 1, len(grid) - 1)] - grid[point], grid[point] - grid[max(point - 1, 0)]))


_TRUSTED = 1e-13  # error rates below are rounding of the transform


@dataclass(frozen=True, eq=False)
class Roc:
    """Errors of one test at rising thresholds, (n,) each: ``rest`` is 1 - alpha and ``power`` 1 - beta.

    A ``smooth`` curve is interpolated between normal deviates, that of a discrete statistic by its chords.
    """

    alpha: Floats
    rest: Floats
    beta: Floats
    power: Floats
    smooth: bool

    def mirrored(self) -> "Roc":
        """The remove-one order: the roles of the two errors exchanged."""
        return Roc(self.beta[::-1], self.power[::-1], self.alpha[::-1], self.rest[::-1], self.smooth)

    def deviates(self) -> tuple[NDArray[np.int64], Floats, Floats]:
        """Indices of the points where no error rate is lost in rounding, and deviates of alpha and of power there."""
        trusted = np.min([self.alpha, self.rest, self.beta, self.power], axis=0) > _TRUSTED
        points = np.flatnonzero(trusted).astype(np.int64)
        z, h = deviate(self.alpha[points], self.rest[points]), deviate(self.power[points], self.beta[points])
        rising = (z > _running_top(z)) & (h > _running_top(h))
        return points[rising], z[rising], h[rising]

    @property
    def separates(self) -> bool:
        """Whether rounding leaves no curve to read: the hypotheses are then taken to be told apart for certain."""
        return self.smooth and len(self.deviates()[0]) < 2

    def at(self, alpha: Floats, order: Order) -> CurvePoints:
        """The curve at ``alpha`` (n,)."""
        if order is Order.SYMMETRIC:
            return envelope(lambda x: self.at(x, Order.ADD), lambda x: self.at(x, Order.REMOVE), alpha)
        roc = self.mirrored() if order is Order.REMOVE else self
        return roc._interpolated(alpha) if self.smooth else roc._on_chords(alpha)

    def _on_chords(self, alpha: Floats) -> CurvePoints:
        ends = np.array([0.0]), np.array([1.0])
        rising = (np.concatenate((*pair,)) for pair in ((ends[0], self.alpha[::-1]), (ends[1], self.rest[::-1])))
        errors = (np.concatenate((*pair,)) for pair in ((ends[1], self.beta[::-1]), (ends[0], self.power[::-1])))
        return Polyline(*rising, *errors).at(alpha)

    def _interpolated(self, alpha: Floats) -> CurvePoints:
        """Monotone cubics between the trusted points, chords to the corners beyond."""
        points, z, h = self.deviates()
        rest = 1.0 - alpha
        if len(points) < 2:
            return _separated(alpha)
        first, last = points[0], points[-1]
        inside = (alpha >= self.alpha[last]) & (alpha <= self.alpha[first])
        where = deviate(np.where(inside, alpha, 0.5), np.where(inside, rest, 0.5))
        height = _monotone(z, h)(np.clip(where, z[0], z[-1]))
        above = self.power[last] * alpha / self.alpha[last]
        below = self.beta[first] * rest / self.rest[first]
        cases = [inside, alpha < self.alpha[last]]
        beta = np.select(cases, [ndtr(height), 1.0 - above], below)
        return CurvePoints(alpha, beta, np.select(cases, [ndtr(-height), above], 1.0 - below))


def _monotone(x: Floats, y: Floats) -> "scipy.interpolate.CubicHermiteSpline":
    """The cubic spline through rising points, its slopes limited so that it rises everywhere (Hyman 1983).

    The limits bind at the ends, where rounding shows; elsewhere the error is that of the spline, of fourth order.
    """
    secant = np.diff(y) / np.diff(x)
    steepest = 3.0 * np.minimum(np.append(secant, np.inf), np.append(np.inf, secant))
    slope = scipy.interpolate.CubicSpline(x, y)(x, 1)
    return scipy.interpolate.CubicHermiteSpline(x, y, np.clip(slope, 0.0, steepest))


def _running_top(values: Floats) -> Floats:
    """The largest of all values before each."""
    return np.maximum.accumulate(np.concatenate(([-np.inf], values)))[:-1]


def _separated(alpha: Floats) -> CurvePoints:
    """No two points with both errors above rounding: the hypotheses are told apart for certain."""
    certain = np.where(alpha > 0.0, 1.0, 0.0)
    return CurvePoints(alpha, 1.0 - certain, certain)
