"""Measured trade-off curves: what an attack reached in independent rounds, with exact binomial limits.

An attack accuses where its score is large. Its true trade-off curve has two unknowns at every stated false positive
rate: the threshold that has this rate, and the power at that threshold. Each is bounded on both sides at a quarter of
the permitted risk:

* A strict threshold is an order statistic of the null scores whose true false positive rate is above ``alpha`` with
  probability at most risk/4, a loose one likewise with a rate below ``alpha`` (the rate of an order statistic has a
  beta law whatever the scores' law; ties only make both safer).
* The power at either is bounded by Clopper-Pearson's one-sided limit from the alternative scores, which are independent
  of the thresholds.

So the interval from the strict threshold's lower limit to the loose threshold's upper limit contains the power of the
attack at ``alpha`` (randomised between ties) with at least the stated confidence: for each ``alpha`` by itself, or for
all stated ones together if asked for (the risk is then divided by their number). The true confidence is higher, since a
claim that fails by little is made up for by the other's reserve. Scores must be independent of one another; nothing is
said about better attacks.
"""

import json
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy import special
from scipy.special import betainccinv, betaincinv, kl_div, ndtri

from numerics.audits.rounds import Scores, ordered
from numerics.epsilon_star.confidence import LEVEL
from numerics.trade_off import Bound, Floats, Order, TradeOffCurve
from numerics.validation import (
    Interval,
    OpenProbability,
    PositiveCount,
    Probabilities,
    Probability,
    Unknown,
    checked,
    value,
)

_Counts = NDArray[np.int64]

# Exact one-sided limits of a rate from counts (Clopper and Pearson 1934), with the digits of both of its tails.


def at_least(hits: _Counts, misses: _Counts, risk: float) -> tuple[Floats, Floats]:
    """Complement and value of the lower limits (k,) of rates with these counts; each fails with ``risk``."""
    some = np.maximum(hits, 1)
    value = np.where(hits == 0, 0.0, special.betaincinv(some, misses + 1, risk))
    return np.where(hits == 0, 1.0, special.betainccinv(misses + 1, some, risk)), value


def at_most(hits: _Counts, misses: _Counts, risk: float) -> tuple[Floats, Floats]:
    """The same of the upper limits."""
    value, complement = at_least(misses, hits, risk)
    return complement, value


def strict_count(size: int, rate: Floats, risk: float) -> NDArray[np.int64]:
    """Largest count with P(Binomial(size, rate) <= count) <= risk, or -1: a rate from so few is surely smaller."""
    near = np.nan_to_num(np.floor(special.bdtrik(risk, size, rate)))  # NaN at a rate of 0
    found = np.clip(near + 1.0, 0.0, size - 1.0)  # one more, for rounding
    while np.any(is_more := (found >= 0.0) & (special.betaincc(found + 1.0, size - found, rate) > risk)):
        found = found - is_more
    return np.asarray(found, np.int64)


def fewest_for(rate: float, level: float) -> int:
    """Fewest null scores with which there is a lower limit at this rate: (1 - rate)^n <= risk / 4."""
    return max(int(np.ceil(np.log((1.0 - level) / 4.0) / np.log1p(-rate) * (1.0 - 1e-12))), 1)


@value
class Confidence:
    """Confidence ``level`` in (0, 1): at each stated rate by itself, or at all of them together (``simultaneous``).

    Raises ValueError for a level outside of (0, 1).
    """

    level: OpenProbability = 0.95
    simultaneous: bool = False

    def risk(self, points: PositiveCount) -> float:
        """Probability with which the limits at one of ``points`` stated rates may fail."""
        return (1.0 - self.level) / (points if self.simultaneous else 1)

    @property
    def sentence(self) -> str:
        """What the limits promise, in words."""
        where = "all shown rates together" if self.simultaneous else "each rate by itself"
        return f"Limits hold with {self.level:.6g} confidence for {where}, for this attack; a better one may exist."


