"""What replaces parts of a library fails loudly where the library has changed."""

import asyncio
import logging
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit import net_util, runtime
from streamlit.runtime import media_file_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.watcher.local_sources_watcher import LocalSourcesWatcher

from pages.server import session_expiry, streamlit_patches

REPLACED = [
    (MultiPartParser, "spool_max_size", streamlit_patches.keep_off_disk),
    (net_util, "_external_ip", streamlit_patches.ask_nobody),
    (LocalSourcesWatcher, "update_watched_modules", streamlit_patches.list_no_sources),
    (media_file_manager, "MediaFileMetadata", streamlit_patches.keep_downloads),
    (WebsocketSessionManager, "list_active_sessions", streamlit_patches.to_latest_connection),
    (AppSession, "_create_scriptrunner", streamlit_patches.before_the_next_run),
    (PagesManager, "uses_pages_directory", streamlit_patches.serve_listed_pages),
]


@pytest.mark.parametrize(("owner", "name", "replace"), REPLACED)
def test_a_start_fails_where_what_is_to_be_replaced_is_gone(
    owner: Any, name: str, replace: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(owner, name)
    monkeypatch.setattr(st, "get_option", {"server.fileWatcherType": "none"}.get)
    with pytest.raises((RuntimeError, AttributeError), match=name):
        replace()


def test_what_stood_there_is_returned() -> None:
    owner = SimpleNamespace(__name__="library", part="theirs")
    assert streamlit_patches.replace(owner, "part", "ours") == "theirs"
    assert owner.part == "ours"


@pytest.mark.parametrize("held", [None, SimpleNamespace(_session_storage=MemorySessionStorage())])
def test_a_start_fails_where_sessions_of_closed_tabs_could_not_be_ended(
    held: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(_session_mgr=held))
    with pytest.raises(TypeError, match="not where they are to be ended"):
        session_expiry.disconnected()


def test_one_failure_does_not_end_expiry(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    rounds, removed, ended = 3, list[bool](), list[bool]()

    async def sleep(_seconds: float) -> None:
        if len(removed) == rounds:
            raise asyncio.CancelledError

    def fail() -> int:
        ended.append(True)
        raise ValueError("a session that cannot be looked at")

    files = SimpleNamespace(remove_orphaned_files=lambda: removed.append(True))
    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(session_expiry, "end_overdue", fail)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(media_file_mgr=files))
    with caplog.at_level(logging.ERROR), pytest.raises(asyncio.CancelledError):
        session_expiry.end_on_time().send(None)
    assert len(removed) == len(ended) == rounds
    assert "a session that cannot be looked at" in caplog.text


def test_one_session_that_cannot_be_ended_does_not_keep_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = list[str]()

    def broken() -> None:
        raise ValueError("broken")

    held = [
        (name, SimpleNamespace(session=SimpleNamespace(shutdown=shutdown)))
        for name, shutdown in (("a", broken), ("b", lambda: ended.append("b")))
    ]
    storage = SimpleNamespace(_cache=SimpleNamespace(expire=lambda: held))
    monkeypatch.setattr(session_expiry, "disconnected", lambda: storage)
    assert session_expiry.end_overdue() == 2
    assert ended == ["b"]
