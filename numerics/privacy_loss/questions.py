"""Numbers that are bracketed by themselves, with less work than a whole curve takes."""

from dataclasses import dataclass

import numpy as np

from numerics.privacy_loss.certified_loss import CertifiedLoss
from numerics.privacy_loss.lattices import Lattices
from numerics.privacy_loss.moments import epsilon_reach
from numerics.privacy_loss.window_plan import LARGEST_STEP_LOSS, SMALLEST_UNTILTED
from numerics.trade_off import Bracket, Order
from numerics.validation import OpenProbability, Probability, value

_FIRST_WIDTH = 1e-4  # of the power, on the first lattice, where that is narrow enough
_BELOW = 5.0  # an epsilon is read from so far below its lower limit: rounded losses may lie lower


class Question:
    """One number to bracket; it grows with the attacker's success. Hashable, so that answers can be remembered."""

    @property
    def rarity(self) -> float:
        """Minus the log of the chances it hangs on."""
        return 0.0

    def first_width(self, width: float) -> float:
        """The width of the power on the first lattice, where ``width`` is asked of the number."""
        return max(width, _FIRST_WIDTH) if np.isfinite(width) else _FIRST_WIDTH

    def known(self, lattices: Lattices, far: bool) -> Bracket:
        """What holds without any sum; at any distance if ``far``."""
        return self.answer(lattices.trivial())

    def look(self, lattices: Lattices, best: Bracket) -> bool:
        """Let ``lattices`` be read where ``best`` says that the number is; whether that is elsewhere than before."""
        return False

    def answer(self, loss: CertifiedLoss) -> Bracket:
        """What a bracket of the curve says."""
        raise NotImplementedError


@value
class EpsilonAt(Question):
    """Epsilon at ``delta``, worst of both orders."""

    delta: OpenProbability

    @property
    def rarity(self) -> float:
        return -float(np.log(self.delta))

    def first_width(self, width: float) -> float:
        return _FIRST_WIDTH

    def known(self, lattices: Lattices, far: bool) -> Bracket:
        """See Question. No lattice will do where single steps' losses beyond all lattices are as likely as delta."""
        if not far:
            return super().known(lattices, far)
        lower, upper, lattices.top = epsilon_reach(lattices.phases, self.delta)
        if lattices.exposed >= self.delta:
            lattices.finest = np.inf
        return Bracket.between(lower, upper)

    def look(self, lattices: Lattices, best: Bracket) -> bool:
        """See Question. From the lower limit up, for rates further down may underflow; else in the middle."""
        before, span = lattices.level, best.width if best.upper < np.inf else 0.0
        lattices.level = max(best.lower - _BELOW, best.lower + 0.5 * (span - LARGEST_STEP_LOSS), 0.0)
        return abs(lattices.level - before) > _BELOW

    def answer(self, loss: CertifiedLoss) -> Bracket:
        return loss.epsilon(self.delta)


@value
class PowerAt(Question):
    """Power at false positive rate ``alpha``."""

    alpha: Probability
    order: Order = Order.ADD

    @property
    def rarity(self) -> float:
        return -float(np.log(max(self.alpha, SMALLEST_UNTILTED)))

    def answer(self, loss: CertifiedLoss) -> Bracket:
        return loss.power(self.alpha, self.order)


@dataclass(frozen=True)
class LargestAdvantage(Question):
    """Largest power - alpha: delta at epsilon 0."""

    def answer(self, loss: CertifiedLoss) -> Bracket:
        return loss.delta(0.0)
