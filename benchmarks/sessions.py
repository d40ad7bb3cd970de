"""Many visitors at once: ``python -m benchmarks.sessions --sessions 60 --minutes 10``.

Every session opens pages, moves sliders every two seconds or so, and now and then types a new value, starts a long
computation and leaves it, uploads losses, reloads, loses its connection and comes back, or closes its tab and opens
another. All of that on this machine, against the app's own server, for a bounded time. Exit code 1 on any error.
"""

import argparse
import asyncio
import random
import sys
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

import numpy as np
from websockets.exceptions import WebSocketException

from benchmarks.served import HEADER, Use, served, tracebacks, use
from benchmarks.timing import table
from benchmarks.upload import VisitError
from benchmarks.visitor import Visitor
from tests.browser.server import ROOT, Server

MOST_SESSIONS, MOST_MINUTES = 200, 60.0
THINK = 2.0  # seconds between a visitor's moves, on average
LOSSES = (ROOT / "data" / "digits_overfitted.csv.gz").read_bytes()
NOISE = range(15, 33)  # places of the usual noises that everybody tries
PAGES = ("mechanism", "attackers", "reconstruct", "frontier", "audit")
# Where a long computation starts: the page, its address, and its button.
LONG = ("attackers", "attackers.part=audit&attackers.audit_rounds=10,000", "attackers.audit_start")


@dataclass
class Log:
    """Latencies by kind of move, in seconds, and what went wrong."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    errors: list[str] = field(default_factory=list)

    def table(self) -> str:
        """Counts and percentiles of every kind."""
        header = ["move", "runs", "p50", "p95", "p99", "worst"]
        rows = [[kind, f"{len(found):,}", *_times(found)] for kind, found in sorted(self.seconds.items())]
        return table(header, rows)


def _times(seconds: list[float]) -> list[str]:
    shown = np.quantile(seconds, (0.5, 0.95, 0.99, 1.0), method="higher")
    return [f"{1e3 * value:,.0f} ms" for value in shown]


@dataclass
class Guest:
    """A visitor with habits.

    Attributes:
        visitor: its tab.
        log: where its moves are noted.
        rng: what it decides by.
    """

    visitor: Visitor
    log: Log
    rng: random.Random

    async def stay(self, until: float) -> None:
        """Come within a think time, and move until then."""
        try:
            await asyncio.sleep(self.rng.uniform(0.0, 2.0 * THINK))
            await self._note("open a page", self.visitor.open(self.rng.choice(PAGES)))
            while time.monotonic() < until:
                await asyncio.sleep(min(self.rng.expovariate(1.0 / THINK), 5.0 * THINK))
                await self._move()
        finally:
            await self.visitor.close()

    async def _note(self, kind: str, move: Awaitable[float]) -> None:
        """Do it, and note how long it took or what went wrong; after an error, start over in a new tab."""
        try:
            self.log.seconds[kind].append(await move)
        except (VisitError, OSError, TimeoutError, WebSocketException, LookupError, StopIteration) as error:
            self.log.errors.append(f"{kind}: {type(error).__name__} {error}")
            await asyncio.sleep(THINK)
            await self.visitor.open("mechanism")

    async def _move(self) -> None:
        habits: tuple[tuple[float, Callable[[], Awaitable[None]]], ...] = (
            (70, self._slide),
            (8, self._type),
            (10, self._turn),
            (3, self._compute),
            (3, self._upload),
            (3, self._reload),
            (2, self._sleep),
            (1, self._leave),
        )
        weights, moves = zip(*habits, strict=True)
        await self.rng.choices(moves, weights)[0]()

    async def _slide(self) -> None:
        page = self.visitor.page
        if self.rng.random() < 1 / 3:
            moved = self.visitor.fill("accused", float(self.rng.randrange(1, 100)))
        else:
            moved = self.visitor.move_noise(self.rng.choice(NOISE))
        await self._note(f"usual values, /{page}", moved)

    async def _type(self) -> None:
        """A noise that nobody had before."""
        value = round(self.rng.uniform(0.8, 3.0), 6)
        await self._note(f"new value, /{self.visitor.page}", self.visitor.fill("noise", value))

    async def _turn(self) -> None:
        await self._note("turn to a page", self.visitor.turn(self.rng.choice(PAGES)))

    async def _compute(self) -> None:
        """Start a long computation, watch it for a while, and go on: leaving the page pauses it."""
        page, query, button = LONG
        await self._note("open a page", self.visitor.open(page, query))
        if button in self.visitor.widgets and not self.visitor.is_computing:
            await self._note("start a long computation", self.visitor.press(button))
            await asyncio.sleep(self.rng.uniform(1.0, 10.0))
        await self._turn()

    async def _upload(self) -> None:
        await self._note("open a page", self.visitor.open("audit"))
        await self._note("upload", self.visitor.upload("audit.files_upload", "losses.csv.gz", LOSSES))

    async def _reload(self) -> None:
        await self._note("reload", self.visitor.reload())

    async def _sleep(self) -> None:
        """Lose the connection and come back to the same session."""
        await self.visitor.lose()
        await asyncio.sleep(self.rng.uniform(0.5, 5.0))
        await self._note("come back", self.visitor.come_back())

    async def _leave(self) -> None:
        """Close the tab, and open another."""
        await self._note("open a page", self.visitor.open(self.rng.choice(PAGES)))


async def crowd(server: Server, sessions: int, seconds: float, uses: list[Use]) -> Log:
    """What ``sessions`` visitors live through in ``seconds``; the server's use is noted ten times meanwhile."""
    log, until = Log(), time.monotonic() + seconds
    guests = [Guest(Visitor(server.url), log, random.Random(number)) for number in range(sessions)]
    stays = [asyncio.create_task(guest.stay(until)) for guest in guests]
    for _ in range(10):
        await asyncio.sleep(seconds / 10.0)
        if server.process.poll() is None:
            uses.append(use(server))
    for result in await asyncio.gather(*stays, return_exceptions=True):
        if isinstance(result, BaseException):
            log.errors.append(f"A visitor gave up: {type(result).__name__} {result}")
    return log


