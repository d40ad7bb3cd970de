"""Choices among candidates: one against all scores by the definition, several between an attack and a guarantee."""

import numpy as np
import pytest
from scipy.stats import binom

from numerics import renyi
from numerics.mechanisms import Adjacency, Composition, Gaussian
from numerics.mechanisms.discrete_gaussian import DiscreteGaussian
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.mechanisms.noisy_max import LaplaceNoisyMax, PermuteAndFlip
from numerics.trade_off import Bound, Floats
from tests.numerics import oracle
from tests.numerics.engine_adapter import product

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
ALPHA = np.array([1e-4, 0.01, 0.1, 0.5, 0.9])


def laws(scores: Floats, change: Floats, rate: float, adjacency: Adjacency, epsilon: float = 2.0) -> oracle.Laws:
    """Of the choice with the record, and without it or with one that does the opposite, mixed over the sample."""
    weights = [np.exp(0.5 * epsilon * (scores + sign * change)) for sign in (0, 1, -1)]
    absent, present, other = (weight / weight.sum() for weight in weights)
    p, q = (1.0 - rate) * absent + rate * present, (1.0 - rate) * absent + rate * other
    return p, q if adjacency is REPLACE else absent


def two_candidates(adjacency: Adjacency, rate: float, gap: float) -> oracle.Laws:
    return laws(np.array([gap, 0.0]), np.array([1.0, -1.0]), rate, adjacency)


@pytest.mark.parametrize("rate", [1e-6, 0.4, 1.0])
@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_two_candidates_reach_the_curve_of_one_choice_and_none_pass_it(rate: float, adjacency: Adjacency) -> None:
    release, generator = ExponentialMechanism(0.5, rate, 1, adjacency), np.random.default_rng(7)
    assert release.bound is Bound.EXACT
    for gap in (-8.0, -1.0, 0.0, 4.0):
        p, q = two_candidates(adjacency, rate, gap)
        assert rate == 1.0 or release.power(q[0]) == pytest.approx((p[0],) * 3, rel=1e-11)
    power = np.array([release.power(each).upper for each in ALPHA])
    for _ in range(100):
        scores, change = generator.uniform(-3, 3, 4), generator.uniform(-1, 1, 4).round(1)
        assert np.all(oracle.power(laws(scores, change, rate, adjacency), ALPHA) <= power * (1.0 + 1e-9))
        divergence = {order: oracle.divergence(laws(scores, change, rate, adjacency), order) for order in (2, 6, 20)}
        if adjacency is ADD:
            assert all(most <= renyi.divergence(release, order) * (1 + 1e-12) for order, most in divergence.items())
        assert all(most <= renyi.zcdp(release) * order * (1 + 1e-12) for order, most in divergence.items())


def test_the_numbers_of_one_choice_lie_in_the_bracket_of_its_pair() -> None:
    release = ExponentialMechanism(0.5, 0.3, 1, REPLACE)
    certified = release.certified()
    for found, bracket in (
        (release.advantage(), certified.delta(0.0)),
        (release.delta(0.4), certified.delta(0.4)),
        (release.epsilon(0.01), certified.epsilon(0.01)),
        (release.gaussian_mu(), certified.gaussian_mu(1e-9)),
    ):
        assert bracket.lower <= found.upper <= bracket.upper
    assert release.auc().lower < release.auc().upper == certified.auc().upper  # no choice has the whole area


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_several_choices_have_the_binomial_attack_and_a_guarantee_above(adjacency: Adjacency) -> None:
    release, counts = ExponentialMechanism(0.5, 0.1, 30, adjacency), np.arange(31)
    assert release.bound is Bound.OPEN
    p, q = two_candidates(adjacency, 0.1, 0.0 if adjacency is REPLACE else -1.0)
    attack = oracle.power((binom.pmf(counts, 30, p[0]), binom.pmf(counts, 30, q[0])), ALPHA)
    for alpha, reached in zip(ALPHA, attack, strict=True):
        found = release.power(float(alpha))
        assert reached * (1.0 - 1e-4) <= found.lower <= reached * (1.0 + 1e-9)
        assert found.upper >= reached


def searched(slope: float, choices: int, epsilon: float, rate: float, points: int) -> float:
    """The largest P(S) - slope Q(S): every first choice, and after either outcome the best of what may follow."""
    t = np.linspace(0.0, epsilon, points + 2)[1:-1]  # largest losses of choices with two outcomes
    q = (np.exp(-t) - np.exp(-epsilon)) / (1.0 - np.exp(-epsilon))
    absent, drawn = (np.stack((one, 1.0 - one), axis=1) for one in (q, np.exp(t) * q))
    present = (1.0 - rate) * absent + rate * drawn

    def worth(p: Floats, q: Floats, left: int) -> Floats:
        """After histories of chances (n,)."""
        after = [np.multiply.outer(mass, law) for mass, law in ((p, present), (q, absent))]
        if left == 1:
            gains = np.maximum(after[0] - after[1], 0.0)
        else:
            gains = worth(after[0].ravel(), after[1].ravel(), left - 1).reshape(after[0].shape)
        return np.asarray(gains.sum(axis=2).max(axis=1))

    return float(worth(np.ones(1), np.array([slope]), choices)[0])


