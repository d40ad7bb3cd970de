"""From a file of losses to Epsilon*, against Arrow's bare read of the same bytes."""

import gzip
import io
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import pyarrow as pa
from pyarrow import csv

from benchmarks.timing import interleaved, milliseconds, table
from losses import Groups, files_stacked, read_table, split
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate

ROWS = 1_000_000
Files = tuple[bytes, ...]


@cache
def files(name: str) -> Files:
    """A million losses of two laws, members and outsiders in random order, as the named case stores them."""
    rng = np.random.default_rng(0)
    member = rng.integers(0, 2, ROWS)
    loss = rng.gamma(2.0 - 0.2 * member)
    if name == "two files":
        return tuple(_csv("loss", loss[member == group][:, None], "%.15g") for group in (1, 0))
    both = _csv("loss,member", np.column_stack((loss, member)), "%.15g,%d")
    return (gzip.compress(both, mtime=0),) if name == "one file, gzip" else (both,)


def _csv(header: str, columns: np.ndarray, form: str) -> bytes:
    text = io.BytesIO()
    np.savetxt(text, columns, form, header=header, comments="")
    return text.getvalue()


def bare(name: str) -> None:
    """Arrow's read with its defaults, all columns."""
    for data in files(name):
        stream = pa.BufferReader(data)
        csv.read_csv(pa.CompressedInputStream(stream, "gzip") if name == "one file, gzip" else stream)


def grouped(name: str) -> Groups:
    """Our read, columns found, groups told apart and checked."""
    if name == "two files":
        both = dict(zip(("train.csv", "fresh.csv"), map(read_table, files(name)), strict=True))
        return split(files_stacked(both), "loss", "file", "train.csv")
    return split(read_table(files(name)[0]), "loss", "member", "1")


def estimated(name: str, method: Method) -> float:
    """From the bytes to the number, with the paper's clip."""
    groups = grouped(name)
    delta = default_delta(len(groups.train))
    clip = EMPIRICAL_CLIP if method is Method.EMPIRICAL else delta
    return estimate(groups.train, groups.population, delta, method, clip, scale=LossScale.PRINTED).value


CASES = ("one file", "two files", "one file, gzip")
CONTENDERS: dict[str, Callable[[str], object]] = {
    "Arrow's read": bare,
    "groups": grouped,
    "empirical": partial(estimated, method=Method.EMPIRICAL),
    "parametric": partial(estimated, method=Method.PARAMETRIC),
}


def million_rows(rounds: int) -> str:
    """Table of times, and their ratio to Arrow's read."""
    header = ["rows in", "size", *CONTENDERS, "ratios to Arrow's read"]
    return table(header, [_row(name, max(rounds, 15)) for name in CASES])


def _row(name: str, rounds: int) -> list[str]:
    timed = interleaved({label: partial(run, name) for label, run in CONTENDERS.items()}, rounds)
    seconds = [timed[label].seconds for label in CONTENDERS]
    return [
        name,
        f"{sum(map(len, files(name))) / 1e6:.1f} MB",
        *map(milliseconds, seconds),
        " ".join(f"{own / seconds[0]:.2f}" for own in seconds[1:]),
    ]
