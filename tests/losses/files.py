"""The files of ``tables.toml``: their bytes, as its first lines describe them."""

import gzip
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

Row = Mapping[str, Any]
TRAIN = np.round(np.random.default_rng(1).gamma(2, 1, 30), 6)
FRESH = np.round(np.random.default_rng(2).gamma(3, 1, 20), 6)
LOSSES = [*map(str, TRAIN.tolist()), *map(str, FRESH.tolist())]
FILES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))["file"]
CELLS: dict[str, Callable[[int], object]] = {
    "row": lambda row: row,
    "n": lambda row: row + 1,
    "odd": lambda row: row % 2,
    "third": lambda row: row % 3,
    "fourth": lambda row: row % 4,
    "fifth": lambda row: row // 5,
    "ab": lambda row: "ba"[row % 3 > 0],
    "letter": lambda row: "abcdefghijklmnopqrst"[row % 20],
    "town": lambda row: "abcdefghijklmnopqrstu"[row % 21],
    "thousands": lambda row: f"{400 + 20 * row:,}".replace(",", "."),
    "late": lambda row: f"x{row}" if 30_000 <= row < 40_000 else row % 2,
    "loss": lambda row: LOSSES[row % len(LOSSES)],
}


def content(file: Row) -> bytes:
    """The bytes of a file of the table."""
    text = file["text"] if "text" in file else _rows(file)
    data = bytes.fromhex(file.get("hex", "")) + text.encode(file.get("encoding", "utf-8"))
    for _ in range(file.get("packed", 0)):
        data = gzip.compress(data, mtime=0)
    if "overwrite" in file:
        data = data[: file["overwrite"]] + b"\xff" * 20 + data[file["overwrite"] + 20 :]
    return data[: len(data) - file.get("cut", 0)] + bytes.fromhex(file.get("after", ""))


def _rows(file: Row) -> str:
    """Every row of the file, with what stands above and below them."""
    labels, count = file.get("labels_of", ("1", "0")), file.get("count", len(LOSSES))
    marks = str.maketrans({",": file.get("delimiter", ","), ".": file.get("decimal", ".")})
    header = file.get("header", "loss,member").replace(",", file.get("delimiter", ","))
    lines = [header] if header else []
    drawn = np.random.default_rng(file.get("seed", 0)).gamma(2.0, size=(count,)).tolist()
    pattern = file.get("row", "{loss},{member}")
    cells = CELLS | {
        "half": lambda row: int(2 * row < count),
        "gamma": lambda row: drawn[row],
        "member": lambda row: labels[row >= file.get("members", len(TRAIN))],
    }
    named = [(name, cell) for name, cell in cells.items() if f"{{{name}" in pattern]  # others take time in long files
    for row in range(count):
        made = pattern.format(**{name: cell(row) for name, cell in named}).translate(marks)
        line = file.get("change", {}).get(str(row + 1), ",".join([made] * file.get("columns", 1)))
        lines += [line] * file.get("copies", 1)
    ending = file.get("ending", "\n")
    return f"{file.get('above', '')}{''.join(line + ending for line in lines)}{file.get('below', '')}"
