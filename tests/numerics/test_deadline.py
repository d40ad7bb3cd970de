"""A computation that is given too little time says so, goes on where it stopped, and keeps nobody else waiting."""

import gc
import weakref
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import numpy as np
import pytest

from numerics import calibration, relaxed
from numerics.approximations.sampling import monte_carlo
from numerics.deadline import UNLIMITED, Deadline, DeadlineError, look, looking_at
from numerics.mechanisms import Gaussian, Laplace
from numerics.privacy_loss import Precision
from numerics.privacy_loss.bounds import CertifiedLoss
from numerics.privacy_loss.refinement import Refinement
from numerics.relaxed.minimax import minimax
from numerics.trade_off import Order
from tests.numerics.deadlines import Looks

RELEASE = Gaussian(1.1, 0.013, 700)
ALPHA = np.array([0.01, 0.1])
LONG = 20.0  # seconds that nothing here takes unless it hangs


def certified(of: Callable[[float], Any]) -> Callable[[float, Deadline], Any]:
    """Of a release with so much noise: its law, asked under the deadline."""
    return lambda noise, deadline: of(noise).certified(Precision(deadline=deadline)).power(0.1, Order.ADD)


# What is computed with a noise that nobody has asked for, looks that it stops after, and how many it takes at least.
COMPUTED: dict[str, tuple[Callable[[float, Deadline], Any], tuple[int, ...], int]] = {
    "relaxed": (lambda noise, till: relaxed.power(RELEASE.with_noise(noise), 0.01, deadline=till), (0, 8), 8),
    "draws": (
        lambda noise, till: monte_carlo(Gaussian(noise, 0.1, 900), ALPHA, 2_000, deadline=till)[1].sum(),
        (0, 3),
        4,
    ),
    "lattice": (certified(lambda noise: Laplace(noise, 0.013, 700)), (0, 3, 12), 19),
    "no lattice": (certified(lambda noise: RELEASE.with_noise(noise + 0.7)), (0, 2, 4), 4),
    "calibration": (
        lambda noise, till: calibration.noise_for(calibration.AdvantageTarget(noise / 20), RELEASE, deadline=till),
        (0, 6),
        6,
    ),
}


@pytest.mark.parametrize("what", COMPUTED)
def test_a_computation_stops_between_its_parts_and_answers_the_same_in_time(what: str) -> None:
    """Nothing half done is remembered, and what is remembered does not hold on to a deadline."""
    (compute, stops, least), looks = COMPUTED[what], Looks(1000)
    for place, allowed in enumerate(stops):
        with pytest.raises(DeadlineError):
            compute(1.2 + 0.01 * place, Looks(allowed))
    found = [compute(1.2 + 0.01 * place, UNLIMITED) for place in range(len(stops))]
    again = [compute(1.2 + 0.01 * place, Looks(1000)) for place in range(len(stops))]
    assert found == again
    compute(1.4, looks)
    assert looks.looks >= least
    gone = weakref.ref(looks)
    del looks
    gc.collect()
    assert gone() is None


def test_what_was_stopped_goes_on_where_it_was_and_a_deadline_is_no_part_of_the_question() -> None:
    fresh, rest, pairs = Looks(1000), Looks(1000), RELEASE.with_noise(1.5).pairs
    minimax(RELEASE.with_noise(1.51).pairs, ALPHA[:1], Order.ADD, fresh)
    with pytest.raises(DeadlineError):
        minimax(pairs, ALPHA[:1], Order.ADD, Looks(5))
    minimax(pairs, ALPHA[:1], Order.ADD, rest)
    assert rest.looks <= fresh.looks // 2 + 1
    assert RELEASE.certified() is RELEASE.certified(Precision(deadline=rest))
    assert Precision(deadline=rest) == Precision()


def test_where_the_law_of_one_step_takes_long_that_stops_too() -> None:
    """All of it comes before the first transform, and was one stretch of a second and more."""
    looks = Looks(40)
    precision = Precision(deadline=looks, is_remembered=False)
    with pytest.raises(DeadlineError):
        Laplace(2.0, 0.05, 999, records_per_person=256).epsilon(1e-5, precision=precision)
    assert looks.looks == 41


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


def test_who_waits_within_one_answer_keeps_nobody_from_another() -> None:
    """On Python 3.11 ``functools.cached_property`` has one lock for all instances: both would wait for ever."""
    reached, over, answers = Event(), Event(), list[CertifiedLoss]()

    class Held:
        def check(self) -> None:
            reached.set()
            assert over.wait(LONG)

    waiting, other = (Refinement(Gaussian(1.0, 0.1, 10).pairs).at(0.01, 1e-3, 0.0) for _ in range(2))
    assert waiting is not None
    assert other is not None

    def wait() -> None:
        with looking_at(Held()):
            answers.append(waiting.loss)

    first, second = Thread(target=wait, daemon=True), Thread(target=lambda: answers.append(other.loss), daemon=True)
    first.start()
    assert reached.wait(LONG)
    second.start()
    second.join(LONG)
    assert len(answers) == 1
    over.set()
    first.join(LONG)
    assert answers[1].delta(0.3) == answers[0].delta(0.3)
