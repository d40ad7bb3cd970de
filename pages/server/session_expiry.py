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
    server, next_sweep = runtime.get_instance(), 0.0
    while True:
        await asyncio.sleep(every)
        _try(_end_overdue)
        if (began := perf_counter()) > next_sweep:
            gc.collect()  # what hangs in circles, as uploads may and what runs leave behind does
            ended = perf_counter()
            next_sweep = ended + _REST * (ended - began)
            for settle in _AFTER_SWEEPS:
                _try(settle, server.is_active_session)
        _try(server.media_file_mgr.remove_orphaned_files)


def _end_overdue() -> None:
    for _, held in disconnected()._cache.expire():  # type: ignore[attr-defined] # declared as a plain mapping
        _try(held.session.shutdown)


def _try(step: Callable[..., object], *arguments: object) -> None:
    """Do ``step``; where it fails that is logged: one failure must not end expiry for good."""
    try:
        step(*arguments)
    except Exception:
        _LOG.exception("A closed tab was not cleared up; it is tried again.")


def after_sweeps(settle: Callable[[Callable[[str], bool]], None]) -> None:
    """Have ``settle`` called after every sweep, with what says whether a session is still active."""
    _AFTER_SWEEPS.append(settle)


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
