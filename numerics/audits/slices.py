"""Slices of the records, such as classes or subgroups: what stands of each where several are looked at."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from numerics.audits.attack_scores import LEVEL, TruePositiveRate, true_positive_rate
from numerics.audits.binomial_limits import fewest_for
from numerics.audits.claim import Claim
from numerics.audits.many_runs import claim_test
from numerics.audits.measured import Confidence
from numerics.audits.multiplicity import holm
from numerics.audits.rounds import Scores
from numerics.audits.several import level_each
from numerics.deadline import UNLIMITED, Deadline
from numerics.trade_off import Floats
from numerics.validation import OpenProbability, PositiveCount, checked, value

FEWEST_MEMBERS = 30
_Codes = NDArray[np.intp]


@value
class Slice:
    """What one of several slices shows.

    Attributes:
        null: how many non-members it has.
        members: how many members.
        is_too_small: whether it is not looked into; it counts among the slices all the same.
        rate: true positive rate, with limits that hold for all slices together; None where it is too small.
        p_value: of the claim, by this slice alone; 1 where it is too small.
        exceeds: whether the claim is refuted for this slice, with all slices looked at (Holm).
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
    needed = fewest_for(alpha, Confidence(each).risk(1) / 4.0)
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
        needed = fewest_for(alpha, Confidence(each).risk(1) / 4.0)
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
