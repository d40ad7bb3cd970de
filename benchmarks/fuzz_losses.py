"""Damaged loss tables: valid files are changed at random, and every one must be read or refused in words.

``python -m benchmarks.fuzz_losses`` tries 10,000 of them and fails if anything but a TableError comes out, if one takes
over ten seconds, or if the process ever needs 2 GB.
"""

import argparse
import faulthandler
import gzip
import io
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import Decimal
from functools import cache, partial

import numpy as np
import pyarrow as pa
from pyarrow import parquet

from losses import (
    LossTable,
    Roles,
    Scale,
    TableError,
    by_column,
    guess,
    one_column,
    read_predictions,
    read_table,
    split,
    with_losses,
)

SEED = 20260101
SLOWEST = 10.0  # seconds
MOST_MEMORY = 2_000_000_000  # bytes
_HANGS = 60  # seconds after which the process says where it is, and ends
_ODD = (0x00, 0xFF, 0x7F, 0x80, ord('"'), ord(","), ord("\n"), ord("\r"), ord("e"), ord("-"), ord("."), ord(";"))

Rng = np.random.Generator


def _text(rows: int = 60) -> str:
    rng = np.random.default_rng(1)
    lines = [
        f"{loss:.6f},{member},{run}"
        for loss, member, run in zip(rng.gamma(2, 1, rows), _member(rows), _run(rows), strict=True)
    ]
    return "\n".join(["loss,member,run", *lines]) + "\n"


def _member(rows: int) -> np.ndarray:
    return np.arange(rows) % 2


def _run(rows: int) -> np.ndarray:
    return np.arange(rows) % 4 // 2


def _scores(rows: int = 60) -> pa.Table:
    rng = np.random.default_rng(2)
    scores = rng.dirichlet(np.ones(3), rows).astype(np.float32)
    columns = {f"p_{name}": scores[:, place] for place, name in enumerate(("cat", "dog", "eel"))}
    labels = np.array(["cat", "dog", "eel"])[np.arange(rows) % 3]
    return pa.table({**columns, "label": labels, "member": _member(rows)})


def _losses(rows: int = 60) -> pa.Table:
    loss = np.random.default_rng(3).gamma(2, 1, rows)
    return pa.table(
        {
            "loss": loss,
            "half": loss.astype(np.float16),
            "exact": [None if row == 5 else Decimal(f"{value:.4f}") for row, value in enumerate(loss)],
            "member": np.array(["train", "test"])[_member(rows)],
            "is_seen": _member(rows) == 1,
            "run": pa.array([f"run {run}" for run in _run(rows)]).dictionary_encode(),
            "tokens": [[1.0, 2.0]] * rows,
        }
    )


def _parquet(table: pa.Table, **options: object) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out, **options)
    return out.getvalue()


@cache
def valid_files() -> tuple[bytes, ...]:
    """One of every kind."""
    text, scores, losses = _text(), _scores(), _losses()
    commas = text.replace(",", ";").replace(".", ",")
    encodings = [
        text.replace("member", "Zugehörigkeit member").encode(name) for name in ("utf-8-sig", "utf-16", "cp1252")
    ]
    quoted = "\n".join(",".join(f'"{cell}"' for cell in line.split(",")) for line in text.splitlines())
    thousands = "\n".join(f"1'{row:03d}.5;{row % 2}" for row in range(40))
    packed = (
        gzip.compress(text.encode(), mtime=0),
        gzip.compress(text[:200].encode()) + gzip.compress(text[200:].encode()),
    )
    tables = [
        _parquet(losses),
        _parquet(losses, compression="zstd", row_group_size=20, data_page_version="2.0"),
        _parquet(losses, compression="gzip", use_dictionary=False, write_page_index=True),
        _parquet(losses.select([0, 3]), compression="none", use_dictionary=False, write_page_checksum=True),
        _parquet(
            losses.select([0, 4]),
            compression="brotli",
            column_encoding={"loss": "BYTE_STREAM_SPLIT"},
            use_dictionary=False,
        ),
        _parquet(scores, compression="lz4"),
    ]
    words = io.BytesIO()
    scores.to_pandas().to_csv(words, index=False)
    return (
        text.encode(),
        commas.encode(),
        *encodings,
        quoted.encode(),
        thousands.encode(),
        *packed,
        *tables,
        words.getvalue(),
    )


def mutant(rng: Rng) -> bytes:
    """A valid file, changed one to six times; what was packed is changed before or after packing."""
    files = valid_files()
    data = bytearray(files[int(rng.integers(len(files)))])
    is_packed = data[:2] == b"\x1f\x8b" and rng.random() < 0.5
    if is_packed:
        data = bytearray(gzip.decompress(data))
    for _ in range(int(rng.integers(1, 7))):
        change = _CHANGES[int(rng.integers(len(_CHANGES)))]
        data = change(rng, data) if data else data
    return gzip.compress(bytes(data), 1, mtime=0) if is_packed else bytes(data)


