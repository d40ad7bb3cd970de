"""The smallest noise that keeps the attacker's success at or below a target.

A target is a measure of that success and its largest acceptable value. A first search follows the cheap estimate of a
coarse bracket, which is accurate far beyond the bracket's own width; the answer is then settled on the guarantee of a
fine one, so that it never misses on the unsafe side.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np
import scipy

from numerics import mechanisms
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Composition, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bracket, Order
from numerics.validation import OpenProbability, Positive, better_than_guessing, checked, value

SMALLEST_NOISE, LARGEST_NOISE = 1e-2, 1e5
# A wider bracket than wished for costs some noise, never safety.
_COARSE = Precision(width=1e-4, relative=1e-2)
_FINE = Precision(width=1e-6, relative=1e-5)
_CLOSE = 1e-6  # relative, of noise and success: six digits are kept
_MARGIN = 1e-3  # relative, between the noise searched and the most a mechanism may have
_ATTEMPTS, _QUICK = 16, 4  # after so many the noise is sought from both sides
_HALVINGS = 7
_LEAST_ELASTICITY = 1e-3  # where the success hardly changes with the noise, a slope says little


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


Measure = Callable[[Mechanism], Bracket]
"""The attacker's success against a mechanism, as whoever asks is going to state it."""


class UnreachableError(ValueError):
    """No noise within the searched range meets the target."""


@dataclass(frozen=True)
class Calibration:
    """The calibrated ``mechanism``, and proof that it fits.

    Attributes:
        mechanism: the mechanism asked about, with the noise found.
        target: what it had to meet.
        reached: the attacker's success at this noise as it was measured; ``upper`` is at most the target's goal.
        noise_needed: False when even the least noise searched meets the target.
    """

    mechanism: Mechanism
    target: Target
    reached: Bracket
    noise_needed: bool = True

    @property
    def met(self) -> bool:
        """Whether the guarantee meets the target; always so in an answer."""
        return self.reached.upper <= self.target.goal

    @property
    def noise_multiplier(self) -> float:
        """The noise found; for several phases, that of the first."""
        return self.mechanism.noise_multiplier


@checked
def noise_for(
    target: Target,
    mechanism: Mechanism,
    measured: Measure | None = None,
    deadline: Deadline = UNLIMITED,
) -> Calibration:
    """Smallest noise multiplier, rounded up to six digits, with which ``mechanism`` meets ``target``.

    Several phases keep the ratios of their noise, each rounded up to six digits. The result never misses the target: it
    is settled on the guarantee of the rounded noise, 1e-5 of the success wide where that can be had. Where it is wider,
    at rates or deltas near 1e-12, the answer is larger than need be; ``reached`` shows by how much.

    A guarantee computed less narrowly is larger, and may miss a target that a narrow one meets: whoever states the
    measure by another computation than the fine bracket gives it as ``measured``, and the answer is settled on that.

    Raises:
        UnreachableError: when no noise up to 100,000 meets the target, and none with which every phase has at most 1e6.
        DeadlineError: when it takes too long.
    """
    searched, coarse = _range(mechanism), replace(_COARSE, deadline=deadline)
    stated = measured or partial(target.measure, precision=replace(_FINE, deadline=deadline))

    def roughly(log_noise: float) -> Bracket:
        deadline.check()
        return target.measure(mechanism.with_noise(float(np.exp(log_noise))), coarse)

    def excess(log_noise: float) -> float:
        found = float(np.log(np.clip(roughly(log_noise).estimate / target.goal, 1e-9, 1e9)))
        return found if abs(found) > _CLOSE else 0.0

    def tried(noise: float) -> Calibration:
        """What the next noise of six digits reaches, in every phase."""
        deadline.check()
        candidate = mechanism.with_noise(noise)
        phases = tuple(phase.with_noise(_six_digits(phase.noise_multiplier)) for phase in candidate.phases)
        candidate = replace(candidate, phases=phases) if isinstance(candidate, Composition) else phases[0]
        return Calibration(candidate, target, stated(candidate))

    bounds = _enclose(excess, float(np.log(mechanism.noise_multiplier)), searched)
    if bounds is None:
        least = tried(searched.smallest)
        return replace(least, noise_needed=False) if least.met else _settle(tried, searched.smallest, -1.0, searched)
    found = scipy.optimize.brentq(excess, *bounds, xtol=_CLOSE)
    elasticity = min((excess(bounds[1]) - excess(bounds[0])) / (bounds[1] - bounds[0]), -_LEAST_ELASTICITY)
    # The guarantee lies half a fine bracket above the estimate: started there, it rarely misses the target.
    above = min(_FINE.relative / 2.0, roughly(found).margin / target.goal)
    return _settle(tried, float(np.exp(found - above / elasticity)), elasticity, searched)


