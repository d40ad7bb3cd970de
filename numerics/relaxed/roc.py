"""A trade-off curve known at many thresholds of a test, read at any false positive rate and in any order."""

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import ndtr

from numerics.chi_squared import deviate
from numerics.privacy_loss.vertices import Corners, Polyline
from numerics.relaxed.envelope import envelope
from numerics.trade_off import Floats, Order

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

    def at(self, alpha: Floats, order: Order) -> Corners:
        """The curve at ``alpha`` (n,)."""
        if order is Order.SYMMETRIC:
            return envelope(lambda x: self.at(x, Order.ADD), lambda x: self.at(x, Order.REMOVE), alpha)
        roc = self.mirrored() if order is Order.REMOVE else self
        return roc._interpolated(alpha) if self.smooth else roc._on_chords(alpha)

    def _on_chords(self, alpha: Floats) -> Corners:
        ends = np.array([0.0]), np.array([1.0])
        rising = (np.concatenate((*pair,)) for pair in ((ends[0], self.alpha[::-1]), (ends[1], self.rest[::-1])))
        errors = (np.concatenate((*pair,)) for pair in ((ends[1], self.beta[::-1]), (ends[0], self.power[::-1])))
        return Polyline(*rising, *errors).at(alpha)

    def _interpolated(self, alpha: Floats) -> Corners:
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
        return Corners(alpha, beta, np.select(cases, [ndtr(-height), above], 1.0 - below))


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


def _separated(alpha: Floats) -> Corners:
    """No two points with both errors above rounding: the hypotheses are told apart for certain."""
    certain = np.where(alpha > 0.0, 1.0, 0.0)
    return Corners(alpha, 1.0 - certain, certain)
