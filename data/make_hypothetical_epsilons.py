"""Make the shipped noises of paper 000 Section 7.3. See README.md beside this file.

Run from the project's folder: ``python -m data.make_hypothetical_epsilons``. About two minutes on one core.
"""

from collections.abc import Callable

import numpy as np
import scipy

from data import written
from numerics import shipped
from numerics.mechanisms import SampledMechanism
from numerics.relaxed.curves import RelaxedTest, trade_off
from numerics.relaxed.hypothetical import TABLE, TASKS, PublishedTask, Sandwich
from numerics.trade_off import Floats, Order

POINTS = 61
LEAST, STRIDE = -4.0, 0.25  # of log noise over the given one
FLOORS = (1e-6, 1e-3)
COLUMNS = ("task", "reading", "smallest_alpha", "safe_noise", "bold_noise", "safe_epsilon", "bold_epsilon")
ABOUT = {
    "what": "noise at which an unknown record is as hard to detect as a known one at the task's noise, and its epsilon",
    "safe": "nobody finds more at any false positive rate from smallest_alpha on",
    "bold": "somebody finds as much at every one of them",
}


def sandwich(
    release: SampledMechanism,
    test: RelaxedTest = RelaxedTest.MINIMAX,
    smallest_alpha: float = 1e-6,
) -> Sandwich:
    """The noises at which the relaxed curve J of ``release`` lies just above, and just below, f of its own noise.

    Compared at 61 rates from ``smallest_alpha`` to 1 - ``smallest_alpha``: without a floor the ratio of the two powers
    decides, which grows without limit. Both are estimates, as the relaxed curve is. Raises ValueError as ``trade_off``.
    """
    half = np.geomspace(smallest_alpha, 0.5, POINTS // 2 + 1)
    alpha = np.concatenate((half, 1.0 - half[-2::-1]))
    full = release.trade_off(alpha, Order.SYMMETRIC)

    def ahead(log_scale: float) -> Floats:
        """Log of how much more the relaxed attacker finds, (n,): of powers, or of misses where those are fewer."""
        other = release.with_noise(release.noise_multiplier * float(np.exp(log_scale)))
        curve = trade_off(other, alpha, order=Order.SYMMETRIC, test=test)
        by_power = np.log(curve.power) - np.log(full.power)
        by_misses = np.log(full.beta) - np.log(np.maximum(curve.beta, np.finfo(float).tiny))
        return np.where(full.power < 0.5, by_power, by_misses)

    def noise(pick: Callable[[Floats], float]) -> float:
        """Where ``ahead`` falls through 0 as the noise grows: at the given noise nobody who knows less finds more."""
        high, low = 0.0, -STRIDE
        while pick(ahead(low)) <= 0.0:
            high, low = low, low - STRIDE
            if low < LEAST:
                raise ValueError("release must be such that less noise can make up for less knowledge.")
        found = scipy.optimize.brentq(lambda log_scale: float(pick(ahead(log_scale))), low, high, xtol=1e-7)
        return float(release.noise_multiplier * np.exp(found))

    return Sandwich(noise(np.max), noise(np.min))


def row(task: PublishedTask, test: RelaxedTest, floor: float) -> tuple[object, ...]:
    """A row of the table."""
    noise = sandwich(task.release, test, floor)
    epsilons = (task.release.with_noise(each).epsilon(task.delta).estimate for each in noise)
    return (task.name, str(test), floor, *noise, *epsilons)


def table() -> str:
    """All tasks, readings and floors."""
    cells = [row(task, test, floor) for task in TASKS for test in RelaxedTest for floor in FLOORS]
    return written.document(COLUMNS, cells, ABOUT)


if __name__ == "__main__":
    (shipped.DATA / f"{TABLE}.csv").write_text(table(), encoding="utf-8")
