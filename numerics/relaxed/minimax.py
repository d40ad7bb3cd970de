"""The relaxed guarantee for several sampled steps in one dimension: the best attack on a record of unknown side.

The Bayes test of all steps without the record against the even mixture of both sides is minimax over the unknown side
(correction 5). Its errors need the joint law of the sums S and T of ``joint_law``, of which the likelihood ratio is
e^S cosh T. Many small steps: per-step characteristic functions, raised to the number of steps and inverted by FFT,
which converges faster than any power of the grid. Few steps have laws with edges, and go on a lattice instead.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from numerics.privacy_loss import PrecisionError
from numerics.privacy_loss.vertices import Corners
from numerics.privacy_loss.window_plan import Phases
from numerics.relaxed import joint_lattice, joint_spectrum
from numerics.relaxed.joint_law import steps_of
from numerics.relaxed.roc import Roc
from numerics.trade_off import Floats, Order

_ROUNDING = 1e-9
_COARSEST = 2.0  # lattice step times the root of the number of steps
_FINE = 1024  # lattice points along either sum
_KEPT = 128  # releases whose tests are remembered, each some hundred kB at most


class Minimax(NamedTuple):
    """Points of the curve, and the estimated largest error of its power."""

    corners: Corners
    error: float


def minimax(phases: Phases, alpha: Floats, order: Order) -> Minimax:
    """The relaxed guarantee at ``alpha`` (n,), with the change that a coarser grid makes as its error: a generous one.

    The error is 1 where the hypotheses are so far apart that one of the grids shows no curve.
    On the lattice, whose error is of second order, two grids are extrapolated; all of their change counts.
    Raises PrecisionError where few steps say too much for the lattice.
    """
    tests = _tests(phases)
    fine, coarse = (roc.at(alpha, order) for roc in tests.rocs)
    unread = any(roc.separates for roc in tests.rocs)
    error = 1.0 if unread else _difference(fine, coarse) + _ROUNDING
    if not tests.extrapolated:
        return Minimax(fine, error)
    beta = np.clip(fine.beta + (fine.beta - coarse.beta) / 3.0, 0.0, 1.0 - alpha)
    power = np.clip(fine.power + (fine.power - coarse.power) / 3.0, alpha, 1.0)
    return Minimax(Corners(alpha, beta, power), error)


class _Tests(NamedTuple):
    """Errors of the test at every threshold on a fine and on a coarse grid, and whether the two are extrapolated."""

    rocs: tuple[Roc, Roc]
    extrapolated: bool


@lru_cache(maxsize=_KEPT)
def _tests(phases: Phases) -> _Tests:
    """What takes the time; it is the same for every alpha and either order."""
    steps = steps_of(phases)
    grid = joint_spectrum.grid_for(steps)
    if grid is not None:
        return _Tests((joint_spectrum.roc(steps, grid), joint_spectrum.roc(steps, grid.coarser())), False)
    sums, count = joint_lattice.window(steps), sum(step.steps for step in steps)
    if joint_lattice.lattice_step(sums, _FINE) * np.sqrt(count) > _COARSEST:
        raise PrecisionError("The relaxed guarantee of steps this informative cannot be computed: use more noise.")
    return _Tests((joint_lattice.roc(steps, sums, _FINE), joint_lattice.roc(steps, sums, _FINE // 2)), True)


def _difference(fine: Corners, coarse: Corners) -> float:
    return float(np.max(np.abs(fine.power - coarse.power), initial=0.0))
