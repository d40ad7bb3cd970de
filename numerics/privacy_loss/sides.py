"""Both sides of a bracket, read from sums: corners of the guarantee's curve and of the attack's."""

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from numerics.deadline import in_time
from numerics.lazy_property import lazy_property
from numerics.privacy_loss.certified_loss import BracketSide, CertifiedLoss, statistic_law
from numerics.privacy_loss.composition import UpperTail
from numerics.privacy_loss.vertices import Half, capped, half, padded, tangents, thinned


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
