"""Sessions of closed tabs end when their time is over, whatever fails meanwhile."""

import asyncio
import gc
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit import runtime
from streamlit.runtime.caching.ttl_cache import TTLCache
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import session_expiry

ROUNDS = 5


class Server:
    """What is asked of Streamlit's runtime, which holds sessions of closed tabs for a minute."""

    def __init__(self, *sessions: Any) -> None:
        self.rounds, self.now = 0, 100.0
        storage = MemorySessionStorage()
        storage._cache = TTLCache(len(sessions) + 1, 60.0, lambda: self.now)
        for session in sessions:
            held: Any = SimpleNamespace(session=session)
            storage.save(held)
        self._session_mgr = object.__new__(WebsocketSessionManager)
        self._session_mgr._session_storage = storage

    @property
    def media_file_mgr(self) -> Any:
        """Whose files are looked at last in every round."""
        self.rounds, self.now = self.rounds + 1, self.now + 10.0
        return SimpleNamespace(remove_orphaned_files=lambda: None)

    def is_active_session(self, _session: str) -> bool:
        """None is."""
        return False


def rounds(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let expiry go round so often."""

    async def sleep(_seconds: float) -> None:
        if server.rounds == ROUNDS:
            raise asyncio.CancelledError

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    with pytest.raises(asyncio.CancelledError):
        session_expiry.end_on_time().send(None)


@pytest.mark.parametrize("is_over", [True, False])
def test_a_session_ends_once_when_its_time_is_over_and_one_that_cannot_be_ended_keeps_no_other(
    is_over: bool, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ended = list[str]()

    def fail() -> None:
        ended.append("broken")
        raise ValueError("a session that cannot be ended")

    sessions = (SimpleNamespace(id="a", shutdown=fail), SimpleNamespace(id="b", shutdown=lambda: ended.append("b")))
    monkeypatch.setattr(gc, "collect", lambda: None)
    server = Server(*sessions)
    server.now += 61.0 * is_over
    rounds(server, monkeypatch)
    assert sorted(ended) == (["b", "broken"] if is_over else [])
    assert ("a session that cannot be ended" in caplog.text) is is_over


def test_garbage_is_swept_in_a_small_share_of_the_time_and_a_failure_ends_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    server, swept, settled = Server(), list[float](), list[bool]()

    def sweep() -> None:
        swept.append(server.now)
        server.now += 0.5

    def fail(_is_active: object) -> None:
        settled.append(True)
        raise ValueError("this cannot be looked at")

    monkeypatch.setattr(session_expiry, "perf_counter", lambda: server.now)
    monkeypatch.setattr(gc, "collect", sweep)
    monkeypatch.setattr(session_expiry, "_AFTER_SWEEPS", [fail])
    rounds(server, monkeypatch)
    assert len(settled) == len(swept) == 2
    assert swept[1] - swept[0] > 25.0, "half a second in which nobody is served"


@pytest.mark.parametrize("manager", [None, SimpleNamespace(_session_storage=MemorySessionStorage())])
def test_a_start_fails_where_sessions_of_closed_tabs_could_not_be_ended(
    manager: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runtime, "get_instance", lambda: SimpleNamespace(_session_mgr=manager))
    with pytest.raises(TypeError, match="not where they are to be ended"):
        session_expiry.disconnected()
