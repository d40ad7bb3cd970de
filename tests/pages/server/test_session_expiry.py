"""Sessions of closed tabs end when their time is over."""

import asyncio
import gc
import logging
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from streamlit import runtime
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import session_expiry


@dataclass
class Session:
    id: str
    ended: list[str] = field(default_factory=list)

    def shutdown(self) -> None:
        self.ended.append(self.id)


def keep(session: Session, seconds: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that holds ``session`` of a tab that was closed just now."""
    manager = object.__new__(WebsocketSessionManager)
    manager._session_storage = MemorySessionStorage(ttl_seconds=seconds)
    manager._session_storage.save(SimpleNamespace(session=session))  # type: ignore[arg-type] # what is asked of it
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))


def test_a_session_whose_time_is_over_is_ended_once(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("a")
    keep(session, 0, monkeypatch)
    assert session_expiry.end_overdue() == 1
    assert session_expiry.end_overdue() == 0
    assert session.ended == ["a"]


def test_a_session_that_may_be_resumed_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session("a")
    keep(session, 60, monkeypatch)
    assert session_expiry.end_overdue() == 0
    assert session.ended == []


def test_sweeping_takes_a_small_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter([100.0, 100.5])
    swept = []
    monkeypatch.setattr(session_expiry, "perf_counter", lambda: next(now))
    monkeypatch.setattr(gc, "collect", lambda: swept.append(True))
    assert session_expiry.sweep() > 100.5 + 20.0
    assert swept


def test_garbage_is_swept_again_only_once_that_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, swept, removed = 5, list[float](), list[bool]()

    async def sleep(_seconds: float) -> None:
        if len(removed) == rounds:
            raise asyncio.CancelledError

    def sweep() -> float:
        swept.append(0.0)
        return 1e12

    files = SimpleNamespace(remove_orphaned_files=lambda: removed.append(True))
    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(session_expiry, "sweep", sweep)
    monkeypatch.setattr(session_expiry, "end_overdue", lambda: 0)
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(media_file_mgr=files))
    with pytest.raises(asyncio.CancelledError):
        session_expiry.end_on_time().send(None)
    assert len(removed) == rounds
    assert len(swept) == 1


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
