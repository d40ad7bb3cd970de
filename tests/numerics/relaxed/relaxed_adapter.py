"""What tests ask of the inside of ``numerics.relaxed``, in words of their own: whatever is renamed there changes here.

What ``relaxed.trade_off`` returns is moved between certified bounds, which hides an error of the test itself: here the
test is looked at before that.
"""

from numerics.mechanisms.analysis import Analysis
from numerics.relaxed import joint_law
from numerics.relaxed.minimax import minimax
from numerics.relaxed.roc import in_order
from numerics.trade_off import Floats, Order


def found_before_bounds(release: Analysis, alpha: Floats, order: Order = Order.ADD) -> tuple[Floats, Floats, Floats]:
    """Errors beta of the minimax test, its power, and the error that it states of its power, all (n,)."""
    (_, beta, power), error = minimax(release.pairs, alpha, order)
    return beta, power, error


def by_spectrum(release: Analysis, alpha: Floats, order: Order) -> Floats:
    """Power by characteristic functions."""
    steps = joint_law.steps_of(release.pairs)
    grid = joint_law.grid_for(steps)
    assert grid is not None
    return in_order(joint_law.by_spectrum(steps, grid), alpha, order).power


def by_lattice(release: Analysis, alpha: Floats, order: Order) -> Floats:
    """Power by a lattice of 512 points along each sum and another of 256, extrapolated."""
    steps = joint_law.steps_of(release.pairs)
    rocs = (joint_law.by_lattice(steps, joint_law.window(steps), points) for points in (512, 256))
    fine, coarse = (in_order(roc, alpha, order).power for roc in rocs)
    return fine + (fine - coarse) / 3.0
