"""The server's side: a file is sent to a process of its own, and a table comes back, or a refusal."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore, Lock

from losses.errors import TableError, TooLargeError
from losses.isolation import limits
from losses.isolation.messages import LOOK, Channel, empty_arrays, loaded, size_of
from losses.isolation.worker import LESS, Reader, read_here, too_large
from losses.layout import NOTHING, KnownLayout
from losses.parquet_file import is_parquet
from losses.table import LossTable

IS_LIMITED = sys.platform == "linux"
_ROOT = Path(__file__).parents[2]
_PATIENCE = 60.0  # seconds for the process that starts others to start itself, or to answer: it never takes so long
_SLACK = 5.0  # seconds, after which a process that the system should have ended is ended here
_ONE_THREAD = {  # a process with threads must not be forked
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
_OUT_OF_TIME = {"SIGXCPU", "SIGALRM"}
_AGAIN = "Write it anew, or save it as CSV."
# What a reader that ended, or a reply that is none, raises here.
_NO_REPLY = OSError, ValueError, TypeError, KeyError, StopIteration, RecursionError, ArithmeticError, MemoryError
_COMMAND = (sys.executable, "-m", "losses.isolation.fork_server")


class ReaderError(RuntimeError):
    """A fault of this program in the process of a file, with its traceback."""


class ForkServer:
    """The process that starts a process for each file."""

    def __init__(self, command: Sequence[str] = _COMMAND) -> None:
        self._command = command
        self._lock = Lock()
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> int:
        """Start the process, if there is none; it gets ready while others do something else. Its number."""
        with self._lock:
            self._connected()
            return 0 if self._process is None else self._process.pid

    def stop(self) -> None:
        """End the process, and all readers with it."""
        with self._lock:
            self._disconnect()

    def _connected(self) -> socket.socket:
        if self._control is None:
            self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            self._control.settimeout(_PATIENCE)
            with theirs:
                self._process = subprocess.Popen(
                    [*self._command, str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    pass_fds=[theirs.fileno()],
                    cwd=_ROOT,
                    env=os.environ | _ONE_THREAD,
                )
        return self._control

    def ask(self, request: bytes, connection: socket.socket | None = None) -> int:
        """A number for a request.

        Raises ConnectionError where the process is gone; the next request starts another one.
        """
        with self._lock:
            control = self._connected()
            try:
                socket.send_fds(control, [request], [connection.fileno()] if connection else [])
                answer = control.recv(32)
            except OSError:
                answer = b""
            if not answer:
                self._disconnect()
                raise ConnectionError("the process that starts readers is gone")
            return int(answer)

    def _disconnect(self) -> None:
        if self._control is not None and self._process is not None:
            self._control.close()
            self._process.kill()
            self._process.wait()
            self._control = self._process = None


FORK_SERVER = ForkServer()
_TURNS = BoundedSemaphore(limits.AT_ONCE)


def start() -> None:
    """Get ready for the first file."""
    if IS_LIMITED:
        FORK_SERVER.start()


def read(
    reader: Reader,
    data: bytes,
    known: KnownLayout = NOTHING,
    admit: Callable[[int], None] = lambda _: None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> LossTable:
    """Read an untrusted file.

    Args:
        reader: one of ``worker.READERS``.
        data: the file's bytes.
        known: what of a text table's layout need not be found.
        admit: called with the bytes of the table before they come; may raise TableError.
        is_cancelled: whether nobody waits for the table any more, which ends its reader.

    Raises:
        TableError: it is no such table, it is damaged, or reading it takes more than ``limits`` say.
    """
    if not IS_LIMITED:
        table = read_here(reader, data, known)
        admit(table.size)
        return table

    def look() -> None:
        if is_cancelled():
            raise TableError("Nobody waits for this file any more.", "Give it again.")

    with _turn(look), _process(not is_parquet(data), look) as channel:
        request = {"reader": reader.__name__, "size": len(data), "known": vars(known)}
        channel.send(request, [data])
        answer = channel.document()
        if "refusal" in answer:
            kind = TooLargeError if answer.get("too_large") else TableError
            raise kind(*map(str, answer["refusal"]))
        if "fault" in answer:
            raise ReaderError(str(answer["fault"]))
        arrays = empty_arrays(answer, limits.MEMORY)
        admit(size_of(answer, arrays))
        for array in arrays:
            channel.fill(array.data)
        return loaded(answer, arrays)


@contextmanager
def _turn(look: Callable[[], None]) -> Iterator[None]:
    """One of the few places of readers that work at once."""
    while not _TURNS.acquire(timeout=LOOK):
        look()
    try:
        yield
    finally:
        _TURNS.release()


@contextmanager
def _process(is_text: bool, look: Callable[[], None]) -> Iterator[Channel]:
    """A connection to a new process, which ends with it.

    Raises TableError where the process ended too early, or said what no reader says.
    """
    own, theirs = socket.socketpair()
    with own:
        with theirs:
            try:
                number = FORK_SERVER.ask(b"start", theirs)
            except ConnectionError:
                number = FORK_SERVER.ask(b"start", theirs)  # of a new one
        if not number:
            raise TableError("The server can start no process to read the file in.", "Try again in a minute.")
        failed = is_late = False
        try:
            yield Channel(own, limits.SECONDS + _SLACK, look)
        except TableError:
            raise
        except _NO_REPLY as failure:
            failed, is_late = True, isinstance(failure, TimeoutError)
        finally:
            try:
                code = FORK_SERVER.ask(b"%d" % number)
            except ConnectionError:  # nobody knows how it ended: with the one that started it
                code = -signal.SIGKILL
        if failed:
            raise why(-signal.SIGALRM if is_late else code, is_text)


def why(code: int, is_text: bool = False) -> TableError:
    """Why a process ended too early, by its exit code.

    Arrow ends the process where a Parquet file is damaged, and where one of its threads gets no memory; of other files,
    which have no such damage (``is_text``), only the second is left, as where the reader of workbooks gets none.
    """
    ended_by = signal.Signals(-code).name if code < 0 else ""
    if ended_by in _OUT_OF_TIME:
        return TooLargeError(f"Reading the file takes longer than {limits.CPU_SECONDS} seconds.", LESS)
    if ended_by == "SIGKILL":
        return TooLargeError("The system ended the reading of the file, perhaps for want of memory.", LESS)
    if is_text and ended_by == "SIGABRT":
        return too_large()
    return TableError("The file is damaged in a way that ended its reader.", _AGAIN)


# A command that reads files, in a process of its own: what ends its reader is said in words, not by a bare abort.


UNUSABLE = 2  # exit code
_FROM_OUTSIDE = {signal.SIGINT, signal.SIGTERM}
_OF_A_SIGNAL = 128  # shells add its number


def run(command: Callable[[], int]) -> int:
    """Run a command in a process of its own where the system makes one cheaply; its exit code.

    A file may be damaged so that the library which reads it ends the process at once.
    """
    if not IS_LIMITED:
        return command()
    awaited = {signal.SIGTERM, signal.SIGCHLD}
    signal.pthread_sigmask(signal.SIG_BLOCK, awaited)  # a handler might run only after the process has ended
    number = os.fork()
    if not number:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, awaited)
        return command()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to both
    ended = 0
    while not ended:
        if signal.sigwait(awaited) == signal.SIGTERM:
            os.kill(number, signal.SIGTERM)
        ended, status = os.waitpid(number, os.WNOHANG)
    code = os.waitstatus_to_exitcode(status)
    if code >= 0:
        return code
    if -code in _FROM_OUTSIDE:
        return _OF_A_SIGNAL - code
    sys.stderr.write(f"error: {why(code)}\n")
    return UNUSABLE
