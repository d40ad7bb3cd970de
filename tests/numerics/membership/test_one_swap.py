"""The one-swap bound: its oracles, and its laws against enumeration of all halves with quadrature over the noise."""

import json
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.membership import noise_scale
from numerics.membership.halves import HalfReleases, halves, subsets
from numerics.membership.noise_scale import private_scale
from numerics.membership.one_swap import OneSwap, SwapNoise, eta_of_spread, scale_of_spread
from numerics.trade_off import Bound, Floats, alpha_grid
from tests import ROOT
from tests.strategies import log_uniform

ROUNDING = 1e-12
QUADRATURE = 2e-6  # one dimension
PLANE = 2e-3  # two dimensions
LAPLACE, NORM, GAUSSIAN = SwapNoise
ORACLES = json.loads((ROOT / "tests" / "reference_values_swap.json").read_text())
DATA = np.array(ORACLES["data"])
KINDS = {"laplace": LAPLACE, "gaussian": GAUSSIAN}
STATISTICS: dict[str, Callable[[Floats], Floats]] = {
    "mean": lambda members: members.mean(axis=1),
    "median": lambda members: np.median(members, axis=1),
    "largest": lambda members: members.max(axis=1),
    "spread": lambda members: members.std(axis=1),
}
POOLS = st.lists(st.floats(-10.0, 10.0), min_size=2, max_size=6).filter(lambda x: len(x) % 2 == 0).map(np.array)


def members_of(data: Floats, inside: np.ndarray) -> Floats:
    return data[np.nonzero(inside)[1].reshape(len(inside), -1)]


def of_statistic(data: Floats, statistic: str, noise: SwapNoise, scale: float = 1.0) -> OneSwap:
    inside = halves(len(data))
    return OneSwap.of_halves(inside, STATISTICS[statistic](members_of(data, inside)), noise, scale)


def density(noise: SwapNoise, x: Floats, scale: float) -> Floats:
    """In one dimension; there the noise of a norm is Laplace's."""
    if noise is GAUSSIAN:
        return np.asarray(np.exp(-0.5 * (x / scale) ** 2) / (scale * np.sqrt(2.0 * np.pi)))
    return np.asarray(np.exp(-np.abs(x) / scale) / (2.0 * scale))


def laws(values: Floats, inside: np.ndarray, record: int, noise: SwapNoise, scale: float) -> tuple[Floats, ...]:
    """Masses with and without the record on a grid whose cells end where a Laplace density bends."""
    step = scale / 400.0
    x = np.unique(np.concatenate([values, np.arange(values.min() - 18 * scale, values.max() + 18 * scale, step)]))
    weight = np.gradient(x)
    weight[[0, -1]] *= 0.5
    each = density(noise, x - values[:, None], scale) * weight
    return each[inside[:, record]].mean(axis=0), each[~inside[:, record]].mean(axis=0)


def exact_delta(values: Floats, inside: np.ndarray, record: int, noise: SwapNoise, scale: float, epsilon: float):
    with_it, without = laws(values, inside, record, noise, scale)
    return max(np.maximum(p - np.exp(epsilon) * q, 0.0).sum() for p, q in ((with_it, without), (without, with_it)))


# --- oracles


@pytest.mark.parametrize("row", [row for row in ORACLES["rows"] if row["kind"] in KINDS], ids=str)
def test_bound_and_exact_value_of_a_mean(row):
    noise, scale, record, epsilon = KINDS[row["kind"]], row["scale"], row["record"], float(row["epsilon"])
    values, inside = STATISTICS["mean"](members_of(DATA, halves(6))), halves(6)
    for bound in (OneSwap.of_mean(DATA, noise, scale), OneSwap.of_halves(inside, values, noise, scale)):
        assert bound.delta(record, epsilon) == pytest.approx(row["delta_swap"], rel=ROUNDING)
    exact = exact_delta(values, inside, record, noise, scale, epsilon)
    assert exact == pytest.approx(row["delta_exact"], abs=QUADRATURE)
    assert exact <= row["delta_swap"]


