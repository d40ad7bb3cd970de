"""Claims and their tests by many runs: curves, exact p-values, refutations, designs and verdicts."""

from functools import partial
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr, ndtri

from numerics.audits import (
    Answer,
    ApproximateClaim,
    Claim,
    GdpClaim,
    ReleaseClaim,
    Scores,
    ScoreTail,
    at_least,
    can_refute,
    claim_test,
    claim_verdict,
    detectable,
    fewest_runs,
    largest_refuted,
    level_each,
    median_of_draws,
    one_row_each,
    power_curve,
    power_reached,
    runs_needed,
)
from numerics.conversions import power_limit
from numerics.deadline import DeadlineError
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.trade_off import Order
from tests.numerics.asked import Looks
from tests.numerics.audits.inside import critical_cut_counts, cut_p_value, cut_risk, end_ranks

ALPHA = np.concatenate(([0.0], np.geomspace(1e-8, 0.5, 60), 1.0 - np.geomspace(0.4, 1e-8, 60), [1.0]))
SAMPLED = Gaussian(1.0, 0.01, 1000)
FIXED = Gaussian(1.0, 0.05, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
RELEASES: list[Mechanism] = [SAMPLED, FIXED, Gaussian(0.8, 0.1), Laplace(1.0), Composition((SAMPLED, Gaussian(2.0)))]
CLAIMS: list[Claim] = [
    *(GdpClaim(0.0), GdpClaim(1.5), ApproximateClaim(1.0, 0.0), ApproximateClaim(0.5, 0.1)),
    *map(ReleaseClaim, RELEASES),
]
ONE = GdpClaim(1.0)
every_claim = pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.label)


def normal(runs: int, mu: float, seed: int = 0) -> Scores:
    rng = np.random.default_rng(seed)
    return Scores(rng.normal(size=runs), rng.normal(mu, 1.0, runs))


@every_claim
@pytest.mark.parametrize("order", Order)
def test_power_is_a_concave_curve_above_guessing_and_is_inverted(claim, order):
    power = claim.power(ALPHA, order)
    assert np.all(power >= ALPHA)
    assert np.all(np.diff(power) >= 0.0)
    assert power[-1] == 1.0
    assert np.all(np.diff(claim.power(np.linspace(0.0, 1.0, 401), order), 2) <= 1e-9)
    asked = np.geomspace(1e-6, 1.0, 200)[:-1]
    alpha = claim.alpha_for(asked, order)
    assert np.all(claim.power(alpha, order) >= asked * (1.0 - 1e-9))
    found = alpha > 1e-12
    np.testing.assert_allclose(claim.power(alpha[found], order), asked[found], rtol=1e-6)
    assert np.all(claim.power(np.zeros(1), order) >= asked[alpha == 0.0] * (1.0 - 1e-12))


@every_claim
def test_the_symmetric_order_allows_what_either_does_and_is_its_own_mirror_image(claim):
    both = claim.power(ALPHA)
    assert all(np.all(both >= claim.power(ALPHA, order) - 1e-12) for order in (Order.ADD, Order.REMOVE))
    inner = ALPHA[(both > 1e-7) & (both < 1.0 - 1e-7) & (ALPHA > 0.0)]
    np.testing.assert_allclose(claim.alpha_for(1.0 - inner), 1.0 - claim.power(inner), rtol=1e-5, atol=1e-9)


def test_claims_by_hand():
    """Gaussian and (epsilon, delta) curves; a release at its guarantee, in every order."""
    np.testing.assert_allclose(GdpClaim(1.5).power(ALPHA), ndtr(ndtri(ALPHA) + 1.5))
    np.testing.assert_allclose(ReleaseClaim(Gaussian(0.5)).power(ALPHA), GdpClaim(2.0).power(ALPHA), rtol=1e-12)
    assert ApproximateClaim(0.5, 0.1).power(ALPHA).tolist() == [power_limit(0.5, 0.1, alpha) for alpha in ALPHA]
    assert ApproximateClaim(0.5, 0.1).alpha_for(np.array([1.0])) == 0.9
    for release, order in product(RELEASES[:4], Order):
        curve = release.trade_off(ALPHA, order)
        np.testing.assert_array_equal(ReleaseClaim(release).power(ALPHA, order), (curve.lower or curve).power)


