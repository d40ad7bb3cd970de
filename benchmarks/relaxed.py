"""The relaxed threat model: 1,000 points of j and J in 1, 300 and a million dimensions, and the sampled guarantee."""

from collections.abc import Callable

import numpy as np

from benchmarks.timing import interleaved, milliseconds, table
from numerics import relaxed
from numerics.mechanisms import Gaussian
from numerics.mechanisms.folded_distance import traced
from numerics.relaxed import joint_boundary, joint_law, joint_spectrum
from numerics.trade_off import Floats, Order, alpha_grid

ALPHA = alpha_grid(1000)
RELEASE = Gaussian(1.0)
SAMPLED = Gaussian(1.0, 1.0 / 120.0, 1200)
FINER = 4  # times the cells that the guarantee itself takes


def closed_form(dimension: int, order: Order) -> Floats:
    """Power of one release, from scratch."""
    traced.cache_clear()
    return relaxed.trade_off(RELEASE, ALPHA, dimension=dimension, order=order).power


def curves(rounds: int) -> str:
    """Table of times, and how far the sampled guarantee is from one on a finer grid."""
    runs: dict[str, Callable[[], Floats]] = {
        f"{name} in {dimension:,} dimensions": lambda dimension=dimension, order=order: closed_form(dimension, order)
        for dimension in (1, 300, 1_000_000)
        for name, order in (("j", Order.ADD), ("J", Order.SYMMETRIC))
    }
    runs[f"guarantee, {SAMPLED.label}"] = lambda: relaxed.trade_off(SAMPLED, ALPHA).power
    timed = interleaved(runs, rounds)
    rows = [[name, milliseconds(run.seconds), ""] for name, run in timed.items()]
    rows[-1][-1] = f"{_error():.1e}"
    return table(["1,000 points of", "time", "error of power"], rows)


def _error() -> float:
    """Largest difference of the power from that on a grid of four times the cells."""
    steps = joint_law.steps_of(SAMPLED.pairs)
    grid = joint_spectrum.grid_for(steps)
    if grid is None:
        raise ValueError("the sampled mechanism must be one of many small steps, got one for the lattice.")
    ours = relaxed.trade_off(SAMPLED, ALPHA).power
    return float(np.max(np.abs(joint_boundary.roc(steps, grid.finer(FINER)).at(ALPHA, Order.ADD).power - ours)))
