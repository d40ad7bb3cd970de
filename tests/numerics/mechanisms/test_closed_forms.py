"""Closed forms keep their digits where rates are tiny, epsilon is beyond the range of exp and laws are folded."""

from functools import partial

import mpmath
import numpy as np
import pytest

from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.trade_off import Order, alpha_grid
from tests.numerics import engine_adapter as engine
from tests.numerics.oracle import hull

SHIFTS = [kind(mu) for kind in (engine.GaussianShift, engine.LaplaceShift) for mu in (0.01, 1.0, 9.0, 800.0)]
TINY = np.array([1e-300, 1e-200, 1e-100, 1e-50, 1e-17, 1e-12, 1e-6])
QUANTILE = 2e-12  # a relative error of 1e-16 in z = 38 moves its tail by 38^2 times that, and back


@pytest.mark.parametrize("rate", [1.0, 0.7, 1e-3])
@pytest.mark.parametrize("shift", SHIFTS, ids=repr)
def test_ends_inverses_area_and_numbers(shift: engine.GaussianShift | engine.LaplaceShift, rate: float) -> None:
    alpha, form = np.unique(np.concatenate((TINY, alpha_grid(101)))), engine.SampledOnce(shift, rate)
    for order in Order:
        curve = form.trade_off(alpha, order)
        assert (curve.beta[0], curve.power[0], curve.beta[-1], curve.power[-1]) == (1.0, 0.0, 0.0, 1.0)
        np.testing.assert_allclose(curve.beta + curve.power, 1.0, rtol=1e-15)
        assert np.all(curve.power >= alpha * (1.0 - QUANTILE))
        assert np.all(np.diff(curve.power) >= 0.0)
    remove, power = form.trade_off(alpha, Order.REMOVE), shift.power(alpha)
    small = (power > 1e-300) & (power < 0.5)
    np.testing.assert_allclose(shift.alpha_for(power[small]), alpha[small], rtol=QUANTILE * max(1.0, shift.mu))
    kept = (remove.beta > 1e-290) & (remove.beta < 0.5) & (alpha > 0)
    back = form.trade_off(remove.beta[kept][::-1], Order.ADD).beta[::-1]
    np.testing.assert_allclose(back, alpha[kept], rtol=1e-8 * max(1.0, shift.mu))
    if shift.mu < 100:
        fine = alpha_grid(100_001, 1e-15)
        assert form.area() == pytest.approx(np.trapezoid(form.trade_off(fine, Order.ADD).power, fine), abs=1e-7)
        if shift.balanced > 0.0:
            assert shift.beta(np.array([shift.balanced]))[0] == pytest.approx(shift.balanced, rel=1e-9)
        for delta in (0.3, 1e-5):
            epsilon = form.epsilon(delta)
            assert form.delta(epsilon) <= delta * (1.0 + 1e-6) + 2e-14 * max(1.0, epsilon)
            assert epsilon == 0.0 or form.delta(epsilon * (1.0 - 1e-9)) >= delta * (1.0 - 1e-6) - 2e-14 * epsilon


@pytest.mark.parametrize("rate", [0.9, 0.3, 1e-3])
@pytest.mark.parametrize("shift", [*SHIFTS, engine.LogisticShift(2.0)], ids=repr)
def test_joined_orders_are_the_lower_convex_envelope(shift, rate: float) -> None:
    form = engine.SampledOnce(shift, rate)
    alpha = np.union1d(alpha_grid(3_000, 1e-12), np.linspace(0.0, 1.0, 3_001))
    add, remove = (form.trade_off(alpha, order).beta for order in (Order.ADD, Order.REMOVE))
    joined, best = form.trade_off(alpha, Order.SYMMETRIC).beta, -hull(alpha, -np.minimum(add, remove))
    # A hull of points lies above the hull of the curves, by second order of their spacing.
    assert np.all(joined <= best + 1e-15)
    assert np.all(joined >= best - 1e-4)


