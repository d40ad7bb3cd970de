"""Paper 003 Fig. 1, 3 and 4: the printed ends of the panels, the shipped Monte Carlo points, and the limit's noise."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from data import make_paper_003
from numerics.approximations import clt, clt_mu
from numerics.mechanisms import Gaussian
from numerics.mechanisms.gaussian import GaussianShift
from numerics.reconstruction.published import PANELS, shipped_estimates
from tests.strategies import log_uniform

PANEL = {panel.name: panel for panel in PANELS}


def test_the_right_ends_are_the_printed_epsilons():
    assert PANEL["a"].at(PANEL["a"].largest).pure_epsilon == pytest.approx(20.0, abs=0.05)
    assert PANEL["b"].at(PANEL["b"].largest).pure_epsilon == pytest.approx(100.0, abs=0.05)
    assert PANEL["c"].at(PANEL["c"].largest).epsilon(1e-6).estimate == pytest.approx(100.0, abs=0.5)
    found = PANEL["d"].at(PANEL["d"].largest).epsilon(1e-6)
    assert 5e7 < found.lower < found.upper < 2e8


def test_panel_d_is_known_up_to_its_right_end():
    """Who never takes part cannot be found: gamma approaches 1 - (1 - p)^N (1 - kappa), by 2e-10 at effect 12."""
    panel = PANEL["d"]
    limit = 1.0 - 0.999**10_000 * (1.0 - panel.prior)
    before = 0.0
    for effect in (1.0, 3.0, 6.0, 12.0, 100.0, 3000.0):
        gamma = panel.at(effect).reconstruction(panel.prior)
        assert before <= gamma.estimate + 1e-8
        assert gamma.lower <= limit + 1e-9
        assert gamma.width < 1e-6
        before = gamma.estimate
    assert before == pytest.approx(limit, abs=1e-9)


def test_every_panel_has_its_points():
    for panel in PANELS:
        points = [point for point in shipped_estimates() if point.panel == panel.name]
        assert [point.effect for point in points] == pytest.approx(make_paper_003.effects(panel), rel=1e-6)


@pytest.mark.parametrize("index", range(0, 48, 4))
def test_shipped_points_are_where_the_certified_curve_is(index):
    point = shipped_estimates()[index]
    panel = PANEL[point.panel]
    gamma = panel.at(point.effect).reconstruction(panel.prior)
    if point.usable:
        assert abs(point.estimate - gamma.estimate) < 5.0 * point.standard_error + gamma.width + 1e-6
    assert abs(point.better - gamma.estimate) < 5.0 * point.better_error + gamma.width + 1e-6


def test_the_papers_estimate_is_not_usable_in_panel_d_nor_at_the_right_ends_of_b_and_c():
    """The text says so of d alone; the averages of a million draws fall to nothing where gamma is 1."""
    assert not any(point.usable for point in shipped_estimates() if point.panel == "d")
    assert all(point.usable for point in shipped_estimates() if point.panel == "a")
    for panel in "bc":
        last = [point for point in shipped_estimates() if point.panel == panel][-1]
        assert not last.usable
        assert last.estimate < 1e-3
        assert last.better > 0.999


def test_a_point_is_made_anew():
    held = shipped_estimates()[0]
    made = make_paper_003.point(PANEL["a"], make_paper_003.effects(PANEL["a"])[0])
    assert made[2:4] == pytest.approx((held.estimate, held.standard_error), rel=1e-5)
    assert made[5:] == pytest.approx((held.better, held.better_error), rel=1e-5)


@given(log_uniform(1e-2, 10.0), log_uniform(1e-3, 0.999), st.integers(1, 100_000))
def test_noise_of_the_limit_is_its_inverse(mu, rate, steps):
    """Paper 003 footnote 3, which the text contradicts (correction 39): rates at which the limit is the same."""
    noise = 1.0 / np.sqrt(np.log1p((mu / rate) ** 2 / steps))
    assume(1e-6 < noise < 1e6)
    assert clt_mu(Gaussian(noise, rate, steps)) == pytest.approx(mu, rel=1e-9)


@pytest.mark.parametrize(("noise", "rate"), [(0.659595527601, 0.1), (0.913243565316, 0.5), (1.052239341149, 0.9)])
def test_fig_3_meets_at_one_point_only(noise, rate):
    """Noise for (4, 1e-5) in one step; delta at another epsilon tells the three apart."""
    release = Gaussian(noise, rate)
    assert release.epsilon(1e-5).estimate == pytest.approx(4.0, abs=1e-6)
    one = p_delta(noise, rate)
    assert release.delta(1.0).estimate == pytest.approx(one, rel=1e-9)
    assert one == pytest.approx({0.1: 0.005531, 0.5: 0.041508, 0.9: 0.088685}[rate], abs=1e-6)


def p_delta(noise, rate):
    """p delta of one unsampled step at log(1 + (e - 1) / p): the add-one order, which is the worse one here."""
    return rate * GaussianShift(1.0 / noise).delta(float(np.log1p(np.expm1(1.0) / rate)))


def test_fig_4_is_nearly_one_curve_and_not_the_limits():
    """Correction 43: delta(1) .10091, .10128 and .10132, equal to 0.4 % and not identical."""
    noise = {0.1: 10.8478, 0.5: 54.0693, 0.9: 97.3071}  # epsilon 4 at 1e-5
    at_one = {0.1: 0.10091, 0.5: 0.10128, 0.9: 0.10132}
    for rate, expected in at_one.items():
        release = Gaussian(noise[rate], rate, 10_000)
        assert release.epsilon(1e-5).estimate == pytest.approx(4.0, abs=1e-4)
        assert release.delta(1.0).estimate == pytest.approx(expected, abs=2e-5)
        mu, alpha = clt_mu(release), np.array([1e-3, 0.1])
        assert clt(release, alpha).power == pytest.approx(release.trade_off(alpha).power, rel=0.03)
        assert GaussianShift(mu).delta(1.0) == pytest.approx(expected, rel=0.02)
