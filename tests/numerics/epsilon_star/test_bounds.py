"""The lower confidence bound: exact p-values and limits, its counts, bins of losses, and many models together."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate
from numerics.trade_off import Floats
from tests.numerics.epsilon_star import inside
from tests.numerics.epsilon_star.samples import counted_between, summary

EXACT = 1e-9  # quadrature of smooth functions
ROUNDING = 1e-12  # the same counts, divided in another order
DELTA = 1e-5
SMALL = st.lists(st.integers(-5, 5), min_size=10, max_size=80).map(lambda values: np.array(values, dtype=float))


@pytest.mark.parametrize(
    ("named", "named_size", "rank", "wronged_size"), [(5, 10, 1, 10), (9, 12, 3, 8), (40, 60, 11, 30)]
)
def test_p_value_of_equal_laws_counts_orders(named, named_size, rank, wronged_size):
    """At ratio 1 and delta 0 all orders are equally likely: at least ``named`` of the first named + rank - 1 are."""
    total = sum(
        Fraction(math.comb(k + rank - 1, k) * math.comb(named_size - k + wronged_size - rank, named_size - k))
        for k in range(named, named_size + 1)
    )
    expected = float(total / math.comb(named_size + wronged_size, named_size))
    (found,) = inside.p_values(inside.cut(named, named_size, rank, wronged_size), 0.0, np.zeros(1))
    assert found == pytest.approx(expected, rel=EXACT)


@pytest.mark.parametrize(("delta", "log_ratio"), [(0.0, 1.3), (0.02, 0.4), (0.1, 2.0)])
def test_p_values_and_limits_by_adaptive_quadrature(delta, log_ratio):
    """An average of binomial tails over the threshold's rate; a limit is where the p-value is the risk."""
    named, named_size, rank, wronged_size = 70, 200, 9, 150
    law = stats.beta(rank, wronged_size - rank + 1)

    def tail(u: float) -> float:
        return float(stats.binom.sf(named - 1, named_size, min(1.0, delta + math.exp(log_ratio) * u)))

    expected = law.expect(tail, epsabs=1e-13, epsrel=1e-12, limit=400)
    one = inside.cut(named, named_size, rank, wronged_size)
    (found,) = inside.p_values(one, delta, np.array([log_ratio]))
    assert found == pytest.approx(expected, rel=1e-8)  # the adaptive rule's own tolerance at the kink
    (limit,) = inside.log_limits(one, delta, np.array([found]))
    assert limit == pytest.approx(log_ratio, abs=1e-7)


def test_the_counts_shown_are_those_at_the_threshold_and_show_more_than_the_bound():
    rng = np.random.default_rng(8)
    train, population = rng.normal(-1.5, 1.0, 400), rng.normal(0.0, 0.5, 500)
    for s, term in ((1.0, inside.Term.MEMBERS_BELOW), (-1.0, inside.Term.MEMBERS_ABOVE)):
        found = inside.bound(s * train, s * population)
        place = found.place
        assert place is not None
        named, wronged = (int(np.sum(losses < s * place.threshold)) for losses in (train, population))
        assert place.term is term
        assert (place.named, place.wronged, place.named_size, place.wronged_size) == (named, wronged, 400, 500)
        assert math.exp(found.value) < (named / 400) / (wronged / 500 if wronged else 1e-9)
        rates = (wronged / 500, 1.0 - named / 400)
        expected = rates if term is inside.Term.MEMBERS_BELOW else (1.0 - rates[0], 1.0 - rates[1])
        assert (found.peaks[0].false_positive_rate, found.peaks[0].false_negative_rate) == pytest.approx(expected)


@settings(max_examples=15)
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


@settings(max_examples=12)
@given(SEEDS, EDGES, DELTAS, CLIPS, st.sampled_from([None, 1]))
def test_bins_enclose_the_counted_estimate_and_never_show_more(seed, edges, delta, clip, decimals):
    train, population = drawn(seed, decimals=decimals)
    known = summary(train, population, edges)
    exact, found = (
        estimate(train, population, delta, Method.EMPIRICAL, clip).value,
        inside.empirical(known, delta, clip),
    )
    assert found.found.value <= exact + ROUNDING
    assert exact <= found.at_most + ROUNDING
    if decimals is None:
        highest = estimate(train, population, delta, Method.CONFIDENCE).value
        assert inside.confident(known, delta).value <= highest + 1e-8  # of the search for the limits