@every_claim
@pytest.mark.parametrize("factor", [1.05, 2.0])
def test_the_family_ascends_in_its_parameter_and_a_claim_says_what_it_is(claim, factor):
    more = claim.with_parameter(claim.parameter * factor + (0.1 if claim.grows else 0.0))
    assert (type(more), more.adjacency) == (type(claim), claim.adjacency)
    weak, strong = (claim, more) if claim.grows else (more, claim)
    assert np.all(strong.power(ALPHA[1:]) >= weak.power(ALPHA[1:]) * (1.0 - 1e-3))  # at 0 brackets promise no width
    assert strong.power(np.array([0.1])) > weak.power(np.array([0.1]))
    assert claim.parameter == getattr(getattr(claim, "release", claim), claim.parameter_name)
    assert claim.limits[0] <= claim.parameter <= claim.limits[1]
    for beyond in (claim.limits[0] - 1.0, claim.limits[1] * 2.0):
        with pytest.raises(ValueError, match=r"must|between"):
            claim.with_parameter(beyond)


CUTS = [
    *((ONE, 2, 9), (GdpClaim(0.0), 3, 7), (ApproximateClaim(1.0, 0.1), 1, 6), (ApproximateClaim(1.0, 0.0), 5, 12)),
    *((ReleaseClaim(Gaussian(1.0, 0.1, 20)), 2, 5), (ReleaseClaim(Gaussian(0.7, 0.3, 2)), 4, 11)),
]


@pytest.mark.parametrize(("claim", "rank", "accused"), CUTS, ids=str)
@pytest.mark.parametrize("order", [Order.ADD, Order.REMOVE])
def test_p_values_of_cuts_by_another_quadrature(claim, rank, accused, order):
    """The average over the rate itself, by the midpoint rule; the binomial tail as SciPy has it."""
    u = (np.arange(100_000) + 0.5) / 100_000
    tails = stats.binom.sf(accused - 1, 12, claim.power(u, order))
    expected = np.mean(tails * stats.beta.pdf(u, rank, 10 - rank + 1))
    assert cut_p_value(claim, rank, 10, accused, 12, order) == pytest.approx(expected, rel=1e-4)


def test_the_false_refutations_of_all_cuts_enumerated():
    """All interleavings of 4 and 4 scores of one law are equally likely; a claim of guessing is true."""
    labels = np.array([chosen for chosen in product([False, True], repeat=8) if sum(chosen) == 4])
    places = np.arange(8.0)
    found = np.array([claim_test(Scores(places[~own], places[own]), GdpClaim(0.0)).p_value for own in labels])
    assert len(found) == 70
    assert min(found) < 0.5
    assert all(np.mean(found <= risk) <= risk + 1e-12 for risk in found)


SIDE = st.lists(st.integers(-20, 20) | st.sampled_from([-np.inf, np.inf]), min_size=1, max_size=60).map(
    lambda values: np.array(values, float)
)


@settings(max_examples=12)
@given(SIDE, SIDE)
def test_only_the_order_of_scores_counts(null, alternative):
    mapped = Scores(*(np.arctan(side) * 7.0 + 3.0 for side in (null, alternative)))
    for claim in (ONE, ApproximateClaim(0.5, 0.01)):
        assert claim_test(Scores(null, alternative), claim).p_value == claim_test(mapped, claim).p_value


@settings(max_examples=15)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=80, unique=True), st.integers(1, 79), st.floats(0.01, 2.0))
def test_mirrored_scores_say_the_same_and_a_looser_claim_is_less_refuted(values, split, more):
    """Lots aside, which ties alone need: the opposite direction is tried as well, so are exchanged worlds."""
    pooled, split = np.array(values) + 0.0, min(split, len(values) - 1)
    there = Scores(pooled[:split], pooled[split:])
    p_value = claim_test(there, ONE).p_value
    for back in (Scores(-there.null, -there.alternative), Scores(there.alternative, there.null)):
        assert claim_test(back, ONE).p_value == pytest.approx(p_value, rel=1e-9)
    assert p_value <= claim_test(there, GdpClaim(1.0 + more)).p_value


