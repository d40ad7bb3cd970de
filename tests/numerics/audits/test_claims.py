"""Claims and their tests by many runs: curves, exact p-values, refutations, designs, and bounds of several models."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from scipy.special import ndtr, ndtri

from numerics import audits
from numerics.conversions import power_limit
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Mechanism, Sampling
from numerics.trade_off import Order
from tests.numerics.audits.inside import cut_p_value, end_ranks

ALPHA = np.concatenate(([0.0], np.geomspace(1e-8, 0.5, 60), 1.0 - np.geomspace(0.4, 1e-8, 60), [1.0]))
SAMPLED = Gaussian(1.0, 0.01, 1000)
FIXED = Gaussian(1.0, 0.05, 100, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)
RELEASES: list[Mechanism] = [SAMPLED, FIXED, Gaussian(0.8, 0.1), Laplace(1.0), Composition((SAMPLED, Gaussian(2.0)))]
CLAIMS: list[audits.Claim] = [
    *(audits.GdpClaim(0.0), audits.GdpClaim(1.5), audits.ApproximateClaim(1.0, 0.0), audits.ApproximateClaim(0.5, 0.1)),
    *map(audits.ReleaseClaim, RELEASES),
]
ONE = audits.GdpClaim(1.0)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.label)
def test_laws_of_claims(claim):
    """Power is concave above guessing and inverted, symmetric where either order is, and ascends in the parameter."""
    asked, both = np.geomspace(1e-6, 1.0, 200)[:-1], claim.power(ALPHA)
    for order in Order:
        power = claim.power(ALPHA, order)
        assert np.all((power >= ALPHA) & (power <= both + 1e-12))
        assert np.all(np.diff(power) >= 0.0)
        assert power[-1] == 1.0
        assert np.all(np.diff(claim.power(np.linspace(0.0, 1.0, 401), order), 2) <= 1e-9)
        alpha = claim.alpha_for(asked, order)
        found = alpha > 1e-12
        np.testing.assert_allclose(claim.power(alpha[found], order), asked[found], rtol=1e-6)
        assert np.all(claim.power(alpha, order) >= asked * (1.0 - 1e-9))
    inner = ALPHA[(both > 1e-7) & (both < 1.0 - 1e-7) & (ALPHA > 0.0)]
    np.testing.assert_allclose(claim.alpha_for(1.0 - inner), 1.0 - claim.power(inner), rtol=1e-5, atol=1e-9)
    more = claim.with_parameter(claim.parameter * 1.05 + (0.1 if claim.grows else 0.0))
    weak, strong = (claim, more) if claim.grows else (more, claim)
    assert np.all(strong.power(ALPHA[1:]) >= weak.power(ALPHA[1:]) * (1.0 - 1e-3))  # at 0 brackets promise no width
    assert strong.power(np.array([0.1])) > weak.power(np.array([0.1]))


def test_claims_by_hand():
    """Gaussian and (epsilon, delta) curves; a release at its guarantee, in every order."""
    np.testing.assert_allclose(audits.GdpClaim(1.5).power(ALPHA), ndtr(ndtri(ALPHA) + 1.5))
    assert audits.ApproximateClaim(0.5, 0.1).power(ALPHA).tolist() == [power_limit(0.5, 0.1, alpha) for alpha in ALPHA]
    assert audits.ApproximateClaim(0.5, 0.1).alpha_for(np.array([1.0])) == 0.9
    for release, order in product((*RELEASES[:4], Gaussian(0.5)), Order):
        curve = release.trade_off(ALPHA, order)
        np.testing.assert_array_equal(audits.ReleaseClaim(release).power(ALPHA, order), (curve.lower or curve).power)


CUTS = [
    *((ONE, 2, 9), (audits.ApproximateClaim(1.0, 0.1), 1, 6), (audits.ApproximateClaim(1.0, 0.0), 5, 12)),
    *((audits.ReleaseClaim(Gaussian(1.0, 0.1, 20)), 2, 5), (audits.ReleaseClaim(Gaussian(0.7, 0.3, 2)), 4, 11)),
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
    """All interleavings of 3 and 4 scores of one law are equally likely; a claim of guessing is true."""
    labels = np.array([chosen for chosen in product([False, True], repeat=7) if sum(chosen) == 4])
    places, claim = np.arange(7.0), audits.GdpClaim(0.0)
    found = np.array([audits.claim_test(audits.Scores(places[~own], places[own]), claim).p_value for own in labels])
    assert len(found) == 35
    assert min(found) < 1.0
    assert all(np.mean(found <= risk) <= risk + 1e-12 for risk in found)


@settings(max_examples=6)
@given(st.lists(st.floats(-5, 5), min_size=2, max_size=60, unique=True), st.integers(1, 59), st.floats(0.01, 2.0))
def test_only_order_counts_mirrored_scores_say_the_same_and_a_looser_claim_is_less_refuted(values, split, more):
    """Lots aside, which ties alone need: the opposite direction is tried as well, so are exchanged worlds."""
    pooled, split = np.array(values) + 0.0, min(split, len(values) - 1)
    there = audits.Scores(pooled[:split], pooled[split:])
    p_value = audits.claim_test(there, ONE).p_value
    ranks = np.argsort(np.argsort(pooled)).astype(np.float64)
    assert audits.claim_test(audits.Scores(ranks[:split], ranks[split:]), ONE).p_value == p_value
    for back in (audits.Scores(-there.null, -there.alternative), audits.Scores(there.alternative, there.null)):
        assert audits.claim_test(back, ONE).p_value == pytest.approx(p_value, rel=1e-9)
    assert p_value <= audits.claim_test(there, audits.GdpClaim(1.0 + more)).p_value


def test_the_cut_says_what_was_counted():
    null, alternative = np.arange(100.0), np.concatenate([np.full(60, 98.5), np.arange(40.0) - 0.5])
    test = audits.claim_test(audits.Scores(null, alternative), ONE)
    cut = test.cut
    assert cut.orientation is audits.ScoreOrientation.MEMBERS_ABOVE
    assert [cut.true_positives, cut.false_positives] == [np.sum(side > cut.threshold) for side in (alternative, null)]
    assert (cut.positives, cut.negatives, cut.tied_share) == (100, 100, 0.0)
    assert test.p_value == pytest.approx(4 * len(end_ranks(100)) * cut.p_value)
    constant = audits.claim_test(audits.Scores(np.zeros(50), np.full(70, -0.0)), audits.GdpClaim(0.0))
    assert (test.is_refuted, constant.is_constant, constant.is_refuted, test.is_constant) == (True, True, False, False)


@pytest.mark.parametrize("claim", [audits.ApproximateClaim(1.0, 1e-5), audits.ReleaseClaim(Gaussian(1.0))], ids=str)
def test_the_largest_refuted_is_the_edge(claim):
    """Of epsilon it is the lower bound on epsilon*, whose root is another one's."""
    rng = np.random.default_rng(0)
    found = audits.Scores(rng.normal(size=120), rng.normal(2.5, 1.0, 120))
    edge = audits.largest_refuted(found, claim)
    assert edge is not None
    p_values = [
        audits.claim_test(found, claim.with_parameter(edge * (share if claim.grows else 1 / share))).p_value
        for share in (0.99, 1.0 - 1e-7, 1.0 + 1e-7, 1.01)
    ]
    assert p_values[0] < p_values[1] <= 0.05 <= p_values[2] < p_values[3]
    assert p_values[1] == pytest.approx(0.05, rel=1e-3)
    assert audits.largest_refuted(audits.Scores(np.arange(40.0), np.arange(40.0)), claim) is None
