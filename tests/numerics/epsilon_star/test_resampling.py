"""Shuffled labels and resampled rows: what they are made of; how often they err is simulated nightly."""

import math

import numpy as np
import pytest
from scipy import stats

from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, estimate, from_laws
from numerics.mechanisms import Gaussian, Laplace
from tests.numerics.epsilon_star import inside
from tests.numerics.epsilon_star.samples import gammas, resampled

DELTA = 1e-5
METHODS = [(Method.EMPIRICAL, EMPIRICAL_CLIP, None), (Method.PARAMETRIC, None, LossScale.LOG_ODDS)]


@pytest.mark.parametrize(("method", "clip", "scale"), METHODS)
def test_a_shuffle_is_the_estimate_of_shuffled_losses(method, clip, scale):
    """Ties, and both methods, against the estimator itself on the very labels that the first shuffle deals."""
    rng = np.random.default_rng(4)
    train, population = rng.normal(size=60).round(1), rng.normal(size=50).round(1)
    pooled, mask = np.sort(np.concatenate([train, population])), np.random.default_rng(0).permutation(110) < 60
    expected = estimate(pooled[mask], pooled[~mask], DELTA, method, clip, scale=scale).value
    found = inside.null_of(train, population, method, clip, scale)
    assert found.values[0] == pytest.approx(expected, abs=1e-6)
    assert found.observed == pytest.approx(estimate(train, population, DELTA, method, clip, scale=scale).value)
    assert (found.sizes, found.is_subset, len(found.values)) == ((60, 50), False, 199)
    assert found.median == np.sort(found.values)[99]
    assert found.p_value == pytest.approx((1 + np.sum(found.values >= found.observed - 1e-12)) / 200)
    if method is Method.EMPIRICAL:  # it knows the order of losses only
        again = inside.null_of(np.exp(train), np.exp(population), method, clip, scale)
        assert np.array_equal(found.values, again.values)


def test_of_many_losses_a_subset_is_shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    monkeypatch.setattr(f"{inside.SHUFFLING}.MOST_LOSSES", 100)
    found = inside.null_of(rng.normal(size=500), rng.normal(size=80), *METHODS[0])
    assert (found.is_subset, found.sizes) == (True, (100, 80))


@pytest.mark.parametrize(("method", "clip"), [(Method.EMPIRICAL, EMPIRICAL_CLIP), (Method.PARAMETRIC, None)])
def test_replicates_vary_as_estimates_of_resampled_rows(method, clip):
    """They are the same again; three standard errors of the mean, a third of the spread."""
    train, population = gammas(500)
    found, again = (resampled((train, population), method, clip, 300) for _ in range(2))
    assert np.array_equal(found, again)
    rng, runs, rows = np.random.default_rng(1), 40, []
    for _ in range(runs):
        members, outsiders = (np.sort(rng.choice(losses, len(losses))) for losses in (train, population))
        members[0], outsiders[-1] = train[0], population[-1]  # the range stays the sample's, as in the replicates
        rows.append(estimate(members, outsiders, DELTA, method, clip, scale=LossScale.PRINTED).value)
    error = float(np.std(rows)) * math.sqrt(1 / runs + 1 / 300)
    assert float(found.mean()) == pytest.approx(float(np.mean(rows)), abs=3.0 * error)
    assert float(found.std()) == pytest.approx(float(np.std(rows)), rel=0.35)


# How often they err.


@pytest.mark.nightly
@pytest.mark.parametrize(("level", "delta"), [(0.95, 1e-5), (0.5, 0.05)])
def test_the_bound_errs_as_often_as_it_says_and_is_not_far(level, delta):
    """N(0,1) against N(1,1): epsilon* is the Gaussian mechanism's epsilon at delta. Of one law, with ties, it is 0."""
    rng, runs = np.random.default_rng(2), 100
    truth = from_laws(inside.NormalLaw(0, 1), inside.NormalLaw(1, 1), delta).value
    found = [inside.bound(rng.normal(0, 1, 400), rng.normal(1, 1, 400), delta, level).value for _ in range(runs)]
    most = stats.binom.isf(1e-3, runs, 1 - level)  # of a right procedure, but for one test in a thousand
    assert np.sum(np.array(found) > truth) <= most
    pairs = np.round(rng.gamma(2, 1, (runs, 2, 150)))
    alike = [inside.bound(one, other, delta, level).value for one, other in pairs]
    assert np.count_nonzero(alike) <= most
    n = 100_000  # where both groups expect at least 100 losses the data show ratios up to this (correction 23)
    tau = stats.norm.isf(100 / n) - 1.0
    shown = stats.norm.logcdf(-tau) - stats.norm.logcdf(-tau - 1.0)
    assert inside.bound(rng.normal(0, 1, n), rng.normal(1, 1, n)).value == pytest.approx(shown, rel=0.25)


@pytest.mark.nightly
@pytest.mark.parametrize("noise", [Laplace(1.0), Gaussian(1.5)])
def test_theorem_4_a_private_mechanism_stays_below_its_epsilon(noise):
    """Each model is a noisy sum of values +-1 that are drawn anew; a record's loss is minus its agreement.

    Values are replaced by +-1: twice the sensitivity, so that the promise is the replace-one one.
    """
    rng, models = np.random.default_rng(9), []
    for _ in range(300):
        data, others = (np.where(rng.random(size) < 0.5, 1.0, -1.0) for size in (20, 4000))
        draw = rng.laplace if isinstance(noise, Laplace) else rng.normal
        total = float(data.sum() + draw(0.0, noise.noise_multiplier))
        models.append((-data * total + 1e-9 * rng.random(20), -others * total + 1e-9 * rng.random(4000)))
    promise = type(noise)(0.5 * noise.noise_multiplier).epsilon(1e-3).estimate
    assert 0.0 < inside.of_losses(models, 1e-3, rates=99).value < promise
