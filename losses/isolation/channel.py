"""What goes between two processes: documents of JSON and, after them, plain bytes. Nothing that could be run."""

import json
import socket
import time
from collections.abc import Iterable
from typing import Any

Document = dict[str, Any]

MOST_TEXT = 64_000_000  # bytes of a document
_MOST_LISTS = 100_000  # in one document: parsed, each takes some hundred bytes
_LENGTH = 8  # bytes of a number before each document


class Channel:
    """One end of a connection.

    Args:
        connection: a stream socket.
        seconds: after so many all of it is over; None for an end that has a limit of its own.

    Everything raises OSError where the other end is gone, TimeoutError where the time is over, and ValueError where
    what comes is no document.
    """

    def __init__(self, connection: socket.socket, seconds: float | None = None) -> None:
        self._connection = connection
        self._end = None if seconds is None else time.monotonic() + seconds

    def send(self, document: Document, parts: Iterable[bytes | memoryview] = ()) -> None:
        """Send a document, and then the bytes of ``parts``."""
        text = json.dumps(document, ensure_ascii=False).encode()
        for part in (len(text).to_bytes(_LENGTH, "big"), text, *parts):
            self._wait_no_longer()
            self._connection.sendall(part)

    def document(self) -> Document:
        """The next document."""
        length = bytearray(_LENGTH)
        self.fill(length)
        size = int.from_bytes(length, "big")
        if size > MOST_TEXT:
            raise ValueError("a document that is too large")
        text = bytearray(size)
        self.fill(text)
        if text.count(b"[") + text.count(b"{") > _MOST_LISTS:
            raise ValueError("a document of more parts than a table has")
        found = json.loads(text)
        if not isinstance(found, dict):
            raise ValueError("no document")
        return found

    def fill(self, target: bytearray | memoryview) -> None:
        """Receive as many bytes as ``target`` has room for."""
        view = memoryview(target).cast("B") if len(target) else memoryview(b"")
        while view:
            self._wait_no_longer()
            received = self._connection.recv_into(view)
            if not received:
                raise ConnectionError("the other end is gone")
            view = view[received:]

    def _wait_no_longer(self) -> None:
        if self._end is not None:
            left = self._end - time.monotonic()
            if left <= 0.0:
                raise TimeoutError
            self._connection.settimeout(left)
