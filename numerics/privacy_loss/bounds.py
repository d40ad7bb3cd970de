"""Piecewise-linear bounds of a trade-off curve, read from sums of the loss, and what they answer.

Accusing whenever the summed loss reaches k lattice steps gives the corners of the add-one curve where its slope is 1
or steeper; the mirrored loss gives those of the remove-one curve. The rest of a curve is the mirror image of the other
order's steep part.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from numerics.deadline import in_time, look
from numerics.privacy_loss.composition import UpperTail
from numerics.privacy_loss.pairs import UNIT_ROUNDOFF
from numerics.trade_off import Bracket, CurvePoints, Floats, Order
from numerics.validation import NonNegative, OpenProbability, Probabilities, Probability, value

# Relative rounding of a cell mass and of a running sum, in units of the roundoff per term.
_ROUNDINGS_PER_TERM = 2.0
SMALLEST_CLAIM = 1e-300  # of an attack: a false positive rate that underflows to 0 is not 0
_LARGEST_CLAIM = 1.0 - 2.0**-53  # of an attack's power
_SMALLEST_SQUARED = 1e-150
_STATISTIC_BINS = 1920  # several a pixel of whatever part of it is drawn
_OMITTED = 1e-6  # share of the mass that either end of the statistic's law leaves out


class Polyline(NamedTuple):
    """A piecewise-linear trade-off curve by its corners (n,), ``alpha`` ascending from 0 to 1.

    ``rest`` is 1 - alpha and ``power`` 1 - beta, each with its digits where it is small.
    """

    alpha: Floats
    rest: Floats
    beta: Floats
    power: Floats

    @classmethod
    def of(cls, p: Floats, q: Floats) -> "Polyline":
        """The best test between laws with the masses ``p`` and ``q`` (n,) by ascending loss: from the largest on down.

        Sums from either end, so that small rates keep their digits.
        """
        rest, beta = (np.append(np.cumsum(mass)[::-1], 0.0) for mass in (q, p))
        alpha, power = (np.append(0.0, np.minimum(np.cumsum(mass[::-1]), 1.0)) for mass in (q, p))
        return cls(alpha, rest, beta, power)

    @classmethod
    def hull(cls, points: "Polyline") -> "Polyline":
        """The lower convex hull of ``points`` in any order, of which guessing is one, too."""
        alpha, rest, beta, power = (np.concatenate((one, ends)) for one, ends in zip(points, GUESSING, strict=True))
        top, never, always = int(np.argmax(power - alpha)), len(alpha) - 2, len(alpha) - 1
        steep, flat = _steep_corners(alpha, power, never, top), _steep_corners(beta, rest, always, top)
        kept = [*steep, *flat[-2::-1]]
        return cls(alpha[kept], rest[kept], beta[kept], power[kept])

    @property
    def law(self) -> tuple[Floats, Floats]:
        """Masses (n - 1,) of a loss that has this curve, under P and under Q, from its smallest value on."""
        p = np.where(self.power[1:] <= 0.5, np.diff(self.power), -np.diff(self.beta))
        q = np.where(self.alpha[1:] <= 0.5, np.diff(self.alpha), -np.diff(self.rest))
        return p[::-1], q[::-1]

    @property
    def mirrored(self) -> "Polyline":
        """The other order: the roles of the two errors exchanged."""
        return Polyline(self.beta[::-1], self.power[::-1], self.alpha[::-1], self.rest[::-1])

    def sampled(self, rate: float) -> "Polyline":
        """That of a record which takes part with probability ``rate``, in the add-one order."""
        beta, power = rate * self.beta + (1.0 - rate) * self.rest, rate * self.power + (1.0 - rate) * self.alpha
        return Polyline(self.alpha, self.rest, beta, power)

    def at(self, alpha: Floats) -> CurvePoints:
        """Its points at ``alpha`` (n,)."""
        low, above = alpha <= 0.5, 1.0 - alpha
        found = []
        for y in (self.beta, self.power):
            near, far = np.interp(alpha, self.alpha, y), np.interp(above, self.rest[::-1], y[::-1])
            found.append(np.where(low, near, far))
        return CurvePoints(alpha, *found)

    def alpha_for(self, power: Floats) -> Floats:
        """The false positive rates (n,) at which it has this ``power``."""
        rest = np.interp(1.0 - power, self.beta[::-1], self.rest[::-1])
        return np.where(power < 0.5, np.interp(power, self.power, self.alpha), 1.0 - rest)

    def area(self) -> float:
        """Area under power against alpha."""
        return float(np.trapezoid(self.power, self.alpha))

    def within(self, order: Order, drawn: float) -> "Polyline":
        """What of a guarantee can be where P = (1 - q) Q + q A, ``drawn`` = q < 1, in one of the two orders.

        Add-one: power <= q + (1 - q) alpha. Remove-one, the functional inverse: power <= alpha / (1 - q). What holds
        for both, power <= q + alpha, the steep parts keep already. The curve and the line cross between two corners:
        there a corner is added, as a chord across would lie below both.
        """

        def line(alpha: Floats, rest: Floats) -> tuple[Floats, Floats]:
            if order is Order.ADD:
                return drawn + (1.0 - drawn) * alpha, (1.0 - drawn) * rest
            return alpha / (1.0 - drawn), (rest - drawn) / (1.0 - drawn)

        power, beta = line(self.alpha, self.rest)
        over = np.where(self.power < 0.5, self.power - power, beta - self.beta)
        after = np.flatnonzero(over[:-1] * over[1:] < 0.0) + 1
        share = over[after - 1] / (over[after - 1] - over[after])
        both = (np.insert(values, after, values[after - 1] + share * np.diff(values)[after - 1]) for values in self)
        alpha, rest, own_beta, own_power = both
        power, beta = line(alpha, rest)
        return Polyline(alpha, rest, np.maximum(own_beta, beta), np.minimum(own_power, power))


GUESSING = Polyline(*(np.array(ends) for ends in ((0.0, 1.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0))))


def _steep_corners(x: Floats, y: Floats, first: int, last: int) -> list[int]:
    """Indices of the corners of the upper hull between two of its points (Andrew 1979), both rates growing."""
    inside = np.flatnonzero((x < x[last]) & (y < y[last]))
    order = inside[np.lexsort((y[inside], x[inside]))].tolist()
    kept, across, up = [first], x.tolist(), y.tolist()
    for i in [*order, last]:
        while len(kept) > 1:
            j, k = kept[-2:]
            if (up[k] - up[j]) * (across[i] - across[k]) > (up[i] - up[k]) * (across[k] - across[j]):
                break
            kept.pop()
        if up[i] > up[kept[-1]]:
            kept.append(i)
    return kept


def _running_norm(values: Floats) -> Floats:
    """Roots of the running sums of squares (n,); by the slower hypot where a square may underflow."""
    if np.min(values) < _SMALLEST_SQUARED:
        return np.hypot.accumulate(values)
    return np.sqrt(np.cumsum(np.square(values)))


def _falling(values: Floats) -> Floats:
    """The least so far; most fall already, and to see that takes a fifth of the time."""
    return values if (values[1:] <= values[:-1]).all() else np.minimum.accumulate(values)


def _rising(values: Floats) -> Floats:
    """The most so far, in the same way."""
    return values if (values[1:] >= values[:-1]).all() else np.maximum.accumulate(values)


class SteepPart(NamedTuple):
    """Corners of one order with slope at least 1: ``alpha`` and ``power`` (m,), both ascending.

    Entry i is best against slopes between e^{(m - i - 1) D} and e^{(m - i) D}, D the step of the bound.
    """

    alpha: Floats
    power: Floats

    @classmethod
    def of(cls, tail: UpperTail, guarantee: bool) -> "SteepPart":
        """Corners of the test on ``tail``, moved by all possible rounding to the safe side.

        ``guarantee`` moves towards more power at less alpha (never above the true trade-off curve of the law),
        otherwise towards less (never below it). The step is a block of the tail; alpha is in units of e^-level.
        """
        sign = 1.0 if guarantee else -1.0
        slack = _ROUNDINGS_PER_TERM * UNIT_ROUNDOFF * tail.roundings
        # Errors of sums from the last block down.
        p_off, q_off = (of.tail[::-1] + _running_norm(of.noise[::-1]) for of in (tail.p, tail.q))
        alpha, power = np.cumsum(tail.q.mass[::-1]), tail.certain + np.cumsum(tail.p.mass[::-1])
        alpha = np.clip(alpha - sign * (slack * alpha + q_off), 0.0, 1.0)
        power = np.clip(power + sign * (slack * power + p_off), 0.0, 1.0)
        if not guarantee:
            alpha = np.clip(alpha + tail.missing, SMALLEST_CLAIM, 1.0)
            power = np.maximum(power, alpha)  # guessing reaches that: the better attack where rounding hides all else
        certain = tail.certain * (1.0 + sign * slack)
        start = min(certain + float(tail.p.tail[-1]), 1.0) if guarantee else certain
        return cls(np.concatenate(([0.0], alpha)), np.concatenate(([start], power)))

    def thinned(self, factor: int) -> "SteepPart":
        """Every ``factor``-th corner, counted from the flat end."""
        kept = np.arange(len(self.alpha) - 1, -1, -factor)[::-1]
        return SteepPart(*(np.concatenate((values[:1], values[kept])) for values in self))

    def tangents(self, step: float) -> "SteepPart":
        """Corners of the polygon that the supporting lines with slopes 1, e^step, e^{2 step}, ... enclose.

        Each entry is a point that the line of its slope, counted from the flat end, supports. The true curve lies below
        every line, hence below the polygon: a guarantee that does not need the corners in between.
        """
        alpha, power = self
        slope = np.exp(np.minimum(step * np.arange(len(alpha) - 1, -1, -1), 600.0))
        steep_alpha, steep_power = np.append(0.0, alpha[:-1]), np.append(power[0], power[:-1])
        run = alpha - steep_alpha
        rise = (power - steep_power) - slope * run
        meeting = np.clip(rise / (slope * np.expm1(step)), 0.0, run)
        # Where rounding has put a corner above its steeper neighbour's line, that corner itself is above both lines.
        met = meeting < run
        level = np.where(met, np.minimum(steep_power + slope * np.exp(step) * meeting, power), power)
        return SteepPart(steep_alpha + meeting, level)

    def capped(self, farthest: float, unit: float) -> "SteepPart":
        """The part of the polygon where power - alpha is at most ``farthest``; alpha is in units of ``unit``.

        The difference grows along the steep part, so only its end is cut, by a line of slope 1.
        """
        alpha, power = self
        limit = np.minimum(farthest + unit * alpha, 1.0)
        over = power > limit
        if not np.any(over):
            return self
        place = int(np.argmax(over))
        alpha, power = alpha.copy(), np.minimum(power, limit)
        if place > 0:
            before, after = limit[place - 1] - power[place - 1], self.power[place] - limit[place]
            share = before / (before + after)
            alpha[place] = alpha[place - 1] + share * (alpha[place] - alpha[place - 1])
            power[place] = farthest + unit * alpha[place]
        return SteepPart(alpha, power)

    def padded(self, size: int) -> "SteepPart":
        """The outermost corner repeated until there are ``size`` entries."""
        missing = size - len(self.alpha)
        return SteepPart(*(np.concatenate((np.full(missing, values[0]), values)) for values in self))


def _symmetric(add: SteepPart, remove: SteepPart, step: float) -> SteepPart:
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
    return SteepPart(alpha[order], power[order])


def _better(add: Polyline, remove: Polyline) -> SteepPart:
    """An attacker's choice between both orders' tests, up to where its advantage is largest.

    Rounded losses drift, so their lattice slopes are not the true ones; here the curves themselves are compared.
    """
    look()
    alpha = np.sort(np.concatenate((add.alpha, remove.alpha)), kind="stable")  # two runs that are sorted: merged
    power = np.maximum(*(np.interp(alpha, curve.alpha, curve.power) for curve in (add, remove)))
    inside = np.flatnonzero(alpha + power <= 1.0)
    last = inside[np.argmax((power - alpha)[inside])]
    return SteepPart(alpha[: last + 1], power[: last + 1])


@dataclass(frozen=True, eq=False)
class CurveBound:
    """A guarantee, or an attack: steep parts of both orders on a lattice of ``step``.

    Nothing is further apart than ``farthest``. ``drawn`` is a q of P = (1 - q) Q + q A: the record takes part with that
    chance, and Q is what there is without it.
    """

    add: SteepPart
    remove: SteepPart
    step: float
    guarantee: bool
    farthest: float = 1.0
    drawn: float = 1.0

    @classmethod
    def of(
        cls, tails: tuple[UpperTail, UpperTail], guarantee: bool, farthest: float, drawn: float, level: float
    ) -> "CurveBound":
        """From the sum and its mirror image, read above ``level``, in the wider of their blocks."""
        block = max(tail.block for tail in tails)
        parts = []
        for tail in in_time(tails[:1] if tails[0] is tails[1] else tails):
            part, factor = SteepPart.of(tail, guarantee), block // tail.block
            part = part.thinned(factor) if factor > 1 else part
            if guarantee:
                part = part.tangents(tail.step * tail.block * factor).capped(farthest, float(np.exp(-level)))
            parts.append(part)
        size = max(len(part.alpha) for part in parts)
        parts = [part.padded(size) for part in parts]
        add, remove, step = parts[0], parts[-1], tails[0].step * block
        return cls(add, remove, step, True, farthest, drawn) if guarantee else cls(add, remove, step, False)

    def corners(self, order: Order) -> Polyline:
        """The whole curve of an order: its own steep part, then the mirror image of the other order's."""
        look()
        add, remove = self.add, self.remove
        is_joined = order is Order.SYMMETRIC and add is not remove
        if is_joined and self.guarantee:
            add = remove = _symmetric(add, remove, self.step)
        elif is_joined:
            add = remove = _better(self.corners(Order.ADD), self.corners(Order.REMOVE))
        own, other = (remove, add) if order is Order.REMOVE else (add, remove)
        alpha = np.concatenate((own.alpha, 1.0 - other.power[::-1], [1.0]))
        rest = np.concatenate((1.0 - own.alpha, other.power[::-1], [0.0]))
        beta = np.concatenate((1.0 - own.power, other.alpha[::-1], [0.0]))
        power = np.concatenate((own.power, 1.0 - other.alpha[::-1], [1.0]))
        # Rounding shifts can break the order by 1e-16; restore it towards the safe side.
        if self.guarantee:
            alpha, rest = _falling(alpha[::-1])[::-1], _rising(rest[::-1])[::-1]
        else:
            alpha, rest = _rising(alpha), _falling(rest)
        curve = Polyline(alpha, rest, _falling(beta), _rising(power))
        if self.guarantee and self.drawn < 1.0 and order is not Order.SYMMETRIC:
            return curve.within(order, self.drawn)
        return curve

    def epsilon(self, delta: float) -> float:
        """Smallest epsilon with power <= e^epsilon alpha + delta at every corner of both orders."""
        with np.errstate(divide="ignore"):
            rows = [np.log(part.power[part.power > delta] - delta) for part in (self.add, self.remove)]
            costs = [np.log(part.alpha[part.power > delta]) for part in (self.add, self.remove)]
        return float(max(0.0, *(np.max(row - cost, initial=0.0) for row, cost in zip(rows, costs, strict=True))))

    def delta(self, epsilon: float) -> float:
        """Largest power - e^epsilon alpha over the corners of both orders: at epsilon 0 the total variation."""
        with np.errstate(divide="ignore", over="ignore"):  # e^epsilon may overflow where e^epsilon alpha does not
            costs = [np.exp(epsilon + np.log(part.alpha)) for part in (self.add, self.remove)]
        gains = [np.max(part.power - cost) for part, cost in zip((self.add, self.remove), costs, strict=True)]
        return min(float(max(0.0, *gains)), self.farthest)

    def gaussian_mu(self, smallest_alpha: float) -> float:
        """Smallest mu with G_mu on or below the symmetric curve where both its error rates exceed ``smallest_alpha``.

        Between corners the curve is a chord of two points above the convex G_mu, so checking corners is enough. An
        attack's power that rounds to 1 is less, and claims no infinite mu.
        """
        curve = self.corners(Order.SYMMETRIC)
        edge = np.interp(smallest_alpha, curve.alpha, curve.power)
        inside = (curve.alpha > smallest_alpha) & (curve.beta > smallest_alpha)
        alpha, power = np.append(curve.alpha[inside], smallest_alpha), np.append(curve.power[inside], edge)
        power = power if self.guarantee else np.minimum(power, _LARGEST_CLAIM)
        return float(max(0.0, np.max(ndtri(power) - ndtri(alpha))))