@pytest.mark.parametrize("epsilon", [0.2, 3.0])
@pytest.mark.parametrize("rate", [1.0, 0.1])
@pytest.mark.parametrize(("choices", "points", "share"), [(2, 401, 0.98), (3, 61, 0.92)])
def test_no_search_over_adaptive_choices_finds_more_and_a_fine_one_finds_as_much(
    epsilon: float, rate: float, choices: int, points: int, share: float
) -> None:
    """Nearly all of the guarantee, which attacks that do not depend on earlier choices do not reach."""
    release, beyond = ExponentialMechanism(1.0 / epsilon, rate, choices), 0.0
    for level in (0.1, 0.3, 0.8):
        slope = level * epsilon * rate * choices * 0.6
        found, shown = searched(float(np.exp(slope)), choices, epsilon, rate, points), release.delta(slope)
        assert shown.lower <= found * (1.0 + 1e-6) + 1e-9
        assert share * shown.upper - 2e-5 <= found <= shown.upper * (1.0 + 1e-12)
        beyond = max(beyond, found - shown.lower)
    assert beyond > 0.0


def test_choices_of_three_by_what_was_chosen_before_stay_below() -> None:
    """Scores and their changes at random after every outcome; all three choices enumerated."""
    release, alpha = ExponentialMechanism(2.0 / 3.0, steps=3), np.array([1e-3, 0.02, 0.2, 0.6])
    generator, most = np.random.default_rng(11), np.array([release.power(float(each)).upper for each in alpha])
    for _ in range(40):
        p, q = np.ones(1), np.ones(1)
        for _ in range(3):
            scores = generator.uniform(-4.0, 4.0, (len(p), 3))
            moved = scores + generator.choice([-1.0, 1.0], scores.shape)
            one, other = (np.exp(0.75 * each) for each in (moved, scores))
            p, q = ((m[:, None] * w / w.sum(axis=1, keepdims=True)).ravel() for m, w in ((p, one), (q, other)))
        assert np.all(oracle.power((p, q), alpha) <= most)


def test_many_choices_have_less_than_the_product_of_one_and_than_zcdp_allows() -> None:
    for release, alpha in (
        (ExponentialMechanism(10.0, steps=1000), 1e-4),
        (ExponentialMechanism(2.0, 1.0, 60, REPLACE), 0.01),
    ):
        found, whole = release.power(alpha), product(release, alpha).lower
        assert found.lower < found.upper < min(whole, renyi.power_limit(renyi.zcdp(release), alpha))
        assert found.upper - found.lower < 0.5 * (whole - found.lower)


def test_groups_and_phases_in_any_order_are_choices_of_one_kind() -> None:
    """Thirty-two are a group; more of them, and phases of which some have other noise, promise more, never less."""
    upper = [ExponentialMechanism(2.0, steps=steps).power(0.01).upper for steps in (31, 32, 33, 64, 65)]
    assert upper == sorted(set(upper))
    five, ten, noise = ExponentialMechanism(2.0, steps=5), ExponentialMechanism(2.0, steps=10), Gaussian(1.0)
    assert Composition((five, five)).power(0.01) == ten.power(0.01)
    among, apart = Composition((five, noise, five)), Composition((noise, ten))
    assert among.power(0.01) == pytest.approx(apart.power(0.01), rel=1e-12)
    assert apart.power(0.01).upper > max(ten.power(0.01).upper, noise.power(0.01).upper)
    assert among.bound is apart.bound is Composition((ten,)).bound is Bound.OPEN
    power = [ExponentialMechanism(0.5, rate, 5).power(0.01).upper for rate in (0.01, 0.3, 0.999999, 1.0)]
    assert power == sorted(power)
    assert power[2] == pytest.approx(power[3], rel=1e-3)


def test_noisy_maxima_say_what_is_proven_and_more_discrete_noise_may_find_more() -> None:
    assert (PermuteAndFlip(1.0).bound, LaplaceNoisyMax(1.0).bound) == (Bound.OPEN, Bound.LOWER)
    assert PermuteAndFlip(1.0, steps=3).epsilon(1e-5).upper == LaplaceNoisyMax(1.0, steps=3).epsilon(1e-5).upper
    less, more = (DiscreteGaussian(noise).power(6.07e-4).upper for noise in (0.5, 0.53))
    assert more > less + 0.01  # the corner of the curve has moved there
    assert not DiscreteGaussian(0.5).is_ordered_by_noise
