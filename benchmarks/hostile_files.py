"""Files made to take all memory: what reading one costs the server, and the process it is read in.

``python -m benchmarks.hostile_files`` reads one from the standard input, in a server that has read no other.
"""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from benchmarks.fuzz_losses import written
from losses import TableError, read_table
from losses.isolation import client


def header_bomb(size: int = 32_000_000) -> bytes:
    """A page whose header is a list of some millions of empty structs, in Thrift's compact protocol."""
    cells = pa.table({"loss": np.random.default_rng(0).random(size // 8)})
    data, length = bytearray(written(cells, compression="none", use_dictionary=False)), size - 100
    count = bytes([(length >> shift) & 0x7F | 0x80 * (shift < 28) for shift in range(0, 35, 7)])
    bomb = b"\xf9\xfc" + count + bytes(length)  # field 15, a list; of structs
    start = parquet.ParquetFile(io.BytesIO(data)).metadata.row_group(0).column(0).data_page_offset
    data[start : start + len(bomb)] = bomb
    return bytes(data)


def repeated_rows(rows: int = 11_900_000) -> bytes:
    """Millions of rows that are all alike, so a few kilobytes hold them."""
    cells = {f"loss {place}": np.full(rows, 0.25 + place) for place in range(3)}
    return written(pa.table(cells), compression="zstd", row_group_size=rows)


ATTACKS: dict[str, Callable[[], bytes]] = {
    "header of empty structs": header_bomb,
    "rows that are all alike": repeated_rows,
    "95 million rows of one digit": lambda: b"x\n" + b"1\n" * 95_000_000,  # each becomes four times as large
}


class Outcome(NamedTuple):
    """What came of a file: words, bytes kept, and the most megabytes the server needed before and after."""

    words: str
    kept: int
    before: float
    after: float


def attacked(data: bytes) -> Outcome:
    """What comes of a file there."""
    command = [sys.executable, "-m", "benchmarks.hostile_files"]
    return Outcome(*json.loads(subprocess.run(command, input=data, capture_output=True, check=True).stdout))


def _peak() -> float:
    """The most megabytes this program has held; what the system adds up counts those of who started it."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024 / 1e6


def _read_here() -> Outcome:
    data = sys.stdin.buffer.read()
    client.read(read_table, b"loss\n1.5\n2.5\n")  # the first of all waits until the process of readers is ready
    before = _peak()
    try:
        return Outcome("read", client.read(read_table, data).size, before, _peak())
    except TableError as refusal:
        return Outcome(refusal.what, 0, before, _peak())


if __name__ == "__main__":
    print(json.dumps(_read_here()))
