"""The null of these very losses: p-values by shuffling who is a member."""

import numpy as np
import pytest
from scipy import stats

from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, estimate
from numerics.epsilon_star.permutation import SHUFFLES_OF_MIXTURES, Null, shuffled
from numerics.trade_off import Floats
from tests.numerics.epsilon_star.test_verdict import DELTA, LOG_ODDS
from tests.reference import rows


def null_of(train: Floats, population: Floats, method: Method, scale: LossScale | None = None) -> Null:
    *_, found = shuffled(train, population, DELTA, method, None if scale else EMPIRICAL_CLIP, scale, 1)
    return found


@pytest.mark.parametrize(("method", "scale"), [(Method.PARAMETRIC, LossScale.LOG_ODDS), (Method.EMPIRICAL, None)])
def test_p_values_hold_their_level_where_there_is_nothing_to_find(
    method: Method, scale: LossScale | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("numerics.epsilon_star.permutation.SHUFFLES", 39)  # for time
    rng, runs = np.random.default_rng(7), 80
    p = np.array([null_of(rng.normal(size=40), rng.normal(size=40), method, scale).p_value for _ in range(runs)])
    for level in (0.05, 0.1, 0.25, 0.5):
        assert np.mean(p <= level) <= level + 3.0 * np.sqrt(level * (1.0 - level) / runs)
    if method is Method.PARAMETRIC:  # counts tie, so their p-values are larger
        assert stats.kstest(p, "uniform").pvalue > 0.001


def test_a_p_value_is_never_0() -> None:
    """Phipson and Smyth 2010: the losses at hand are one of the shuffles."""
    (row,) = rows(prefix="NEG_null_permutation", role="negative")
    found = null_of(np.linspace(0.0, 1.0, 50), np.linspace(2.0, 3.0, 50), Method.PARAMETRIC, LossScale.LOG_ODDS)
    assert len(found.values) == row.count("permutations") == 199
    assert found.p_value == pytest.approx(1.0 / 200.0)
    assert found.p_value != row.expected


def test_shuffles_are_the_same_again_and_know_the_order_of_counted_losses_only() -> None:
    rng = np.random.default_rng(3)
    train, population = rng.normal(size=300), rng.normal(0.3, 1.0, 250)
    first = null_of(train, population, Method.EMPIRICAL)
    again = null_of(np.exp(train), np.exp(population), Method.EMPIRICAL)
    assert np.array_equal(first.values, again.values)
    assert first.observed == estimate(train, population, DELTA, Method.EMPIRICAL, EMPIRICAL_CLIP).value
    assert first.sizes == (300, 250)
    assert not first.is_subset
    assert np.sort(first.values)[99] == first.median


def test_a_shuffle_is_the_estimate_of_shuffled_losses() -> None:
    """Ties, and both methods, against the estimator itself on the very labels that the first shuffle deals."""
    rng = np.random.default_rng(4)
    train, population = rng.normal(size=60).round(1), rng.normal(size=50).round(1)
    pooled = np.sort(np.concatenate([train, population]))
    mask = np.random.default_rng(0).permutation(110) < 60
    for method, scale in ((Method.EMPIRICAL, None), (Method.PARAMETRIC, LossScale.LOG_ODDS)):
        clip = None if scale else EMPIRICAL_CLIP
        expected_value = estimate(pooled[mask], pooled[~mask], DELTA, method, clip, scale=scale).value
        assert null_of(train, population, method, scale).values[0] == pytest.approx(expected_value, abs=1e-6)


def test_of_many_losses_a_subset_is_shuffled_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("numerics.epsilon_star.permutation.MOST_LOSSES", 100)
    rng = np.random.default_rng(5)
    found = null_of(rng.normal(size=500), rng.normal(size=80), Method.EMPIRICAL)
    assert (found.is_subset, found.sizes) == (True, (100, 80))


def test_up_to_50_000_losses_of_a_group_are_all_shuffled() -> None:
    rng = np.random.default_rng(5)
    groups = rng.normal(size=50_001), rng.normal(size=50_000)
    found = next(shuffled(*groups, DELTA, Method.PARAMETRIC, None, LossScale.LOG_ODDS))
    assert (found.is_subset, found.sizes) == (True, (50_000, 50_000))


def test_mixtures_are_fitted_anew_in_every_shuffle() -> None:
    rng = np.random.default_rng(6)
    chunks = shuffled(rng.normal(size=60), rng.normal(size=60), DELTA, Method.MIXTURE, None, LossScale.LOG_ODDS, 1)
    first = next(chunks)
    assert (len(first.values), first.total) == (1, SHUFFLES_OF_MIXTURES)


@pytest.mark.parametrize("method", [Method.CONFIDENCE, Method.GIVEN])
def test_only_estimates_are_shuffled(method: Method) -> None:
    with pytest.raises(ValueError, match="method must be one of the estimates to be shuffled"):
        shuffled(LOG_ODDS[0], LOG_ODDS[1], DELTA, method)
