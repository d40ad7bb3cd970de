"""Logistic noise against quadratures of its density alone: no formula of the mechanism's file is used for them."""

import numpy as np
import pytest

from numerics import approximations, relaxed
from numerics.approximations.step_laws import cumulants
from numerics.mechanisms import Adjacency
from numerics.mechanisms.logistic import FoldedLogistic, Logistic, LogisticNoise, LogisticShift
from numerics.relaxed import Reading
from numerics.relaxed.envelope import envelope
from numerics.relaxed.folded import FoldedOnce
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Order, alpha_grid
from tests.reference import each

EXACT = 1e-12


def release(row, adjacency=Adjacency.ADD_REMOVE) -> Logistic:
    rate, steps = (row.number("p") if "p" in row.params else 1.0), (row.count("N") if "N" in row.params else 1)
    return Logistic(
        adjacency.reach / row.number("mu") if steps == 1 else 1.0 / row.number("mu"), rate, steps, adjacency
    )


def at(row):
    return np.array([row.number("alpha")])


@each("Logistic trade-off")
def test_trade_off(row):
    assert release(row).trade_off(at(row)).beta[0] == pytest.approx(row.expected, rel=EXACT)
    assert LogisticShift(row.number("mu")).alpha_for(1.0 - at(row))[0] == pytest.approx(
        LogisticShift(row.number("mu")).beta(at(row))[0], rel=1e-9
    )


@each("Logistic delta(eps)")
def test_delta(row):
    assert release(row).delta(row.number("eps")).upper == pytest.approx(row.expected, rel=1e-11)


@each("Logistic area")
def test_area(row):
    assert release(row).auc().upper == pytest.approx(row.expected, rel=EXACT)


@pytest.mark.parametrize("mu", [0.999999, 1.000001, 1e-6])
def test_the_area_has_all_its_digits_where_its_form_changes(mu):
    slope = 1.0 / 6.0 if mu < 0.1 else 0.1535  # of the area at 0; about at 1
    assert LogisticShift(mu).area() == pytest.approx(0.5 + mu / 6.0 if mu < 0.1 else 0.6613031126615, abs=1e-6 * slope)


@each("Logistic RTM j", prefix="logistic_j_")
def test_folded(row):
    assert relaxed.trade_off(release(row), at(row)).beta[0] == pytest.approx(row.expected, rel=EXACT)


@each("Logistic RTM j^{-1}")
def test_folded_inverse(row):
    found = relaxed.trade_off(release(row), at(row), order=Order.REMOVE)
    assert found.beta[0] == pytest.approx(row.expected, rel=1e-11)


@pytest.mark.parametrize("mu", [1e-3, 0.1, 1.0, 4.0, 20.0, 60.0])
def test_joined_orders_are_the_convex_envelope(mu):
    """By the envelope of two curves that knows nothing of where their slopes are -1."""
    alpha, once = alpha_grid(101, 1e-9), FoldedOnce(FoldedLogistic(mu))
    general = envelope(lambda x: once.trade_off(x, Order.ADD), lambda x: once.trade_off(x, Order.REMOVE), alpha)
    np.testing.assert_allclose(once.trade_off(alpha, Order.SYMMETRIC).beta, general.beta, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("mu", [1e-3, 0.1, 1.0, 10.0, 300.0])
def test_the_folded_loss_rises_and_is_inverted(mu):
    noise = LogisticNoise(1.0 / mu)
    x = np.linspace(0.0, 1.0 + 8.0 * noise.scale, 1001)
    loss = np.logaddexp(noise.shift_loss(x), noise.shift_loss(-x)) - np.log(2.0)
    assert np.all(np.diff(loss) >= -1e-15 * (1.0 + mu))
    back = noise.folded_position(loss)
    again = np.logaddexp(noise.shift_loss(back), noise.shift_loss(-back)) - np.log(2.0)
    np.testing.assert_allclose(again, loss, rtol=0.0, atol=1e-15 * (10.0 + mu))


@each("Logistic CLT mu~")
def test_central_limit(row):
    adjacency = Adjacency.REPLACE_ONE if row.family.endswith("replace-one") else Adjacency.ADD_REMOVE
    assert approximations.clt_mu(release(row, adjacency)) == pytest.approx(row.expected, rel=EXACT)


@each("Logistic cumulants")
def test_cumulants(row):
    ((pair, _),) = sampled_pairs(release(row).pairs)
    law = cumulants(pair)
    found = law.null if row.text("law") == "null" else law.alternative
    assert found[row.count("order") - 1] == pytest.approx(row.expected, rel=1e-10, abs=1e-15)


@each("Logistic DP add-one N=2")
def test_two_sampled_steps(row):
    safe, _, reached = release(row).certified().trade_off(at(row), Order.ADD)
    assert safe.beta[0] <= row.expected * (1.0 + EXACT)
    assert row.expected <= reached.beta[0] * (1.0 + EXACT)
    assert reached.beta[0] - safe.beta[0] < 1e-5


@each("Logistic RTM option B")
def test_product_of_folded_steps(row):
    found = relaxed.trade_off(release(row), at(row), reading=Reading.FOLDED_STEPS)
    assert row.expected * (1.0 - EXACT) <= found.beta[0] <= row.expected + 1e-5


@each("Logistic RTM option D")
def test_relaxed_guarantee(row):
    found = relaxed.trade_off(release(row), at(row))
    assert abs(found.beta[0] - row.expected) <= found.error
    assert found.error < 1e-3


def test_draws_follow_the_density():
    law = LogisticNoise.standard
    assert law is not None
    draws = law.draw(np.random.default_rng(0), 200_000)
    for x in (-3.0, -0.5, 0.0, 1.0, 4.0):
        share = LogisticNoise(1.0).cells(np.array([x]), 0.0)[0]
        assert np.mean(draws <= x) == pytest.approx(share, abs=5.0 * np.sqrt(share * (1.0 - share) / len(draws)))
