"""The quiz of the four doors: what a visitor guesses of an attacker who knows less, before the number is seen.

The address says its state (``doors=record-fewer_others``: one door is open after a guess, the visitor stands before
another), so a link shows what its sender saw. ``all`` opens every door at once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

import streamlit as st

from pages.attackers import answer
from pages.ui import address
from pages.ui.result_header import Headline
from pages.ui.threat_models import FULL, NOT_DEFINED, OTHERS, RELAXED, SAMPLE, ReleaseSetting, ThreatModel, View

KEY = "attackers.doors"
ALL = "all"
CLOSED: Mapping[str, ThreatModel] = {"record": RELAXED, "drawn": SAMPLE, "others": OTHERS}
"""The doors that are closed at first, by their names in the address. The first attacker's is always open."""
_TITLES = {
    FULL: "Known: all but noise",
    RELAXED: "Unknown: the record",
    SAMPLE: "Unknown: the draw",
    OTHERS: "Unknown: the others",
}
_BETWEEN, _GUESSED = "_", "-"
_NARROWEST = 140  # pixels: two abreast on a telephone
_HIDDEN = "?"


class Guess(StrEnum):
    """What a visitor expects of an attacker who knows less; the values are the labels."""

    FEWER = "fewer"
    SAME = "as many"
    MORE = "more"


_GUESSES = {guess.name.lower(): guess for guess in Guess}


@dataclass(frozen=True)
class Doors:
    """The state of the quiz: open doors with what was guessed, in their order, or all of them without any guess.

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
                doors = replace(doors, asked=name)
        return doors

    def __str__(self) -> str:
        """As the address says it."""
        opened = [f"{name}{_GUESSED}{guess.name.lower()}" for name, guess in self.guesses]
        parts = [ALL] if self.everything else opened
        return _BETWEEN.join([*parts, *([self.asked] if self.asked else [])])

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

    @property
    def all_open(self) -> bool:
        """Whether there is none left to open."""
        return all(self.is_open(model) for model in CLOSED.values())


def current() -> Doors:
    """The state in this run."""
    return Doors.parse(address.text_of(KEY))


def _put(doors: Doors) -> None:
    st.session_state[KEY] = str(doors)


def draw(setting: ReleaseSetting, state: Doors, seen: Mapping[ThreatModel, View]) -> None:
    """Draw the doors in a row, and below them the line in which the visitor guesses and then learns why."""
    row = st.grid(len(_TITLES), min_column_width=_NARROWEST, gap="xsmall")
    for model, name in {FULL: None, **{model: name for name, model in CLOSED.items()}}.items():
        number = _number(setting, seen[model]) if model in seen else _HIDDEN
        title = f"**{_TITLES[model]}**" if name and state.before == name else _TITLES[model]
        row.button(
            f"{title}  \n:material/door_{'front' if number == _HIDDEN else 'open'}: **{number}**",
            key=f"attackers.door_{name or 'all'}",
            width="stretch",
            on_click=_put,
            args=(replace(state, asked=name),),
        )
    before = state.before
    asks = before is not None and not state.is_open(CLOSED[before])
    # What is behind a door is long, and the button stands beside it; the answers to a question wrap on telephones.
    with st.container(horizontal=True, wrap=asks, vertical_alignment="center", gap="xsmall"):
        if before is not None and asks:
            _draw_question(setting, state, before, seen[FULL])
        elif before is not None:
            guess = dict(state.guesses).get(before)
            st.markdown(shown(setting, seen[FULL], seen[CLOSED[before]], guess), width="stretch")
        else:
            alike = (
                f"Counted alike ({setting.release.adjacency}, {setting.sampling}): nobody who knows less finds more."
            )
            st.markdown(alike if state.everything else "Open a door.", width="stretch")
        if state.all_open:
            st.button("Close all", key="attackers.doors_close", type="tertiary", on_click=_put, args=(Doors(),))
        else:
            then = Doors(everything=True)
            st.button("Show all", key="attackers.doors_all", type="tertiary", on_click=_put, args=(then,))


def _number(setting: ReleaseSetting, view: View) -> str:
    if view.differs:
        return NOT_DEFINED.capitalize() if view.absent == NOT_DEFINED else "Apart"
    if view.found is None or view.curve is None:
        return "No number"
    return answer.said(setting, view.found, view.curve.bound).capitalize()


def _draw_question(setting: ReleaseSetting, state: Doors, name: str, full: View) -> None:
    found = answer.count(setting, full)
    count = "the first" if found is None else f"{found:,}"
    st.markdown(f"{_TITLES[CLOSED[name]]}. More or fewer than {count}?", width="content")
    for guess in Guess:
        key = f"attackers.guess_{guess.name.lower()}"
        st.button(guess.value.capitalize(), key=key, on_click=_put, args=(state.guess(name, guess),))


def shown(setting: ReleaseSetting, full: View, view: View, guess: Guess | None = None) -> str:
    """What stands behind a door: the number and the reason, against what was guessed."""
    guessed = f"You said {guess}. " if guess else ""
    if view.absent == NOT_DEFINED:
        return f"**{guessed}There is no number.** {view.note}"
    if view.differs:
        return (
            f"**{guessed}It answers another question:** it is known for a replaced record and batches of fixed size "
            "only, so it stands apart, below."
        )
    first, own = answer.count(setting, full), answer.count(setting, view)
    if view.found is None or view.curve is None or first is None or own is None:
        return f"**{guessed}There is no number here.** {view.note}"
    sentence = Headline.of(setting.choice).sentence(view.found, view.curve.bound)
    if guess:
        actual = Guess.FEWER if own < first else Guess.SAME
        judged = "Right" if guess is actual else f"It is {actual}"
        sentence = f"**{guessed}{judged}:** {sentence[0].lower()}{sentence[1:]}"
    return f"{sentence}. {answer.WHY[view.model]}"
