"""Membership inference privacy (paper 002): eta, its conversions, noise scales, and a small release enumerated."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest

from numerics.calibration import noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.membership import (
    EtaTarget,
    as_replace_one,
    epsilon_for_eta,
    eta,
    eta_of_curve,
    eta_of_epsilon,
    eta_of_mu,
    mu_for_eta,
    noise_scale,
    trade_off,
    worst_case_data,
)
from numerics.membership.halves import HalfReleases, halves
from numerics.membership.sampler import NormNoise, coordinate_spreads, generalised_normal
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, alpha_grid
from tests.reference import Reference, each
from tests.strategies import log_uniform, single

ROUNDING = 1e-13
# 1 / sum of doubles of which the largest is 2^18: the tiny sum 1 / 430 loses six digits
CANCELLATION = 1e-9
SIGMAS = 4.5  # of a simulation; one in 150,000 runs with another seed would fail
ETAS = log_uniform(1e-6, 0.499)
NOISE = {"Gaussian": Gaussian, "Laplace": Laplace}


def mean_of_half(members):
    return np.mean(members, axis=1)


def first_of_pair(members):
    return members[:, 0]


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
def test_the_curve_gives_the_same_eta(mechanism):
    mechanism = replace(mechanism, adjacency=Adjacency.REPLACE_ONE)
    found = eta_of_curve(mechanism.trade_off(alpha_grid(2000)))
    known = eta(mechanism)
    assert found.lower <= known.upper
    assert known.lower <= found.upper
    assert found.width < 0.01


def test_a_line_of_eta_is_no_curve_to_take_eta_from():
    with pytest.raises(ValueError, match="curve must be exact or certified"):
        eta_of_curve(trade_off(0.1, alpha_grid()))


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


# --- noise scales


@each("Theorem 9 noise constant")
def test_theorem_9(row: Reference):
    assert noise_scale.theorem_9_scale(row.number("eta"), 1.0, row.number("M")) == pytest.approx(row.expected)


@each("Corollary 14 noise constant")
def test_corollary_14(row: Reference):
    assert noise_scale.corollary_14_scale(row.number("eta"), 1.0, row.number("M")) == pytest.approx(row.expected)


@each("constant 9/2+e")
def test_constant_of_theorem_9_covers_its_proof(row: Reference):
    assert row.expected <= noise_scale.THEOREM_9


@each("Cor 14 constant")
def test_constant_of_corollary_14_covers_its_proof(row: Reference):
    assert row.expected <= noise_scale.COROLLARY_14


@each("sufficient scale/E")
def test_sharp_scale(row: Reference):
    assert noise_scale.sharp_scale(row.number("eta")) == pytest.approx(row.expected, rel=ROUNDING)


@given(eta_wanted=ETAS, spread=log_uniform(1e-3, 1e3))
def test_sharp_scale_and_eta_are_inverses(eta_wanted, spread):
    scale = noise_scale.sharp_scale(eta_wanted, spread)
    assert noise_scale.sharp_eta(scale, spread) == pytest.approx(eta_wanted, rel=1e-12)


@given(eta_wanted=ETAS, moment=st.floats(2.0, 50.0))
def test_the_sharp_scale_is_the_least(eta_wanted, moment):
    """The mean spread is at most the M-th root of the M-th moment."""
    sharp = noise_scale.sharp_scale(eta_wanted)
    fourteen = noise_scale.corollary_14_scale(eta_wanted, 1.0, moment)
    assert sharp < fourteen < noise_scale.theorem_9_scale(eta_wanted, 1.0, moment)


@each("eps giving eta")
def test_epsilon_for_eta(row: Reference):
    assert epsilon_for_eta(row.number("eta")) == pytest.approx(row.expected, rel=ROUNDING)


@each("Fig1 DP noise scale")
def test_private_scale(row: Reference):
    found = noise_scale.private_scale(row.number("eta"), worst_case_data.sensitivity(row.count("n")))
    assert found == pytest.approx(row.expected, rel=ROUNDING)


@each("Fig1 crossing eta")
def test_crossing(row: Reference):
    found = noise_scale.crossing(worst_case_data.sensitivity(row.count("n")), row.number("sigma"))
    assert found == pytest.approx(row.expected, rel=1e-10)


def test_differential_privacy_always_needs_less_for_a_small_sensitivity():
    assert noise_scale.crossing(worst_case_data.sensitivity(8)) is None


@pytest.mark.parametrize("call", [noise_scale.theorem_9_scale, noise_scale.corollary_14_scale])
def test_moments_too_small_are_refused(call):
    with pytest.raises(ValueError, match="moment must be at least"):
        call(0.1, 1.0, 0.5)


def test_no_scale_makes_a_release_perfectly_private():
    with pytest.raises(ValueError, match="eta must be positive"):
        noise_scale.private_scale(0.0, 1.0)


# --- halves of a data set, enumerated


def test_halves_are_all_different_and_balanced():
    inside = halves(6)
    assert inside.shape == (20, 6)
    assert len({tuple(row) for row in inside}) == 20
    assert np.all(inside.sum(axis=1) == 3)
    assert np.all(inside.sum(axis=0) == 10)


@pytest.mark.parametrize("bad", [0, 3, 22])
def test_pools_that_have_no_halves_or_too_many_are_refused(bad):
    with pytest.raises(ValueError, match="records must be an even number"):
        halves(bad)


@each("exact Laplace scale for theta=+-1")
def test_two_records_by_enumeration(row: Reference):
    """At the exact scale the enumerated eta is the one wanted; the sharp bound is above, within a few per cent."""
    pair = HalfReleases.of(np.array([-1.0, 1.0]), first_of_pair)
    assert pair.eta(row.expected) == pytest.approx(row.number("eta"), rel=ROUNDING)
    assert row.number("eta") <= noise_scale.sharp_eta(row.expected, pair.spread(1.0)) < 1.2 * row.number("eta")


def quadrature_etas(releases: HalfReleases, scale: float) -> np.ndarray:
    """Eta of each record by the trapezoidal rule on the densities themselves."""
    theta = releases.statistics
    x = np.linspace(theta[0] - 40 * scale, theta[-1] + 40 * scale, 400_001)
    difference = np.zeros((releases.inside.shape[1], len(x)))
    for value, row in zip(theta, releases.inside, strict=True):
        density = np.exp(-np.abs(x - value) / scale) / (2 * scale)
        difference += np.where(row, 2.0, -2.0)[:, None] / len(theta) * density
    return np.trapezoid(np.abs(difference), x, axis=1) / 4


@pytest.mark.parametrize("scale", [0.05, 0.5, 5.0])
def test_enumerated_eta_against_quadrature(scale):
    data = np.array([0.0, 0.3, 1.0, 1.0, 2.5, 7.0])
    releases = HalfReleases.of(data, mean_of_half)
    grid_error = 1e-6
    assert releases.etas(scale) == pytest.approx(quadrature_etas(releases, scale), abs=grid_error)


@settings(max_examples=40)
@given(
    data=st.lists(st.floats(-100.0, 100.0), min_size=2, max_size=8).filter(lambda x: len(x) % 2 == 0),
    scale=log_uniform(1e-3, 1e4),
)
def test_the_sharp_bound_holds_for_every_enumerated_release(data, scale):
    releases = HalfReleases.of(np.array(data), mean_of_half)
    found = releases.etas(scale)
    assert np.all(found >= 0.0)
    assert np.max(found) <= min(noise_scale.sharp_eta(scale, releases.spread(1.0)), 0.5) + ROUNDING


def test_noise_far_below_every_gap_hides_nobody():
    data = np.array([1.0, 2.0, 4.0, 8.0, 16.0, 32.0])
    assert HalfReleases.of(data, mean_of_half).eta(1e-4) == pytest.approx(0.5, rel=ROUNDING)


def test_enumerated_eta_against_a_simulated_attack():
    """Accuracy of the best attacker on 200,000 draws of half and noise."""
    releases, scale, draws = HalfReleases.of(np.array([0.0, 1.0, 2.0, 5.0]), mean_of_half), 0.7, 200_000
    generator = np.random.default_rng(7)
    half = generator.integers(len(releases.statistics), size=draws)
    x = releases.statistics[half] + generator.laplace(0.0, scale, draws)
    density = np.exp(-np.abs(x[:, None] - releases.statistics) / scale)
    guess = density @ np.where(releases.inside, 1.0, -1.0) > 0.0
    accuracy = np.mean(guess == releases.inside[half], axis=0)
    assert accuracy - 0.5 == pytest.approx(releases.etas(scale), abs=SIGMAS * 0.5 / np.sqrt(draws))


# --- the data set of Proposition 11


@each("Prop 11 special element")
def test_special_element(row: Reference):
    assert worst_case_data.special_element(row.count("n")) == pytest.approx(row.expected, rel=ROUNDING)


@each("Prop 11 Delta exact")
def test_sensitivity(row: Reference):
    assert worst_case_data.sensitivity(row.count("n")) == pytest.approx(row.expected, rel=ROUNDING)


@each("Prop 11 mean")
def test_mean_of_halves(row: Reference):
    assert worst_case_data.releases(row.count("n")).mean == pytest.approx(row.expected, rel=CANCELLATION)


@each("Prop 11 sigma^2")
def test_spread_of_halves(row: Reference):
    spread = worst_case_data.releases(row.count("n")).spread(2.0)
    assert spread**2 == pytest.approx(row.expected, rel=CANCELLATION)


@each("Prop 11 E|theta")
def test_mean_spread_of_halves(row: Reference):
    assert worst_case_data.releases(row.count("n")).spread(1.0) == pytest.approx(row.expected, rel=CANCELLATION)


def test_sensitivity_by_brute_force():
    """Over all pairs of halves of 8 records that differ in one."""
    releases = worst_case_data.releases(8)
    shared = releases.inside.astype(int) @ releases.inside.T.astype(int)
    change = np.abs(releases.statistics[:, None] - releases.statistics)
    assert np.max(change[shared == 3]) == pytest.approx(worst_case_data.sensitivity(8), rel=CANCELLATION)


def test_twenty_records_need_a_million_times_less_noise_than_the_paper_uses():
    """Correction 32's own example: b = .233 against 379,456 for eta = .01."""
    releases = worst_case_data.releases(20)
    scale = noise_scale.sharp_scale(0.01, releases.spread(1.0))
    assert scale == pytest.approx(0.233, abs=5e-4)
    assert noise_scale.corollary_14_scale(0.01) == pytest.approx(379456.0)
    assert 0.0 < releases.eta(scale) <= 0.01


