"""What is replaced in Streamlit closes a hole that is there without it, and fails loudly where Streamlit has changed.

Every test of a hole runs with the replacement and without. Where it fails without, the installed version has mended it:
take the replacement out. The browser shows that a cold deep link finds its page, and that no upload is written to disk.
"""

import asyncio
import weakref
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeState, media_file_manager
from streamlit.runtime import runtime as runtime_module
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import streamlit_patches
from pages.server.streamlit_patches import Replacement
from tests.pages.server.conftest import in_a_loop

CANARY = "canary7391"
REPLACED = {one.name: one for one in streamlit_patches.REPLACEMENTS}
WITH_AND_WITHOUT = pytest.mark.parametrize("replaced", [True, False], ids=["with", "without"])


@pytest.fixture(autouse=True)
def streamlit_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a test replaces is Streamlit's own again afterwards."""
    monkeypatch.setattr(st, "get_option", {"server.fileWatcherType": "none"}.get)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)
    for name, one in REPLACED.items():
        monkeypatch.setattr(one.owner, name, vars(one.owner)[name])


def put_in(name: str, replaced: bool) -> None:
    """Put the replacement in, or leave Streamlit as it comes."""
    if replaced:
        REPLACED[name].apply()


@pytest.mark.parametrize("name", REPLACED)
def test_a_start_replaces_all_of_it_and_fails_where_one_is_gone(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    one = REPLACED[name]
    before = vars(one.owner)[name]
    streamlit_patches.apply()
    assert vars(one.owner)[name] is not before
    monkeypatch.delattr(one.owner, name)
    with pytest.raises(RuntimeError, match=name):
        streamlit_patches.apply()


def test_what_the_library_no_more_looks_up_as_it_did_is_not_replaced() -> None:
    owner = SimpleNamespace(__name__="library", part="theirs", used="theirs")

    def replace(reader: Any) -> None:
        Replacement(owner, "part", lambda own: own.replace("theirs", "ours"), reader, ("used",)).apply()

    for reader in (lambda: owner.part, lambda: owner.used):
        with pytest.raises(RuntimeError, match=r"library\.part .*lambda"):
            replace(reader)
        assert owner.part == "theirs"
    replace(lambda: (owner.part, owner.used))
    assert owner.part == "ours"


@WITH_AND_WITHOUT
def test_a_download_stays_until_it_can_have_been_fetched_though_others_runs_end(
    replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(streamlit_patches, "perf_counter", lambda: now[0])
    put_in("MediaFileMetadata", replaced)
    storage = MemoryMediaFileStorage("/media")
    manager = media_file_manager.MediaFileManager(storage)
    button = manager.add_deferred(lambda: CANARY, "text/plain", "1.2", "numbers.txt")
    name = manager.execute_deferred(button).rpartition("/")[2]

    def after_more(seconds: float) -> bool:
        """Whether the file is there when two more runs have ended."""
        now[0] += seconds
        for _ in range(2):
            manager.remove_orphaned_files()
        try:
            return storage.get_file(name).content == CANARY.encode()
        except MediaFileStorageError:
            return False

    assert after_more(0.0) is replaced
    assert after_more(14.0) is replaced
    assert not after_more(2.0)


A_WHILE = 50  # turns of an event loop; five are enough


class Session:
    """Has one message to send."""

    def __init__(self, name: str) -> None:
        self.id, self.queue = name, [ForwardMsg()]

    def flush_browser_queue(self) -> list[ForwardMsg]:
        flushed, self.queue = self.queue, []
        return flushed

    def shutdown(self) -> None:
        """Nothing is held, and nobody waits for what was sent."""

    on_flushed_messages_sent = shutdown


@WITH_AND_WITHOUT
def test_who_came_back_meanwhile_is_reached_by_the_new_connection_and_let_go_though_nobody_else_comes(
    replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streamlit's own loop sends what two sessions have to say; the second reconnects while the first is served."""
    put_in("list_active_sessions", replaced)
    monkeypatch.setattr(runtime_module, "MESSAGE_FLUSH_INTERVAL_SECS", 0.0)
    unused: Any = SimpleNamespace(clear=lambda: None)
    manager = WebsocketSessionManager(MemorySessionStorage(), unused, unused, unused)
    sent, kept, tab = list[str](), list[bool](), Session("b")
    held = weakref.ref(tab)

    def connected(name: str, session: Any, meanwhile: Callable[[], None] = lambda: None) -> ActiveSessionInfo:
        def write(_message: ForwardMsg) -> None:
            sent.append(name)
            meanwhile()

        client: Any = SimpleNamespace(write_forward_msg=write)
        return ActiveSessionInfo(client, session)

    def come_back() -> None:
        connections["b"] = connected("new", held())

    connections = {"a": connected("first", Session("a"), come_back), "b": connected("lost", tab)}
    manager._active_session_info_by_id = connections
    del tab

    async def run() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        ends = (loop.create_future(), loop.create_future())
        objects = runtime_module.AsyncObjects(loop, stop, asyncio.Event(), asyncio.Event(), *ends)
        server: Any = SimpleNamespace(_session_mgr=manager, _state=RuntimeState.ONE_OR_MORE_SESSIONS_CONNECTED)
        server._get_async_objs = lambda: objects
        server._send_message = lambda one, message: Runtime._send_message(server, one, message)
        server._set_state = lambda state: None
        ended = asyncio.create_task(Runtime._loop_coroutine(server))
        for _ in range(A_WHILE):
            await asyncio.sleep(0.0)
        connections.clear()
        kept.append(held() is not None)
        stop.set()
        await ended

    in_a_loop(run)
    assert sent == ["first", "new" if replaced else "lost"]
    assert kept == [not replaced]


class Runner:
    """Takes requests, or has ended."""

    def __init__(self, takes: bool) -> None:
        self.takes, self.taken = takes, list[Any]()

    def request_rerun(self, data: Any) -> bool:
        self.taken += [data] * self.takes
        return self.takes


class Visited(AppSession):
    """A session whose page's run has just ended: its last message waits to be passed on."""

    def __init__(self) -> None:
        self._event_loop = asyncio.get_running_loop()
        self._state = AppSessionState.APP_IS_RUNNING
        self._scriptrunner: Any = Runner(takes=False)
        self.heard: list[ForwardMsg] = []

    def __del__(self) -> None:
        """Nothing is held."""

    def has_fragment(self, _fragment: str) -> bool:
        return True

    def _enqueue_forward_msg(self, message: ForwardMsg) -> None:
        self.heard.append(message)


@WITH_AND_WITHOUT
def test_a_part_that_runs_by_the_clock_loses_nothing_of_the_pages_run(
    replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, heard = list[Any](), list[ForwardMsg]()

    def create(session: AppSession, _data: Any) -> None:
        session._scriptrunner = Runner(takes=True)  # type: ignore[assignment] # what is asked of it
        made.append(session._scriptrunner)

    monkeypatch.setattr(AppSession, "_create_scriptrunner", create)
    put_in("_create_scriptrunner", replaced)

    async def run() -> None:
        session = Visited()
        last = ScriptRunnerEvent.ENQUEUE_FORWARD_MSG
        session._on_scriptrunner_event(session._scriptrunner, last, forward_msg=ForwardMsg())
        session.request_rerun(ClientState(fragment_id="part", is_auto_rerun=True))
        for _ in range(A_WHILE):
            await asyncio.sleep(0.0)
        heard.extend(session.heard)

    in_a_loop(run)
    assert len(made) == 1
    assert bool(heard) is replaced
