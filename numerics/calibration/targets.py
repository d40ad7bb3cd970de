"""What noise can be calibrated to: a measure of the attacker's success, and its largest acceptable value."""

from abc import ABC, abstractmethod
from dataclasses import dataclass, fields, replace
from typing import ClassVar

from numerics.mechanisms import Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket, Order
from numerics.validation import OpenProbability, Positive, better_than_guessing, value


@dataclass(frozen=True)
class Target(ABC):
    """A measure of the attacker's success that falls with the noise, and its largest acceptable value.

    Unless a target says otherwise, that value is its first field, and ``words`` name its fields in braces.
    """

    words: ClassVar[str]

    @property
    def goal(self) -> float:
        """Largest acceptable value."""
        value: float = getattr(self, fields(self)[0].name)
        return value

    @property
    def label(self) -> str:
        """The target in words."""
        return self.words.format(**vars(self))

    @abstractmethod
    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """The attacker's success against ``mechanism``, within the deadline of ``precision``."""


@value
class EpsilonTarget(Target):
    """At most ``epsilon`` at ``delta``, worst of both orders."""

    epsilon: Positive
    delta: OpenProbability

    words: ClassVar[str] = "epsilon at most {epsilon:g} at delta {delta:g}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return mechanism.epsilon(self.delta, precision.relative * self.epsilon, precision)


@value
class AdvantageTarget(Target):
    """At most ``advantage`` between the true and the false positive rate, at any threshold."""

    advantage: OpenProbability

    words: ClassVar[str] = "advantage at most {advantage:g}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return mechanism.narrow_advantage(precision)


@dataclass(frozen=True)
class Unremembered(Target):
    """A target that tells something private: no bracket that is computed for it stays in the memory of this process."""

    target: Target

    @property
    def goal(self) -> float:
        return self.target.goal

    @property
    def label(self) -> str:
        return self.target.label

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return self.target.measure(mechanism, replace(precision, is_remembered=False))


@value
class PowerTarget(Target):
    """At most ``power`` of the members found while ``alpha`` of the non-members are falsely accused."""

    power: OpenProbability
    alpha: OpenProbability
    order: Order = Order.ADD

    words: ClassVar[str] = "true positive rate at most {power:g} at false positive rate {alpha:g}"

    @property
    def label(self) -> str:
        """See Target; a test that clears members finds outsiders."""
        return super().label.replace("positive", "negative") if self.order is Order.REMOVE else super().label

    def __post_init__(self) -> None:
        better_than_guessing(self.power, self.alpha)

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        return mechanism.narrow_power(self.alpha, self.order, precision)
