"""Gaussian membership inference privacy (paper 004): its table, and laws of steps and runs."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership import GradientRelease, StepTest, composition, level
from numerics.gaussian_membership.calibration import MuTarget, noise_for, success_at, target_mu
from numerics.mechanisms.gaussian import GaussianShift
from numerics.trade_off import Bound, alpha_grid
from tests.strategies import log_uniform
from tests.tables import Table

TABLE = Table(__file__)
STEPS = st.builds(StepTest, log_uniform(1.5, 1e4), log_uniform(1.0, 1e4).map(round), log_uniform(1e-2, 1e3))


def test_table():
    TABLE.check()


@pytest.mark.parametrize("row", TABLE.parts["table_5"], ids=lambda row: row["release"])
def test_table_5(row):
    """All 120 printed noise levels, to their two decimals."""
    release, printed, known = eval(row["release"], TABLE.names), row["printed"].split(), row["none_needed_from"]
    found = [noise_for(MuTarget(mu), release) for mu in TABLE.names["LEVELS"]]
    assert [f"{each.private_noise / release.batch_size * row['clip']:.2f}" for each in found] == printed
    relaxed = [f"{each.release.noise_multiplier / release.batch_size * row['clip']:.2f}" for each in found]
    assert relaxed == [*printed[:known], *["0.00"] * (20 - known)]
    assert [each.noise_needed for each in found] == [True] * known + [False] * (20 - known)
    assert all(each.set_by_privacy == each.noise_needed for each in found)
    assert all(each.noise_multiplier == each.release.noise_multiplier for each in found)


@settings(max_examples=12)
@given(STEPS, st.floats(1.01, 10.0), log_uniform(1e-9, 0.9), st.floats(-3.0, 10.0))
def test_a_step_is_a_trade_off_function(step, factor, rate, log_ratio):
    """Falling, convex, below guessing; its slope is the likelihood ratio; more exposed with K, hidden by the batch."""
    curve = step.trade_off(alpha_grid(60))
    assert curve.bound is Bound.EXACT
    assert np.all(np.diff(curve.beta) <= 0.0)
    assert np.all((curve.beta >= 0.0) & (curve.beta <= 1.0 - curve.alpha + 1e-9))
    assert np.allclose(curve.beta + curve.power, 1.0, rtol=0.0, atol=1e-9)
    inside = (curve.alpha > 1e-7) & (curve.alpha < 1.0 - 1e-7)
    slopes = np.diff(curve.power[inside]) / np.diff(curve.alpha[inside])
    assert np.all(np.diff(slopes) <= 1e-6 * slopes[:-1])
    gap = np.max(curve.power - curve.alpha)
    assert gap - 1e-9 <= step.advantage() <= gap + 0.05  # 60 points
    at = np.array([rate])
    exposed = StepTest(step.effective_size, step.dimension, factor * step.susceptibility)
    hidden = StepTest(factor * step.effective_size, step.dimension, step.susceptibility)
    assert hidden.power(at)[0] * (1.0 - 1e-9) <= step.power(at)[0] <= exposed.power(at)[0] * (1.0 + 1e-9)
    alpha, power = step.rates(np.array([log_ratio]))
    assume(1e-12 < alpha[0] < 1.0 - 1e-3)
    assert step.power(alpha)[0] == pytest.approx(power[0], rel=1e-8)
    near = step.trade_off(alpha * np.array([1.0 - 1e-4, 1.0 + 1e-4]))
    gain = np.diff(near.power) if power[0] < 0.5 else -np.diff(near.beta)  # the smaller of the two keeps its digits
    assert np.log(gain / np.diff(near.alpha))[0] == pytest.approx(log_ratio, abs=1e-3)


@settings(max_examples=20)
@given(log_uniform(0.05, 3.0), st.one_of(st.none(), log_uniform(1.0, 1e4)), st.booleans(), st.floats(1.01, 5.0))
def test_calibrated_noise_meets_the_target(mu, susceptibility, sampled, factor):
    release = GradientRelease(4000 if sampled else 400, 400, 50, 650)
    found = noise_for(MuTarget(mu), release, susceptibility)
    reached = level(found.release, susceptibility)
    if found.noise_needed:
        assert reached.mu == pytest.approx(mu, rel=1e-6)
        assert reached.set_by_privacy == found.set_by_privacy
        more = found.release.with_noise(factor * found.noise_multiplier)
        assert level(more, susceptibility).mu < reached.mu
    else:
        assert reached.own <= mu * (1.0 + 1e-9)
    assert (composition.SAMPLING_LIMIT in reached.assumptions) == sampled
    assert (composition.PLUG_IN in reached.assumptions) == (susceptibility is None)
    assert reached.trade_off(np.array([0.1])).power == pytest.approx(GaussianShift(reached.mu).power(np.array([0.1])))


@settings(max_examples=20)
@given(log_uniform(0.05, 5.0), log_uniform(1e-9, 0.3), log_uniform(1e-3, 10.0), st.integers(1, 10_000))
def test_conversions_are_inverses(mu, alpha, sampling, size):
    """Of targets to mu, of the limit of sampling, and of full knowledge to relaxed."""
    shift = GaussianShift(mu)
    for target in (AdvantageTarget(shift.delta(0.0)), PowerTarget(float(shift.power(np.array([alpha]))[0]), alpha)):
        assert target_mu(target) == pytest.approx(mu, rel=1e-6, abs=1e-6)
        assert success_at(target, mu) == pytest.approx(target.goal, rel=1e-9)
    assert success_at(MuTarget(mu), mu) == mu
    limit = composition.sampling_limit(composition.step_mu_for(mu, sampling), sampling)
    assert limit == pytest.approx(mu, rel=1e-7)
    assert composition.sampling_limit(1.001 * mu, 0.1) > composition.sampling_limit(mu, 0.1)
    own = composition.relaxed_mu(mu, size, 650).own
    cancelled = 1e-15 * size * mu**2 / 4  # digits lost in d/mu^2 - n
    assert composition.private_mu(own, size, 650) == pytest.approx(mu, rel=1e-9 + 10 * cancelled)
