"""The process that starts the others: it has imported all that readers need, so each begins within milliseconds.

The server itself cannot be forked, as its threads may hold locks that nobody would release. This process has one
thread. Nothing of multiprocessing is used: its processes would run the script that Streamlit calls ``__main__``.

Two requests come over the socket whose number is its argument. One byte with a socket: start a process that reads the
file from there, and say its number. The number of such a process: end it, and say how it ended.
"""

import gc
import os
import signal
import socket
import sys

# Arrow imports both with the first column that becomes an array, which takes 0.8 s.
import pandas as pd  # noqa: F401, TID253
import pyarrow.pandas_compat  # noqa: F401

from losses.isolation import worker


def serve(control: socket.socket) -> None:
    """Answer requests until the server is gone."""
    while True:
        request, sockets, _, _ = socket.recv_fds(control, 32, 1)
        if not request:
            return
        answer = _start(control, socket.socket(fileno=sockets[0])) if sockets else _end(int(request))
        control.send(b"%d" % answer)


_CHILDREN = set[int]()


def _start(control: socket.socket, connection: socket.socket) -> int:
    """Start the process of a file; its number, or 0 where the system has none left."""
    try:
        number = os.fork()
    except OSError:
        number = 0
        connection.close()
        return number
    if number:
        _CHILDREN.add(number)
        connection.close()
        return number
    code = 1
    try:
        control.close()
        worker.serve(connection)
        code = 0
    except OSError:
        pass  # the server does not want to know any more
    finally:
        os._exit(code)


def _end(number: int) -> int:
    """End a process, which may have ended by itself; its exit code, negative for a signal.

    One that an earlier server started ended with that.
    """
    if number not in _CHILDREN:
        return -signal.SIGKILL
    _CHILDREN.discard(number)
    os.kill(number, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


if __name__ == "__main__":
    gc.collect()
    gc.freeze()  # what is collected in one process is copied to it
    serve(socket.socket(fileno=int(sys.argv[1])))
