"""Valid loss tables, damaged at random: bits flipped, parts cut out, doubled, spliced, words for numbers."""

import gzip
from collections.abc import Callable

import numpy as np

from benchmarks.valid_loss_files import valid_files

_ODD = (0x00, 0xFF, 0x7F, 0x80, ord('"'), ord(","), ord("\n"), ord("\r"), ord("e"), ord("-"), ord("."), ord(";"))

Rng = np.random.Generator


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
