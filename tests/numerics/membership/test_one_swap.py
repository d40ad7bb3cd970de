"""The one-swap bound: its oracles, and its laws against enumeration of all halves with quadrature over the noise."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.membership import noise_scale, worst_case_data
from numerics.membership.halves import HalfReleases, halves, subsets
from numerics.membership.one_swap import OneSwap, SwapNoise, eta_of_spread, scale_of_spread
from numerics.trade_off import Bound, alpha_grid
from tests import ROOT
from tests.strategies import log_uniform

ROUNDING = 1e-12
QUADRATURE = 2e-6
LATTICE = 2e-5  # the width of the bracket under Gaussian noise
LAPLACE, NORM, GAUSSIAN = SwapNoise
ORACLES = json.loads((ROOT / "tests" / "reference_values_swap.json").read_text())
*ONE_RELEASE, TWO_RELEASES = ORACLES["rows"]
DATA = np.array(ORACLES["data"])
POOLS = st.sampled_from([2, 4, 6]).flatmap(lambda size: st.lists(st.floats(-10.0, 10.0), min_size=size, max_size=size))
STATISTICS = st.sampled_from([np.mean, np.median, np.max, np.std])


def released(data, statistic=np.mean):
    """A statistic of every half, and which records each half holds."""
    found = HalfReleases.of(np.array(data), lambda members: statistic(members, axis=1))
    return found.statistics, found.inside


def laws(values, inside, record, noise, scale):
    """Masses with and without the record on a grid whose cells end where a Laplace density bends; in one dimension
    the noise of a norm is Laplace's.
    """
    step = scale / 400.0
    x = np.unique(np.concatenate([values, np.arange(values.min() - 18 * scale, values.max() + 18 * scale, step)]))
    u = (x - values[:, None]) / scale
    density = np.exp(-0.5 * u**2) / np.sqrt(2.0 * np.pi) if noise is GAUSSIAN else 0.5 * np.exp(-np.abs(u))
    weight = np.gradient(x) / scale
    weight[[0, -1]] *= 0.5
    return (density[inside[:, record]] * weight).mean(axis=0), (density[~inside[:, record]] * weight).mean(axis=0)


def exact_delta(values, inside, record, noise, scale, epsilon=0.0):
    with_it, without = laws(values, inside, record, noise, scale)
    return max(np.maximum(p - np.exp(epsilon) * q, 0.0).sum() for p, q in ((with_it, without), (without, with_it)))


@pytest.mark.parametrize("row", ONE_RELEASE, ids=str)
def test_bound_and_exact_value_of_a_mean(row):
    noise, scale, record, epsilon = SwapNoise[row["kind"].upper()], row["scale"], row["record"], float(row["epsilon"])
    values, inside = released(DATA)
    for bound in (OneSwap.of_mean(DATA, noise, scale), OneSwap.of_halves(inside, values, noise, scale)):
        assert bound.delta(record, epsilon) == pytest.approx(row["delta_swap"], rel=ROUNDING)
    exact = exact_delta(values, inside, record, noise, scale, epsilon)
    assert exact == pytest.approx(row["delta_exact"], abs=QUADRATURE)
    assert exact <= row["delta_swap"]
    if noise is GAUSSIAN and epsilon == 0.0:
        low, high = HalfReleases(values, inside).gaussian_etas(scale)
        assert low[record] <= 0.5 * row["delta_exact"] <= high[record] < low[record] + LATTICE


@pytest.mark.parametrize(("records", "eta"), [(4, 0.2), (8, 0.01), (12, 0.1)])
def test_the_least_gaussian_noise_for_an_eta_is_enough_and_hardly_more(records, eta):
    """By quadrature, which shares no code; with hardly any noise eta is that of the statistic itself, by counting."""
    data = np.random.default_rng(records).normal(size=records)
    values, inside = released(data, np.median)
    releases = HalfReleases(values, inside)
    scale = releases.gaussian_scale_for(eta)
    worst = int(np.argmax(releases.gaussian_etas(scale)[0]))
    exact = 0.5 * exact_delta(values, inside, worst, GAUSSIAN, scale)
    assert exact == pytest.approx(eta, abs=LATTICE)
    assert exact <= eta + QUADRATURE / 10.0
    each = [values == one for one in np.unique(values)]
    bare = sum(np.abs(np.where(inside, 0.5, -0.5)[one].sum(axis=0)) for one in each) / len(values)
    assert np.array(releases.gaussian_etas(1e-9)) == pytest.approx(np.tile(bare, (2, 1)), abs=LATTICE)


def test_two_releases_of_one_half():
    row, medians = TWO_RELEASES, np.array([np.median(DATA[half]) for half in halves(6)])
    first = OneSwap.of_mean(DATA, GAUSSIAN, row["scale"][0])
    second = OneSwap.of_halves(halves(6), medians, GAUSSIAN, row["scale"][1])
    for both in (first.then(second), second.then(first)):
        assert both.advantages()[row["record"]] == pytest.approx(row["tv_swap"], rel=ROUNDING)
    assert row["tv_exact"] <= row["tv_swap"]


@settings(max_examples=12)
@given(POOLS, STATISTICS, st.sampled_from(SwapNoise), log_uniform(0.03, 30.0), log_uniform(1e-9, 0.4999))
def test_between_the_exact_value_and_every_coarser_bound(data, statistic, noise, scale, goal):
    """Of every record: exact by enumeration, this bound; and the largest swap, twice the distance from the centre.

    Noise for a wanted eta reaches it and hardly more.
    """
    values, inside = released(data, statistic)
    bound = OneSwap.of_halves(inside, values, noise)
    found, room = bound.etas(scale), 1.0 + ROUNDING
    for record, eta in enumerate(found):
        assert exact_delta(values, inside, record, noise, scale) <= 2.0 * eta + QUADRATURE
    spread = float(np.mean(np.abs(values - values.mean())))
    neighbours = inside.astype(int) @ (~inside).T.astype(int) == 1
    widest = float(np.max(np.abs(values[:, None] - values)[neighbours]))
    assert bound.eta(scale) == np.max(found) <= eta_of_spread(scale, spread, noise) * room
    assert np.max(found) <= min(0.5 * float(noise.advantage(np.array(widest / scale))), 0.5) * room
    if noise is not GAUSSIAN:  # both are about densities that fall like e^(-distance / b)
        assert np.max(found) <= np.tanh(0.5 * spread / scale) * room
        assert np.max(found) <= 0.5 * np.tanh(0.5 * widest / scale) * room
    assert np.all(bound.etas(2.0 * scale) <= found * room)
    assert found == pytest.approx(OneSwap.of_halves(inside, values, noise, scale).etas(), rel=ROUNDING)
    least = bound.scale_for(goal)
    if least == 0.0:  # without any noise the swaps that can be seen are too few, or there are none
        assert max(np.mean(bound.sizes(record) > 0.0) for record in range(len(found))) <= 2.0 * goal
    else:
        assert bound.eta(least) <= goal < bound.eta(least * (1.0 - 1e-6))


@pytest.mark.parametrize(("records", "drawn"), [(5, 2), (6, 4)])
def test_total_variation_is_bounded_for_any_number_drawn(records, drawn):
    data, inside = DATA[:records], subsets(records, drawn)
    values = inside @ data / drawn
    for noise in (LAPLACE, GAUSSIAN):
        bound = OneSwap.of_mean(data, noise, 0.3, drawn=drawn)
        enumerated = OneSwap.of_halves(inside, values, noise, 0.3)
        assert bound.advantages() == pytest.approx(enumerated.advantages(), rel=ROUNDING)
        for record, found in enumerate(bound.advantages()):
            assert exact_delta(values, inside, record, noise, 0.3) <= found + QUADRATURE


@pytest.mark.parametrize("noise", SwapNoise)
@pytest.mark.parametrize(("scale", "record"), [(0.05, 0), (0.3, 5)])
def test_the_curve_is_the_conjugate_of_the_profile_and_no_attack_beats_it(noise, scale, record):
    """No line of the profile lies above it, and it touches the highest of them: convex, and its own inverse."""
    bound, alpha = OneSwap.of_mean(DATA, noise), alpha_grid(20, 1e-6)
    curve = bound.trade_off(record, alpha, scale)
    kinks = np.unique(bound.sizes(record)) / scale
    slopes = np.concatenate((np.linspace(0.0, 14.0, 1000), kinks[kinks < 60.0]))
    deltas = np.array([bound.delta(record, epsilon, scale) for epsilon in slopes])[:, None]
    steep, flat = 1.0 - deltas - np.exp(slopes)[:, None] * alpha, np.exp(-slopes)[:, None] * (1.0 - deltas - alpha)
    highest = np.maximum(np.maximum(steep, flat).max(axis=0), 0.0)
    assert np.all(curve.beta >= highest - 1e-9)
    assert curve.beta[1:] == pytest.approx(highest[1:], abs=2e-4)  # a line between two of 1,000 slopes
    assert curve.beta + curve.power == pytest.approx(np.ones(20), abs=1e-9)
    assert (curve.bound, curve.beta[0], curve.power[0]) == (Bound.LOWER, 1.0, 0.0)
    values, inside = released(DATA, np.std)
    with_it, without = laws(values, inside, record, noise, scale)
    for p, q in ((with_it, without), (without, with_it)):
        order = np.argsort(-p / np.maximum(q, 1e-300))
        false, found = np.cumsum(q[order]), np.cumsum(p[order])
        at = np.searchsorted(false, [0.001, 0.01, 0.1, 0.3, 0.5, 0.9])
        allowed = OneSwap.of_halves(inside, values, noise).trade_off(record, np.minimum(false[at], 1.0), scale)
        assert np.all(found[at] <= allowed.power + QUADRATURE)


@settings(max_examples=15)
@given(log_uniform(1e-6, 0.499), log_uniform(1e-3, 1e3), st.sampled_from(SwapNoise), st.floats(2.0, 50.0))
def test_noise_from_the_spread_inverts_its_eta_and_is_less_than_the_papers(goal, spread, noise, moment):
    """The mean distance is at most the root of the moment of any order."""
    scale = scale_of_spread(goal, spread, noise)
    assert eta_of_spread(scale, spread, noise) == pytest.approx(goal, rel=1e-9)
    fourteen = noise_scale.corollary_14_scale(goal, spread, moment)
    assert scale < fourteen < noise_scale.theorem_9_scale(goal, spread, moment)


@pytest.mark.nightly
def test_twenty_records_need_a_million_times_less_noise_than_the_paper_uses():
    """In this case: .000272 by the one-swap bound, .233 by the mean spread alone, 379,456 by the paper; eta .01."""
    releases = worst_case_data.releases(20)
    scale = OneSwap.of_halves(releases.inside, releases.statistics, LAPLACE).scale_for(0.01)
    assert scale == pytest.approx(0.000272, abs=5e-7)
    assert scale_of_spread(0.01, releases.spread(1.0)) == pytest.approx(0.233, abs=5e-4)
    assert noise_scale.corollary_14_scale(0.01) == pytest.approx(379456.0)
    assert 0.0 < releases.eta(scale) <= 0.01
