"""What lower confidence bounds of several models, epochs or random draws say together.

All of it is about the models at hand. They are a sample of the training procedure, of which nothing is proven so.
"""

from collections.abc import Callable, Sequence
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL
from numerics.validation import Interval, OpenProbability, PositiveCount, Seed, checked

DRAWS = 9
BoundAt = Callable[[float], float]
"""A lower bound as a function of its level."""
BoundOfRows = Callable[[NDArray[np.intp], float], float]
"""A lower bound of some rows at a level."""


@checked
def level_each(models: PositiveCount, count: PositiveCount = 1, level: OpenProbability = LEVEL) -> float:
    """Level of each bound where the ``count``-th largest of those of so many ``models`` is to hold with ``level``.

    1 - (1 - level) / (models - count + 1). If the count-th largest bound exceeds the count-th largest true number, at
    least ``count`` bounds exceed it, and ``models - count + 1`` models have no larger true number: by the pigeonhole
    principle one of those models' bounds fails. So the largest of K takes 1 - risk / K, "all K" no correction
    (intersection-union), and what lies between is the test of partial conjunctions of Benjamini and Heller 2008.

    Raises ValueError unless ``count`` is at most ``models``.
    """
    Interval(1, models).check("count", count)
    return 1.0 - (1.0 - level) / (models - count + 1)


@checked
def at_least(count: PositiveCount, bounds: Sequence[BoundAt], level: OpenProbability = LEVEL) -> float:
    """The number that at least ``count`` of the models have, with confidence ``level``: 1 for the largest of them.

    ``bounds`` are the models' lower bounds as functions of the level. Models may depend on one another. The count must
    be fixed beforehand; raises ValueError unless it is at most the number of models.
    """
    each = level_each(max(len(bounds), 1), count, level)
    return sorted((bound(each) for bound in bounds), reverse=True)[count - 1]


@checked
def one_row_each(persons: NDArray[np.integer], seed: Seed = 0) -> NDArray[np.intp]:
    """A random row of each person, ascending, by lots that do not depend on the scores; ``persons`` (n,) by row.

    The rows drawn are independent if the persons are, and what is said of them is said of a random row of a random
    person. Counted as if they were independent, rows of one person show something where there is nothing.
    """
    order = np.random.default_rng(seed).permutation(len(persons))
    _, first = np.unique(persons[order], return_index=True)
    return np.sort(order[first])


@checked
def median_of_draws(
    bound: BoundOfRows,
    persons: NDArray[np.integer],
    draws: Annotated[int, Interval(1, 999)] = DRAWS,
    level: OpenProbability = LEVEL,
    deadline: Deadline = UNLIMITED,
) -> float:
    """Median over ``draws`` of one row per person of the lower bound, each at 1 - risk / 2.

    If each draw's bound fails with risk / 2, at least half of them fail with at most ``risk`` (Markov on the share that
    fails), so the median holds with ``level``; its spread is half of a single draw's. Of an even number of draws the
    smaller of the two in the middle is taken.
    """
    found = []
    for seed in range(draws):
        deadline.check()
        found.append(bound(one_row_each(persons, seed), (1.0 + level) / 2.0))
    return sorted(found)[(draws - 1) // 2]
