"""Noise scales for membership privacy, and the sampler of such noise (paper 002)."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kstest

from numerics.membership import (
    epsilon_for_eta,
    noise_scale,
    worst_case_data,
)
from numerics.membership.one_swap import eta_of_spread, scale_of_spread
from numerics.membership.sampler import NormNoise, generalised_normal
from tests.reference import Reference, each
from tests.strategies import log_uniform

ROUNDING = 1e-13
SIGMAS = 4.5  # of a simulation; one in 150,000 runs with another seed would fail


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
def test_noise_from_the_spread_is_no_more_than_by_the_former_bound(row: Reference):
    """That had tanh(spread / 2b) where now half of tanh(spread / b) stands."""
    assert scale_of_spread(row.number("eta"), 1.0) < row.expected


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
    assert NormNoise(2.0, (1.0,) * row.count("d")).tail(2.0 * row.expected) == pytest.approx(0.5, rel=1e-12)


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
    assert np.mean(norms) == pytest.approx(dimension * scale, rel=SIGMAS / np.sqrt(4000 * dimension))
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

    assert accuracy(x) - 0.5 <= eta_of_spread(scale, spread) + SIGMAS * 0.5 / np.sqrt(draws)
    assert accuracy(short) - 0.5 > 0.1 + SIGMAS * 0.5 / np.sqrt(draws)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0.0, (1.0,)), "scale must be positive"),
        ((1.0, ()), "spreads must not be empty"),
        ((1.0, (1.0, -1.0)), r"spreads\[1\] must be positive"),
        ((1.0, (1.0,), 0.5), "moment must be finite and at least 1"),
    ],
)
def test_parameters_of_the_noise_are_checked(arguments, message):
    with pytest.raises(ValueError, match=message):
        NormNoise(*arguments)
