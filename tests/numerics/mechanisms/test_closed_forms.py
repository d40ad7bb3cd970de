"""Closed forms against 50 digits, their own inverses, and a lower convex envelope computed by brute force."""

from collections.abc import Iterator

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.laplace import LaplaceShift
from numerics.mechanisms.sampled_once import SampledOnce
from numerics.trade_off import Order, alpha_grid
from tests.strategies import log_uniform

# Double precision through a quantile and back: a relative error of 1e-16 in z = 38 moves its tail by 38^2 times that.
ROUNDING = 2e-12
# Areas and suprema on a grid of 400,000 points.
GRID = 1e-8

SHIFTS = [GaussianShift(0.01), GaussianShift(1.0), GaussianShift(9.0), LaplaceShift(0.01), LaplaceShift(1.0)]
SHIFTS += [LaplaceShift(9.0), GaussianShift(30.0), GaussianShift(1000.0), LaplaceShift(800.0)]
SHIFT_KINDS: list[type[GaussianShift] | type[LaplaceShift]] = [GaussianShift, LaplaceShift]
TINY = np.array([1e-300, 1e-200, 1e-100, 1e-50, 1e-17, 1e-12, 1e-6])


@pytest.fixture(autouse=True, scope="module")
def fifty_digits() -> Iterator[None]:
    with mpmath.workdps(50):
        yield


def shifts(smallest: float, largest: float) -> st.SearchStrategy[GaussianShift | LaplaceShift]:
    return st.builds(lambda kind, mu: kind(mu), st.sampled_from(SHIFT_KINDS), log_uniform(smallest, largest))


def tail(x):
    """Standard normal survival function to 50 digits, also where it is far below 10^-50."""
    return mpmath.erfc(x / mpmath.sqrt(2)) / 2


def tail_inverse(probability: float):
    goal = mpmath.log(mpmath.mpf(probability))
    return mpmath.findroot(lambda z: mpmath.log(tail(z)) - goal, (-1, 10), solver="anderson", tol=1e-70, maxsteps=500)


def add_one_power(mu: float, rate: float, alpha):
    return mpmath.mpf(rate) * tail(tail_inverse(alpha) - mu) + (1 - mpmath.mpf(rate)) * alpha


def add_one_rate(mu: float, rate: float, power):
    return mpmath.mpf(rate) * tail(tail_inverse(power) + mu) + (1 - mpmath.mpf(rate)) * power


@pytest.mark.parametrize("alpha", [1e-300, 1e-12, 1e-3, 0.6])
def test_gaussian_power_and_beta_to_fifty_digits(alpha):
    for mu in (0.3, 4.0, 12.0):
        z = tail_inverse(alpha)
        shift = GaussianShift(mu)
        assert shift.power(np.array([alpha]))[0] == pytest.approx(float(tail(z - mu)), rel=ROUNDING)
        assert shift.beta(np.array([alpha]))[0] == pytest.approx(float(tail(mu - z)), rel=ROUNDING)


@pytest.mark.parametrize(("mu", "rate", "alpha"), [(1.0, 0.3, 1e-12), (4.0, 0.9, 1e-300), (2.0, 0.01, 0.2)])
def test_small_remove_one_power_to_fifty_digits(mu, rate, alpha):
    """The add-one rate at the power found passes alpha within the digits claimed."""
    power = SampledOnce(GaussianShift(mu), rate).trade_off(np.array([alpha]), Order.REMOVE).power[0]
    below, above = (add_one_rate(mu, rate, mpmath.mpf(power) * (1 + sign * ROUNDING)) for sign in (-1, 1))
    assert below < alpha < above


