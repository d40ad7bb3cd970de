"""Errors of the minimax test on a lattice of (log L(x), log L(-x)) sums, for few steps.

Every node's mass goes to the four lattice points around it, in shares that keep its mass without the record and with
the record on either side. The lattice law is then a law whose average the true one is: it is easier to test, by an
amount of second order in the lattice step.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from numerics.relaxed.joint_law import StepQuadrature, SumRange, extent
from numerics.relaxed.roc import Roc
from numerics.trade_off import Floats

Transform = NDArray[np.complex128]

_MARGIN = 16  # one part in 16 of the lattice is left free on either side
_SHORTEST = 1e-9  # range of a sum
_BINS = 6000  # of the log-likelihood ratio


def window(steps: Sequence[StepQuadrature]) -> SumRange:
    """Range of either sum; where that is less than rounding leaves of a likelihood ratio, more."""
    low, high = extent(steps, [step.above for step in steps])
    return SumRange(low, max(high, low + _SHORTEST))


def lattice_step(sums: SumRange, points: int) -> float:
    """Width of a cell; the lattice law reaches further than the true one, and must not wrap around."""
    return (sums.high - sums.low) / (points - 2 * (points // _MARGIN) - 2)


def roc(steps: Sequence[StepQuadrature], sums: SumRange, points: int) -> Roc:
    """Errors of the test on a lattice of ``points`` by ``points`` over ``sums``."""
    width, margin = lattice_step(sums, points), points // _MARGIN
    first = int(np.floor(sums.low / width)) - margin
    loss = width * np.arange(first, first + points, dtype=np.float64)
    null: Transform = np.ones((points, points // 2 + 1), dtype=np.complex128)
    present = null
    for step in steps:
        absent, above = (np.fft.rfft2(mass) for mass in _one_step(step, width, points))
        null, present = null * absent**step.steps, present * above**step.steps
    pulled = _law(present, first, points)
    return _capped(_errors(_law(null, first, points), 0.5 * (pulled + pulled.T), loss), steps)


def _law(transform: Transform, first: int, points: int) -> Floats:
    """Masses from lattice index ``first`` on along both axes."""
    mass = np.maximum(np.fft.irfft2(transform, s=(points, points)), 0.0)
    return np.roll(mass, (-first % points, -first % points), axis=(0, 1))


def _one_step(step: StepQuadrature, width: float, points: int) -> tuple[Floats, Floats]:
    """Masses on the lattice, indices wrapped, without the record and with one that pulls upwards."""
    null, present = np.zeros((points, points)), np.zeros((points, points))
    (low_a, share_a), (low_b, share_b) = (_split(loss, width) for loss in (step.above, step.below))
    for up_a in (0, 1):
        for up_b in (0, 1):
            share = np.where(up_a, share_a, 1.0 - share_a) * np.where(up_b, share_b, 1.0 - share_b)
            place = (low_a + up_a) % points, (low_b + up_b) % points
            np.add.at(null, place, share * step.null)
            np.add.at(present, place, share * step.present * np.exp(width * (low_a + up_a) - step.above))
    return null, present


def _split(loss: Floats, width: float) -> tuple[NDArray[np.int64], Floats]:
    """Lower neighbours on the lattice, and the share of the upper ones that keeps the mean of e^loss."""
    below = np.floor(loss / width)
    return below.astype(np.int64), np.expm1(loss - below * width) / np.expm1(width)


def _errors(null: Floats, present: Floats, loss: Floats) -> Roc:
    """Masses sorted into bins of the log-likelihood ratio; the bins keep both hypotheses' masses."""
    ratio = np.logaddexp.outer(loss, loss) - np.log(2.0)
    cell = ((ratio - ratio[0, 0]) * ((_BINS - 1) / (ratio[-1, -1] - ratio[0, 0]))).astype(np.int64).ravel()
    null_bins, present_bins = (np.bincount(cell, part.ravel(), _BINS) for part in (null, present))
    null_bins, present_bins = null_bins / null_bins.sum(), present_bins / present_bins.sum()
    upper = [np.cumsum(part[::-1])[::-1] for part in (null_bins, present_bins)]
    lower = [np.cumsum(part) - part for part in (null_bins, present_bins)]
    return Roc(upper[0], lower[0], lower[1], upper[1], smooth=False)


def _capped(found: Roc, steps: Sequence[StepQuadrature]) -> Roc:
    """Errors with the power at most alpha times the largest likelihood ratio, that of the outermost nodes on one side.

    Bounded losses reach it with a chance of their own, and the lattice moves a part of that further out: an error of
    first order in its step, which the change from a coarser one need not show.
    """
    above = sum(step.steps * float(step.above[-1]) for step in steps)
    below = sum(step.steps * float(step.below[-1]) for step in steps)
    with np.errstate(divide="ignore"):
        most = np.exp(np.minimum(np.log(found.alpha) + np.logaddexp(above, below) - np.log(2.0), 0.0))
    return replace(found, beta=np.maximum(found.beta, 1.0 - most), power=np.minimum(found.power, most))