def _place(rng: Rng, data: bytearray) -> int:
    """Anywhere, or with even odds among the last 600 bytes, where Parquet has its summary."""
    start = max(0, len(data) - 600) if rng.random() < 0.5 else 0
    return int(rng.integers(start, len(data)))


def _flipped(rng: Rng, data: bytearray) -> bytearray:
    data[_place(rng, data)] ^= 1 << int(rng.integers(8))
    return data


def _overwritten(rng: Rng, data: bytearray) -> bytearray:
    place = _place(rng, data)
    odd = bytes(int(byte) for byte in rng.choice(_ODD, int(rng.integers(1, 9))))
    data[place : place + len(odd)] = odd
    return data


def _shortened(rng: Rng, data: bytearray) -> bytearray:
    place = _place(rng, data)
    del data[place : place + int(rng.integers(1, 40))]
    return data


def _lengthened(rng: Rng, data: bytearray) -> bytearray:
    place = _place(rng, data)
    data[place:place] = data[place : place + int(rng.integers(1, 60))] * int(rng.integers(1, 30))
    return data


def _filled(rng: Rng, data: bytearray) -> bytearray:
    place = _place(rng, data)
    data[place:place] = rng.integers(0, 256, int(rng.integers(1, 20)), dtype=np.uint8).tobytes()
    return data


def _cut(rng: Rng, data: bytearray) -> bytearray:
    del data[_place(rng, data) :]
    return data


def _spliced(rng: Rng, data: bytearray) -> bytearray:
    files = valid_files()
    other = files[int(rng.integers(len(files)))]
    return data[: _place(rng, data)] + other[int(rng.integers(len(other))) :]


def _swapped_words(rng: Rng, data: bytearray) -> bytearray:
    """A line twice as long, a cell that is a word, a number that is none: for text, and harmless elsewhere."""
    old, new = (b"0", b"1", b",", b"\n", b"."), (b"9" * 30, b"nan", b",,", b"\r\n\n", b"1e999", b"\xe9", b"-", b"train")
    return data.replace(old[int(rng.integers(len(old)))], new[int(rng.integers(len(new)))], int(rng.integers(1, 5)))


_CHANGES: tuple[Callable[[Rng, bytearray], bytearray], ...] = (
    _flipped, _flipped, _overwritten, _shortened, _lengthened, _filled, _cut, _spliced, _swapped_words,
)  # fmt: skip


def try_reading(data: bytes) -> str:
    """Everything a page may do with a file: “read”, or the first words of why it is refused."""
    with suppress(TableError):
        for attempt in _of_predictions(read_predictions(data)):
            with suppress(TableError):
                attempt()
    try:
        table = read_table(data)
    except TableError as refusal:
        return " ".join(refusal.what.split()[:4])
    for attempt in _of_losses(table):
        with suppress(TableError):
            attempt()
    return "read"


def _of_losses(table: LossTable) -> Iterator[Callable[[], object]]:
    loss = table.numbers[0].name
    for drop in (False, True):
        yield from (partial(one_column, table, column.name, drop) for column in table.numbers)
        for labels in table.labels:
            for member in labels.labels[:2]:
                yield partial(split, table, loss, labels.name, member, drop)
                yield from (partial(by_column, table, o.name, loss, labels.name, member, drop) for o in table.labels)


def _of_predictions(table: LossTable) -> Iterator[Callable[[], object]]:
    found = guess(table)
    if found is not None:
        for scale in Scale:
            yield partial(with_losses, table, Roles(found.scores, found.label, scale))
            yield partial(with_losses, table, Roles(found.scores[:1], found.label, scale))


def run(count: int, seed: int = SEED) -> Counter[str]:
    """Try ``count`` damaged files: what came of them, and how often.

    Raises:
        AssertionError: one took too long, or memory ran over.
        Exception: what else came out of one.
    """
    rng, outcomes = np.random.default_rng(seed), Counter[str]()
    for number in range(count):
        data = mutant(rng)
        faulthandler.dump_traceback_later(_HANGS, exit=True)
        start = time.perf_counter()
        try:
            outcomes[try_reading(data)] += 1
        except Exception as failure:
            failure.add_note(f"File {number} of seed {seed}.")
            raise
        taken = time.perf_counter() - start
        assert taken < SLOWEST, f"File {number} of seed {seed} took {taken:.1f} s."
    faulthandler.cancel_dump_traceback_later()
    return outcomes


def peak_memory() -> int:
    """The most bytes that this process ever needed."""
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main() -> None:
    """Try many, and say what came of them."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fuzz_losses", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=SEED)
    chosen = parser.parse_args()
    faulthandler.enable()
    start = time.perf_counter()
    outcomes = run(chosen.count, chosen.seed)
    print(*(f"{times:6,}  {outcome}" for outcome, times in outcomes.most_common()), sep="\n")
    print(f"{chosen.count:,} files in {time.perf_counter() - start:.0f} s, at most {peak_memory() / 1e6:,.0f} MB.")
    assert peak_memory() < MOST_MEMORY


if __name__ == "__main__":
    main()
