"""Corners of the trade-off curve of a discrete loss, and how the curves of both orders are put together.

Accusing whenever the summed loss reaches k lattice steps gives the corners of the add-one curve where its slope is 1
or steeper; the mirrored loss gives those of the remove-one curve. The rest of a curve is the mirror image of the other
order's half.
"""

from typing import NamedTuple

import numpy as np

from numerics.deadline import look
from numerics.privacy_loss.composition import Blocks, UpperTail
from numerics.privacy_loss.transform import UNIT_ROUNDOFF
from numerics.trade_off import Floats, Order

# Relative rounding of a cell mass and of a running sum, in units of the roundoff per term.
_ROUNDINGS_PER_TERM = 2.0


SMALLEST_CLAIM = 1e-300  # of an attack: a false positive rate that underflows to 0 is not 0


class Half(NamedTuple):
    """Corners of one order with slope at least 1: ``alpha`` and ``power`` (m,), both ascending.

    Entry i is best against slopes between e^{(m - i - 1) D} and e^{(m - i) D}, D the step of the half.
    """

    alpha: Floats
    power: Floats


class Corners(NamedTuple):
    """Points of a trade-off curve: ``alpha``, ``beta`` and ``power`` (n,), alpha ascending."""

    alpha: Floats
    beta: Floats
    power: Floats


class Polyline(NamedTuple):
    """A piecewise-linear trade-off curve by its corners (n,), ``alpha`` ascending from 0 to 1.

    ``rest`` is 1 - alpha and ``power`` 1 - beta, each with its digits where it is small.
    """

    alpha: Floats
    rest: Floats
    beta: Floats
    power: Floats

    def at(self, alpha: Floats) -> Corners:
        """Its points at ``alpha`` (n,)."""
        low, values = alpha <= 0.5, (self.beta, self.power)
        beta, power = (
            np.where(low, np.interp(alpha, self.alpha, y), np.interp(1.0 - alpha, self.rest[::-1], y[::-1]))
            for y in values
        )
        return Corners(alpha, beta, power)


def half(tail: UpperTail, guarantee: bool) -> Half:
    """Corners of the test on ``tail``, moved by all possible rounding to the safe side.

    ``guarantee`` moves towards more power at less alpha (never above the true trade-off curve of the law), otherwise
    towards less (never below it). The step of the half is a block of the tail; alpha is in units of e^-level.
    """
    sign = 1.0 if guarantee else -1.0
    slack = _ROUNDINGS_PER_TERM * UNIT_ROUNDOFF * tail.roundings
    alpha, power = np.cumsum(tail.q.mass[::-1]), tail.certain + np.cumsum(tail.p.mass[::-1])
    alpha = np.clip(alpha - sign * (slack * alpha + _error(tail.q)), 0.0, 1.0)
    power = np.clip(power + sign * (slack * power + _error(tail.p)), 0.0, 1.0)
    if not guarantee:
        alpha = np.clip(alpha + tail.missing, SMALLEST_CLAIM, 1.0)
        power = np.maximum(power, alpha)  # guessing reaches that: the better attack where rounding hides all else
    certain = tail.certain * (1.0 + sign * slack)
    start = min(certain + float(tail.p.tail[-1]), 1.0) if guarantee else certain
    return Half(np.concatenate(([0.0], alpha)), np.concatenate(([start], power)))


def _error(blocks: Blocks) -> Floats:
    """Bound on the error of sums from the last block down, (m,); squares of small noise would underflow."""
    return blocks.tail[::-1] + np.hypot.accumulate(blocks.noise[::-1])


def thinned(corners_: Half, factor: int) -> Half:
    """Every ``factor``-th corner, counted from the flat end."""
    kept = np.arange(len(corners_.alpha) - 1, -1, -factor)[::-1]
    alpha, power = (values[kept] for values in corners_)
    return Half(np.concatenate((corners_.alpha[:1], alpha)), np.concatenate((corners_.power[:1], power)))


def tangents(corners_: Half, step: float) -> Half:
    """Corners of the polygon that the supporting lines with slopes 1, e^step, e^{2 step}, ... enclose.

    Entry i of ``corners_`` is a point that the line of the i-th slope, counted from the flat end, supports. The true
    curve lies below every line, hence below the polygon: a guarantee that does not need the corners in between.
    """
    count = len(corners_.alpha)
    slope = np.exp(np.minimum(step * np.arange(count - 1, -1, -1), 600.0))
    alpha, power = corners_
    steep_alpha, steep_power = np.append(0.0, alpha[:-1]), np.append(power[0], power[:-1])
    run = alpha - steep_alpha
    rise = (power - steep_power) - slope * run
    meeting = np.clip(rise / (slope * np.expm1(step)), 0.0, run)
    # Where rounding has put a corner above its steeper neighbour's line, that corner itself is above both lines.
    met = meeting < run
    level = np.where(met, np.minimum(steep_power + slope * np.exp(step) * meeting, power), power)
    return Half(steep_alpha + meeting, level)


def capped(corners_: Half, farthest: float, unit: float) -> Half:
    """Corners of the part of the polygon where power - alpha is at most ``farthest``; alpha is in units of ``unit``.

    The difference grows along a half, so only its end is cut, by a line of slope 1.
    """
    alpha, power = corners_
    limit = np.minimum(farthest + unit * alpha, 1.0)
    over = power > limit
    if not np.any(over):
        return corners_
    place = int(np.argmax(over))
    alpha, power = alpha.copy(), np.minimum(power, limit)
    if place > 0:
        before, after = limit[place - 1] - power[place - 1], corners_.power[place] - limit[place]
        share = before / (before + after)
        alpha[place] = alpha[place - 1] + share * (alpha[place] - alpha[place - 1])
        power[place] = farthest + unit * alpha[place]
    return Half(alpha, power)


