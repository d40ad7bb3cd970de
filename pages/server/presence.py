"""Whether the visitor still waits for what is computed: asked in loops, from any thread."""

from collections.abc import Callable

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests, ScriptRequestType

IsLeft = Callable[[], bool]


def tab_closed() -> IsLeft:
    """Says later of the session whose page is running whether its tab is gone; where no page is, nobody leaves."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None or not runtime.exists():
        return lambda: False
    # Taken now: who asks later asks from another thread, when there may be no server any more.
    session, server = context.session_id, runtime.get_instance()
    return lambda: not server.is_active_session(session)


def moved_on() -> IsLeft:
    """Says later whether the visitor wants something else than this run: another page, other values, or no more."""
    context, closed = get_script_run_ctx(suppress_warning=True), tab_closed()
    requests = context.script_requests if context else None
    return lambda: closed() or (requests is not None and is_asked_for(requests))


def is_asked_for(requests: ScriptRequests) -> bool:
    """Whether a run is to end for what the visitor did; a part of the page that runs by the clock waits.

    Streamlit has no public question for it: it raises an exception in a run that draws, and one that computes goes on.
    """
    asked = requests._rerun_data
    by_visitor = not asked.fragment_id_queue or not asked.is_auto_rerun
    return requests._state is ScriptRequestType.STOP or (requests._state is ScriptRequestType.RERUN and by_visitor)
