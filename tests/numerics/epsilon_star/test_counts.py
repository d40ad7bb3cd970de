"""Epsilon* by counting losses: the definition, threshold by threshold; ties, clips and groups apart."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, estimate
from numerics.epsilon_star.audit_caveats import Caveat
from numerics.epsilon_star.counted_rates import counted_peaks
from numerics.epsilon_star.error_ratios import Term
from numerics.trade_off import Floats

DELTA = 1e-5
COUNTED = 1e-12  # two ways to divide the same counts


samples = st.lists(st.integers(-6, 6), min_size=10, max_size=60).map(lambda values: np.array(values, dtype=float))
clips = st.sampled_from([None, 0.001, 0.05, 0.3])


def by_definition(train: Floats, population: Floats, delta: float, clip: float | None) -> float:
    """Equation 7, threshold by threshold."""
    largest = 1.0
    for tau in np.unique(np.concatenate([train, population])):
        rates = [np.mean(population <= tau), np.mean(population > tau), np.mean(train > tau), np.mean(train <= tau)]
        t, not_t, eta, not_eta = rates if clip is None else np.clip(rates, clip, 1 - clip)
        for gain, cost in ((not_eta, t), (not_t, eta), (eta, not_t), (t, not_eta)):
            if gain > delta:
                largest = max(largest, (gain - delta) / cost if cost else math.inf)
    return math.log(largest)


@given(samples, samples, clips)
def test_counts_agree_with_the_definition(train: Floats, population: Floats, clip: float | None) -> None:
    ascending = np.sort(train), np.sort(population)
    peaks, _ = counted_peaks(*ascending, 1e-3, clip)
    expected = by_definition(train, population, 1e-3, clip)
    assert max(0.0, peaks[0].log_ratio) == pytest.approx(expected, abs=COUNTED)


@pytest.mark.parametrize("shift", [0.0, 0.3, -2.0])
@pytest.mark.parametrize("digits", [1, 12])
def test_blocks_left_out_hold_no_maximum(shift: float, digits: int) -> None:
    """Many blocks; every threshold is tried here."""
    rng = np.random.default_rng(2)
    train = np.sort(np.round(rng.gamma(2, 1, 9_000), digits))
    population = np.sort(np.round(rng.gamma(2, 1, 7_000) + shift, digits))
    tau = np.unique(np.concatenate([train, population]))
    t = np.searchsorted(population, tau, side="right") / len(population)
    eta = 1.0 - np.searchsorted(train, tau, side="right") / len(train)
    t, not_t, eta, not_eta = (np.clip(rate, 0.001, 0.999) for rate in (t, 1 - t, eta, 1 - eta))
    brute = [np.max((not_eta - DELTA) / t), np.max((not_t - DELTA) / eta)]
    brute += [np.max((eta - DELTA) / not_t), np.max((t - DELTA) / not_eta)]
    peaks, _ = counted_peaks(train, population, DELTA, 0.001)
    found = {peak.term: peak.log_ratio for peak in peaks}
    assert [found[term] for term in Term] == pytest.approx(np.log(brute), abs=COUNTED)


@given(samples, samples, clips)
def test_negated_losses_have_the_same_value(train: Floats, population: Floats, clip: float | None) -> None:
    """Exactly: terms change places (first with third, second with fourth), counts do not change."""
    if np.ptp(np.concatenate([train, population])) == 0.0:
        return
    there = estimate(train, population, 1e-3, Method.EMPIRICAL, clip)
    back = estimate(-train, -population, 1e-3, Method.EMPIRICAL, clip)
    assert there.value == back.value


def test_counts_without_a_clip_are_infinite_where_there_is_nothing_to_find() -> None:
    rng = np.random.default_rng(6)
    runs = [estimate(train, fresh, 1e-3, Method.EMPIRICAL) for train, fresh in rng.normal(size=(50, 2, 200))]
    assert {run.value for run in runs} == {np.inf}


def test_separated_groups_are_infinite_by_counting_or_capped() -> None:
    train, population = np.linspace(0.0, 1.0, 50), np.linspace(2.0, 3.0, 40)
    free = estimate(train, population, 1e-4, Method.EMPIRICAL)
    assert math.isinf(free.value)
    assert {Caveat.INFINITE, Caveat.SEPARATED} <= set(free.caveats)
    capped = estimate(train, population, 1e-4, Method.EMPIRICAL, EMPIRICAL_CLIP)
    assert capped.value == pytest.approx(capped.cap) == pytest.approx(math.log((1 - 0.001 - 1e-4) / 0.001))
    assert {Caveat.CLIPPED, Caveat.SEPARATED} <= set(capped.caveats)
    assert math.isfinite(estimate(train, population, 1e-4, Method.PARAMETRIC, scale=LossScale.PRINTED).value)


def test_of_infinite_ratios_the_one_that_names_most_people_leads() -> None:
    train = np.concatenate([[-1.0], np.linspace(0.0, 1.0, 2000)])
    population = np.concatenate([np.linspace(0.0, 1.0, 1900), np.linspace(2.0, 3.0, 600)])
    (first, *_) = estimate(train, population, 1e-5, Method.EMPIRICAL).peaks
    assert (first.term, first.log_ratio) == (Term.OUTSIDERS_ABOVE, math.inf)
    assert 1.0 - first.false_positive_rate == pytest.approx(600 / 2500)
    (back, *_) = estimate(-train, -population, 1e-5, Method.EMPIRICAL).peaks
    assert back.term is Term.OUTSIDERS_BELOW
    assert back.false_positive_rate == pytest.approx(600 / 2500)


def test_counts_take_a_group_of_equal_losses() -> None:
    found = estimate(np.full(20, 0.5), np.linspace(0.0, 1.0, 20), DELTA, Method.EMPIRICAL, EMPIRICAL_CLIP)
    assert 0.0 < found.value <= found.cap


@pytest.mark.parametrize(("clip", "delta"), [(0.45, 0.6), (0.45, 0.55), (0.4, 0.3)])
def test_a_clip_that_lets_nothing_through_has_cap_zero(clip, delta):
    losses = np.linspace(0.0, 1.0, 20)
    assert estimate(losses, losses + 0.5, method=Method.EMPIRICAL, delta=delta, clip=clip).cap == 0.0
