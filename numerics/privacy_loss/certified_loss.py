"""Answers about a composed mechanism, read off the two sides of its certified bracket."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from numerics.deadline import in_time
from numerics.lazy_property import lazy_property
from numerics.privacy_loss.composition import UpperTail
from numerics.privacy_loss.vertices import (
    Corners,
    Half,
    Polyline,
    capped,
    corners,
    cut,
    half,
    padded,
    tangents,
    thinned,
)
from numerics.trade_off import Bracket, Floats, Order
from numerics.validation import NonNegative, OpenProbability, Probabilities, Probability, value

_STATISTIC_BINS = 1920  # several a pixel of whatever part of it is drawn
_LARGEST_CLAIM = 1.0 - 2.0**-53  # of an attack's power
_OMITTED = 1e-6  # share of the mass that either end of the statistic's law leaves out


class StatisticLaw(NamedTuple):
    """Masses of the attacker's log-likelihood ratio in even bins, (n,) each: without the record and with it."""

    loss: Floats
    null: Floats
    alternative: Floats


def statistic_law(alternative: UpperTail, null: UpperTail) -> StatisticLaw:
    """Law of the attacker's statistic, in even bins.

    ``null`` is the mirrored loss under the null hypothesis (see ``composition``).
    """
    ends, null_ends = _ends(alternative), -_ends(null)[::-1]
    law, null_law = _running(alternative.law), _running(null.law[::-1])
    low = min(_quantile(of, _OMITTED)[0] for of in ((ends, law), (null_ends, null_law)))
    high = max(_quantile(of, 1.0 - _OMITTED)[1] for of in ((ends, law), (null_ends, null_law)))
    width = max((high - low) / _STATISTIC_BINS, alternative.step * max(alternative.block, null.block))
    edges = low + width * np.arange(int((high - low) / width) + 2)
    masses = [np.diff(np.interp(edges, *of)) for of in ((null_ends, null_law), (ends, law))]
    return StatisticLaw(np.asarray(edges[:-1] + 0.5 * width, dtype=np.float64), masses[0], masses[1])


def _ends(tail: UpperTail) -> Floats:
    """Losses between which the blocks lie, (n + 1,), halfway between their lattice points.

    A block's mass is spread evenly between them: counting whole blocks would put two in one bin and three in the next.
    """
    ends = tail.step * (tail.block * (tail.first + np.arange(len(tail.law) + 1)) + 0.5)
    return np.asarray(tail.origin + ends, dtype=np.float64)


def _running(law: Floats) -> Floats:
    """Mass up to each end, (n + 1,)."""
    return np.concatenate(([0.0], np.cumsum(law, dtype=np.float64)))


def _quantile(of: tuple[Floats, Floats], share: float) -> tuple[float, float]:
    """Ends of the block in which the running mass reaches ``share`` of the whole."""
    ends, mass = of
    reached = min(max(int(np.searchsorted(mass, share * mass[-1])), 1), len(ends) - 1)
    return float(ends[reached - 1]), float(ends[reached])


@dataclass(frozen=True, eq=False)
class BracketSide:
    """One side of the bracket: halves of both orders on a lattice of ``step``; see ``vertices``.

    Nothing is further apart than ``farthest``. ``drawn`` is a q of P = (1 - q) Q + q A: the record takes part with that
    chance, and Q is what there is without it.
    """

    add: Half
    remove: Half
    step: float
    guarantee: bool
    farthest: float = 1.0
    drawn: float = 1.0

    def corners(self, order: Order) -> Polyline:
        """The whole piecewise-linear curve of an order."""
        curve = corners(self.add, self.remove, order, self.step, self.guarantee)
        return cut(curve, order, self.drawn) if self.guarantee and self.drawn < 1.0 else curve

    def epsilon(self, delta: float) -> float:
        """Smallest epsilon with power <= e^epsilon alpha + delta at every corner of both orders."""
        with np.errstate(divide="ignore"):
            rows = [np.log(half.power[half.power > delta] - delta) for half in (self.add, self.remove)]
            costs = [np.log(half.alpha[half.power > delta]) for half in (self.add, self.remove)]
        return float(max(0.0, *(np.max(row - cost, initial=0.0) for row, cost in zip(rows, costs, strict=True))))

    def delta(self, epsilon: float) -> float:
        """Largest power - e^epsilon alpha over the corners of both orders."""
        with np.errstate(divide="ignore", over="ignore"):  # e^epsilon may overflow where e^epsilon alpha does not
            costs = [np.exp(epsilon + np.log(half.alpha)) for half in (self.add, self.remove)]
        gains = [np.max(half.power - cost) for half, cost in zip((self.add, self.remove), costs, strict=True)]
        return min(float(max(0.0, *gains)), self.farthest)

    def advantage(self) -> float:
        """Largest power - alpha: the total variation distance."""
        return self.delta(0.0)

    def area(self) -> float:
        """Area under power against alpha."""
        curve = self.corners(Order.ADD)
        return float(np.trapezoid(curve.power, curve.alpha))

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


