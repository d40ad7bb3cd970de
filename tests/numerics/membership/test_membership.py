"""Membership inference privacy (paper 002): eta and its conversions."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import trapezoid
from scipy.stats import norm

from numerics.calibration import noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.membership import (
    EtaTarget,
    Game,
    as_played,
    epsilon_for_eta,
    eta,
    eta_of_epsilon,
    eta_of_mu,
    inherited,
    mu_for_eta,
    trade_off,
)
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, alpha_grid
from tests.reference import Reference, each
from tests.strategies import log_uniform, single

ROUNDING = 1e-13
GRIDDED = 1e-4  # the widest gap lies between two of 2,000 points
SECOND_METHOD = 1e-5  # to which a Fourier transform of its own agreed
MIDDLE = 1e-7  # the reference is the middle of a certified bracket; lattices and quadrature agree to 3e-8 here
PRINTED = 1e-9  # the bracket's ends were computed elsewhere to rounding
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
    assert eta(Gaussian(2.0 / mu, adjacency=Adjacency.REPLACE_ONE), Game.HALVES).upper == pytest.approx(
        row.expected, rel=ROUNDING
    )


@each("eta for ADD/REMOVE GDP mu")
def test_eta_of_added_gaussian(row: Reference):
    mu = row.number("mu_add_remove")
    assert eta_of_mu(mu, Adjacency.ADD_REMOVE) == pytest.approx(row.expected, rel=ROUNDING)
    assert eta(Gaussian(1.0 / mu), Game.HALVES).upper == pytest.approx(row.expected, rel=ROUNDING)


@each("exact eta of Laplace mechanism")
def test_eta_of_laplace(row: Reference):
    mechanism = Laplace(2.0 / row.number("eps"), adjacency=Adjacency.REPLACE_ONE)
    assert eta(mechanism, Game.HALVES).upper == pytest.approx(row.expected, rel=ROUNDING)


@settings(max_examples=15)
@given(mechanism=single(noise=(0.3, 50.0), largest_steps=50, lowest_rate=1e-2), factor=st.floats(1.05, 3.0))
def test_eta_lies_in_its_range_and_falls_with_noise(mechanism, factor):
    precision = Precision(width=1e-4)
    found = eta(mechanism, Game.HALVES, precision)
    assert 0.0 <= found.lower <= found.estimate <= found.upper <= 0.5
    assert eta(mechanism.with_noise(factor * mechanism.noise_multiplier), Game.HALVES, precision).lower <= found.upper


def test_phases_are_converted_one_by_one():
    phases = Composition((Gaussian(2.0), Gaussian(3.0)))
    assert eta(phases, Game.HALVES).upper == pytest.approx(
        eta_of_mu(np.hypot(1 / 2, 1 / 3), Adjacency.ADD_REMOVE), rel=ROUNDING
    )
    assert as_played(phases, Game.HALVES).adjacency is Adjacency.REPLACE_ONE


def test_sampled_eta_is_between_the_add_remove_plug_in_and_the_triangle_bound():
    """At rate 1/120, 1,200 steps, noise 1: TV/2 by add/remove .0739, replace-one .1213, triangle .1477."""
    run = Gaussian(1.0, 1 / 120, 1200)
    found = eta(run, Game.HALVES)
    assert found.estimate == pytest.approx(0.12131, abs=5e-6)
    assert 0.5 * run.advantage().upper < found.lower
    assert found.upper < run.advantage().lower


@pytest.mark.parametrize("mechanism", [Gaussian(2.0), Laplace(1.5), Gaussian(1.0, 0.1, 20)])
def test_eta_is_half_of_the_largest_gap_of_the_curve(mechanism):
    curve = replace(mechanism, adjacency=Adjacency.REPLACE_ONE).trade_off(alpha_grid(2000))
    assert 0.5 * np.max(curve.power - curve.alpha) == pytest.approx(eta(mechanism, Game.HALVES).estimate, abs=GRIDDED)


@each("one axis, eta of the game")
def test_two_games_have_two_etas(row: Reference):
    adjacency = Adjacency(row.text("adjacency"))
    run = Gaussian(row.number("noise_multiplier"), row.number("sampling_rate"), row.count("steps"), adjacency)
    for asked in Adjacency:  # the game counts, and not what the release is said to be
        found = eta(replace(run, adjacency=asked), Game.of(adjacency))
        assert found.lower <= row.expected * (1.0 + MIDDLE)
        assert row.expected <= found.upper * (1.0 + PRINTED)
        assert found.estimate == pytest.approx(row.expected, rel=SECOND_METHOD)


def _accuracy(inside: list[float], outside: list[float]) -> float:
    """Of the best guess between equal mixtures of normals of standard deviation 1, above one half; by quadrature."""
    x = np.linspace(-12.0, 13.0, 200_001)
    first, second = (np.mean([norm.pdf(x, centre) for centre in centres], axis=0) for centres in (inside, outside))
    return float(0.25 * trapezoid(np.abs(first - second), x))


def test_games_of_two_records_by_quadrature():
    """The sum of a pool, noise 1. Coins: the record is there or not, whatever the other's coin. Halves: one or the
    other."""
    coins, half = (eta(Gaussian(1.0), game).upper for game in (Game.COINS, Game.HALVES))
    assert _accuracy([1.0], [0.0]) == pytest.approx(coins, rel=1e-6)  # the other record weighs nothing
    assert _accuracy([1.0, 0.0], [0.0, -1.0]) < coins  # it is the opposite one: it only hides
    assert _accuracy([1.0], [-1.0]) == pytest.approx(half, rel=1e-6)


def test_a_replace_one_guarantee_says_nothing_about_coins():
    for ask in (eta_of_mu, mu_for_eta, epsilon_for_eta):
        with pytest.raises(ValueError, match="independent coins"):
            ask(0.1, Adjacency.REPLACE_ONE, Game.COINS)
    assert eta_of_mu(1.0, Adjacency.ADD_REMOVE, Game.COINS) == pytest.approx(eta(Gaussian(1.0), Game.COINS).upper)
    with pytest.raises(ValueError, match="fixed size"):
        eta(Gaussian(1.0, 0.1, 2, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE), Game.COINS)


@given(mu=log_uniform(1e-3, 6.0), delta=log_uniform(1e-12, 0.1), adjacency=st.sampled_from(Adjacency))
def test_no_route_by_epsilon_is_below_the_exact_eta(mu, delta, adjacency):
    mechanism = Gaussian(adjacency.reach / mu, adjacency=adjacency)
    epsilon = mechanism.epsilon(delta).upper
    assert eta_of_epsilon(epsilon, delta, adjacency) >= eta(mechanism, Game.HALVES).lower - ROUNDING


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
def test_no_attacker_exceeds_what_is_inherited_and_that_lies_below_the_line(mechanism):
    precision, game = Precision(width=1e-4), Game.of(mechanism.adjacency)
    alpha = alpha_grid(50)
    line = trade_off(eta(mechanism, game, precision).upper, alpha, game)
    attack = mechanism.trade_off(alpha, precision=precision)
    reached = attack.power if attack.upper is None else attack.upper.power
    given = inherited(attack, game)
    assert np.all(reached <= given.power + ROUNDING)
    assert np.all(given.power <= line.power + ROUNDING)
    assert (given.bound, given.assumptions[-1]) == (Bound.LOWER, game.words)
    assert line.bound is Bound.LOWER
    assert np.allclose(line.power + line.beta, 1.0, rtol=0.0, atol=ROUNDING)


@pytest.mark.parametrize("mechanism", [Gaussian(1.0), Laplace(1.0), Gaussian(1.0, 0.1, 20)])
def test_noise_for_eta(mechanism):
    found = noise_for(EtaTarget(0.05, Game.HALVES), mechanism)
    assert found.met
    assert eta(found.mechanism, Game.HALVES).lower <= 0.05
    assert eta(found.mechanism.with_noise(0.98 * found.noise_multiplier), Game.HALVES).upper > 0.05


@pytest.mark.parametrize("bad", [0.0, 0.5, -1.0, float("nan")])
def test_targets_outside_of_the_range_are_refused(bad):
    with pytest.raises(ValueError, match="eta must be strictly between"):
        EtaTarget(bad, Game.HALVES)
