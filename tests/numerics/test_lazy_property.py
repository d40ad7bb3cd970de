"""What is computed once keeps nobody waiting who asks another object."""

from dataclasses import dataclass, replace
from threading import Barrier, Event, Thread

import numpy as np
import pytest

from numerics.deadline import looking_at
from numerics.lazy_property import lazy_property
from numerics.mechanisms import Gaussian
from numerics.privacy_loss.certified_loss import CertifiedLoss
from numerics.privacy_loss.lattices import Lattices
from numerics.privacy_loss.sides import Sides

LONG = 20.0  # seconds that nothing here takes unless it hangs


class Held:
    """A deadline at which a thread waits, as behind other visitors."""

    def __init__(self) -> None:
        self.reached, self.over = Event(), Event()

    def check(self) -> None:
        """Wait until it is over."""
        self.reached.set()
        assert self.over.wait(LONG)


def sides() -> Sides:
    """Sums of a release whose bracket is not read yet."""
    found = Lattices(Gaussian(1.0, 0.1, 10).pairs).at(0.01, 1e-3, 0.0)
    assert found is not None
    return found


def test_who_waits_within_one_answer_keeps_nobody_from_another() -> None:
    """On Python 3.11 ``functools.cached_property`` has one lock for all instances: both would wait for ever."""
    held, answers = Held(), list[CertifiedLoss]()
    waiting, other = sides(), sides()

    def wait() -> None:
        with looking_at(held):
            answers.append(waiting.loss)

    first = Thread(target=wait, daemon=True)
    second = Thread(target=lambda: answers.append(other.loss), daemon=True)
    first.start()
    assert held.reached.wait(LONG)
    second.start()
    second.join(LONG / 4)
    assert len(answers) == 1
    held.over.set()
    first.join(LONG)
    assert len(answers) == 2
    np.testing.assert_array_equal(answers[0].guarantee.add.power, answers[1].guarantee.add.power)


@dataclass(frozen=True)
class Asked:
    """Counts how often its value is computed."""

    times: list[int]

    @lazy_property
    def value(self) -> object:
        """A new object each time."""
        self.times.append(1)
        return object()

    @lazy_property
    def refused(self) -> object:
        """What cannot be computed."""
        self.times.append(1)
        raise ValueError("there is none.")


def test_a_value_is_computed_once_and_a_refusal_every_time() -> None:
    asked = Asked([])
    assert asked.value is asked.value
    assert len(asked.times) == 1
    for _ in range(2):
        with pytest.raises(ValueError, match="there is none"):
            _ = asked.refused
    assert len(asked.times) == 3
    assert replace(asked).value is not asked.value
    assert Asked.value.__doc__ == "A new object each time."


def test_threads_that_come_at_once_get_the_same_value() -> None:
    both = Barrier(2)

    class Slow:
        @lazy_property
        def value(self) -> object:
            both.wait(LONG)  # neither has an answer yet
            return object()

    slow, found = Slow(), list[object]()
    threads = [Thread(target=lambda: found.append(slow.value), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONG)
    assert len(found) == 2
    assert found[0] is found[1] is slow.value
