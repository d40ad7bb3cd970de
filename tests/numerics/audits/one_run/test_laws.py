"""Laws of the tests of one run, over drawn guesses and claims."""

import numpy as np
import pytest
import scipy
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.special import expit

from numerics.audits import ApproximateClaim, GdpClaim, ReleaseClaim
from numerics.audits.one_run import Guesses, odds, p_value, parameter_refuted
from tests.numerics.audits.one_run.test_p_values import CLOSE, STATED


@st.composite
def some_guesses(draw: st.DrawFn, fewest: int = 1, most: int = 4) -> Guesses:
    """Any nested numbers of right guesses among 20 to 400 canaries."""
    canaries = draw(st.integers(20, 400))
    counts = sorted(draw(st.sets(st.integers(1, canaries), min_size=fewest, max_size=most)))
    correct = [0]
    for more in np.diff([0, *counts]).tolist():
        correct.append(correct[-1] + draw(st.integers(0, more)))
    return Guesses(canaries, tuple(counts), tuple(correct[1:]))


claims = st.one_of(
    st.builds(GdpClaim, st.floats(0.0, 4.0)),
    st.builds(ApproximateClaim, st.floats(0.0, 4.0), st.sampled_from([0.0, 1e-6, 1e-3, 0.1])),
    st.just(ReleaseClaim(STATED)),
)

families = claims.filter(lambda claim: claim.grows)  # cheap: a member of a release's family has to be certified


def with_right(guesses: Guesses, more: int) -> Guesses:
    """Each of the surest guesses is right, as far as ``more`` of them go."""
    correct = tuple(max(v, min(g, v + more)) for g, v in zip(guesses.counts, guesses.correct, strict=True))
    wrong = np.diff([0, *(g - v for g, v in zip(guesses.counts, correct, strict=True))])
    assume(np.all(wrong >= 0))
    return Guesses(guesses.canaries, guesses.counts, correct)


@settings(max_examples=60)
@given(some_guesses(), claims, st.integers(1, 30))
def test_more_right_guesses_never_raise_the_p_value(guesses, claim, more):
    assert p_value(with_right(guesses, more), claim) <= p_value(guesses, claim) * (1.0 + CLOSE)


@settings(max_examples=60)
@given(some_guesses(), claims, st.integers(1, 1000))
def test_canaries_that_are_not_guessed_never_lower_it(guesses, claim, more):
    larger = Guesses(guesses.canaries + more, guesses.counts, guesses.correct)
    assert p_value(larger, claim) >= p_value(guesses, claim) * (1.0 - 1e-6)
    delta = 1e-5
    assert odds.p_value(larger, 0.5, delta) >= odds.p_value(guesses, 0.5, delta)


@settings(max_examples=60)
@given(some_guesses(), families, st.floats(0.0, 3.0))
def test_a_looser_claim_never_has_a_smaller_one(guesses, claim, more):
    if len(guesses.counts) == 1 or not (isinstance(claim, ApproximateClaim) and claim.delta == 0.0):
        looser = claim.with_parameter(claim.parameter + more)
        assert p_value(guesses, looser) >= p_value(guesses, claim) * (1.0 - 1e-6)


@settings(max_examples=100)
@given(some_guesses(most=1), st.floats(0.0, 5.0))
def test_without_delta_one_count_has_the_binomial_p_value(guesses, epsilon):
    (g,), (v,) = guesses.counts, guesses.correct
    exact = scipy.stats.binom.sf(v - 1, g, expit(epsilon)) if 2 * v > g else 1.0
    assert odds.p_value(guesses, epsilon) == pytest.approx(exact, rel=1e-9)
    assert p_value(guesses, ApproximateClaim(epsilon, 0.0)) == odds.p_value(guesses, epsilon)


@settings(max_examples=60)
@given(some_guesses(2), st.floats(0.0, 3.0))
def test_all_counts_lie_between_the_best_and_bonferroni(guesses, epsilon):
    alone = [
        scipy.stats.binom.sf(v - 1, g, expit(epsilon)) for g, v in zip(guesses.counts, guesses.correct, strict=True)
    ]
    found = odds.p_value(guesses, epsilon)
    assume(found < 1.0)
    assert min(alone) * (1.0 - 1e-9) <= found <= len(alone) * min(alone) * (1.0 + 1e-8)


@settings(max_examples=60)
@given(some_guesses(), st.sampled_from([0.0, 1e-6, 1e-4]), st.floats(0.5, 0.99))
def test_the_bound_on_epsilon_is_refuted_and_hardly_more_is_not(guesses, delta, level):
    found = odds.epsilon_at_least(guesses, delta, level)
    if found > 0.0:
        assert odds.p_value(guesses, found, delta) <= (1.0 - level) * (1.0 + 1e-9)
    assert odds.p_value(guesses, found + 1e-6, delta) >= (1.0 - level) * (1.0 - 1e-4)


@settings(max_examples=60)
@given(some_guesses(), families, st.booleans())
def test_the_parameter_refuted_is_where_the_p_value_meets_the_risk(guesses, claim, two_sided):
    found = parameter_refuted(guesses, claim, 0.9, two_sided)
    if found is None:
        assert p_value(guesses, claim.with_parameter(0.001), two_sided) >= 0.1 * (1.0 - 1e-6)
        return
    assert p_value(guesses, claim.with_parameter(found), two_sided) <= 0.1 * (1.0 + 1e-6)
    if found < 40.0:
        assert p_value(guesses, claim.with_parameter(found * 1.001), two_sided) >= 0.1 * (1.0 - 1e-6)
