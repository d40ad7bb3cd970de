"""Damaged loss tables: valid files are changed at random, and every one must be read or refused in words.

They are read as untrusted files are, in processes of their own: one that ends its reader is refused as well.

``python -m benchmarks.fuzz_losses [count [seed]]`` tries 10,000 of them and fails if anything but a TableError comes
out, or if one takes over ten seconds.
"""

import gzip
import io
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from functools import cache
from itertools import product

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from losses import PredictionScale, Roles, TableError, by_column, guess, split, with_losses
from losses.isolation import client
from losses.reading import read_predictions, read_table

SEED = 20260101
SLOWEST = 10.0  # seconds
_ODD = list(b'\x00\xff\x7f\x80",\n\re-.;')
_OLD, _NEW = (b"0", b"1", b",", b"\n", b"."), (b"9" * 30, b"nan", b",,", b"\r\n\n", b"1e999", b"\xe9", b"-", b"train")
ROWS = 60
MEMBER, RUN = np.arange(ROWS) % 2, np.arange(ROWS) % 4 // 2


def written(table: pa.Table, **options: object) -> bytes:
    """The table as a Parquet file."""
    out = io.BytesIO()
    parquet.write_table(table, out, **options)
    return out.getvalue()


@cache
def valid_files() -> tuple[bytes, ...]:
    """One of every kind that is read: text, gzip, Parquet, JSON, NumPy's arrays; losses and predictions."""
    rng = np.random.default_rng(1)
    loss, names = rng.gamma(2, 1, ROWS), np.array(["cat", "dog", "eel"])
    lines = [f"{one:.6f},{member},{run}" for one, member, run in zip(loss, MEMBER, RUN, strict=True)]
    text = "\n".join(["loss,member,run", *lines]) + "\n"
    named = text.replace("member", "Zugehörigkeit member")
    parts = zip(names, rng.dirichlet(np.ones(3), ROWS).astype(np.float32).T, strict=True)
    columns = {f"p_{name}": own for name, own in parts}
    scores = pa.table({**columns, "label": names[np.arange(ROWS) % 3], "member": MEMBER})
    columns = {
        "loss": loss,
        "half": loss.astype(np.float16),
        "exact": [None if row == 5 else Decimal(f"{value:.4f}") for row, value in enumerate(loss)],
        "member": np.array(["train", "test"])[MEMBER],
        "is_seen": MEMBER == 1,
        "run": pa.array([f"run {run}" for run in RUN]).dictionary_encode(),
        "tokens": [[1.0, 2.0]] * ROWS,
    }
    losses, plain = pa.table(columns), {"use_dictionary": False}
    np.savez_compressed(arrays := io.BytesIO(), loss=loss, member=MEMBER)
    return (
        text.encode(),
        text.replace(",", ";").replace(".", ",").encode(),
        *(named.encode(name) for name in ("utf-8-sig", "utf-16", "cp1252")),
        "\n".join('"' + line.replace(",", '","') + '"' for line in text.splitlines()).encode(),
        gzip.compress(text.encode(), mtime=0),
        gzip.compress(text[:200].encode()) + gzip.compress(text[200:].encode()),
        written(losses),
        written(losses, compression="zstd", row_group_size=20, data_page_version="2.0"),
        written(losses, compression="gzip", write_page_index=True, **plain),
        written(losses.select([0, 3]), compression="none", write_page_checksum=True, **plain),
        written(losses.select([0, 4]), compression="brotli", column_encoding={"loss": "BYTE_STREAM_SPLIT"}, **plain),
        written(scores, compression="lz4"),
        scores.to_pandas().to_json(orient="records").encode(),
        losses.select([0, 3]).to_pandas().to_json(orient="records", lines=True).encode(),
        arrays.getvalue(),
        scores.to_pandas().to_csv(index=False).encode(),
    )


def damaged(rng: np.random.Generator) -> bytes:
    """A valid file, changed one to six times; what was packed is changed before or after packing."""
    files = valid_files()
    data = files[rng.integers(len(files))]
    is_packed = data[:2] == b"\x1f\x8b" and rng.random() < 0.5
    data = gzip.decompress(data) if is_packed else data
    for _ in range(int(rng.integers(1, 7))):
        start = max(0, len(data) - 600) if rng.random() < 0.5 else 0  # there Parquet has its summary
        place = int(rng.integers(start, len(data) + 1))
        before, after, other = data[:place], data[place:], files[rng.integers(len(files))]
        odd = bytes(rng.choice(_ODD, rng.integers(1, 9)).tolist())
        flipped = bytes(byte ^ 1 << int(rng.integers(8)) for byte in after[:1])
        changes = (
            before + flipped + after[1:],
            before + odd + after[len(odd) :],
            before + after[int(rng.integers(1, 40)) :],
            before + after[: int(rng.integers(1, 60))] * int(rng.integers(1, 30)) + after,
            before + rng.bytes(int(rng.integers(1, 20))) + after,
            before,
            before + other[int(rng.integers(len(other))) :],
            data.replace(_OLD[rng.integers(5)], _NEW[rng.integers(8)], int(rng.integers(1, 5))),
        )
        data = changes[rng.integers(len(changes))]
    return gzip.compress(data, 1, mtime=0) if is_packed else data


def _attempt(use: Callable[..., object], *given: object) -> None:
    with suppress(TableError):
        use(*given)


def try_reading(data: bytes) -> str:
    """Everything a page may do with a file: “read”, or the first words of why it is refused."""
    with suppress(TableError):
        predictions = client.read(read_predictions, data)
        if found := guess(predictions):
            for scale, scores in product(PredictionScale, (found.scores, found.scores[:1])):
                _attempt(with_losses, predictions, Roles(scores, found.label, scale))
    try:
        table = client.read(read_table, data)
    except TableError as refusal:
        return " ".join(refusal.what.split()[:4])
    loss = table.numbers[0].name
    for drop in (False, True):
        for labels, models in product(table.labels, table.labels):
            for member in labels.labels[:2]:
                _attempt(split, table, loss, labels.name, member, drop)
                _attempt(by_column, table, models.name, loss, labels.name, member, drop)
    return "read"


def run(count: int, seed: int = SEED) -> Counter[str]:
    """Try ``count`` damaged files: what came of them, and how often; a fault of one and a slow one are errors."""
    rng, outcomes = np.random.default_rng(seed), Counter[str]()
    for number in range(count):
        data = damaged(rng)
        start, which = time.perf_counter(), f"file {number} of seed {seed}"
        try:
            outcomes[try_reading(data)] += 1
        except Exception as failure:
            failure.add_note(which)
            raise
        assert time.perf_counter() - start < SLOWEST, which
    return outcomes


if __name__ == "__main__":
    outcomes = run(*(map(int, sys.argv[1:]) if sys.argv[1:] else [10_000]))
    print(*(f"{times:6,}  {outcome}" for outcome, times in outcomes.most_common()), sep="\n")
