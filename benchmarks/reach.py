"""What this project set out to reach, a row each: measured here and now, with peers and floors in the same run."""

import asyncio
import statistics
import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from benchmarks import (
    accounting,
    calibration,
    epsilon_star,
    neighbours,
    peers,
    reconstruction,
    sessions,
    slider,
    start,
)
from benchmarks.cases import CASES
from benchmarks.served import served, use
from benchmarks.timing import interleaved, milliseconds, table
from benchmarks.visitor import Visitor

CROWD_SECONDS = 20.0


class Row(NamedTuple):
    """One aim: what, how much, what came of it, and whether that is enough."""

    what: str
    reach: str
    measured: str
    met: bool

    def cells(self) -> list[str]:
        """The row of the table."""
        return [self.what, self.reach, self.measured, "yes" if self.met else "NO"]


def _curve(rounds: int) -> list[Row]:
    """Time of the certified curve over riskcal's, at both widths."""
    runs: dict[str, Callable[[], object]] = {
        f"<= {width:g}": partial(accounting.our_curve, CASES[0], width) for width in accounting.WIDTHS
    }
    runs["riskcal"] = partial(peers.riskcal_beta, CASES[0].mechanism, accounting.ALPHA)
    timed = interleaved(runs, rounds, clock=time.process_time)
    rows = []
    for name, limit in zip(list(runs)[:2], (100.0, 30.0), strict=True):
        times = timed["riskcal"].seconds / timed[name].seconds
        what = f"certified curve, 1,000 points, bracket {name}"
        rows.append(Row(what, f"1/{limit:.0f} of riskcal's time", f"1/{times:.0f}", times >= limit))
    return rows


def _calibration(rounds: int) -> list[Row]:
    """Time of finding the noise over the peer's, and whether the target is kept."""
    rows = []
    for target, peer, run in calibration.CONTESTS:
        ours = interleaved({"ours": partial(calibration.our_noise, target)}, rounds)["ours"]
        theirs = interleaved({peer: run}, calibration.PEER_ROUNDS, warm_up=False)[peer]
        times, kept = theirs.seconds / ours.seconds, calibration.is_kept(target, ours.result)
        found = f"1/{times:.0f}, target {'met' if kept else 'MISSED'}"
        rows.append(Row(f"noise for {target.label}", f"1/30 of {peer}'s time", found, times >= 30.0 and kept))
    return rows


def _reconstruction(rounds: int) -> list[Row]:
    seconds = interleaved({"ours": reconstruction.certified}, rounds)["ours"].seconds
    return [Row("certified ReRo curve, 200 priors, N = 71,589", "1 s", milliseconds(seconds), seconds <= 1.0)]


def _slider(rounds: int) -> list[Row]:
    """The slowest kind of release over the bare page, for new and for cached values."""
    rows = []
    for kind, times in slider.measured(3 * rounds).items():
        middle = {name: statistics.median(found) for name, found in times.items()}
        floor = middle.pop("bare page")
        name = max(middle, key=lambda page: middle[page])
        found = f"{middle[name] / floor:.2f} x ({middle[name]:.0f} / {floor:.0f} ms, {name})"
        rows.append(Row(f"slider to figure in the browser, {kind} values", "1.3 x", found, middle[name] <= 1.3 * floor))
    return rows


async def _cached_moves(url: str, count: int) -> None:
    visitor = Visitor(url)
    await visitor.open("mechanism")
    for number in range(count):
        await visitor.move_noise(20 + number % 5)
    await visitor.close()


def _processor(rounds: int) -> list[Row]:
    """Processor time of the server for a move to a value that was computed before."""
    count = 40 * rounds
    with served() as server:
        asyncio.run(_cached_moves(server.url, 10))
        before = use(server).processor
        asyncio.run(_cached_moves(server.url, count))
        each = (use(server).processor - before) / count
    return [Row("processor time of a rerun, cached", "20 ms", milliseconds(each), each <= 0.02)]


def _sessions(rounds: int) -> list[Row]:
    del rounds
    found = sessions.largest_crowd(CROWD_SECONDS)
    good = [size for size, log in found.items() if sessions.slow(log) <= sessions.REACH and not log.errors]
    last = max(found)
    measured = f"{max(good, default=0)} (at {last}: {1e3 * sessions.slow(found[last]):.0f} ms)"
    return [Row("sessions moving sliders at once, p95 < 1 s", "80", measured, max(good, default=0) >= 80)]


def _neighbours(rounds: int) -> list[Row]:
    added = neighbours.added(max(rounds // 2, 1))
    worst = max(added, key=lambda name: added[name])
    met = added[worst] <= neighbours.REACH
    return [Row("a slider beside heavy work, added at p95", "300 ms", f"{1e3 * added[worst]:.0f} ms, {worst}", met)]


def _epsilon_star(rounds: int) -> list[Row]:
    """Time over Arrow's read, and the peak over the losses' own bytes, with one file."""
    name, read, ours = epsilon_star.CASES[0], "Arrow's read", "parametric"
    timed = interleaved({label: partial(epsilon_star.CONTENDERS[label], name) for label in (read, ours)}, 3 * rounds)
    ratio = timed[ours].seconds / timed[read].seconds
    peak = epsilon_star.peak(name, ours) / epsilon_star.ARRAYS
    what = f"Epsilon* of 1 million rows, {name}"
    return [
        Row(f"{what}: time", "2 x Arrow's read", f"{ratio:.2f} x", ratio <= 2.0),
        Row(f"{what}: memory", "4 x the arrays", f"{peak:.1f} x", peak <= 4.0),
    ]


def _start(rounds: int) -> list[Row]:
    found = {name: start.medians(times) for name, times in start.starts(rounds).items()}
    ours, floor = found["ours"], found["empty page"]
    first = ours[2] / floor[2]
    words = f"{first:.2f} x ({ours[2]:.2f} / {floor[2]:.2f} s)"
    return [
        Row("start until the server answers, warm", "3 s", f"{ours[0]:.2f} s", ours[0] <= 3.0),
        Row("first page, cold start, over an empty page", "1.3 x", words, first <= 1.3),
    ]


PARTS = (
    _curve, _calibration, _reconstruction, _slider, _processor, _sessions, _neighbours, _epsilon_star, _start,
)  # fmt: skip


def reached(rounds: int) -> str:
    """Table of all aims; a part that fails says so and leaves the others alone."""
    rows: list[list[str]] = []
    for part in PARTS:
        try:
            rows += [row.cells() for row in part(rounds)]
        except Exception as failure:
            rows.append([part.__name__.strip("_"), "", f"{type(failure).__name__}: {failure}"[:80], "NO"])
        time.sleep(1.0)
    return table(["what", "reach", "measured", "met"], rows)
