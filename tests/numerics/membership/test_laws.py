"""Membership privacy (paper 002): its table, its laws, and attacks that are counted or simulated."""

from dataclasses import replace
from itertools import product
from math import exp

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from numerics import membership
from numerics.calibration import noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.membership import EtaTarget, Game, eta, eta_of_epsilon, eta_of_mu
from numerics.membership.halves import FiniteRelease, subsets, tightest
from numerics.membership.shares import eta_of_epsilon_and_share, posterior_limits
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, alpha_grid
from tests.strategies import log_uniform, single
from tests.tables import Table

ROUNDING = 1e-12
CHEAP = Precision(width=1e-4)


@pytest.mark.parametrize("case", Table(__file__).cases())
def test_table(case):
    case.check()


@settings(max_examples=6)
@given(single(noise=(0.3, 50.0), largest_steps=50, lowest_rate=1e-2), st.floats(1.05, 3.0))
def test_eta_and_what_is_inherited(mechanism, factor):
    """In range, falling with noise; no attacker exceeds what is inherited, and that lies below the line of eta."""
    found = eta(mechanism, Game.HALVES, CHEAP)
    assert 0.0 <= found.lower <= found.estimate <= found.upper <= 0.5
    assert eta(mechanism.with_noise(factor * mechanism.noise_multiplier), Game.HALVES, CHEAP).lower <= found.upper
    alpha = alpha_grid(50)
    game = Game.of(mechanism.adjacency) if mechanism.sampling is Sampling.POISSON else Game.HALVES
    line = membership.trade_off(eta(mechanism, game, CHEAP).upper, alpha, game)
    attack = membership.as_played(mechanism, game).trade_off(alpha, precision=CHEAP)
    given_away = membership.inherited(attack, game)
    assert np.all((attack.upper or attack).power <= given_away.power + ROUNDING)
    assert np.all(given_away.power <= line.power + ROUNDING)
    assert (given_away.bound, given_away.assumptions[-1], line.bound) == (Bound.LOWER, game.words, Bound.LOWER)
    assert np.allclose(line.power + line.beta, 1.0, rtol=0.0, atol=ROUNDING)


@pytest.mark.parametrize("mechanism", [Gaussian(1.5), Laplace(2.0), Gaussian(1.0, 0.1, 20)], ids=str)
def test_eta_is_the_largest_gain_on_the_curve_and_noise_for_it_is_tight(mechanism):
    alpha, replaced = np.linspace(0.0, 1.0, 20_001), replace(mechanism, adjacency=Adjacency.REPLACE_ONE)
    assert membership.as_played(Composition((mechanism,)), Game.HALVES).adjacency is Adjacency.REPLACE_ONE
    power = replaced.trade_off(alpha).power
    assert eta(mechanism, Game.HALVES).estimate == pytest.approx(0.5 * np.max(power - alpha), abs=2e-6)
    if mechanism.sampling_rate < 1.0:  # between the add/remove plug-in and the triangle bound
        assert 0.5 * mechanism.advantage().upper < eta(mechanism, Game.HALVES).lower
        assert eta(mechanism, Game.HALVES).upper < mechanism.advantage().lower
    found = noise_for(EtaTarget(0.05, Game.HALVES), mechanism)
    assert found.met
    assert eta(found.mechanism, Game.HALVES).lower <= 0.05
    assert eta(found.mechanism.with_noise(0.98 * found.noise_multiplier), Game.HALVES).upper > 0.05


@given(log_uniform(1e-6, 0.499), log_uniform(1e-12, 0.1), st.sampled_from(Adjacency))
@settings(max_examples=15)
def test_conversions_are_inverses_and_no_route_by_epsilon_is_below_the_exact_eta(wanted, delta, adjacency):
    mu, epsilon = membership.mu_for_eta(wanted, adjacency), membership.epsilon_for_eta(wanted, adjacency)
    assert eta_of_mu(mu, adjacency) == pytest.approx(wanted, rel=1e-9)
    assert eta_of_epsilon(epsilon, 0.0, adjacency) == pytest.approx(wanted, rel=1e-9)
    mechanism = Gaussian(adjacency.reach / mu, adjacency=adjacency)
    by_epsilon = eta_of_epsilon(mechanism.epsilon(delta).upper, delta, adjacency)
    assert by_epsilon >= eta(mechanism, Game.HALVES).lower - ROUNDING


