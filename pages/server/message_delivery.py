"""What a run says reaches the tab it is for, on a busy server too: two gaps in Streamlit, closed."""

import asyncio
from collections.abc import Callable, Iterator

from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import streamlit_patches

_Create = Callable[[AppSession, RerunData], None]


class Connected(list[ActiveSessionInfo]):
    """Connected sessions, each as it is connected when its turn comes."""

    def __init__(self, manager: WebsocketSessionManager) -> None:
        super().__init__(manager._active_session_info_by_id.values())
        self._manager = manager

    def __iter__(self) -> Iterator[ActiveSessionInfo]:
        """Those that are still connected, by their latest connection."""
        for listed in super().__iter__():
            now = self._manager.get_active_session_info(listed.session.id)
            if now is not None:
                yield now


def to_latest_connection() -> None:
    """Send messages to a session's latest connection.

    Streamlit lists sessions with their connections, and then goes through the list and sends to each what its run has
    said, a message at a time. With many sessions that takes seconds. Where a tab lost its connection meanwhile and came
    back, all that its new run said went to the lost one, and the tab waited for ever.
    """
    streamlit_patches.replace(WebsocketSessionManager, "list_active_sessions", _connected)


def _connected(manager: WebsocketSessionManager) -> list[ActiveSessionInfo]:
    return Connected(manager)


def before_the_next_run() -> None:
    """Let a run that just ended be heard out before a part of the page runs anew on its own (``run_every``).

    Streamlit drops what a run has said once another one is made. A part that runs by the clock made one while the last
    messages of the page's own run still waited to be sent: the page kept old numbers below new controls.
    """
    streamlit_patches.replace(AppSession, "_create_scriptrunner", heard_out(AppSession._create_scriptrunner))


def heard_out(create: _Create) -> _Create:
    """``create``, put off for a part of the page until what the run before has said is passed on."""

    def patient(session: AppSession, data: RerunData, ended: ScriptRunner | None = None) -> None:
        runner = session._scriptrunner
        if session._state == AppSessionState.SHUTDOWN_REQUESTED:
            return  # it ended while the request was put off: a run would outlive what was cleared up
        if data.fragment_id is None or runner is None or runner is ended:
            create(session, data)
        elif ended is not None and data.is_auto_rerun:
            return  # a run that began meanwhile draws the part too, by newer controls: those of this request would win
        # A runner that takes no more requests has said all it had to say: it is passed on before what is put off now.
        elif not runner.request_rerun(data):
            asyncio.get_running_loop().call_soon(patient, session, data, runner)

    return patient
