"""Epsilon* estimated: counts by the definition, mixtures, sweeps over delta, and losses of predictions by mpmath."""

from typing import Any

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from losses import SAMPLES
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, ascending, estimate, from_laws
from numerics.trade_off import Bound, Floats
from tests.numerics.epsilon_star import inside
from tests.numerics.epsilon_star.samples import gammas

DELTA = 1e-5
COUNTED = 1e-12  # two ways to divide the same counts
ROUNDING = 1e-13  # a few operations in float64, on losses of up to a thousand
SMALL = st.lists(st.integers(-6, 6), min_size=10, max_size=60).map(lambda values: np.array(values, dtype=float))


def by_definition(train: Floats, population: Floats, delta: float, clip: float | None) -> dict[inside.Term, float]:
    """Equation 7 at every threshold: the largest ratio of each kind."""
    tau = np.unique(np.concatenate([train, population]))
    t, eta_not = (np.searchsorted(np.sort(own), tau, side="right") / len(own) for own in (population, train))
    low, high = (0.0, 1.0) if clip is None else (clip, 1.0 - clip)
    t, not_t, eta, not_eta = (np.clip(rate, low, high) for rate in (t, 1 - t, 1 - eta_not, eta_not))
    pairs = {inside.Term.MEMBERS_BELOW: (not_eta, t), inside.Term.OUTSIDERS_ABOVE: (not_t, eta)}
    pairs |= {inside.Term.MEMBERS_ABOVE: (eta, not_t), inside.Term.OUTSIDERS_BELOW: (t, not_eta)}
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = {term: np.where(gain > delta, (gain - delta) / cost, 0.0) for term, (gain, cost) in pairs.items()}
        return {term: float(np.log(np.max(ratio))) for term, ratio in ratios.items()}


@settings(max_examples=15)
@given(SMALL, SMALL, st.sampled_from([None, 0.001, 0.05, 0.3]))
def test_counts_agree_with_the_definition_and_negated_losses_change_places(train, population, clip):
    found = inside.counted_ratios(np.sort(train), np.sort(population), 1e-3, clip)
    expected = max(0.0, *by_definition(train, population, 1e-3, clip).values())
    assert max(0.0, *found.values()) == pytest.approx(expected, abs=COUNTED)
    if np.ptp(np.concatenate([train, population])) > 0.0:
        there, back = (estimate(s * train, s * population, 1e-3, Method.EMPIRICAL, clip) for s in (1.0, -1.0))
        assert there.value == back.value == pytest.approx(expected, abs=COUNTED)


@pytest.mark.parametrize(("shift", "digits"), [(0.0, 1), (-2.0, 12)])
def test_of_many_losses_too(shift, digits):
    """Where most thresholds are left out, since no maximum can be there."""
    rng = np.random.default_rng(2)
    train = np.sort(np.round(rng.gamma(2, 1, 9_000), digits))
    population = np.sort(np.round(rng.gamma(2, 1, 7_000) + shift, digits))
    expected = by_definition(train, population, DELTA, 0.001)
    assert inside.counted_ratios(train, population, DELTA, 0.001) == pytest.approx(expected, abs=COUNTED)


def test_many_normal_pairs_at_once():
    means, sds = np.array([1.0, -2.0, 0.0, 0.01, 30.0]), np.array([1.0, 0.7, 1.3, 1.0, 2.0])
    deltas, standard = np.array([1e-5, 1e-9, 1e-3, 0.1, 1e-6]), inside.NormalLaw(0, 1)
    for clip, tolerance in ((None, 1e-7), (1e-5, 2e-5)):  # with a clip the best is at a corner
        found = inside.normal_values((np.zeros(5), np.ones(5)), (means, sds), deltas, clip)
        pairs = zip(means, sds, deltas, strict=True)
        expected = [from_laws(standard, inside.NormalLaw(m, s), delta, clip).value for m, s, delta in pairs]
        assert found == pytest.approx(np.array(expected), abs=tolerance, rel=tolerance)


@pytest.mark.parametrize("method", [Method.EMPIRICAL, Method.PARAMETRIC, Method.CONFIDENCE])
def test_sweeps_over_delta_are_single_estimates(method):
    deltas, clip = np.array([1e-6, 1e-3, 0.2]), EMPIRICAL_CLIP if method is Method.EMPIRICAL else None
    options: dict[str, Any] = {"components": 2, "scale": LossScale.PRINTED}
    found = inside.over_deltas(*gammas(100), deltas, method, clip, **options)
    single = [estimate(*gammas(100), float(d), method, clip, **options).value for d in deltas]
    assert found == pytest.approx(np.array(single), rel=1e-7)
    assert np.all(np.diff(found) <= 0.0)