# --- releases with finitely many outputs, and other shares


@st.composite
def finite_releases(draw):
    inside = subsets(*draw(st.sampled_from([(4, 1), (4, 2), (4, 3), (5, 2), (6, 3)])))
    outputs = draw(st.integers(1, 3))
    weights = st.lists(st.floats(0.01, 1.0), min_size=outputs, max_size=outputs)
    rows = np.array(draw(st.lists(weights, min_size=len(inside), max_size=len(inside))))
    return FiniteRelease(inside, rows / rows.sum(axis=1, keepdims=True))


def advantage_and_epsilon(release):
    """Largest total variation between subsets that differ in one replaced record, and epsilon at delta = 0."""
    differences = release.inside.astype(int) @ (~release.inside).T.astype(int)
    pairs = [(release.chances[i], release.chances[j]) for i, j in np.argwhere(differences == 1) if i < j]
    with np.errstate(divide="ignore", invalid="ignore"):
        epsilon = max(np.nanmax(np.abs(np.log(one) - np.log(other))) for one, other in pairs)
    return max(0.5 * np.abs(one - other).sum() for one, other in pairs), epsilon


@settings(max_examples=10)
@given(finite_releases())
def test_a_finite_release_keeps_what_the_paper_promises(release):
    """Eta of the best of all maps from outputs to answers; Theorem 4 for any share; Proposition 6 for every output."""
    share = release.share
    says_in = release.chances @ np.array(list(product((0.0, 1.0), repeat=release.chances.shape[1]))).T
    for record, found in enumerate(release.etas):
        right = np.where(release.inside[:, [record]], says_in, 1.0 - says_in).mean(axis=0)
        assert found == pytest.approx(right.max() - max(share, 1.0 - share), abs=ROUNDING)
    advantage, epsilon = advantage_and_epsilon(release)
    assert -ROUNDING <= release.eta == max(release.etas) <= eta_of_epsilon_and_share(epsilon, 0.0, share) + 1e-9
    assert release.eta <= eta_of_epsilon_and_share(0.0, advantage, share) + 1e-9
    low, high = posterior_limits(epsilon, share)
    assert np.all((release.posteriors >= low - 1e-9) & (release.posteriors <= high + 1e-9))
    twice = release.then(release)
    assert np.all(twice.etas >= release.etas - ROUNDING)
    assert advantage_and_epsilon(twice)[1] == pytest.approx(2.0 * epsilon, abs=1e-9)


@settings(max_examples=15)
@given(st.floats(0.0, 6.0), st.floats(0.0, 0.9), st.floats(0.01, 0.99))
def test_theorem_4_is_the_best_of_all_answers_to_its_own_release(epsilon, delta, share):
    """Four outcomes: sure, likely, unlikely and impossible if the record is in; "in" may be said of any of them."""
    likely, unlikely = (1.0 - delta) / (1.0 + exp(-epsilon)), (1.0 - delta) / (1.0 + exp(epsilon))
    inside, outside = np.array([delta, likely, unlikely, 0.0]), np.array([0.0, unlikely, likely, delta])
    answers = np.array(list(product((False, True), repeat=4)))
    right = share * answers @ inside + (1.0 - share) * ~answers @ outside
    found = eta_of_epsilon_and_share(epsilon, delta, share)
    assert found == pytest.approx(float(np.max(right)) - max(share, 1.0 - share), abs=ROUNDING)
    assert found <= eta_of_epsilon(epsilon, delta, Adjacency.REPLACE_ONE) + ROUNDING
    assert tightest(epsilon, delta).eta == pytest.approx(eta_of_epsilon_and_share(epsilon, delta, 0.5), abs=ROUNDING)
    low, high = posterior_limits(epsilon, share)
    odds = share / (1.0 - share)
    assert (high / (1.0 - high), low / (1.0 - low)) == pytest.approx((odds * exp(epsilon), odds * exp(-epsilon)))
