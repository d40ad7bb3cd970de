"""The relaxed guarantee for several sampled steps in one dimension: the best attack on a record of unknown side.

The Bayes test of all steps without the record against the even mixture of both sides is minimax over the unknown side
(correction 5). Its errors are those of ``joint_law``, on a fine and on a coarse grid.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from numerics.deadline import UNLIMITED, Deadline, looking_at
from numerics.privacy_loss.bounds import Polyline
from numerics.privacy_loss.pairs import ComposedPairs
from numerics.relaxed import joint_law
from numerics.relaxed.roc import Roc, in_order
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import CurvePoints, Floats, Order

_ROUNDING, _RELATIVE = 1e-9, 1e-6  # stated at least, of the power, and of the smaller of power and beta
_AROUND = np.exp(np.linspace(-0.5, 0.5, 5))  # of the odds of alpha, over which the largest change is taken
_FURTHER = np.exp(np.linspace(-3.0, 3.0, 25))  # the same of the relative change, on a lattice
_COARSEST = 2.0  # lattice step times the root of the number of steps
_FINE = 1024  # lattice points along either sum
_KEPT = 128  # releases whose tests are remembered, each some hundred kB at most


def minimax(
    phases: ComposedPairs, alpha: Floats, order: Order, deadline: Deadline = UNLIMITED
) -> tuple[CurvePoints, Floats]:
    """The relaxed guarantee at ``alpha`` (n,), and as the error of its power the change that a coarser grid makes.

    That is a generous one: the largest change around each alpha, as the two may cross there; on the lattice it is
    looked for further away, and counts less where the smaller of power and beta is less. The error is 1 where the
    hypotheses are so far apart that one of the grids shows no curve, and where few steps say too much for the lattice.
    On the lattice, whose error is of second order, two grids are extrapolated; all of their change counts. Noise on
    whole numbers has corners, of which two grids do not tell the error: there it is half of what lies between a
    guarantee and an attack.

    Raises DeadlineError where it takes too long; a grid that is done then is remembered.
    """
    if any(pair.noise.outcomes(1) is not None for pair, _ in sampled_pairs(phases)):
        with looking_at(deadline):
            safe, reached = (in_order(test, alpha, order) for test in _enclosed(phases))
        beta, power = 0.5 * (safe.beta + reached.beta), 0.5 * (safe.power + reached.power)
        apart = np.maximum(safe.power - reached.power, reached.beta - safe.beta)
        return CurvePoints(alpha, beta, power), 0.5 * apart + _rounding(np.minimum(power, beta))
    tests = _tests(phases)
    if tests is None:
        return CurvePoints(alpha, 1.0 - alpha, alpha), np.ones(len(alpha))
    fine, coarse = (in_order(roc, alpha, order) for roc in tests.rocs(deadline))
    error = _error(tests, alpha, order)
    if not tests.extrapolated:
        return fine, error
    beta = np.clip(fine.beta + (fine.beta - coarse.beta) / 3.0, 0.0, 1.0 - alpha)
    power = np.clip(fine.power + (fine.power - coarse.power) / 3.0, alpha, 1.0)
    return CurvePoints(alpha, beta, power), error


def _error(tests: "_Tests", alpha: Floats, order: Order) -> Floats:
    if any(isinstance(roc, Roc) and roc.separates for roc in tests.rocs()):
        return np.ones(len(alpha))
    change, smaller = _changes(tests, alpha, order, _AROUND)
    near = (change + _rounding(smaller)).max(axis=0)
    if not tests.extrapolated:
        return near
    # What a lattice does to the curve comes and goes with alpha, and so does the change; where it leaves straight parts
    # of the curve as they are, they are exact.
    further, smaller = _changes(tests, alpha, order, _FURTHER)
    share = (further * np.minimum(smaller[len(_FURTHER) // 2] / np.maximum(smaller, 1e-300), 1.0)).max(axis=0)
    exact = change.max(axis=0) <= _rounding(smaller).min(axis=0)
    return np.where(exact, near, np.maximum(near, share))


def _changes(tests: "_Tests", alpha: Floats, order: Order, odds: Floats) -> tuple[Floats, Floats]:
    """Change that the coarse grid makes where alpha's odds are ``odds`` (m,) times theirs, and the smaller rate there.

    Both (m, n).
    """
    around = alpha / (alpha + (1.0 - alpha) * odds[:, None])
    fine, coarse = (in_order(roc, around.ravel(), order) for roc in tests.rocs())
    smaller = np.minimum(fine.power, fine.beta)
    change = np.minimum(np.abs(fine.power - coarse.power), np.abs(fine.beta - coarse.beta))
    return change.reshape(around.shape), smaller.reshape(around.shape)


def _rounding(rate: Floats) -> Floats:
    return np.minimum(_ROUNDING, _RELATIVE * rate)


@dataclass(eq=False)
class _Tests:
    """The test at every threshold on a fine and on a coarse grid, each made when first asked for.

    Attributes:
        make: gives the errors on the fine grid, or on the coarse one, within a deadline.
        extrapolated: whether the two grids are.
    """

    make: Callable[[bool, Deadline], Roc | Polyline]
    extrapolated: bool
    _made: dict[bool, Roc | Polyline] = field(default_factory=dict)

    def rocs(self, deadline: Deadline = UNLIMITED) -> tuple[Roc | Polyline, Roc | Polyline]:
        """Errors on the fine and on the coarse grid; raises DeadlineError."""
        for fine in (True, False):
            if fine not in self._made:
                deadline.check()
                self._made[fine] = self.make(fine, deadline)
        return self._made[True], self._made[False]


@lru_cache(maxsize=_KEPT)
def _enclosed(phases: ComposedPairs) -> tuple[Polyline, Polyline]:
    """Errors of which no test has less, and those of one test; raises DeadlineError."""
    steps = joint_law.steps_of(phases)
    return joint_law.enclosed_by_lattice(steps, joint_law.window(steps), _FINE)


@lru_cache(maxsize=_KEPT)
def _tests(phases: ComposedPairs) -> _Tests | None:
    """What takes the time; it is the same for every alpha and either order. None where the lattice is too coarse."""
    steps = joint_law.steps_of(phases)
    grid = joint_law.grid_for(steps)
    if grid is not None:
        return _Tests(
            lambda fine, deadline: joint_law.by_spectrum(steps, grid if fine else grid.coarser(), deadline), False
        )
    sums, count = joint_law.window(steps), sum(step.steps for step in steps)
    if joint_law.lattice_step(sums, _FINE) * np.sqrt(count) > _COARSEST:
        return None
    return _Tests(lambda fine, _: joint_law.by_lattice(steps, sums, _FINE if fine else _FINE // 2), True)
