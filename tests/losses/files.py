"""The files of ``tables.toml``: their bytes, as its first lines describe them."""

import gzip
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from tests.loss_files import FRESH, TRAIN

Row = Mapping[str, Any]
LOSSES = [*map(str, TRAIN.tolist()), *map(str, FRESH.tolist())]
FILES: list[dict[str, Any]] = tomllib.loads(Path(__file__).with_name("tables.toml").read_text(encoding="utf-8"))["file"]


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
    members = file.get("members", len(TRAIN))
    labels = file.get("labels_of", ("1", "0"))
    marks = str.maketrans({",": file.get("delimiter", ","), ".": file.get("decimal", ".")})
    changed = {int(number): line for number, line in file.get("change", {}).items()}
    header = file.get("header", "loss,member").replace(",", file.get("delimiter", ","))
    lines = [header] if header else []
    count: int = file.get("count", len(LOSSES))
    drawn = np.random.default_rng(file.get("seed", 0)).gamma(2.0, size=count)
    for row in range(count):
        cells = {
            "row": row,
            "n": row + 1,
            "odd": row % 2,
            "third": row % 3,
            "fourth": row % 4,
            "fifth": row // 5,
            "half": int(2 * row < count),
            "gamma": float(drawn[row]),
            "ab": "ba"[row % 3 > 0],
            "letter": "abcdefghijklmnopqrst"[row % 20],
            "town": "abcdefghijklmnopqrstu"[row % 21],
            "thousands": f"{400 + 20 * row:,}".replace(",", "."),
            "late": f"x{row}" if 30_000 <= row < 40_000 else row % 2,
            "loss": LOSSES[row % len(LOSSES)],
            "member": labels[row >= members],
        }
        made = file.get("row", "{loss},{member}").format(**cells).translate(marks)
        line = changed.get(row + 1, ",".join([made] * file.get("columns", 1)))
        lines += [line] * file.get("copies", 1)
    ending = file.get("ending", "\n")
    return f"{file.get('above', '')}{''.join(line + ending for line in lines)}{file.get('below', '')}"
