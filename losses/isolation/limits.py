"""What reading one file may take, and how the system holds a process to it."""

import ctypes
import signal
from pathlib import Path

MEMORY = 700_000_000  # bytes, beyond what the process has when it begins; 11 million rows of text take 600 MB
CPU_SECONDS = 40  # of all threads together; the largest files take 5 to 10
SECONDS = 60  # on the clock
AT_ONCE = 2  # files; with what may be held and the server itself they fit in the 4 GB of compose.yaml

_PR_SET_PDEATHSIG = 1  # prctl.h


def limit() -> None:
    """Hold this process to the limits: beyond its memory it gets a MemoryError, beyond its time it ends."""
    import resource  # noqa: PLC0415 - not there on every system

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)  # no reader outlives the server
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # which would put the file on the disk
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS + 1))
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    most = _data_size() + MEMORY
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _data_size() -> int:
    """Bytes of memory that this process can write to and shares with nobody, as RLIMIT_DATA counts them."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmData:")).split()[1])
