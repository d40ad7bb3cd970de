"""Epsilon* estimated: counts by the definition, laws, mixtures, scales of scores, and what an estimate is worth."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from losses import SAMPLES
from numerics.epsilon_star import (
    EMPIRICAL_CLIP,
    LossScale,
    Method,
    Transform,
    ascending,
    estimate,
    from_laws,
)
from numerics.trade_off import Bound, Floats
from tests.numerics.epsilon_star import inside
from tests.numerics.epsilon_star.samples import MEMBERS, OUTSIDERS, gammas

DELTA = 1e-5
COUNTED = 1e-12  # two ways to divide the same counts
EXACT = 1e-12
SMALL = st.lists(st.integers(-6, 6), min_size=10, max_size=60).map(lambda values: np.array(values, dtype=float))
CLIPS = st.sampled_from([None, 0.001, 0.05, 0.3])


# Counted losses.


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


@settings(max_examples=25)
@given(SMALL, SMALL, CLIPS)
def test_counts_agree_with_the_definition_and_negated_losses_change_places(train, population, clip):
    found = inside.counted_ratios(np.sort(train), np.sort(population), 1e-3, clip)
    expected = by_definition(train, population, 1e-3, clip)
    assert max(0.0, *found.values()) == pytest.approx(max(0.0, *expected.values()), abs=COUNTED)
    if np.ptp(np.concatenate([train, population])) > 0.0:
        there, back = (estimate(s * train, s * population, 1e-3, Method.EMPIRICAL, clip) for s in (1.0, -1.0))
        assert there.value == back.value == pytest.approx(max(0.0, *expected.values()), abs=COUNTED)


@pytest.mark.parametrize(("shift", "digits"), [(0.0, 1), (-2.0, 12)])
def test_blocks_left_out_hold_no_maximum(shift, digits):
    rng = np.random.default_rng(2)
    train = np.sort(np.round(rng.gamma(2, 1, 9_000), digits))
    population = np.sort(np.round(rng.gamma(2, 1, 7_000) + shift, digits))
    expected = by_definition(train, population, DELTA, 0.001)
    assert inside.counted_ratios(train, population, DELTA, 0.001) == pytest.approx(expected, abs=COUNTED)


def test_of_infinite_ratios_the_one_that_names_most_people_leads():
    train = np.concatenate([[-1.0], np.linspace(0.0, 1.0, 2000)])
    population = np.concatenate([np.linspace(0.0, 1.0, 1900), np.linspace(2.0, 3.0, 600)])
    (first, *_) = estimate(train, population, DELTA, Method.EMPIRICAL).peaks
    assert (first.term, first.log_ratio) == (inside.Term.OUTSIDERS_ABOVE, math.inf)
    assert 1.0 - first.false_positive_rate == pytest.approx(600 / 2500)
    (back, *_) = estimate(-train, -population, DELTA, Method.EMPIRICAL).peaks
    assert back.term is inside.Term.OUTSIDERS_BELOW
    assert back.false_positive_rate == pytest.approx(600 / 2500)


# Estimates of all kinds.


def test_laws_have_the_term_that_they_should_and_negated_ones_its_mirror_image():
    there, back = (from_laws(inside.NormalLaw(0, 1), inside.NormalLaw(s * 2, 1.3), DELTA) for s in (1, -1))
    assert there.value == pytest.approx(back.value, rel=1e-9)
    assert (there.peaks[0].term, back.peaks[0].term) == (inside.Term.OUTSIDERS_ABOVE, inside.Term.OUTSIDERS_BELOW)
    even = from_laws(inside.NormalLaw(0, 1), inside.NormalLaw(1, 1), DELTA)
    assert {peak.term for peak in even.peaks[:2]} == {inside.Term.MEMBERS_BELOW, inside.Term.OUTSIDERS_ABOVE}
    clipped = from_laws(inside.NormalLaw(0, 1), inside.NormalLaw(3, 1), DELTA, clip=DELTA)
    assert clipped.clip_active
    assert clipped.value <= clipped.cap == pytest.approx(math.log((1 - 2 * DELTA) / DELTA))


@pytest.mark.parametrize(("clip", "tolerance"), [(None, 1e-7), (1e-5, 2e-5)])  # with a clip the best is at a corner
def test_many_normal_pairs_at_once(clip, tolerance):
    means, sds = np.array([1.0, -2.0, 0.0, 0.01, 30.0]), np.array([1.0, 0.7, 1.3, 1.0, 2.0])
    deltas = np.array([1e-5, 1e-9, 1e-3, 0.1, 1e-6])
    found = inside.normal_values((np.zeros(5), np.ones(5)), (means, sds), deltas, clip)
    pairs = zip(means, sds, deltas, strict=True)
    expected = [from_laws(inside.NormalLaw(0, 1), inside.NormalLaw(m, s), delta, clip).value for m, s, delta in pairs]
    assert found == pytest.approx(np.array(expected), abs=tolerance, rel=tolerance)


@pytest.mark.parametrize("method", [Method.EMPIRICAL, Method.PARAMETRIC, Method.CONFIDENCE])
def test_sweeps_over_delta_are_single_estimates(method):
    deltas, clip = np.array([1e-6, 1e-3, 0.2]), EMPIRICAL_CLIP if method is Method.EMPIRICAL else None
    options: dict[str, Any] = {"components": 2, "scale": LossScale.PRINTED}
    found = inside.over_deltas(*gammas(100), deltas, method, clip, **options)
    single = [estimate(*gammas(100), float(d), method, clip, **options).value for d in deltas]
    assert found == pytest.approx(np.array(single), rel=1e-7)
    assert np.all(np.diff(found) <= 0.0)


# Mixtures.

TWO = inside.Mixture((0.7, 0.3), (0.0, 4.0), (1.0, 0.5))


def sample(law: inside.Mixture, n: int, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    part = rng.choice(len(law.weights), n, p=law.weights)
    return np.sort(rng.normal(np.array(law.means)[part], np.array(law.sds)[part]))


@settings(max_examples=10)
@given(st.floats(1e-300, 0.999))
def test_tails_of_mixtures(q):
    """Quantiles are undone; far out a tail is that of the component that reaches there; one component is normal."""
    assert TWO.logcdf(TWO.ppf(np.array([q])))[0] == pytest.approx(math.log(q), abs=1e-9)
    assert TWO.logsf(TWO.isf(np.array([q])))[0] == pytest.approx(math.log(q), abs=1e-9)
    assert TWO.logcdf(np.array([-50.0]))[0] == pytest.approx(math.log(0.7) + stats.norm.logcdf(-50.0), rel=EXACT)
    assert TWO.logsf(np.array([60.0]))[0] == pytest.approx(math.log(0.7) + stats.norm.logsf(60.0), rel=EXACT)
    one, x = inside.Mixture((1.0,), (0.3,), (2.0,)), np.linspace(-60, 60, 101)
    assert one.logcdf(x) == pytest.approx(stats.norm.logcdf(x, 0.3, 2.0), rel=EXACT)


def test_fits_find_the_law_and_its_number_of_components():
    values = sample(TWO, 50_000)
    assert (TWO.mean, TWO.sd) == pytest.approx((values.mean(), values.std()), abs=0.05)  # four standard errors
    fit = inside.fit_mixture(values, 2)
    order = np.argsort(fit.means)
    for found, true in zip((fit.weights, fit.means, fit.sds), (TWO.weights, TWO.means, TWO.sds), strict=True):
        assert np.array(found)[order] == pytest.approx(np.array(true), abs=0.03)
    some = values[::20]
    assert [len(inside.chosen_mixture(some, choice, most=4).means) for choice in inside.ComponentChoice] == [2] * len(
        inside.ComponentChoice
    )
    moved = np.array(inside.fit_mixture(1e6 + 1e3 * some, 3).means)
    assert moved == pytest.approx(1e6 + 1e3 * np.array(inside.fit_mixture(some, 3).means), rel=1e-6)
    ranks = np.searchsorted(values, inside.thinned(values), "right") / len(values)
    assert np.max(np.abs(ranks - (np.arange(5000) + 0.5) / 5000)) < 1e-4


def test_p_values_tell_good_fits_from_bad_ones():
    held_out = sample(TWO, 1000, seed=1)
    assert inside.ks_p_value(inside.NormalLaw(TWO.mean, TWO.sd), held_out) < 1e-6  # type: ignore[arg-type]
    expected = stats.kstest(np.exp(TWO.logcdf(held_out)), "uniform").pvalue
    assert inside.ks_p_value(TWO, held_out) == pytest.approx(expected, rel=1e-9)
    found = inside.goodness_of_fit(sample(TWO, 1500), components=(1, 2), sizes=(100, 700, 1000))
    assert (found.sizes, found.p_values.shape) == ((100, 700), (2, 2))
    assert found.p_values[0, 1] < 0.01 < found.p_values[1, 1]


def test_estimates_by_mixtures_and_their_curves():
    """One component is the parametric estimate; curves of sums are monotone to the last bit, or would be refused."""
    mixed, plain = (
        estimate(*gammas(2000), DELTA, method, components=1, scale=LossScale.PRINTED)
        for method in (Method.MIXTURE, Method.PARAMETRIC)
    )
    assert mixed.value == pytest.approx(plain.value, rel=1e-4)
    groups = SAMPLES[0].groups()
    train, population = ascending(groups.train), ascending(groups.population)
    for components in (3,):
        found = estimate(train, population, 1e-4, Method.MIXTURE, components=components, scale=LossScale.LOG_ODDS)
        assert found.transform is not None
        fits = inside.summarise(train, population, found.transform, found.laws).of_fits
        assert fits is not None
        for term in inside.Term:
            curve = fits.curve(term, Bound.ESTIMATE, "fits")
            assert np.all(np.diff(curve.power) >= 0.0)
            assert np.all(np.diff(curve.beta) <= 0.0)


# Scales, and the summary that is drawn.


@pytest.mark.parametrize("scale", LossScale)
def test_scores_of_every_scale_are_undone(scale):
    losses = np.array([1e-12, 1e-3, 0.7, 5.0, 300.0])
    transform = Transform(scale, 0.0, 300.0)
    scores = transform.scores(losses)
    back = [transform.loss_at(float(score)) for score in scores]
    assert back == pytest.approx(losses, rel=1e-9, abs=1e-10 if scale is LossScale.PRINTED else 0.0)
    assert np.all(np.diff(scores) > 0.0)
    assert np.all(np.isfinite(Transform(LossScale.PRINTED, -1e308, 1e308).scores(np.array([-1e308, 0.0, 1e308]))))


@pytest.mark.parametrize("highest", [1.0 + 1e-13, 1e200])
def test_losses_are_counted_in_the_bins_that_are_drawn(highest):
    """To the last of them, however near to an edge."""
    losses = np.sort(np.append(np.random.default_rng(1).uniform(1.0, highest, 500), [1.0, highest]))
    found = inside.summarise(losses, losses, Transform(LossScale.LOG_ODDS, 1.0, highest))
    expected = np.histogram(losses, found.edges)[0] / (len(losses) * np.diff(found.edges))
    np.testing.assert_array_equal(found.train.density, expected)


# What an estimate is worth.


def test_counted_rates_are_never_plain_and_an_overfitted_model_is_grey_on_every_scale():
    counted = estimate(-MEMBERS, -OUTSIDERS, DELTA, Method.EMPIRICAL, EMPIRICAL_CLIP)
    for p_value in (0.005, 0.9, None):
        assert (
            inside.verdict_of(counted, inside.bound(-MEMBERS, -OUTSIDERS), None, p_value).standing
            is inside.Standing.AMBER
        )
    groups = SAMPLES[0].groups()
    for scale in (LossScale.LOG_ODDS, LossScale.PRINTED):
        found = estimate(groups.train, groups.population, None, Method.PARAMETRIC, scale=scale)
        assert found.transform is not None
        shape = inside.shape_of(groups.train, groups.population, found.transform)
        verdict = inside.verdict_of(found, inside.bound(groups.train, groups.population, found.delta), shape, 0.005)
        assert verdict.standing is inside.Standing.GREY
        assert inside.Reason.ABOVE_CEILING in verdict.reasons
        assert not shape.is_normal


def test_the_shape_of_scores_by_hand():
    """The distance is Lilliefors', of the fitted normal law, that of another implementation."""
    for values in (np.sort(MEMBERS[::5]), np.sort(np.random.default_rng(1).gamma(2.0, size=1000))):
        expected = stats.kstest((values - values.mean()) / values.std(ddof=1), "norm").statistic
        assert inside.distance(values) == pytest.approx(expected, abs=1e-3)
    assert inside.distance(np.sort(np.random.default_rng(1).gamma(2.0, size=1000))) > inside.critical_distance(1000)
