"""What one visitor's slider feels of other visitors' long computations: ``python -m benchmarks.neighbours``.

One tab moves a slider of the mechanism explorer among values seen before. Other tabs train models, draw Monte Carlo
samples and run audits meanwhile. Rounds with and without them take turns, so that a slow spell hits both. Then one tab
moves a slider of the attackers' page to values that nobody had, beside four tabs with an address that takes forty
seconds: as they come, and once they ask for all of it.
"""

import argparse
import asyncio
import contextlib
import random
import statistics
from collections.abc import Sequence

from benchmarks.served import served, tracebacks, use
from benchmarks.timing import table
from benchmarks.visitor import Visitor

REACH = 0.3  # seconds at the 95th percentile that heavy work may add
CACHED = range(18, 26)  # positions of the noise slider
THINK = 0.15  # seconds between the end of a run and the next move
# Page, its address, and the button that starts the work; each takes many seconds on one core.
HEAVY = (
    ("frontier", "frontier.train_seeds=20&frontier.train_data_digits_epochs=60", "frontier.sweep_start"),
    (
        "reconstruct",
        "reconstruct.more=methods+compared&reconstruct.hayes_samples=1000000&steps=2000",
        "reconstruct.hayes_start",
    ),
    (
        "attackers",
        "attackers.part=audit&attackers.audit_attack=offline+logit+attack&attackers.audit_rounds=1,000,000",
        "attackers.audit_start",
    ),
)

LONG = (
    "attackers",
    "mechanism=Laplace&noise=.49&knows_rate=true&rate=.000233382&steps=1000000&order=remove-one&accused=7.8e-5&phases=3"
    "&noise_2=.54&rate_2=.02&steps_2=1&noise_3=13.9&rate_3=.04&steps_3=76&records=1&dimension=31&attackers.part=same+success",
    "longer_work.start",
)
LONG_TABS, NEW = 4, range(8, 40)  # of the same address; positions of the noise slider


def percentile(seconds: Sequence[float], share: float) -> float:
    """The smallest value with at least ``share`` of all at or below it."""
    ordered = sorted(seconds)
    return ordered[min(int(share * len(ordered)), len(ordered) - 1)]


async def _moves(visitor: Visitor, count: int) -> list[float]:
    seconds = []
    for _ in range(count):
        seconds.append(await visitor.move_noise(random.choice(CACHED)))
        await asyncio.sleep(THINK)
    return seconds


async def _busy(url: str, work: Sequence[tuple[str, str, str]]) -> list[Visitor]:
    """Tabs that compute; one after the other, as the pages themselves take time."""
    visitors = []
    for page, query, button in work:
        visitor = Visitor(url)
        await visitor.open(page, query)
        await visitor.press(button)
        visitors.append(visitor)
    return visitors


async def _measured(url: str, rounds: int, moves: int) -> dict[str, list[float]]:
    """Seconds of every move: alone, beside each kind of work, and beside all of them."""
    visitor = Visitor(url)
    await visitor.open("mechanism")
    for position in CACHED:
        await visitor.move_noise(position)
    settings: dict[str, Sequence[tuple[str, str, str]]] = {
        "alone": (),
        **{f"beside /{one[0]}": (one,) for one in HEAVY},
    }
    settings["beside all three"] = HEAVY
    found: dict[str, list[float]] = {name: [] for name in settings}
    for _ in range(rounds):
        for name, work in settings.items():
            busy = await _busy(url, work)
            found[name] += await _moves(visitor, moves)
            if not all(one.is_computing for one in busy):
                raise RuntimeError(f"{name}: the work was over before the moves were.")
            for one in busy:
                with contextlib.suppress(Exception):
                    await one.close()
            await asyncio.sleep(1.0)
    await visitor.close()
    return found


async def _held_up(url: str, moves: int) -> dict[str, list[float]]:
    """Seconds of every new value on the attackers' page: alone, while the long tabs come, and while they compute."""
    visitor, positions = Visitor(url), iter(random.sample(NEW, 3 * moves))
    await visitor.open("attackers")

    async def moved() -> list[float]:
        return [await visitor.move_noise(next(positions)) for _ in range(moves)]

    found = {"alone": await moved()}
    tabs = [Visitor(url) for _ in range(LONG_TABS)]
    coming = asyncio.gather(*(tab.open(*LONG[:2]) for tab in tabs))
    found[f"while {LONG_TABS} tabs open the long address"] = await moved()
    await coming
    for tab in tabs:
        await tab.press(LONG[2])
    found["while these compute the rest"] = await moved()
    for tab in (*tabs, visitor):
        with contextlib.suppress(Exception):
            await tab.close()
    return found


def held_up(moves: int) -> str:
    """Table of how long a new value takes alone and beside tabs with a long address."""
    with served() as server:
        found = asyncio.run(_held_up(server.url, moves))
    shown = {name: (statistics.median(found[name]), percentile(found[name], 0.95), max(found[name])) for name in found}
    rows = [[name, *(f"{1e3 * value:.0f} ms" for value in values)] for name, values in shown.items()]
    return table(["new value on /attackers", "p50", "p95", "worst"], rows)


def added(rounds: int, moves: int = 25) -> dict[str, float]:
    """Seconds that each kind of work adds to the slider's 95th percentile."""
    with served() as server:
        found = asyncio.run(_measured(server.url, rounds, moves))
    alone = percentile(found.pop("alone"), 0.95)
    return {name: percentile(seconds, 0.95) - alone for name, seconds in found.items()}


def blocked(rounds: int, moves: int = 25) -> str:
    """Table of the slider's latencies alone and beside heavy work."""
    with served() as server:
        before = use(server).processor
        found = asyncio.run(_measured(server.url, rounds, moves))
        processor = use(server).processor - before
        problems = tracebacks(server.log())
    alone = percentile(found["alone"], 0.95)
    rows = [_row(name, seconds, alone) for name, seconds in found.items()]
    notes = [f"{len(problems)} tracebacks in the log: {problems[:1]}"] if problems else []
    lines = table(
        ["cached slider on /mechanism", "p50", "p95", "worst", "added at p95", f"<= {REACH * 1e3:.0f} ms"], rows
    )
    return "\n".join([lines, f"Processor time of the server: {processor:.0f} s.", *notes])


def _row(name: str, seconds: Sequence[float], alone: float) -> list[str]:
    slow = percentile(seconds, 0.95)
    times = (statistics.median(seconds), slow, max(seconds), slow - alone)
    return [name, *(f"{1e3 * value:.0f} ms" for value in times), "yes" if slow - alone <= REACH else "NO"]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.neighbours", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="interleaved rounds with and without heavy work")
    parser.add_argument("--moves", type=int, default=25, help="moves of the slider in each")
    chosen = parser.parse_args()
    print(blocked(chosen.rounds, chosen.moves))
    print(held_up(10))


if __name__ == "__main__":
    main()