@settings(max_examples=8)
@given(SEEDS, DELTAS, CLIPS, st.sampled_from([None, 1, 0]))
def test_bins_of_single_losses_give_all_estimates(seed, delta, clip, decimals):
    train, population = drawn(seed, 60, decimals)
    known = summary(train, population, np.unique(np.concatenate([train, population])))
    assert known.bins.settled.all()
    counting, exact = inside.empirical(known, delta, clip), estimate(train, population, delta, Method.EMPIRICAL, clip)
    assert counting.at_most == counting.found.value == pytest.approx(exact.value, rel=ROUNDING)
    assert counting.found.evidence == exact.evidence
    assert inside.confident(known, delta).confidence == estimate(train, population, delta, Method.CONFIDENCE).confidence
    fit = estimate(train, population, delta, Method.PARAMETRIC, clip, scale=LossScale.PRINTED)
    assert inside.parametric(known, delta, clip).value == pytest.approx(fit.value, rel=1e-11)


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
    assert counting.found.value == counting.at_most == pytest.approx(exact, rel=ROUNDING)
    best = estimate(train, population, delta, Method.CONFIDENCE).value
    assert inside.confident(refined, delta).value == best > inside.confident(known, delta).value


def test_bins_with_the_first_and_the_last_loss_of_a_group_are_looked_into():
    """There infinite ratios name most people. The bins: 100 losses of each, at either end of one of them alone."""
    edges, counts = np.arange(12.0), np.array([0.0, *[100.0] * 8, 0.0, 0.0])
    for train, population in ((counts, np.roll(counts, 2)), (np.roll(counts, 2), counts)):
        wanted = inside.wanted_for_counts(
            inside.LossBins.of(edges[:-1], edges[:-1] + 0.5, train, population), 1e-3, None
        )
        assert all(wanted[np.flatnonzero(group)[[0, -1]]].all() for group in (train, population))


# Many models of one mechanism (paper 001 Theorems 2 and 4).

PAIRS = st.one_of(
    st.builds(inside.NormalLosses, st.floats(-3.0, 3.0), st.floats(0.5, 2.0)),
    st.builds(inside.GammaLosses, st.floats(0.0, 3.0)),
)


@settings(max_examples=10)
@given(st.lists(PAIRS, min_size=1, max_size=5), st.sampled_from([1e-9, 1e-5, 0.01]))
def test_theorem_2_for_laws(pairs, delta):
    found = inside.of_laws([pair.laws for pair in pairs], delta)
    assert 0.0 <= found.value <= found.log_mean_exp + 1e-9
    assert found.log_mean_exp <= max(found.each) + 1e-12
    if len({*pairs}) == 1:
        assert found.value == pytest.approx(found.log_mean_exp, abs=1e-9)


def test_averaging_the_errors_of_two_models_by_hand():
    """Shifts 1 and 2: the mean of the two powers at each rate, by SciPy's normal law on another grid."""
    found = inside.of_laws([inside.NormalLosses(shift).laws for shift in (1.0, 2.0)], DELTA)
    z = np.linspace(-7.0, 7.0, 200_001)
    t, power = stats.norm.cdf(z), 0.5 * (stats.norm.cdf(z + 1.0) + stats.norm.cdf(z + 2.0))
    miss = 0.5 * (stats.norm.sf(z + 1.0) + stats.norm.sf(z + 2.0))
    by_hand = max(np.log(np.max((power - DELTA) / t)), np.log(np.max((stats.norm.sf(z) - DELTA) / miss)))
    assert found.value == pytest.approx(by_hand, abs=1e-5)
    assert found.each[0] < found.value < found.log_mean_exp < found.each[1]


def test_counts_of_one_model_are_those_of_epsilon_star():
    rng = np.random.default_rng(3)
    train, fresh = rng.normal(0.0, 1.0, 2000), rng.normal(1.0, 1.0, 999)
    found = inside.of_losses([(train, fresh)], DELTA, 1e-3)
    one = estimate(train, fresh, DELTA, Method.EMPIRICAL, 1e-3).value
    assert one - 0.05 <= found.value <= one + 1e-12  # fewer thresholds
    both = inside.of_losses([(train, fresh), (train + 0.5, fresh)], 0.01)
    assert 0.0 <= both.value <= both.log_mean_exp + 1e-9