@pytest.mark.parametrize("bad", [2, 7, 62])
def test_sizes_of_the_data_set_are_checked(bad):
    with pytest.raises(ValueError, match="records must be an even number"):
        worst_case_data.worst_case_data(bad)


# --- the sampler


@each(prefix="cor10_tail")
def test_tail_of_the_norm(row: Reference):
    noise = NormNoise(1.0, (1.0,) * row.count("d"))
    assert noise.tail(row.number("t")) == pytest.approx(row.expected, rel=ROUNDING)


@each(prefix="NEG_cor10_tail", role="negative")
def test_tail_is_not_that_of_a_laplace_radius(row: Reference):
    assert NormNoise(1.0, (1.0,) * row.count("d")).tail(row.number("t")) > 2.0 * row.expected


@each(prefix="cor10_median")
def test_median_of_the_norm(row: Reference):
    assert NormNoise(2.0, (1.0,) * row.count("d")).median_norm == pytest.approx(2.0 * row.expected, rel=1e-12)


@each("E|Y| for GenNormal")
def test_generalised_normal(row: Reference):
    draws = np.abs(generalised_normal(row.number("M"), (200_000,), np.random.default_rng(3)))
    assert np.mean(draws) == pytest.approx(row.expected, abs=SIGMAS * np.std(draws) / np.sqrt(len(draws)))


