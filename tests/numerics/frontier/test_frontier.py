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
    Measure,
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
from numerics.gaussian_membership import GradientRelease
from numerics.gaussian_membership.calibration import noise_for as membership_noise_for
from numerics.mechanisms import Adjacency, Gaussian, Laplace
from numerics.membership import EtaTarget, Game
from numerics.relaxed import RelaxedTarget
from numerics.trade_off import Bound

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
CALIBRATED = 2e-5  # calibration rounds its noise up to six digits and settles on the guarantee
GRID = 2e-3  # and its relaxed advantage is over a grid, with an allowance for what lies between the points
ROUND_TRIP = 1e-8  # relative; the inverse of the advantage is polished to about 1e-10
ROUNDING = 1e-12
FOUND, ADVANTAGE, EPSILON = PowerMeasure(0.01), AdvantageMeasure(), EpsilonMeasure(1e-5)
GOALS = {FOUND: np.array([0.011, 0.043, 0.5, 0.99]), ADVANTAGE: np.array([1e-3, 0.1, 0.5, 0.99])}
GOALS[EPSILON] = np.array([0.01, 1.0, 5.0, 20.0])
STATISTICS: tuple[Statistic, ...] = (
    Mean(40),
    Mean(300, 1000),
    Count(1000),
    Histogram(1000, 20),
    RegressionCoefficient(500, 3),
)


def scale(notion: Notion, measure: Measure, statistic: Statistic, goal: float, adjacency: Adjacency = ADD) -> float:
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
def test_full_knowledge_is_what_calibration_finds(
    measure: Measure, target: PowerTarget | AdvantageTarget | EpsilonTarget, adjacency: Adjacency
) -> None:
    """In one dimension, where a record's reach is that of the library's mechanisms."""
    for notion, kind in ((Notion.FULL, Gaussian), (Notion.FULL_LAPLACE, Laplace)):
        found = calibration.noise_for(target, kind(1.0, adjacency=adjacency)).noise_multiplier
        assert scale(notion, measure, Mean(40), target.goal, adjacency) == pytest.approx(found, rel=CALIBRATED)


@pytest.mark.parametrize("dimension", [1, 2, 50])
def test_unknown_record_is_what_calibration_finds(dimension: int) -> None:
    power = calibration.noise_for(RelaxedTarget(PowerTarget(0.043, 0.01), dimension), Gaussian(1.0)).noise_multiplier
    advantage = calibration.noise_for(RelaxedTarget(AdvantageTarget(0.1), dimension), Gaussian(1.0)).noise_multiplier
    statistic = Mean(40, dimension)
    assert scale(Notion.RECORD, FOUND, statistic, 0.043) == pytest.approx(power, rel=CALIBRATED)
    assert scale(Notion.RECORD, ADVANTAGE, statistic, 0.1) == pytest.approx(advantage, rel=GRID)


def test_unknown_subset_is_what_calibration_finds_for_eta() -> None:
    for adjacency in Adjacency:
        found = calibration.noise_for(EtaTarget(0.05, Game.of(adjacency)), Gaussian(1.0)).noise_multiplier
        line = frontier(Mean(40), ADVANTAGE, Notion.SUBSET, adjacency, np.array([0.1]))
        assert line.scale[0] == pytest.approx(found, rel=CALIBRATED)
        assert line.adjacency is adjacency


@pytest.mark.parametrize("target", [PowerTarget(0.3, 0.01), AdvantageTarget(0.3), AdvantageTarget(0.9)])
@pytest.mark.parametrize("dimension", [1, 1000])
def test_unknown_others_are_what_calibration_finds(target: PowerTarget | AdvantageTarget, dimension: int) -> None:
    measure = PowerMeasure(target.alpha) if isinstance(target, PowerTarget) else ADVANTAGE
    found = membership_noise_for(target, GradientRelease(10, 10, 1, dimension)).release.noise_multiplier
    assert scale(Notion.OTHERS, measure, Mean(10, dimension), target.goal) == pytest.approx(found, rel=ROUND_TRIP)


def test_known_numbers() -> None:
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
def test_laws_of_the_frontier(statistic: Statistic, measure: Measure, adjacency: Adjacency) -> None:
    found = {}
    for notion in Notion:
        try:
            found[notion] = frontier(statistic, measure, notion, adjacency, GOALS[measure])
        except NoAnswerError:
            assert notion is Notion.RECORD
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
def test_accepted_error_gives_the_goal_back(notion: Notion, measure: Measure, statistic: Statistic) -> None:
    line = frontier(statistic, measure, notion, ADD, GOALS[measure])
    for goal, error in zip(GOALS[measure].tolist(), line.error.tolist(), strict=True):
        if error > 0.0:
            assert success(statistic, measure, notion, ADD, error) == pytest.approx(goal, rel=ROUND_TRIP, abs=ROUNDING)


@given(st.floats(0.02, 0.98), st.sampled_from([1, 2, 30, 5000]))
@settings(max_examples=8)
def test_effect_sizes_of_an_unknown_record_reach_the_goal(goal: float, dimension: int) -> None:
    goals = np.array([goal])
    by_power = unknown_record.mu_for_power(goals, dimension, 0.01)
    assert unknown_record.power(by_power, dimension, 0.01)[0] == pytest.approx(goal, rel=ROUND_TRIP)
    by_advantage = unknown_record.mu_for_advantage(goals, dimension)
    assert unknown_record.advantage(by_advantage, dimension)[0] == pytest.approx(goal, rel=ROUND_TRIP)


