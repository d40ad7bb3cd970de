"""Epsilon* of a million losses, file read included, beside pyarrow's reading of the same bytes, and its memory.

Run with ``python -m benchmarks.epsilon_star``.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import csv

from benchmarks.timing import interleaved, milliseconds, table
from losses import read_table, split
from numerics.epsilon_star import EMPIRICAL_CLIP, EpsilonStar, Method, estimate

ROWS = 1_000_000
ROUNDS = 9
CLIPS = {Method.PARAMETRIC: None, Method.EMPIRICAL: EMPIRICAL_CLIP}


def sample(rows: int = ROWS) -> bytes:
    """A CSV of losses with 15 digits and a membership, half of the rows each."""
    rng = np.random.default_rng(0)
    member = rng.integers(0, 2, rows)
    losses = rng.gamma(3 - member, 5.0)
    return ("loss,member\n" + "\n".join(f"{a:.15g},{b}" for a, b in zip(losses, member, strict=True)) + "\n").encode()


def ours(data: bytes, method: Method) -> EpsilonStar:
    """Everything from the bytes to the number."""
    groups = split(read_table(data), "loss", "member", "1")
    return estimate(groups.train, groups.population, method=method, clip=CLIPS[method])


def _memory(field: str) -> int:
    """A line of /proc/self/status in bytes (Linux)."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith(field))


def peak(method: Method) -> int:
    """Memory beyond the file's bytes at the worst moment; the caller is a process of its own."""
    ours(sample(10_000), method)  # imports and first-time allocations are not the table's
    data = sample()
    Path("/proc/self/clear_refs").write_text("5")  # the high-water mark starts anew
    before = _memory("VmRSS")
    ours(data, method)
    return _memory("VmHWM") - before


def _peak_apart(method: Method) -> int:
    code = f"from benchmarks.epsilon_star import *; print(peak(Method.{method.name}))"
    return int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True).stdout)


def report(rounds: int = ROUNDS) -> str:
    """A row for either method."""
    data = sample()
    contenders = {method.value: lambda method=method: ours(data, method) for method in CLIPS}
    timed = interleaved({"pyarrow": lambda: csv.read_csv(pa.BufferReader(data)), **contenders}, rounds)
    floor = timed["pyarrow"].seconds
    rows = [["pyarrow reads it", milliseconds(floor), "1.00", "", ""]]
    for method in CLIPS:
        found, memory = timed[method.value], _peak_apart(method)
        arrays = f"{memory / 1e6:.0f} MB, {memory / (8 * ROWS):.1f} x the losses"
        times = f"{found.seconds / floor:.2f}"
        rows.append([method.value, milliseconds(found.seconds), times, arrays, f"{found.result.value:.4f}"])
    header = [f"{len(data) / 1e6:.0f} MB, {ROWS:,} rows", "median", "times pyarrow", "peak memory", "epsilon*"]
    return table(header, rows)


if __name__ == "__main__":
    print(report())
