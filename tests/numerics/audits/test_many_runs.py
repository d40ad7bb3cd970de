"""Tests of claims by many runs: against reference values, exact enumeration, and the laws they keep."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from numerics import Gaussian
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim, Scores
from numerics.audits.cut_p_values import CutPValues, critical_counts
from numerics.audits.many_runs import ScoreTail, claim_test, cut_risk, largest_refuted
from numerics.audits.preset_threshold import ThresholdCounts, clopper_pearson_epsilon
from numerics.epsilon_star.confidence import end_ranks
from numerics.epsilon_star.ratio_limits import Cuts
from numerics.trade_off import Order
from tests.reference import Reference, each

ONE = GdpClaim(1.0)


def normal(runs: int, mu: float, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    return Scores(rng.normal(size=runs), rng.normal(mu, 1.0, runs))


def p_value(claim: Claim, rank: float, null: int, accused: float, other: int, order: Order = Order.ADD) -> float:
    cuts = Cuts(np.array([accused]), other, np.array([rank]), null)
    return float(CutPValues(cuts).of(claim, order)[0])


def claimed(row: Reference) -> Claim:
    if "mu" in row.params:
        return GdpClaim(row.number("mu"))
    return ApproximateClaim(row.number("epsilon"), row.number("delta"))


@each("p-value of the claim", prefix="manyrun")
def test_p_values_of_cuts(row: Reference) -> None:
    sizes = row.count("null_scores"), row.number("accused"), row.count("alternative_scores")
    assert p_value(claimed(row), row.number("rank"), *sizes) == pytest.approx(row.expected, rel=1e-6)


@pytest.mark.parametrize(
    ("claim", "rank", "accused"),
    [
        (ONE, 2, 9),
        (GdpClaim(0.0), 3, 7),
        (ApproximateClaim(1.0, 0.1), 1, 6),
        (ApproximateClaim(1.0, 0.0), 5, 12),
        (ReleaseClaim(Gaussian(1.0, 0.1, 20)), 2, 5),
        (ReleaseClaim(Gaussian(0.7, 0.3, 2)), 4, 11),
    ],
)
@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_p_values_of_cuts_by_another_quadrature(claim: Claim, rank: int, accused: int, order: Order) -> None:
    """The average over the rate itself, by the midpoint rule; the binomial tail as SciPy has it."""
    u = (np.arange(200_000) + 0.5) / 200_000
    tails = stats.binom.sf(accused - 1, 12, claim.power(u, order))
    expected = np.mean(tails * stats.beta.pdf(u, rank, 10 - rank + 1))
    assert p_value(claim, rank, 10, accused, 12, order) == pytest.approx(expected, rel=1e-4)


def test_a_cut_that_nobody_of_the_other_world_is_beyond_says_nothing() -> None:
    assert p_value(ONE, 3, 10, 0, 10) == 1.0


def test_a_p_value_is_never_said_to_be_0() -> None:
    assert 1e-15 < p_value(ONE, 1, 1000, 1000, 1000) < 1e-13


def test_the_false_refutations_of_one_cut_enumerated() -> None:
    """All interleavings of 4 and 4 scores of one law are equally likely; a claim of guessing is true."""
    p_values = []
    for labels in product([0, 1], repeat=8):
        if sum(labels) == 4:
            places = np.arange(8.0)
            chosen = np.array(labels, bool)
            test = claim_test(Scores(places[~chosen], places[chosen]), GdpClaim(0.0))
            p_values.append(test.p_value)
    assert len(p_values) == 70
    for risk in np.unique(p_values):
        assert np.mean(np.array(p_values) <= risk) <= risk + 1e-12
    assert min(p_values) < 0.5


scores = st.lists(st.integers(-20, 20) | st.sampled_from([-np.inf, np.inf]), min_size=1, max_size=60)


@settings(max_examples=20, deadline=None)
@given(scores, scores)
def test_only_the_order_of_scores_counts(null, alternative) -> None:
    plain = Scores(np.array(null, float), np.array(alternative, float))
    mapped = Scores(*(np.arctan(side) * 7.0 + 3.0 for side in plain))
    for claim in (ONE, ApproximateClaim(0.5, 0.01)):
        assert claim_test(plain, claim).p_value == claim_test(mapped, claim).p_value


@settings(max_examples=20, deadline=None)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=80, unique=True), st.integers(1, 79))
def test_mirrored_scores_say_the_same(values, split) -> None:
    """Lots aside, which ties alone need: the opposite direction is tried as well, so are exchanged worlds."""
    pooled = np.array(values) + 0.0
    split = min(split, len(values) - 1)
    there = Scores(pooled[:split], pooled[split:])
    p_value = claim_test(there, ONE).p_value
    assert claim_test(Scores(-there.null, -there.alternative), ONE).p_value == pytest.approx(p_value, rel=1e-9)
    assert claim_test(Scores(there.alternative, there.null), ONE).p_value == pytest.approx(p_value, rel=1e-9)


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 200), st.floats(0.0, 3.0), st.floats(0.01, 2.0), st.integers(0, 99))
def test_a_claim_that_allows_more_is_less_refuted(runs, mu, more, seed) -> None:
    found = normal(runs, 2.0, seed)
    assert claim_test(found, GdpClaim(mu)).p_value <= claim_test(found, GdpClaim(mu + more)).p_value


def test_exchanged_worlds_of_a_release_have_the_other_curve() -> None:
    """The two orders of a sampled release differ; the null world decides which is meant."""
    claim = ReleaseClaim(Gaussian(0.7, 0.2))
    add, remove = (p_value(claim, 3, 300, 40, 300, order) for order in (Order.ADD, Order.REMOVE))
    assert add != pytest.approx(remove, rel=0.1)
    null, other = np.arange(300.0), np.concatenate([np.full(20, 297.5), np.arange(280.0) - 0.5])
    weak, strong = claim_test(Scores(null, other), claim), claim_test(Scores(-other, -null), claim)
    assert weak.p_value != pytest.approx(strong.p_value, rel=0.01)


def test_the_cut_says_what_was_counted() -> None:
    null, alternative = np.arange(100.0), np.concatenate([np.full(60, 98.5), np.arange(40.0) - 0.5])
    test = claim_test(Scores(null, alternative), ONE)
    cut = test.cut
    assert cut.reading is ScoreTail.MEMBERS_ABOVE
    assert cut.accused == np.sum(alternative > cut.threshold)
    assert cut.wronged == np.sum(null > cut.threshold)
    assert (cut.accused_of, cut.wronged_of) == (100, 100)
    assert cut.tied_share == 0.0
    assert test.p_value == pytest.approx(4 * len(end_ranks(100)) * cut.p_value)
    assert test.is_refuted
    assert "accuses of presence where the score is above" in cut.reading.words


def test_constant_scores_say_nothing() -> None:
    test = claim_test(Scores(np.zeros(50), np.zeros(70)), GdpClaim(0.0))
    assert test.is_constant
    assert not test.is_refuted
    assert not claim_test(normal(10, 1.0), ONE).is_constant


@pytest.mark.parametrize("claim", [ONE, GdpClaim(3.0), ReleaseClaim(Gaussian(1.0, 0.01, 1000))])
def test_the_largest_refuted_is_the_edge(claim: Claim) -> None:
    found = normal(200, 1.5)
    edge = largest_refuted(found, claim)
    assert edge is not None
    less = edge * 0.99 if claim.grows else edge * 1.01
    more = edge * 1.01 if claim.grows else edge * 0.99
    assert claim_test(found, claim.with_parameter(edge)).is_refuted
    assert claim_test(found, claim.with_parameter(less)).is_refuted
    assert not claim_test(found, claim.with_parameter(more)).is_refuted


def test_the_largest_refuted_epsilon_is_the_lower_bound_on_epsilon_star() -> None:
    """Two routes: the bound's own root, and the general test of the curve of (epsilon, delta)."""
    found = normal(300, 1.5)
    edge = largest_refuted(found, ApproximateClaim(1.0, 1e-5))
    assert edge is not None
    assert claim_test(found, ApproximateClaim(edge - 1e-6, 1e-5)).p_value <= 0.05
    assert claim_test(found, ApproximateClaim(edge + 1e-6, 1e-5)).p_value == pytest.approx(0.05, rel=1e-3)


