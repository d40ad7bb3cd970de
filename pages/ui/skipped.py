"""What a page leaves out: a part that fails says so, and what takes long is named and computed on request."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import streamlit as st

from numerics.deadline import DeadlineError
from pages.server.background_job import BackgroundJob
from pages.server.budget import UNASKED, Budget, Visit, current


@contextmanager
def error_boundary(what: str) -> Iterator[None]:
    """Turn a refusal of the numerics (a ValueError) into a message about ``what``."""
    try:
        yield
    except ValueError as refusal:
        st.warning(f"**No {what}:** {refusal}", icon=":material/block:")


_KEY = "skipped.asked"
_EVERY = 0.5  # seconds between two looks at how far it is
_OFFER = f"**Not all of this page is computed.** It takes more than {UNASKED:g} s; what is shown holds."
_ROUNDS = 12  # of questions whose answers lead to further ones: the visitor is asked again after so many


@contextmanager
def if_no_time(name: str) -> Iterator[None]:
    """Go on without the curve ``name`` of the figure that is drawn next, where there is no time for it."""
    try:
        yield
    except DeadlineError:
        current().skipped.append(name)


def say() -> None:
    """Say below a figure what it lacks: what was skipped since the last one."""
    budget = current()
    missing = budget.skipped[budget.said :]
    budget.said = len(budget.skipped)
    if missing:
        st.caption(f":material/hourglass_empty: **Not computed yet, and not drawn:** {_listed(missing)}.")


def header() -> dict[str, str]:
    """What a file of the page's data has to say of it, too."""
    missing = current().skipped
    return {"not computed, and missing here": _listed(missing)} if missing else {}


def _listed(names: list[str]) -> str:
    return "; ".join(dict.fromkeys(names))


@dataclass(eq=False)
class _Asked:
    """What the visitor wants computed: everything that this ``view`` skips. All sessions share its answers."""

    view: Mapping[str, object]
    job: BackgroundJob
    rounds: int = 1


def draw(page: str, budget: Budget) -> None:
    """Offer to compute what there was not time enough for, or draw how far that is. After the page is drawn."""
    view = _view(page)
    asked: _Asked | None = st.session_state.get(_KEY)
    if asked is not None and asked.view != view:
        _cancel(asked)
        asked = None
    if asked is not None and asked.job.ended.is_set() and budget.unfinished and asked.rounds < _ROUNDS:
        asked.job, asked.rounds = _started(budget), asked.rounds + 1
    if asked is not None and not asked.job.ended.is_set():
        _draw_progress()
    elif budget.unfinished:
        with st.container(horizontal=True, vertical_alignment="center", border=True):
            st.markdown(_OFFER, width="stretch")
            draw_button("Compute the rest", page, budget, "skipped.start")


def draw_button(label: str, page: str, budget: Budget, key: str) -> None:
    """Offer what a part of a page skips, which is computed only when somebody asks for it."""
    st.button(label, key=key, icon=":material/hourglass_top:", on_click=_begin, args=(_view(page), budget))


def _view(page: str) -> Mapping[str, object]:
    return {"page": page, **st.query_params.to_dict()}


def _begin(view: Mapping[str, object], budget: Budget) -> None:
    st.session_state[_KEY] = _Asked(view, _started(budget))


def _started(budget: Budget) -> BackgroundJob:
    return BackgroundJob(_answered(tuple(budget.unfinished)), Visit().is_closed)


def _answered(questions: Sequence[Callable[[], object]]) -> Iterator[None]:
    """Ask one after the other."""
    for question in questions:
        with suppress(ValueError):  # the page asks again, and says so
            question()
        current().check()  # what was broken off is not done
        yield


def _cancel(asked: _Asked) -> None:
    asked.job.cancel()
    del st.session_state[_KEY]


@st.fragment(run_every=_EVERY)
def _draw_progress() -> None:
    asked: _Asked | None = st.session_state.get(_KEY)
    if asked is None or asked.job.ended.is_set():
        st.rerun()
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        words = f"Computing part {len(asked.job.chunks) + 1}: {asked.job.seconds:.0f} s of processor time so far."
        st.markdown(words, width="stretch")
        if st.button("Cancel", key="skipped.cancel"):
            _cancel(asked)
            st.rerun()
