"""What is replaced in Streamlit 1.67 and below it, where no setting does it; a renewed library fails loudly.

Each replacement says what happens without it, and has a test that shows so with what is installed: where the library
needs a replacement no more, that test fails. Four are functions and classes, two are values that a setting should be.
"""

import asyncio
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from time import perf_counter
from typing import Any

import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.runtime import Runtime, media_file_manager
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.media_file_manager import MediaFileManager, MediaFileMetadata
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import RerunData, ScriptRunner
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.watcher.local_sources_watcher import LocalSourcesWatcher

_Create = Callable[[AppSession, RerunData], None]
_FETCH = 15.0  # seconds in which a browser, over a poor line, asks for the download that was made for it


@dataclass(frozen=True)
class Replacement:
    """Something else in the place of ``owner.name``, which the function ``reader`` of the library looks up.

    Attributes:
        instead: what is put there, made of what was there.
        used: names that ``reader`` knows and the replacement needs.
    """

    owner: Any
    name: str
    instead: Callable[[Any], Any]
    reader: Any
    used: tuple[str, ...] = ()

    def apply(self) -> None:
        """Put it there.

        Raises:
            RuntimeError: ``owner`` defines nothing of that name, or ``reader`` looks it up no more, or not what is
                used. A renewed library would pass the replacement by, and what it prevents would go on without a word.
        """
        if self.name not in vars(self.owner) or not {self.name, *self.used} <= set(self.reader.__code__.co_names):
            raise RuntimeError(
                f"{self.owner.__name__}.{self.name} is to be replaced, and {self.reader.__qualname__} does not look it "
                "up as it did: read the installed version's source, and mend or remove the replacement."
            )
        setattr(self.owner, self.name, self.instead(vars(self.owner)[self.name]))


class Connected(list[ActiveSessionInfo]):
    """Connected sessions, each by its latest connection when its turn comes.

    Streamlit lists sessions with their connections, and then goes through the list and sends to each what its run has
    said, a message at a time. With many sessions that takes seconds. Where a tab lost its connection meanwhile and came
    back, all that its new run said went to the lost one, and the tab waited for ever.
    """

    def __init__(self, listed: Iterable[ActiveSessionInfo], manager: WebsocketSessionManager) -> None:
        super().__init__(listed)
        self._manager = manager

    def __iter__(self) -> Iterator[ActiveSessionInfo]:
        """Those that are still connected.

        Streamlit's loop keeps the last one at hand until another visitor comes: what it gets lets go of the session
        when it is done, or all that the last visitor uploaded would stay for as long as nobody else comes.
        """
        for listed in super().__iter__():
            now = self._manager.get_active_session_info(listed.session.id)
            if now is not None:
                lent = ActiveSessionInfo(now.client, now.session)
                try:
                    yield lent
                finally:
                    del lent.client, lent.session


def connected(listed: Callable[[WebsocketSessionManager], list[ActiveSessionInfo]]) -> Any:
    """``listed``, by the latest connections."""
    return lambda manager: Connected(listed(manager), manager)


def heard_out(create: _Create) -> _Create:
    """``create``, put off for a part of the page until what the run before has said is passed on.

    Streamlit drops what a run has said once another one is made. A part that runs by the clock (``run_every``) made one
    while the last messages of the page's own run still waited to be sent: the page kept old numbers below new controls.
    """

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


class Download(MediaFileMetadata):
    """A generated file that stays long enough to be fetched.

    No session refers to what a button generates when it is clicked, and Streamlit removes such files whenever a run
    ends, anybody's: marked by the first that ends and removed by the second, within tenths of a second on a busy
    server. A browser that had not asked for it by then got a download that failed.
    """

    def __init__(self, kind: MediaFileKind = MediaFileKind.MEDIA) -> None:
        super().__init__(kind)
        self._made = perf_counter()

    def mark_for_delete(self) -> None:
        """Take the mark, once the time to fetch it is over."""
        if perf_counter() > self._made + _FETCH:
            super().mark_for_delete()


def _lists_no_sources(own: Any) -> Any:
    """A watcher of sources that lists none, if none of them is watched (``fileWatcherType``).

    Streamlit lists the files of all modules for every session that comes back, and then watches none: 0.2 s of
    processor time, seven runs of a page, in which nobody else is served.
    """
    return (lambda _watcher: None) if st.get_option("server.fileWatcherType") == "none" else own


REPLACEMENTS = (
    # Streamlit takes a folder called pages for its own list of pages until ``st.navigation`` was called once, and a
    # deep link that is the first visit ends in "page not found". To call it before, with no visitor there, does the
    # same as this and logs a warning a page at every start.
    Replacement(PagesManager, "uses_pages_directory", lambda _: False, PagesManager.__init__),
    # Starlette writes what is over 1 MB of an upload to a temporary file while it comes in: a stranger's data stays on
    # the disk's blocks, and a full disk refuses it. The server's own limit bounds the size.
    Replacement(MultiPartParser, "spool_max_size", lambda _: sys.maxsize, MultiPartParser.on_headers_finished),
    Replacement(
        *(LocalSourcesWatcher, "update_watched_modules", _lists_no_sources),
        AppSession._handle_scriptrunner_event_on_event_loop,
    ),
    Replacement(WebsocketSessionManager, "list_active_sessions", connected, Runtime._loop_coroutine),
    Replacement(
        *(AppSession, "_create_scriptrunner", heard_out),
        AppSession.request_rerun,
        ("_scriptrunner", "_state", "request_rerun"),
    ),
    Replacement(media_file_manager, "MediaFileMetadata", lambda _: Download, MediaFileManager.execute_deferred),
)


def apply() -> None:
    """Replace all of it. Once per process, before the first visitor comes."""
    for one in REPLACEMENTS:
        one.apply()