@pytest.mark.parametrize(("mu", "rate", "alpha"), [(1.0, 0.3, 0.999), (4.0, 0.9, 0.5), (6.0, 0.01, 1 - 1e-9)])
def test_small_remove_one_beta_to_fifty_digits(mu, rate, alpha):
    beta = SampledOnce(GaussianShift(mu), rate).trade_off(np.array([alpha]), Order.REMOVE).beta[0]
    below, above = (add_one_power(mu, rate, mpmath.mpf(beta) * (1 + sign * ROUNDING)) for sign in (-1, 1))
    assert below < 1 - mpmath.mpf(alpha) < above


@pytest.mark.parametrize("shift", SHIFTS, ids=repr)
def test_a_shift_is_its_own_mirror_image(shift):
    alpha = np.concatenate((TINY, alpha_grid(101)[1:-1]))
    beta, power = shift.beta(alpha), shift.power(alpha)
    np.testing.assert_allclose(beta + power, 1.0, rtol=1e-15)
    kept = (beta > 1e-300) & (beta < 0.5)  # beyond, the rounding of beta itself would be magnified
    np.testing.assert_allclose(shift.beta(beta[kept]), alpha[kept], rtol=1e-9 * max(1.0, shift.mu))
    small = (power > 1e-300) & (power < 0.5)
    np.testing.assert_allclose(shift.alpha_for(power[small]), alpha[small], rtol=ROUNDING * max(1.0, shift.mu))
    if shift.balanced > 0.0:
        assert shift.beta(np.array([shift.balanced]))[0] == pytest.approx(shift.balanced, rel=1e-9)


@pytest.mark.parametrize("rate", [1.0, 0.7, 1e-3])
@pytest.mark.parametrize("shift", SHIFTS, ids=repr)
@pytest.mark.parametrize("order", Order)
def test_the_ends_and_tiny_rates_have_answers(shift, rate, order):
    """With a shift of 30 the add-one test finds nearly all sampled records at a rate of 1e-12: never beta = 1 there."""
    alpha = np.concatenate(([0.0], TINY, [0.5, 1.0 - 1e-9, 1.0]))
    curve = SampledOnce(shift, rate).trade_off(alpha, order)
    assert (curve.beta[0], curve.power[0], curve.beta[-1], curve.power[-1]) == (1.0, 0.0, 0.0, 1.0)
    np.testing.assert_allclose(curve.beta + curve.power, 1.0, rtol=1e-15)
    assert np.all(curve.power >= alpha * (1.0 - ROUNDING))
    assert np.all(np.diff(curve.power) >= 0.0)
    assert np.all(np.diff(curve.beta) <= 0.0)
    if order is not Order.REMOVE:
        assert curve.power[5] >= rate * shift.power(alpha[5:6])[0]


@given(shift=shifts(1e-3, 50.0), rate=log_uniform(1e-4, 0.999), alpha=log_uniform(1e-200, 0.5))
def test_remove_one_is_the_inverse_of_add_one(shift, rate, alpha):
    form = SampledOnce(shift, rate)
    forward = form.trade_off(np.array([alpha]), Order.REMOVE)
    if forward.beta[0] > 1e-300:
        # At the false positive rate beta the add-one test misses alpha of the members; where beta is near 1 its
        # rounding is magnified, and only 1 - beta = power keeps the digits of alpha.
        back = form._alpha_for(forward.power) if forward.power[0] < 0.5 else form._beta(forward.beta)
        assert back[0] == pytest.approx(alpha, rel=1e-9)


def lower_hull(x, y):
    """Lower convex hull of points ascending in x (monotone chain)."""
    kept: list[tuple[float, float]] = []
    for u, v in zip(x.tolist(), y.tolist(), strict=True):  # plain numbers: many times faster than NumPy's one by one
        while len(kept) > 1:
            (u0, v0), (u1, v1) = kept[-2:]
            if (v1 - v0) * (u - u0) < (v - v0) * (u1 - u0):
                break
            kept.pop()
        kept.append((u, v))
    return zip(*kept, strict=True)


