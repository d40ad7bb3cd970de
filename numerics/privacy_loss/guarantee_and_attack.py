"""A guarantee and a known attack, which need not be about the same pair of laws."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from numerics.privacy_loss.certified_loss import CertifiedLoss, blended, no_better
from numerics.privacy_loss.certify import Precision, certify
from numerics.privacy_loss.vertices import Corners, Polyline
from numerics.privacy_loss.window_plan import Phases
from numerics.trade_off import Bracket, Floats, Order

_GUESSING = Polyline(*(np.array(ends) for ends in ((0.0, 1.0), (1.0, 0.0), (1.0, 0.0), (0.0, 1.0))))


@dataclass(frozen=True)
class GuaranteeAndAttack:
    """What no attack on a release exceeds, and what a known one reaches.

    Attributes:
        dominating: pairs of laws that are no harder to tell apart than any two neighbours' releases.
        attacked: the laws that an attack tells apart; None where no attack is known.
        meet: whether they are the same but for the grids that both are computed on.
    """

    dominating: Phases
    attacked: Phases | None
    meet: bool

    def number(self, ask: Callable[[Phases], Bracket], guessing: float = 0.0) -> Bracket:
        """A number that grows with the attacker's success, by what ``ask`` says of pairs.

        Where the sides do not meet the estimate is the guarantee's; without any attack ``guessing`` is the lower end.
        """
        safe = ask(self.dominating)
        if self.attacked == self.dominating:
            return safe
        reached = min(guessing if self.attacked is None else ask(self.attacked).lower, safe.upper)
        if self.meet:
            return Bracket.between(reached, safe.upper)
        return Bracket.around(reached, safe.estimate, safe.upper)

    def read(self, ask: Callable[[CertifiedLoss], Bracket], precision: Precision, guessing: float = 0.0) -> Bracket:
        """The same of what is read off a whole curve."""
        return self.number(lambda pairs: ask(certify(pairs, precision)), guessing)

    def trade_off(self, alpha: Floats, order: Order, precision: Precision) -> tuple[Corners, Corners, Corners | None]:
        """The guarantee, what is shown, and the attack if there is one, at ``alpha`` (n,)."""
        safe, middle, reached = certify(self.dominating, precision).trade_off(alpha, order)
        if self.attacked is None:
            return safe, safe, None
        if self.attacked != self.dominating:
            reached = no_better(certify(self.attacked, precision).trade_off(alpha, order)[2], safe)
            middle = blended(safe, reached) if self.meet else safe
        return safe, middle, reached

    def corners(self, order: Order, precision: Precision) -> tuple[Polyline, Polyline]:
        """Piecewise-linear curves of the guarantee and of the attack, or else of guessing."""
        safe = certify(self.dominating, precision).guarantee.corners(order)
        if self.attacked is None:
            return safe, _GUESSING
        return safe, certify(self.attacked, precision).attack.corners(order)
