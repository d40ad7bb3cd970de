"""Noise and error for a limit on attack success: against the library's calibration, by its laws, and back again."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from numerics import calibration, frontier, mechanisms, membership, relaxed
from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, Target
from numerics.frontier import Count, Histogram, Mean, Notion, RegressionCoefficient, Statistic, StatisticNoise, counts
from numerics.frontier.releases import Choice, Survey, WholeHistogram
from numerics.gaussian_membership import GradientRelease
from numerics.gaussian_membership.calibration import noise_for
from numerics.mechanisms import Adjacency, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Floats, Order
from tests.tables import Table

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
ROUND_TRIP = 1e-8  # relative; the inverse of the advantage is polished to about 1e-10
ROUNDING = 1e-12
POWER, ADVANTAGE = frontier.PowerMeasure(0.01), frontier.AdvantageMeasure()
GOALS = {POWER: np.array([0.011, 0.043, 0.5, 0.99]), ADVANTAGE: np.array([1e-3, 0.1, 0.5, 0.99])}
STATISTICS = Mean(40), Mean(300, 1000), Count(1000), Histogram(1000, 20), RegressionCoefficient(500, 3)
line_of = frontier.frontier
RNG = np.random.default_rng(7)
AIMS = [
    *((POWER, PowerTarget(0.043, 0.01)), (frontier.PowerMeasure(1e-6), PowerTarget(1e-5, 1e-6))),
    (ADVANTAGE, AdvantageTarget(0.1)),
]
REACHED, ALPHA = np.array([0.02, 0.3, 0.98]), np.linspace(1e-4, 0.9999, 4001)


def noise(notion: Notion, measure, statistic: Statistic, goal: float, adjacency: Adjacency = ADD) -> float:
    return float(line_of(statistic, measure, notion, adjacency, np.array([goal])).scale[0])


def bound(notion: Notion, statistic: Statistic, adjacency: Adjacency = ADD) -> Bound:
    return line_of(statistic, ADVANTAGE, notion, adjacency, np.array([0.1])).bound


def calibrated(target: Target, mechanism: Mechanism) -> float:
    """The noise that the library's calibration finds."""
    return calibration.noise_for(target, mechanism).noise_multiplier


def by_membership(target: PowerTarget | AdvantageTarget, dimension: int) -> float:
    """The noise that hides a record among ten of which the others are unknown."""
    return noise_for(target, GradientRelease(10, 10, 1, dimension)).release.noise_multiplier


def worst_bin(bins: int, scale: float) -> float:
    """The mean of the largest size of noise, the sum of its tails, by SciPy's discrete Laplace law."""
    m = np.arange(200)
    within = stats.dlaplace.cdf(m, 1.0 / scale) - stats.dlaplace.cdf(-m - 1, 1.0 / scale)
    return float(np.sum(1.0 - within**bins))


def share_errors(people: int, categories: int, scale: float) -> Floats:
    """Standard errors of the unbiased estimate of the shares 0 to 1, from the law of two kinds of answers."""
    share = np.linspace(0.0, 1.0, 11)
    true, other = np.array([1.0, np.exp(-1.0 / scale)]) / (1.0 + (categories - 1) * np.exp(-1.0 / scale))
    having, lacking = (stats.binom.var(1, chance) for chance in (true, other))
    return np.asarray(np.sqrt((share * having + (1.0 - share) * lacking) / people) / (true - other))


def lack(behind: Floats, scale: float) -> Floats:
    """What a noisy choice lacks of the best on average, the others being so far behind it."""
    weight = np.exp(-behind / scale)
    return np.asarray((behind * weight).sum(axis=-1) / (1.0 + weight.sum(axis=-1)))


NAMES = {**vars(mechanisms), **vars(membership), **vars(relaxed), **vars(frontier), **vars(counts), **globals()}


def test_table() -> None:
    Table(__file__, NAMES).check()


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
@pytest.mark.parametrize("measure", [POWER, ADVANTAGE])
@pytest.mark.parametrize("statistic", STATISTICS, ids=str)
def test_laws_of_the_frontier(statistic, measure, adjacency):
    """Lines fall, weaker attackers need no more noise, and an accepted error gives the goal back."""
    found = {}
    for notion in Notion:
        try:
            found[notion] = line_of(statistic, measure, notion, adjacency, GOALS[measure])
        except frontier.NoAnswerError:
            assert notion is Notion.RECORD
            assert not statistic.signed or adjacency is REPLACE
    for notion, line in found.items():
        assert np.all(line.scale >= 0.0)
        assert np.all(np.diff(line.error) <= 0.0)  # more attack success allowed, no more error
        assert line.error == pytest.approx(line.scale * statistic.unit_error(line.noise))
        for goal, error in zip(GOALS[measure].tolist(), line.error.tolist(), strict=True):
            if error > 0.0:
                back = frontier.success(statistic, measure, notion, adjacency, error)
                assert back == pytest.approx(goal, rel=ROUND_TRIP, abs=ROUNDING)
    replaced = line_of(statistic, measure, Notion.FULL, REPLACE, GOALS[measure])
    if Notion.RECORD in found:
        assert np.all(found[Notion.RECORD].scale <= found[Notion.FULL].scale * (1 + ROUNDING))
    assert np.all(found[Notion.OTHERS].scale <= replaced.scale * (1 + ROUNDING))
    assert np.all(found[Notion.SUBSET_SWAP].scale <= found[Notion.SUBSET_PAPER].scale)
    assert np.array_equal(found[Notion.SUBSET].scale, found[Notion.FULL].scale)
    assert found[Notion.SUBSET_SWAP].adjacency is found[Notion.OTHERS].adjacency is REPLACE
    # The epsilon of pure differential privacy that promises an advantage is 2 artanh of it (Theorem 4).
    for goal in (0.01, 0.9):
        swap = noise(Notion.SUBSET_SWAP, ADVANTAGE, statistic, goal)
        assert swap <= statistic.sensitivity(REPLACE) / (2.0 * np.arctanh(goal)) * (1 + ROUNDING)
        laplace = noise(Notion.FULL_LAPLACE, ADVANTAGE, statistic, goal, REPLACE)
        assert statistic.dimension > 1 or swap == pytest.approx(laplace, rel=ROUNDING)


