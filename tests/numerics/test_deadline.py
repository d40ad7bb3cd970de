"""A computation that is given too little time says so, goes on where it stopped, and answers the same."""

import gc
import weakref

import numpy as np
import pytest

from numerics import calibration, relaxed
from numerics.approximations.sampling import monte_carlo
from numerics.deadline import UNLIMITED, DeadlineError, look, looking_at
from numerics.epsilon_star.simulations import NormalLosses, SampleEstimate, simulate
from numerics.mechanisms import Gaussian, Laplace, Mechanism
from numerics.privacy_loss import Precision
from numerics.relaxed.minimax import minimax
from numerics.trade_off import Order
from tests.numerics.asked import Looks

RELEASE = Gaussian(1.1, 0.013, 700)
EXTREME = (
    Gaussian(0.49, 0.05, 999, records_per_person=256),
    Laplace(1000.0, 0.5, 1_000_000, records_per_person=256),
)


@pytest.mark.parametrize("allowed", [0, 3, 8])
def test_a_relaxed_curve_stops_between_its_parts(allowed: int) -> None:
    release = RELEASE.with_noise(1.2 + 0.01 * allowed)  # nothing of it is remembered
    with pytest.raises(DeadlineError):
        relaxed.power(release, 0.01, deadline=Looks(allowed))
    assert relaxed.power(release, 0.01, deadline=Looks(1000)) == relaxed.power(release, 0.01)


def test_a_relaxed_curve_goes_on_where_it_was_stopped() -> None:
    fresh, looks, alpha = Looks(1000), Looks(1000), np.array([0.01])
    minimax(RELEASE.with_noise(1.31).pairs, alpha, Order.ADD, fresh)
    pairs = RELEASE.with_noise(1.3).pairs
    with pytest.raises(DeadlineError):
        minimax(pairs, alpha, Order.ADD, Looks(5))
    minimax(pairs, alpha, Order.ADD, looks)
    assert looks.looks <= fresh.looks // 2 + 1


@pytest.mark.parametrize("allowed", [0, 10])
def test_draws_stop_between_their_chunks(allowed: int) -> None:
    release, alpha = Gaussian(1.0, 0.1, 1000), np.array([0.01, 0.1])
    with pytest.raises(DeadlineError):
        monte_carlo(release, alpha, 5_000, deadline=Looks(allowed))
    looks = Looks(1000)
    found = monte_carlo(release, alpha, 5_000, deadline=looks)
    assert np.array_equal(found.curve.power, monte_carlo(release, alpha, 5_000).curve.power)
    assert looks.looks > 10


@pytest.mark.parametrize("allowed", [0, 9])
def test_simulations_stop_between_their_runs(allowed: int) -> None:
    with pytest.raises(DeadlineError):
        simulate(NormalLosses(1.0), 50, 1e-5, deadline=Looks(allowed))
    assert simulate(NormalLosses(1.0), 50, 1e-5, deadline=Looks(10)).keys() == set(SampleEstimate)


@pytest.mark.parametrize("allowed", [0, 6])
def test_a_calibration_stops_between_its_trials(allowed: int) -> None:
    target = calibration.PowerTarget(0.1, 0.01)
    with pytest.raises(DeadlineError):
        calibration.noise_for(target, RELEASE, deadline=Looks(allowed))


def test_a_calibration_in_time_is_the_same() -> None:
    target = calibration.PowerTarget(0.1, 0.01)
    looks = Looks(1000)
    assert calibration.noise_for(target, RELEASE, deadline=looks) == calibration.noise_for(target, RELEASE)
    assert looks.looks > 6


@pytest.mark.parametrize("allowed", [0, 3, 12])
def test_a_certified_curve_stops_between_its_transforms_and_nothing_half_done_is_remembered(allowed: int) -> None:
    release = Laplace(1.4 + 0.01 * allowed, 0.013, 700)
    with pytest.raises(DeadlineError):
        release.certified(Precision(deadline=Looks(allowed)))
    with pytest.raises(DeadlineError):
        release.epsilon(1e-5, precision=Precision(deadline=Looks(allowed)))
    looks = Looks(1000)
    found = release.certified(Precision(deadline=looks))
    assert looks.looks > 19  # of each transform and what is read from it, on both sides, in both orders
    assert release.certified() is found
    assert Precision(deadline=looks) == Precision()


@pytest.mark.parametrize("allowed", [0, 2, 4])
def test_a_curve_without_a_lattice_stops_between_its_parts(allowed: int) -> None:
    release, looks = RELEASE.with_noise(1.6 + 0.01 * allowed), Looks(1000)
    with pytest.raises(DeadlineError):
        release.certified(Precision(deadline=Looks(allowed)))
    found = release.certified(Precision(deadline=looks))
    assert looks.looks > 4  # of its transform, of each sum and of each side
    assert release.certified() is found


@pytest.mark.parametrize("allowed", [0, 40, 120])
@pytest.mark.parametrize("release", EXTREME, ids=lambda release: release.name)
def test_where_the_law_of_one_step_takes_long_that_stops_too(release: Mechanism, allowed: int) -> None:
    """All of it comes before the first transform, and was one stretch of a second and more."""
    looks = Looks(allowed)
    with pytest.raises(DeadlineError):
        release.epsilon(1e-5, precision=Precision(deadline=looks, is_remembered=False))
    assert looks.looks == allowed + 1


def test_a_look_is_at_the_deadline_of_whoever_asked_last() -> None:
    outer, inner = Looks(1), Looks(0)
    look()
    with looking_at(outer):
        look()
        with looking_at(inner), pytest.raises(DeadlineError):
            look()
        with looking_at(UNLIMITED), pytest.raises(DeadlineError):
            look()
    look()


def test_what_is_remembered_does_not_hold_on_to_a_deadline() -> None:
    looks = Looks(1000)
    gone = weakref.ref(looks)
    RELEASE.with_noise(1.5).certified(Precision(deadline=looks))
    RELEASE.with_noise(1.5).epsilon(1e-5, precision=Precision(deadline=looks))
    del looks
    gc.collect()
    assert gone() is None
