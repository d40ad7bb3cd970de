"""Real training: the default sweep of each data set, on one core and on two."""

import time

from benchmarks.timing import milliseconds, table
from numerics.training import DATA_SETS, Plan, default_recipe, run

WORKERS = (1, 2)


def sweeps(_rounds: int) -> str:
    """Table of times; each sweep runs once: it trains a hundred models."""
    rows = []
    for name in DATA_SETS:
        plan = Plan(default_recipe(name))
        times = [milliseconds(_seconds(plan, workers)) for workers in WORKERS]
        rows.append([f"{name}: 8 goals x 3 notions x 5 runs, and baselines", *times])
    return table(["sweep", *(f"{workers} workers" for workers in WORKERS)], rows)


def _seconds(plan: Plan, workers: int) -> float:
    start = time.perf_counter()
    for _ in run(plan, workers):
        pass
    return time.perf_counter() - start
