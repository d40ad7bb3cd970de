"""The doors in a row, and below them the line in which the visitor guesses and then learns why."""

from dataclasses import replace

import streamlit as st

from pages.attackers import answer, doors
from pages.attackers.doors import CLOSED, Doors, Guess
from pages.ui.threat_models.notions import FULL, Model
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import NOT_DEFINED, View

_NARROWEST = 150  # pixels: two abreast on a telephone


def draw(state: Doors, seen: dict[Model, View]) -> None:
    """Draw the row: each door a button that says what is behind it, once it is open."""
    row = st.grid(4, min_column_width=_NARROWEST, gap="xsmall")
    with row.container():
        _draw_door("all", FULL, _number(seen[FULL], seen[FULL]), chosen=False, then=replace(state, asked=None))
    for name, model in CLOSED.items():
        number = _number(seen[FULL], seen[model]) if model in seen else "?"
        with row.container():
            _draw_door(name, model, number, chosen=state.before == name, then=state.ask(name))


def _draw_door(name: str, model: Model, number: str, chosen: bool, then: Doors) -> None:
    st.button(
        f"{_capitalized(model)}  \n**{number}**",
        key=f"door_{name}",
        icon=f":material/door_{'front' if number == '?' else 'open'}:",
        width="stretch",
        type="primary" if chosen else "secondary",
        on_click=doors.put,
        args=(then,),
    )


def draw_line(setting: ReleaseSetting, state: Doors, seen: dict[Model, View]) -> None:
    """Draw the question about the door that the visitor stands before, or what is behind it."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        name = state.before
        if name is not None and not state.is_open(CLOSED[name]):
            _draw_question(state, name, seen[FULL])
        else:
            st.markdown(_words(setting, state, seen), width="stretch")
        if state.all_open:
            st.button("Close the doors", key="doors_close", type="tertiary", on_click=doors.put, args=(Doors(),))
        else:
            everything = Doors(everything=True)
            st.button("Show all", key="doors_all", type="tertiary", on_click=doors.put, args=(everything,))


def _draw_question(state: Doors, name: str, full: View) -> None:
    count = "the first"
    if full.found is not None and full.curve is not None:
        count = f"{answer.people(full.found, full.curve.bound, answer.crowd(full)):,}"
    st.markdown(f"{_capitalized(CLOSED[name])}: more or fewer than {count}?", width="content")
    for guess in Guess:
        opened = state.guess(name, guess)
        st.button(guess.value.capitalize(), key=f"guess_{guess.name.lower()}", on_click=doors.put, args=(opened,))


def _words(setting: ReleaseSetting, state: Doors, seen: dict[Model, View]) -> str:
    name = state.before
    if name is not None:
        return answer.shown(seen[FULL], seen[CLOSED[name]], state.guessed(name))
    return answer.shared(setting) if state.everything else "Open a door, and guess."


def _number(full: View, view: View) -> str:
    if view.differs:
        return NOT_DEFINED.capitalize() if view.absent == NOT_DEFINED else "Apart"
    if view.found is None or view.curve is None:
        return "No number"
    return answer.said(view.found, view.curve.bound, answer.crowd(full)).capitalize()


def _capitalized(model: Model) -> str:
    return model.name[0].upper() + model.name[1:]
