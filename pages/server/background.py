"""What a visitor asked to be computed although it takes long, in a thread of its own.

It works while nobody who has computed less wants to, and ends with the visitor's tab.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Thread

from numerics.deadline import DeadlineError
from pages.server.budget import Budget, within
from pages.server.turns import SLOW

Question = Callable[[], object]


@dataclass(eq=False)
class BackgroundWork:
    """Questions that are asked one after the other, until the last is answered or nobody waits any more.

    Attributes:
        questions: their answers stay in the caches that all sessions share.
        is_left: whether the visitor has gone.
        done: how many are answered, or refused for another reason than time.
    """

    questions: Sequence[Question]
    is_left: Callable[[], bool]
    done: int = 0
    _cancelled: Event = field(default_factory=Event)
    _budget: Budget = field(init=False)
    _thread: Thread = field(init=False)

    def __post_init__(self) -> None:
        self._budget = Budget(is_left=lambda: self._cancelled.is_set() or self.is_left())
        self._thread = Thread(target=self._work, name="background work", daemon=True)
        self._thread.start()

    @property
    def finished(self) -> bool:
        """Whether it goes on no more."""
        return not self._thread.is_alive()

    @property
    def seconds(self) -> float:
        """Processor time so far."""
        return self._budget.spent

    def cancel(self) -> None:
        """Let it end at the next look at its deadline."""
        self._cancelled.set()

    def _work(self) -> None:
        with within(self._budget):
            for question in self.questions:
                try:
                    with SLOW.turn(spent=self.seconds):
                        question()
                except DeadlineError:
                    return
                except ValueError:  # the page asks again, and says so
                    pass
                self.done += 1
