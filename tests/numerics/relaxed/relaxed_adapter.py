"""What tests ask of the inside of ``numerics.relaxed``, in words of their own: whatever is renamed there changes here.

What ``relaxed.trade_off`` returns is moved between certified bounds, which hides an error of the test itself: here the
test is looked at before that.
"""

from typing import NamedTuple

import numpy as np

from numerics.mechanisms.analysis import Analysis
from numerics.relaxed import joint_boundary, joint_lattice, joint_spectrum
from numerics.relaxed.joint_law import steps_of
from numerics.relaxed.minimax import minimax
from numerics.relaxed.statistics import FoldedPair
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Floats, Order


class Found(NamedTuple):
    """Error rates (n,) of the minimax test and the error that it states of its power, (n,)."""

    beta: Floats
    power: Floats
    error: Floats


class Nodes(NamedTuple):
    """Quadrature of one step: even and odd part of log L, and masses without the record and with one above, (n,)."""

    even: Floats
    odd: Floats
    null: Floats
    present: Floats


def found_before_bounds(release: Analysis, alpha: Floats, order: Order) -> Found:
    (_, beta, power), error = minimax(release.pairs, alpha, order)
    return Found(beta, power, error)


def by_spectrum(release: Analysis, alpha: Floats, order: Order, coarser: bool = False) -> Floats | None:
    """Power by characteristic functions; None where they do not die out within any grid."""
    steps = steps_of(release.pairs)
    grid = joint_spectrum.grid_for(steps)
    if grid is None:
        return None
    return joint_boundary.roc(steps, grid.coarser() if coarser else grid).at(alpha, order).power


def by_lattice(release: Analysis, alpha: Floats, order: Order, points: int) -> Floats:
    """Power by a lattice of that many points along each sum."""
    steps = steps_of(release.pairs)
    return joint_lattice.roc(steps, joint_lattice.window(steps), points).at(alpha, order).power


def masses(release: Analysis, absent: bool) -> tuple[Floats, Floats]:
    """All cells of the spectrum's joint law, and of its marginal."""
    steps = steps_of(release.pairs)
    grid = joint_spectrum.grid_for(steps)
    assert grid is not None
    law = joint_spectrum.law(steps, grid, absent)
    return law.cells, law.sums


def repeated(less_1: complex, steps: int) -> complex:
    """(1 + less_1)^steps, as the spectrum computes it."""
    return complex(joint_spectrum._repeated(np.array([less_1]), steps)[0])


def nodes(release: Analysis) -> Nodes:
    (step,) = steps_of(release.pairs)
    return Nodes(step.even, step.odd, step.null, step.present)


def folded_losses(release: Analysis, x: Floats) -> Floats:
    """Log-likelihood ratio of one step whose side is unknown."""
    ((pair, _),) = sampled_pairs(release.pairs)
    return FoldedPair(pair.noise, pair.rate).loss(x)
