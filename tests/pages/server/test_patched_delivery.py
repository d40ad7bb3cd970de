"""A tab gets what its run said, also when it came back meanwhile, or when a part of its page runs by the clock."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.app_session import AppSession, AppSessionState
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.server import streamlit_patches

PART = SimpleNamespace(fragment_id="part", is_auto_rerun=True)
BUTTON = SimpleNamespace(fragment_id="part", is_auto_rerun=False)
PAGE = SimpleNamespace(fragment_id=None, is_auto_rerun=False)


def connected(name: str, client: str) -> Any:
    return ActiveSessionInfo(client, SimpleNamespace(id=name))  # type: ignore[arg-type] # what is asked of them


def test_who_came_back_meanwhile_is_reached_by_the_new_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WebsocketSessionManager, "list_active_sessions", WebsocketSessionManager.list_active_sessions)
    streamlit_patches.to_latest_connection()
    manager = object.__new__(WebsocketSessionManager)
    sessions = (connected("a", "one"), connected("b", "lost"), connected("c", "gone"))
    manager._active_session_info_by_id = {one.session.id: one for one in sessions}
    reached = []
    for one in manager.list_active_sessions():
        reached.append((one.session.id, str(one.client)))
        manager._active_session_info_by_id["b"] = connected("b", "back")
        manager._active_session_info_by_id.pop("c", None)
    assert reached == [("a", "one"), ("b", "back")]


@dataclass
class Runner:
    """Takes requests, or has ended."""

    takes: bool
    taken: list[Any] = field(default_factory=list)

    def request_rerun(self, data: Any) -> bool:
        if self.takes:
            self.taken.append(data)
        return self.takes


def order_of(data: Any, runner: Runner | None, state: AppSessionState = AppSessionState.APP_IS_RUNNING) -> list[str]:
    """What happens when ``data`` asks for a run while the last words of ``runner`` still wait to be passed on."""
    heard: list[str] = []
    create: Any = streamlit_patches.heard_out(lambda *_: heard.append("new run"))
    session = SimpleNamespace(_scriptrunner=runner, _state=state)

    async def busy() -> None:
        asyncio.get_running_loop().call_soon(heard.append, "last words")
        create(session, data)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    with ThreadPoolExecutor(1) as elsewhere:  # browser tests keep a loop running in this thread
        elsewhere.submit(asyncio.run, busy()).result()
    return heard


def test_a_part_waits_until_the_run_before_is_heard_out() -> None:
    assert order_of(PART, Runner(takes=False)) == ["last words", "new run"]


def test_the_page_itself_never_waits() -> None:
    assert order_of(PAGE, Runner(takes=False)) == ["new run", "last words"]
    assert order_of(PAGE, None) == ["new run", "last words"]
    assert order_of(PART, None) == ["new run", "last words"]


def test_a_run_that_began_meanwhile_takes_the_part_along() -> None:
    runner = Runner(takes=True)
    assert order_of(PART, runner) == ["last words"]
    assert runner.taken == [PART]


def test_an_ended_session_runs_nothing() -> None:
    assert order_of(PART, Runner(takes=False), AppSessionState.SHUTDOWN_REQUESTED) == ["last words"]


def put_off(data: Any, meanwhile: dict[str, Any]) -> list[str]:
    """What happens to ``data`` if the session changes while it is put off."""
    heard: list[str] = []
    create: Any = streamlit_patches.heard_out(lambda *_: heard.append("new run"))
    session = SimpleNamespace(_scriptrunner=Runner(takes=False), _state=AppSessionState.APP_IS_RUNNING)

    async def busy() -> None:
        create(session, data)
        vars(session).update(meanwhile)
        await asyncio.sleep(0)
        await asyncio.sleep(0)

    with ThreadPoolExecutor(1) as elsewhere:  # as above
        elsewhere.submit(asyncio.run, busy()).result()
    return heard


def test_a_session_that_ends_while_a_part_is_put_off_runs_nothing() -> None:
    assert put_off(PART, {"_scriptrunner": None}) == ["new run"]
    assert put_off(PART, {"_scriptrunner": None, "_state": AppSessionState.SHUTDOWN_REQUESTED}) == []


def test_what_the_clock_asked_for_never_comes_after_a_newer_run_of_the_page() -> None:
    """Its controls are older; a button's click is not lost."""
    page = Runner(takes=True)
    assert put_off(PART, {"_scriptrunner": page}) == []
    assert page.taken == []
    assert put_off(BUTTON, {"_scriptrunner": page}) == []
    assert page.taken == [BUTTON]


def test_streamlit_makes_runs_where_they_are_put_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """Under the name that is replaced, from the request that the runner refused."""
    monkeypatch.setattr(AppSession, "_create_scriptrunner", own := AppSession._create_scriptrunner)
    streamlit_patches.before_the_next_run()
    assert AppSession._create_scriptrunner is not own
    assert {"_create_scriptrunner", "_scriptrunner", "request_rerun"} <= set(AppSession.request_rerun.__code__.co_names)
