"""Whole-number noise, answers, choices and noise with ends: closed forms, and what is refused."""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.stats import norm

from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Sampling
from numerics.mechanisms.discrete_gaussian import DiscreteGaussian, DiscreteGaussianNoise
from numerics.mechanisms.discrete_laplace import DiscreteLaplace, DiscreteLaplaceNoise
from numerics.mechanisms.exponential_mechanism import ExponentialMechanism
from numerics.mechanisms.gaussian import GaussianShift
from numerics.mechanisms.logistic import LogisticShift
from numerics.mechanisms.noisy_max import LaplaceNoisyMax, PermuteAndFlip
from numerics.mechanisms.randomised_response import RandomisedResponse
from numerics.mechanisms.truncated_laplace import TruncatedLaplace
from numerics.not_offered import NotOfferedError
from numerics.privacy_loss import Precision, certify
from numerics.privacy_loss.finite_pair import two_outcomes
from numerics.trade_off import Bound, Order, alpha_grid
from tests.reference import PRACTICE, each

EXACT = 1e-12
ALPHA = np.concatenate(([0.0, 1e-300, 1e-30], alpha_grid(201, 1e-9)[1:]))
REPLACED = Adjacency.REPLACE_ONE


def composed(p, q, steps: int):
    """Power at ``ALPHA`` of the best test on ``steps`` outcomes, by every combination of them."""
    many_p, many_q = (np.prod(np.array(list(product(mass, repeat=steps))), axis=1) for mass in (p, q))
    there = (many_p > 0.0) | (many_q > 0.0)
    many_p, many_q = many_p[there], many_q[there]
    with np.errstate(divide="ignore"):
        order = np.argsort(-(np.log(many_p) - np.log(many_q)), kind="stable")
    alpha, power = (np.append(0.0, np.cumsum(mass[order])) for mass in (many_q, many_p))
    last = np.append(np.flatnonzero(np.diff(alpha) > 0.0), len(alpha) - 1)  # certain exposure costs no false alarm
    return np.interp(ALPHA, alpha[last], np.minimum(power[last], 1.0))


@each("discrete Gaussian", prefix="dgauss_", file=PRACTICE)
def test_discrete_gaussian(row):
    sensitivity = row.count("sensitivity")
    release = DiscreteGaussian(row.number("sigma") / sensitivity, sensitivity=sensitivity)
    assert release.power(row.number("alpha")).upper == pytest.approx(row.expected, rel=EXACT)


@each("two-sided geometric", prefix="geom_", file=PRACTICE)
def test_discrete_laplace(row):
    release = DiscreteLaplace(1.0 / row.number("epsilon"), sensitivity=row.count("sensitivity"))
    assert release.power(row.number("alpha")).upper == pytest.approx(row.expected, rel=EXACT)


@each("k-ary randomised response", prefix="krr_", file=PRACTICE)
def test_randomised_response(row):
    release = RandomisedResponse(1.0 / row.number("epsilon"), categories=row.count("k"))
    found = release.power(row.number("alpha")) if "alpha" in row.params else release.advantage()
    assert found.lower == found.upper == pytest.approx(row.expected, rel=EXACT)


@each("eps-bounded", prefix="expmech_", file=PRACTICE)
def test_exponential_mechanism_once(row):
    release = ExponentialMechanism(1.0 / row.number("epsilon"))
    found = release.power(row.number("alpha")) if "alpha" in row.params else release.advantage()
    assert found.lower == found.upper == pytest.approx(row.expected, rel=EXACT)


@each(role="negative", prefix="NEG_expmech", file=PRACTICE)
def test_the_advantage_of_pure_epsilon_is_not_returned(row):
    assert ExponentialMechanism(1.0 / row.number("epsilon")).advantage().upper < 0.6 * row.expected


@each("20-fold product", prefix="expmech_logistic", file=PRACTICE)
def test_exponential_mechanism_composed(row):
    """The product of the curve of one choice; what is promised of choices is less (``test_adaptive_choices``)."""
    release = ExponentialMechanism(1.0 / row.number("epsilon"), steps=row.count("N"))
    found = certify(release.pairs, Precision()).power(row.number("alpha"), Order.ADD)
    assert release.power(row.number("alpha")).upper < 0.6 * row.expected
    assert found.lower <= row.expected * (1.0 + EXACT)
    assert found.upper >= row.expected * (1.0 - EXACT)
    assert found.width < 1e-5


@each("permute-and-flip", prefix="pf_", file=PRACTICE)
def test_permute_and_flip_has_a_wider_range_than_epsilon(row):
    ((pair, _),) = PermuteAndFlip(1.0 / row.number("epsilon")).attack_pairs
    low, high = pair.loss_range(0.0)
    assert high - low == pytest.approx(row.expected, rel=EXACT)


