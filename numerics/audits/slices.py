"""Slices of the records, such as classes or subgroups: what stands of each where several are looked at."""

from collections.abc import Sequence

import numpy as np
import scipy
from numpy.typing import NDArray

from numerics.audits.claim import Claim
from numerics.audits.many_runs import claim_test
from numerics.audits.measured import TruePositiveRate, fewest_for, true_positive_rate
from numerics.audits.rounds import Scores
from numerics.audits.several import holm, level_each
from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, PositiveCount, checked, value

FEWEST_MEMBERS = 30


@value
class Slice:
    """What one of several slices shows, of so many non-members (``null``) and ``members``.

    One ``is_too_small`` to be looked into counts among the slices all the same: it has no ``rate``, and a p-value of 1.
    The limits of rates hold for all slices together; the p-value of the claim is by this slice alone, and ``exceeds``
    says that the claim is refuted for it, with all slices looked at (Holm).
    """

    null: int
    members: int
    is_too_small: bool
    rate: TruePositiveRate | None
    p_value: float
    exceeds: bool


@checked
def divided(
    scores: Scores, null_slice: NDArray[np.int64], member_slice: NDArray[np.int64], count: PositiveCount
) -> tuple[Scores, ...]:
    """The scores of each of ``count`` slices; the codes, 0 to count - 1, say to which slice every score belongs.

    Raises ValueError for codes that are not as many as scores, or no slice's.
    """
    groups = []
    for name, values, codes in zip(scores._fields, scores, (null_slice, member_slice), strict=True):
        if values.shape != codes.shape:
            raise ValueError(f"{name} scores must have a slice each, got {codes.shape} for {values.shape}.")
        if len(codes) and not 0 <= codes.min() <= codes.max() < count:
            raise ValueError(f"slices must be between 0 and {count - 1}, got {codes.min()} to {codes.max()}.")
        order = np.argsort(codes, kind="stable")
        groups.append(np.split(values[order], np.searchsorted(codes[order], np.arange(1, count))))
    return tuple(Scores(*pair) for pair in zip(*groups, strict=True))


@checked
def sliced(
    slices: Sequence[Scores],
    alpha: OpenProbability,
    claim: Claim,
    level: OpenProbability = LEVEL,
    deadline: Deadline = UNLIMITED,
) -> tuple[Slice, ...]:
    """Each slice's true positive rate at ``alpha``, and whether it refutes ``claim``.

    Limits hold for all slices together: each has the level 1 - (1 - level) / S. Slices of fewer than 30 members, or of
    fewer non-members than a lower limit takes, are too small.

    Raises ValueError for NaN, and for ``alpha`` or ``level`` outside of (0, 1).
    """
    each = level_each(max(len(slices), 1), 1, level)
    needed = fewest_for(alpha, each)
    large = [len(one.alternative) >= FEWEST_MEMBERS and len(one.null) >= needed for one in slices]
    p_values: Floats = np.ones(len(slices))
    for place, one in enumerate(slices):
        if not large[place]:
            continue
        deadline.check()
        p_values[place] = claim_test(one, claim, level).p_value
    exceeding = holm(p_values, 1.0 - level)
    return tuple(
        Slice(
            null=len(one.null),
            members=len(one.alternative),
            is_too_small=not looked,
            rate=true_positive_rate(one, alpha, each) if looked else None,
            p_value=float(p_value),
            exceeds=bool(exceeds),
        )
        for one, looked, p_value, exceeds in zip(slices, large, p_values, exceeding, strict=True)
    )


@checked
def rate_for(slices: Sequence[Scores], rates: Sequence[OpenProbability], level: OpenProbability = LEVEL) -> float:
    """The first of the false positive ``rates`` at which half of the slices are large enough; else the last.

    It depends on the numbers of scores alone, so it may be chosen before any of them is looked at.

    Raises ValueError for a rate or a level outside of (0, 1).
    """
    each = level_each(max(len(slices), 1), 1, level)
    for alpha in rates:
        needed = fewest_for(alpha, each)
        if 2 * sum(len(one.null) >= needed for one in slices) >= len(slices):
            return alpha
    return rates[-1]


@checked
def surely_below(found: Sequence[Slice]) -> NDArray[np.bool_]:
    """Which slices (n,) have a true positive rate below that of some other one, with the level of ``sliced``.

    Their limits hold together, so one whose upper limit is below another's lower limit is below it.
    """
    least = max((one.rate.lower for one in found if one.rate is not None and one.rate.lower is not None), default=0.0)
    return np.array([one.rate is not None and one.rate.upper < least for one in found], bool)


# Which records stand out: p-values of each, by one model or by many that were trained with and without it.


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
    step, models = max(_CELLS // max(scores.shape[1], 1), 1), scores.shape[1]
    for start in range(0, len(scores), step):
        deadline.check()
        part, own = scores[start : start + step], member[start : start + step]
        smaller = scipy.stats.rankdata(part, method="min", axis=1)
        of_its_kind = scipy.stats.rankdata(np.where(own, part, np.inf), method="min", axis=1)
        # How many pairs of a model with the record and one without have the larger score with it.
        larger, with_it = np.sum((smaller - of_its_kind) * own, axis=1).astype(np.int64), own.sum(axis=1)
        for count in np.unique(with_it):
            if 0 < count < models:
                rows = np.flatnonzero(with_it == count)
                found[start + rows] = _tail(int(count), models - int(count))[larger[rows]]
    return found


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