def test_where_nothing_is_refuted() -> None:
    for claim in (ONE, ApproximateClaim(1.0, 1e-5), ReleaseClaim(Gaussian(1.0, 0.1, 10))):
        assert largest_refuted(Scores(np.arange(40.0), np.arange(40.0)), claim) is None


def test_critical_counts_are_the_least_that_refute() -> None:
    ranks, risk = end_ranks(60), cut_risk(60, 0.95)
    counts = critical_counts(ONE, Order.ADD, 50, ranks, 60, risk)
    for rank, count in zip(ranks, counts, strict=True):
        by_hand = [a for a in range(51) if p_value(ONE, rank, 60, a, 50) <= risk]
        assert count == min(by_hand, default=51)


@each("lower limit on eps")
def test_clopper_pearson(row: Reference) -> None:
    assert clopper_pearson_epsilon(counts(row), row.number("delta")) == pytest.approx(row.expected, rel=1e-9)


def counts(row: Reference) -> ThresholdCounts:
    return ThresholdCounts(*(row.count(name) for name in ("false_positives", "outsiders", "true_positives", "members")))


def test_counts_that_show_nothing() -> None:
    for shown in (ThresholdCounts(5, 10, 0, 10), ThresholdCounts(10, 10, 10, 10), ThresholdCounts(9, 10, 3, 10)):
        assert clopper_pearson_epsilon(shown, 0.0) == 0.0
    with pytest.raises(ValueError, match="true_positives must be between 0 and 10, got 11"):
        ThresholdCounts(0, 10, 11, 10)