@each("truncated Laplace", prefix="trunclap_", file=PRACTICE)
def test_truncated_laplace(row):
    release = TruncatedLaplace(1.0 / row.number("epsilon"), truncation_delta=row.number("delta"))
    assert release.power(row.number("alpha")).upper == pytest.approx(row.expected, rel=EXACT)
    assert release.power(0.0).upper == pytest.approx(row.number("delta"), rel=EXACT)
    assert release.delta(row.number("epsilon")).upper == pytest.approx(row.number("delta"), rel=EXACT)


@each("Gaussian release of a value", prefix="clampgauss_", file=PRACTICE)
def test_a_clamped_release_keeps_the_guarantee_of_its_noise(row):
    """Post-processing: the same curve between the atoms at both ends, and chords on them, which lie above it."""
    alpha, shift = np.array([row.number("alpha")]), GaussianShift(1.0 / row.number("noise_multiplier"))
    at_top, at_bottom = norm.sf(np.array([row.number("hi"), row.number("lo")]) * shift.mu)
    inside = at_top <= alpha[0] <= at_bottom
    exact = shift.power(alpha) if inside else alpha * shift.power(np.array([at_top])) / at_top
    assert exact[0] == pytest.approx(row.expected, rel=EXACT)
    full = Gaussian(row.number("noise_multiplier")).power(alpha[0]).upper
    assert full == pytest.approx(row.expected, rel=EXACT) if inside else full > row.expected


