"""Answers where next to nothing is left: tiny deltas, records that hardly ever take part, rates below 1e-9."""

import numpy as np
import pytest

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, noise_for
from numerics.mechanisms import Adjacency, Composition, Gaussian, Laplace
from numerics.mechanisms.base import SMALLEST_RATE
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

PAGE = Precision(width=1e-4, relative=5e-3)
RELEASE = Gaussian(1.0, 0.01, 1000)


@pytest.mark.parametrize("delta", [1e-8, 1e-10, 1e-12])
@pytest.mark.parametrize("release", [RELEASE, Gaussian(0.6, 0.001, 10_000)], ids=str)
def test_epsilon_is_finite_at_every_delta_the_page_offers(release, delta):
    found = release.epsilon(delta, 2e-3, PAGE)
    assert found.width <= 1e-2  # what the memory limit allows at 1e-12
    assert release.delta(found.upper, PAGE.down_to(1e-14)).lower <= delta


def test_no_delta_and_no_advantage_exceeds_the_chance_to_take_part():
    rare = Composition((Gaussian(1.0, 1e-6, 1000), Laplace(1.0, 1e-6, 500)))
    assert rare.participation == pytest.approx(1.5e-3, rel=1e-3)
    assert rare.epsilon(2e-3).upper == 0.0
    assert rare.epsilon(1e-6).upper > 0.0
    assert 0.0 < rare.advantage(PAGE).upper < rare.participation


@pytest.mark.parametrize("records", [1, 2, 8, 256])
@pytest.mark.parametrize("adjacency", [Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE])
@pytest.mark.parametrize("kind", [Gaussian, Laplace])
def test_the_smallest_rate_has_an_answer_and_a_smaller_one_a_reason(kind, adjacency, records):
    """Without a warning, which is an error here."""
    for steps in (1, 100):
        rare = kind(1.0, SMALLEST_RATE, steps, adjacency, records_per_person=records)
        for found in (rare.advantage(PAGE), rare.delta(1.0, PAGE), rare.epsilon(1e-5, 2e-3, PAGE)):
            assert 0.0 <= found.lower <= found.estimate <= found.upper <= 1e-45
        assert rare.power(1e-3, precision=PAGE).upper == pytest.approx(1e-3, rel=1e-12)
        assert rare.auc(PAGE).upper == pytest.approx(0.5, rel=1e-12)
    for rate in (1e-60, 1e-160, 1e-300, 5e-324):
        with pytest.raises(ValueError, match=f"sampling_rate must be between 1e-50 and 1, got {rate!r}"):
            kind(1.0, rate, 1, adjacency, records_per_person=records)


@pytest.mark.parametrize(
    ("target", "release"),
    [
        (EpsilonTarget(1.0, 1e-2), Gaussian(1.0, 1e-6, 1000)),
        (AdvantageTarget(0.5), Gaussian(1.0, 1e-3, 100)),
        (PowerTarget(0.2, 0.1), Gaussian(1.0, 1e-3, 100)),
    ],
)
def test_records_that_hardly_ever_take_part_need_no_noise(target, release):
    found = noise_for(target, release)
    assert not found.noise_needed
    assert found.met


def test_power_below_a_millionth_of_a_millionth_is_calibrated_where_it_is_asked():
    found = noise_for(PowerTarget(1e-11, 1e-12), RELEASE)
    assert found.met
    assert found.reached.lower >= 0.99e-11


def test_numbers_that_do_not_hang_on_small_rates_do_not_fail_over_them():
    """A million steps: the default's accuracy at 1e-9 is out of reach, the advantage and the power at 1e-3 are not."""
    many = Gaussian(5.0, 1e-3, 1_000_000)
    assert many.advantage().width <= 1e-5
    assert many.power(1e-3).width <= 1e-5


def test_a_curve_leaves_the_callers_rates_alone():
    alpha = np.array([0.1, 0.2])
    RELEASE.trade_off(alpha, precision=PAGE)
    alpha[0] = 0.15  # raises when the curve has made it read-only
    assert alpha[0] == 0.15


def test_an_attack_whose_rate_underflows_claims_no_infinite_epsilon() -> None:
    """One replaced record, next to no noise: the loss is about 1 / (2 s^2) = 4,000, which is large and finite."""
    found = Gaussian(0.0111, 0.37, 1, Adjacency.REPLACE_ONE).epsilon(0.135)
    assert 4000.0 < found.lower <= found.upper < 4200.0


def test_an_attack_whose_rate_underflows_is_not_one_without_false_alarms() -> None:
    """.9998 of the members were said to be found without any, and delta was as large at any epsilon."""
    release = Gaussian(0.135, 0.135, 403)
    assert release.power(0.0).lower == 0.0
    assert release.epsilon(0.368).upper < 1400.0
    assert release.delta(1400.0).lower <= 0.368


def test_power_that_rounds_to_1_claims_no_infinite_mu() -> None:
    """Two unsampled Gaussian phases of mu 20 and 1 bound it."""
    found = Composition((Gaussian(0.05), Gaussian(1.0, 1e-3))).gaussian_mu()
    assert 8.0 < found.lower <= np.sqrt(401.0) <= found.upper


@pytest.mark.parametrize(
    ("target", "release", "power"),
    [
        (PowerTarget(0.72, 0.5, Order.REMOVE), Gaussian(1.0, 0.4), 0.5 / 0.6),
        (PowerTarget(0.72, 0.5), Gaussian(1.0, 0.4, 1, Adjacency.REPLACE_ONE), 0.9),
        (PowerTarget(0.05, 0.01), Gaussian(1.0, 0.0402, 1, Adjacency.REPLACE_ONE), 0.0502),
    ],
    ids=str,
)
def test_who_takes_part_seldom_is_found_as_often_as_every_order_allows(target, release, power) -> None:
    """With no noise to speak of, ``power`` is reached; a bound of the add-one order was taken for all."""
    assert release.with_noise(0.01).power(target.alpha, target.order).lower == pytest.approx(power, abs=1e-6)
    found = noise_for(target, release)
    assert found.noise_needed
    assert found.mechanism.power(target.alpha, target.order).upper <= target.power
