"""Noise against who does not know the record, detection resilience, and paper 000's hypothetical epsilon."""

import numpy as np
import pytest

from data import make_hypothetical_epsilons
from numerics import relaxed
from numerics.calibration import AdvantageTarget, PowerTarget, noise_for
from numerics.mechanisms import Composition, Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.relaxed import Reading
from numerics.relaxed.hypothetical import TASKS, renyi_epsilon, sandwich, shipped_sandwiches
from numerics.trade_off import Order, alpha_grid

ROUNDING, NEAR = 1e-11, 1e-3  # NEAR is of the noise
POWER, STEPS = PowerTarget(0.05, 0.01), Gaussian(1.0, 0.1, 100)
OF_NOISE_2 = relaxed.ResilienceTarget(Gaussian(2.0).trade_off(alpha_grid(41)))


@pytest.mark.parametrize(
    ("target", "start"),
    [
        (relaxed.RelaxedTarget(PowerTarget(0.1, 0.01), dimension=300), Gaussian(1.0)),
        (relaxed.RelaxedTarget(POWER), STEPS),
        (relaxed.RelaxedTarget(POWER, reading=Reading.MAGNITUDE), STEPS),
        (relaxed.RelaxedTarget(AdvantageTarget(0.2)), Laplace(1.0)),
        (OF_NOISE_2, Gaussian(1.0)),
    ],
    ids=lambda value: value.label,
)
def test_calibration_is_met_and_tight(target, start):
    found = noise_for(target, start)
    assert found.met
    assert target.measure(start.with_noise(found.noise_multiplier * 0.99), Precision()).estimate > target.goal


def test_detection_resilience_names_the_tightest_point():
    grid, inside = alpha_grid(101), alpha_grid(101)[1:-1]
    same = relaxed.detection_resilience(Gaussian(1.0), Gaussian(1.0).trade_off(grid))
    assert same.resilient
    assert same.margin >= 0.0
    own = relaxed.trade_off(Gaussian(1.0), inside, order=Order.SYMMETRIC)
    assert relaxed.detection_resilience(Gaussian(1.0), own).margin == pytest.approx(0.0, abs=ROUNDING)
    harder = relaxed.detection_resilience(Gaussian(1.0), Gaussian(5.0).trade_off(grid))
    missing = own.beta - Gaussian(5.0).trade_off(inside).beta
    assert not harder.resilient
    assert harder.margin == pytest.approx(np.min(missing), abs=ROUNDING)
    assert harder.alpha == pytest.approx(inside[np.argmin(missing)])


@pytest.mark.parametrize("release", [STEPS, Composition((Gaussian(1.0, 0.01, 500), Gaussian(2.0, 0.02, 500)))], ids=str)
def test_resilience_is_reached_by_sampled_steps(release):
    """At alpha = 1 - 1e-9 an error of 3.5e-6, right in the middle of the curve, exceeded all of beta."""
    least, shown, most = OF_NOISE_2.measure(release.with_noise(4.0), Precision())
    assert least <= shown <= most < min(OF_NOISE_2.goal, (1.0 + NEAR) * shown)
    assert relaxed.detection_resilience(release.with_noise(4.0), OF_NOISE_2.reference).resilient


# --- hypothetical epsilons (paper 000 Section 7.3)


def both_ends(smallest, points):
    half = np.geomspace(smallest, 0.5, points)
    return np.concatenate((half, 1.0 - half[-2::-1]))


def test_the_table_has_every_case_less_than_is_printed_and_one_is_made_anew():
    rows = shipped_sandwiches()
    table = {(row.task.name, row.reading, row.smallest_alpha): row for row in rows}
    assert len(table) == len(TASKS) * len(Reading) * len(make_hypothetical_epsilons.FLOORS)
    made = make_hypothetical_epsilons.row(TASKS[1], Reading.MAGNITUDE, 1e-3)
    held = table[TASKS[1].name, Reading.MAGNITUDE, 1e-3]
    assert made[3:] == pytest.approx((*held.noise, *held.epsilon), rel=1e-6)
    for row in rows:
        if row.reading is Reading.MINIMAX:
            assert row.epsilon.safe < row.epsilon.bold < 0.75 * row.task.printed
    for task in TASKS:
        found = renyi_epsilon(task.release, task.delta)
        assert task.release.epsilon(task.delta).upper < found.usual < found.first


@pytest.mark.parametrize("row", [shipped_sandwiches()[index] for index in (0, 10)], ids=lambda row: row.reading)
def test_more_noise_hides_more_and_less_noise_hides_less(row):
    alpha, release = both_ends(row.smallest_alpha, 31), row.task.release
    full = release.trade_off(alpha, Order.SYMMETRIC)

    def gain(noise):
        """How much more is found than by full knowledge at the task's noise, of what is found or missed."""
        found = relaxed.trade_off(release.with_noise(noise), alpha, order=Order.SYMMETRIC, reading=row.reading)
        return np.where(full.power < 0.5, found.power / full.power, full.beta / found.beta) - 1.0

    for noise, epsilon, pick in zip(row.noise, row.epsilon, (np.max, np.min), strict=True):
        assert pick(gain(noise * (1.0 + NEAR))) < 1e-4
        assert pick(gain(noise * (1.0 - NEAR))) > -1e-4
        assert release.with_noise(noise * (1.0 + NEAR)).epsilon(row.task.delta).estimate < epsilon


@pytest.mark.parametrize("release", [Gaussian(1.0), Laplace(1.5)], ids=lambda release: release.label)
def test_safe_noise_is_that_of_detection_resilience(release):
    wanted = noise_for(relaxed.ResilienceTarget(release.trade_off(both_ends(1e-6, 60))), release).noise_multiplier
    assert sandwich(release).safe == pytest.approx(wanted, rel=1e-3)
