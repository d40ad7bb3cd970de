"""What a computation drops is there for the next one: the process does not return it and ask for it again."""

import subprocess
import sys

import pytest

# Page faults of a thread that takes and drops some arrays of 1 MB, as a computation of a page does.
PROGRAM = """
import resource, threading
import numpy as np
from pages.server import memory
{hold}
def compute():
    for _ in range(50):
        sum(np.ones(2**17) for _ in range(4)) + sum([np.ones(2**17) for _ in range(4)])
thread = threading.Thread(target=compute)
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
thread.start()
thread.join()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""
PAGES_OF_ONE_ARRAY = 2**17 * 8 // 4096


def faults(hold: str) -> int:
    program = PROGRAM.format(hold=hold)
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    return int(ended.stdout)


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="what is set is an option of glibc")
def test_memory_is_used_again() -> None:
    assert faults("memory.hold()") < 40 * PAGES_OF_ONE_ARRAY < faults("")