class Position(StrEnum):
    """Where the limits of a measured curve lie against the theory."""

    INSIDE = "on the theory"  # the limits contain the theory
    WEAKER = "weaker than the theory"  # the attack errs more than the theory's attacker
    STRONGER = "stronger than the theory"  # an error in theory or experiment if the theory is a guarantee


@checked
def measured_curve(
    scores: Scores, alpha: Probabilities, confidence: Confidence = Confidence(), order: Order = Order.ADD
) -> TradeOffCurve:
    """Trade-off curve of an attack at ascending ``alpha`` (k,), from its scores in independent rounds.

    ``beta`` and ``power`` are those of the test that accuses the share ``alpha`` of the null scores, drawing lots at
    the last one. ``lower`` (true beta at least this) and ``upper`` (at most this) are the limits explained above.
    ``Order.REMOVE`` takes presence for the null hypothesis and accuses of absence where the score is small.

    Raises ValueError for empty scores, NaN, ``alpha`` outside of [0, 1] or not ascending, and the symmetric order.
    """
    null, alternative = in_order(scores, order)
    risk = confidence.risk(max(1, len(alpha))) / 4.0
    said = (f"{len(null):,} rounds without the record, {len(alternative):,} with it.", confidence.sentence)
    # Nobody is accused where even the largest null score may have too large a rate.
    accused = strict_count(len(null), alpha, risk)
    threshold = np.where(accused < 0, np.inf, null[np.clip(len(null) - 1 - accused, 0, len(null) - 1)])
    hits = len(alternative) - np.searchsorted(alternative, threshold, "right")
    reached = at_least(hits, len(alternative) - hits, risk)
    # The mirror image: rates of sparing instead of accusing.
    spared = strict_count(len(null), 1.0 - alpha, risk)
    threshold = np.where(spared < 0, -np.inf, null[np.clip(spared, 0, len(null) - 1)])
    misses = np.searchsorted(alternative, threshold, "left")
    most = at_most(len(alternative) - misses, misses, risk)
    return attack_curve(Scores(null, alternative), alpha, most, reached, said)


def attack_curve(
    ascending: Scores, alpha: Floats, most: tuple[Floats, Floats], sure: tuple[Floats, Floats], said: tuple[str, ...]
) -> TradeOffCurve:
    """The measured curve with beta and power that are at ``most`` reached, and that are for ``sure``."""
    power = attack_power(ascending, alpha)
    lower = TradeOffCurve(alpha, *most, Bound.AUDIT, "measured attack, lower limit", said)
    upper = TradeOffCurve(alpha, *sure, Bound.AUDIT, "measured attack, upper limit", said)
    return TradeOffCurve(alpha, 1.0 - power, power, Bound.AUDIT, "measured attack", said, lower, upper)


@checked
def positions(measured: TradeOffCurve, theory: TradeOffCurve) -> tuple[Position, ...]:
    """Position of a measured curve at every ``alpha``; a certified theory counts with its whole bracket.

    Raises ValueError unless both curves were asked at the same ``alpha`` and the measured one carries limits.
    """
    if measured.lower is None or measured.upper is None:
        raise ValueError("measured must carry lower and upper limits, got a curve without.")
    if not np.array_equal(measured.alpha, theory.alpha):
        raise ValueError("measured and theory must be asked at the same alpha, got different ones.")
    weaker = measured.lower.beta > (theory.upper or theory).beta
    stronger = measured.upper.beta < (theory.lower or theory).beta
    places = np.where(weaker, Position.WEAKER, np.where(stronger, Position.STRONGER, Position.INSIDE))
    return tuple(Position(place) for place in places)


def in_order(scores: Scores, order: Order) -> tuple[Floats, Floats]:
    """Ascending null and alternative scores; accusing means the upper end."""
    if order is Order.SYMMETRIC:
        raise ValueError("order must be add-one or remove-one, got both: measure each, then compare.")
    null, alternative = ordered(scores)
    return (null, alternative) if order is Order.ADD else (-alternative[::-1], -null[::-1])


