"""The end of a visit: what was uploaded goes when the time to come back is over, also on a server with nobody else."""

import asyncio
import gc
import logging
from collections.abc import Callable
from time import perf_counter

import streamlit as st
from streamlit import runtime
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_manager import MediaFileMetadata
from streamlit.runtime.media_file_storage import MediaFileKind
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import streamlit_patches

_LOG = logging.getLogger(__name__)
# Sweeping garbage keeps everybody waiting, half a second with 60 sessions: no more than a fiftieth of the time.
_REST = 50.0
_FETCH = 15.0  # seconds in which a browser, over a poor line, asks for the download that was made for it


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


def keep_downloads() -> None:
    """Keep every generated file long enough to be fetched."""
    streamlit_patches.replace(media_file_manager, "MediaFileMetadata", Download)


async def end_on_time() -> None:
    """End the sessions of closed tabs soon after the time they may be resumed in; never returns.

    Streamlit looks for sessions whose time is over, and for downloads that nobody needs, only when another tab changes
    or closes. On a quiet server the tables and the downloads of the last visitor would stay, the latter for anybody
    who has their address.
    """
    every = st.get_option("server.disconnectedSessionTTL") / 3.0
    next_sweep = 0.0
    while True:
        await asyncio.sleep(every)
        survived(end_overdue)
        if perf_counter() > next_sweep:
            next_sweep = survived(sweep) or next_sweep
        survived(_remove_downloads)


def survived(step: Callable[[], float]) -> float | None:
    """What ``step`` returns; None where it fails, which is logged: one failure must not end expiry for good."""
    try:
        return step()
    except Exception:
        _LOG.exception("A closed tab was not cleared up; it is tried again.")
        return None


def _remove_downloads() -> int:
    runtime.get_instance().media_file_mgr.remove_orphaned_files()
    return 0


def sweep() -> float:
    """Free what hangs in circles, as uploads may and what runs leave behind does; the moment the next one is due."""
    started = perf_counter()
    gc.collect()
    ended = perf_counter()
    return ended + _REST * (ended - started)


def disconnected() -> MemorySessionStorage:
    """Where Streamlit keeps the sessions of closed tabs, for which there is no public function.

    Raises:
        TypeError: it keeps them elsewhere. They would never end.
    """
    manager = runtime.get_instance()._session_mgr
    storage = manager._session_storage if isinstance(manager, WebsocketSessionManager) else None
    if not (isinstance(storage, MemorySessionStorage) and hasattr(storage._cache, "expire")):
        raise TypeError(f"Sessions of closed tabs are not where they are to be ended: {manager!r}, {storage!r}.")
    return storage


def end_overdue() -> int:
    """End the sessions whose time is over; how many there were."""
    overdue = disconnected()._cache.expire()  # type: ignore[attr-defined] # declared as a plain mapping
    for _, held in overdue:
        survived(held.session.shutdown)
    return len(overdue)
