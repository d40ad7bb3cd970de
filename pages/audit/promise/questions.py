"""Questions about audits of a promise in which are nobody's data, so that all sessions share the answers."""

from typing import NamedTuple

import numpy as np

from numerics.audits import Claim, power_reached, runs_needed
from numerics.audits.one_run import audit, canaries_needed, power
from numerics.deadline import UNLIMITED, Deadline
from numerics.trade_off import Floats
from pages.server.shared_cache import shared_cache

_POINTS = 9
_FEWEST, _MOST = 20, 100_000


class PowerBySize(NamedTuple):
    """How likely an audit refutes at each of ``sizes``, and the size at which that is 4 in 5; None beyond a million."""

    sizes: Floats
    power: Floats
    needed: int | None


finding = shared_cache(audit)
"""Of counts that somebody typed, or of a shipped run; what follows from an upload stays in its session."""


def _around(needed: int | None) -> Floats:
    """Sizes from an eighth of what is needed to twice as much."""
    low, high = (_FEWEST, _MOST) if needed is None else (max(needed / 8.0, _FEWEST), max(2.0 * needed, 3.0 * _FEWEST))
    sizes = np.round(np.geomspace(low, high, _POINTS))
    return np.unique(sizes if needed is None else np.append(sizes, needed))


@shared_cache
def one_run(claim: Claim, truth: Claim, level: float, deadline: Deadline = UNLIMITED) -> PowerBySize:
    """Of one run with so many canaries, by the best possible scores."""
    needed = canaries_needed(claim, truth, level, deadline=deadline)
    sizes = _around(needed)
    powers = [power(claim, truth, int(size), level=level, deadline=deadline) for size in sizes]
    return PowerBySize(sizes, np.array(powers), needed)


@shared_cache
def many_runs(claim: Claim, truth: Claim, level: float, deadline: Deadline = UNLIMITED) -> PowerBySize:
    """Of so many runs with the record and as many without, at least."""
    needed = runs_needed(claim, truth, level, deadline=deadline)
    sizes = _around(needed)
    powers = [power_reached(claim, truth, int(size), level, deadline) for size in sizes]
    return PowerBySize(sizes, np.array(powers), needed)
