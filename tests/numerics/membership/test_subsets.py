"""Membership privacy of any k of n, every output, two releases, one subset (paper 002): counted, simulated, laws."""

from itertools import product
from math import comb, exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import membership
from numerics.mechanisms import Adjacency, Gaussian, Laplace
from numerics.membership.advantage import Game
from numerics.membership.finite_release import (
    FiniteRelease,
    one_subset,
    one_subset_eta,
    tightest,
    two_halves_of_a_secret,
)
from numerics.membership.halves import subsets
from numerics.membership.shares import eta_of_epsilon_and_share, eta_of_share, posterior_limits
from tests.strategies import log_uniform

SHARES = st.floats(0.01, 0.99)


def rows_of(inside, outputs):
    """Releases of ``inside`` with any chances."""
    weights = st.lists(st.floats(0.01, 1.0), min_size=outputs, max_size=outputs)
    return st.lists(weights, min_size=len(inside), max_size=len(inside)).map(
        lambda rows: FiniteRelease(inside, np.array(rows) / np.sum(rows, axis=1, keepdims=True))
    )


SIZES = st.sampled_from([(4, 1), (4, 2), (4, 3), (5, 2), (6, 3)])
RELEASES = st.tuples(SIZES, st.integers(1, 3)).flatmap(lambda each: rows_of(subsets(*each[0]), each[1]))


def neighbours(release):
    """The chances of outputs of any two subsets that differ in one replaced record."""
    differences = release.inside.astype(int) @ (~release.inside).T.astype(int)
    return [(release.chances[i], release.chances[j]) for i, j in np.argwhere(differences == 1) if i < j]


def replaced_advantage(release):
    """Largest total variation between neighbours: 1 is no differential privacy at all."""
    return max(0.5 * np.abs(one - other).sum() for one, other in neighbours(release))


