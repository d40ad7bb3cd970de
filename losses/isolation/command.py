"""A command that reads files, in a process of its own: what ends its reader is said in words, not by a bare abort."""

import os
import signal
import sys
from collections.abc import Callable
from types import FrameType

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
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})  # until it can be passed on
    number = os.fork()
    if not number:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
        return command()

    def pass_on(signal_: int, _frame: FrameType | None) -> None:
        os.kill(number, signal_)

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal sends it to both
    signal.signal(signal.SIGTERM, pass_on)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
    code = os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])
    if code >= 0:
        return code
    if -code in _FROM_OUTSIDE:
        return _OF_A_SIGNAL - code
    sys.stderr.write(f"error: {why(code)}\n")
    return UNUSABLE