def attack_power(scores: Scores, alpha: Floats) -> Floats:
    """Share of the ascending alternative accused when the share ``alpha`` of the null is, lots drawn among ties."""
    null = scores.null
    place = np.minimum((alpha * len(null)).astype(np.intp), len(null) - 1)
    threshold = null[len(null) - 1 - place]  # of the last to be accused
    # Corners of the empirical curve: accuse above that score, then from it on.
    corners = [1.0 - np.searchsorted(side, threshold, at) / len(side) for at in ("right", "left") for side in scores]
    rate, power, more_rate, more_power = corners
    share = np.clip((alpha - rate) / (more_rate - rate), 0.0, 1.0)
    return power + share * (more_power - power)


# An audit done many times over: the mean measured curve and its scatter, as in paper 000 Fig. 3, 5b and 6.


LARGEST_AUDITS = 100_000


class Repeated(NamedTuple):
    """False negative rates over audits at each ``alpha`` (k,): their ``mean`` (k,) and standard ``deviation`` (k,)."""

    alpha: Floats
    mean: Floats
    deviation: Floats


@checked
def repeated(
    scores: Scores, audits: Annotated[int, Interval(2, LARGEST_AUDITS)], alpha: Probabilities, order: Order = Order.ADD
) -> Repeated:
    """Divide independent rounds into ``audits`` of equal size, and measure each curve as ``measured_curve`` does.

    Raises ValueError unless each has at least two rounds of either kind, and as ``measured_curve``.
    """
    sizes = [len(side) // audits for side in scores]
    Interval(2, np.inf).check("rounds of an audit", min(sizes))
    parts = (side[: size * audits].reshape(audits, size) for side, size in zip(scores, sizes, strict=True))
    missed = np.array(
        [1.0 - attack_power(Scores(*in_order(Scores(*one), order)), alpha) for one in zip(*parts, strict=True)]
    )
    return Repeated(alpha, missed.mean(axis=0), missed.std(axis=0, ddof=1))


# What the scores of an attack on one model show.
#
# Members and non-members are independent draws from one source before the split, and the attack did not use these
# labels. All of it is about this model and this attack: a fixed split is one draw, so nothing follows for the training
# procedure, and a better attack may exist.


_TINY = 1e-15
_CHUNK = 1_000_000  # scores looked at together: memory stays that of the scores


@value
class TruePositiveRate:
    """Share ``value`` of members accused where the share ``alpha`` of the ``null`` non-members is.

    The true rate is between ``lower`` and ``upper``; None where there are fewer non-members than a limit takes, which
    are ``needed``.
    """

    alpha: float
    value: float
    lower: float | None
    upper: float
    null: int
    needed: int


@value
class AreaUnderCurve:
    """Area under the receiver operating characteristic: P(member's score > non-member's) + P(equal) / 2.

    ``lower`` and ``upper`` are proven: they contain the true area with the level's confidence, in finite samples. The
    ``standard_error`` is DeLong's (1988), an ESTIMATE, NaN where a group has a single score; so is the interval that
    follows from it, the ``estimate``, which may cover less than it says.
    """

    value: float
    lower: float
    upper: float
    standard_error: Unknown
    estimate: tuple[Unknown, Unknown]


@checked
def true_positive_rate(scores: Scores, alpha: OpenProbability, level: OpenProbability = LEVEL) -> TruePositiveRate:
    """True positive rate at ``alpha`` with exact limits, see ``measured_curve``.

    Raises ValueError for empty scores, NaN, and ``alpha`` or ``level`` outside of (0, 1).
    """
    curve = measured_curve(scores, np.array([alpha]), Confidence(level))
    needed, null = fewest_for(alpha, level), len(scores.null)
    upper, lower = (float(side.power[0]) for side in (curve.lower, curve.upper) if side is not None)
    return TruePositiveRate(alpha, float(curve.power[0]), lower if null >= needed else None, upper, null, needed)


@checked
def area_under_curve(scores: Scores, level: OpenProbability = LEVEL) -> AreaUnderCurve:
    """Area under the ROC curve with its proven interval, and DeLong's beside it.

    The area is an average of averages over min(n0, n1) disjoint pairs (Hoeffding 1963 Sec. 5), so Chernoff's bound
    holds: kl(found, true) <= log(2 / risk) / min(n0, n1) with the level's confidence, ties counted by half or not.

    Raises ValueError for empty scores, NaN, and a level outside of (0, 1).
    """
    null, alternative = ordered(scores)
    value, of_members = _mean_and_variance(alternative, null)
    of_others = _mean_and_variance(null, alternative)[1]
    error = float(np.sqrt(of_members / len(alternative) + of_others / len(null)))
    lower, upper = area_limits(value, min(len(null), len(alternative)), level)
    reach = float(-ndtri((1.0 - level) / 2.0)) * error
    low, high = np.clip((value - reach, value + reach), 0.0, 1.0).tolist()  # no area lies beyond
    return AreaUnderCurve(value, lower, upper, error, (low, high))


@checked
def area_limits(value: Probability, smaller: PositiveCount, level: OpenProbability = LEVEL) -> tuple[float, float]:
    """The proven interval of an area found with ``smaller`` scores in the smaller group."""
    farthest = float(np.log(2.0 / (1.0 - level))) / smaller

    def excess(other: float) -> float:
        return float(kl_div(value, other) + kl_div(1.0 - value, 1.0 - other)) - farthest

    def limit(end: float, nearly: float) -> float:
        if abs(value - end) <= _TINY or excess(nearly) <= 0.0:
            return end
        return float(scipy.optimize.brentq(excess, nearly, value, xtol=_TINY))

    return limit(0.0, _TINY), limit(1.0, 1.0 - _TINY)


def _mean_and_variance(own: Floats, other: Floats) -> tuple[float, float]:
    """Of the placements of one ascending group among the other: the share of it that is smaller, ties by half."""
    total = squares = 0.0
    for start in range(0, len(own), _CHUNK):
        below, through = (np.searchsorted(other, own[start : start + _CHUNK], side) for side in ("left", "right"))
        placed = (below + through) / (2.0 * len(other)) - 0.5
        total, squares = total + float(placed.sum()), squares + float(placed @ placed)
    mean = total / len(own)
    if len(own) == 1:
        return mean + 0.5, float("nan")
    return mean + 0.5, max((squares - len(own) * mean**2) / (len(own) - 1), 0.0)


# Bands of equal local levels: regions that contain a whole curve with the stated confidence, in finite samples.
#
# Every preset rank of a group's scores has exact limits of the rate beyond it, all at one local level, such that all
# hold together with the confidence asked for. Unlike bands of equal width (Dvoretzky, Kiefer and Wolfowitz; Massart
# 1990) they say something at small rates. Local levels are taken from a table, at the next larger number of scores and
# the next smaller risk, which makes them smaller than they need be: bands hold at the least.
#
# At the same local level eta for every rank the limits are the quantiles eta and 1 - eta of its beta law, B(r, n-r+1),
# which none leaves with more than 2 eta. Ranks are all of them up to ``ALL_RANKS``, above that those nearest to a
# geometric sequence from either end. ``data/make_local_levels.py`` has the levels, exactly.
#
# At every threshold the false and true positive rate lie within their limits at once, so the curve of the attack,
# drawing lots between thresholds or not, lies between the two steps that the corners of these rectangles make. Ties
# only make a band wider than it need be. Scores are independent within and between groups.


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
    null, alternative = (band_limits(len(side), risk_each(level)) for side in scores)
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
    null, alternative = (band_limits(len(side), risk_each(level), 1) for side in scores)
    _, power = _reached(scores, null, alternative, null.upper)
    return max(float(np.max(power - null.upper)), 0.0)


def risk_each(level: float) -> float:
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
