"""Gaussian mixtures for the scores: exact tails, quantiles, fits, choice of components, goodness of fit."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics.epsilon_star import LossScale, Method, estimate, from_laws
from numerics.epsilon_star.error_ratios import NormalLaw
from numerics.epsilon_star.mixtures import (
    ComponentChoice,
    Mixture,
    chosen_mixture,
    fit_mixture,
    goodness_of_fit,
    ks_p_value,
    thinned,
)
from numerics.trade_off import Floats

EXACT = 1e-12
TWO = Mixture((0.7, 0.3), (0.0, 4.0), (1.0, 0.5))


def sample(law: Mixture, n: int, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    part = rng.choice(len(law.weights), n, p=law.weights)
    return np.sort(rng.normal(np.array(law.means)[part], np.array(law.sds)[part]))


def test_one_component_is_a_normal_law() -> None:
    one, x = Mixture((1.0,), (0.3,), (2.0,)), np.linspace(-60, 60, 101)
    assert one.logcdf(x) == pytest.approx(NormalLaw(0.3, 2.0).logcdf(x), rel=EXACT)
    found = from_laws(one, Mixture((1.0,), (1.3,), (2.0,)), 1e-5)
    assert found.value == pytest.approx(from_laws(NormalLaw(0.3, 2), NormalLaw(1.3, 2), 1e-5).value, rel=1e-9)


def test_far_tails_are_those_of_the_component_that_reaches_there() -> None:
    """Where the mixture's distribution function itself underflows."""
    assert TWO.logcdf(np.array([-50.0]))[0] == pytest.approx(math.log(0.7) + stats.norm.logcdf(-50.0), rel=EXACT)
    assert TWO.logsf(np.array([60.0]))[0] == pytest.approx(math.log(0.7) + stats.norm.logsf(60.0), rel=EXACT)


@settings(max_examples=50)
@given(st.floats(1e-300, 0.999))
def test_quantiles_are_undone(q: float) -> None:
    low, high = TWO.ppf(np.array([q])), TWO.isf(np.array([q]))
    assert TWO.logcdf(low)[0] == pytest.approx(math.log(q), abs=1e-9)
    assert TWO.logsf(high)[0] == pytest.approx(math.log(q), abs=1e-9)


def test_moments() -> None:
    values = sample(TWO, 200_000)
    assert TWO.mean == pytest.approx(values.mean(), abs=4 * TWO.sd / math.sqrt(len(values)))
    assert TWO.sd == pytest.approx(values.std(), rel=0.01)


def test_fit_finds_the_law() -> None:
    fit = fit_mixture(sample(TWO, 100_000), 2)
    order = np.argsort(fit.means)
    for found, true in zip((fit.weights, fit.means, fit.sds), (TWO.weights, TWO.means, TWO.sds), strict=True):
        assert np.array(found)[order] == pytest.approx(np.array(true), abs=0.02)


def test_fit_is_the_same_again_and_follows_scale_and_place() -> None:
    values = sample(TWO, 3000)
    fit = fit_mixture(values, 3)
    assert fit == fit_mixture(values, 3)
    moved = fit_mixture(1e6 + 1e3 * values, 3)
    assert np.array(moved.means) == pytest.approx(1e6 + 1e3 * np.array(fit.means), rel=1e-6)


def test_thinned_scores_have_nearly_the_same_distribution() -> None:
    values = sample(TWO, 123_457)
    ranks = np.searchsorted(values, thinned(values), "right") / len(values)
    assert np.max(np.abs(ranks - (np.arange(5000) + 0.5) / 5000)) < 1e-4


@pytest.mark.parametrize("choice", list(ComponentChoice))
def test_chosen_number_of_components(choice: ComponentChoice) -> None:
    assert len(chosen_mixture(sample(TWO, 20_000), choice, most=6).means) == 2


def test_p_values_tell_good_fits_from_bad_ones() -> None:
    held_out = sample(TWO, 1000, seed=1)
    assert ks_p_value(NormalLaw(TWO.mean, TWO.sd), held_out) < 1e-6  # type: ignore[arg-type]
    uniform = np.exp(TWO.logcdf(held_out))
    assert ks_p_value(TWO, held_out) == pytest.approx(stats.kstest(uniform, "uniform").pvalue, rel=1e-9)


def test_heat_map() -> None:
    found = goodness_of_fit(sample(TWO, 1500), components=(1, 2, 5), sizes=(100, 700, 1000))
    assert found.sizes == (100, 700)
    assert found.p_values.shape == (3, 2)
    assert found.p_values[0, 1] < 0.01 < found.p_values[1, 1]


def test_estimate_with_one_component_is_nearly_the_parametric_one() -> None:
    rng = np.random.default_rng(3)
    train, population = rng.gamma(2, 5, 4000), rng.gamma(3, 5, 4000)
    mixed = estimate(train, population, 1e-5, Method.MIXTURE, components=1, scale=LossScale.PRINTED)
    assert mixed.value == pytest.approx(
        estimate(train, population, 1e-5, Method.PARAMETRIC, scale=LossScale.PRINTED).value, rel=1e-4
    )
    assert isinstance(mixed.laws, tuple)


def test_many_components_for_a_million_losses() -> None:
    rng = np.random.default_rng(4)
    train, population = np.sort(rng.gamma(2, 5, 10**6)), np.sort(rng.gamma(2.2, 5, 10**6))
    found = estimate(train, population, 1e-3, Method.MIXTURE, components=8, scale=LossScale.PRINTED)
    truth = from_laws(stats.gamma(2), stats.gamma(2.2), 1e-3).value
    assert found.value == pytest.approx(truth, rel=0.1)  # normal fits are off by 22 % here


@pytest.mark.parametrize("components", [0, 21])
def test_number_of_components_is_limited(components: int) -> None:
    with pytest.raises(ValueError, match="components must be between 1 and 20"):
        fit_mixture(sample(TWO, 1000), components)


def test_equal_scores_have_no_mixture() -> None:
    with pytest.raises(ValueError, match="scores must differ for a mixture"):
        fit_mixture(np.full(20, 0.5), 1)