@pytest.mark.parametrize("share", [1.0, 0.1])
@pytest.mark.parametrize("notion", [Notion.FULL, Notion.RECORD, Notion.SUBSET, Notion.OTHERS])
@pytest.mark.parametrize("statistic", [Mean(10, 3), RegressionCoefficient(10, 2)], ids=str)
def test_people_needed_are_the_fewest(notion, statistic, share):
    needed = frontier.people_needed(statistic, ADVANTAGE, notion, ADD, 0.02, share)
    assert needed is not None
    for people, enough in ((needed, True), (needed - 1, False)):
        other = type(statistic)(people, *tuple(vars(statistic).values())[1:])
        error = float(line_of(other, ADVANTAGE, notion, ADD, np.array([0.02])).error[0])
        assert (error <= share * other.sampling_error) is enough


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


# Released statistics: what one record changes, and what noise does to them, by brute force and by simulation.

DRAWS, PEOPLE = 40_000, 50
SIMULATED = 0.02  # relative; the standard error of a spread over 40,000 draws is 0.4 to 1 %
RELEASED = (
    *(Mean(PEOPLE), Mean(PEOPLE, 7), Count(PEOPLE), Histogram(PEOPLE, 6)),
    *(RegressionCoefficient(PEOPLE, 2), RegressionCoefficient(PEOPLE, 3, 0.4)),
)


def contributions(statistic: Statistic) -> Floats:
    """Every extreme contribution of one record, (m, d), among them those that the largest changes come from."""
    if isinstance(statistic, Count):
        return np.array([[0.0], [1.0]])
    if isinstance(statistic, Histogram):
        return np.eye(statistic.bins)
    signs = np.array(list(product((-1.0, 0.0, 1.0), repeat=statistic.dimension)))
    return np.asarray(signs / np.maximum(np.linalg.norm(signs, axis=1, keepdims=True), 1.0))


@pytest.mark.parametrize("statistic", RELEASED, ids=str)
def test_what_a_record_changes_by_brute_force(statistic):
    """Sensitivities are the largest changes, the radius holds every contribution, people differ in free dimensions."""
    records = contributions(statistic)
    apart = records[:: max(len(records) // 300, 1)] if len(records) > 300 else records
    for norm, stated in ((2, statistic.sensitivity), (1, statistic.l1_sensitivity)):
        assert stated(ADD) == pytest.approx(np.linalg.norm(records, norm, axis=1).max())
        replaced = max(np.linalg.norm(records - one, norm, axis=1).max() for one in (*apart, records[0], records[-1]))
        assert replaced <= stated(REPLACE) + 1e-12
        assert len(apart) < len(records) or replaced == pytest.approx(stated(REPLACE))
    assert np.linalg.norm(records - records.mean(axis=0), axis=1).max() == pytest.approx(statistic.radius)
    assert np.linalg.matrix_rank(np.cov(records, rowvar=False)) == statistic.free_dimension


def noise_of(law: StatisticNoise, dimension: int) -> Floats:
    """Noise (draws, d) of scale 1."""
    rng = np.random.default_rng(3)
    normal = rng.standard_normal((DRAWS, dimension))
    if law is StatisticNoise.GAUSSIAN:
        return normal
    if law is StatisticNoise.LAPLACE:
        return rng.laplace(size=(DRAWS, dimension))
    radius = rng.gamma(dimension, size=(DRAWS, 1))
    return np.asarray(radius * normal / np.linalg.norm(normal, axis=1, keepdims=True))


def measured(statistic: Statistic, errors: Floats) -> float:
    """The error of the sum (draws, d) in the statistic's own measure, with its scaling written out."""
    if isinstance(statistic, Histogram):
        return float(np.abs(errors).max(axis=1).mean())
    scaling = {Mean: lambda _: 1.0 / PEOPLE, Count: lambda _: 1.0}
    scaling[RegressionCoefficient] = lambda one: one.dimension / one.spread / PEOPLE
    return float(np.sqrt(np.mean(errors**2)) * scaling[type(statistic)](statistic))


@pytest.mark.parametrize("statistic", RELEASED, ids=str)
def test_errors_are_those_of_simulated_noise_and_of_the_most_varied_people(statistic):
    for law in StatisticNoise:
        error = measured(statistic, noise_of(law, statistic.dimension))
        assert statistic.unit_error(law) == pytest.approx(error, rel=SIMULATED)
    rng, records = np.random.default_rng(11), contributions(statistic)
    if not isinstance(statistic, Count | Histogram):  # both ends of every axis
        records = records[np.isclose(np.linalg.norm(records, axis=1), 1.0) & (np.count_nonzero(records, axis=1) == 1)]
    sums = records[rng.integers(len(records), size=(6000, PEOPLE))].sum(axis=1)
    found = measured(statistic, sums - PEOPLE * records.mean(axis=0))
    if isinstance(statistic, RegressionCoefficient):
        found *= np.sqrt(statistic.spread)  # x y has mean square v where y is 1 or -1, and here 1
    # Of several counts the worst is only bounded.
    assert 0.93 * statistic.sampling_error <= found <= statistic.sampling_error * (1 + SIMULATED)