@value(eq=False)
class CertifiedLoss:
    """Answers about a composed mechanism, each as a bracket: demonstrated attack, estimate, guarantee.

    With a ``level`` above 0 only epsilon is asked for: rates of the sides are then in units of e^-level, and epsilon is
    at least that. The ``statistic`` has a law only where sums were computed.
    """

    guarantee: BracketSide
    attack: BracketSide
    statistic: StatisticLaw | None
    level: float = 0.0

    def trade_off(self, alpha: Probabilities, order: Order) -> tuple[Corners, Corners, Corners]:
        """Guarantee, estimate and attack at ``alpha`` (n,)."""
        safe, found = (side.corners(order).at(alpha) for side in (self.guarantee, self.attack))
        reached = no_better(found, safe)
        return safe, blended(safe, reached), reached

    def power(self, alpha: float, order: Order) -> Bracket:
        """True positive rate at false positive rate ``alpha``."""
        safe, shown, reached = (float(side.power[0]) for side in self.trade_off(np.array([alpha]), order))
        return Bracket.around(reached, shown, safe)

    def bracket(self, reached: float, guaranteed: float) -> Bracket:
        """A number that grows with the attacker's success, from its value on either side."""
        return Bracket.between(min(reached, guaranteed), guaranteed)

    def epsilon(self, delta: OpenProbability) -> Bracket:
        """Smallest epsilon at ``delta``, worst of both orders."""
        reached = self.attack.epsilon(delta)
        lower = self.level + reached if reached > 0.0 else 0.0
        return self.bracket(lower, self.level + self.guarantee.epsilon(delta))

    def delta(self, epsilon: NonNegative) -> Bracket:
        """Smallest delta at ``epsilon``, worst of both orders."""
        return self.bracket(self.attack.delta(epsilon), self.guarantee.delta(epsilon))

    def auc(self) -> Bracket:
        """Area under the receiver operating characteristic (the same for both orders)."""
        return self.bracket(self.attack.area(), self.guarantee.area())

    def gaussian_mu(self, smallest_alpha: OpenProbability) -> Bracket:
        """Smallest mu-GDP below the curve of both orders, down to ``smallest_alpha``."""
        return self.bracket(self.attack.gaussian_mu(smallest_alpha), self.guarantee.gaussian_mu(smallest_alpha))

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


def no_better(reached: Corners, safe: Corners) -> Corners:
    """An attack, which nothing but rounding shows above the guarantee."""
    return Corners(reached.alpha, np.maximum(reached.beta, safe.beta), np.minimum(reached.power, safe.power))


def blended(safe: Corners, reached: Corners) -> Corners:
    """Both sides err by second order in the lattice step, the guarantee twice as much: the leading term cancels.

    It rises where both rise, also where they lie far apart: a single number is the guarantee there (``between``).
    """
    beta, power = (low + (high - low) / 3.0 for low, high in zip(reached[1:], safe[1:], strict=True))
    return Corners(safe.alpha, beta, power)


# Both sides of a bracket, read from sums: corners of the guarantee's curve and of the attack's.


class SideTails(NamedTuple):
    """Sums of one side: the loss itself and its mirror image."""

    add: UpperTail
    remove: UpperTail

    def noiseless(self) -> "SideTails":
        """The same as if nothing were rounded."""
        return SideTails(*(replace(tail, p=tail.p.noiseless(), q=tail.q.noiseless()) for tail in self))


@dataclass(frozen=True, eq=False)
class Sides:
    """What sums of one ``step`` give.

    Attributes:
        step: of the lattice, or the width of a block.
        safe, reached: sums to read the guarantee and the attack from.
        farthest: upper bound on the total variation distance of all steps together.
        drawn: see BracketSide.
        level: the loss above which sums are read.
        statistic: whether the law of the attacker's statistic is asked for.
    """

    step: float
    safe: SideTails
    reached: SideTails
    farthest: float
    drawn: float
    level: float
    statistic: bool

    @lazy_property
    def loss(self) -> CertifiedLoss:
        """The bracket."""
        law = statistic_law(self.reached.add, self.reached.remove) if self.statistic else None
        return CertifiedLoss(self._side(self.safe, True), self._side(self.reached, False), law, self.level)

    @lazy_property
    def smooth(self) -> CertifiedLoss:
        """What it would be if transforms did not round."""
        safe, reached = self.safe.noiseless(), self.reached.noiseless()
        return replace(self.loss, guarantee=self._side(safe, True), attack=self._side(reached, False))

    def _side(self, tails: SideTails, guarantee: bool) -> BracketSide:
        block = max(tail.block for tail in tails)
        add, remove = (self._read(tail, block // tail.block, guarantee) for tail in in_time(tails))
        size = max(len(add.alpha), len(remove.alpha))
        halves = padded(add, size), padded(remove, size)
        if not guarantee:
            return BracketSide(*halves, tails.add.step * block, False)
        return BracketSide(*halves, tails.add.step * block, True, self.farthest, self.drawn)

    def _read(self, tail: UpperTail, factor: int, guarantee: bool) -> Half:
        """Corners on a lattice of ``factor`` blocks."""
        corners = half(tail, guarantee)
        corners = thinned(corners, factor) if factor > 1 else corners
        if not guarantee:
            return corners
        polygon = tangents(corners, tail.step * tail.block * factor)
        return capped(polygon, self.farthest, float(np.exp(-self.level)))
