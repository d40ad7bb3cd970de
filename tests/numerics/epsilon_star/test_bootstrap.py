"""Replicates from binned losses, many normal pairs at once, sweeps over delta, and several models."""

import math

import numpy as np
import pytest

from numerics.epsilon_star import EMPIRICAL_CLIP, EpsilonStar, LossScale, Method, Transform, from_laws
from numerics.epsilon_star import estimate as estimate_on
from numerics.epsilon_star.error_ratios import NormalLaw
from numerics.epsilon_star.normal_ratios import normal_values
from numerics.epsilon_star.permutation import shuffled
from numerics.epsilon_star.resampling import BinnedLosses, bootstrap
from numerics.epsilon_star.resampling import binned as binned_on
from numerics.epsilon_star.sweeps import over_deltas, over_instances
from numerics.trade_off import Floats

DELTA = 1e-5
ZOOMED = 1e-7
AT_A_KINK = 2e-5  # with a clip the largest ratio is at a corner, known to the last zoom's step only
SAMPLED = 3.0  # standard errors
METHODS = [(Method.EMPIRICAL, EMPIRICAL_CLIP), (Method.PARAMETRIC, None)]


def estimate(train: Floats, population: Floats, delta: float, method: Method, clip: float | None = None) -> EpsilonStar:
    """On the paper's scale."""
    return estimate_on(train, population, delta, method, clip, components=2, scale=LossScale.PRINTED)


def binned(train: Floats, population: Floats) -> BinnedLosses:
    lowest, highest = min(train[0], population[0]), max(train[-1], population[-1])
    return binned_on(train, population, Transform(LossScale.PRINTED, float(lowest), float(highest)))


def gammas(n: int, shape: float = 3.0, seed: int = 0) -> tuple[Floats, Floats]:
    rng = np.random.default_rng(seed)
    return np.sort(rng.gamma(2, 5, n)), np.sort(rng.gamma(shape, 5, n))


@pytest.mark.parametrize(("clip", "tolerance"), [(None, ZOOMED), (1e-5, AT_A_KINK)])
def test_many_normal_pairs_at_once(clip: float | None, tolerance: float) -> None:
    means, sds = np.array([1.0, -2.0, 0.0, 0.01, 30.0]), np.array([1.0, 0.7, 1.3, 1.0, 2.0])
    deltas = np.array([1e-5, 1e-9, 1e-3, 0.1, 1e-6])
    found = normal_values((np.zeros(5), np.ones(5)), (means, sds), deltas, clip)
    expected = [
        from_laws(NormalLaw(0, 1), NormalLaw(*pair), delta, clip).value
        for *pair, delta in zip(means, sds, deltas, strict=True)
    ]
    assert found == pytest.approx(np.array(expected), abs=tolerance, rel=tolerance)


@pytest.mark.parametrize(("method", "clip"), METHODS)
def test_bins_hold_the_estimate(method: Method, clip: float | None) -> None:
    train, population = gammas(100_000)
    exact = estimate(train, population, DELTA, method, clip).value
    found = binned(train, population).value(method, DELTA, clip)
    if method is Method.EMPIRICAL:
        assert 0.97 * exact < found <= exact
    else:
        assert found == pytest.approx(exact, rel=ZOOMED)


@pytest.mark.parametrize(("method", "clip"), METHODS)
def test_replicates_vary_as_estimates_of_resampled_rows(method: Method, clip: float | None) -> None:
    train, population = gammas(1500)
    *_, found = bootstrap(binned(train, population), method, DELTA, clip, 600)
    rng, runs, rows = np.random.default_rng(1), 120, []
    for _ in range(runs):
        members, outsiders = (np.sort(rng.choice(losses, len(losses))) for losses in (train, population))
        # The range stays the sample's, as in the replicates.
        members[0], outsiders[-1] = train[0], population[-1]
        rows.append(estimate(members, outsiders, DELTA, method, clip).value)
    error = float(np.std(rows)) * math.sqrt(1 / runs + 1 / 600)
    assert found.mean == pytest.approx(float(np.mean(rows)), abs=SAMPLED * error)
    assert float(found.values.std()) == pytest.approx(float(np.std(rows)), rel=0.3)
    low, high = found.interval(0.9)
    assert low < np.mean(rows) < high


