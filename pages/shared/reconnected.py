"""A tab that comes back after a lost connection: it gets what its new run says."""

from collections.abc import Iterator

from streamlit.runtime.session_manager import ActiveSessionInfo
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager


class Connected(list[ActiveSessionInfo]):
    """Connected sessions, each as it is connected when its turn comes."""

    def __init__(self, manager: WebsocketSessionManager) -> None:
        super().__init__(manager._active_session_info_by_id.values())
        self._manager = manager

    def __iter__(self) -> Iterator[ActiveSessionInfo]:
        """Those that are still connected, by their latest connection."""
        for listed in super().__iter__():
            now = self._manager.get_active_session_info(listed.session.id)
            if now is not None:
                yield now


def deliver_to_latest() -> None:
    """Send messages to a session's latest connection.

    Streamlit lists sessions with their connections, and then goes through the list and sends to each what its run has
    said, a message at a time. With many sessions that takes seconds. Where a tab lost its connection meanwhile and came
    back, all that its new run said went to the lost one, and the tab waited for ever.
    """
    WebsocketSessionManager.list_active_sessions = _connected  # type: ignore[assignment]


def _connected(manager: WebsocketSessionManager) -> list[ActiveSessionInfo]:
    return Connected(manager)
