"""Files made to take all memory: what reading one costs the server, and the process it is read in.

``python -m benchmarks.hostile_files`` prints a row for each. The server's peak is before and after the file is
read, and holds the file itself.
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

from losses import TableError, read_table
from losses.isolation import client


def header_bomb(size: int = 32_000_000) -> bytes:
    """A page whose header is a list of some millions of empty structs, in Thrift's compact protocol."""
    out = io.BytesIO()
    cells = pa.table({"loss": np.random.default_rng(0).random(size // 8)})
    parquet.write_table(cells, out, compression="none", use_dictionary=False)
    data, length = bytearray(out.getvalue()), size - 100
    count = bytes([(length >> shift) & 0x7F | 0x80 * (shift < 28) for shift in range(0, 35, 7)])
    bomb = b"\xf9\xfc" + count + bytes(length)  # field 15, a list; of structs
    start = parquet.ParquetFile(out).metadata.row_group(0).column(0).data_page_offset
    data[start : start + len(bomb)] = bomb
    return bytes(data)


def repeated_rows(columns: int, rows: int = 11_900_000) -> bytes:
    """Millions of rows that are all alike, so a few kilobytes hold them."""
    out = io.BytesIO()
    cells = {f"loss {place}": np.full(rows, 0.25 + place) for place in range(columns)}
    parquet.write_table(pa.table(cells), out, compression="zstd", row_group_size=rows)
    return out.getvalue()


ATTACKS: dict[str, Callable[[], bytes]] = {
    "header of empty structs": header_bomb,
    "rows that are all alike": lambda: repeated_rows(3),
    "95 million rows of one digit": lambda: b"x\n" + b"1\n" * 95_000_000,  # each becomes four times as large
}


class Outcome(NamedTuple):
    """What came of a file: words, bytes kept, and the most megabytes the server needed before and after."""

    words: str
    kept: int
    before: float
    after: float


def attacked(data: bytes) -> Outcome:
    """What comes of a file in a server that has read no other."""
    command = [sys.executable, "-m", "benchmarks.hostile_files", "one"]
    return Outcome(*json.loads(subprocess.run(command, input=data, capture_output=True, check=True).stdout))


def _peak() -> float:
    """The most megabytes this program has held; what the system adds up counts those of who started it."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) * 1024 / 1e6


def _read_here() -> Outcome:
    """What comes of the file that is the standard input."""
    data = sys.stdin.buffer.read()
    client.read(read_table, b"loss\n1.5\n2.5\n")  # the first of all waits until the process of readers is ready
    before, kept = _peak(), 0
    try:
        kept = client.read(read_table, data).size
        words = "read"
    except TableError as refusal:
        words = refusal.what
    return Outcome(words, kept, before, _peak())


if __name__ == "__main__":
    if sys.argv[1:]:
        print(json.dumps(_read_here()))
    else:
        print("file", *Outcome._fields, sep="\t")
        for name, attack in ATTACKS.items():
            print(name, *attacked(attack()), sep="\t")
