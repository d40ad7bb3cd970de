"""Noise and error for a limit on attack success: against the library's calibration, by its laws, and back again."""

from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from numerics import calibration, frontier, relaxed
from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget
from numerics.frontier import Mean, Notion, counts, unknown_record
from numerics.frontier.releases import Choice, Survey, WholeHistogram
from numerics.gaussian_membership import GradientRelease
from numerics.gaussian_membership.calibration import noise_for as membership_noise_for
from numerics.mechanisms import Adjacency, Gaussian, Laplace
from numerics.membership import EtaTarget, Game
from numerics.privacy_loss import Precision
from numerics.relaxed import RelaxedTarget
from numerics.trade_off import Bound, Floats, Order
from tests.numerics.asked import checks_of

ADD, REPLACE = Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE
CALIBRATED = 2e-5  # calibration rounds its noise up to six digits and settles on the guarantee
GRID = 2e-3  # and its relaxed advantage is over a grid, with an allowance for what lies between the points
ROUND_TRIP = 1e-8  # relative; the inverse of the advantage is polished to about 1e-10
ROUNDING = 1e-12
POWER, ADVANTAGE, EPSILON = frontier.PowerMeasure(0.01), frontier.AdvantageMeasure(), frontier.EpsilonMeasure(1e-5)
GOALS = {POWER: np.array([0.011, 0.043, 0.5, 0.99]), ADVANTAGE: np.array([1e-3, 0.1, 0.5, 0.99])}
GOALS[EPSILON] = np.array([0.01, 1.0, 5.0, 20.0])
STATISTICS = (
    *(Mean(40), Mean(300, 1000), frontier.Count(1000)),
    *(frontier.Histogram(1000, 20), frontier.RegressionCoefficient(500, 3)),
)
line_of = frontier.frontier
RNG = np.random.default_rng(7)


def noise(notion: Notion, measure, statistic: frontier.Statistic, goal: float, adjacency: Adjacency = ADD) -> float:
    return float(line_of(statistic, measure, notion, adjacency, np.array([goal])).scale[0])


def bound(notion: Notion, statistic: frontier.Statistic, adjacency: Adjacency = ADD) -> Bound:
    return line_of(statistic, ADVANTAGE, notion, adjacency, np.array([0.1])).bound


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


NAMES = {**{name: getattr(frontier, name) for name in frontier.__all__}, **vars(counts), **globals()}
_, _, test_values, test_refusals = checks_of(Path(__file__).with_name("table.toml"), NAMES)


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
@pytest.mark.parametrize(
    ("measure", "target"),
    [
        (POWER, PowerTarget(0.043, 0.01)),
        (frontier.PowerMeasure(1e-6), PowerTarget(1e-5, 1e-6)),
        (ADVANTAGE, AdvantageTarget(0.1)),
        (EPSILON, EpsilonTarget(1.0, 1e-5)),
    ],
)
def test_full_knowledge_is_what_calibration_finds(measure, target, adjacency):
    """In one dimension, where a record's reach is that of the library's mechanisms."""
    for notion, kind in ((Notion.FULL, Gaussian), (Notion.FULL_LAPLACE, Laplace)):
        found = calibration.noise_for(target, kind(1.0, adjacency=adjacency)).noise_multiplier
        assert noise(notion, measure, Mean(40), target.goal, adjacency) == pytest.approx(found, rel=CALIBRATED)


@pytest.mark.parametrize("dimension", [1, 50])
def test_weaker_attackers_are_what_calibration_finds(dimension):
    """An unknown record, an unknown half of the data, and unknown other records."""
    for measure, target, near in (
        (POWER, PowerTarget(0.043, 0.01), CALIBRATED),
        (ADVANTAGE, AdvantageTarget(0.1), GRID),
    ):
        found = calibration.noise_for(RelaxedTarget(target, dimension), Gaussian(1.0)).noise_multiplier
        assert noise(Notion.RECORD, measure, Mean(40, dimension), target.goal) == pytest.approx(found, rel=near)
    for adjacency in Adjacency:
        found = calibration.noise_for(EtaTarget(0.05, Game.of(adjacency)), Gaussian(1.0)).noise_multiplier
        line = line_of(Mean(40), ADVANTAGE, Notion.SUBSET, adjacency, np.array([0.1]))
        assert (line.scale[0], line.adjacency) == (pytest.approx(found, rel=CALIBRATED), adjacency)
    for measure, goal in ((POWER, PowerTarget(0.3, 0.01)), (ADVANTAGE, AdvantageTarget(0.9))):
        found = membership_noise_for(goal, GradientRelease(10, 10, 1, dimension)).release.noise_multiplier
        assert noise(Notion.OTHERS, measure, Mean(10, dimension), goal.goal) == pytest.approx(found, rel=ROUND_TRIP)


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
@pytest.mark.parametrize("measure", [POWER, ADVANTAGE, EPSILON])
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


@pytest.mark.parametrize("dimension", [1, 40, 5000])
def test_an_unknown_record_by_its_curve_and_back_again(dimension):
    """The advantage is the largest gap of the curve: a grid of 2.5e-4 misses the order of its square."""
    goals = np.array([0.02, 0.3, 0.98])
    by_power = unknown_record.mu_for_power(goals, dimension, 0.01)
    assert unknown_record.power(by_power, dimension, 0.01) == pytest.approx(goals, rel=ROUND_TRIP)
    by_advantage = unknown_record.mu_for_advantage(goals, dimension)
    assert unknown_record.advantage(by_advantage, dimension) == pytest.approx(goals, rel=ROUND_TRIP)
    alpha = np.linspace(1e-4, 0.9999, 4001)
    for mu in (0.3, 1.0, 3.0):
        gap = float(np.max(relaxed.trade_off(Gaussian(1.0 / mu), alpha, dimension=dimension).power - alpha))
        assert unknown_record.advantage(np.array([mu]), dimension)[0] == pytest.approx(gap, abs=1e-6)


@pytest.mark.parametrize("share", [1.0, 0.1])
@pytest.mark.parametrize("notion", [Notion.FULL, Notion.RECORD, Notion.SUBSET, Notion.OTHERS])
@pytest.mark.parametrize("statistic", [Mean(10, 3), frontier.RegressionCoefficient(10, 2)], ids=str)
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


@pytest.mark.parametrize("adjacency", [ADD, REPLACE])
def test_no_counts_tell_more_than_the_mechanism_of_a_choice(adjacency):
    """Weights e^(epsilon count): any person more, or replaced, against the closed form's advantage."""
    generator, most = np.random.default_rng(4), Choice(1000, 4, adjacency).mechanism(0.7).advantage().upper
    for _ in range(300):
        counts, person, other = generator.integers(0, 6, 4), *generator.integers(0, 2, (2, 4))
        p, q = (np.exp(each / 0.7) for each in (counts + person, counts + (other if adjacency is REPLACE else 0)))
        assert 0.5 * np.abs(p / p.sum() - q / q.sum()).sum() <= most * (1.0 + 1e-12)
