"""How long a computation goes on without a look at its deadline: ``python -m benchmarks.looks --seconds 120``.

Whoever looks may be told to stop, or lets others compute first; between two looks a visitor waits. Random releases of
every mechanism with extreme parameters are asked all that pages ask. Exit code 1 where a stretch is too long.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from benchmarks.timing import table
from numerics.deadline import looking_at
from numerics.mechanisms import MECHANISMS, Mechanism
from numerics.privacy_loss import Precision
from numerics.sampling import Adjacency, Sampling
from pages.server import startup
from pages.ui.cached import EPSILON_WIDTH, PRECISION

LONGEST = 0.5  # seconds of processor time
_NOISES = (0.02, 0.1, 0.49, 1.0, 3.0, 30.0, 1000.0)
_RATES = (1e-6, 1e-3, 0.05, 0.5, 0.99, 1.0)
_STEPS = (1, 20, 999, 10**5, 10**6)
_RECORDS = (1, 1, 2, 30, 256)
_SHOWN = 12
Ask = Callable[[Mechanism, Precision], object]
QUESTIONS: dict[str, Ask] = {
    "curve": lambda release, precision: release.certified(precision),
    "epsilon": lambda release, precision: release.epsilon(1e-5, EPSILON_WIDTH, precision),
    "power": lambda release, precision: release.power(1e-3, precision=precision),
    "advantage": lambda release, precision: release.advantage(precision),
    "area": lambda release, precision: release.auc(precision),
    "mu": lambda release, precision: release.gaussian_mu(precision=precision),
    "regret": lambda release, precision: release.gaussian_regret(precision=precision),
}


@dataclass
class Stretches:
    """A deadline that never comes, and how long nobody looked at it.

    Attributes:
        longest: in seconds of this thread's processor time.
        looks: how many there were.
    """

    longest: float = 0.0
    looks: int = 0
    _last: float = field(default_factory=time.thread_time)

    def check(self) -> None:
        """See ``numerics.deadline``."""
        now = time.thread_time()
        self.longest, self.looks, self._last = max(self.longest, now - self._last), self.looks + 1, now


def drawn(rng: random.Random) -> Mechanism:
    """Some release that is not refused."""
    while True:
        kind, noise, rate, steps = rng.choice(MECHANISMS), rng.choice(_NOISES), rng.choice(_RATES), rng.choice(_STEPS)
        how = rng.choice(list(Adjacency)), rng.choice(list(Sampling))
        try:
            return kind(noise, rate, steps, *how, records_per_person=rng.choice(_RECORDS))
        except ValueError:
            continue


def main() -> None:
    """Ask for so long, and print the longest stretches."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.looks", description=__doc__)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    startup.load_rest()
    rng, until, found = random.Random(chosen.seed), time.monotonic() + chosen.seconds, []
    while time.monotonic() < until:
        release, question = drawn(rng), rng.choice(list(QUESTIONS))
        stretches, began = Stretches(), time.thread_time()
        with looking_at(stretches):
            try:
                QUESTIONS[question](release, PRECISION)
            except ValueError as refusal:
                question = f"{question}: {refusal}"
            stretches.check()
        found.append((stretches.longest, time.thread_time() - began, stretches.looks, question, repr(release)))
    found.sort(reverse=True)
    rows = [
        [f"{a:.2f} s", f"{b:.2f} s", f"{looks:,}", asked, release] for a, b, looks, asked, release in found[:_SHOWN]
    ]
    print(table(["longest stretch", "of", "looks", "question", "release"], rows))
    print(f"\n{len(found):,} questions.")
    sys.exit(found[0][0] > LONGEST)


if __name__ == "__main__":
    main()