def load(sessions: int, seconds: float, rest: float) -> bool:
    """Print what a crowd lives through, and what the server takes; whether all went well."""
    with served() as server:
        uses = [use(server)]
        log = asyncio.run(crowd(server, sessions, seconds, uses))
        if server.process.poll() is None:
            time.sleep(rest)
            uses.append(use(server))
        else:
            log.errors.append(f"The server ended with {server.process.poll()}; its log ends:\n{server.log()[-2000:]}")
        log.errors += [f"log: {line}" for line in tracebacks(server.log())]
    names = ["at the start", *(f"after {seconds * part / 10:.0f} s" for part in range(1, 11))]
    names.append(f"{rest:.0f} s after all tabs closed")
    print(log.table())
    print(f"\n{table(['server', *HEADER], [[name, *one.cells()] for name, one in zip(names, uses, strict=False)])}")
    runs = sum(map(len, log.seconds.values()))
    print(f"\n{runs:,} runs of {sessions} sessions in {seconds:.0f} s, {len(log.errors)} errors.")
    for line in sorted(set(log.errors)):
        print(f"  {log.errors.count(line)} x {line[:2200]}")
    return not log.errors


def main() -> None:
    """Run the load, and leave with 1 on any error."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sessions", description=__doc__)
    parser.add_argument("--sessions", type=int, default=60, help=f"at most {MOST_SESSIONS}")
    parser.add_argument("--minutes", type=float, default=10.0, help=f"at most {MOST_MINUTES:.0f}")
    parser.add_argument("--rest", type=float, default=60.0, help="seconds to wait after the last tab closed")
    chosen = parser.parse_args()
    if not (1 <= chosen.sessions <= MOST_SESSIONS and 0.0 < chosen.minutes <= MOST_MINUTES):
        parser.error(f"between 1 and {MOST_SESSIONS} sessions, for at most {MOST_MINUTES:.0f} minutes")
    sys.exit(0 if load(chosen.sessions, 60.0 * chosen.minutes, chosen.rest) else 1)


if __name__ == "__main__":
    main()
