"""The end of a visit: what was uploaded goes when the time to come back is over, also on a server with nobody else."""

import asyncio
import gc
import logging
from collections.abc import Callable
from time import perf_counter

import streamlit as st
from streamlit import runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

_LOG = logging.getLogger(__name__)
# Sweeping garbage keeps everybody waiting, half a second with 60 sessions: no more than a fiftieth of the time.
_REST = 50.0
_AFTER_SWEEPS: list[Callable[[Callable[[str], bool]], None]] = []


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
            survived(_settle)
        survived(_remove_downloads)


def survived(step: Callable[[], float]) -> float | None:
    """What ``step`` returns; None where it fails, which is logged: one failure must not end expiry for good."""
    try:
        return step()
    except Exception:
        _LOG.exception("A closed tab was not cleared up; it is tried again.")
        return None


def after_sweeps(settle: Callable[[Callable[[str], bool]], None]) -> None:
    """Have ``settle`` called after every sweep, with what says whether a session is still active."""
    _AFTER_SWEEPS.append(settle)


def _settle() -> int:
    for settle in _AFTER_SWEEPS:
        settle(runtime.get_instance().is_active_session)
    return 0


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


def sessions() -> int:
    """How many there are, also of closed tabs that may come back."""
    return runtime.get_instance()._session_mgr.num_sessions()


def end_overdue() -> int:
    """End the sessions whose time is over; how many there were."""
    overdue = disconnected()._cache.expire()  # type: ignore[attr-defined] # declared as a plain mapping
    for _, held in overdue:
        survived(held.session.shutdown)
    return len(overdue)
