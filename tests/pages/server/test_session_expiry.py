"""Sessions of closed tabs end when their time is over."""

import asyncio
import gc
from dataclasses import dataclass, field
from types import SimpleNamespace

import pytest
from streamlit import runtime
from streamlit.runtime import media_file_manager
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import session_expiry, streamlit_patches

CANARY = "canary7391"


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


def test_a_download_stays_until_it_can_have_been_fetched_though_others_runs_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = [100.0]
    monkeypatch.setattr(streamlit_patches, "perf_counter", lambda: now[0])
    monkeypatch.setattr(media_file_manager, "MediaFileMetadata", media_file_manager.MediaFileMetadata)
    streamlit_patches.keep_downloads()
    storage = MemoryMediaFileStorage("/media")
    manager = media_file_manager.MediaFileManager(storage)
    button = manager.add_deferred(lambda: CANARY, "text/plain", "1.2", "numbers.txt")
    name = manager.execute_deferred(button).rpartition("/")[2]

    def end_runs() -> None:
        for _ in range(3):
            manager.remove_orphaned_files()

    end_runs()
    now[0] += 14.0
    end_runs()
    assert storage.get_file(name).content == CANARY.encode()
    now[0] += 2.0
    end_runs()
    with pytest.raises(MediaFileStorageError):
        storage.get_file(name)


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