def test_fitted_mixtures_find_the_law_and_its_number_of_components():
    two = inside.Mixture((0.7, 0.3), (0.0, 4.0), (1.0, 0.5))

    def sample(n: int, seed: int = 0) -> Floats:
        rng = np.random.default_rng(seed)
        part = rng.choice(2, n, p=two.weights)
        return np.sort(rng.normal(np.array(two.means)[part], np.array(two.sds)[part]))

    values, held_out = sample(50_000), sample(1000, seed=1)
    some, fit = values[::20], inside.fit_mixture(values, 2)
    order = np.argsort(fit.means)
    for found, true in zip((fit.weights, fit.means, fit.sds), (two.weights, two.means, two.sds), strict=True):
        assert np.array(found)[order] == pytest.approx(np.array(true), abs=0.03)
    assert {len(inside.chosen_mixture(some, choice, most=4).means) for choice in inside.ComponentChoice} == {2}
    moved = np.array(inside.fit_mixture(1e6 + 1e3 * some, 3).means)
    assert moved == pytest.approx(1e6 + 1e3 * np.array(inside.fit_mixture(some, 3).means), rel=1e-6)
    ranks = np.searchsorted(values, inside.thinned(values), "right") / len(values)
    assert np.max(np.abs(ranks - (np.arange(5000) + 0.5) / 5000)) < 1e-4
    expected = stats.kstest(np.exp(two.logcdf(held_out)), "uniform").pvalue
    assert inside.ks_p_value(two, held_out) == pytest.approx(expected, rel=1e-9)
    good = inside.goodness_of_fit(sample(1500), components=(1, 2), sizes=(100, 700, 1000))
    assert (good.sizes, good.p_values.shape) == ((100, 700), (2, 2))
    assert good.p_values[0, 1] < 0.01 < good.p_values[1, 1]


def test_estimates_by_mixtures_and_their_curves():
    """One component is the parametric estimate; curves of sums are monotone to the last bit, or would be refused."""
    mixed, plain = (
        estimate(*gammas(2000), DELTA, method, components=1, scale=LossScale.PRINTED).value
        for method in (Method.MIXTURE, Method.PARAMETRIC)
    )
    assert mixed == pytest.approx(plain, rel=1e-4)
    groups = SAMPLES[0].groups()
    train, population = ascending(groups.train), ascending(groups.population)
    found = estimate(train, population, 1e-4, Method.MIXTURE, components=3, scale=LossScale.LOG_ODDS)
    assert found.transform is not None
    fits = inside.summarise(train, population, found.transform, found.laws).of_fits
    assert fits is not None
    for curve in (fits.curve(term, Bound.ESTIMATE, "fits") for term in inside.Term):
        assert np.all(np.diff(curve.power) >= 0.0)
        assert np.all(np.diff(curve.beta) <= 0.0)


# Losses of predictions.


@settings(max_examples=15)
@given(st.floats(1e-15, 1.0 - 1e-15), st.booleans(), st.lists(st.floats(-700, 700), min_size=2, max_size=6))
def test_losses_of_probabilities_and_of_logits(probability, label, logits):
    sign, own = 1 - 2 * int(label), int(label)
    with mpmath.workdps(400):
        binary = float(sign * (mpmath.log(probability) - mpmath.log(1 - mpmath.mpf(probability))))
        others = mpmath.fsum(mpmath.exp(mpmath.mpf(z)) for place, z in enumerate(logits) if place != own)
        several = float(mpmath.log(others) - mpmath.mpf(logits[own]))
    found = inside.binary_losses(np.array([probability]), np.array([label]), 2.0**-52)
    assert (found.losses[0], found.rows) == (pytest.approx(binary, rel=1e-9 * ROUNDING, abs=ROUNDING), 0)
    assert inside.binary_losses_from_logits(np.array([logits[0]]), np.array([label]))[0] == sign * logits[0]
    for shift in (0.0, 1000.0):  # logits of 1,700 have 2e-13 between them
        row = np.array([logits]) + shift
        assert inside.class_losses_from_logits(row, np.array([own]))[0] == pytest.approx(several, rel=0.0, abs=2e-12)


@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_class_probabilities_agree_with_their_logits_far_beyond_one_minus_rounding(kind):
    """The others' probabilities tell how sure a right answer is whose own has rounded to 1."""
    rng = np.random.default_rng(7)
    logits, label = rng.normal(0, 15, (2000, 5)), rng.integers(0, 5, 2000)
    exponentials = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities = (exponentials / exponentials.sum(axis=1, keepdims=True)).astype(kind)
    found = inside.class_losses(probabilities, label, inside.smallest_told(float(np.finfo(kind).eps)))
    apart = np.abs(found.losses - inside.class_losses_from_logits(logits, label))
    assert found.rows == 0
    # 1 - f is at least half a spacing of f off where f is close to 1; others are exact to their own spacing.
    assert np.max(apart) < 1.0
    assert np.median(apart) < 10 * np.finfo(kind).eps
