"""A command that reads files, in a process of its own: what ends its reader is said in words, not by a bare abort."""

import os
import signal
import sys
from collections.abc import Callable

from losses.isolation.client import IS_LIMITED, why

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