@pytest.mark.parametrize(("mu", "rate", "alpha"), [(1.0, 0.3, 1e-12), (4.0, 0.9, 1e-300), (2.0, 0.01, 0.2)])
def test_sampled_gaussian_powers_in_fifty_digits(mu: float, rate: float, alpha: float) -> None:
    """Add-one as it is written; in remove-one its rate at the power found passes alpha within the digits claimed."""
    form, at = engine.SampledOnce(engine.GaussianShift(mu), rate), np.array([alpha])
    with mpmath.workdps(50):

        def tail(x):
            return mpmath.erfc(x / mpmath.sqrt(2)) / 2

        def position(probability):
            goal = mpmath.log(mpmath.mpf(probability))
            return mpmath.findroot(
                lambda z: mpmath.log(tail(z)) - goal, (-1, 10), solver="anderson", tol=1e-70, maxsteps=500
            )

        def rate_for(power):
            return rate * tail(position(power) + mu) + (1 - mpmath.mpf(rate)) * power

        expected = float(rate * tail(position(alpha) - mu) + (1 - mpmath.mpf(rate)) * mpmath.mpf(alpha))
        assert form.trade_off(at, Order.ADD).power[0] == pytest.approx(expected, rel=QUANTILE)
        found = mpmath.mpf(form.trade_off(at, Order.REMOVE).power[0])
        assert rate_for(found * (1 - QUANTILE)) < alpha < rate_for(found * (1 + QUANTILE))


@pytest.mark.parametrize("rate", [0.5, 1e-7])
@pytest.mark.parametrize("epsilon", [599.0, 601.0, 1200.0])
@pytest.mark.parametrize("kind", [Gaussian, Laplace])
def test_delta_of_a_sampled_step_at_large_epsilon(kind: type[Gaussian | Laplace], epsilon: float, rate: float) -> None:
    """Rate times the unsampled delta at log(1 + (e^epsilon - 1) / rate), in 600 digits; remove-one adds nothing here.

    The noise is such that this delta changes by a large part if that epsilon moves by 1.
    """
    with mpmath.workdps(600):
        inner = mpmath.log(1 + mpmath.expm1(epsilon) / rate)
        mu = 1 / mpmath.mpf(1.0 / (float(inner) + 1.0 if kind is Laplace else float(mpmath.sqrt(2 * inner))))
        if kind is Laplace:  # paper 003 Sec. 4.3
            own = 1 - mpmath.exp((inner - mu) / 2)
        else:  # correction 41
            own = mpmath.ncdf(-inner / mu + mu / 2) - mpmath.exp(inner) * mpmath.ncdf(-inner / mu - mu / 2)
        expected = float(rate * own)
    assert kind(float(1 / mu), rate).delta(epsilon).upper == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("mechanism", [Gaussian(1e-3), Gaussian(1e-2, 0.5), Gaussian(0.02, 0.3)], ids=str)
def test_epsilon_beyond_the_range_of_exp_is_the_inverse_of_delta(mechanism: Gaussian) -> None:
    """Delta moves by a factor e^700 for a change of epsilon by .1 %, and is continuous where its formula changes."""
    assert mechanism.delta(mechanism.epsilon(1e-5).upper).upper == pytest.approx(1e-5, rel=1e-6)
    assert mechanism.delta(600.0).upper == pytest.approx(mechanism.delta(600.0 - 1e-9).upper, rel=1e-6)


@pytest.mark.parametrize("adjacency", Adjacency)
def test_unsampled_gaussian_steps_are_one_release(adjacency: Adjacency) -> None:
    """Effect sizes add in squares, over steps and over phases; replacing moves the sum twice as far."""
    alpha, reach = alpha_grid(41), 2.0 if adjacency is Adjacency.REPLACE_ONE else 1.0
    whole = Gaussian(1.0 / reach).trade_off(alpha).power
    split = Composition((Gaussian(5.0, steps=9, adjacency=adjacency), Gaussian(5.0, steps=16, adjacency=adjacency)))
    for release in (Gaussian(5.0, steps=25, adjacency=adjacency), split):
        np.testing.assert_allclose(release.trade_off(alpha).power, whole, rtol=1e-12)
    assert Gaussian(3.0, records_per_person=3, adjacency=adjacency).power(0.01).upper == pytest.approx(
        Gaussian(1.0 / reach).power(0.01).upper, rel=1e-12
    )


@pytest.mark.parametrize(
    ("mu", "area"), [(1e-6, 0.5 + 1e-6 / 6), (0.999999, 0.6613031126615), (1.000001, 0.6613031126615)]
)
def test_the_logistic_area_has_all_its_digits_where_its_form_changes(mu: float, area: float) -> None:
    assert engine.LogisticShift(mu).area() == pytest.approx(area, abs=2e-13 if mu < 0.1 else 2e-7)


