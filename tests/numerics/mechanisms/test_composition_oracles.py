"""Reference values of the DP adversary: exact answers to rounding, certified ones inside their bracket.

Written from the formulas alone, knowing nothing of how the engine works.
"""

import numpy as np
import pytest

from numerics.mechanisms import Gaussian, Laplace
from numerics.trade_off import Bound, Bracket, Order
from tests.reference import Reference, each

# What the issue of exact answers promises.
RELATIVE = 1e-9
# References carry 15 or more digits; a certified bracket may be as narrow as rounding.
ROUNDING = 1e-13
# Width that the default precision promises in power.
CERTIFIED_WIDTH = 1e-5
# A misprint's value must differ by more than any bracket could hide.
DISTINCT = 1e-3


def assert_power(mechanism, alpha: float, power: float, order: Order = Order.ADD):
    """Exact to 1e-9, or certified: both in power and in beta."""
    curve = mechanism.trade_off(np.array([alpha]), order)
    if curve.bound is Bound.EXACT:
        assert curve.power[0] == pytest.approx(power, rel=RELATIVE)
        assert curve.beta[0] == pytest.approx(1.0 - power, rel=RELATIVE, abs=ROUNDING)
        return
    assert curve.bound is Bound.CERTIFIED
    assert curve.lower.bound is Bound.LOWER
    assert curve.upper.bound is Bound.UPPER
    assert curve.lower.beta[0] <= 1.0 - power + ROUNDING
    assert curve.upper.beta[0] >= 1.0 - power - ROUNDING
    assert_bracket(mechanism.power(alpha, order), power, CERTIFIED_WIDTH)


def assert_bracket(bracket: Bracket, expected: float, width: float):
    assert bracket.lower - ROUNDING <= expected <= bracket.upper + ROUNDING
    assert bracket.lower <= bracket.estimate <= bracket.upper
    assert bracket.upper - bracket.lower <= width


def assert_number(bracket: Bracket, expected: float):
    """Every side of an exact number equals the reference."""
    assert bracket == pytest.approx((expected,) * 3, rel=RELATIVE, abs=1e-300)


def beta_row(row: Reference, mechanism, order: Order = Order.ADD):
    assert_power(mechanism, row.number("alpha"), 1.0 - row.expected, order)


@each("f_Lap")
def test_laplace_trade_off(row):
    beta_row(row, Laplace(1.0 / row.number("mu1")))


@each("f_Gauss")
@pytest.mark.parametrize("steps", [1, 49])
def test_gaussian_trade_off(row, steps):
    beta_row(row, Gaussian(np.sqrt(steps) / row.number("mu"), steps=steps))


@each("SGM DP add-one trade-off N=1")
def test_one_sampled_gaussian_step_with_the_record_added(row):
    beta_row(row, Gaussian(1.0 / row.number("mu"), row.number("p")))


@each("SGM DP remove-one trade-off N=1")
def test_one_sampled_gaussian_step_with_the_record_removed(row):
    beta_row(row, Gaussian(1.0 / row.number("mu"), row.number("p")), Order.REMOVE)


@each("SGM DP add-one N=2 exact")
def test_two_sampled_gaussian_steps(row):
    beta_row(row, Gaussian(1.0 / row.number("mu"), row.number("p"), row.count("N")))


@each("DP add-one SGM N-fold exact")
def test_many_sampled_gaussian_steps(row):
    beta_row(row, Gaussian(1.0 / row.number("mu"), row.number("p"), row.count("N")))


@each("wrong direction", role="negative")
def test_the_wrong_direction_is_the_remove_order_and_never_the_add_order(row):
    mechanism = Gaussian(1.0 / row.number("mu2"), row.number("p"))
    assert_power(mechanism, row.number("kappa"), row.expected, Order.REMOVE)
    assert abs(mechanism.power(row.number("kappa")).estimate / row.expected - 1.0) > DISTINCT


@each("GM eps(delta)")
def test_gaussian_epsilon(row):
    assert_number(Gaussian(1.0 / row.number("mu")).epsilon(row.number("delta")), row.expected)
    assert_number(Gaussian(10.0 / row.number("mu"), steps=100).epsilon(row.number("delta")), row.expected)


@each("GM delta(eps)")
def test_gaussian_delta(row):
    assert_number(Gaussian(1.0 / row.number("mu")).delta(row.number("eps")), row.expected)


@each("GM total variation")
def test_gaussian_advantage(row):
    assert_number(Gaussian(1.0 / row.number("mu")).advantage(), row.expected)


