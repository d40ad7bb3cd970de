"""Noise against an attacker who does not know the record, detection resilience, and what is refused."""

import numpy as np
import pytest

from numerics import relaxed
from numerics.calibration import AdvantageTarget, PowerTarget, noise_for
from numerics.mechanisms import Adjacency, Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.relaxed import Direction, Reading
from numerics.trade_off import Order, alpha_grid
from tests.relaxed_curves import GRID, ROUNDING


def test_detection_resilience_names_the_tightest_point():
    # The curve of an attacker with full knowledge always fits; one with much less noise never does.
    same = relaxed.detection_resilience(Gaussian(1.0), Gaussian(1.0).trade_off(GRID))
    assert same.resilient
    assert same.margin >= 0.0
    harder = relaxed.detection_resilience(Gaussian(1.0), Gaussian(5.0).trade_off(GRID))
    assert not harder.resilient
    curve = relaxed.trade_off(Gaussian(1.0), np.array([harder.alpha]), order=Order.SYMMETRIC)
    missing = curve.beta[0] - Gaussian(5.0).trade_off(np.array([harder.alpha])).beta[0]
    assert harder.margin == pytest.approx(missing, abs=ROUNDING)
    own = relaxed.trade_off(Gaussian(1.0), GRID, order=Order.SYMMETRIC)
    assert relaxed.detection_resilience(Gaussian(1.0), own).margin == pytest.approx(0.0, abs=ROUNDING)


@pytest.mark.parametrize(
    ("target", "start"),
    [
        (relaxed.RelaxedTarget(PowerTarget(0.1, 0.01), dimension=300), Gaussian(1.0)),
        (relaxed.RelaxedTarget(PowerTarget(0.05, 0.01)), Gaussian(1.0, 0.1, 100)),
        (relaxed.RelaxedTarget(PowerTarget(0.05, 0.01), reading=Reading.MAGNITUDE), Gaussian(1.0, 0.1, 100)),
        (relaxed.RelaxedTarget(AdvantageTarget(0.2)), Laplace(1.0)),
        (relaxed.ResilienceTarget(Gaussian(2.0).trade_off(alpha_grid(41))), Gaussian(1.0)),
    ],
    ids=lambda value: value.label,
)
def test_calibration_is_met_and_tight(target, start):
    found = noise_for(target, start)
    assert found.met
    less = start.with_noise(found.noise_multiplier * 0.99)
    assert target.measure(less, Precision()).estimate > target.goal


def test_less_noise_suffices_when_the_record_is_unknown():
    relaxed_noise = noise_for(
        relaxed.RelaxedTarget(PowerTarget(0.1, 0.01), dimension=1000), Gaussian(1.0)
    ).noise_multiplier
    assert relaxed_noise < noise_for(relaxed.RelaxedTarget(PowerTarget(0.1, 0.01)), Gaussian(1.0)).noise_multiplier


@pytest.mark.parametrize(
    ("mechanism", "options", "message"),
    [
        (Gaussian(1.0, adjacency=Adjacency.REPLACE_ONE), {}, "adjacency must be add/remove"),
        (Laplace(1.0), {"dimension": 2}, "dimension must be 1 for Laplace noise, got 2."),
        (Gaussian(1.0, 0.1, 10), {"dimension": 2}, "dimension must be 1 for a guarantee without a formula"),
        (Gaussian(1.0, 0.1, 10), {"direction": Direction.INDEPENDENT}, "direction must be common"),
        (Laplace(1.0, 0.1, 10), {"reading": Reading.MAGNITUDE}, "magnitude of the mean is not offered for Laplace"),
        (Gaussian(1.0), {"dimension": 10**9 + 1}, "dimension must be between 1 and 1000000000"),
    ],
)
def test_what_is_refused(mechanism, options, message):
    with pytest.raises(ValueError, match=message):
        relaxed.trade_off(mechanism, GRID, **options)
