"""Choices that depend on earlier ones: what is promised is the worst of all ways to make them, and hardly more."""

import numpy as np
import pytest

from numerics import renyi
from numerics.mechanisms import Adjacency, Composition, Gaussian
from numerics.mechanisms.adaptive_choices import worst_choices
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.mechanisms.noisy_max import PermuteAndFlip
from numerics.privacy_loss import Precision, certify
from numerics.trade_off import Floats, Order

LOG_SLOPES = (-1.5, -0.4, 0.0, 0.3, 1.0, 2.2)


def of_two_outcomes(epsilon: float, rate: float, points: int):
    """Chances with the record and without it, (points, 2) each, by the definition, for as many largest losses."""
    t = np.linspace(0.0, epsilon, points + 2)[1:-1]
    q = (np.exp(-t) - np.exp(-epsilon)) / (1.0 - np.exp(-epsilon))
    absent, drawn = (np.stack((one, 1.0 - one), axis=1) for one in (q, np.exp(t) * q))
    return (1.0 - rate) * absent + rate * drawn, absent


def searched(slope: float, choices: int, epsilon: float, rate: float, points: int) -> float:
    """The largest P(S) - slope Q(S): every first choice, and after either outcome the best of what may follow."""
    present, absent = of_two_outcomes(epsilon, rate, points)

    def worth(p: Floats, q: Floats, left: int) -> Floats:
        """After histories of chances (n,)."""
        after = [np.multiply.outer(mass, law) for mass, law in ((p, present), (q, absent))]
        if left == 1:
            gains = np.maximum(after[0] - after[1], 0.0)
        else:
            gains = worth(after[0].ravel(), after[1].ravel(), left - 1).reshape(after[0].shape)
        return np.asarray(gains.sum(axis=2).max(axis=1))

    return float(worth(np.ones(1), np.array([slope]), choices)[0])


def promised(slope: float, law) -> float:
    return float(np.maximum(law.p - slope * law.q, 0.0).sum())


@pytest.mark.parametrize("epsilon", [0.2, 1.0, 3.0])
@pytest.mark.parametrize("rate", [1.0, 0.1])
@pytest.mark.parametrize(("choices", "points"), [(1, 4001), (2, 401), (3, 61)])
def test_no_search_finds_more_and_a_fine_one_finds_as_much(epsilon, rate, choices, points):
    law = worst_choices(epsilon, rate, choices, 100)
    assert law.p.sum() == pytest.approx(1.0, abs=1e-12)
    assert law.q.sum() == pytest.approx(1.0, abs=1e-12)
    for slope in np.exp(np.array(LOG_SLOPES) * rate):
        found, most = searched(float(slope), choices, epsilon, rate, points), promised(slope, law)
        assert found <= most * (1.0 + 1e-12)
        assert most - found <= 2e-3 * max(found, 0.01 * rate)


def test_the_attack_that_is_shown_is_not_the_best_and_nothing_says_that_none_is_better():
    """Choices between two candidates that depend on earlier ones reach all of the guarantee but 1 %.

    The attack shown reaches nothing at the larger epsilon.
    """
    release = ExponentialMechanism(1.0, steps=2)
    for epsilon in (0.3, 0.8, 1.2):
        found, shown = searched(float(np.exp(epsilon)), 2, 1.0, 1.0, 401), release.delta(epsilon)
        assert shown.lower < 0.95 * found
        assert 0.99 * shown.upper <= found <= shown.upper
    assert release.delta(1.2).lower == 0.0
    for kind in (ExponentialMechanism, PermuteAndFlip):
        said = " ".join(kind(1.0, steps=2).assumptions)
        assert "is open" not in said
        assert "not known" not in said.replace("not the best known", "")


def test_choices_of_three_by_what_was_chosen_before_stay_below():
    """Scores and their changes at random after every outcome; all three choices enumerated."""
    epsilon, generator = 1.5, np.random.default_rng(11)
    release = ExponentialMechanism(1.0 / epsilon, steps=3)
    alpha = np.array([1e-3, 0.02, 0.2, 0.6])
    most = np.array([release.power(float(each)).upper for each in alpha])
    for _ in range(60):
        p, q = np.ones(1), np.ones(1)
        for _ in range(3):
            scores = generator.uniform(-4.0, 4.0, (len(p), 3))
            change = generator.choice([-1.0, 1.0], scores.shape)
            one, other = (np.exp(0.5 * epsilon * each) for each in (scores + change, scores))
            p, q = (
                (mass[:, None] * law / law.sum(axis=1, keepdims=True)).ravel() for mass, law in ((p, one), (q, other))
            )
        order = np.argsort(-p / q)
        best = np.interp(alpha, np.append(0.0, np.cumsum(q[order])), np.append(0.0, np.cumsum(p[order])))
        assert np.all(best <= most)


def test_a_lattice_half_as_fine_promises_a_little_more():
    """Chords lie above the curve: the error has one sign, and falls faster than the step."""
    fine, middle, coarse = (promised(float(np.exp(0.5)), worst_choices(1.0, 1.0, 8, cells)) for cells in (64, 32, 16))
    assert fine < middle < coarse
    assert coarse - middle > 3.0 * (middle - fine)


@pytest.mark.parametrize(
    ("release", "alpha", "before"),
    [
        (ExponentialMechanism(10.0, steps=1000), 1e-4, 0.029115),
        (ExponentialMechanism(1.0, steps=20), 1e-6, 0.012012),
        (ExponentialMechanism(1.0, 0.1, 1000), 0.01, 0.330505),
        (ExponentialMechanism(2.0, 1.0, 60, Adjacency.REPLACE_ONE), 0.01, 0.9),
    ],
    ids=lambda each: getattr(each, "label", None),
)
def test_many_choices_have_less_than_the_product_of_one_and_than_zcdp_allows(release, alpha, before):
    found, product = release.power(alpha), certify(release.pairs, Precision()).power(alpha, Order.ADD).lower
    assert found.lower < found.upper < min(product, renyi.power_limit(renyi.zcdp(release), alpha))
    assert found.upper - found.lower < 0.5 * (product - found.lower)
    if release.adjacency is not Adjacency.REPLACE_ONE:
        assert product == pytest.approx(before, abs=2e-5)
    exact, slack = release.epsilon(1e-6), certify(release.pairs, Precision()).epsilon(1e-6).lower
    assert exact.lower < exact.upper < slack


def test_groups_and_phases_in_any_order_are_choices_of_one_kind():
    """Thirty-two are a group; more of them, and phases of which some have other noise, promise more, never less."""
    upper = [ExponentialMechanism(2.0, steps=steps).power(0.01).upper for steps in (31, 32, 33, 64, 65)]
    assert upper == sorted(upper)
    five, ten, noise = ExponentialMechanism(2.0, steps=5), ExponentialMechanism(2.0, steps=10), Gaussian(1.0)
    assert Composition((five, five)).power(0.01) == ten.power(0.01)
    among, apart = Composition((five, noise, five)), Composition((noise, ten))
    assert among.power(0.01) == pytest.approx(apart.power(0.01), rel=1e-12)
    assert apart.power(0.01).upper > max(ten.power(0.01).upper, noise.power(0.01).upper)
    assert among.pure_epsilon == apart.pure_epsilon == np.inf
    assert Composition((five, five)).pure_epsilon == ten.pure_epsilon
