"""Bands of equal local levels: regions that contain a whole curve with the stated confidence, in finite samples.

Every preset rank of a group's scores has exact limits of the rate beyond it, all at one local level, such that all hold
together with the confidence asked for. Unlike bands of equal width (Dvoretzky, Kiefer and
Wolfowitz; Massart 1990) they say something at small rates. Local levels are taken from a table, at the next larger
number of scores and the next smaller risk, which makes them smaller than they need be: bands hold at the least.

At the same local level eta for every rank the limits are the quantiles eta and 1 - eta of its beta law, B(r, n-r+1),
which none leaves with more than 2 eta. Ranks are all of them up to ``ALL_RANKS``, above that those nearest to a
geometric sequence from either end. ``data/make_local_levels.py`` has the levels, exactly.

At every threshold the false and true positive rate lie within their limits at once, so the curve of the attack, drawing
lots between thresholds or not, lies between the two steps that the corners of these rectangles make. Ties only make a
band wider than it need be. Scores are independent within and between groups.
"""

import json
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
from scipy.special import betainccinv, betaincinv

from numerics.audits.measured import attack_curve
from numerics.audits.rounds import Scores, ordered
from numerics.trade_off import Floats, TradeOffCurve
from numerics.validation import Interval, OpenProbability, PositiveCount, Probabilities, checked

ALL_RANKS = 10_000
_GROWTH = 1.09  # of ranks, where not all of them are taken
Sides = Annotated[int, Interval(1, 2)]


class RankLimits(NamedTuple):
    """Limits of the ``ranks`` (k,), ascending, of ``size`` uniform numbers."""

    size: int
    ranks: Floats
    lower: Floats
    upper: Floats


@checked
def ranks_of(size: PositiveCount) -> Floats:
    """Ranks (k,) at which a band of ``size`` scores is kept, ascending from 1 to ``size``."""
    if size <= ALL_RANKS:
        return np.arange(1.0, size + 1.0)
    steps = int(np.log(size / 2) / np.log(_GROWTH)) + 1
    from_end = np.unique(np.round(_GROWTH ** np.arange(steps)))
    from_end = from_end[from_end <= size / 2]
    return np.concatenate((from_end, size + 1.0 - from_end[::-1]))


@checked
def limits_at(size: PositiveCount, level: OpenProbability) -> RankLimits:
    """Limits at local ``level`` for each rank, on either side."""
    ranks = ranks_of(size)
    upper = np.asarray(betainccinv(ranks, size + 1.0 - ranks, level), np.float64)
    lower = np.asarray(betaincinv(ranks, size + 1.0 - ranks, level), np.float64)
    return RankLimits(size, ranks, lower, upper)


@cache
def _table() -> tuple[list[int], dict[int, dict[float, list[float]]]]:
    """Sizes, and the levels at them by number of sides and by risk."""
    read = json.loads(Path(__file__).with_name("local_levels.json").read_text(encoding="utf-8"))
    levels = {int(sides): {float(risk): row for risk, row in rows.items()} for sides, rows in read["levels"].items()}
    return read["sizes"], levels


@checked
def band_limits(size: PositiveCount, risk: OpenProbability, sides: Sides = 2) -> RankLimits:
    """Limits of the rates beyond the scores of preset ranks, counted from the largest.

    All of them hold together but with probability ``risk``; with one side all lower ones do, and all upper ones.
    """
    sizes, levels = _table()
    larger = next((place for place, each in enumerate(sizes) if each >= size), None)
    smaller = max((each for each in levels[sides] if each <= risk), default=None)
    if larger is None or smaller is None:  # beyond the table a union bound
        return limits_at(size, risk / (sides * len(ranks_of(size))))
    return limits_at(size, levels[sides][smaller][larger])


@checked
def roc_region(scores: Scores, alpha: Probabilities, level: OpenProbability = 0.95) -> TradeOffCurve:
    """Trade-off curve of an attack at ascending ``alpha`` (k,) with limits that hold for all rates at once.

    Like ``measured_curve``, whose limits are narrower at a single rate: ``lower`` (true beta at least this) and
    ``upper`` (at most this) enclose the whole curve with confidence ``level``. Each group has half of the risk.

    Raises ValueError for empty scores, NaN, ``alpha`` outside of [0, 1] or not ascending.
    """
    scores = ordered(scores)
    null, alternative = (band_limits(len(side), _risk_each(level)) for side in scores)
    most, sure = _not_exceeded(scores, null, alternative, alpha), _reached(scores, null, alternative, alpha)
    said = (
        f"{len(scores.null):,} scores without the record, {len(scores.alternative):,} with it.",
        f"Limits hold with {level:.6g} confidence for the whole curve, for this attack; a better one may exist.",
    )
    return attack_curve(scores, alpha, most, sure, said)


@checked
def surely_gained(scores: Scores, level: OpenProbability = 0.95) -> float:
    """Lower confidence limit of the largest TPR - FPR of the attack, never negative, from the two one-sided bands.

    Raises ValueError for empty scores and NaN.
    """
    scores = ordered(scores)
    null, alternative = (band_limits(len(side), _risk_each(level), 1) for side in scores)
    _, power = _reached(scores, null, alternative, null.upper)
    return max(float(np.max(power - null.upper)), 0.0)


def _risk_each(level: float) -> float:
    """Of two independent groups, which together fail with 1 - ``level``."""
    return float(-np.expm1(0.5 * np.log(level)))


def _reached(scores: Scores, null: RankLimits, alternative: RankLimits, alpha: Floats) -> tuple[Floats, Floats]:
    """Beta and power that are surely reached at ``alpha`` (k,).

    A cut accuses above a null score of preset rank: fewer than this rank of the null are beyond it. The last cut whose
    false positive rate is surely at most alpha is used; of its true positive rate the limit at the last rank beyond.
    """
    cut = np.searchsorted(null.upper, alpha, "right")
    threshold = np.append(np.inf, _at_ranks(scores.null, null))[cut]
    beyond = len(scores.alternative) - np.searchsorted(scores.alternative, threshold, "right")
    last = np.where(cut > 0, np.searchsorted(alternative.ranks, beyond, "right"), 0)
    # Ranks are symmetric, and a rate is low where its complement is high.
    return np.append(1.0, alternative.upper[::-1])[last], np.append(0.0, alternative.lower)[last]


def _not_exceeded(scores: Scores, null: RankLimits, alternative: RankLimits, alpha: Floats) -> tuple[Floats, Floats]:
    """Beta and power that are surely not exceeded at ``alpha`` (k,).

    A cut accuses from a null score of preset rank on: at least this rank of the null are accused. The first cut whose
    false positive rate is surely alpha or more is used; of its true positive rate the limit at the first rank beyond.
    """
    cut = np.searchsorted(null.lower, alpha, "left")
    threshold = np.append(_at_ranks(scores.null, null), -np.inf)[cut]
    beyond = len(scores.alternative) - np.searchsorted(scores.alternative, threshold, "left")
    first = np.where(
        cut < len(null.ranks), np.searchsorted(alternative.ranks, beyond + 1, "left"), len(alternative.ranks)
    )
    return np.append(alternative.lower[::-1], 0.0)[first], np.append(alternative.upper, 1.0)[first]


def _at_ranks(ascending: Floats, limits: RankLimits) -> Floats:
    """Scores of the preset ranks, counted from the largest, (k,)."""
    return ascending[len(ascending) - limits.ranks.astype(np.intp)]
