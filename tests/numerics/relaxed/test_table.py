"""Every number of the relaxed threat model that has a source: see table.toml."""

import numpy as np
import pytest
import scipy

from numerics import calibration, mechanisms, relaxed, trade_off
from numerics.calibration import EpsilonTarget, PowerTarget, noise_for
from numerics.mechanisms import Composition, Gaussian, folded_distance, laplace
from numerics.relaxed import (
    Direction,
    GeneralisedRatioTest,
    LogGammaNoise,
    RatioStatistic,
    Reading,
    asymptotics,
    hypothetical,
)
from numerics.relaxed.hypothetical import TASKS, renyi_epsilon, shipped_sandwiches
from numerics.trade_off import Order, alpha_grid
from tests.numerics.relaxed.relaxed_adapter import found_before_bounds
from tests.tables import Table

REMOVE, BOTH, GRID = Order.REMOVE, Order.SYMMETRIC, alpha_grid(101)
HULL, TAILS = np.array([0.02, 0.1, 0.3, 0.5, 0.8, 0.95]), np.array([1e-9, 1e-4, 0.3, 1 - 1e-6])
POWER = PowerTarget(0.05, 0.01)


def beta(mechanism, alpha, order=Order.ADD, **options) -> float:
    return float(relaxed.trade_off(mechanism, np.array([alpha]), order=order, **options).beta[0])


def approximate(form, alpha, noncentrality, dimension) -> float:
    return float(getattr(asymptotics, form)(np.array([alpha]), noncentrality, dimension).beta[0])


def unequal(first_influence, first_noise, second_influence, second_noise, rate=1.0) -> Composition:
    """Two releases of different influence and noise."""
    noises = (first_noise / first_influence, second_noise / second_influence)
    return Composition(tuple(Gaussian(noise, rate) for noise in noises))


def noncentrality(mechanism) -> float:
    form = relaxed.closed_form(mechanism, 1, Direction.COMMON)
    assert form is not None
    return float(form.folded.mu) ** 2


def noise(release, **options) -> float:
    return noise_for(relaxed.RelaxedTarget(POWER, **options), release).noise_multiplier


def towards_rate_1(noise, steps, less, order) -> bool:
    """Whether powers at rate 1 - less differ from those at rate 1 by no more than in proportion to that."""
    alpha = np.array([1e-6, 1e-3, 0.01, 0.1, 0.5, 0.9, 0.99])
    curves = [relaxed.trade_off(Gaussian(noise, rate, steps), alpha, order=order) for rate in (1.0 - less, 1.0)]
    return bool(np.max(np.abs(curves[0].power - curves[1].power)) - curves[0].error < 10.0 * less + 1e-6)


def interpolated(mu, dimension) -> float:
    """What errors at 1,000 rates at once differ from those at 25 of them, relatively."""
    law, alpha = folded_distance.FoldedDistance(mu, dimension), alpha_grid(1000)[1:-1]
    many, few = law.errors(alpha, 1 - alpha), law.errors(alpha[::40], 1 - alpha[::40])
    return float(max(np.max(np.abs(m[::40] / f - 1.0)) for m, f in zip(many, few, strict=True)))


def of_gumbel(statistic, influence, alpha):
    """Errors of a test at effect 1 in mirrored Gumbel noise."""
    test = GeneralisedRatioTest(LogGammaNoise(1.0), 1.0, RatioStatistic[statistic])
    return test.errors(np.array([alpha]), influence)


def at_printed_epsilon(reading) -> float:
    """What is found at 0.1 with the noise of the epsilon that the paper prints for CIFAR-10."""
    other = noise_for(EpsilonTarget(6.0, TASKS[0].delta), TASKS[0].release).mechanism
    return relaxed.power(other, 0.1, order=Order.SYMMETRIC, reading=reading).estimate


def shipped(task, reading):
    *_, last = (row.epsilon for row in shipped_sandwiches() if (row.task.name, row.reading) == (task, reading))
    return last


def renyi_range(task):
    """By the accountant that the paper used, of all shipped noises for the product of folded steps."""
    rows = [row for row in shipped_sandwiches() if (row.task.name, row.reading) == (task, Reading.FOLDED_STEPS)]
    found = [
        e for row in rows for n in row.noise for e in renyi_epsilon(row.task.release.with_noise(n), row.task.delta)
    ]
    return min(found), max(found)


TABLE = Table(
    __file__,
    calibration,
    trade_off,
    mechanisms,
    laplace,
    folded_distance,
    relaxed,
    hypothetical,
    scipy.special,
    scipy.stats,
    globals(),
)


@pytest.mark.parametrize("case", TABLE.cases())
def test_table(case):
    case.check()


@pytest.mark.parametrize("row", TABLE.parts["drawn"], ids=lambda row: row[0])
def test_the_best_test_against_a_million_draws(row):
    question, drawn, standard_error = row[0], np.array(row[1]), np.array(row[2])
    release, alpha = eval(question, TABLE.names), np.array([1e-3, 0.01, 0.1, 0.5])
    curve, before = relaxed.trade_off(release, alpha), found_before_bounds(release, alpha)
    room = 5.0 * standard_error + 1e-4 * drawn  # the best threshold was sought to this
    for power, least, most in (
        (before.power, before.power - before.error, before.power + before.error),
        (curve.power, curve.least.power, curve.most.power),
    ):
        assert np.all((least - room <= drawn) & (drawn <= most + room))
        assert power == pytest.approx(drawn, rel=0.3)  # where little is stated to be known
