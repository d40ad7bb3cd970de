"""Counts by the definition, bounds and bins of losses against the losses, many models, and losses by mpmath."""

import math

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate
from numerics.trade_off import Floats
from tests.numerics.epsilon_star import inside
from tests.numerics.epsilon_star.samples import counted_between, summary

DELTA = 1e-5
COUNTED = 1e-12  # the same counts, divided in another order
ROUNDING = 1e-13  # a few operations in float64, on losses of up to a thousand
SMALL = st.lists(st.integers(-6, 6), min_size=10, max_size=60).map(lambda values: np.array(values, dtype=float))


def by_definition(train: Floats, population: Floats, delta: float, clip: float | None) -> dict[inside.Term, float]:
    """Equation 7 at every threshold: the largest ratio of each kind."""
    tau = np.unique(np.concatenate([train, population]))
    fpr, tpr = (np.searchsorted(np.sort(own), tau, side="right") / len(own) for own in (population, train))
    low, high = (0.0, 1.0) if clip is None else (clip, 1.0 - clip)
    fpr, tnr, fnr, tpr = (np.clip(rate, low, high) for rate in (fpr, 1 - fpr, 1 - tpr, tpr))
    pairs = {inside.Term.MEMBERS_BELOW: (tpr, fpr), inside.Term.OUTSIDERS_ABOVE: (tnr, fnr)}
    pairs |= {inside.Term.MEMBERS_ABOVE: (fnr, tnr), inside.Term.OUTSIDERS_BELOW: (fpr, tpr)}
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


# The lower confidence bound.


@pytest.mark.parametrize(("sign", "term"), [(1.0, inside.Term.MEMBERS_BELOW), (-1.0, inside.Term.MEMBERS_ABOVE)])
def test_the_counts_shown_are_those_at_the_threshold_and_show_more_than_the_bound(sign, term):
    rng = np.random.default_rng(8)
    train, population = sign * rng.normal(-1.5, 1.0, 400), sign * rng.normal(0.0, 0.5, 500)
    found = inside.bound(train, population)
    place = found.cut
    assert place is not None
    named, wronged = (int(np.sum(sign * losses < sign * place.threshold)) for losses in (train, population))
    assert (place.term, place.positives, place.negatives) == (term, 400, 500)
    assert (place.true_positives, place.false_positives) == (named, wronged)
    assert math.exp(found.value) < (named / 400) / (wronged / 500 if wronged else 1e-9)
    rates = (wronged / 500, 1.0 - named / 400)
    expected = rates if sign > 0.0 else (1.0 - rates[0], 1.0 - rates[1])
    assert (found.maxima[0].false_positive_rate, found.maxima[0].false_negative_rate) == pytest.approx(expected)


@settings(max_examples=10)
@given(SMALL, SMALL)
def test_negated_losses_and_counts_of_values_have_the_same_bound(train, population):
    found = inside.bound(train, population)
    assert inside.bound(-train, -population).value == found.value
    values = np.unique(np.concatenate([train, population]))
    members, others = (np.array([float(np.sum(own == value)) for value in values]) for own in (train, population))
    assert inside.bound_of_counts(values, members, others) == found


# Losses of which bins and moments are known.


def drawn(seed: int, n: int = 400, decimals: int | None = None) -> tuple[Floats, Floats]:
    """Losses of both groups: distinct, or with ties where they are rounded."""
    rng = np.random.default_rng(seed)
    train, population = rng.gamma(1.2, size=n), rng.gamma(2.0, size=n + 50)
    return (train, population) if decimals is None else (train.round(decimals), population.round(decimals))


SEEDS = st.integers(0, 2**32 - 1)
EDGES = st.lists(st.floats(0.0, 8.0), min_size=0, max_size=40).map(lambda cuts: np.sort(np.array(cuts)))
DELTAS, CLIPS = st.sampled_from([1e-6, 1e-3, 0.05]), st.sampled_from([None, EMPIRICAL_CLIP, 0.1])