@each("Laplace delta(eps)")
def test_laplace_delta(row):
    assert_number(Laplace(1.0 / row.number("mu1")).delta(row.number("eps")), row.expected)


@each("SLM N-fold pure eps")
def test_sampled_laplace_steps_are_purely_private(row):
    mechanism = Laplace(1.0 / row.number("delta_over_b"), row.number("p"), row.count("N"))
    # Whatever lies beyond pure epsilon is the engine's allowance for rounding and for tails outside its window.
    assert mechanism.delta(row.expected * (1.0 + RELATIVE)).upper <= 1e-12
    assert mechanism.delta(0.5 * row.expected).lower > 0.0
    # A bracket wider than the default's keeps the law as well, and is found a thousand times sooner.
    assert mechanism.epsilon(1e-7, 0.1).upper <= row.expected * (1.0 + RELATIVE)


@each("amplify-after-compose", role="negative")
def test_sampled_laplace_steps_are_not_composed_before_sampling(row):
    mechanism = Laplace(1.0 / row.number("delta_over_b"), row.number("p"), row.count("N"))
    assert mechanism.epsilon(1e-7, 0.1).upper < row.expected * (1.0 - DISTINCT)


@each("SGM N=1 delta(eps)", prefix="sgm_delta_max")
def test_one_sampled_gaussian_step_delta(row):
    assert_number(Gaussian(1.0 / row.number("mu"), row.number("p")).delta(row.number("eps")), row.expected)


@each("SGM N=1 delta(eps)", prefix="sgm_delta_add")
def test_one_sampled_gaussian_step_delta_is_conjugate_to_the_add_order(row):
    assert conjugate(row, Order.ADD) == pytest.approx(row.expected, rel=RELATIVE)


@each("SGM N=1 delta(eps)", prefix="sgm_delta_rem")
def test_one_sampled_gaussian_step_delta_is_conjugate_to_the_remove_order(row):
    assert conjugate(row, Order.REMOVE) == pytest.approx(row.expected, rel=RELATIVE, abs=ROUNDING)


def conjugate(row: Reference, order: Order) -> float:
    """Supremum over alpha of power - e^eps alpha, which is concave: two grids, the second around the first's best.

    Their last spacing is 2e-6 of alpha, so the error at the smooth maximum is below 1e-11.
    """
    mechanism, alpha = Gaussian(1.0 / row.number("mu"), row.number("p")), np.geomspace(1e-12, 1.0, 5001)
    gain = conjugate_gain(mechanism, order, row.number("eps"), alpha)
    best = int(np.argmax(gain))
    alpha = np.geomspace(alpha[max(best - 1, 0)], alpha[min(best + 1, 5000)], 5001)
    return max(0.0, float(np.max(conjugate_gain(mechanism, order, row.number("eps"), alpha))))


def conjugate_gain(mechanism: Gaussian, order: Order, epsilon: float, alpha):
    return mechanism.trade_off(alpha, order).power - np.exp(epsilon) * alpha


@each("sigma for (4,1e-5)-DP, SGM N=1")
def test_one_sampled_gaussian_step_epsilon_at_the_noise_that_was_solved_for(row):
    mechanism = Gaussian(row.expected, row.number("p"))
    assert_number(mechanism.epsilon(row.number("delta")), row.number("eps"))


# noise, rate, steps, delta, and the digits that are settled.
SETTLED = [
    (1.0, 0.01, 1_000, 1e-5, 1.82823, 1.82824),
    (0.6, 0.001, 10_000, 1e-5, 2.4561, 2.4562),
    (10.5, 4096 / 50_000, 1_000, 1e-5, 0.91992, 0.91993),
    (1.15, 4096 / 549_361, 405, 1.8e-6, 0.74720, 0.74721),
]


@pytest.mark.parametrize(("noise", "rate", "steps", "delta", "low", "high"), SETTLED)
def test_epsilon_of_published_training_runs(noise, rate, steps, delta, low, high):
    bracket = Gaussian(noise, rate, steps).epsilon(delta)
    assert low <= bracket.lower <= bracket.estimate <= bracket.upper <= high


def test_epsilon_of_laplace_releases():
    # The digits that dp-accounting and riskcal agree on.
    assert Laplace(1.0, steps=30).epsilon(1e-5).estimate == pytest.approx(26.5200, abs=5e-5)
    assert Laplace(1.0, 0.1, 100).epsilon(1e-5).estimate == pytest.approx(4.152301, abs=5e-7)