def folded_in_digits(mu: float, z: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """P(|Z| > z) and its rest, P(|Z + mu| > z) and its rest, in 40 digits."""
    with mpmath.workdps(40):
        rest = [float(mpmath.erf(mpmath.mpf(each) / mpmath.sqrt(2))) for each in z]
        cuts = [mpmath.sqrt(2) * mpmath.erfinv(mpmath.mpf(each)) for each in rest]
        within = [mpmath.ncdf(each - mu) - mpmath.ncdf(-each - mu) for each in cuts]
        sides = [1 - mpmath.mpf(each) for each in rest], rest, [1 - each for each in within], within
        alpha, others, power, beta = (np.array([float(each) for each in side]) for side in sides)
    return alpha, others, power, beta


@pytest.mark.parametrize("mu", [0.01, 1.0, 5.0, 30.0])
def test_folded_normal_laws_keep_their_digits(mu: float) -> None:
    """At thresholds on both sides of where the quadrature gives way to a difference of two tails."""
    z = np.sort(np.concatenate((np.geomspace(1e-12, 0.5, 6), np.array([0.9, 1.001, 2.0]) / (1.0 + mu), [3.0])))[::-1]
    alpha, rest, power, beta = folded_in_digits(mu, z)
    for law, digits in ((engine.FoldedNormal(mu), 1e-10), (engine.FoldedDistance(mu, 1.0), 1e-7)):
        found = law.errors(alpha, rest)
        np.testing.assert_allclose(found.power, power, rtol=digits)
        np.testing.assert_allclose(found.beta, beta, rtol=digits)


FOLDED = [engine.FoldedNormal, engine.FoldedLogistic, *(partial(engine.FoldedDistance, degrees=d) for d in (2.0, 50.0))]


@pytest.mark.parametrize("mu", [0.01, 1.0, 5.0, 30.0])
@pytest.mark.parametrize("kind", FOLDED)
def test_folded_laws_are_inverted_and_balanced(kind, mu: float) -> None:
    law, grid = kind(mu), np.array([1e-6, 0.01, 0.2, 0.5, 0.9])
    for rate in (1.0, 0.3):
        errors = law.sampled_errors(grid, 1.0 - grid, rate)
        np.testing.assert_allclose(errors.power, rate * law.errors(grid, 1.0 - grid).power + (1.0 - rate) * grid)
        kept = (errors.beta > 1e-9) & (errors.beta < 1 - 1e-6)
        if np.any(kept):
            back = law.sampled_inverse(errors.beta[kept], errors.power[kept], rate)
            np.testing.assert_allclose(back.beta, grid[kept], rtol=1e-6)
    best = law.errors(np.array([law.balanced]), np.array([1.0 - law.balanced])).power[0] - law.balanced
    assert best >= np.max(law.errors(grid, 1.0 - grid).power - grid) - 1e-9


@pytest.mark.parametrize("mu", [1e-3, 1.0, 20.0, 300.0])
def test_the_folded_logistic_loss_is_inverted_and_its_orders_are_joined(mu: float) -> None:
    """The joined curve by an envelope that knows nothing of where the slopes are -1."""
    noise, points = engine.LogisticNoise(1.0 / mu), np.linspace(0.0, 1.0 + 8.0 / mu, 301)
    loss = np.logaddexp(noise.shift_loss(points), noise.shift_loss(-points)) - np.log(2.0)
    back = noise.folded_position(loss)
    again = np.logaddexp(noise.shift_loss(back), noise.shift_loss(-back)) - np.log(2.0)
    np.testing.assert_allclose(again, loss, rtol=0.0, atol=1e-15 * (10.0 + mu))
    if mu < 100.0:
        grid, once = alpha_grid(51, 1e-9), engine.FoldedOnce(engine.FoldedLogistic(mu))
        orders = (lambda x: once.trade_off(x, Order.ADD)), (lambda x: once.trade_off(x, Order.REMOVE))
        general = engine.envelope(*orders, grid)
        np.testing.assert_allclose(once.trade_off(grid, Order.SYMMETRIC).beta, general.beta, rtol=1e-9, atol=1e-12)