class StatisticLaw(NamedTuple):
    """Masses of the attacker's log-likelihood ratio in even bins, (n,) each: without the record and with it."""

    loss: Floats
    null: Floats
    alternative: Floats

    @classmethod
    def of(cls, alternative: UpperTail, null: UpperTail) -> "StatisticLaw":
        """From the sum under the alternative, and the mirrored one under the null hypothesis (see ``sums``)."""
        laws = []
        for tail, sign in ((null, -1), (alternative, 1)):
            # Blocks lie between losses halfway between their lattice points. A block's mass is spread evenly between
            # these: counting whole blocks would put two in one bin and three in the next.
            ends = tail.step * (tail.block * (tail.first + np.arange(len(tail.law) + 1)) + 0.5) + tail.origin
            running = np.concatenate(([0.0], np.cumsum(tail.law[::sign], dtype=np.float64)))
            laws.append((np.asarray(sign * ends[::sign], dtype=np.float64), running))
        inner = []
        for ends, running in laws:
            shares = np.array([_OMITTED, 1.0 - _OMITTED]) * running[-1]
            reached = np.clip(np.searchsorted(running, shares), 1, len(ends) - 1)
            inner.append((float(ends[reached[0] - 1]), float(ends[reached[1]])))
        low, high = min(first for first, _ in inner), max(last for _, last in inner)
        width = max((high - low) / _STATISTIC_BINS, alternative.step * max(alternative.block, null.block))
        edges = low + width * np.arange(int((high - low) / width) + 2)
        masses = [np.diff(np.interp(edges, *law)) for law in laws]
        return cls(np.asarray(edges[:-1] + 0.5 * width, dtype=np.float64), *masses)


