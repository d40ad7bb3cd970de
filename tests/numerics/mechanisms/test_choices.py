"""Choices among candidates: one against all scores by the definition, several between an attack and a guarantee."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from scipy.stats import binom

from numerics import mechanisms, renyi
from numerics.mechanisms import Adjacency, Composition, Gaussian, SampledMechanism
from numerics.trade_off import Bound, Floats, Order
from tests.numerics import engine_adapter as engine
from tests.numerics import oracle

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
ALPHA = np.array([1e-4, 0.01, 0.1, 0.5, 0.9])


def choice(name: str, *arguments, **own) -> SampledMechanism:
    found: SampledMechanism = getattr(mechanisms, name)(*arguments, **own)
    return found


def exponential(*arguments, **own) -> SampledMechanism:
    return choice("ExponentialMechanism", *arguments, **own)


def chosen(epsilon: float, scores: Floats) -> Floats:
    weights = np.exp(0.5 * epsilon * scores)
    return np.asarray(weights / weights.sum())


def laws(scores: Floats, change: Floats, rate: float, adjacency: Adjacency, epsilon: float = 2.0) -> oracle.Laws:
    """Of the choice with the record, and without it or with one that does the opposite, mixed over the sample."""
    absent, present, other = (chosen(epsilon, scores + sign * change) for sign in (0, 1, -1))
    p, q = (1.0 - rate) * absent + rate * present, (1.0 - rate) * absent + rate * other
    return p, q if adjacency is REPLACE else absent


def two_candidates(adjacency: Adjacency, rate: float, gap: float) -> oracle.Laws:
    return laws(np.array([gap, 0.0]), np.array([1.0, -1.0]), rate, adjacency)


@pytest.mark.parametrize("rate", [1e-6, 0.4, 1.0 - 1e-9, 1.0])
@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_two_candidates_reach_the_curve_of_one_choice_and_none_pass_it(rate: float, adjacency: Adjacency) -> None:
    release, generator = exponential(0.5, rate, 1, adjacency), np.random.default_rng(7)
    assert release.bound is Bound.EXACT
    for gap in (-8.0, -1.0, 0.0, 4.0):
        p, q = two_candidates(adjacency, rate, gap)
        assert rate == 1.0 or release.power(q[0]) == pytest.approx((p[0],) * 3, rel=1e-11)
    power = np.array([release.power(each).upper for each in ALPHA])
    for _ in range(100):
        scores, change = generator.uniform(-3, 3, 4), generator.uniform(-1, 1, 4).round(1)
        assert np.all(oracle.power(laws(scores, change, rate, adjacency), ALPHA) <= power * (1.0 + 1e-9))


@pytest.mark.parametrize("rate", [1e-6, 0.4, 1.0 - 1e-9])
@pytest.mark.parametrize("epsilon", [1e-4, 1.0, 60.0])
def test_one_choice_with_a_replaced_record_in_fifty_digits(epsilon: float, rate: float) -> None:
    """Both error rates, each by its definition at chances m from either end; the most that an epsilon leaves."""
    release = exponential(1.0 / epsilon, rate, 1, REPLACE)
    with mpmath.workdps(50):
        odds = mpmath.exp(mpmath.mpf(1.0 / (1.0 / epsilon)))
        chances = [mpmath.mpf(10) ** -k for k in (30, 9, 3, 1)] + [mpmath.mpf(1) / 2, 1 - mpmath.mpf(10) ** -3]
        rates = [[(1 - rate) * m + rate * m * by / (m * by + 1 - m) for by in (1 / odds, odds)] for m in chances]
        alpha, beta, power = (
            np.array(list(map(float, each))) for each in zip(*((a, 1 - p, p) for a, p in rates), strict=True)
        )
        slope = mpmath.mpf(0.5 * release.pure_epsilon)
        most = max(float(p - mpmath.exp(slope) * a) for a, p in rates)
    for order in Order:
        found = release.trade_off(alpha, order)
        np.testing.assert_allclose(found.power, power, rtol=1e-12)
        np.testing.assert_allclose(found.beta, beta, rtol=1e-11 if rate > 0.5 else 1e-12)
    assert release.delta(float(slope)).upper >= most * (1.0 - 1e-9)
    assert release.advantage().upper == pytest.approx(rate * np.tanh(0.5 * epsilon), rel=1e-13, abs=0.0)
    assert release.delta(release.pure_epsilon).upper == release.delta(release.pure_epsilon * (1.0 + 1e-12)).upper == 0.0
    assert release.epsilon(1e-9).upper <= release.pure_epsilon


def test_the_numbers_of_one_choice_lie_in_the_bracket_of_its_pair() -> None:
    release = exponential(0.5, 0.3, 1, REPLACE)
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
    release, counts = exponential(0.5, 0.1, 30, adjacency), np.arange(31)
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
@pytest.mark.parametrize(("choices", "points"), [(1, 4001), (2, 401), (3, 61)])
def test_no_search_over_adaptive_choices_finds_more_and_a_fine_one_finds_as_much(
    epsilon: float, rate: float, choices: int, points: int
) -> None:
    law = engine.worst_choices(epsilon, rate, choices, 100)
    assert law.p.sum() == pytest.approx(1.0, abs=1e-12)
    assert law.q.sum() == pytest.approx(1.0, abs=1e-12)
    for slope in np.exp(np.array([-1.5, -0.4, 0.0, 1.0, 2.2]) * rate):
        found, most = (
            searched(float(slope), choices, epsilon, rate, points),
            oracle.delta((law.p, law.q), np.log(slope)),
        )
        assert found <= most * (1.0 + 1e-12)
        assert most - found <= 2e-3 * max(found, 0.01 * rate)
    coarse = engine.worst_choices(epsilon, rate, choices, 50)  # chords lie above the curve: half as fine promises more
    assert oracle.delta((coarse.p, coarse.q), 0.1 * rate) >= oracle.delta((law.p, law.q), 0.1 * rate) * (1 - 1e-14)


def test_the_attack_that_is_shown_is_not_the_best_and_nothing_says_that_none_is_better() -> None:
    """Choices between two candidates that depend on earlier ones reach all of the guarantee but 1 %."""
    release = exponential(1.0, steps=2)
    for epsilon in (0.3, 0.8, 1.2):
        found, shown = searched(float(np.exp(epsilon)), 2, 1.0, 1.0, 401), release.delta(epsilon)
        assert shown.lower < 0.95 * found
        assert 0.99 * shown.upper <= found <= shown.upper
    assert release.delta(1.2).lower == 0.0
    for kind in ("ExponentialMechanism", "PermuteAndFlip"):
        said = " ".join(choice(kind, 1.0, steps=2).assumptions)
        assert "is open" not in said
        assert "not known" not in said.replace("not the best known", "")


def test_choices_of_three_by_what_was_chosen_before_stay_below() -> None:
    """Scores and their changes at random after every outcome; all three choices enumerated."""
    release, alpha = exponential(2.0 / 3.0, steps=3), np.array([1e-3, 0.02, 0.2, 0.6])
    generator, most = np.random.default_rng(11), np.array([release.power(float(each)).upper for each in alpha])
    for _ in range(40):
        p, q = np.ones(1), np.ones(1)
        for _ in range(3):
            scores = generator.uniform(-4.0, 4.0, (len(p), 3))
            moved = scores + generator.choice([-1.0, 1.0], scores.shape)
            one, other = (np.exp(0.75 * each) for each in (moved, scores))
            p, q = ((m[:, None] * w / w.sum(axis=1, keepdims=True)).ravel() for m, w in ((p, one), (q, other)))
        assert np.all(oracle.power((p, q), alpha) <= most)


MANY = [
    (exponential(10.0, steps=1000), 1e-4),
    (exponential(1.0, 0.1, 1000), 0.01),
    (exponential(2.0, 1.0, 60, REPLACE), 0.01),
]


@pytest.mark.parametrize(("release", "alpha"), MANY, ids=str)
def test_many_choices_have_less_than_the_product_of_one_and_than_zcdp_allows(
    release: SampledMechanism, alpha: float
) -> None:
    found, whole = release.power(alpha), engine.product(release, alpha).lower
    assert found.lower < found.upper < min(whole, renyi.power_limit(renyi.zcdp(release), alpha))
    assert found.upper - found.lower < 0.5 * (whole - found.lower)


def test_groups_and_phases_in_any_order_are_choices_of_one_kind() -> None:
    """Thirty-two are a group; more of them, and phases of which some have other noise, promise more, never less."""
    upper = [exponential(2.0, steps=steps).power(0.01).upper for steps in (31, 32, 33, 64, 65)]
    assert upper == sorted(set(upper))
    five, ten, noise = exponential(2.0, steps=5), exponential(2.0, steps=10), Gaussian(1.0)
    assert Composition((five, five)).power(0.01) == ten.power(0.01)
    assert Composition((five, five)).pure_epsilon == ten.pure_epsilon
    among, apart = Composition((five, noise, five)), Composition((noise, ten))
    assert among.power(0.01) == pytest.approx(apart.power(0.01), rel=1e-12)
    assert apart.power(0.01).upper > max(ten.power(0.01).upper, noise.power(0.01).upper)
    assert among.bound is apart.bound is Composition((ten,)).bound is Bound.OPEN
    power = [exponential(0.5, rate, 5).power(0.01).upper for rate in (0.01, 0.3, 0.999999, 1.0)]
    assert power == sorted(power)
    assert power[2] == pytest.approx(power[3], rel=1e-3)


def test_noisy_maxima_say_what_is_proven() -> None:
    flip, largest = choice("PermuteAndFlip", 1.0), choice("LaplaceNoisyMax", 1.0)
    assert (flip.bound, largest.bound) == (Bound.OPEN, Bound.LOWER)
    assert replace(flip, steps=3).epsilon(1e-5).upper == replace(largest, steps=3).epsilon(1e-5).upper


def test_more_discrete_noise_may_find_more() -> None:
    """The corner of the curve has moved there. So no page may say otherwise."""
    less, more = (choice("DiscreteGaussian", noise).power(6.07e-4).upper for noise in (0.5, 0.53))
    assert more > less + 0.01
    assert not choice("DiscreteGaussian", 0.5).is_ordered_by_noise
