"""Errors of the minimax test S + log cosh T >= threshold, from the joint law of the sums.

A sum over the cells that the test accuses would err by the cells that its boundary cuts, and where S is narrow beside T
by all of them. Green's theorem turns it into an integral along the boundary: with tau = |T|, the mass within is that of
S beyond the threshold and the integral of tanh(tau) times the density of S at threshold - log cosh tau, |T| beyond tau.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from scipy.ndimage import map_coordinates, spline_filter

from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms.noise import arccosh_exp, log_cosh
from numerics.relaxed.joint_law import Grid, JointMasses, StepQuadrature, law
from numerics.relaxed.roc import Roc
from numerics.trade_off import Floats

_PER_PANEL = 8  # frequencies for each panel of the boundary, along either sum
_SPLINE: Final = 5  # order of the interpolation
_LEGENDRE = np.polynomial.legendre.leggauss(8)
_SCOUTS = 50
_NEAREST = 1e-7  # smallest |T| that scouts look at, as a share of the largest


class Boundary(NamedTuple):
    """Quadrature of the boundary at thresholds (m,): nodes in S and |T|, and weights, (m, n) each."""

    even: Floats
    odd: Floats
    weight: Floats


def roc(steps: Sequence[StepQuadrature], grid: Grid, deadline: Deadline = UNLIMITED) -> Roc:
    """Errors of the test at thresholds that are even in the deviate of alpha; raises DeadlineError."""
    null = law(steps, grid, True)
    deadline.check()
    present = law(steps, grid, False)
    deadline.check()
    laws = _Running(null, grid), _Running(present, grid)
    middle = grid.even.low + grid.even_width * float(np.argmax(null.sums))
    bend = log_cosh(np.geomspace(_NEAREST * grid.reach, grid.reach, _SCOUTS))
    ranges = (np.linspace(grid.even.low, top, _SCOUTS) for top in (grid.even.high, grid.even.high + bend[-1]))
    scouts = np.sort(np.concatenate((*ranges, middle + bend)))
    points, z, _ = (found := _errors(laws, scouts, grid)).deviates()
    deadline.check()
    if len(points) < 2:
        return found
    return _errors(laws, np.interp(np.linspace(z[0], z[-1], grid.thresholds), z, scouts[points]), grid)


def _errors(laws: "tuple[_Running, _Running]", threshold: Floats, grid: Grid) -> Roc:
    boundary = _boundary(threshold, grid)
    (alpha, rest), (power, beta) = (law.sides(threshold, boundary) for law in laws)
    return Roc(alpha, rest, beta, power, smooth=True)


def _boundary(threshold: Floats, grid: Grid) -> Boundary:
    """Gauss-Legendre panels that are short in |T| as well as in S."""
    low, high = threshold - grid.even.high, threshold - grid.even.low
    start, end = (np.minimum(arccosh_exp(np.maximum(side, 0.0)), grid.reach) for side in (low, high))
    in_odd = start[:, None] + (end - start)[:, None] * _shares(grid.odd_points)
    first, last = log_cosh(start)[:, None], log_cosh(end)[:, None]
    in_even = arccosh_exp(first + (last - first) * _shares(grid.even_points))
    edges = np.sort(np.concatenate((in_odd, np.clip(in_even, start[:, None], end[:, None])), axis=1), axis=1)
    nodes, weights = _LEGENDRE
    half = 0.5 * np.diff(edges, axis=1)[:, :, None]
    odd = (edges[:, :-1, None] + half * (1.0 + nodes)).reshape(len(threshold), -1)
    weight = (half * weights).reshape(odd.shape) * np.tanh(odd)
    return Boundary(threshold[:, None] - log_cosh(odd), odd, weight)


def _shares(frequencies: int) -> Floats:
    return np.linspace(0.0, 1.0, frequencies // _PER_PANEL + 1)


class _Running:
    """Splines of a law: of S, of its running masses, and of S together with |T| up to a value, odd in that."""

    def __init__(self, law: JointMasses, grid: Grid) -> None:
        within = np.cumsum(law.cells, axis=0)[:-1]
        self.grid = grid
        self.within = spline_filter(np.concatenate((-within[::-1], within)), _SPLINE, mode="mirror")
        self.density = spline_filter(law.cells.sum(axis=0), _SPLINE, mode="mirror")
        self.above = spline_filter(np.append(np.cumsum(law.sums[::-1])[::-1], 0.0), _SPLINE, mode="mirror")
        self.below = spline_filter(np.append(0.0, np.cumsum(law.sums)), _SPLINE, mode="mirror")

    def sides(self, threshold: Floats, boundary: Boundary) -> tuple[Floats, Floats]:
        """Masses beyond the thresholds and before them, (m,) each."""
        grid = self.grid
        column, row = (boundary.even - grid.even.low) / grid.even_width, boundary.odd / grid.odd_width
        within = _at(self.within, row + (len(self.within) // 2 - 0.5), column)
        weight = boundary.weight / grid.even_width
        beyond = np.sum(weight * (_at(self.density, column) - within), axis=1)
        before = np.sum(weight * within, axis=1)
        shallow, deep = (self._edge(side) for side in (threshold, threshold - log_cosh(np.array([grid.reach]))))
        sides = beyond + _at(self.above, shallow), before + _at(self.below, deep)
        return np.clip(sides[0], 0.0, 1.0), np.clip(sides[1], 0.0, 1.0)

    def _edge(self, even: Floats) -> Floats:
        """Place among the edges of the cells of S."""
        return np.clip((even - self.grid.even.low) / self.grid.even_width + 0.5, 0.0, len(self.above) - 1.0)


def _at(spline: Floats, *place: Floats) -> Floats:
    values: Floats = map_coordinates(spline, np.stack(place), np.float64, _SPLINE, "mirror", prefilter=False)
    return values