@value(eq=False)
class CertifiedLoss:
    """Answers about a composed mechanism, each as a bracket: demonstrated attack, estimate, guarantee.

    With a ``level`` above 0 only epsilon is asked for: rates of the sides are then in units of e^-level, and epsilon is
    at least that. The ``statistic`` has a law only where sums were computed.
    """

    guarantee: CurveBound
    attack: CurveBound
    statistic: StatisticLaw | None
    level: float = 0.0

    def trade_off(self, alpha: Probabilities, order: Order) -> tuple[CurvePoints, CurvePoints, CurvePoints]:
        """Guarantee, estimate and attack at ``alpha`` (n,)."""
        safe, found = (side.corners(order).at(alpha) for side in (self.guarantee, self.attack))
        reached = no_better(found, safe)
        return safe, blended(safe, reached), reached

    def power(self, alpha: float, order: Order) -> Bracket:
        """True positive rate at false positive rate ``alpha``."""
        safe, shown, reached = (float(side.power[0]) for side in self.trade_off(np.array([alpha]), order))
        return Bracket.around(reached, shown, safe)

    def epsilon(self, delta: OpenProbability) -> Bracket:
        """Smallest epsilon at ``delta``, worst of both orders."""
        reached = self.attack.epsilon(delta)
        lower = self.level + reached if reached > 0.0 else 0.0
        return _between(lower, self.level + self.guarantee.epsilon(delta))

    def delta(self, epsilon: NonNegative) -> Bracket:
        """Smallest delta at ``epsilon``, worst of both orders."""
        return _between(self.attack.delta(epsilon), self.guarantee.delta(epsilon))

    def auc(self) -> Bracket:
        """Area under the receiver operating characteristic (the same for both orders)."""
        return _between(*(side.corners(Order.ADD).area() for side in (self.attack, self.guarantee)))

    def gaussian_mu(self, smallest_alpha: OpenProbability) -> Bracket:
        """Smallest mu-GDP below the curve of both orders, down to ``smallest_alpha``."""
        return _between(self.attack.gaussian_mu(smallest_alpha), self.guarantee.gaussian_mu(smallest_alpha))

    def threshold(self, alpha: Probability, order: Order = Order.ADD) -> float:
        """The loss at or above which the add-one test accuses, at false positive rate ``alpha``.

        In the remove-one order: at or below which that test clears, at false negative rate ``alpha``. For both joined,
        as for the add-one test.
        """
        clears = order is Order.REMOVE
        reached = self.attack.corners(Order.REMOVE if clears else Order.ADD).alpha
        above = len((self.attack.remove if clears else self.attack.add).alpha)
        index = int(np.searchsorted(reached, alpha))
        accused = self.attack.step * (above - index if index < above else above - 1 - index)
        return -accused if clears else accused


def _between(reached: float, guaranteed: float) -> Bracket:
    """A number that grows with the attacker's success, from its value on either side."""
    return Bracket.between(min(reached, guaranteed), guaranteed)


def no_better(reached: CurvePoints, safe: CurvePoints) -> CurvePoints:
    """An attack, which nothing but rounding shows above the guarantee."""
    return CurvePoints(reached.alpha, np.maximum(reached.beta, safe.beta), np.minimum(reached.power, safe.power))


def blended(safe: CurvePoints, reached: CurvePoints) -> CurvePoints:
    """Both sides err by second order in the lattice step, the guarantee twice as much: the leading term cancels.

    It rises where both rise, also where they lie far apart: a single number is the guarantee there (``between``).
    """
    beta, power = (low + (high - low) / 3.0 for low, high in zip(reached[1:], safe[1:], strict=True))
    return CurvePoints(safe.alpha, beta, power)
