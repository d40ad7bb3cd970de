"""Damaged loss tables: valid files are changed at random, and every one must be read or refused in words.

They are read as those of strangers are, in processes of their own: one that ends its reader is refused as well.

``python -m benchmarks.fuzz_losses`` tries 10,000 of them and fails if anything but a TableError comes out, if one takes
over ten seconds, or if this process ever needs 500 MB.
"""

import argparse
import faulthandler
import resource
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial

import numpy as np

from benchmarks.damage import mutant
from losses import (
    LossTable,
    PredictionScale,
    Roles,
    TableError,
    by_column,
    guess,
    one_column,
    read_predictions,
    read_table,
    split,
    with_losses,
)
from losses.isolation import client

SEED = 20260101
SLOWEST = 10.0  # seconds
MOST_MEMORY = 500_000_000  # bytes
_HANGS = 60  # seconds after which the process says where it is, and ends


def try_reading(data: bytes) -> str:
    """Everything a page may do with a file: “read”, or the first words of why it is refused."""
    with suppress(TableError):
        for attempt in _of_predictions(client.read(read_predictions, data)):
            with suppress(TableError):
                attempt()
    try:
        table = client.read(read_table, data)
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
        for scale in PredictionScale:
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