@pytest.mark.parametrize(
    ("method", "clip", "n", "mean", "sd"),
    [
        (Method.PARAMETRIC, None, 1_000, 0.627, 0.49),
        (Method.PARAMETRIC, None, 10_000, 0.164, 0.13),
        (
            Method.EMPIRICAL,
            EMPIRICAL_CLIP,
            1_000,
            1.465,
            0.41,
        ),  # 400 fresh runs of the definition, threshold by threshold
    ],
)
def test_shuffled_labels_give_what_fresh_samples_give(
    method: Method, clip: float | None, n: int, mean: float, sd: float
) -> None:
    """Correction 25, where fresh samples of one law were drawn; here the labels of a few samples are shuffled."""
    samples = 4
    means = []
    for seed in range(samples):
        *_, found = shuffled(*gammas(n, 2.0, seed), DELTA, method, clip, LossScale.PRINTED)
        means.append(float(found.values.mean()))
    error = sd * math.sqrt(1 / (samples * found.total) + 1 / 200) + float(np.std(means)) / math.sqrt(samples)
    assert np.mean(means) == pytest.approx(mean, abs=SAMPLED * error)


@pytest.mark.parametrize(("clip", "mean"), [(DELTA, (0.625, 4.845, 7.351, 8.809)), (None, (0.627, 6.79, 15.17, 24.67))])
def test_finite_sample_means(clip: float | None, mean: tuple[float, ...]) -> None:
    """Correction 25 at n = 1,000, parametric, for Gamma(2) against Gamma(2 + d): 400 runs each, 10,000 at d = 0."""
    runs = 25
    for d, expected in enumerate(mean):
        pairs = (gammas(1000, 2.0 + d, seed) for seed in range(100 * d, 100 * d + runs))
        values = [estimate(train, population, DELTA, Method.PARAMETRIC, clip).value for train, population in pairs]
        error = float(np.std(values)) * math.sqrt(1 / runs + 1 / 400)
        assert np.mean(values) == pytest.approx(expected, abs=SAMPLED * error + 5e-3)


def test_replicates_come_in_parts_and_are_the_same_again() -> None:
    losses = binned(*gammas(1000))
    parts = list(bootstrap(losses, Method.PARAMETRIC, DELTA, None, 120))
    assert [part.progress for part in parts] == [50 / 120, 100 / 120, 1.0]
    *_, again = bootstrap(losses, Method.PARAMETRIC, DELTA, None, 120)
    assert np.array_equal(parts[-1].values, again.values)


def test_ties_and_few_losses_are_binned() -> None:
    train, population = np.repeat([0.0, 1.0], [8, 2]), np.repeat([0.0, 1.0], [5, 6])
    losses = binned(train, population)
    assert losses.train.sum() == 10
    assert losses.value(Method.EMPIRICAL, 1e-3, 0.01) == estimate(train, population, 1e-3, Method.EMPIRICAL, 0.01).value
    *_, last = bootstrap(losses, Method.EMPIRICAL, 1e-3, 0.01, 50)
    assert np.all(np.isfinite(last.values))


@pytest.mark.parametrize("method", [Method.GIVEN, Method.CONFIDENCE])
def test_only_estimates_are_resampled(method: Method) -> None:
    with pytest.raises(ValueError, match="method must be 'empirical' or 'parametric'"):
        bootstrap(binned(*gammas(100)), method, DELTA)


@pytest.mark.parametrize("method", [Method.EMPIRICAL, Method.PARAMETRIC, Method.MIXTURE, Method.CONFIDENCE])
def test_sweep_over_delta_agrees_with_single_estimates(method: Method) -> None:
    train, population = gammas(2000)
    deltas, clip = np.array([1e-6, 1e-3, 0.2]), EMPIRICAL_CLIP if method is Method.EMPIRICAL else None
    found = over_deltas(train, population, deltas, method, clip, components=2, scale=LossScale.PRINTED)
    single = [estimate(train, population, float(d), method, clip).value for d in deltas]
    assert found == pytest.approx(np.array(single), rel=ZOOMED)
    assert np.all(np.diff(found) <= 0.0)


def test_several_models() -> None:
    found = over_instances([0.0, 1.0, 3.0])
    assert (found.least, found.mean, found.most) == (0.0, 4 / 3, 3.0)
    assert found.log_mean_exp == pytest.approx(math.log((1 + math.e + math.e**3) / 3), rel=1e-12)
    assert over_instances([800.0, 800.0]).log_mean_exp == pytest.approx(800.0)
    assert over_instances([1.0, math.inf]).log_mean_exp == math.inf


@pytest.mark.parametrize("values", [[], [-0.1], [math.nan, 1.0]])
def test_models_need_values(values: list[float]) -> None:
    with pytest.raises(ValueError, match="values must be one or more numbers"):
        over_instances(values)
