"""The doors in a row, and below them the line in which the visitor guesses and then learns why."""

from dataclasses import replace

import streamlit as st

from pages.attackers import answer, doors
from pages.attackers.doors import CLOSED, Doors, Guess
from pages.ui.threat_models.notions import FINAL, FULL, OTHERS, RELAXED, SAMPLE, ThreatModel
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import NOT_DEFINED, View

_NARROWEST = 140  # pixels: two abreast on a telephone
_HIDDEN = "?"
_TITLES = {
    FULL: "Known: all but noise",
    RELAXED: "Unknown: the record",
    SAMPLE: "Unknown: the draw",
    OTHERS: "Unknown: the others",
    FINAL: "Seen: the last model",
}


def draw(setting: ReleaseSetting, state: Doors, seen: dict[ThreatModel, View]) -> None:
    """Draw the row: each door a button that says what is behind it, once it is open."""
    row = st.grid(5, min_column_width=_NARROWEST, gap="xsmall")
    with row.container():
        _draw_door("all", FULL, _number(setting, seen[FULL]), chosen=False, then=replace(state, asked=None))
    for name, model in CLOSED.items():
        number = _number(setting, seen[model]) if model in seen else _HIDDEN
        with row.container():
            _draw_door(name, model, number, chosen=state.before == name, then=state.ask(name))


def _draw_door(name: str, model: ThreatModel, number: str, chosen: bool, then: Doors) -> None:
    title = f"**{_TITLES[model]}**" if chosen else _TITLES[model]
    st.button(
        f"{title}  \n:material/door_{'front' if number == _HIDDEN else 'open'}: **{number}**",
        key=f"attackers.door_{name}",
        width="stretch",
        on_click=doors.put,
        args=(then,),
    )


def draw_line(setting: ReleaseSetting, state: Doors, seen: dict[ThreatModel, View]) -> None:
    """Draw the question about the door that the visitor stands before, or what is behind it."""
    name = state.before
    asks = name is not None and not state.is_open(CLOSED[name])
    # What is behind a door is long, and the button stands beside it; the answers to a question wrap on telephones.
    with st.container(horizontal=True, wrap=asks, vertical_alignment="center", gap="xsmall"):
        if name is not None and asks:
            _draw_question(setting, state, name, seen[FULL])
        else:
            st.markdown(_words(setting, state, seen), width="stretch")
        label, key, then = ("Show all", "attackers.doors_all", Doors(everything=True))
        if state.all_open:
            label, key, then = ("Close all", "attackers.doors_close", Doors())
        st.button(label, key=key, type="tertiary", on_click=doors.put, args=(then,))


def _draw_question(setting: ReleaseSetting, state: Doors, name: str, full: View) -> None:
    found = answer.count(setting, full)
    count = "the first" if found is None else f"{found:,}"
    st.markdown(f"{_TITLES[CLOSED[name]]}. More or fewer than {count}?", width="content")
    for guess in Guess:
        opened = state.guess(name, guess)
        st.button(
            guess.value.capitalize(), key=f"attackers.guess_{guess.name.lower()}", on_click=doors.put, args=(opened,)
        )


def _words(setting: ReleaseSetting, state: Doors, seen: dict[ThreatModel, View]) -> str:
    name = state.before
    if name is not None:
        return answer.shown(setting, seen[FULL], seen[CLOSED[name]], state.guessed(name))
    return answer.shared(setting) if state.everything else "Open a door."


def _number(setting: ReleaseSetting, view: View) -> str:
    if view.differs:
        return NOT_DEFINED.capitalize() if view.absent == NOT_DEFINED else "Apart"
    if view.found is None or view.curve is None:
        return "No number"
    return answer.said(setting, view.found, view.curve.bound).capitalize()
