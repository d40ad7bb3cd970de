"""The certified bracket against what it cannot know: closed forms, and two steps integrated directly.

Two steps with losses l_1, l_2 that never decrease in the released values have
P(l_1 + l_2 > t) = integral of k_1(x) P(l_2 > t - l_1(x)) dx, one quadrature with a closed tail. It reaches atoms,
differing phases, both kinds of noise and both adjacencies, none of which the closed forms do.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, SampledMechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

# Absolute error of the quadrature, and of 1 - x on its way to beta.
QUADRATURE = 2e-11
ALPHAS = np.array([1e-9, 1e-7, 1e-5, 1e-3, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.999])
DEFAULT_WIDTH, DEFAULT_RELATIVE = 1e-5, 1e-3
LATTICE = 0.02  # a threshold is known to a block of the lattice

CLOSED = [
    Gaussian(0.5),
    Gaussian(20.0, steps=400),
    Gaussian(3.0, steps=7, adjacency=Adjacency.REPLACE_ONE),
    Gaussian(0.7, 0.2),
    Gaussian(2.0, 1e-4),
    Laplace(0.4),
    Laplace(3.0, 0.5),
    Laplace(1.0, adjacency=Adjacency.REPLACE_ONE),
    Composition((Gaussian(2.0, steps=3), Gaussian(5.0, steps=100), Gaussian(1.5))),
]


def name(mechanism) -> str:
    return f"{mechanism.label}, {mechanism.adjacency}"


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("mechanism", CLOSED, ids=name)
def test_closed_forms_lie_inside_the_bracket(mechanism, order):
    exact = mechanism.trade_off(ALPHAS, order)
    safe, _, reached = mechanism.certified().trade_off(ALPHAS, order)
    # Where power is tiny its digits count, where beta is tiny beta's.
    assert np.all(safe.power >= exact.power * (1.0 - 1e-12))
    assert np.all(reached.power <= exact.power * (1.0 + 1e-12))
    assert np.all(safe.beta <= exact.beta * (1.0 + 1e-9))
    assert np.all(reached.beta >= exact.beta * (1.0 - 1e-9))
    width = np.minimum(DEFAULT_WIDTH, DEFAULT_RELATIVE * exact.power)
    assert np.all(safe.power - reached.power <= width * (1.0 + 1e-6))


@pytest.mark.parametrize("mechanism", CLOSED, ids=name)
def test_closed_numbers_lie_inside_the_bracket(mechanism):
    loss = mechanism.certified()
    for epsilon in (0.0, 0.3, 2.0):
        assert_inside(loss.delta(epsilon), mechanism.delta(epsilon).estimate)
    assert_inside(loss.auc(), mechanism.auc().estimate)
    assert_inside(loss.epsilon(1e-6), mechanism.epsilon(1e-6).estimate)


def assert_inside(bracket, expected):
    assert bracket.lower <= expected * (1.0 + 1e-12) + 1e-15
    assert bracket.upper >= expected * (1.0 - 1e-12) - 1e-15


@dataclass(frozen=True)
class Step:
    """One sampled step, written out from its densities; positions in units of the sensitivity."""

    mechanism: SampledMechanism

    @property
    def gaussian(self) -> bool:
        return isinstance(self.mechanism, Gaussian)

    def density(self, x: float, present: bool) -> float:
        return self._mixed(self._shifted_density, x, present)

    def tail(self, x: float, present: bool) -> float:
        """Probability of a value above ``x``."""
        return self._mixed(self._shifted_tail, x, present)

    def loss(self, x: float) -> float:
        s, p = self.mechanism.noise_multiplier, self.mechanism.sampling_rate
        if not self.gaussian and self.replace_one:
            x = np.clip(x, -1.0, 1.0)
        present = np.log1p(p * np.expm1(self._ratio(x, s)))
        return float(present - np.log1p(p * np.expm1(self._ratio(-x, s)))) if self.replace_one else float(present)

    @property
    def replace_one(self) -> bool:
        return self.mechanism.adjacency is Adjacency.REPLACE_ONE

    def position(self, loss: float) -> float:
        """Infimum of the positions whose loss exceeds ``loss``, by bisection; inf if there is none."""
        low, high = -self.reach, self.reach
        if self.loss(high) <= loss:
            return np.inf
        if self.loss(low) > loss:
            return -np.inf
        for _ in range(60):
            middle = 0.5 * (low + high)
            low, high = (middle, high) if self.loss(middle) <= loss else (low, middle)
        return high

    @property
    def reach(self) -> float:
        return 1.0 + self.mechanism.noise_multiplier * (12.0 if self.gaussian else 40.0)

    def _ratio(self, x: float, s: float) -> float:
        return (x - 0.5) / s**2 if self.gaussian else (abs(x) - abs(x - 1.0)) / s

    def _mixed(self, law, x: float, present: bool) -> float:
        p = self.mechanism.sampling_rate
        shift = 1.0 if present else (-1.0 if self.replace_one else 0.0)
        return float((1.0 - p) * law(x) + p * law(x - shift))

    def _shifted_density(self, x: float) -> float:
        s = self.mechanism.noise_multiplier
        if self.gaussian:
            return float(np.exp(-0.5 * (x / s) ** 2) / (s * np.sqrt(2.0 * np.pi)))
        return float(np.exp(-abs(x) / s) / (2.0 * s))

    def _shifted_tail(self, x: float) -> float:
        s = self.mechanism.noise_multiplier
        if self.gaussian:
            return float(ndtr(-x / s))
        return float(0.5 * np.exp(-x / s) if x > 0 else 1.0 - 0.5 * np.exp(x / s))


def two_step_tail(first: Step, second: Step, threshold: float, present: bool) -> float:
    """P(l_1 + l_2 > threshold), split where either loss has a kink or reaches its end."""

    def integrand(x: float) -> float:
        return first.density(x, present) * second.tail(second.position(threshold - first.loss(x)), present)

    kinks = [first.position(threshold - second.loss(x)) for x in (-second.reach, -1.0, 0.0, 1.0, second.reach)]
    ends = np.unique(np.clip([-first.reach, -1.0, 0.0, 1.0, first.reach, *kinks], -first.reach, first.reach))
    return sum(quad(integrand, a, b, epsabs=1e-13, epsrel=1e-10)[0] for a, b in pairwise(ends))


REPLACE = Adjacency.REPLACE_ONE
TWO_STEPS = [
    (Gaussian(0.8, 0.3, 2), 0.4),
    (Composition((Gaussian(0.8, 0.3), Gaussian(1.5, 0.05))), 0.8),
    (Gaussian(1.2, 0.4, 2, REPLACE), 0.7),
    (Laplace(1.0, steps=2), 0.9),
    (Laplace(0.7, 0.2, 2), 0.35),
    (Laplace(1.3, 0.3, 2, REPLACE), 0.21),
    (Composition((Laplace(2.0), Laplace(0.6, 0.3))), 0.15),
    (Composition((Laplace(1.0, 0.5), Gaussian(1.0, 0.5))), 0.5),
]


@pytest.mark.parametrize(("mechanism", "threshold"), TWO_STEPS, ids=lambda value: getattr(value, "label", value))
def test_two_steps_lie_inside_the_bracket(mechanism, threshold):
    phases = mechanism.phases if isinstance(mechanism, Composition) else (mechanism, mechanism)
    first, second = (Step(phase) for phase in phases)
    alpha = two_step_tail(first, second, threshold, False)
    power = two_step_tail(first, second, threshold, True)
    assert 0.0 < alpha < power < 1.0
    bracket = mechanism.power(alpha)
    assert bracket.lower - QUADRATURE <= power <= bracket.upper + QUADRATURE
    # The same test read backwards is on the curve of the remove-one order.
    bracket = mechanism.power(1.0 - power, Order.REMOVE)
    assert bracket.lower - QUADRATURE <= 1.0 - alpha <= bracket.upper + QUADRATURE


@pytest.mark.parametrize("order", Order)
def test_brackets_hold_down_to_tiny_rates(order):
    """Where peers report beta above 1 - alpha: power must stay above alpha, on both sides of the bracket."""
    alpha = np.geomspace(1e-12, 0.5, 60)
    for mechanism in (Gaussian(1.0, 0.01, 1000), Gaussian(0.6, 0.001, 10_000), Laplace(1.0, 0.1, 100)):
        curve = mechanism.trade_off(alpha, order)
        assert curve.lower is not None
        assert curve.upper is not None
        assert np.all(curve.lower.power >= alpha)
        assert np.all(curve.upper.power >= alpha * (1.0 - 1e-9))
        assert np.all(curve.lower.beta <= curve.beta)
        assert np.all(curve.beta <= curve.upper.beta)


@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize(
    "mechanism",
    # In the first, rounding drifts by a hundred lattice steps, so lattice slopes are not the attack's own.
    [Gaussian(0.6, 0.001, 10_000), Gaussian(1.0, 0.01, 1000), Laplace(1.0, 0.1, 100)],
    ids=name,
)
def test_brackets_are_as_narrow_as_asked_for_in_every_order(mechanism, order):
    alpha = np.linspace(0.0, 1.0, 501)
    safe, _, reached = mechanism.certified(Precision(width=1e-4, relative=1.0)).trade_off(alpha, order)
    assert np.all(safe.power - reached.power <= 1e-4 * (1.0 + 1e-6))


def test_thresholds_of_both_orders_lie_where_the_normal_law_puts_them() -> None:
    """The loss of one Gaussian release of effect size 1 is N(-1/2, 1) without the record and N(1/2, 1) with it."""
    release = Gaussian(1.0)
    for alpha in (1e-6, 0.01, 0.3):
        assert release.threshold(alpha) == pytest.approx(-0.5 - ndtri(alpha), abs=LATTICE)
        assert release.threshold(alpha, Order.REMOVE) == pytest.approx(0.5 + ndtri(alpha), abs=LATTICE)
        assert release.threshold(alpha, Order.SYMMETRIC) == release.threshold(alpha)


@pytest.mark.parametrize("release", [Gaussian(0.001, 1.0, 1_000_000), Gaussian(0.01, 1.0, 10)], ids=str)
def test_evidence_that_lies_too_far_apart_is_not_made_up(release) -> None:
    """Its mean is 1 / (2 noise^2) a step, 5e11 and 5e4; a law at 1,381 and a threshold of -2,763 were shown."""
    for question in (release.statistic, lambda: release.threshold(0.01)):
        with pytest.raises(ValueError, match="too far from that without it"):
            question()
