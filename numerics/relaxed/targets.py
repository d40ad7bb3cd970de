"""Targets for calibration against an attacker who does not know the record."""

from dataclasses import dataclass

import numpy as np

from numerics.analysis import Analysis
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.privacy_loss.vertices import Corners
from numerics.relaxed.advantage import advantage
from numerics.relaxed.curves import Dimension, power, trade_off
from numerics.relaxed.readings import Reading
from numerics.trade_off import Bracket, Floats, Order, TradeOffCurve, alpha_grid
from numerics.validation import OpenProbability, better_than_guessing, checked


def _phases(mechanism: Analysis) -> Mechanism:
    if not isinstance(mechanism, Mechanism):
        raise TypeError(f"mechanism must be additive noise or a composition of it, got {type(mechanism).__name__}.")
    return mechanism


@dataclass(frozen=True)
@checked
class RelaxedPowerTarget:
    """At most ``power`` of the members found at false positive rate ``alpha``; see ``calibration.Target``."""

    power: OpenProbability
    alpha: OpenProbability
    dimension: Dimension = 1
    reading: Reading = Reading.MINIMAX
    order: Order = Order.ADD

    def __post_init__(self) -> None:
        better_than_guessing(self.power, self.alpha)

    @property
    def goal(self) -> float:
        """See Target."""
        return self.power

    @property
    def label(self) -> str:
        """See Target."""
        return f"relaxed true positive rate at most {self.power:g} at false positive rate {self.alpha:g}"

    def measure(self, mechanism: Analysis, precision: Precision, deadline: Deadline = UNLIMITED) -> Bracket:
        """See Target; the numerical error is on the safe side, ``precision`` has no say."""
        asked = _phases(mechanism), self.alpha
        return power(*asked, dimension=self.dimension, order=self.order, reading=self.reading, deadline=deadline)


@dataclass(frozen=True)
@checked
class RelaxedAdvantageTarget:
    """At most ``advantage`` between the true and the false positive rate; see ``calibration.Target``."""

    advantage: OpenProbability
    dimension: Dimension = 1
    reading: Reading = Reading.MINIMAX

    @property
    def goal(self) -> float:
        """See Target."""
        return self.advantage

    @property
    def label(self) -> str:
        """See Target."""
        return f"relaxed advantage at most {self.advantage:g}"

    def measure(self, mechanism: Analysis, precision: Precision, deadline: Deadline = UNLIMITED) -> Bracket:
        """See Target; largest over a grid and what a concave curve can add between its points."""
        curve = trade_off(
            _phases(mechanism), alpha_grid(801), dimension=self.dimension, reading=self.reading, deadline=deadline
        )
        found = advantage(curve)
        if found.upper > self.advantage >= found.estimate:  # nobody knows more than everything, which may be enough
            limit = max(mechanism.advantage(precision).upper, found.estimate)
            return found._replace(upper=min(found.upper, limit))
        return found


@dataclass(frozen=True, eq=False)
@checked
class ResilienceTarget:
    """Relaxed errors at least those of a ``reference`` curve, at its own false positive rates, in either order.

    Measured by the largest of two ratios: power over the reference's where that is below
    one half, the reference's beta over the curve's elsewhere; the goal is 1.
    """

    reference: TradeOffCurve
    dimension: Dimension = 1

    @property
    def goal(self) -> float:
        """See Target."""
        return 1.0

    @property
    def label(self) -> str:
        """See Target."""
        return f"at least as hard to detect as {self.reference.label}"

    def measure(self, mechanism: Analysis, precision: Precision, deadline: Deadline = UNLIMITED) -> Bracket:
        """See Target."""
        curve = trade_off(
            _phases(mechanism), self.reference.alpha, dimension=self.dimension, order=Order.SYMMETRIC, deadline=deadline
        )
        largest = self.reference if self.reference.upper is None else self.reference.upper
        inside = (curve.alpha > 0.0) & (curve.alpha < 1.0)
        own = Corners(curve.alpha, curve.beta, curve.power)
        return Bracket(*(float(_ratio(side, largest)[inside].max()) for side in (curve.least, own, curve.most)))


def _ratio(curve: Corners, reference: TradeOffCurve) -> Floats:
    """How much further the curve goes than the reference, (n,)."""
    ahead, behind = np.maximum(reference.power, 1e-300), np.maximum(curve.beta, 1e-300)
    return np.where(reference.power < 0.5, curve.power / ahead, reference.beta / behind)
