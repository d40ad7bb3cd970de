"""Exact eta of small releases by enumeration, and the data set of Proposition 11 (paper 002)."""

import numpy as np
import pytest

from numerics.membership import (
    noise_scale,
    worst_case_data,
)
from numerics.membership.halves import HalfReleases, halves
from numerics.membership.one_swap import OneSwap, SwapNoise, scale_of_spread
from tests.reference import Reference, each

ROUNDING = 1e-13
# 1 / sum of doubles of which the largest is 2^18: the tiny sum 1 / 430 loses six digits
CANCELLATION = 1e-9
SIGMAS = 4.5  # of a simulation; one in 150,000 runs with another seed would fail


def mean_of_half(members):
    return np.mean(members, axis=1)


def first_of_pair(members):
    return members[:, 0]


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
    """At the exact scale the enumerated eta is the one wanted, and the one-swap bound is the same: all swaps alike."""
    pair = HalfReleases.of(np.array([-1.0, 1.0]), first_of_pair)
    assert pair.eta(row.expected) == pytest.approx(row.number("eta"), rel=ROUNDING)
    swap = OneSwap.of_halves(pair.inside, pair.statistics, SwapNoise.LAPLACE)
    assert swap.eta(row.expected) == pytest.approx(row.number("eta"), rel=ROUNDING)


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
    """In this case: .000272 by the one-swap bound, .233 by the mean spread alone, 379,456 by the paper; eta .01."""
    releases = worst_case_data.releases(20)
    swap = OneSwap.of_halves(releases.inside, releases.statistics, SwapNoise.LAPLACE)
    scale = swap.scale_for(0.01)
    assert scale == pytest.approx(0.000272, abs=5e-7)
    assert scale_of_spread(0.01, releases.spread(1.0)) == pytest.approx(0.233, abs=5e-4)
    assert noise_scale.corollary_14_scale(0.01) == pytest.approx(379456.0)
    assert 0.0 < releases.eta(scale) <= 0.01


@pytest.mark.parametrize("records", [4, 6, 8])
@pytest.mark.parametrize("goal", [1e-9, 0.01, 0.05, 0.1, 0.2, 0.3, 0.49])
def test_least_noise_of_one_record_apart_from_all_others(records, goal):
    """Two releases, with it and without it: their distance d asks for d / (2 log 1/(1 - 2 eta)), which is tight."""
    for last in (0.9, 27.6, 63.7, 1e100):
        release = HalfReleases.of(np.append(np.zeros(records - 1), last), lambda members: members.mean(axis=1))
        exact = 2.0 * last / records / (-2.0 * np.log1p(-2.0 * goal))
        assert release.scale_for(goal) == pytest.approx(exact, rel=1e-5)


@pytest.mark.parametrize(
    "release",
    [
        HalfReleases.of(np.array([0.0, 1e300]), np.ravel),
        OneSwap.of_mean(np.array([0.0, 1e300]), SwapNoise.LAPLACE),
    ],
)
def test_noise_too_large_for_a_number_is_refused(release):
    """And not sought for ever, nor said to be none."""
    with pytest.raises(ValueError, match="the noise that is enough must be positive and finite, got inf"):
        release.scale_for(1e-9)


@pytest.mark.parametrize("bad", [2, 7, 62])
def test_sizes_of_the_data_set_are_checked(bad):
    with pytest.raises(ValueError, match="records must be an even number"):
        worst_case_data.worst_case_data(bad)
