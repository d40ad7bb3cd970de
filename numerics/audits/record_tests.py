"""Which records stand out: p-values of each, by one model or by many that were trained with and without it."""

import numpy as np
import scipy
from numpy.typing import NDArray

from numerics.deadline import UNLIMITED, Deadline
from numerics.trade_off import Floats
from numerics.validation import checked

_CELLS = 2_000_000  # scores ranked together


@checked
def conformal_p_values(null: Floats, members: Floats) -> Floats:
    """P-value (m,) of each member's score among those of non-members (n,): (1 + how many are as large) / (n + 1).

    Exact if a record's score is exchangeable with theirs; positively dependent, so Benjamini and Hochberg's procedure
    holds (Bates et al. 2023). What is named is unusually easy to accuse under this score, which an easy record may be
    whether or not it was in: never call it memorised.

    Raises ValueError for empty scores and NaN.
    """
    for name, values in (("null", null), ("members", members)):
        if values.ndim != 1 or not len(values):
            raise ValueError(f"{name} must be a vector with at least one score, got shape {values.shape}.")
        if np.isnan(values).any():
            raise ValueError(f"{name} must be numbers, got NaN.")
    ascending = np.sort(null)
    as_large = len(null) - np.searchsorted(ascending, members, "left")
    return np.asarray((1.0 + as_large) / (len(null) + 1.0))


@checked
def rank_test_p_values(scores: Floats, member: NDArray[np.bool_], deadline: Deadline = UNLIMITED) -> Floats:
    """P-value (r,) of each record by the exact one-sided rank test over its models.

    ``scores`` and ``member`` are (r, k): the score of each record under each of k models, and whether that model was
    trained on it. Small where its scores are larger under the models that were (Mann and Whitney 1947); equal scores
    count against that. 1 for a record without models of either kind. Records share models, so p-values depend on one
    another: name records by ``Procedure.BENJAMINI_YEKUTIELI``.

    Raises ValueError for shapes that differ, and for NaN.
    """
    if scores.ndim != 2 or scores.shape != member.shape:
        raise ValueError(f"member must have the shape of scores, {scores.shape}, got {member.shape}.")
    if np.isnan(scores).any():
        raise ValueError("scores must be numbers, got NaN.")
    found = np.ones(len(scores))
    rows = max(_CELLS // max(scores.shape[1], 1), 1)
    for start in range(0, len(scores), rows):
        deadline.check()
        part = slice(start, start + rows)
        found[part] = _p_values(scores[part], member[part])
    return found


def _p_values(scores: Floats, member: NDArray[np.bool_]) -> Floats:
    larger = _times_larger(scores, member)
    with_it, models = member.sum(axis=1), scores.shape[1]
    found = np.ones(len(scores))
    for count in np.unique(with_it):
        if 0 < count < models:
            rows = with_it == count
            found[rows] = _tail(int(count), models - int(count))[larger[rows]]
    return found


def _times_larger(scores: Floats, member: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many pairs (r,) of a model with the record and one without have the larger score with it."""
    smaller = scipy.stats.rankdata(scores, method="min", axis=1)
    of_its_kind = scipy.stats.rankdata(np.where(member, scores, np.inf), method="min", axis=1)
    return np.asarray(np.sum((smaller - of_its_kind) * member, axis=1), np.int64)


def _tail(with_it: int, without: int) -> Floats:
    """Probability of so many pairs or more, (with_it * without + 1,), where all orders of models are equally likely.

    The largest score belongs to a model with the record, which makes a pair with each one without, or to one without.
    """
    size = with_it * without + 1
    laws = [np.eye(1, size)[0]] * (with_it + 1)  # with so many models with it, and none without
    for fewer in range(1, without + 1):
        row = [laws[0]]
        for more in range(1, with_it + 1):
            share = more / (more + fewer)
            shifted = np.concatenate((np.zeros(fewer), row[-1][: size - fewer]))
            row.append(share * shifted + (1.0 - share) * laws[more])
        laws = row
    return np.asarray(np.minimum(np.cumsum(laws[-1][::-1])[::-1], 1.0))
