"""What a page leaves out because it takes long: said above it, and computed when the visitor asks for it.

It is done in a thread, and all sessions share its answers; what is worked on a slice at a time is a ``task_runner``'s.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import streamlit as st

from pages.server.background import BackgroundWork
from pages.server.budget import Budget
from pages.server.presence import tab_closed
from pages.server.turns import UNASKED

_KEY = "longer_work.asked"
_EVERY = 0.5  # seconds between two looks at how far it is
_OFFER = f"**Not all of this page is computed.** It takes more than {UNASKED:g} s; what is shown holds."
_ROUNDS = 12  # of questions whose answers lead to further ones: the visitor is asked again after so many


@dataclass(eq=False)
class _Asked:
    """What the visitor wants computed: everything that this ``view`` leaves out."""

    view: Mapping[str, object]
    work: BackgroundWork
    rounds: int = 1


def draw(page: str, budget: Budget) -> None:
    """Offer to compute what there was not time enough for, or draw how far that is. After the page is drawn."""
    view = _view(page)
    asked: _Asked | None = st.session_state.get(_KEY)
    if asked is not None and asked.view != view:
        asked.work.cancel()
        del st.session_state[_KEY]
        asked = None
    if asked is not None and asked.work.finished and budget.unfinished and asked.rounds < _ROUNDS:
        asked.work, asked.rounds = _started(budget), asked.rounds + 1
    if asked is not None and not asked.work.finished:
        _draw_progress()
    elif budget.unfinished:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.markdown(_OFFER, width="stretch")
            draw_button("Compute the rest", page, budget, "longer_work.start")


def draw_button(label: str, page: str, budget: Budget, key: str) -> None:
    """Offer what a part of a page leaves out, which is computed only when somebody asks for it."""
    st.button(label, key=key, icon=":material/hourglass_top:", on_click=_begin, args=(_view(page), budget))


def _view(page: str) -> Mapping[str, object]:
    return {"page": page, **st.query_params.to_dict()}


def _begin(view: Mapping[str, object], budget: Budget) -> None:
    st.session_state[_KEY] = _Asked(view, _started(budget))


def _started(budget: Budget) -> BackgroundWork:
    return BackgroundWork(tuple(budget.unfinished), tab_closed())


@st.fragment(run_every=_EVERY)
def _draw_progress() -> None:
    asked: _Asked | None = st.session_state.get(_KEY)
    if asked is None or asked.work.finished:
        st.rerun()
    work = asked.work
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        words = f"Computing part {work.done + 1}: {work.seconds:.0f} s of processor time so far."
        st.markdown(words, width="stretch")
        if st.button("Cancel", key="longer_work.cancel"):
            work.cancel()
            del st.session_state[_KEY]
            st.rerun()