@settings(max_examples=10)
@given(SEEDS, EDGES, DELTAS, CLIPS, st.sampled_from([None, 1]))
def test_bins_enclose_the_counted_estimate_and_never_show_more(seed, edges, delta, clip, decimals):
    train, population = drawn(seed, decimals=decimals)
    known, exact = summary(train, population, edges), estimate(train, population, delta, Method.EMPIRICAL, clip).value
    found = inside.empirical(known, delta, clip)
    assert found.found.value - COUNTED <= exact <= found.at_most + COUNTED
    if decimals is None:
        highest = estimate(train, population, delta, Method.CONFIDENCE).value
        assert inside.confident(known, delta).value <= highest + 1e-8  # of the search for the limits


@settings(max_examples=6)
@given(SEEDS, DELTAS, CLIPS, st.sampled_from([None, 1, 0]))
def test_bins_of_single_losses_give_all_estimates(seed, delta, clip, decimals):
    train, population = drawn(seed, 60, decimals)
    known = summary(train, population, np.unique(np.concatenate([train, population])))
    assert known.bins.settled.all()
    counting, exact = inside.empirical(known, delta, clip), estimate(train, population, delta, Method.EMPIRICAL, clip)
    assert counting.at_most == counting.found.value == pytest.approx(exact.value, rel=COUNTED)
    assert counting.found.groups == exact.groups
    assert inside.confident(known, delta).confidence == estimate(train, population, delta, Method.CONFIDENCE).confidence
    fit = estimate(train, population, delta, Method.PARAMETRIC, clip, scale=LossScale.PRINTED)
    assert fit.transform is not None
    whole = inside.Summary.of_single_losses(known.bins, fit.transform)
    assert whole.scores is not None
    for found in (known, whole):
        assert inside.parametric(found, delta, clip).value == pytest.approx(fit.value, rel=1e-11)
    assert inside.shape_of_counts(whole) == inside.shape_of(np.sort(train), np.sort(population), fit.transform)
    assert not whole.scores.train[np.diff(whole.scores.edges) > 0.0].any()


def test_bins_at_the_right_places_are_enough():
    """Only what is wanted is refined, and then nothing else is."""
    train, population = drawn(5, 3000)
    known, delta = summary(train, population, np.linspace(0.0, 8.0, 100)), default_delta(3000)
    wanted = inside.wanted_for_counts(known.bins, delta, EMPIRICAL_CLIP) | inside.wanted_for_bound(known.bins)
    assert 0 < wanted.sum() < 0.5 * len(wanted)
    ends = list(zip(known.bins.lowest[wanted], known.bins.highest[wanted], strict=True))
    parts = [own[np.any([(own >= low) & (own <= high) for low, high in ends], axis=0)] for own in (train, population)]
    finer = counted_between(parts[0], parts[1], np.unique(np.concatenate(parts)))
    refined = inside.Summary(known.train, known.population, known.bins.refined(wanted, finer), known.scale)
    counting = inside.empirical(refined, delta, EMPIRICAL_CLIP)
    exact = estimate(train, population, delta, Method.EMPIRICAL, EMPIRICAL_CLIP).value
    assert inside.empirical(known, delta, EMPIRICAL_CLIP).at_most > exact  # there was something to find
    assert counting.found.value == counting.at_most == pytest.approx(exact, rel=COUNTED)
    best = estimate(train, population, delta, Method.CONFIDENCE).value
    assert inside.confident(refined, delta).value == best > inside.confident(known, delta).value


PAIRS = st.one_of(
    st.builds(inside.NormalLosses, st.floats(-3.0, 3.0), st.floats(0.5, 2.0)),
    st.builds(inside.GammaLosses, st.floats(0.0, 3.0)),
)


@settings(max_examples=8)
@given(st.lists(PAIRS, min_size=1, max_size=4), st.sampled_from([1e-9, 1e-5, 0.01]))
def test_many_models_show_no_more_than_theorem_2_of_paper_001_says(pairs, delta):
    rng = np.random.default_rng(0)
    found = inside.of_losses([pair.draw(500, rng) for pair in pairs], delta)
    assert 0.0 <= found.value <= found.log_mean_exp + 1e-9
    assert found.log_mean_exp <= max(found.each) + 1e-12
    if len(pairs) == 1:
        assert found.value == pytest.approx(found.log_mean_exp, abs=1e-9)


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
