"""The page's address: how it spells values, and setting a widget so that the address follows."""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from copy import copy
from math import isfinite
from urllib.parse import urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

Query = dict[str, str | list[str]]
_MOST_WHOLE = 1e15  # beyond it not every whole number is a float


def put(key: str, value: object) -> None:
    """Give the widget ``key`` a value, also where it is not drawn yet. For a callback.

    Streamlit writes the address of a widget that is drawn, and refuses that anybody else does. One that appears only
    with the value it is given has no address until it is changed: that is written here.
    """
    st.session_state[key] = value
    with suppress(StreamlitAPIException):
        st.query_params[key] = spelled(value)


def forget(key: str) -> None:
    """Leave the widget ``key`` out of the address, if it is not drawn yet. For a callback, as ``put``."""
    with suppress(StreamlitAPIException):
        st.query_params.pop(key, None)


def put_all(state: Mapping[str, object], starts: Mapping[str, object]) -> None:
    """Give all these widgets their values; what is where it ``starts`` is left out of the address. For a callback."""
    for key, value in state.items():
        if key in starts and starts[key] == value:
            st.session_state[key] = value
            forget(key)
        else:
            put(key, value)


def is_at_start(starts: Mapping[str, object]) -> bool:
    """Whether these controls, by key, are where they start: folded away they need not be drawn, and would say nothing.

    The browser draws every control anew several times a run, seen or not. What they would say is set.
    """
    state = st.session_state
    return starts.keys().isdisjoint(st.query_params) and all(
        state.setdefault(key, copy(start)) == start for key, start in starts.items()
    )


def spelled(value: object) -> str | list[str]:
    """A widget's value as Streamlit spells it in the address, with every digit.

    >>> spelled(10.0), spelled(1e-05), spelled(True), spelled(["CLT"])
    ('10', '1e-05', 'true', ['CLT'])
    """
    if isinstance(value, list):
        return [str(spelled(one)) for one in value]
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and isfinite(value) and value == int(value):
        return str(int(value))
    return "" if value is None else str(value)


def labelled(value: float) -> str:
    """A value of a slider as its label has it, which is also how the address spells it: six digits, whole numbers all.

    There is no plus in it: in an address that is a space.

    >>> labelled(0.3), labelled(1e6), labelled(1e-05), labelled(2.5e7 + 0.5)
    ('0.3', '1000000', '1e-05', '2.5e07')
    """
    is_whole = isfinite(value) and value == int(value) and abs(value) < _MOST_WHOLE
    return str(int(value)) if is_whole else f"{value:g}".replace("e+", "e")


def query(state: Mapping[str, object], starts: Mapping[str, object]) -> Query:
    """The address of widgets in this ``state``: what is where it ``starts`` is left out, as Streamlit leaves it out."""
    return {key: spelled(value) for key, value in state.items() if key not in starts or starts[key] != value}


def text_of(key: str) -> str:
    """A text that no widget holds, in the session and in the address; an address that has changed wins.

    Who changes it sets it in the session, in a callback.
    """
    state, asked, told = st.session_state, st.query_params.get(key), f"address.told_{key}"
    if asked is not None and (key not in state or asked != state.get(told)):
        state[key] = asked
    text = str(state.setdefault(key, ""))
    # Writing sends the whole address as this run knows it, which puts back what the visitor has changed meanwhile.
    if text and text != asked:
        st.query_params[key] = text
    elif not text and asked is not None:
        del st.query_params[key]
    state[told] = text or None
    return text


def permalink(folded: Iterable[str]) -> str:
    """Address that restores this view: the page with every control that is drawn, those at their defaults too.

    So the view stays what it is where a default changes. ``folded`` names controls that are set and not drawn.
    """
    said = {key: spelled(st.session_state[key]) for key in folded if st.session_state.get(key) is not None}
    said |= drawn() | {name: st.query_params.get_all(name) for name in st.query_params}
    query = urlencode([(name, value) for name, value in said.items() if value], doseq=True)
    return f"{st.context.url or ''}{'?' if query else ''}{query}"


def drawn() -> Query:
    """The widgets that are drawn and stand in the address, as it spells them: some by the label of what is chosen.

    Streamlit has no public list of them; a test looks whether this one is complete.
    """
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return {}
    widgets = context.session_state._state
    found: Query = {}
    for key, binding in widgets.query_params._bindings_by_param.items():
        metadata = widgets.get_widget_metadata(binding.widget_id)
        if metadata is not None and (value := st.session_state.get(key)) is not None:
            found[key] = spelled(metadata.serializer(value))
    return found


# Places for uploads: the address names those that held a file, and nothing of the file.

_UPLOADED = "uploaded"
_GONE = (
    "**What was uploaded or pasted here is gone.** It stays in the memory of one visit only: it goes when the page is "
    "reloaded or the server starts anew, and no address holds it. Please give it again."
)


def note_upload(slot: str, held: bool) -> None:
    """Keep the address in step with whether ``slot`` holds a file; say so where it held one in another visit.

    To be called in every run that draws the place, below it. Writes the address only where that changes it.
    """
    named = st.query_params.get_all(_UPLOADED)
    if held and slot not in named:
        st.query_params[_UPLOADED] = [*named, slot]
    elif not held and slot in named:
        st.warning(_GONE, icon=":material/upload_file:")


def forget_upload(slot: str) -> None:
    """Let the address name ``slot`` no more: its file was removed on purpose. For a callback."""
    left = [name for name in st.query_params.get_all(_UPLOADED) if name != slot]
    if left:
        st.query_params[_UPLOADED] = left
    elif _UPLOADED in st.query_params:
        del st.query_params[_UPLOADED]


def rests_on_upload() -> bool:
    """Whether the address names a place with a file, which it does not hold."""
    return _UPLOADED in st.query_params