def test_two_releases_of_one_half():
    (row,) = (row for row in ORACLES["rows"] if "two releases" in row["kind"])
    inside, first = halves(6), OneSwap.of_mean(DATA, GAUSSIAN, row["scale"][0])
    second = of_statistic(DATA, "median", GAUSSIAN, row["scale"][1])
    for both in (first.then(second), second.then(first)):
        assert both.advantages()[row["record"]] == pytest.approx(row["tv_swap"], rel=ROUNDING)
    pairs = [
        STATISTICS[name](members_of(DATA, inside)) / s for name, s in zip(("mean", "median"), row["scale"], strict=True)
    ]
    exact = plane_advantage(np.stack(pairs, axis=1), inside, row["record"], GAUSSIAN)
    assert exact == pytest.approx(row["tv_exact"], abs=PLANE)
    assert exact <= row["tv_swap"]


@pytest.mark.parametrize(("noise", "place"), [(NORM, 0), (LAPLACE, 1)])
def test_noise_that_two_records_take(noise, place):
    row = ORACLES["noise_for_eta"][place]
    assert OneSwap.of_mean(np.array([-1.0, 1.0]), noise).scale_for(0.01) == pytest.approx(row["scale"], rel=ROUNDING)


@pytest.mark.parametrize(("records", "scale", "by_range"), [(100, 0.265, 0.481), (1000, 0.0380, 0.0728)])
def test_normal_records_take_less_than_by_their_range(records, scale, by_range):
    """Worked apart: 10, 100 and 1,000 normal numbers of one generator, eta .05, tanh(t/2b)."""
    generator = np.random.default_rng(1)
    data = {size: generator.standard_normal(size) for size in (10, 100, 1000)}[records]
    assert OneSwap.of_mean(data, NORM).scale_for(0.05) == pytest.approx(scale, rel=2e-3)
    assert private_scale(0.05, np.ptp(data) / (records // 2)) == pytest.approx(by_range, rel=2e-3)


# --- laws


@settings(max_examples=60, deadline=None)
@given(POOLS, st.sampled_from(sorted(STATISTICS)), st.sampled_from(SwapNoise), log_uniform(0.03, 30.0))
def test_between_the_exact_value_and_every_coarser_bound(data, statistic, noise, scale):
    """Of every record: exact by enumeration, this bound; and the largest swap, twice the distance from the centre."""
    inside = halves(len(data))
    values = STATISTICS[statistic](members_of(data, inside))
    found = OneSwap.of_halves(inside, values, noise).etas(scale)
    for record, eta in enumerate(found):
        assert exact_delta(values, inside, record, noise, scale, 0.0) <= 2.0 * eta + QUADRATURE
    spread, widest = float(np.mean(np.abs(values - values.mean()))), swaps(inside, values)
    former = np.tanh(0.5 * spread / scale)
    assert np.max(found) <= eta_of_spread(scale, spread, noise) * (1 + ROUNDING)
    assert np.max(found) <= min(0.5 * float(noise.advantage(np.array(widest / scale))), 0.5) * (1 + ROUNDING)
    if noise is not GAUSSIAN:  # both are about densities that fall like e^(-distance / b)
        assert np.max(found) <= former * (1 + ROUNDING)
        assert np.max(found) <= 0.5 * np.tanh(0.5 * widest / scale) * (1 + ROUNDING)


def swaps(inside: np.ndarray, values: Floats) -> float:
    """The largest change by one replaced record, over all pairs of subsets."""
    one = inside.astype(int) @ (~inside).T.astype(int) == 1
    return float(np.max(np.abs(values[:, None] - values)[one]))


def plane_advantage(values: Floats, inside: np.ndarray, record: int, noise: SwapNoise) -> float:
    """Total variation in two dimensions, scale 1, on a grid of the plane."""
    reach = 7.0 if noise is GAUSSIAN else 14.0
    axes = [np.linspace(low - reach, high + reach, 401) for low, high in zip(values.min(0), values.max(0), strict=True)]
    area = np.prod([axis[1] - axis[0] for axis in axes])
    laws = []
    for side in (inside[:, record], ~inside[:, record]):
        law = np.zeros((401, 401))
        for x, y in values[side]:
            first, second = (axes[0] - x)[:, None], axes[1] - y
            if noise is GAUSSIAN:
                law += np.exp(-0.5 * first**2) * np.exp(-0.5 * second**2) / (2.0 * np.pi)
            elif noise is LAPLACE:  # of its own in each coordinate
                law += 0.25 * np.exp(-np.abs(first)) * np.exp(-np.abs(second))
            else:
                law += np.exp(-np.hypot(first, second)) / (2.0 * np.pi)
        laws.append(law / side.sum())
    return float(0.5 * np.abs(laws[0] - laws[1]).sum() * area)


@pytest.mark.parametrize("noise", [NORM, GAUSSIAN])
@pytest.mark.parametrize("seed", range(3))
def test_means_of_vectors(noise, seed):
    data = 3.0 * np.random.default_rng(seed).standard_normal((4, 2))
    inside = halves(4)
    values = members_of(data, inside).mean(axis=1)
    bound = OneSwap.of_mean(data, noise)
    assert bound.etas() == pytest.approx(OneSwap.of_halves(inside, values, noise).etas(), rel=ROUNDING)
    for record, eta in enumerate(bound.etas()):
        assert plane_advantage(values, inside, record, noise) <= 2.0 * eta + PLANE


@pytest.mark.parametrize("noise", [LAPLACE, GAUSSIAN])
@pytest.mark.parametrize("seed", range(3))
def test_several_statistics_of_one_half(noise, seed):
    data = 2.0 * np.random.default_rng(seed).standard_normal(4)
    inside = halves(4)
    values = np.stack([STATISTICS[name](members_of(data, inside)) for name in ("mean", "largest")], axis=1)
    first, second = (OneSwap.of_halves(inside, column, noise) for column in values.T)
    both = first.then(second)
    for record, found in enumerate(both.advantages()):
        assert plane_advantage(values, inside, record, noise) <= found + PLANE
    assert np.all(both.etas() >= np.maximum(first.etas(), second.etas()))
    if noise is GAUSSIAN:  # one vector, whose noise has the same scale everywhere
        assert both.etas() == pytest.approx(OneSwap.of_halves(inside, values, noise).etas(), rel=ROUNDING)


def test_noise_of_another_norm():
    """Sum of absolute values: two numbers with Laplace noise of their own."""
    data = np.array([[0.0, 1.0], [2.0, -1.0], [0.5, 0.5], [-3.0, 1.0]])
    columns = [OneSwap.of_mean(column, NORM) for column in data.T]
    summed = OneSwap.of_mean(data, NORM, norm=lambda rows: np.abs(rows).sum(axis=-1))
    assert columns[0].then(columns[1]).etas() == pytest.approx(summed.etas(), rel=ROUNDING)


@pytest.mark.parametrize(("records", "drawn"), [(5, 2), (5, 3), (6, 1), (6, 4)])
@pytest.mark.parametrize("noise", [LAPLACE, GAUSSIAN])
def test_total_variation_is_bounded_for_any_number_drawn_but_eta_is_refused(records, drawn, noise):
    data, inside = DATA[:records], subsets(records, drawn)
    values = STATISTICS["mean"](members_of(data, inside))
    bound = OneSwap.of_mean(data, noise, 0.3, drawn=drawn)
    assert bound.advantages() == pytest.approx(OneSwap.of_halves(inside, values, noise, 0.3).advantages(), rel=ROUNDING)
    for record, found in enumerate(bound.advantages()):
        assert exact_delta(values, inside, record, noise, 0.3, 0.0) <= found + QUADRATURE
    for refused in (bound.etas, bound.eta, lambda: bound.scale_for(0.1)):
        with pytest.raises(ValueError, match=f"exactly half of an even number of records, got {drawn} of {records}"):
            refused()


@settings(max_examples=40, deadline=None)
@given(POOLS, st.sampled_from(sorted(STATISTICS)), st.sampled_from(SwapNoise), log_uniform(1e-9, 0.4999))
def test_noise_for_a_wanted_eta_reaches_it_and_hardly_more(data, statistic, noise, goal):
    bound = of_statistic(data, statistic, noise)
    scale = bound.scale_for(goal)
    if scale == 0.0:  # without any noise the swaps that can be seen are too few, or there are none
        assert max(np.mean(bound.sizes(record) > 0.0) for record in range(len(data))) <= 2.0 * goal
        return
    assert bound.eta(scale) <= goal < bound.eta(scale * (1.0 - 1e-6))


@settings(max_examples=30, deadline=None)
@given(POOLS, st.sampled_from(SwapNoise), log_uniform(1e-3, 1e3), st.floats(1.0, 100.0))
def test_more_noise_hides_more(data, noise, scale, factor):
    bound = OneSwap.of_mean(data, noise)
    assert np.all(bound.etas(scale * factor) <= bound.etas(scale) * (1 + ROUNDING))
    assert bound.etas(scale) == pytest.approx(OneSwap.of_mean(data, noise, scale).etas(), rel=ROUNDING)


@pytest.mark.parametrize(("noise", "slope"), [(LAPLACE, 0.25), (NORM, 0.25), (GAUSSIAN, 0.5 / np.sqrt(2.0 * np.pi))])
def test_digits_of_tiny_etas(noise, slope):
    """With very much noise eta is proportional to the mean swap."""
    data = np.arange(50.0)
    mean = np.abs(data - data[:, None]).sum(axis=1) / 49 / 25
    assert OneSwap.of_mean(data, noise).etas(1e14) == pytest.approx(slope * mean / 1e14, rel=1e-11)
    assert OneSwap.of_mean(data, noise).delta(0, 0.0, 1e14) == pytest.approx(2 * slope * mean[0] / 1e14, rel=1e-11)


# --- the whole curve

ALPHA = alpha_grid(60, 1e-6)
STEPS = 1500  # a corner may lie between two of them


@pytest.mark.parametrize("noise", SwapNoise)
@pytest.mark.parametrize("scale", [0.05, 0.3, 3.0])
@pytest.mark.parametrize("record", [0, 5])
def test_the_curve_is_a_trade_off_function_and_the_conjugate_of_the_profile(noise, scale, record):
    bound = OneSwap.of_mean(DATA, noise)
    curve = bound.trade_off(record, ALPHA, scale)
    assert curve.bound is Bound.LOWER
    assert curve.beta + curve.power == pytest.approx(np.ones(60), abs=1e-9)
    assert np.all(curve.beta <= 1.0 - ALPHA + ROUNDING)
    assert np.all(np.diff(curve.beta) <= 0.0)
    slopes = np.diff(curve.beta) / np.diff(ALPHA)
    assert np.all(np.diff(slopes) >= -1e-6 * np.abs(slopes[1:]))  # convex
    back = bound.trade_off(record, np.sort(curve.beta), scale)  # its own inverse, where it is strictly decreasing
    assert back.beta[np.argsort(np.argsort(curve.beta))] == pytest.approx(ALPHA, abs=1e-6)
    for epsilon in (0.0, 0.1, 0.7, 2.0, 5.0):
        line = 1.0 - bound.delta(record, epsilon, scale) - np.exp(epsilon) * ALPHA
        assert np.all(curve.beta >= line - 1e-9)


@pytest.mark.parametrize("noise", SwapNoise)
@pytest.mark.parametrize("scale", [0.05, 0.3, 3.0])
def test_the_curve_says_what_the_profile_and_eta_say(noise, scale):
    """Legendre back: delta(epsilon) = max over alpha of power - e^epsilon alpha, of which eta is half at 0."""
    bound, alpha = OneSwap.of_mean(DATA, noise), np.unique(np.concatenate([ALPHA, np.linspace(0.0, 1.0, STEPS + 1)]))
    power = bound.trade_off(5, alpha, scale).power
    for epsilon in (0.0, 0.3, 1.0):
        reached = float(np.max(power - np.exp(epsilon) * alpha))
        assert reached == pytest.approx(bound.delta(5, epsilon, scale), abs=1.0 / STEPS)
        assert reached <= bound.delta(5, epsilon, scale) + ROUNDING
    assert 2.0 * bound.etas(scale)[5] == pytest.approx(bound.delta(5, 0.0, scale), rel=ROUNDING)


@pytest.mark.parametrize("noise", SwapNoise)
@pytest.mark.parametrize("statistic", STATISTICS)
def test_no_attack_beats_the_curve(noise, statistic):
    inside = halves(6)
    values, scale = STATISTICS[statistic](members_of(DATA, inside)), 0.4
    bound = OneSwap.of_halves(inside, values, noise)
    for record in (0, 5):
        with_it, without = laws(values, inside, record, noise, scale)
        for p, q in ((with_it, without), (without, with_it)):
            order = np.argsort(-p / q)
            false, found = np.cumsum(q[order]), np.cumsum(p[order])
            at = np.searchsorted(false, [0.001, 0.01, 0.1, 0.3, 0.5, 0.9])
            curve = bound.trade_off(record, np.minimum(false[at], 1.0), scale)
            assert np.all(found[at] <= curve.power + QUADRATURE)


def test_small_powers_keep_their_digits():
    """All swaps alike: the Laplace curve itself, e^t alpha where that is at most one half."""
    bound = OneSwap.of_mean(np.array([-1.0, 1.0]), LAPLACE)
    alpha = np.array([1e-15, 1e-9, 1e-3])
    assert bound.trade_off(0, alpha, 2.0).power == pytest.approx(np.e * alpha, rel=ROUNDING)
    assert bound.trade_off(0, 1.0 - np.array([2.0**-40]), 2.0).beta == pytest.approx([2.0**-40 / np.e], rel=1e-9)


# --- where only the spread is known


@settings(max_examples=40)
@given(log_uniform(1e-6, 0.499), log_uniform(1e-3, 1e3), st.sampled_from(SwapNoise))
def test_noise_from_the_spread_inverts_its_eta(goal, spread, noise):
    assert eta_of_spread(scale_of_spread(goal, spread, noise), spread, noise) == pytest.approx(goal, rel=1e-9)


@given(log_uniform(1e-6, 0.499), st.floats(2.0, 50.0))
def test_noise_from_the_spread_is_less_than_the_papers(goal, moment):
    """The mean distance is at most the root of the moment of any order."""
    fourteen = noise_scale.corollary_14_scale(goal, 1.0, moment)
    assert scale_of_spread(goal, 1.0) < fourteen < noise_scale.theorem_9_scale(goal, 1.0, moment)


def test_never_more_noise_than_the_paper_or_differential_privacy():
    release = HalfReleases.of(DATA, STATISTICS["mean"])
    for goal in (1e-4, 0.01, 0.1, 0.3, 0.49):
        scale = OneSwap.of_halves(release.inside, release.statistics, LAPLACE).scale_for(goal)
        assert release.scale_for(goal) <= scale <= private_scale(goal, float(np.ptp(DATA)) / 3)
        assert scale <= noise_scale.corollary_14_scale(goal, release.spread(2.0))
        assert scale <= scale_of_spread(goal, release.spread(1.0), LAPLACE)


# --- what is refused


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: OneSwap.of_mean(np.zeros((4, 2)), LAPLACE), "Laplace noise is for one number"),
        (lambda: OneSwap.of_mean(np.zeros((4, 2)), GAUSSIAN, norm=np.abs), "norm is for"),
        (lambda: OneSwap.of_mean(np.zeros(4), NORM, norm=np.abs), "norm is for"),
        (lambda: OneSwap.of_mean(np.array([1.0, np.nan]), NORM), "finite"),
        (lambda: OneSwap.of_mean(np.zeros(1), NORM), "at least two"),
        (lambda: OneSwap.of_mean(np.zeros(4), NORM, drawn=4), "drawn"),
        (lambda: OneSwap.of_halves(halves(4)[1:], np.arange(5.0), NORM), "every subset of one size"),
        (lambda: OneSwap.of_halves(halves(4), np.arange(5.0), NORM), "a value for every half"),
        (lambda: OneSwap.of_mean(DATA, NORM).then(OneSwap.of_mean(DATA, LAPLACE)), "same noise"),
        (lambda: OneSwap.of_mean(DATA, NORM).then(OneSwap.of_mean(DATA[:4], NORM)), "same noise"),
        (lambda: OneSwap.of_mean(DATA, NORM).delta(6, 0.0), "record"),
        (lambda: OneSwap.of_mean(DATA, NORM).trade_off(-1, ALPHA), "record"),
    ],
)
def test_refusals_say_what_is_wrong(call, words):
    with pytest.raises(ValueError, match=words):
        call()