@each("E sum |Y_i/sigma_i|^M")
def test_generalised_normal_moment(row: Reference):
    moment = row.number("M")
    sums = np.sum(np.abs(generalised_normal(moment, (100_000, row.count("d")), np.random.default_rng(4))) ** moment, 1)
    assert np.mean(sums) == pytest.approx(row.expected, abs=SIGMAS * np.std(sums) / np.sqrt(len(sums)))


@settings(max_examples=15)
@given(
    spreads=st.lists(log_uniform(0.1, 10.0), min_size=1, max_size=30),
    moment=st.floats(1.0, 60.0),
    scale=log_uniform(1e-3, 1e3),
)
def test_the_norm_of_a_draw_is_gamma_distributed(spreads, moment, scale):
    noise = NormNoise(scale, tuple(spreads), moment)
    norms = noise.norm(noise.draw(np.random.default_rng(5), 4000))
    dimension = len(spreads)
    assert np.mean(norms) == pytest.approx(noise.mean_norm, rel=SIGMAS / np.sqrt(4000 * dimension))
    assert noise.mean_norm == dimension * scale
    assert kstest(norms, "gamma", args=(dimension, 0.0, scale)).pvalue > 1e-6


def test_directions_follow_the_cone_measure():
    """Share of |x1| < |x2| tan(pi/8) with M = 4 in two dimensions: .2228 by area under the curve, .2345 by its arc."""
    draws = NormNoise(1.0, (1.0, 1.0), 4.0).draw(np.random.default_rng(6), 400_000)
    angle = np.arctan2(np.abs(draws[:, 1]), np.abs(draws[:, 0]))
    share = np.mean(angle < np.pi / 8)
    # area of the sector of the unit ball: integral of r^2/2 with r^-4 = cos^4 + sin^4
    grid = (np.arange(200_000) + 0.5) / 200_000 * np.pi / 2
    area = 1.0 / np.sqrt(np.cos(grid) ** 4 + np.sin(grid) ** 4)
    known = np.sum(area[grid < np.pi / 8]) / np.sum(area)
    assert share == pytest.approx(known, abs=SIGMAS * 0.42 / np.sqrt(400_000))
    assert known == pytest.approx(0.2228, abs=1e-4)


