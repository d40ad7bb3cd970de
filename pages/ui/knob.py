"""A slider that moves the page under the finger: what the page shows at its other places, found after its answer."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

import people_view
from numerics.deadline import DeadlineError
from pages.server.budget import portion
from pages.server.run_order import RUNS
from people_view import State

SECONDS = 1.0  # of processor time, of which half is kept from what is slow; while no other visitor waits


class States(dict[str, State]):
    """What a page shows, by the slider's places as it shows them; ``shared_cache`` keeps fewer of them than curves."""

    REMEMBERED = 32


def draw(slider: str, chosen: str, states: Callable[[], Mapping[str, State]], pale: Sequence[str] = ()) -> None:
    """Let the slider of this key move what the ``states`` name, as ``people_view.draw_knob``: last on a page.

    They are asked for as far as there is time, which costs the page no answer: without them all that would move is
    pale while the slider is elsewhere, and the server answers when the finger lifts.
    """
    with portion(SECONDS, RUNS.is_busy):
        people_view.draw_knob(slider, chosen, known(states), pale)


def known(states: Callable[[], Mapping[str, State]]) -> Mapping[str, State]:
    """The states, or none where they take too long or cannot be computed."""
    with suppress(DeadlineError, ValueError):
        return states()
    return States()
