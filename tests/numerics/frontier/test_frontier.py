"""Noise and error for a limit on attack success: against the library's calibration, by its laws, and back again."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import hypergeom, norm

from numerics import calibration, relaxed
from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget
from numerics.frontier import (
    AdvantageMeasure,
    Count,
    EpsilonMeasure,
    Histogram,
    Mean,
    NoAnswerError,
    Notion,
    PowerMeasure,
    RegressionCoefficient,
    Statistic,
    frontier,
    people_needed,
    success,
    unknown_record,
)
from numerics.frontier.releases import Choice, Survey, WholeHistogram
from numerics.gaussian_membership import GradientRelease
from numerics.gaussian_membership.calibration import noise_for as membership_noise_for
from numerics.mechanisms import Adjacency, Gaussian, Laplace
from numerics.membership import EtaTarget, Game
from numerics.privacy_loss import Precision
from numerics.relaxed import RelaxedTarget
from numerics.trade_off import Bound, Order

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
CALIBRATED = 2e-5  # calibration rounds its noise up to six digits and settles on the guarantee
GRID = 2e-3  # and its relaxed advantage is over a grid, with an allowance for what lies between the points
ROUND_TRIP = 1e-8  # relative; the inverse of the advantage is polished to about 1e-10
ROUNDING = 1e-12
FOUND, ADVANTAGE, EPSILON = PowerMeasure(0.01), AdvantageMeasure(), EpsilonMeasure(1e-5)
GOALS = {FOUND: np.array([0.011, 0.043, 0.5, 0.99]), ADVANTAGE: np.array([1e-3, 0.1, 0.5, 0.99])}
GOALS[EPSILON] = np.array([0.01, 1.0, 5.0, 20.0])
STATISTICS = (Mean(40), Mean(300, 1000), Count(1000), Histogram(1000, 20), RegressionCoefficient(500, 3))


def scale(notion: Notion, measure, statistic: Statistic, goal: float, adjacency: Adjacency = ADD) -> float:
    return float(frontier(statistic, measure, notion, adjacency, np.array([goal])).scale[0])


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
@pytest.mark.parametrize(
    ("measure", "target"),
    [
        (FOUND, PowerTarget(0.043, 0.01)),
        (PowerMeasure(1e-6), PowerTarget(1e-5, 1e-6)),
        (ADVANTAGE, AdvantageTarget(0.1)),
        (EPSILON, EpsilonTarget(1.0, 1e-5)),
    ],
)
def test_full_knowledge_is_what_calibration_finds(measure, target, adjacency):
    """In one dimension, where a record's reach is that of the library's mechanisms."""
    for notion, kind in ((Notion.FULL, Gaussian), (Notion.FULL_LAPLACE, Laplace)):
        found = calibration.noise_for(target, kind(1.0, adjacency=adjacency)).noise_multiplier
        assert scale(notion, measure, Mean(40), target.goal, adjacency) == pytest.approx(found, rel=CALIBRATED)


@pytest.mark.parametrize("dimension", [1, 50])
def test_weaker_attackers_are_what_calibration_finds(dimension):
    """An unknown record, an unknown half of the data, and unknown other records."""
    targets = (PowerTarget(0.043, 0.01), AdvantageTarget(0.1))
    power, advantage = (
        calibration.noise_for(RelaxedTarget(target, dimension), Gaussian(1.0)).noise_multiplier for target in targets
    )
    assert scale(Notion.RECORD, FOUND, Mean(40, dimension), 0.043) == pytest.approx(power, rel=CALIBRATED)
    assert scale(Notion.RECORD, ADVANTAGE, Mean(40, dimension), 0.1) == pytest.approx(advantage, rel=GRID)
    for adjacency in Adjacency:
        found = calibration.noise_for(EtaTarget(0.05, Game.of(adjacency)), Gaussian(1.0)).noise_multiplier
        line = frontier(Mean(40), ADVANTAGE, Notion.SUBSET, adjacency, np.array([0.1]))
        assert (line.scale[0], line.adjacency) == (pytest.approx(found, rel=CALIBRATED), adjacency)
    for measure, goal in ((FOUND, PowerTarget(0.3, 0.01)), (ADVANTAGE, AdvantageTarget(0.9))):
        found = membership_noise_for(goal, GradientRelease(10, 10, 1, dimension)).release.noise_multiplier
        assert scale(Notion.OTHERS, measure, Mean(10, dimension), goal.goal) == pytest.approx(found, rel=ROUND_TRIP)


def test_known_numbers():
    """Worked by hand: mu = z_.05 - z_.5; advantage erf(mu/sqrt 8); a swap moves by 2, in noise of scale 2."""
    assert scale(Notion.FULL, PowerMeasure(0.05), Mean(10), 0.5) == pytest.approx(1 / 1.6448536269514722)
    assert scale(Notion.FULL, ADVANTAGE, Count(10), 0.38292492254802624) == pytest.approx(1.0)
    assert scale(Notion.SUBSET_SWAP, ADVANTAGE, Mean(13, 2), np.tanh(0.5)) == pytest.approx(2.0)
    assert scale(Notion.SUBSET_SWAP, ADVANTAGE, Mean(13), 1 - np.exp(-0.5)) == pytest.approx(2.0)
    assert scale(Notion.SUBSET_PAPER, ADVANTAGE, Mean(13), 0.2) == pytest.approx(61.6**2 * 13 / 5)
    assert scale(Notion.FULL_LAPLACE, ADVANTAGE, Count(10), 1 - np.exp(-0.5)) == pytest.approx(1.0)


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
@pytest.mark.parametrize("measure", [FOUND, ADVANTAGE, EPSILON])
@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
def test_laws_of_the_frontier(statistic, measure, adjacency):
    found = {}
    for notion in Notion:
        try:
            found[notion] = frontier(statistic, measure, notion, adjacency, GOALS[measure])
        except NoAnswerError:
            assert notion is Notion.RECORD
            assert not statistic.signed or adjacency is REPLACE
    for line in found.values():
        assert np.all(line.scale >= 0.0)
        assert np.all(np.diff(line.error) <= 0.0)  # more attack success allowed, no more error
        assert line.error == pytest.approx(line.scale * statistic.unit_error(line.noise))
    replaced = frontier(statistic, measure, Notion.FULL, REPLACE, GOALS[measure])
    if Notion.RECORD in found:
        assert np.all(found[Notion.RECORD].scale <= found[Notion.FULL].scale * (1 + ROUNDING))
    assert np.all(found[Notion.OTHERS].scale <= replaced.scale * (1 + ROUNDING))
    assert np.all(found[Notion.SUBSET_SWAP].scale <= found[Notion.SUBSET_PAPER].scale)
    assert np.array_equal(found[Notion.SUBSET].scale, found[Notion.FULL].scale)
    assert found[Notion.SUBSET_SWAP].adjacency is found[Notion.OTHERS].adjacency is REPLACE


ANSWERED = [
    (notion, measure, statistic)
    for notion, measure, statistic in product(Notion, (FOUND, ADVANTAGE, EPSILON), STATISTICS)
    if statistic.signed or notion is not Notion.RECORD
]


@pytest.mark.parametrize(("notion", "measure", "statistic"), ANSWERED, ids=str)
def test_accepted_error_gives_the_goal_back(notion, measure, statistic):
    line = frontier(statistic, measure, notion, ADD, GOALS[measure])
    for goal, error in zip(GOALS[measure].tolist(), line.error.tolist(), strict=True):
        if error > 0.0:
            assert success(statistic, measure, notion, ADD, error) == pytest.approx(goal, rel=ROUND_TRIP, abs=ROUNDING)


@settings(max_examples=8)
@given(st.floats(0.02, 0.98), st.sampled_from([1, 2, 30, 5000]))
def test_effect_sizes_of_an_unknown_record_reach_the_goal(goal, dimension):
    goals = np.array([goal])
    by_power = unknown_record.mu_for_power(goals, dimension, 0.01)
    assert unknown_record.power(by_power, dimension, 0.01)[0] == pytest.approx(goal, rel=ROUND_TRIP)
    by_advantage = unknown_record.mu_for_advantage(goals, dimension)
    assert unknown_record.advantage(by_advantage, dimension)[0] == pytest.approx(goal, rel=ROUND_TRIP)


@pytest.mark.parametrize("dimension", [1, 40])
def test_advantage_of_an_unknown_record_is_the_largest_gap_of_its_curve(dimension):
    alpha = np.linspace(1e-4, 0.9999, 4001)
    for mu in (0.3, 1.0, 3.0):
        gap = float(np.max(relaxed.trade_off(Gaussian(1.0 / mu), alpha, dimension=dimension).power - alpha))
        # The curve is smooth at its largest gap: what a grid of 2.5e-4 misses is of the order of its square.
        assert unknown_record.advantage(np.array([mu]), dimension)[0] == pytest.approx(gap, abs=1e-6)


def test_what_has_no_answer_is_refused():
    for statistic in (Count(100), Histogram(100, 4)):
        with pytest.raises(NoAnswerError, match="can only raise"):
            scale(Notion.RECORD, FOUND, statistic, 0.1)
    with pytest.raises(NoAnswerError, match="not defined"):
        scale(Notion.RECORD, FOUND, Mean(100), 0.1, REPLACE)
    for goal, notion in product((0.0, 0.01, 1.0, float("nan")), Notion):
        with pytest.raises(ValueError, match=r"strictly between 0\.01 and 1"):
            scale(notion, FOUND, Mean(10), goal)


@pytest.mark.parametrize("share", [1.0, 0.1])
@pytest.mark.parametrize("notion", [Notion.FULL, Notion.RECORD, Notion.SUBSET, Notion.OTHERS])
@pytest.mark.parametrize("statistic", [Mean(10, 3), RegressionCoefficient(10, 2)], ids=str)
def test_people_needed_are_the_fewest(notion, statistic, share):
    needed = people_needed(statistic, ADVANTAGE, notion, ADD, 0.02, share)
    assert needed is not None
    for people, enough in ((needed, True), (needed - 1, False)):
        other = type(statistic)(people, *tuple(vars(statistic).values())[1:])
        error = float(frontier(other, ADVANTAGE, notion, ADD, np.array([0.02])).error[0])
        assert (error <= share * other.sampling_error) is enough


def test_the_papers_noise_from_the_spread_never_costs_less_than_sampling():
    """The spread grows with the people as fast as what sampling them costs; one swap does not."""
    assert people_needed(Mean(10), ADVANTAGE, Notion.SUBSET_PAPER, ADD, 0.1) is None
    assert people_needed(Mean(10), ADVANTAGE, Notion.SUBSET_SWAP, ADD, 0.1) is not None


@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
@pytest.mark.parametrize("goal", [0.01, 0.9])
def test_one_swap_of_unknown_data_takes_no_more_than_differential_privacy(statistic, goal):
    """The epsilon of pure differential privacy that promises this advantage is 2 artanh of it (Theorem 4)."""
    found = scale(Notion.SUBSET_SWAP, ADVANTAGE, statistic, goal)
    assert found <= statistic.sensitivity(REPLACE) / (2.0 * np.arctanh(goal)) * (1 + ROUNDING)
    if statistic.dimension == 1:
        assert found == pytest.approx(scale(Notion.FULL_LAPLACE, ADVANTAGE, statistic, goal, REPLACE), rel=ROUNDING)


def test_bounds_say_what_is_known():
    def bound(notion: Notion, statistic: Statistic, adjacency: Adjacency = ADD) -> Bound:
        return frontier(statistic, ADVANTAGE, notion, adjacency, np.array([0.1])).bound

    assert bound(Notion.FULL, Mean(10, 4)) is bound(Notion.RECORD, Mean(10, 4)) is Bound.EXACT
    assert bound(Notion.FULL_LAPLACE, Histogram(10, 4)) is Bound.EXACT
    assert bound(Notion.FULL_LAPLACE, Histogram(10, 4), REPLACE) is Bound.LOWER
    assert bound(Notion.FULL_LAPLACE, Mean(9, 4)) is Bound.LOWER
    assert bound(Notion.SUBSET, Count(10)) is bound(Notion.SUBSET_PAPER, Count(10)) is Bound.LOWER
    assert bound(Notion.OTHERS, Count(10)) is Bound.ESTIMATE


@pytest.mark.parametrize("n", [4, 9])
def test_one_swap_bound_and_privacy_hold_on_every_half(n):
    """Exact total variation by enumeration, for the count over random halves of a pool of n ones and n zeros."""
    goal, grid, rest = 0.2, np.linspace(-200, 200, 40_001), np.arange(n + 1)
    gaussian, swap = (scale(notion, ADVANTAGE, Count(n), goal) for notion in (Notion.SUBSET, Notion.SUBSET_SWAP))
    inside, outside = (hypergeom(2 * n - 1, n - 1, size).pmf(rest) for size in (n - 1, n))
    for density in (norm(scale=gaussian).pdf, lambda x: np.exp(-np.abs(x) / swap) / (2 * swap)):
        # The record looked for is a one, in the half or not.
        p = sum(w * density(grid - (k + 1)) for k, w in zip(rest, inside, strict=True))
        q = sum(w * density(grid - k) for k, w in zip(rest, outside, strict=True))
        assert 0.5 * np.trapezoid(np.abs(p - q), grid) <= goal


# Whole-number noise, blurred answers and noisy choices.

RELEASES = [WholeHistogram(1000, 20), WholeHistogram(1000, 5, REPLACE), Survey(1000, 4), Choice(1000, 8)]


@pytest.mark.parametrize("release", RELEASES, ids=lambda release: type(release).__name__)
@pytest.mark.parametrize("target", [PowerTarget(0.05, 0.01, Order.ADD), AdvantageTarget(0.2), EpsilonTarget(1.0, 1e-5)])
def test_the_noise_keeps_the_limit_and_hardly_less_does(release, target):
    kept, fine = release.kept(target), Precision(width=1e-6, relative=1e-5)
    assert target.measure(kept.mechanism, fine).upper <= target.goal
    less = kept.mechanism.with_noise(0.999 * kept.mechanism.noise_multiplier)
    assert target.measure(less, fine).upper > target.goal
    assert kept.error == release.error(kept.mechanism.noise_multiplier)


def test_a_replaced_person_moves_two_bins():
    """Both bins' losses add: as two releases of one bin, by the sum of two independent two-point laws."""
    once, replaced = (WholeHistogram(1000, 5, adjacency).mechanism(2.0) for adjacency in (ADD, REPLACE))
    assert replaced.pure_epsilon == pytest.approx(2.0 * once.pure_epsilon, rel=1e-12)
    assert replaced.advantage().upper == pytest.approx(once.advantage().upper, rel=1e-9)


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_no_counts_tell_more_than_the_mechanism_of_a_choice(adjacency):
    """Weights e^(epsilon count): any person more, or replaced, against the closed form's advantage."""
    generator, most = np.random.default_rng(4), Choice(1000, 4, adjacency).mechanism(0.7).advantage().upper
    for _ in range(300):
        counts, person, other = generator.integers(0, 6, 4), *generator.integers(0, 2, (2, 4))
        p, q = (np.exp(each / 0.7) for each in (counts + person, counts + (other if adjacency is REPLACE else 0)))
        assert 0.5 * np.abs(p / p.sum() - q / q.sum()).sum() <= most * (1.0 + 1e-12)