@pytest.mark.parametrize("dimension", [1, 40])
def test_advantage_of_an_unknown_record_is_the_largest_gap_of_its_curve(dimension: int) -> None:
    alpha = np.linspace(1e-4, 0.9999, 4001)
    for mu in (0.3, 1.0, 3.0):
        curve = relaxed.trade_off(Gaussian(1.0 / mu), alpha, dimension=dimension)
        gap = float(np.max(curve.power - alpha))
        # The curve is smooth at its largest gap: what a grid of 2.5e-4 misses is of the order of its square.
        assert unknown_record.advantage(np.array([mu]), dimension)[0] == pytest.approx(gap, abs=1e-6)


@pytest.mark.parametrize("statistic", [Count(100), Histogram(100, 4)], ids=str)
def test_an_unknown_record_is_no_help_where_its_side_is_known(statistic: Statistic) -> None:
    with pytest.raises(NoAnswerError, match="can only raise"):
        scale(Notion.RECORD, FOUND, statistic, 0.1)
    with pytest.raises(NoAnswerError, match="not defined"):
        scale(Notion.RECORD, FOUND, Mean(100), 0.1, REPLACE)


@pytest.mark.parametrize("goal", [0.0, 0.01, 1.0, float("nan")])
def test_goals_outside_are_refused(goal: float) -> None:
    for notion in Notion:
        with pytest.raises(ValueError, match=r"strictly between 0\.01 and 1"):
            scale(notion, FOUND, Mean(10), goal)


@pytest.mark.parametrize("share", [1.0, 0.1])
@pytest.mark.parametrize("notion", [Notion.FULL, Notion.RECORD, Notion.SUBSET, Notion.OTHERS])
@pytest.mark.parametrize("statistic", [Mean(10, 3), RegressionCoefficient(10, 2)], ids=str)
def test_people_needed_are_the_fewest(notion: Notion, statistic: Statistic, share: float) -> None:
    needed = people_needed(statistic, ADVANTAGE, notion, ADD, 0.02, share)
    assert needed is not None

    def excess(people: int) -> float:
        other = type(statistic)(people, *tuple(vars(statistic).values())[1:])
        return float(frontier(other, ADVANTAGE, notion, ADD, np.array([0.02])).error[0]) - share * other.sampling_error

    assert excess(needed) <= 0.0
    assert excess(needed - 1) > 0.0


def test_the_papers_noise_from_the_spread_never_costs_less_than_sampling() -> None:
    """The spread grows with the people as fast as what sampling them costs; one swap does not."""
    assert people_needed(Mean(10), ADVANTAGE, Notion.SUBSET_PAPER, ADD, 0.1) is None
    assert people_needed(Mean(10), ADVANTAGE, Notion.SUBSET_SWAP, ADD, 0.1) is not None


@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
@pytest.mark.parametrize("goal", [0.01, 0.3, 0.9])
def test_one_swap_of_unknown_data_takes_no_more_than_differential_privacy(statistic: Statistic, goal: float) -> None:
    """The epsilon of pure differential privacy that promises this advantage is 2 artanh of it (Theorem 4)."""
    found = scale(Notion.SUBSET_SWAP, ADVANTAGE, statistic, goal)
    assert found <= statistic.sensitivity(REPLACE) / (2.0 * np.arctanh(goal)) * (1 + ROUNDING)
    if statistic.dimension == 1:
        assert found == pytest.approx(scale(Notion.FULL_LAPLACE, ADVANTAGE, statistic, goal, REPLACE), rel=ROUNDING)


def test_bounds_say_what_is_known() -> None:
    def bound(notion: Notion, statistic: Statistic, adjacency: Adjacency = ADD) -> Bound:
        return frontier(statistic, ADVANTAGE, notion, adjacency, np.array([0.1])).bound

    assert bound(Notion.FULL, Mean(10, 4)) is bound(Notion.RECORD, Mean(10, 4)) is Bound.EXACT
    assert bound(Notion.FULL_LAPLACE, Histogram(10, 4)) is Bound.EXACT
    assert (
        bound(Notion.FULL_LAPLACE, Histogram(10, 4), REPLACE) is bound(Notion.FULL_LAPLACE, Mean(9, 4)) is Bound.LOWER
    )
    assert bound(Notion.SUBSET, Count(10)) is bound(Notion.SUBSET_PAPER, Count(10)) is Bound.LOWER
    assert bound(Notion.OTHERS, Count(10)) is Bound.ESTIMATE


@pytest.mark.parametrize("people", [4, 9])
def test_one_swap_bound_and_privacy_hold_on_every_half(people: int) -> None:
    """Exact total variation by enumeration, for the count over random halves of a pool of 2n zeros and ones."""
    goal, n = 0.2, people
    grid = np.linspace(-200, 200, 40_001)
    gaussian, swap = (
        scale(Notion.SUBSET, ADVANTAGE, Count(n), goal),
        scale(Notion.SUBSET_SWAP, ADVANTAGE, Count(n), goal),
    )
    laws = (norm(scale=gaussian).pdf, lambda x: np.exp(-np.abs(x) / swap) / (2 * swap))
    rest = np.arange(n + 1)
    for density in laws:
        # A pool of n ones and n zeros; the record looked for is a one, in the half or not.
        inside = hypergeom(2 * n - 1, n - 1, n - 1).pmf(rest)
        outside = hypergeom(2 * n - 1, n - 1, n).pmf(rest)
        p = sum(w * density(grid - (k + 1)) for k, w in zip(rest, inside, strict=True))
        q = sum(w * density(grid - k) for k, w in zip(rest, outside, strict=True))
        assert 0.5 * np.trapezoid(np.abs(p - q), grid) <= goal