class _Range(NamedTuple):
    """Least and largest noise multiplier that is searched; for several phases, that of the first."""

    smallest: float
    largest: float

    @property
    def end(self) -> str:
        """How far it goes, in words."""
        other = (
            "" if self.largest == LARGEST_NOISE else f", where that of a later phase is {mechanisms.LARGEST_NOISE:g},"
        )
        return f"{self.largest:.6g}{other}"


def _range(mechanism: Mechanism) -> _Range:
    """All noise with which no phase has less or more than a mechanism may have, once rounded up."""
    ratios = [phase.noise_multiplier / mechanism.noise_multiplier for phase in mechanism.phases]
    smallest = max(SMALLEST_NOISE, mechanisms.SMALLEST_NOISE / min(ratios) * (1.0 + 2.0 * _MARGIN))
    largest = min(LARGEST_NOISE, mechanisms.LARGEST_NOISE / max(ratios) * (1.0 - 2.0 * _MARGIN))
    if smallest > largest:
        raise UnreachableError("the noise of the phases differs too much to be scaled.")
    return _Range(smallest, largest)


def _enclose(excess: Callable[[float], float], start: float, searched: _Range) -> tuple[float, float] | None:
    """Logs of two noise levels, the first missing the target and the second meeting it; None if the least meets it."""
    smallest, largest = map(float, np.log(searched))
    low = high = min(max(start, smallest), largest)
    stride = 0.25
    while excess(high) > 0.0:
        if high >= largest:
            raise UnreachableError(f"no noise multiplier up to {searched.end} meets this target.")
        low, high, stride = high, min(high + stride, largest), 2.0 * stride
    while low == high or excess(low) <= 0.0:
        if low <= smallest:
            return None
        low, high, stride = max(low - stride, smallest), low, 2.0 * stride
    return low, high


def _settle(tried: Callable[[float], Calibration], noise: float, elasticity: float, searched: _Range) -> Calibration:
    """The next noise of six digits whose guarantee meets the target, starting from ``noise``.

    ``elasticity`` is the relative change of the attacker's success for a relative change of the noise (negative).
    Where it says little, because the success hardly changes with the noise, the strides grow until the target is met.
    """
    missed = noise
    for attempt in range(_ATTEMPTS):
        found = tried(noise)
        if found.met:
            return found if attempt < _QUICK else _tightened(tried, found, missed)
        missed, reached = found.noise_multiplier, found.reached.upper
        missed_by = np.log(reached / found.target.goal) if np.isfinite(reached) else 1.0
        noise = missed * (1.0 + max(1.2 * missed_by / -elasticity, 1e-6) * 4.0**attempt)
        if noise > searched.largest:
            break
    raise UnreachableError(f"the guarantee stays above this target up to a noise multiplier of {missed:g}.")


def _tightened(tried: Callable[[float], Calibration], met: Calibration, missed: float) -> Calibration:
    """The least noise found by halving between one whose guarantee meets the target and one whose does not."""
    for _ in range(_HALVINGS):
        found = tried(float(np.sqrt(missed * met.noise_multiplier)))
        if found.noise_multiplier >= met.noise_multiplier:
            break
        met, missed = (found, missed) if found.met else (met, found.noise_multiplier)
    return met


def _six_digits(noise: float) -> float:
    """Rounded up to so many significant ones."""
    unit = 10.0 ** (np.floor(np.log10(noise)) - 5)
    return float(f"{np.ceil(noise / unit * (1 - 1e-12)) * unit:.6g}")
