"""Whether rows that share a value of a column have scores more alike than chance: a permutation test on ranks.

Rows of one person are no independent evidence. The values of a column may show which rows are one person's, whatever
the column is called; its name may say so, and proves as little as its absence.
"""

from math import ceil

import numpy as np
import scipy
from numpy.typing import NDArray

from numerics.trade_off import Floats
from numerics.validation import OpenProbability, Seed, checked

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