def padded(corners_: Half, size: int) -> Half:
    """Repeat the outermost corner until the half has ``size`` entries."""
    missing = size - len(corners_.alpha)
    return Half(*(np.concatenate((np.full(missing, values[0]), values)) for values in corners_))


def symmetric_half(add: Half, remove: Half, step: float) -> Half:
    """Corners of the lower convex envelope of both orders' curves, where its slope is at least 1.

    The envelope's support function is the larger of the two, power - slope * alpha; between neighbouring lattice
    slopes both are linear, so comparing at the two ends finds every corner. (Never a two-case rule: correction 6.)
    """
    count = len(add.alpha)
    steep = np.exp(np.minimum(step * np.arange(count, 0, -1), 700.0))
    leads = [
        (add.power - remove.power) - slope * (add.alpha - remove.alpha) for slope in (steep, steep * np.exp(-step))
    ]
    use_add, use_remove = (leads[0] >= 0) | (leads[1] >= 0), (leads[0] < 0) | (leads[1] < 0)
    # At slope 1 the orders tie, mirror images of each other; the envelope turns at the one before the mirror axis.
    use_add[-1] = use_remove[-1] = True
    alpha = np.concatenate((add.alpha[use_add], remove.alpha[use_remove]))
    power = np.concatenate((add.power[use_add], remove.power[use_remove]))
    # The envelope is its own mirror image: a corner beyond the axis, be it by rounding, stands for that before it.
    beyond = alpha + power > 1.0
    alpha, power = np.where(beyond, 1.0 - power, alpha), np.where(beyond, 1.0 - alpha, power)
    order = np.lexsort((power, alpha))
    return Half(alpha[order], power[order])


def _better_half(add: Polyline, remove: Polyline) -> Half:
    """An attacker's choice between both orders' tests, up to where its advantage is largest.

    Rounded losses drift, so their lattice slopes are not the true ones; here the curves themselves are compared.
    """
    look()
    alpha = np.sort(np.concatenate((add.alpha, remove.alpha)), kind="stable")  # two runs that are sorted: merged
    power = np.maximum(*(np.interp(alpha, curve.alpha, curve.power) for curve in (add, remove)))
    inside = np.flatnonzero(alpha + power <= 1.0)
    last = inside[np.argmax((power - alpha)[inside])]
    return Half(alpha[: last + 1], power[: last + 1])


def corners(add: Half, remove: Half, order: Order, step: float, guarantee: bool) -> Polyline:
    """The whole curve of an order: its own steep half, then the mirror image of the other order's."""
    look()
    if order is Order.SYMMETRIC and guarantee:
        add = remove = symmetric_half(add, remove, step)
    elif order is Order.SYMMETRIC:
        both = [corners(add, remove, each, step, guarantee) for each in (Order.ADD, Order.REMOVE)]
        add = remove = _better_half(both[0], both[1])
    own, other = (remove, add) if order is Order.REMOVE else (add, remove)
    alpha = np.concatenate((own.alpha, 1.0 - other.power[::-1], [1.0]))
    rest = np.concatenate((1.0 - own.alpha, other.power[::-1], [0.0]))
    beta = np.concatenate((1.0 - own.power, other.alpha[::-1], [0.0]))
    power = np.concatenate((own.power, 1.0 - other.alpha[::-1], [1.0]))
    # Rounding shifts can break the order by 1e-16; restore it towards the safe side.
    if guarantee:
        alpha, rest = np.minimum.accumulate(alpha[::-1])[::-1], np.maximum.accumulate(rest[::-1])[::-1]
    else:
        alpha, rest = np.maximum.accumulate(alpha), np.minimum.accumulate(rest)
    return Polyline(alpha, rest, np.minimum.accumulate(beta), np.maximum.accumulate(power))


def cut(curve: Polyline, order: Order, drawn: float) -> Polyline:
    """What of a guarantee's ``curve`` can be where P = (1 - q) Q + q A, ``drawn`` = q < 1.

    Add-one: power <= q + (1 - q) alpha. Remove-one, the functional inverse: power <= alpha / (1 - q). What holds for
    both, power <= q + alpha, the halves keep already (``capped``). The curve and the line cross between two corners:
    there a corner is added, as a chord across would lie below both.
    """
    if order is Order.SYMMETRIC:
        return curve

    def line(alpha: Floats, rest: Floats) -> tuple[Floats, Floats]:
        if order is Order.ADD:
            return drawn + (1.0 - drawn) * alpha, (1.0 - drawn) * rest
        return alpha / (1.0 - drawn), (rest - drawn) / (1.0 - drawn)

    power, beta = line(curve.alpha, curve.rest)
    over = np.where(curve.power < 0.5, curve.power - power, beta - curve.beta)
    after = np.flatnonzero(over[:-1] * over[1:] < 0.0) + 1
    share = over[after - 1] / (over[after - 1] - over[after])
    both = (np.insert(values, after, values[after - 1] + share * np.diff(values)[after - 1]) for values in curve)
    alpha, rest, own_beta, own_power = both
    power, beta = line(alpha, rest)
    return Polyline(alpha, rest, np.maximum(own_beta, beta), np.minimum(own_power, power))