def test_edges_on_lattice_points_are_so_for_every_centre():
    """Else a cell would have a point under one law and not under the other, and tell of an attack that is none."""
    noise = DiscreteLaplaceNoise(1.0, 7)
    edges = np.linspace(-1.0, 3.0, 6000)  # as batches that are shuffled lay them out
    for centre in (1.0, 2.0):
        at = np.searchsorted(np.arange(-40, 80) / 7.0, edges + 1e-12, side="right")
        moved = noise.cells(edges, centre)
        whole = np.diff(np.append(0.0, np.cumsum(noise.cells((np.arange(-40.0, 80.0) + 0.5) / 7.0, centre)))[:-1][at])
        np.testing.assert_allclose(moved[1:-1], whole, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("scale", [0.05, 0.3, 2.0, 63.9, 64.1, 5000.0])
def test_cells_of_the_discrete_gaussian_are_sums_of_its_weights(scale):
    noise, reach = DiscreteGaussianNoise(scale), int(6 * scale) + 4
    x = np.arange(-12 * reach, 12 * reach + 1)
    weight = np.exp(-0.5 * (x / scale) ** 2)
    edges = np.arange(-reach, reach + 1.0, max(reach // 50, 1)) + 0.5
    above = np.array([weight[x > edge].sum() for edge in edges]) / weight.sum()
    found = np.cumsum(noise.cells(edges, 0.0)[::-1])[::-1][1:]
    np.testing.assert_allclose(found, above, rtol=1e-11, atol=1e-300)


def test_with_large_shares_whole_numbers_are_nearly_normal():
    found = DiscreteGaussian(1.0, sensitivity=500).power(0.01).upper
    assert found == pytest.approx(norm.sf(norm.isf(0.01) - 1.0), rel=1e-5)


def test_little_discrete_noise_is_not_ordered():
    """More noise finds more at this rate: the corner of the curve has moved there. So no page may say otherwise."""
    less, more = (DiscreteGaussian(noise).power(6.07e-4).upper for noise in (0.5, 0.53))
    assert more > less + 0.01
    assert not DiscreteGaussian.is_ordered_by_noise


def test_choices_say_what_is_proven_and_what_is_open():
    once, several = ExponentialMechanism(1.0), ExponentialMechanism(1.0, steps=20)
    assert once.bound is Bound.EXACT
    assert several.bound is Bound.OPEN
    found = several.power(0.01)
    assert found.lower == pytest.approx(0.45060, abs=1e-5)
    assert found.upper == pytest.approx(0.4744, abs=1e-3)  # the product of one choice's curve has .59657
    assert PermuteAndFlip(1.0).bound is Bound.OPEN
    assert LaplaceNoisyMax(1.0).bound is Bound.LOWER
    assert PermuteAndFlip(1.0, steps=3).epsilon(1e-5).upper == LaplaceNoisyMax(1.0, steps=3).epsilon(1e-5).upper


def test_two_phases_of_a_choice_each_are_two_choices():
    """No neighbours have the whole curve of one choice, so nothing composed of it is an attack."""
    phases, steps = Composition((ExponentialMechanism(0.5),) * 2), ExponentialMechanism(0.5, steps=2)
    assert phases.bound is Bound.OPEN
    assert phases.advantage() == steps.advantage()
    assert steps.advantage().lower == pytest.approx(np.tanh(0.5), abs=1e-6)  # two of losses 1 and -1
    best = 0.0  # also where the second choice depends on the first
    laws = [two_outcomes(loss, 2.0, "").atoms for loss in np.linspace(0.02, 1.98, 99)]
    p, q = (np.array([[getattr(atom, name) for atom in law] for law in laws]) for name in "pq")
    for first in range(len(laws)):
        split = np.maximum(np.multiply.outer(p[first], p) - np.multiply.outer(q[first], q), 0.0).sum(axis=2)
        best = max(best, float(split.max(axis=1).sum()))
    assert steps.advantage().lower < best <= steps.advantage().upper < best + 2e-4
    with_noise = Composition((ExponentialMechanism(0.5), Gaussian(1.0)))
    assert with_noise.bound is Bound.OPEN
    assert with_noise.advantage().upper > with_noise.advantage().lower + 1e-3


def test_no_choice_has_the_whole_area_below_its_curve():
    found = ExponentialMechanism(0.5).auc()
    assert found.lower == pytest.approx(0.5 * (1.0 + np.tanh(0.5)), abs=1e-6)  # of two outcomes, 1/2 and the advantage
    assert found.upper == pytest.approx(LogisticShift(2.0).area(), abs=1e-5)


@pytest.mark.parametrize("candidates", [2, 3, 7])
def test_no_scores_beat_the_exponential_mechanism_curve(candidates):
    """Neighbouring scores at random, of sensitivity 1: the choice's best test stays below the closed form."""
    generator, curve = np.random.default_rng(5), ExponentialMechanism(0.5).trade_off(ALPHA)
    for _ in range(200):
        scores = generator.uniform(-3.0, 3.0, candidates)
        other = scores + generator.choice([-1.0, 0.0, 1.0], candidates)
        p, q = (np.exp(each) / np.exp(each).sum() for each in (other, scores))  # e^(epsilon score / 2), epsilon 2
        assert np.all(composed(p, q, 1) <= curve.power * (1.0 + EXACT))


def test_choices_are_simulated():
    """Gumbel noise chooses as the exponential mechanism, exponential noise as permute-and-flip."""
    generator, size = np.random.default_rng(6), 200_000
    scores = np.array([0.0, -1.0])  # in units where e^score is the weight
    one, two = (score + generator.gumbel(size=size) for score in scores)
    assert np.mean(one > two) == pytest.approx(1.0 / (1.0 + np.exp(-1.0)), abs=5e-3)
    one, two = (score + generator.standard_exponential(size) for score in scores)
    assert np.mean(one > two) == pytest.approx(1.0 - 0.5 * np.exp(-1.0), abs=5e-3)


@pytest.mark.parametrize("kind", [kind for kind in MECHANISMS if not kind.is_sampled])
def test_what_is_not_sampled_refuses_a_rate_by_name(kind):
    with pytest.raises(NotOfferedError, match=f"sampling_rate must be 1 for {kind.name}, got 0.5. {kind.limits}"):
        kind(1.0, 0.5)


def test_answers_have_no_one_more_or_less():
    with pytest.raises(NotOfferedError, match="Randomised response needs replace-one adjacency, got add/remove"):
        RandomisedResponse(1.0, adjacency=Adjacency.ADD_REMOVE)
    with pytest.raises(ValueError, match="phases must share one adjacency"):
        Composition((RandomisedResponse(1.0), DiscreteLaplace(1.0)))


def test_own_parameters_are_in_every_label():
    assert RandomisedResponse(2.0, categories=5).label == (
        "Randomised response, noise 2 (epsilon 0.5 a release), categories 5"
    )
    assert "Sensitivity 3." in DiscreteGaussian(1.0, sensitivity=3).assumptions
    for kind in MECHANISMS:
        for own in kind.parameters:
            assert own.low <= getattr(kind, own.name) <= own.high
            wrong: dict[str, Any] = {own.name: int(own.high) + 1 if own.is_whole else 2.0 * own.high}
            with pytest.raises(ValueError, match=f"{own.name} must be"):
                replace(kind(1.0), **wrong)


def test_fixed_size_batches_of_whole_number_noise():
    release = DiscreteLaplace(1.0, 0.1, 3, REPLACED, Sampling.FIXED_SIZE, sensitivity=2)
    assert release.pure_epsilon == pytest.approx(3.0 * np.log(0.9 + 0.1 * np.exp(2.0)), rel=EXACT)


@pytest.mark.parametrize("kind", [kind for kind in MECHANISMS if not kind.several_records])
def test_several_records_of_a_person_are_refused_by_name(kind):
    with pytest.raises(NotOfferedError, match=f"records_per_person must be 1 for {kind.name}, got 2"):
        kind(1.0, records_per_person=2)


def test_epsilon_is_infinite_where_more_than_delta_is_given_away_for_certain() -> None:
    release = TruncatedLaplace(0.001, adjacency=Adjacency.REPLACE_ONE)  # its ends are nearer than a replaced record
    assert release.delta(1e6).lower > 0.1
    assert release.epsilon(1e-5).lower == np.inf
    assert TruncatedLaplace(1.0).epsilon(1e-5).upper <= 1.0
