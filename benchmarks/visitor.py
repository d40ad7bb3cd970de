"""A browser tab without a browser: speaks Streamlit's protocol, moves sliders, presses buttons, uploads files.

It answers what a browser answers: it looks again and again how far a long computation is, and comes back to its
session. It says that it has no message from earlier, so each is sent whole. Nothing is drawn, so many of them fit
beside the server.
"""

import asyncio
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Subprotocol

from benchmarks.upload import VisitError, put
from pages.ui.controls import round_values

PATIENCE = 60.0  # seconds after which a run that does not finish counts as an error
_USUAL_NOISES = round_values(-1, 100.0)


@dataclass
class Visitor:
    """One tab on a server at ``url``.

    Attributes:
        url: of the server, such as ``http://localhost:8501``.
        widgets: elements of the last runs that can be operated, by key, or by label where they have none.
        texts: what headings and captions of the last runs said.
        session: the session's name, with which it can be resumed.
        page: the address of the page it is on.
    """

    url: str
    widgets: dict[str, Any] = field(default_factory=dict)
    texts: list[str] = field(default_factory=list)
    session: str = ""
    page: str = ""
    _socket: ClientConnection | None = None
    _states: dict[str, WidgetState] = field(default_factory=dict)
    _page_hash: str = ""
    _query: str = ""
    _slices: dict[str, object] = field(default_factory=dict)
    _problems: list[str] = field(default_factory=list)
    _places: asyncio.Queue[Any] = field(default_factory=asyncio.Queue)
    _finished: asyncio.Event = field(default_factory=asyncio.Event)
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def connect(self) -> Self:
        """Open the connection; with the name of a session, resume that."""
        address = f"ws://{urlsplit(self.url).netloc}/_stcore/stream"
        words = ["streamlit", "none", self.session] if self.session else ["streamlit"]
        protocols = [Subprotocol(word) for word in words]
        self._socket = await connect(
            address, subprotocols=protocols, max_size=None, compression=None, ping_interval=None, open_timeout=PATIENCE
        )
        self._start(self._read(self._socket))
        return self

    async def close(self) -> None:
        """Close the tab."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    async def open(self, page: str, query: str = "") -> float:
        """Open a page by its address, which begins a new session; seconds until its run is finished."""
        if self._socket is not None:
            await self.lose()
        self.session = ""
        await self.connect()
        self._states.clear()
        return await self.turn(page, query)

    async def turn(self, page: str, query: str = "") -> float:
        """Go to another page of the app by its menu; seconds until its run is finished."""
        self.page, self._page_hash, self._query = page, "", query
        self._slices.clear()
        self.widgets.clear()
        return await self._rerun()

    async def reload(self) -> float:
        """Reload the page: a new session at the same address."""
        return await self.open(self.page, self._query)

    async def lose(self) -> None:
        """Lose the connection, as a laptop that sleeps does."""
        await self.close()
        self._problems.clear()

    async def come_back(self) -> float:
        """Take the session up again after a lost connection."""
        await self.connect()
        return await self._rerun()

    async def move_noise(self, index: int) -> float:
        """Choose one of the usual noises, by its place among them."""
        return await self.fill("noise", _USUAL_NOISES[min(max(index, 0), len(_USUAL_NOISES) - 1)])

    async def fill(self, key: str, value: float) -> float:
        """Fill a box for numbers; seconds until the run is finished."""
        self._states[key] = WidgetState(id=self.widgets[key].id, double_value=value)
        return await self._rerun()

    async def press(self, key: str) -> float:
        """Press a button; seconds until the run is finished."""
        return await self._rerun(WidgetState(id=self.widgets[key].id, trigger_value=True))

    async def upload(self, key: str, name: str, data: bytes) -> float:
        """Upload a file; seconds until the run with it is finished."""
        started = time.perf_counter()
        uploader = next(one for found, one in self.widgets.items() if found.startswith(key))
        place = await self._place_for(name)
        await asyncio.to_thread(put, f"{self.url}{place.upload_url}", name, data, PATIENCE)
        state = WidgetState(id=uploader.id)
        info = state.file_uploader_state_value.uploaded_file_info.add(name=name, size=len(data), file_id=place.file_id)
        info.file_urls.CopyFrom(place)
        await self._rerun(state)
        return time.perf_counter() - started

    @property
    def is_computing(self) -> bool:
        """Whether a long computation is under way."""
        return bool(self._slices)

    async def _place_for(self, name: str) -> Any:
        request = BackMsg()
        request.file_urls_request.file_names.append(name)
        request.file_urls_request.session_id = self.session
        await self._send(request)
        return await asyncio.wait_for(self._places.get(), PATIENCE)

    async def _rerun(self, *triggers: WidgetState) -> float:
        """Ask for a run; seconds until it is finished."""
        started = time.perf_counter()
        self._finished.clear()
        await self._send(self._request(*triggers))
        try:
            await asyncio.wait_for(self._finished.wait(), PATIENCE)
        except TimeoutError:
            raise VisitError(f"/{self.page} did not finish within {PATIENCE:.0f} s.") from None
        seconds = time.perf_counter() - started
        if self._problems:
            problems, self._problems = self._problems, []
            raise VisitError(f"/{self.page}: {problems[0]}")
        return seconds

    def _request(self, *triggers: WidgetState, fragment: str = "") -> BackMsg:
        request = BackMsg()
        state = request.rerun_script
        state.page_script_hash, state.page_name, state.query_string = self._page_hash, self.page, self._query
        state.widget_states.widgets.extend([*self._states.values(), *triggers])
        if fragment:
            state.fragment_id, state.is_auto_rerun = fragment, True
        return request

    async def _send(self, request: BackMsg) -> None:
        if self._socket is None:
            raise VisitError("There is no connection.")
        try:
            await self._socket.send(request.SerializeToString())
        except ConnectionClosed as lost:
            raise VisitError(f"The connection was lost: {lost}") from lost

    async def _read(self, socket: ClientConnection) -> None:
        try:
            async for data in socket:
                self._take(ForwardMsg.FromString(data if isinstance(data, bytes) else data.encode()))
            self._problems.append("The server closed the connection.")
        except ConnectionClosed as lost:
            self._problems.append(f"The connection was lost: {lost}")
        finally:
            self._slices.clear()
            self._finished.set()

    def _take(self, message: ForwardMsg) -> None:
        take = {
            "delta": lambda: self._see(message.delta.new_element),
            "new_session": lambda: self._begin(message),
            "navigation": lambda: self._find(message.navigation.page_script_hash),
            "page_info_changed": lambda: self._move_to(message.page_info_changed.query_string),
            "file_urls_response": lambda: self._places.put_nowait(message.file_urls_response.file_urls[0]),
            "auto_rerun": lambda: self._start(self._go_on(message.auto_rerun.fragment_id, message.auto_rerun.interval)),
            "stop_auto_rerun": lambda: self._stop(message.stop_auto_rerun.fragment_ids),
            "page_not_found": lambda: self._problems.append("Page not found."),
            "script_finished": lambda: self._end(message),
        }.get(message.WhichOneof("type") or "")
        if take is not None:
            take()

    def _begin(self, message: ForwardMsg) -> None:
        if not message.metadata.run.fragment_ids:
            self._slices.clear()
        self.session = message.new_session.initialize.session_id or self.session

    def _find(self, page_hash: str) -> None:
        self._page_hash = page_hash

    def _move_to(self, query: str) -> None:
        self._query = query

    def _stop(self, fragments: Iterable[str]) -> None:
        for fragment in fragments:
            self._slices.pop(fragment, None)

    def _end(self, message: ForwardMsg) -> None:
        status = message.script_finished
        if status == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
            self._problems.append("The script did not compile.")
        if status in (ForwardMsg.FINISHED_SUCCESSFULLY, ForwardMsg.FINISHED_WITH_COMPILE_ERROR):
            self._finished.set()

    def _see(self, element: Any) -> None:
        kind = element.WhichOneof("type")
        if kind == "exception" and not element.exception.is_warning:
            self._problems.append(f"{element.exception.type}: {element.exception.message}")
        elif kind in ("slider", "number_input", "button", "button_group", "file_uploader", "selectbox"):
            widget = getattr(element, kind)
            key = widget.id.split("-", 2)[2] if widget.id.count("-") > 1 else "None"
            self.widgets[widget.label if key == "None" else key] = widget
        elif kind == "markdown":
            self.texts = [*self.texts[-99:], element.markdown.body]

    async def _go_on(self, fragment: str, interval: float) -> None:
        """Look how far it is, again and again, until the page says that it is over."""
        self._slices[fragment] = mark = object()
        while self._slices.get(fragment) is mark:
            await asyncio.sleep(interval)
            await self._send(self._request(fragment=fragment))

    def _start(self, coroutine: Any) -> None:
        task = asyncio.create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