def replaced_epsilon(release):
    """Epsilon at delta = 0; infinite where some output tells two neighbours apart."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return max(np.nanmax(np.abs(np.log(one) - np.log(other))) for one, other in neighbours(release))


def guessed_right(release, record):
    """Accuracy of the best of all maps from outputs to answers, tried one by one."""
    outputs = release.chances.shape[1]
    found = []
    for answer in product((False, True), repeat=outputs):
        says_in = release.chances @ np.array(answer, dtype=float)
        found.append(np.mean(np.where(release.inside[:, record], says_in, 1.0 - says_in)))
    return max(found)


@settings(max_examples=30)
@given(RELEASES)
def test_eta_is_that_of_the_best_of_all_attackers(release):
    share = release.share
    for record, eta in enumerate(release.etas):
        assert eta == pytest.approx(guessed_right(release, record) - max(share, 1.0 - share), abs=1e-12)
    assert -1e-12 <= release.eta <= min(share, 1.0 - share) + 1e-12


@settings(max_examples=30)
@given(RELEASES)
def test_every_output_of_a_private_release_keeps_proposition_6(release):
    low, high = posterior_limits(replaced_epsilon(release), release.share)
    assert np.all(release.posteriors >= low - 1e-9)
    assert np.all(release.posteriors <= high + 1e-9)


@settings(max_examples=30)
@given(RELEASES)
def test_eta_of_a_private_release_keeps_theorem_4_for_any_share(release):
    assert release.eta <= eta_of_epsilon_and_share(replaced_epsilon(release), 0.0, release.share) + 1e-9
    assert release.eta <= eta_of_epsilon_and_share(0.0, replaced_advantage(release), release.share) + 1e-9


@settings(max_examples=30)
@given(RELEASES)
def test_a_second_release_never_takes_back(release):
    assert np.all(release.then(release).etas >= release.etas - 1e-12)
    assert replaced_epsilon(release.then(release)) == pytest.approx(2.0 * replaced_epsilon(release), abs=1e-9)


@given(st.floats(0.0, 6.0), st.floats(0.0, 0.9))
def test_theorem_4_is_an_equality_for_its_own_release(epsilon, delta):
    release = tightest(epsilon, delta)
    printed = delta + (1.0 - delta) / (1.0 + exp(-epsilon)) - 0.5
    assert release.eta == pytest.approx(printed, abs=1e-12)
    assert eta_of_epsilon_and_share(epsilon, delta, 0.5) == pytest.approx(printed, abs=1e-12)
    if delta == 0.0:
        assert replaced_epsilon(release) == pytest.approx(epsilon, abs=1e-9)
        assert (np.nanmin(release.posteriors), np.nanmax(release.posteriors)) == pytest.approx(
            posterior_limits(epsilon, 0.5), abs=1e-12
        )


@given(st.floats(0.0, 6.0), st.floats(0.0, 0.9), SHARES)
def test_theorem_4_for_any_share_is_the_best_of_all_answers_to_its_own_release(epsilon, delta, share):
    """Four outcomes: sure, likely, unlikely and impossible if the record is in; "in" may be said of any of them."""
    likely, unlikely = (1.0 - delta) / (1.0 + exp(-epsilon)), (1.0 - delta) / (1.0 + exp(epsilon))
    inside, outside = np.array([delta, likely, unlikely, 0.0]), np.array([0.0, unlikely, likely, delta])
    answers = np.array(list(product((False, True), repeat=4)))
    right = share * answers @ inside + (1.0 - share) * ~answers @ outside
    gained = float(np.max(right)) - max(share, 1.0 - share)
    assert eta_of_epsilon_and_share(epsilon, delta, share) == pytest.approx(gained, abs=1e-12)


@given(st.floats(0.0, 6.0), st.floats(0.0, 0.9), SHARES)
def test_another_share_is_symmetric_and_never_helps_more_than_one_half(epsilon, delta, share):
    found = eta_of_epsilon_and_share(epsilon, delta, share)
    assert found == pytest.approx(eta_of_epsilon_and_share(epsilon, delta, 1.0 - share), abs=1e-12)
    assert found <= membership.eta_of_epsilon(epsilon, delta, Adjacency.REPLACE_ONE) + 1e-12


@pytest.mark.parametrize("release", [Gaussian(1.5), Laplace(2.0), Gaussian(2.0, 0.2, 20)])
def test_eta_of_any_share_is_the_curves(release):
    replaced = release.with_neighbours(Adjacency.REPLACE_ONE)
    alpha = np.linspace(0.0, 1.0, 20_001)
    power = replaced.trade_off(alpha).power
    for share in (0.1, 0.5, 0.8):
        best = np.max(share * power + (1.0 - share) * (1.0 - alpha)) - max(share, 1.0 - share)
        assert eta_of_share(release, share).estimate == pytest.approx(best, abs=2e-6)
    assert eta_of_share(release, 0.5).estimate == pytest.approx(membership.eta(release, Game.HALVES).estimate, abs=1e-7)


def test_eta_of_a_share_is_reached_by_a_pool_of_one_against_many():
    """One of five is drawn, the target pulls by +1 and the others by -1; the attacker takes the likelier answer."""
    noise, draws, generator = 1.0, 200_000, np.random.default_rng(5)
    target = generator.random(draws) < 0.2
    release = np.where(target, 1.0, -1.0) + noise * generator.standard_normal(draws)
    log_odds = np.log(0.2 / 0.8) + 2.0 * release / noise**2
    accuracy = np.mean((log_odds > 0.0) == target)
    expected = 0.8 + eta_of_share(Gaussian(noise), 0.2).estimate
    assert accuracy == pytest.approx(expected, abs=4.0 * np.sqrt(0.25 / draws))


@pytest.mark.parametrize("records", [2, 4, 8, 12])
def test_theorems_5_and_7(records):
    release = one_subset(records, records // 2)
    assert release.etas == pytest.approx(np.full(records, 1.0 / comb(records, records // 2)), abs=1e-12)
    assert one_subset_eta(records) == pytest.approx(1.0 / comb(records, records // 2), rel=1e-12)
    assert replaced_advantage(release) == 1.0
    assert replaced_epsilon(release) == np.inf
    assert np.nanmax(release.posteriors) == 1.0


def test_eta_of_one_subset_of_many_records():
    assert one_subset_eta(1000) == pytest.approx(1.0 / comb(1000, 500), rel=1e-10)
    with pytest.raises(ValueError, match="even"):
        one_subset_eta(7)


def test_two_releases_that_tell_nothing_tell_everything_together():
    first, second = two_halves_of_a_secret()
    for alone in (first, second):
        assert alone.etas == pytest.approx(np.zeros(6), abs=1e-12)
        assert alone.posteriors == pytest.approx(np.full((6, alone.chances.shape[1]), 0.5), abs=1e-12)
    both = first.then(second)
    assert both.etas == pytest.approx(np.full(6, 0.5), abs=1e-12)
    posteriors = both.posteriors[np.isfinite(both.posteriors)]
    assert np.all((posteriors == 0.0) | (posteriors == 1.0))


def test_neighbours_differ_in_one_record_only():
    """Log odds of an output that count two of the records: by 1 between neighbours, by 2 between {0, 1} and {2, 3}."""
    inside = subsets(4, 2)
    likely = 1.0 / (1.0 + np.exp(-inside[:, :2].sum(axis=1).astype(float)))
    release = FiniteRelease(inside, np.column_stack((likely, 1.0 - likely)))
    far = np.log(release.chances[0] / release.chances[5])
    assert replaced_epsilon(release) == pytest.approx(np.log((1.0 + exp(2.0)) / (1.0 + exp(1.0))), rel=1e-12)
    assert replaced_epsilon(release) < np.abs(far).max()
    assert replaced_advantage(release) == pytest.approx(1.0 / (1.0 + exp(-1.0)) - 0.5, rel=1e-12)


def test_what_is_no_release_is_refused():
    inside = subsets(4, 2)
    for chances in (np.ones((6, 2)), np.full((5, 2), 0.5), np.tile([1.5, -0.5], (6, 1))):
        with pytest.raises(ValueError, match="chances"):
            FiniteRelease(inside, chances)
    with pytest.raises(ValueError, match="inside"):
        FiniteRelease(np.ones((1, 2), dtype=bool), np.ones((1, 1)))
    with pytest.raises(ValueError, match="same subsets"):
        one_subset(4, 2).then(one_subset(4, 1))
    with pytest.raises(ValueError, match="number of subsets"):
        subsets(30, 15)


@given(log_uniform(1e-3, 5.0), SHARES)
def test_posterior_limits_are_odds_times_e_to_epsilon(epsilon, share):
    low, high = posterior_limits(epsilon, share)
    odds = share / (1.0 - share)
    assert high / (1.0 - high) == pytest.approx(odds * exp(epsilon), rel=1e-9)
    assert low / (1.0 - low) == pytest.approx(odds * exp(-epsilon), rel=1e-9)
