"""A tab gets what its run said, also when it came back meanwhile, or when a part of its page runs by the clock."""

import asyncio
import weakref
from collections.abc import Callable
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime import Runtime, RuntimeState
from streamlit.runtime import runtime as runtime_module
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.scriptrunner import ScriptRunnerEvent
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import streamlit_patches
from tests.pages.server.replaced import WITH_AND_WITHOUT, in_a_loop, put_in

PART = SimpleNamespace(fragment_id="part", is_auto_rerun=True)
BUTTON = SimpleNamespace(fragment_id="part", is_auto_rerun=False)
PAGE = SimpleNamespace(fragment_id=None, is_auto_rerun=False)
A_WHILE = 50  # turns of an event loop; five are enough


@dataclass
class Client:
    """A connection, which notes what is sent; ``meanwhile`` happens when it is."""

    meanwhile: Callable[[], None] = lambda: None
    sent: list[ForwardMsg] = field(default_factory=list)

    def write_forward_msg(self, message: ForwardMsg) -> None:
        self.sent.append(message)
        self.meanwhile()


@dataclass(eq=False)
class Session:
    """Has one message to send."""

    id: str
    queue: list[ForwardMsg] = field(default_factory=lambda: [ForwardMsg()])

    def flush_browser_queue(self) -> list[ForwardMsg]:
        flushed, self.queue = self.queue, []
        return flushed

    def shutdown(self) -> None:
        """Nothing is held, and nobody waits for what was sent."""

    on_flushed_messages_sent = shutdown


def delivering(
    connections: dict[str, ActiveSessionInfo], then: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Have Streamlit's own loop send what the sessions have to say; ``then`` looks while it waits for more."""
    monkeypatch.setattr(runtime_module, "MESSAGE_FLUSH_INTERVAL_SECS", 0.0)
    unused: Any = None
    manager = WebsocketSessionManager(MemorySessionStorage(), unused, SimpleNamespace(clear=lambda: None), unused)  # type: ignore[arg-type]
    manager._active_session_info_by_id = connections

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
        then()
        stop.set()
        await ended

    in_a_loop(run)


@pytest.fixture(autouse=True)
def put_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is replaced is Streamlit's own again afterwards."""
    monkeypatch.setattr(WebsocketSessionManager, "list_active_sessions", WebsocketSessionManager.list_active_sessions)
    monkeypatch.setattr(AppSession, "_create_scriptrunner", AppSession._create_scriptrunner)


@WITH_AND_WITHOUT
def test_who_came_back_meanwhile_is_reached_by_the_new_connection(
    replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in(streamlit_patches.to_latest_connection, replaced)
    lost, back = Client(), Client()
    tab: Any = Session("b")

    def come_back() -> None:
        connections["b"] = ActiveSessionInfo(back, tab)  # type: ignore[arg-type] # what is asked of it

    first: Any = Client(come_back)
    connections = {"a": ActiveSessionInfo(first, Session("a")), "b": ActiveSessionInfo(lost, tab)}  # type: ignore[arg-type]
    delivering(connections, lambda: None, monkeypatch)
    assert (len(lost.sent), len(back.sent)) == ((0, 1) if replaced else (1, 0))


@WITH_AND_WITHOUT
def test_the_last_visitors_session_is_let_go_though_nobody_else_comes(
    replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_in(streamlit_patches.to_latest_connection, replaced)
    session: Any = Session("a")
    connections = {"a": ActiveSessionInfo(Client(), session)}  # type: ignore[arg-type] # what is asked of it
    held, left = weakref.ref(session), list[bool]()
    del session

    def leave() -> None:
        connections.clear()
        left.append(held() is None)

    delivering(connections, leave, monkeypatch)
    assert left == [replaced]


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
    put_in(streamlit_patches.before_the_next_run, replaced)

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


@dataclass
class Runner:
    """Takes requests, or has ended."""

    takes: bool
    taken: list[Any] = field(default_factory=list)

    def request_rerun(self, data: Any) -> bool:
        if self.takes:
            self.taken.append(data)
        return self.takes


RUNNING, ENDED = AppSessionState.APP_IS_RUNNING, AppSessionState.SHUTDOWN_REQUESTED
HEARD_OUT, AT_ONCE, NO_RUN = ["last words", "new run"], ["new run", "last words"], ["last words"]


@pytest.mark.parametrize(
    ("asks", "takes", "state", "meanwhile", "heard", "taken"),
    [
        (PART, False, RUNNING, {}, HEARD_OUT, []),
        (PAGE, False, RUNNING, {}, AT_ONCE, []),  # the page itself never waits
        (PAGE, None, RUNNING, {}, AT_ONCE, []),
        (PART, None, RUNNING, {}, AT_ONCE, []),
        (PART, True, RUNNING, {}, NO_RUN, [PART]),  # a run that began meanwhile takes the part along
        (PART, False, ENDED, {}, NO_RUN, []),  # an ended session runs nothing
        (PART, False, RUNNING, {"_scriptrunner": None}, HEARD_OUT, []),
        (PART, False, RUNNING, {"_scriptrunner": None, "_state": ENDED}, NO_RUN, []),
        (PART, False, RUNNING, {"_scriptrunner": "newer"}, NO_RUN, []),  # whose controls are newer than the clock's
        (BUTTON, False, RUNNING, {"_scriptrunner": "newer"}, NO_RUN, [BUTTON]),  # a click is not lost
    ],
)
def test_a_part_waits_until_the_run_before_is_heard_out(
    asks: Any, takes: bool | None, state: AppSessionState, meanwhile: dict[str, Any], heard: list[str], taken: list[Any]
) -> None:
    """What happens when ``asks`` wants a run while last words wait to be passed on, and the session changes then."""
    happened: list[str] = []
    create: Any = streamlit_patches.heard_out(lambda *_: happened.append("new run"))
    runner, newer = (None if takes is None else Runner(takes)), Runner(takes=True)
    session = SimpleNamespace(_scriptrunner=runner, _state=state)

    async def busy() -> None:
        asyncio.get_running_loop().call_soon(happened.append, "last words")
        create(session, asks)
        vars(session).update({name: newer if one == "newer" else one for name, one in meanwhile.items()})
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    in_a_loop(busy)
    assert happened == heard
    assert [one for each in (runner, newer) if each is not None for one in each.taken] == taken
