"""One release of Gaussian noise in any number of dimensions to an attacker who knows no direction (paper 000 Eq. 4)."""

from functools import lru_cache

import numpy as np
import scipy
from numpy.polynomial import Chebyshev
from scipy.special import ndtr

from numerics.chi_squared import chi_squared_quantile, deviate, noncentral_tails
from numerics.mechanisms.location import Folded
from numerics.roots import crossing
from numerics.trade_off import CurvePoints, Floats
from numerics.validation import Positive, value

# Chebyshev nodes for ranges of deviates of ordinary length, and for longer ones.
_ORDINARY, _NODES, _MANY_NODES = 20.0, 48, 160
_CURVED = 30.0  # fewer dimensions bend the curve more
_FURTHEST = 37.5  # deviate of the smallest probability in double precision
_STEEP = 15.0  # beyond this deviate of the power interpolation would cost digits
_ENOUGH = 100  # points from which interpolation is quicker
_TABLE = 600  # of a mixture
_SLACK = 1e-2  # of the ends of the range


@lru_cache(maxsize=64)
def _traced(mu: float, degrees: float, low: float, high: float) -> Chebyshev:
    """The deviate h of the power, P(Z > h), by the deviate z of alpha: smooth, nearly straight and rising."""
    count = _NODES if degrees > _CURVED else 2 * _NODES
    count = count if high - low < _ORDINARY else _MANY_NODES
    with np.errstate(invalid="ignore"):  # not a number anywhere where the power rounds to 0 or 1 in the range
        return Chebyshev.interpolate(lambda z: _power_deviate(mu, degrees, z), count - 1, (low, high))


def _position(trace: Chebyshev, goal: Floats) -> Floats:
    """The z at which the deviate of the power is ``goal`` (n,): a table, then Newton's steps.

    An end of the range where the goal lies further out.
    """
    low, high = trace.domain
    table, slope = np.linspace(low, high, 1000), trace.deriv()
    z = np.interp(goal, trace(table), table)
    for _ in range(2):  # the polynomial is of no use further out
        z = np.clip(z + (goal - trace(z)) / slope(z), low - _SLACK, high + _SLACK)
    return np.asarray(z)


def _power_deviate(mu: float, degrees: float, z: Floats) -> Floats:
    """Deviate h of the power at critical values of deviate ``z`` (n,): squared distance, central against not."""
    return deviate(*noncentral_tails(degrees, mu**2, chi_squared_quantile(degrees, z)))


