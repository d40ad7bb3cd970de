"""Medians of interleaved runs: every round runs each contender once, so that a slow spell of the machine hits all."""

import gc
import statistics
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple


class Timed(NamedTuple):
    """Median seconds of a contender, and what its last run returned."""

    seconds: float
    result: Any


def interleaved(
    contenders: Mapping[str, Callable[[], Any]],
    rounds: int,
    warm_up: bool = True,
    clock: Callable[[], float] = time.perf_counter,
) -> dict[str, Timed]:
    """Median time of each contender over ``rounds`` rounds, after one unmeasured round if ``warm_up``.

    What computes in one thread is best timed by the processor's ``clock``, which other programs do not move.
    """
    seconds: dict[str, list[float]] = {name: [] for name in contenders}
    results: dict[str, Any] = {}
    for index in range(rounds + warm_up):
        for name, run in contenders.items():
            gc.collect()
            start = clock()
            results[name] = run()
            if index >= warm_up:
                seconds[name].append(clock() - start)
    return {name: Timed(statistics.median(values), results[name]) for name, values in seconds.items()}


def milliseconds(seconds: float) -> str:
    """Three significant digits with a unit."""
    return f"{seconds * 1e3:.3g} ms" if seconds < 1.0 else f"{seconds:.3g} s"


def ratio(ours: float, theirs: float) -> str:
    """Our time as a fraction of theirs."""
    return f"1/{theirs / ours:.0f}" if theirs >= ours else f"{ours / theirs:.1f} x"


def table(header: list[str], rows: list[list[str]]) -> str:
    """Columns padded to equal width."""
    widths = [max(len(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [header, *rows]]
    return "\n".join([lines[0], "-" * len(lines[0]), *lines[1:]])
