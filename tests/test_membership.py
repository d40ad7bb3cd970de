"""Membership inference privacy (paper 002): eta and its conversions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.calibration import noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.membership import (
    EtaTarget,
    as_replace_one,
    epsilon_for_eta,
    eta,
    eta_of_epsilon,
    eta_of_mu,
    mu_for_eta,
    trade_off,
)
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, alpha_grid
from tests.reference import Reference, each
from tests.strategies import log_uniform, single

ROUNDING = 1e-13
GRIDDED = 1e-4  # the widest gap lies between two of 2,000 points
ETAS = log_uniform(1e-6, 0.499)


# --- eta from epsilon, mu and mechanisms


@each("MIP eta from replace-one")
def test_eta_of_epsilon(row: Reference):
    value = eta_of_epsilon(row.number("eps"), row.number("delta"), Adjacency.REPLACE_ONE)
    assert value == pytest.approx(row.expected, rel=ROUNDING)


@each("max TPR-FPR")
def test_gap_is_twice_eta(row: Reference):
    found = eta_of_epsilon(row.number("eps"), row.number("delta"), Adjacency.REPLACE_ONE)
    curve = trade_off(found, np.array([0.001]))
    assert curve.power[0] - 0.001 == pytest.approx(row.expected, rel=ROUNDING)


@each(prefix="NEG_mip_tprgap", role="negative")
def test_gap_is_not_eta(row: Reference):
    found = eta_of_epsilon(row.number("eps"), row.number("delta"), Adjacency.REPLACE_ONE)
    assert trade_off(found, np.array([0.001])).power[0] - 0.001 > 1.5 * row.expected


@each("exact eta for replace-one GDP mu")
def test_eta_of_replaced_gaussian(row: Reference):
    mu = row.number("mu")
    assert eta_of_mu(mu, Adjacency.REPLACE_ONE) == pytest.approx(row.expected, rel=ROUNDING)
    assert eta(Gaussian(2.0 / mu, adjacency=Adjacency.REPLACE_ONE)).upper == pytest.approx(row.expected, rel=ROUNDING)


@each("eta for ADD/REMOVE GDP mu")
def test_eta_of_added_gaussian(row: Reference):
    mu = row.number("mu_add_remove")
    assert eta_of_mu(mu, Adjacency.ADD_REMOVE) == pytest.approx(row.expected, rel=ROUNDING)
    assert eta(Gaussian(1.0 / mu)).upper == pytest.approx(row.expected, rel=ROUNDING)


@each("exact eta of Laplace mechanism")
def test_eta_of_laplace(row: Reference):
    mechanism = Laplace(2.0 / row.number("eps"), adjacency=Adjacency.REPLACE_ONE)
    assert eta(mechanism).upper == pytest.approx(row.expected, rel=ROUNDING)


@settings(max_examples=15)
@given(mechanism=single(noise=(0.3, 50.0), largest_steps=50, lowest_rate=1e-2), factor=st.floats(1.05, 3.0))
def test_eta_lies_in_its_range_and_falls_with_noise(mechanism, factor):
    precision = Precision(width=1e-4, strict=False)
    found = eta(mechanism, precision)
    assert 0.0 <= found.lower <= found.estimate <= found.upper <= 0.5
    assert eta(mechanism.with_noise(factor * mechanism.noise_multiplier), precision).lower <= found.upper


def test_phases_are_converted_one_by_one():
    phases = Composition((Gaussian(2.0), Gaussian(3.0)))
    assert eta(phases).upper == pytest.approx(eta_of_mu(np.hypot(1 / 2, 1 / 3), Adjacency.ADD_REMOVE), rel=ROUNDING)
    assert as_replace_one(phases).adjacency is Adjacency.REPLACE_ONE


def test_sampled_eta_is_between_the_add_remove_plug_in_and_the_triangle_bound():
    """At rate 1/120, 1,200 steps, noise 1: TV/2 by add/remove .0739, replace-one .1213, triangle .1477."""
    run = Gaussian(1.0, 1 / 120, 1200)
    found = eta(run)
    assert found.estimate == pytest.approx(0.12131, abs=5e-6)
    assert 0.5 * run.advantage().upper < found.lower
    assert found.upper < run.advantage().lower


@pytest.mark.parametrize("mechanism", [Gaussian(2.0), Laplace(1.5), Gaussian(1.0, 0.1, 20)])
def test_eta_is_half_of_the_largest_gap_of_the_curve(mechanism):
    curve = replace(mechanism, adjacency=Adjacency.REPLACE_ONE).trade_off(alpha_grid(2000))
    assert 0.5 * np.max(curve.power - curve.alpha) == pytest.approx(eta(mechanism).estimate, abs=GRIDDED)


@given(mu=log_uniform(1e-3, 6.0), delta=log_uniform(1e-12, 0.1), adjacency=st.sampled_from(Adjacency))
def test_no_route_by_epsilon_is_below_the_exact_eta(mu, delta, adjacency):
    mechanism = Gaussian(adjacency.reach / mu, adjacency=adjacency)
    epsilon = mechanism.epsilon(delta).upper
    assert eta_of_epsilon(epsilon, delta, adjacency) >= eta(mechanism).lower - ROUNDING


@given(eta_wanted=ETAS, adjacency=st.sampled_from(Adjacency))
def test_conversions_are_inverses(eta_wanted, adjacency):
    assert eta_of_mu(mu_for_eta(eta_wanted, adjacency), adjacency) == pytest.approx(eta_wanted, rel=1e-9)
    epsilon = epsilon_for_eta(eta_wanted, adjacency)
    assert eta_of_epsilon(epsilon, 0.0, adjacency) == pytest.approx(eta_wanted, rel=1e-9)


def test_group_privacy_doubles_epsilon_and_more_than_doubles_delta():
    direct = eta_of_epsilon(2.0, (1.0 + np.e) * 1e-3, Adjacency.REPLACE_ONE)
    assert eta_of_epsilon(1.0, 1e-3, Adjacency.ADD_REMOVE) == pytest.approx(direct, rel=ROUNDING)
    assert eta_of_epsilon(800.0, 0.5, Adjacency.ADD_REMOVE) == 0.5


def test_ends_of_the_range():
    assert epsilon_for_eta(0.5) == mu_for_eta(0.5, Adjacency.REPLACE_ONE) == float("inf")
    assert epsilon_for_eta(0.0) == mu_for_eta(0.0, Adjacency.ADD_REMOVE) == 0.0
    for bad in (-0.1, 0.6, float("nan")):
        with pytest.raises(ValueError, match="eta must be between 0 and"):
            epsilon_for_eta(bad)


@settings(max_examples=15)
@given(mechanism=single(noise=(0.3, 50.0), largest_steps=20, lowest_rate=1e-2))
def test_no_attacker_exceeds_the_line(mechanism):
    precision = Precision(width=1e-4, strict=False)
    alpha = alpha_grid(50)
    line = trade_off(eta(mechanism, precision).upper, alpha)
    attack = as_replace_one(mechanism).trade_off(alpha, precision=precision)
    reached = attack.power if attack.upper is None else attack.upper.power
    assert np.all(reached <= line.power + ROUNDING)
    assert line.bound is Bound.LOWER
    assert np.allclose(line.power + line.beta, 1.0, rtol=0.0, atol=ROUNDING)


@pytest.mark.parametrize("mechanism", [Gaussian(1.0), Laplace(1.0), Gaussian(1.0, 0.1, 20)])
def test_noise_for_eta(mechanism):
    found = noise_for(EtaTarget(0.05), mechanism)
    assert found.met
    assert eta(found.mechanism).lower <= 0.05
    assert eta(found.mechanism.with_noise(0.98 * found.noise_multiplier)).upper > 0.05


@pytest.mark.parametrize("bad", [0.0, 0.5, -1.0, float("nan")])
def test_targets_outside_of_the_range_are_refused(bad):
    with pytest.raises(ValueError, match="eta must be strictly between"):
        EtaTarget(bad)