def test_exchanged_worlds_of_a_release_have_the_other_curve():
    claim = ReleaseClaim(Gaussian(0.7, 0.2))
    add, remove = (cut_p_value(claim, 3, 300, 40, 300, order) for order in (Order.ADD, Order.REMOVE))
    assert add != pytest.approx(remove, rel=0.1)
    null, other = np.arange(300.0), np.concatenate([np.full(20, 297.5), np.arange(280.0) - 0.5])
    weak, strong = claim_test(Scores(null, other), claim), claim_test(Scores(-other, -null), claim)
    assert weak.p_value != pytest.approx(strong.p_value, rel=0.01)


def test_the_cut_says_what_was_counted():
    null, alternative = np.arange(100.0), np.concatenate([np.full(60, 98.5), np.arange(40.0) - 0.5])
    test = claim_test(Scores(null, alternative), ONE)
    cut = test.cut
    assert cut.reading is ScoreTail.MEMBERS_ABOVE
    assert [cut.accused, cut.wronged] == [np.sum(side > cut.threshold) for side in (alternative, null)]
    assert (cut.accused_of, cut.wronged_of, cut.tied_share) == (100, 100, 0.0)
    assert test.p_value == pytest.approx(4 * len(end_ranks(100)) * cut.p_value)
    assert test.is_refuted
    assert [(t.order is Order.ADD, t.above) for t in ScoreTail] == [
        ("presence" in t.words, "above" in t.words) for t in ScoreTail
    ]
    constant = claim_test(Scores(np.zeros(50), np.zeros(70)), GdpClaim(0.0))
    assert (constant.is_constant, constant.is_refuted) == (True, False)
    assert not claim_test(normal(10, 1.0), ONE).is_constant


@pytest.mark.parametrize("claim", [ONE, GdpClaim(3.0), ApproximateClaim(1.0, 1e-5), ReleaseClaim(SAMPLED)], ids=str)
def test_the_largest_refuted_is_the_edge(claim):
    """Of epsilon it is the lower bound on epsilon*, whose root is another one's."""
    found = normal(300, 1.5)
    edge = largest_refuted(found, claim)
    assert edge is not None
    p_values = [
        claim_test(found, claim.with_parameter(edge * (share if claim.grows else 1 / share))).p_value
        for share in (0.99, 1.0 - 1e-7, 1.0 + 1e-7, 1.01)
    ]
    assert p_values[0] < p_values[1] <= 0.05 <= p_values[2] < p_values[3]
    assert p_values[1] == pytest.approx(0.05, rel=1e-3)
    assert largest_refuted(Scores(np.arange(40.0), np.arange(40.0)), claim) is None


def test_critical_counts_are_the_least_that_refute():
    ranks, risk = end_ranks(60), cut_risk(60, 0.95)
    counts = critical_cut_counts(ONE, Order.ADD, 50, ranks, 60, risk)
    for rank, count in zip(ranks, counts, strict=True):
        assert count == min((a for a in range(51) if cut_p_value(ONE, rank, 60, a, 50) <= risk), default=51)


# How many runs a claim needs.


def refutes_at_best(claim: Claim, runs: int) -> bool:
    ranks = end_ranks(runs)
    return min(4 * len(ranks) * cut_p_value(claim, rank, runs, runs, runs) for rank in ranks) <= 0.05


@pytest.mark.parametrize("claim", [GdpClaim(0.0), ONE, GdpClaim(2.5), ApproximateClaim(2.9, 0.0)], ids=str)
def test_the_fewest_runs_by_enumeration(claim):
    """Of (2.9, 0) 55 runs suffice and 56 do not: they have one rank more."""
    by_hand = next(runs for runs in range(1, 200) if refutes_at_best(claim, runs))
    assert fewest_runs(claim) == by_hand
    for runs in (by_hand, by_hand - 1):
        apart = Scores(np.arange(float(runs)), np.arange(float(runs)) + 1e3)
        assert claim_test(apart, claim).is_refuted == can_refute(claim, runs, runs) == (runs == by_hand)


