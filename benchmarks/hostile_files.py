"""Files made to take all memory: what reading one costs the server, and the process it is read in.

``python -m benchmarks.hostile_files`` prints a row for each. The server's peak is before and after the file is
read, and holds the file itself.
"""

import io
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from benchmarks.timing import table
from losses import TableError, read_table
from losses.isolation import client

_ROWS = 11_900_000
_MEGABYTE = 1e6


def header_bomb(size: int = 32_000_000) -> bytes:
    """A page whose header is a list of some millions of empty structs, in Thrift's compact protocol."""
    out = io.BytesIO()
    rows = np.random.default_rng(0).random(size // 8)
    parquet.write_table(pa.table({"loss": rows}), out, compression="none", use_dictionary=False)
    data = bytearray(out.getvalue())
    length = size - 100
    count = bytes([(length >> shift) & 0x7F | 0x80 * (shift < 28) for shift in range(0, 35, 7)])
    bomb = b"\xf9\xfc" + count  # field 15, a list; of structs
    start = parquet.ParquetFile(io.BytesIO(data)).metadata.row_group(0).column(0).data_page_offset
    data[start : start + len(bomb)] = bomb
    data[start + len(bomb) : start + len(bomb) + length] = bytes(length)
    return bytes(data)


def repeated_rows(columns: int = 3, rows: int = _ROWS) -> bytes:
    """Millions of rows that are all alike, so a few kilobytes hold them."""
    out = io.BytesIO()
    cells = {f"loss {place}": np.full(rows, 0.25 + place) for place in range(columns)}
    parquet.write_table(pa.table(cells), out, compression="zstd", row_group_size=rows)
    return out.getvalue()


def many_rows(size: int = 190_000_000) -> bytes:
    """As many rows of text as may be: each becomes four times as large."""
    return b"x\n" + b"1\n" * (size // 2)


ATTACKS: dict[str, Callable[[], bytes]] = {
    "header of empty structs": header_bomb,
    "rows that are all alike, 3 columns": repeated_rows,
    "rows that are all alike, 2 columns": lambda: repeated_rows(2),
    "95 million rows of one digit": many_rows,
}

ARE_READ = {name for name in ATTACKS if "alike" in name}


class Outcome(NamedTuple):
    """What came of a file: words, bytes kept, seconds, and the most megabytes the server needed before and after."""

    words: str
    kept: int
    seconds: float
    before: float
    after: float


def attacked(data: bytes) -> Outcome:
    """What comes of a file in a server that has read no other."""
    command = [sys.executable, "-m", "benchmarks.hostile_files", "one"]
    ended = subprocess.run(command, input=data, capture_output=True, check=True)
    return Outcome(*json.loads(ended.stdout))


def _peak() -> float:
    """The most megabytes this program has held; what the system adds up counts those of who started it."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return 1024 * int(next(line for line in lines if line.startswith("VmHWM:")).split()[1]) / _MEGABYTE


def _read_here() -> None:
    """Be such a server: read the file that comes as the standard input, and print what came of it."""
    data = sys.stdin.buffer.read()
    client.read(read_table, b"loss\n1.5\n2.5\n")  # the first of all waits until the process of readers is ready
    before, start, kept = _peak(), time.perf_counter(), 0
    try:
        kept = client.read(read_table, data).size
        words = "read"
    except TableError as refusal:
        words = refusal.what
    print(json.dumps(Outcome(words, kept, time.perf_counter() - start, before, _peak())))


def _row(name: str) -> list[str]:
    data = ATTACKS[name]()
    found = attacked(data)
    sizes = (len(data) / _MEGABYTE, found.kept / _MEGABYTE, found.before, found.after)
    return [name, *(f"{size:,.2f}" for size in sizes), f"{found.seconds:.1f}", found.words]


def main() -> None:
    """Try them, each in a server of its own."""
    header = ["file", "MB", "MB kept", "server's peak before", "and after, MB", "seconds", "what came of it"]
    print(table(header, [_row(name) for name in ATTACKS]))


if __name__ == "__main__":
    if sys.argv[1:]:
        _read_here()
    else:
        main()
