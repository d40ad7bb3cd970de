"""Corners of the trade-off curve of a discrete loss, and how the curves of both orders are put together.

Thresholding the loss from the top gives the corners of the add-one test (null Q), from the bottom those of the
remove-one test (null P). Each half is read only where its slope is 1 or steeper, that is in the tail in which its own
false positive rate is small; the rest of a curve is the mirror image of the other order's half.
"""

from typing import NamedTuple

import numpy as np

from numerics.composition import ComposedLaw
from numerics.trade_off import Floats, Order

_UNIT_ROUNDOFF = 2.0**-53
# Relative rounding of a cell mass and of a running sum, in units of the roundoff per term.
_ROUNDINGS_PER_TERM = 2.0


class Half(NamedTuple):
    """Corners of one order with slope at least 1: ``alpha`` and ``power`` (m,), from the k-th lattice point outward.

    Entry i is the test "loss at least (m - i) steps", so two halves of equal length compare entry by entry.
    """

    alpha: Floats
    power: Floats


class Corners(NamedTuple):
    """A piecewise-linear trade-off curve: ``alpha``, ``beta`` and ``power`` (n,), alpha ascending from 0 to 1."""

    alpha: Floats
    beta: Floats
    power: Floats


def halves(law: ComposedLaw, terms: int, guarantee: bool) -> tuple[Half, Half]:
    """Add-one and remove-one half of the curve of ``law``, moved by all possible rounding to the safe side.

    ``guarantee`` moves towards more power at less alpha (never above the true trade-off curve of the law), otherwise
    towards less (never below it). ``terms`` is the number of composed steps, each of which adds its rounding.
    """
    law = law.spanning_zero()
    size = max(law.first + len(law.p) - 1, -law.first)
    slack = _ROUNDINGS_PER_TERM * _UNIT_ROUNDOFF * (len(law.p) + terms)
    loss = law.loss
    up, down = loss > 0.5 * law.step, loss < -0.5 * law.step
    add = _half(law.q[up][::-1], law.p[up][::-1], loss[up][::-1], law.q_noise, law.p_noise)
    remove = _half(law.p[down], law.q[down], -loss[down], law.p_noise, law.q_noise)
    both = ((add, law.p_infinite), (remove, law.q_infinite))
    first, second = (_pad(_shift(half, certain, law.tail, slack, guarantee), size) for half, certain in both)
    return first, second


class _Sums(NamedTuple):
    """Running sums from the far end of a tail inward, with the bounds on their rounding error."""

    alpha: Floats
    power: Floats
    alpha_error: Floats
    power_error: Floats


def _half(null: Floats, alternative: Floats, loss: Floats, null_noise: float, alternative_noise: float) -> _Sums:
    """Running sums over losses (m,) given from the largest to the smallest; errors by Cauchy-Schwarz (ComposedLaw)."""
    growth = np.exp(loss)
    return _Sums(
        np.cumsum(null),
        np.cumsum(alternative),
        null_noise * np.sqrt(np.cumsum(1.0 / growth)) if null_noise else np.zeros(len(loss)),
        alternative_noise * np.sqrt(np.cumsum(growth)) if alternative_noise else np.zeros(len(loss)),
    )


def _shift(sums: _Sums, certain: float, tail: float, slack: float, guarantee: bool) -> Half:
    """Corners moved by their error: up and to the left for a guarantee, down and to the right for an attack."""
    sign = 1.0 if guarantee else -1.0
    alpha = sums.alpha * (1.0 - sign * slack) - sign * sums.alpha_error
    power = certain + sums.power * (1.0 + sign * slack) + sign * (sums.power_error + tail)
    start = max(certain + tail, 0.0) if guarantee else 0.0
    return Half(np.concatenate(([0.0], np.maximum(alpha, 0.0))), np.concatenate(([start], np.clip(power, 0.0, 1.0))))


def _pad(half: Half, size: int) -> Half:
    """Repeat the outermost corner so that the half has ``size`` + 1 entries."""
    missing = size + 1 - len(half.alpha)
    return Half(*(np.concatenate((np.full(missing, values[0]), values)) for values in half))


def symmetric_half(add: Half, remove: Half, step: float) -> Half:
    """Corners of the lower convex envelope of both orders' curves, where its slope is at least 1.

    The envelope's support function is the larger of the two, power - slope * alpha; between neighbouring lattice
    slopes both are linear, so comparing at the two ends finds every corner. (Never a two-case rule: correction 6.)
    """
    with np.errstate(over="ignore"):
        steep = np.exp(step * np.arange(len(add.alpha), 0, -1))
    flat = np.concatenate((steep[1:], [1.0]))
    lead_steep, lead_flat = (_lead(add, remove, slope) for slope in (steep, flat))
    use_add, use_remove = (lead_steep >= 0) | (lead_flat >= 0), (lead_steep < 0) | (lead_flat < 0)
    alpha = np.concatenate((add.alpha[use_add], remove.alpha[use_remove]))
    power = np.concatenate((add.power[use_add], remove.power[use_remove]))
    order = np.lexsort((power, alpha))
    return Half(alpha[order], power[order])


def _lead(add: Half, remove: Half, slope: Floats) -> Floats:
    """How much the add-one order leads at each corner's ``slope``; infinite slopes compare alpha alone."""
    finite = np.minimum(slope, 1e300)
    return (add.power - remove.power) - finite * (add.alpha - remove.alpha)


def corners(add: Half, remove: Half, order: Order, step: float, guarantee: bool) -> Corners:
    """The whole curve of an order: its own steep half, then the mirror image of the other order's."""
    if order is Order.SYMMETRIC:
        add = remove = symmetric_half(add, remove, step)
    own, other = (remove, add) if order is Order.REMOVE else (add, remove)
    alpha = np.concatenate((own.alpha, 1.0 - other.power[::-1], [1.0]))
    beta = np.concatenate((1.0 - own.power, other.alpha[::-1], [0.0]))
    power = np.concatenate((own.power, 1.0 - other.alpha[::-1], [1.0]))
    # Rounding shifts can break the order by 1e-16; restore it towards the safe side.
    if guarantee:
        alpha = np.minimum.accumulate(alpha[::-1])[::-1]
    else:
        alpha = np.maximum.accumulate(alpha)
    return Corners(alpha, np.minimum.accumulate(beta), np.maximum.accumulate(power))
