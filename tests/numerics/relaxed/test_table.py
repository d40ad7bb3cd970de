"""The table of the relaxed threat model, noise for targets in it, and paper 000's hypothetical epsilon."""

import numpy as np
import pytest

from data import make_hypothetical_epsilons
from numerics import relaxed
from numerics.calibration import noise_for
from numerics.privacy_loss import Precision
from numerics.relaxed import RelaxedTest
from numerics.relaxed.hypothetical import TASKS, shipped_sandwiches
from numerics.trade_off import Order
from tests.tables import Table

NEAR = 1e-3  # of the noise
TABLE = Table(__file__)


@pytest.mark.parametrize("case", TABLE.cases())
def test_table(case):
    case.check()


@pytest.mark.parametrize(("target", "start"), TABLE.parts["calibrated"])
def test_calibration_is_met_and_tight(target, start):
    target, start = eval(target, TABLE.names), eval(start, TABLE.names)
    found = noise_for(target, start)
    assert found.met
    assert target.measure(start.with_noise(found.noise_multiplier * 0.99), Precision()).estimate > target.goal


@pytest.mark.nightly
def test_the_table_of_hypothetical_epsilons_has_every_case_and_one_is_made_anew():
    table = {(row.task.name, row.test, row.smallest_alpha): row for row in shipped_sandwiches()}
    assert len(table) == len(TASKS) * len(RelaxedTest) * len(make_hypothetical_epsilons.FLOORS)
    made = make_hypothetical_epsilons.row(TASKS[1], RelaxedTest.MAGNITUDE, 1e-3)
    held = table[TASKS[1].name, RelaxedTest.MAGNITUDE, 1e-3]
    assert made[3:] == pytest.approx((*held.noise, *held.epsilon), rel=1e-6)


@pytest.mark.parametrize("place", [pytest.param(0, marks=pytest.mark.nightly), 10])
def test_more_noise_hides_more_and_less_noise_hides_less(place):
    row = shipped_sandwiches()[place]
    half, release = np.geomspace(row.smallest_alpha, 0.5, 31), row.task.release
    alpha = np.concatenate((half, 1.0 - half[-2::-1]))
    full = release.trade_off(alpha, Order.SYMMETRIC)

    def gain(noise):
        """How much more is found than by full knowledge at the task's noise, of what is found or missed."""
        found = relaxed.trade_off(release.with_noise(noise), alpha, order=Order.SYMMETRIC, test=row.test)
        return np.where(full.power < 0.5, found.power / full.power, full.beta / found.beta) - 1.0

    for noise, epsilon, pick in zip(row.noise, row.epsilon, (np.max, np.min), strict=True):
        assert pick(gain(noise * (1.0 + NEAR))) < 1e-4
        assert pick(gain(noise * (1.0 - NEAR))) > -1e-4
        assert release.with_noise(noise * (1.0 + NEAR)).epsilon(row.task.delta).estimate < epsilon