def test_the_runs_needed_are_the_fewest_within_a_hundredth():
    truth = GdpClaim(2.0)
    runs = runs_needed(ONE, truth)
    assert runs is not None
    assert power_reached(ONE, truth, runs) >= 0.8
    assert power_reached(ONE, truth, int(runs * 0.95)) < 0.8
    curve = power_curve(ONE, truth, np.array([runs / 2.0, 1.0 * runs]))
    assert curve.tolist() == [power_reached(ONE, truth, runs // 2), power_reached(ONE, truth, runs)]


def test_verdicts():
    refuted = claim_verdict(normal(200, 2.0), ONE)
    assert refuted.answer is Answer.REFUTED
    assert refuted.largest_refuted is not None
    assert 1.0 < refuted.largest_refuted < 2.0
    alike = claim_verdict(normal(1000, 1.0), ONE)
    assert alike.answer is Answer.NOT_REFUTED
    assert alike.factor == alike.detectable == pytest.approx(1.2321756830076092, abs=1e-6)
    few = claim_verdict(normal(100, 1.0), ONE)
    assert (few.answer, few.can_refute) == (Answer.TOO_FEW, True)  # what 100 runs find is 1.72 times as large
    assert claim_verdict(normal(100, 1.0), ONE, largest_factor=2.0).answer is Answer.NOT_REFUTED
    none = claim_verdict(normal(9, 1.0), ONE)
    assert (none.answer, none.can_refute, none.detectable) == (Answer.TOO_FEW, False, None)
    assert claim_verdict(normal(500, 0.0), GdpClaim(0.0)).factor == np.inf


def test_a_violation_of_a_release_is_less_noise():
    claim = ReleaseClaim(Gaussian(1.0, 0.1, 20))
    verdict = claim_verdict(normal(500, 0.1), claim)
    assert verdict.detectable is not None
    assert verdict.detectable < 1.0
    assert verdict.factor == pytest.approx(1.0 / verdict.detectable)
    assert power_reached(claim, claim.with_parameter(verdict.detectable), 500) == pytest.approx(0.8, abs=1e-3)


LONG = [
    partial(runs_needed, ONE, GdpClaim(1.1)),
    partial(detectable, ONE, 50, 50),
    partial(fewest_runs, GdpClaim(2.5)),
    partial(power_curve, ONE, GdpClaim(2.0), np.array([50.0])),
    partial(largest_refuted, normal(50, 1.0), ONE),
    partial(median_of_draws, lambda *_: 0.0, np.arange(3)),
]


@pytest.mark.parametrize("asked", LONG, ids=lambda asked: asked.func.__name__)
def test_the_deadline_is_kept(asked):
    with pytest.raises(DeadlineError):
        asked(deadline=Looks())


# Bounds of several models, and of one row a person.


@settings(max_examples=25)
@given(st.lists(st.floats(0.0, 5.0), min_size=1, max_size=12), st.data())
def test_at_least_so_many_models(values, data):
    bounds = [lambda level, value=value: value - level for value in values]
    count = data.draw(st.integers(1, len(values)))
    assert at_least(count, bounds) == sorted(values, reverse=True)[count - 1] - level_each(len(values), count)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_the_statement_fails_at_most_as_often_as_it_says(count):
    """Three models with the true numbers 0, 1 and 1, in the worst dependence: their bounds fail in turn."""
    failures, parts, truth = 0, 2000, [0.0, 1.0, 1.0]
    risk = 1.0 - level_each(3, count)
    for place in (np.arange(parts) + 0.5) / parts:  # in disjoint parts of the chances each bound fails
        said = [value + (k * risk <= place < (k + 1) * risk) for k, value in enumerate(truth)]
        bounds = [lambda _, value=value: value for value in said]
        failures += at_least(count, bounds) > sorted(truth, reverse=True)[count - 1]
    assert failures <= 0.05 * parts + 1


def test_one_row_each():
    persons = np.array([3, 1, 3, 3, 7, 1])
    chosen = [one_row_each(persons, seed) for seed in range(600)]
    assert all(sorted(persons[rows]) == [1, 3, 7] and np.all(np.diff(rows) > 0) for rows in chosen)
    assert np.mean([2 in rows for rows in chosen]) == pytest.approx(1 / 3, abs=0.08)  # four standard errors
