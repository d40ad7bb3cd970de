"""A tab that came back gets the messages, also when the server was just going through its list of sessions."""

from types import SimpleNamespace
from typing import Any

import pytest
from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from pages.shared import reconnected
from pages.shared.reconnected import Connected


def connected(name: str, client: str) -> Any:
    return ActiveSessionInfo(client, SimpleNamespace(id=name))  # type: ignore[arg-type] # what is asked of them


def manager(*sessions: Any) -> WebsocketSessionManager:
    made = object.__new__(WebsocketSessionManager)
    made._active_session_info_by_id = {one.session.id: one for one in sessions}
    return made


def test_who_came_back_meanwhile_is_reached_by_the_new_connection() -> None:
    server = manager(connected("a", "one"), connected("b", "lost"), connected("c", "gone"))
    reached = []
    for one in Connected(server):
        reached.append((one.session.id, str(one.client)))
        server._active_session_info_by_id["b"] = connected("b", "back")
        server._active_session_info_by_id.pop("c", None)
    assert reached == [("a", "one"), ("b", "back")]


def test_the_server_goes_through_sessions_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WebsocketSessionManager, "list_active_sessions", WebsocketSessionManager.list_active_sessions)
    reconnected.deliver_to_latest()
    server = manager(connected("a", "one"), connected("b", "lost"))
    reached = []
    for one in server.list_active_sessions():
        reached.append(str(one.client))
        server._active_session_info_by_id["b"] = connected("b", "back")
    assert reached == ["one", "back"]