def test_a_laplace_radius_would_break_the_promise_that_the_gamma_radius_keeps():
    """Two records +-(1, ..., 1) in 20 dimensions, claimed eta .1 with M = 50 (correction 33)."""
    dimension, moment, draws = 20, 50.0, 40_000
    centre = np.ones(dimension)
    spread = dimension ** (1 / moment)  # of ||theta|| in this norm
    scale = noise_scale.theorem_9_scale(0.1, spread, moment)
    noise = NormNoise(scale, (1.0,) * dimension, moment)
    x = noise.draw(np.random.default_rng(8), draws)
    short = x * (np.abs(np.random.default_rng(10).laplace(0.0, scale, draws)) / noise.norm(x))[:, None]

    def accuracy(drawn: np.ndarray) -> float:
        return float(np.mean(noise.norm(drawn) < noise.norm(drawn + 2 * centre)))

    assert accuracy(x) - 0.5 <= noise_scale.sharp_eta(scale, spread) + SIGMAS * 0.5 / np.sqrt(draws)
    assert accuracy(short) - 0.5 > 0.1 + SIGMAS * 0.5 / np.sqrt(draws)


def test_odd_moments_of_spreads_use_absolute_values():
    skewed = -np.random.default_rng(9).exponential(size=(5000, 2))
    spreads = coordinate_spreads(skewed, 3.0)
    assert np.all(spreads > 1.2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, (1.0,)), "scale must be positive"),
        ((1.0, ()), "spreads must not be empty"),
        ((1.0, (1.0, -1.0)), "spread must be positive"),
        ((1.0, (1.0,), 0.5), "moment must be finite and at least 1"),
    ],
)
def test_parameters_of_the_noise_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        NormNoise(*arguments)
