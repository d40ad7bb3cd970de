"""Which doors of the game are open: the attackers whose numbers the visitor has seen, and what was guessed of each.

The address says it (``doors=record-fewer_others``: one is open after a guess, the visitor stands before another), so a
link shows what its sender saw. ``all`` opens every door at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import streamlit as st

from pages.ui.threat_models.notions import FINAL, FULL, OTHERS, RELAXED, SAMPLE, ThreatModel

KEY = "attackers.doors"
ALL = "all"
CLOSED: Mapping[str, ThreatModel] = {"record": RELAXED, "drawn": SAMPLE, "others": OTHERS, "final": FINAL}
"""The doors that are closed at first, by their names in the address. The first attacker's is always open."""
_SEEN = "attackers.doors_in_address"
_BETWEEN, _GUESSED = "_", "-"
# An address of an earlier version shows every attacker; these are of views that only such addresses lead to.
_EARLIER = ("attackers.reading", "attackers.susceptibility", "axes", "window", "attackers.part", "example")


class Guess(StrEnum):
    """What a visitor expects of an attacker who knows less; the values are the labels."""

    FEWER = "fewer"
    SAME = "as many"
    MORE = "more"


_GUESSES = {guess.name.lower(): guess for guess in Guess}


@dataclass(frozen=True)
class Doors:
    """The state of the game: open doors with what was guessed, in their order, or all of them without any guess.

    The visitor stands before the door ``asked``; without it, before the one that was opened last.
    """

    guesses: tuple[tuple[str, Guess], ...] = ()
    asked: str | None = None
    everything: bool = False

    @classmethod
    def parse(cls, text: str) -> "Doors":
        """From an address; what it cannot mean is passed over."""
        doors = cls()
        for part in text.split(_BETWEEN):
            name, _, guess = part.partition(_GUESSED)
            if part == ALL:
                doors = cls(everything=True)
            elif name in CLOSED and guess in _GUESSES:
                doors = doors.guess(name, _GUESSES[guess])
            elif name in CLOSED and not guess:
                doors = doors.ask(name)
        return doors

    def __str__(self) -> str:
        """As the address says it."""
        opened = [f"{name}{_GUESSED}{guess.name.lower()}" for name, guess in self.guesses]
        parts = [ALL] if self.everything else opened
        return _BETWEEN.join([*parts, *([self.asked] if self.asked else [])])

    def ask(self, name: str) -> "Doors":
        """The visitor stands before this door."""
        return replace(self, asked=name)

    def guess(self, name: str, guess: Guess) -> "Doors":
        """The door is open, after this guess."""
        return self if self.is_open(CLOSED[name]) else Doors((*self.guesses, (name, guess)))

    def is_open(self, model: ThreatModel) -> bool:
        """Whether this attacker's number is seen."""
        return model is FULL or self.everything or any(CLOSED[name] is model for name, _ in self.guesses)

    @property
    def before(self) -> str | None:
        """The door that the visitor stands before: chosen, or opened last."""
        return self.asked or (self.guesses[-1][0] if self.guesses else None)

    def guessed(self, name: str) -> Guess | None:
        """What was guessed before this door was opened."""
        return dict(self.guesses).get(name)

    @property
    def all_open(self) -> bool:
        """Whether there is none left to open."""
        return all(self.is_open(model) for model in CLOSED.values())


def current() -> Doors:
    """The state in this run: the address' where it has changed, and else what the visitor did."""
    state, asked = st.session_state, st.query_params.get(KEY)
    if asked is not None and asked != state.get(_SEEN):
        state[KEY] = str(Doors.parse(asked))
    elif KEY not in state:
        state[KEY] = ALL if any(name in st.query_params for name in _EARLIER) else ""
    doors = Doors.parse(state[KEY])
    _say(doors)
    return doors


def _say(doors: Doors) -> None:
    text = str(doors)
    if text:
        st.query_params[KEY] = text
    elif KEY in st.query_params:
        del st.query_params[KEY]
    st.session_state[_SEEN] = text or None


def put(doors: Doors) -> None:
    """Change the state. For a button's ``on_click``."""
    st.session_state[KEY] = str(doors)
