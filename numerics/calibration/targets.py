"""What noise can be calibrated to: a measure of the attacker's success, and its largest acceptable value."""

from dataclasses import dataclass, replace
from typing import Protocol

from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket, Order
from numerics.validation import OpenProbability, Positive, better_than_guessing, checked


class Target(Protocol):
    """A measure of the attacker's success that falls with the noise, and its largest acceptable value."""

    @property
    def goal(self) -> float:
        """Largest acceptable value."""
        ...

    @property
    def label(self) -> str:
        """The target in words."""
        ...

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """The attacker's success against ``mechanism``, within the deadline of ``precision``."""
        ...


@dataclass(frozen=True)
@checked
class EpsilonTarget:
    """At most ``epsilon`` at ``delta``, worst of both orders."""

    epsilon: Positive
    delta: OpenProbability

    @property
    def goal(self) -> float:
        """See Target."""
        return self.epsilon

    @property
    def label(self) -> str:
        """See Target."""
        return f"epsilon at most {self.epsilon:g} at delta {self.delta:g}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """See Target."""
        return mechanism.epsilon(self.delta, precision.relative * self.epsilon, precision)


@dataclass(frozen=True)
@checked
class AdvantageTarget:
    """At most ``advantage`` between the true and the false positive rate, at any threshold."""

    advantage: OpenProbability

    @property
    def goal(self) -> float:
        """See Target."""
        return self.advantage

    @property
    def label(self) -> str:
        """See Target."""
        return f"advantage at most {self.advantage:g}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """See Target."""
        if mechanism.participation <= self.advantage:
            return Bracket(0.0, mechanism.participation, mechanism.participation)
        return mechanism.narrow_advantage(precision)


@dataclass(frozen=True)
class Unremembered:
    """A target that tells something private: no bracket that is computed for it stays in the memory of this process."""

    target: Target

    @property
    def goal(self) -> float:
        """See Target."""
        return self.target.goal

    @property
    def label(self) -> str:
        """See Target."""
        return self.target.label

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """See Target."""
        return self.target.measure(mechanism, replace(precision, is_remembered=False))


@dataclass(frozen=True)
@checked
class PowerTarget:
    """At most ``power`` of the members found while ``alpha`` of the non-members are falsely accused."""

    power: OpenProbability
    alpha: OpenProbability
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
        return f"true positive rate at most {self.power:g} at false positive rate {self.alpha:g}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """See Target."""
        unnoticed = min(self.alpha + mechanism.participation, 1.0)  # whatever the order and the neighbours
        if unnoticed <= self.power:
            return Bracket(self.alpha, unnoticed, unnoticed)
        return mechanism.narrow_power(self.alpha, self.order, precision)
