"""Tables as documents and arrays, and back; what comes back is checked, as whoever read a file may say anything."""

import json
import select
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from losses.table import (
    NO_LABEL,
    ClusterColumn,
    DistinctTexts,
    Faults,
    FileLayout,
    LabelColumn,
    LossTable,
    NumberColumn,
    text_size,
)

# What goes between two processes: documents of JSON and, after them, plain bytes. Nothing that could be run.


Document = dict[str, Any]

LOOK = 0.2  # seconds between two looks at whether somebody still waits
MOST_TEXT = 64_000_000  # bytes of a document
_MOST_LISTS = 100_000  # in one document: parsed, each takes some hundred bytes
_LENGTH = 8  # bytes of a number before each document


class Channel:
    """One end of a connection.

    Args:
        connection: a stream socket.
        seconds: after so many all of it is over; None for an end that has a limit of its own.
        look: called again and again while something is waited for; may raise what ends that.

    Everything raises OSError where the other end is gone, TimeoutError where the time is over, and ValueError where
    what comes is no document.
    """

    def __init__(
        self, connection: socket.socket, seconds: float | None = None, look: Callable[[], None] = lambda: None
    ) -> None:
        self._connection, self._look = connection, look
        self._end = None if seconds is None else time.monotonic() + seconds

    def send(self, document: Document, parts: Iterable[bytes | memoryview] = ()) -> None:
        """Send a document, and then the bytes of ``parts``."""
        text = json.dumps(document, ensure_ascii=False).encode()
        for part in (len(text).to_bytes(_LENGTH, "big"), text, *parts):
            if len(part):  # who is sent nothing more may have ended, and even no bytes would break on that
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
            while not select.select([self._connection], [], [], LOOK)[0]:
                self._wait_no_longer()
            received = self._connection.recv_into(view)
            if not received:
                raise ConnectionError("the other end is gone")
            view = view[received:]

    def _wait_no_longer(self) -> None:
        self._look()
        if self._end is not None:
            left = self._end - time.monotonic()
            if left <= 0.0:
                raise TimeoutError
            self._connection.settimeout(left)


Array = NDArray[Any]

_KINDS = {"<f8", "|i1", "<i2", "<i4", "<i8", "|u1"}


def dumped(table: LossTable) -> tuple[Document, list[Array]]:
    """A table without its arrays, and these."""
    arrays: list[Array] = [one.values for one in table.numbers]
    arrays += [one.codes for one in table.labels]
    arrays += [array for one in table.clusters for array in (one.codes, one.words.data, one.words.ends)]
    arrays = [np.ascontiguousarray(array) for array in arrays]
    layout = table.layout
    document = {
        "layout": [layout.names, layout.has_header, layout.words, layout.notes],
        "rows": table.rows,
        "numbers": [[one.name, one.faults.count, one.faults.examples, one.unit] for one in table.numbers],
        "labels": [[one.name, one.labels] for one in table.labels],
        "is_membership_clear": table.is_membership_clear,
        "clusters": [one.name for one in table.clusters],
        "unread": table.unread,
        "kind": table.kind,
        "answers": table.answers,
        "arrays": [[array.dtype.str, len(array)] for array in arrays],
    }
    return document, arrays


def empty_arrays(document: Document, most: int) -> list[Array]:
    """Arrays for what comes after the document.

    Raises ValueError for kinds that no table has, and for more than ``most`` bytes.
    """
    described = [(str(kind), int(length)) for kind, length in document["arrays"]]
    if any(kind not in _KINDS or length < 0 for kind, length in described):
        raise ValueError("arrays that no table has")
    if sum(length * np.dtype(kind).itemsize for kind, length in described) > most:
        raise ValueError("more than a reader may hold")
    return [np.empty(length, kind) for kind, length in described]


def size_of(document: Document, arrays: Sequence[Array]) -> int:
    """How many bytes the table will have, as ``LossTable.size`` says: all texts count, wherever they stand."""
    texts = _within([value for name, value in document.items() if name != "arrays"])
    return sum(array.nbytes for array in arrays) + text_size(texts)


def _within(found: Any) -> Iterator[str]:
    """The texts in lists of lists."""
    if isinstance(found, str):
        yield found
    elif isinstance(found, list):
        for one in found:
            yield from _within(one)


def loaded(document: Document, arrays: Sequence[Array]) -> LossTable:
    """The table.

    Raises ValueError, TypeError, KeyError or StopIteration for what is none.
    """
    rows, left = int(document["rows"]), iter(arrays)
    names, has_header, words, notes = document["layout"]
    numbers = tuple(
        NumberColumn(_text(name), _column(next(left), rows, "f"), Faults(int(count), _texts(examples)), float(unit))
        for name, count, examples, unit in document["numbers"]
    )
    labels = tuple(
        LabelColumn(_text(name), _codes(next(left), rows, len(labels)), _texts(labels))
        for name, labels in document["labels"]
    )
    clusters = tuple(_cluster(_text(name), next(left), next(left), next(left), rows) for name in document["clusters"])
    if next(left, None) is not None:
        raise ValueError("arrays of no column")
    layout = FileLayout(_texts(names), bool(has_header), _text(words), _texts(notes))
    is_clear, unread = bool(document["is_membership_clear"]), _texts(document["unread"])
    kind, answers = _text(document["kind"]), _text(document["answers"])
    return LossTable(layout, rows, numbers, labels, is_clear, clusters, unread, kind, answers)


def _texts(found: Any) -> tuple[str, ...]:
    if not isinstance(found, list):
        raise TypeError("no list of texts")
    return tuple(map(_text, found))


def _text(found: Any) -> str:
    """Whatever else it is would be written out, and take what nobody has counted."""
    if not isinstance(found, str):
        raise TypeError("no text")
    return found


def _column(array: Array, rows: int, kind: str) -> Array:
    if len(array) != rows or array.dtype.kind != kind:
        raise ValueError("a column that is none")
    return array


def _codes(array: Array, rows: int, count: int) -> Array:
    codes = _column(array, rows, "i")
    if rows and not NO_LABEL <= codes.min() <= codes.max() < count:
        raise ValueError("codes without a label")
    return codes


def _cluster(name: str, codes: Array, data: Array, ends: Array, rows: int) -> ClusterColumn:
    starts = np.append(0, ends)
    if data.dtype != np.uint8 or ends.dtype != np.int64 or starts[-1] != len(data) or np.any(np.diff(starts) < 0):
        raise ValueError("words without ends")
    str(data.data, "utf-8")  # raises where one is no text
    return ClusterColumn(name, _codes(codes, rows, len(ends)), DistinctTexts(data, ends))
