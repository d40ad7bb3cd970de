"""Whether everybody gets an answer, for as long as you like: ``python -m benchmarks.soak --seconds 90``.

Threads stand for visitors. Each goes on asking what pages ask, as pages ask it: runs of a page with their budget, and
long questions that were asked for. Nothing is known before. Where nobody finished anything for a
while, it prints where every thread stands and leaves with exit code 1. "Silence" is what ``/health`` goes by: how long
nobody who computes looked at a deadline, so that others had to wait.
"""

import argparse
import faulthandler
import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from threading import Thread

from numerics.mechanisms import MECHANISMS, Gaussian, Mechanism
from numerics.privacy_loss import Precision
from numerics.sampling import Adjacency, Sampling
from pages.server import startup
from pages.server.background_job import BackgroundJob
from pages.server.budget import UNASKED, Budget, current, within
from pages.server.health import silence
from pages.server.run_order import RUNS
from pages.ui import cached

VISITORS = 8
PAUSE = 20.0  # seconds without any answer that count as stuck: no single question here takes half of it
_QUESTIONS = 60  # of one task, at most
_LOOK = 0.3  # seconds between two looks at how far it is
_NOISES = (0.02, 0.1, 0.49, 1.0, 3.0, 30.0, 1000.0)
_RATES = (1e-6, 1e-3, 0.05, 0.5, 0.99, 1.0)
_STEPS = (1, 20, 999, 10**5, 10**6)
_RECORDS = (1, 1, 2, 30, 256)


class Visitor:
    """One thread, and how many times it got an answer."""

    def __init__(self, number: int, until: float) -> None:
        self.answers = 0
        self.fault: Exception | None = None
        self._rng, self._until = random.Random(number), until
        self.thread = Thread(target=self._stay, name=f"visitor {number}", daemon=True)
        self.thread.start()

    def _stay(self) -> None:
        try:
            while time.monotonic() < self._until:
                self._rng.choice((self._run_of_a_page, self._asked_for))()
                self.answers += 1
        except Exception as fault:
            self.fault = fault
            raise

    def _run_of_a_page(self) -> None:
        """What a page asks of a release that nobody had, as far as its budget goes."""
        release = self._release()
        with RUNS.turn(), within(Budget(UNASKED)):
            for question in (cached.advantage, cached.auc, cached.gaussian_mu, cached.gaussian_regret):
                with suppress(ValueError):
                    question(release)

    def _asked_for(self) -> None:
        """Questions that take long together, as a task asks them while the page is drawn."""
        job = BackgroundJob(self._answered(), lambda: time.monotonic() > self._until)
        while not job.ended.wait(_LOOK):
            with RUNS.turn():
                self.fault = job.failure

    def _answered(self) -> Iterator[None]:
        for _ in range(self._rng.randrange(1, _QUESTIONS)):
            Gaussian(10.0 ** self._rng.uniform(-0.5, 0.7), 0.01, 1000).advantage(Precision(deadline=current()))
            self.answers += 1
            yield

    def _release(self) -> Mechanism:
        """Some release that is not refused, extreme ones among them."""
        choose = self._rng.choice
        while True:
            with suppress(ValueError):
                how = choose(list(Adjacency)), choose(list(Sampling))
                drawn = choose(_NOISES), choose(_RATES), choose(_STEPS)
                return choose(MECHANISMS)(*drawn, *how, records_per_person=choose(_RECORDS))


def main() -> None:
    """Ask for so long; leave with 1 where it stopped."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.soak", description=__doc__)
    parser.add_argument("--seconds", type=float, default=90.0)
    parser.add_argument("--visitors", type=int, default=VISITORS)
    parser.add_argument("--pause", type=float, default=PAUSE, help="seconds without an answer that count as stuck")
    chosen = parser.parse_args()
    startup.load_rest()
    sys.setswitchinterval(startup.SWITCH_INTERVAL)
    began = last = time.monotonic()
    visitors = [Visitor(number, began + chosen.seconds) for number in range(chosen.visitors)]
    answers, longest, quiet = 0, 0.0, 0.0
    while any(visitor.thread.is_alive() for visitor in visitors):
        time.sleep(0.05)
        now, found = time.monotonic(), sum(visitor.answers for visitor in visitors)
        if found > answers:
            answers, last = found, now
        longest, quiet = max(longest, now - last), max(quiet, silence())
        if now - last > chosen.pause:
            faulthandler.dump_traceback(all_threads=True)
            print(f"STUCK after {last - began:.0f} s and {answers:,} answers; silence {silence():.0f} s.")
            sys.exit(1)
    if any(visitor.fault for visitor in visitors):
        sys.exit(1)
    print(f"{answers:,} answers in {now - began:.0f} s; longest pause {longest:.1f} s, longest silence {quiet:.1f} s.")


if __name__ == "__main__":
    main()
