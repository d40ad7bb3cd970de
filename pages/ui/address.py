"""The page's address: how it spells values, setting a widget so that the address follows, and what it asks for.

Links to an example, such as a figure of a paper, say all they set: on arrival the address alone says what the page
shows. Streamlit lets what the session holds win over an address, which is right for a visitor who goes from page to
page. So an example's address has one name more (``of_example``), and what it does not say is where it starts. The page
with the link must not draw the shared controls: a link's address is added to what the browser has for those.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from math import isfinite
from urllib.parse import urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.ui import file_answers
from pages.ui.plain_text import literal

Query = dict[str, str | list[str]]
_MOST_WHOLE = 1e15  # beyond it not every whole number is a float


def put(key: str, value: object, is_default: bool = False) -> None:
    """Give the widget ``key`` a value, also where it is not drawn yet. For a callback.

    Streamlit writes the address of a widget that is drawn, and refuses that anybody else does. One that appears only
    with the value it is given has no address until it is changed: that is written here, or left out by default.
    """
    st.session_state[key] = value
    with suppress(StreamlitAPIException):
        if is_default:
            st.query_params.pop(key, None)
        else:
            st.query_params[key] = spelled(value)


def is_default(defaults: Mapping[str, object]) -> bool:
    """Whether these controls, by key, stand at their defaults: folded away, they need not be drawn and say nothing.

    The browser draws every control anew several times a run, seen or not. What they would say is set.
    """
    state = st.session_state
    return defaults.keys().isdisjoint(st.query_params) and all(
        state.setdefault(key, copy(default)) == default for key, default in defaults.items()
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


def query(state: Mapping[str, object], defaults: Mapping[str, object]) -> Query:
    """The address of widgets in this ``state``: what has its default is left out, as Streamlit leaves it out."""
    return {key: spelled(value) for key, value in state.items() if key not in defaults or defaults[key] != value}


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

    So the view stays what it is where a default changes. ``folded`` names controls that are set and not drawn. Of files
    it has the SHA-256 and what was answered about them.
    """
    said = {key: spelled(st.session_state[key]) for key in folded if st.session_state.get(key) is not None}
    said |= drawn() | {name: st.query_params.get_all(name) for name in st.query_params}
    said |= {file_answers.key(slot): file_answers.given(slot) for slot in st.query_params.get_all(_UPLOADED)}
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
        digest = file_answers.asked_of(slot)
        answered = f" What was answered about it is in this link, for SHA-256 {literal(digest[:12])}…" if digest else ""
        st.warning(f"{_GONE}{answered}", icon=":material/upload_file:")


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


_EXAMPLE = "example"
_LAST, _PENDING = "address.last_example", "address.example_arrives"


def of_example(name: str, query: Query) -> Query:
    """The address of an example: its own, and its name."""
    return {_EXAMPLE: name, **query}


def example_arrives() -> bool:
    """Whether this run is the first that shows an example. Once a run, before anything is drawn."""
    name = st.query_params.get(_EXAMPLE)
    # In a new session the address alone says what is shown anyhow.
    new = name is not None and name != st.session_state.get(_LAST, name)
    st.session_state[_LAST] = name
    if new:
        st.session_state[_PENDING] = True
    return new


def start_anew(keys: Sequence[str]) -> None:
    """Where an example has arrived, let the page's own widgets with these keys start anew. Before they are drawn.

    A key that ends in ``_`` stands for all that begin so.
    """
    if st.session_state.pop(_PENDING, False):
        beginnings = tuple(key for key in keys if key.endswith("_"))
        for key in [key for key in st.session_state if key in keys or str(key).startswith(beginnings)]:
            del st.session_state[key]


# What an address asks for and cannot be had is said once, when the visitor arrives, and not passed over.

_LONGEST = 40
_WAS_READ = "address.was_read"
_OF_KNOWN_RATE = frozenset({"rate", "steps"})


def asked() -> dict[str, str] | None:
    """The address as the visitor came with it, in the first run of a session; None in all later ones."""
    if _WAS_READ in st.session_state:
        return None
    st.session_state[_WAS_READ] = True
    return st.query_params.to_dict()


def say_what_was_refused(wanted: Mapping[str, str], shared: Container[str]) -> None:
    """Name the controls that stand elsewhere than ``wanted``, and ``shared`` ones that there are none of in this state.

    After the page is drawn, for controls drop what they refuse; above it, where it covers nothing.
    """
    state, labels = st.session_state, drawn() if wanted else {}
    refused = {
        key: text
        for key, text in wanted.items()
        if key in state and labels.get(key) not in (text, [text]) and _is_refused(key, text)
    }
    unused = {key: text for key, text in wanted.items() if key in shared and key not in state}
    said = []
    if names := _named(refused):
        said.append(f"This address asks for what is not possible: {names}. What stands there now is the default.")
    if names := _named(unused):
        said.append(f"What else this address says leaves no place for {names}.")
        if not state.get("knows_rate") and not _OF_KNOWN_RATE.isdisjoint(wanted):
            said.append("A rate and steps go with knows_rate=true.")
    if said:
        st.warning(" ".join(said), icon=":material/link_off:")


def _named(wanted: Mapping[str, str]) -> str:
    return ", ".join(f"{key} = {literal(text[:_LONGEST])}" for key, text in wanted.items() if text)


def _is_refused(key: str, text: str) -> bool:
    """Whether the control says something else; one at its default is left out of the address."""
    held = st.session_state[key]
    if text in (st.query_params.get(key), spelled(held)):
        return False
    try:
        return float(text) != float(held)
    except (ValueError, TypeError):  # it is no number
        return True
