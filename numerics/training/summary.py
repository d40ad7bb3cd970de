"""Several runs of the same, as one: means, extremes and standard deviations."""

from collections.abc import Iterable, Sequence

import numpy as np

from numerics.training.calibrated import Strategy
from numerics.training.sweep import Trained
from numerics.validation import Unknown, value


@value
class Spread:
    """Mean, extremes and standard deviation (n - 1; 0 for one) of several runs."""

    mean: Unknown
    least: Unknown
    most: Unknown
    deviation: Unknown

    @classmethod
    def of(cls, values: Iterable[float]) -> "Spread":
        """Of at least one value."""
        numbers = np.array(list(values))
        deviation = float(numbers.std(ddof=1)) if len(numbers) > 1 else 0.0
        return cls(float(numbers.mean()), float(numbers.min()), float(numbers.max()), deviation)


@value
class Cell:
    """All runs of one strategy and goal.

    Attributes:
        strategy: how they were protected.
        goal: the attack success asked for; NaN for baselines.
        accuracy: on held-out records.
        auroc: on held-out records.
        rows: the runs, by seed.
    """

    strategy: Strategy
    goal: Unknown
    accuracy: Spread
    auroc: Spread
    rows: tuple[Trained, ...]


def summary(rows: Iterable[Trained]) -> tuple[Cell, ...]:
    """Cells in the order of Strategy, then of goals, whatever the order of ``rows``."""
    groups: dict[tuple[int, float], list[Trained]] = {}
    order = list(Strategy)
    for row in rows:
        groups.setdefault((order.index(row.strategy), -1.0 if np.isnan(row.goal) else row.goal), []).append(row)
    return tuple(_cell(sorted(group, key=lambda row: row.seed)) for _, group in sorted(groups.items()))


def _cell(group: Sequence[Trained]) -> Cell:
    accuracy, auroc = (Spread.of(getattr(row, name) for row in group) for name in ("accuracy", "auroc"))
    return Cell(group[0].strategy, group[0].goal, accuracy, auroc, tuple(group))
