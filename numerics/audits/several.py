"""What lower confidence bounds of several models or epochs say together, and which rows count once.

All of it is about the models at hand. They are a sample of the training procedure, of which nothing is proven so.
"""

from collections.abc import Callable, Sequence
from enum import StrEnum
from math import ceil, comb

import numpy as np
import scipy
from numpy.typing import NDArray

from numerics.epsilon_star.confidence import LEVEL
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, PositiveCount, Probabilities, Seed, checked

BoundAt = Callable[[float], float]
"""A lower bound as a function of its level."""


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


# Whether rows that share a value of a column have scores more alike than chance: a permutation test on ranks.
#
# Rows of one person are no independent evidence. The values of a column may show which rows are one person's, whatever
# the column is called; its name may say so, and proves as little as its absence.


MOST_ROWS = 4000
"""Rows the test looks at; drawn, of larger tables, without a look at the scores."""
_MOST_OF_ONE = 100
_ROUNDING = 1e-9  # of sums of ranks, which are halves


@checked
def are_alike(
    scores: Floats, values: NDArray[np.integer], strata: NDArray[np.integer], risk: OpenProbability, seed: Seed = 0
) -> bool:
    """Whether the between-values sum of squares of ranks exceeds what every one of 1/risk permutations gives.

    Ranks are those within a stratum (a model, say), and are permuted within it, so tails and differences between
    strata do not matter. Where scores are exchangeable within strata whatever the values are, the observed sum is the
    largest of 1/risk exchangeable ones with a probability of at most ``risk``: the level is exact, ties included.

    ``scores`` (n,) are finite ones of one group; ``values`` of the column (n,) and ``strata`` (n,) are any codes, and
    rows whose value is theirs alone do not matter. False where no value repeats. A False proves no independence.
    """
    lots = np.random.default_rng(seed)
    _, stratum = np.unique(strata, return_inverse=True)
    _, value = np.unique(values, return_inverse=True)
    cluster = np.unique(stratum.astype(np.int64) * (int(value.max(initial=0)) + 1) + value, return_inverse=True)[1]
    rows = _looked_at(cluster, lots)
    if not len(rows):
        return False
    rows = rows[np.lexsort((cluster[rows], stratum[rows]))]
    starts = np.flatnonzero(np.diff(cluster[rows], prepend=-1))
    parts = np.split(rows, np.flatnonzero(np.diff(stratum[rows])) + 1)
    ranks = [scipy.stats.rankdata(scores[part]) - (len(part) + 1) / 2.0 for part in parts]
    sizes = np.diff(np.append(starts, len(rows)))

    def between(drawn: list[Floats]) -> float:
        return float(np.sum(np.add.reduceat(np.concatenate(drawn), starts) ** 2 / sizes))

    observed = between(ranks) * (1.0 - _ROUNDING)
    permutations = ceil(1.0 / risk) - 1
    return all(between([lots.permutation(part) for part in ranks]) < observed for _ in range(permutations))


def _looked_at(cluster: NDArray[np.intp], lots: np.random.Generator) -> NDArray[np.intp]:
    """Rows whose value repeats: whole clusters, drawn by lot, but at most 100 rows of each and 4,000 in all."""
    counts = np.bincount(cluster)
    rows = lots.permutation(np.flatnonzero(counts[cluster] > 1))
    place = lots.permutation(len(counts))[cluster[rows]]
    order = np.argsort(place, kind="stable")
    rows, place = rows[order], place[order]
    starts = np.flatnonzero(np.diff(place, prepend=-1))
    within = np.arange(len(rows)) - np.repeat(starts, np.diff(np.append(starts, len(rows))))
    return rows[within < _MOST_OF_ONE][:MOST_ROWS]


# Many statements at once: which of them stand, and what that takes.


_MOST_MODELS = 500


class Procedure(StrEnum):
    """How p-values are compared where the expected share of false discoveries is kept to a rate."""

    BENJAMINI_HOCHBERG = "Benjamini-Hochberg"  # independent, or positively dependent as conformal ones are
    BENJAMINI_YEKUTIELI = "Benjamini-Yekutieli"  # any dependence, as of records that share models


@checked
def discoveries(
    p_values: Probabilities, rate: OpenProbability = 0.05, procedure: Procedure = Procedure.BENJAMINI_HOCHBERG
) -> NDArray[np.bool_]:
    """Which p-values (n,) are discoveries at this false discovery ``rate``.

    Benjamini and Hochberg 1995; Benjamini and Yekutieli 2001. Raises ValueError for p-values outside of [0, 1].
    """
    if not len(p_values):
        return np.zeros(0, bool)
    independent = procedure is Procedure.BENJAMINI_HOCHBERG
    adjusted = scipy.stats.false_discovery_control(p_values, method="bh" if independent else "by")
    return adjusted <= rate


@checked
def holm(p_values: Probabilities, risk: OpenProbability = 0.05) -> NDArray[np.bool_]:
    """Which hypotheses (n,) are rejected, not one of them falsely but with probability ``risk`` (Holm 1979).

    Any dependence. Raises ValueError for p-values outside of [0, 1].
    """
    order = np.argsort(p_values, kind="stable")
    left = len(p_values) - np.arange(len(p_values))
    passed = np.logical_and.accumulate(p_values[order] <= risk / left)
    rejected = np.zeros(len(p_values), bool)
    rejected[order] = passed
    return rejected


@checked
def models_needed(
    records: PositiveCount, rate: OpenProbability = 0.05, procedure: Procedure = Procedure.BENJAMINI_YEKUTIELI
) -> int:
    """Fewest models with each record, and as many without, of which any scores name a single one of ``records``.

    The smallest p-value of the exact rank test is 1 / C(2k, k); it must be at most the procedure's first threshold.
    Raises ValueError where 500 models of each kind do not suffice.
    """
    harmonic = float(np.sum(1.0 / np.arange(1, records + 1)))
    threshold = rate / records / (harmonic if procedure is Procedure.BENJAMINI_YEKUTIELI else 1.0)
    for models in range(1, _MOST_MODELS):
        if threshold * comb(2 * models, models) >= 1.0:
            return models
    raise ValueError(f"records must be few enough for {_MOST_MODELS} models of each kind, got {records}.")
