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

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *sessions: Any) -> None:
        self.rounds, self.now = 0, 100.0
        storage = MemorySessionStorage()
        storage._cache = TTLCache(len(sessions) + 1, 60.0, lambda: self.now)
        for session in sessions:
            held: Any = SimpleNamespace(session=session)
            storage.save(held)
        self._session_mgr = object.__new__(WebsocketSessionManager)
        self._session_mgr._session_storage = storage
        self.media_file_mgr = SimpleNamespace(remove_orphaned_files=lambda: None)
        monkeypatch.setattr(asyncio, "sleep", self.sleep)
        monkeypatch.setattr(runtime, "get_instance", lambda: self)

    async def sleep(self, _seconds: float) -> None:
        if self.rounds == ROUNDS:
            raise asyncio.CancelledError
        self.rounds, self.now = self.rounds + 1, self.now + 10.0 * bool(self.rounds)

    def is_active_session(self, _session: str) -> bool:
        return False

    def go_round(self) -> None:
        """Let expiry go round five times."""
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
    server = Server(monkeypatch, *sessions)
    server.now += 61.0 * is_over
    server.go_round()
    assert sorted(ended) == (["b", "broken"] if is_over else [])
    assert ("a session that cannot be ended" in caplog.text) is is_over