@value
class FoldedDistance(Folded):
    """Squared distance from the release without the record: central against noncentral chi-squared.

    ``mu`` is the root of the noncentrality kappa, ``degrees`` the number of dimensions. See ``Folded``.
    """

    degrees: Positive

    def errors(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """F_{d, kappa}(F_{d, 0}^-1(1 - alpha))."""
        inside = (alpha > 0.0) & (rest > 0.0)
        z = deviate(np.where(inside, alpha, 0.5), np.where(inside, rest, 0.5))
        trace, ends = self._trace(float(z.min()), float(z.max())), np.where(alpha > 0.0, 1.0, 0.0)
        if len(z) < _ENOUGH or not all(abs(end) < _STEEP for end in trace(trace.domain)):
            h = _power_deviate(self.mu, self.degrees, z)
        else:
            h = np.asarray(trace(z))
        return CurvePoints(alpha, np.where(inside, ndtr(h), 1.0 - ends), np.where(inside, ndtr(-h), ends))

    def _trace(self, low: float, high: float) -> Chebyshev:
        """One that both orders share where mu is small: the power's deviate lies between z - mu and z."""
        if self.mu > 4.0:
            return _traced(self.mu, self.degrees, low - _SLACK, high + _SLACK)
        high = min(float(np.ceil(high + self.mu)), _FURTHEST)
        return _traced(self.mu, self.degrees, float(np.floor(low)), high)

    def inverse(self, alpha: Floats, rest: Floats) -> CurvePoints:
        """P(chi^2 > c) with c the ``alpha`` quantile of the noncentral law."""
        return self.sampled_inverse(alpha, rest, 1.0)

    def sampled_inverse(self, alpha: Floats, rest: Floats, rate: float) -> CurvePoints:
        """The same with the quantile of its mixture with the central law."""
        inside = (alpha > 0.0) & (rest > 0.0)
        goal = -deviate(np.where(inside, alpha, 0.5), np.where(inside, rest, 0.5))
        z = self._critical(goal) if rate == 1.0 else self._critical_of_mixture(goal, rate)
        ends = np.where(alpha > 0.0, 1.0, 0.0)
        return CurvePoints(alpha, np.where(inside, ndtr(-z), 1.0 - ends), np.where(inside, ndtr(z), ends))

    def _critical(self, goal: Floats) -> Floats:
        """The deviates of alpha at which the power has deviates ``goal``; infinite where alpha underflows."""
        low, high = float(goal.min()), float(goal.max())
        if self.mu <= 4.0:
            return _position(self._trace(low, high), goal)
        if _power_deviate(self.mu, self.degrees, np.array([_FURTHEST]))[0] < low:
            return np.full(goal.shape, np.inf)
        z = _position(self._trace(self._root(low), self._root(high)), goal)
        return np.where(z < _FURTHEST, z, np.inf)

    def _critical_of_mixture(self, goal: Floats, rate: float) -> Floats:
        """The same where the record takes part with probability ``rate``: a table, and roots between its points."""

        def height(z: Floats) -> Floats:
            upper, lower = noncentral_tails(self.degrees, self.mu**2, chi_squared_quantile(self.degrees, z))
            return deviate(rate * upper + (1.0 - rate) * ndtr(-z), rate * lower + (1.0 - rate) * ndtr(z))

        table = np.linspace(float(goal.min()) - _SLACK, min(float(goal.max()) + self.mu, _FURTHEST), _TABLE)
        above = np.clip(np.searchsorted(np.maximum.accumulate(height(table)), goal), 1, _TABLE - 1)
        # Without a change of sign the goal lies beyond the end of the table, where the rate underflows.
        return crossing(lambda z, place: height(z) - goal[place], table[above - 1], table[above])

    def _root(self, goal: float) -> float:
        """About the z where the power has deviate ``goal``; it lies between goal and goal + mu."""

        def excess(z: float) -> float:
            height = _power_deviate(self.mu, self.degrees, np.array([z]))[0]
            return float(np.clip(height, -50.0, 50.0)) - goal

        low, high = goal - _SLACK, min(goal + self.mu + _SLACK, _FURTHEST)
        return high if excess(high) <= 0.0 else float(scipy.optimize.brentq(excess, low, high, xtol=_SLACK / 2))

    @property
    def balanced(self) -> float:
        """Where power - alpha is largest: phi(h) h' = phi(z). It lies between deviates 0 and mu."""
        trace = self._trace(-1.0, 1.0)
        if self.mu > 4.0:
            if _power_deviate(self.mu, self.degrees, np.array([_FURTHEST]))[0] < -_FURTHEST:
                return 0.0  # it underflows
            trace = _traced(self.mu, self.degrees, self._root(-_FURTHEST), self._root(0.0))
        low, high = trace.domain
        z = np.linspace(low, high, 1000)
        best = float(z[np.argmax(ndtr(-trace(z)) - ndtr(-z))])
        near = Chebyshev.interpolate(lambda z: _power_deviate(self.mu, self.degrees, z), 9, (best - 0.1, best + 0.1))
        slope = near.deriv()

        def steepness(z: float) -> float:
            return float(0.5 * (z**2 - near(z) ** 2) + np.log(slope(z)))

        ends = best - 0.1, best + 0.1
        if steepness(ends[0]) * steepness(ends[1]) > 0.0:
            return float(ndtr(-best))
        return float(ndtr(-scipy.optimize.brentq(steepness, *ends)))
