"""The process of one file: it receives the bytes, reads them within its limits, answers, and ends."""

import os
import socket
import traceback
from collections.abc import Callable

from losses.candidates import read_candidates
from losses.errors import TableError, TooLargeError
from losses.isolation import limits
from losses.isolation.messages import MOST_TEXT, Array, Channel, Document, dumped
from losses.layout import NOTHING, KnownLayout
from losses.reading import read_evidence, read_predictions, read_scores, read_table
from losses.sweeps.table import read_sweep
from losses.table import LossTable

Reader = Callable[..., LossTable]
READERS: dict[str, Reader] = {
    reader.__name__: reader
    for reader in (read_evidence, read_table, read_predictions, read_scores, read_candidates, read_sweep)
}
_LONGEST = 6  # bytes that a document takes for a letter
LESS = "Keep only the columns that are needed, or fewer rows."


def serve(connection: socket.socket) -> None:
    """Read one file that comes over ``connection``, and answer."""
    limits.limit()
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # what a library says as it ends the process is no sentence
    channel = Channel(connection)
    request = channel.document()
    answer, arrays = _answer(request, channel)
    channel.send(answer, [array.data for array in arrays])


def _answer(request: Document, channel: Channel) -> tuple[Document, list[Array]]:
    """The table as a document and arrays; or a document that says why there is none."""
    try:
        data = bytearray(request["size"])
        channel.fill(data)
        found = dumped(read_here(READERS[request["reader"]], data, KnownLayout(**request["known"])))
        if sum(len(label) for _, labels in found[0]["labels"] for label in labels) > MOST_TEXT // _LONGEST:
            raise TableError("The labels of the table are texts of many megabytes.", LESS)
    except TableError as problem:
        return refusal(problem), []
    except MemoryError:
        return refusal(too_large()), []
    except Exception:
        return {"fault": traceback.format_exc()}, []
    return found


def read_here(reader: Reader, data: bytes | bytearray, known: KnownLayout = NOTHING) -> LossTable:
    """Read a file in this process."""
    return reader(data) if known == NOTHING else reader(data, known=known)


def refusal(problem: TableError) -> Document:
    """A refusal that can be sent."""
    return {"refusal": [problem.what, problem.remedy, problem.where], "too_large": isinstance(problem, TooLargeError)}


def too_large() -> TooLargeError:
    """Says that a file takes too much memory."""
    what = f"The file is too large to be read here: that takes more than {limits.MEMORY / 1e6:,.0f} MB of memory."
    return TooLargeError(what, LESS)