@pytest.mark.parametrize("rate", [0.9, 0.3, 1e-3])
@pytest.mark.parametrize("shift", SHIFTS[:6], ids=repr)
def test_joined_orders_are_the_lower_convex_envelope(shift, rate):
    form = SampledOnce(shift, rate)
    alpha = np.union1d(alpha_grid(10_000, 1e-12), np.linspace(0.0, 1.0, 10_001))
    add, remove = (form.trade_off(alpha, order).beta for order in (Order.ADD, Order.REMOVE))
    joined = form.trade_off(alpha, Order.SYMMETRIC).beta
    envelope = np.interp(alpha, *lower_hull(alpha, np.minimum(add, remove)))
    # A hull of points lies above the hull of the curves, by second order of their spacing of 0.5 %.
    assert np.all(joined <= envelope + 1e-15)
    assert np.all(joined >= envelope - 1e-5)


@pytest.mark.parametrize("shift", [GaussianShift(30.0), GaussianShift(1000.0), LaplaceShift(800.0)], ids=repr)
def test_joined_orders_where_the_shift_is_certain(shift):
    """A sampled record is found for sure: TV = rate, and the envelope is the chord 1 - rate - alpha, not 1 - alpha."""
    curve = SampledOnce(shift, 0.5).trade_off(np.array([1e-30, 0.1, 0.3]), Order.SYMMETRIC)
    np.testing.assert_allclose(curve.beta, [0.5, 0.4, 0.2], rtol=1e-12)
    np.testing.assert_allclose(curve.power, [0.5, 0.6, 0.8], rtol=1e-12)


def supremum(form: SampledOnce, order: Order, epsilon: float) -> float:
    """Of power - e^epsilon alpha: concave in alpha, so a grid in log-odds can be narrowed around its best point."""
    low, high, best = -600.0, 36.0, 0.0
    for _ in range(6):
        odds = np.linspace(low, high, 200)
        alpha = np.exp(np.minimum(odds, 0.0)) / (1.0 + np.exp(-np.abs(odds)))
        gain = form.trade_off(alpha, order).power - np.exp(epsilon) * alpha
        i, best = int(np.argmax(gain)), max(best, float(np.max(gain)))
        low, high = odds[max(i - 2, 0)], odds[min(i + 2, 199)]
    return best


@settings(max_examples=40)
@given(shift=shifts(1e-3, 20.0), rate=log_uniform(1e-4, 1.0), epsilon=log_uniform(1e-4, 20.0))
def test_delta_is_conjugate_to_the_worse_order(shift, rate, epsilon):
    form = SampledOnce(shift, rate)
    found = max(supremum(form, order, epsilon) for order in (Order.ADD, Order.REMOVE))
    # The supremum is a difference of numbers up to 1.
    assert form.delta(epsilon) == pytest.approx(found, rel=1e-9, abs=1e-14)


@given(shift=shifts(1e-3, 1e3), rate=log_uniform(1e-6, 1.0), delta=log_uniform(1e-12, 0.9))
def test_epsilon_is_the_inverse_of_delta(shift, rate, delta):
    form = SampledOnce(shift, rate)
    epsilon = form.epsilon(delta)
    # The root is found to 14 digits of epsilon, and delta may move by as much as epsilon does.
    tolerance = 2e-14 * max(1.0, epsilon)
    assert form.delta(epsilon) <= delta * (1.0 + 1e-6) + tolerance
    assert epsilon == 0.0 or form.delta(epsilon * (1.0 - 1e-9)) >= delta * (1.0 - 1e-6) - tolerance


@pytest.mark.parametrize("rate", [1.0, 0.4])
@pytest.mark.parametrize("shift", SHIFTS[:6], ids=repr)
def test_area_is_the_integral_of_power(shift, rate):
    form, alpha = SampledOnce(shift, rate), alpha_grid(400_001, 1e-15)
    for order in (Order.ADD,) if rate < 1.0 else Order:
        area = np.trapezoid(form.trade_off(alpha, order).power, alpha)
        assert form.area() == pytest.approx(area, abs=GRID)
