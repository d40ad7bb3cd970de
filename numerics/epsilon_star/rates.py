"""The four ratios of error rates whose largest logarithm is epsilon* (paper 001 Eq. 7).

The attack that accuses at small loss has the false positive rate t = P_fresh(loss <= tau) and the false negative rate
eta = P_train(loss > tau). Every ratio compares the share of one group on one side of tau, less delta, with the other's.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from numerics.trade_off import Bound, Floats, TradeOffCurve
from numerics.validation import Interval, Probability, checked

Clip = Annotated[float, Interval.inside(0.0, 0.5, "be above 0 and below 1/2")]  # rates are cut to (clip, 1 - clip)
Counts = Floats | NDArray[np.integer]  # in this order: any is taken as floats, and none is refused first
_BLOCK = 512  # losses; at a million of them the ends of the blocks cost as little as the blocks looked into


class Term(StrEnum):
    """The four ratios, named by the attack they stand for. Loss -> -loss swaps 1 with 3 and 2 with 4."""

    MEMBERS_BELOW = "members have small losses: (1 - delta - eta) / t"
    OUTSIDERS_ABOVE = "outsiders have large losses: (1 - delta - t) / eta"
    MEMBERS_ABOVE = "members have large losses: (eta - delta) / (1 - t)"
    OUTSIDERS_BELOW = "outsiders have small losses: (t - delta) / (1 - eta)"

    @property
    def names_members(self) -> bool:
        """Whether members are in the numerator."""
        return self in (Term.MEMBERS_BELOW, Term.MEMBERS_ABOVE)

    @property
    def is_above(self) -> bool:
        """Whether losses above the threshold are compared."""
        return self in (Term.MEMBERS_ABOVE, Term.OUTSIDERS_ABOVE)


class MaximumRatio(NamedTuple):
    """Where one of the four ratios is largest, and the two error rates there."""

    term: Term
    log_ratio: float
    threshold: float
    false_positive_rate: float
    false_negative_rate: float


@checked
class ThresholdRates(NamedTuple):
    """The papers' t, 1 - t, eta and 1 - eta at thresholds, (k,), each from its own tail: 1 - x is never taken."""

    fpr: Floats
    tnr: Floats
    fnr: Floats
    tpr: Floats

    @classmethod
    def counted(cls, members: Counts, outsiders: Counts, n: Counts | float, m: Counts | float) -> "ThresholdRates":
        """Where so many of n ``members`` and of m ``outsiders`` do not exceed the thresholds."""
        rest = m - outsiders, n - members
        shares = outsiders / m, rest[0] / m, rest[1] / n, members / n
        return cls(*(np.asarray(share, np.float64) for share in shares))

    @classmethod
    def of(cls, train: Floats, population: Floats, threshold: Floats) -> "ThresholdRates":
        """Of ascending losses at thresholds (k,). Ties are exact: everybody with that very loss is accused."""
        members, outsiders = (np.searchsorted(losses, threshold, "right") for losses in (train, population))
        return cls.counted(members, outsiders, len(train), len(population))

    def each(self, change: Callable[[Floats], Floats]) -> Self:
        """The same with every rate changed."""
        return type(self)(*map(change, self))

    def clipped(self, clip: Clip | None) -> Self:
        """All four cut to [clip, 1 - clip]."""
        return self if clip is None else self.each(lambda rate: np.clip(rate, clip, 1.0 - clip))

    def compared(self, term: Term) -> tuple[Floats, Floats]:
        """The rate that a ratio has in its numerator, before delta is taken off, and its denominator."""
        members, outsiders = (self.fnr, self.tnr) if term.is_above else (self.tpr, self.fpr)
        return (members, outsiders) if term.names_members else (outsiders, members)

    def ratio(self, term: Term, delta: float) -> Floats:
        """(gain - delta) / cost; 0 where the gain is not above delta, infinite where the cost alone is 0."""
        gain, cost = self.compared(term)
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(gain > delta, (gain - delta) / cost, 0.0)

    def curve(self, term: Term, bound: Bound, label: str) -> TradeOffCurve:
        """The errors as one of the ratios sees them: ``alpha`` is its denominator, ``power`` its numerator + delta."""
        power, alpha = self.compared(term)
        beta, _ = ThresholdRates(self.tnr, self.fpr, self.tpr, self.fnr).compared(term)
        order = slice(None) if alpha[0] <= alpha[-1] else slice(None, None, -1)
        return TradeOffCurve(alpha[order].copy(), beta[order].copy(), power[order].copy(), bound, label)


@checked
class LogRates(ThresholdRates):
    """Their logs."""

    def clipped(self, clip: Clip | None) -> Self:
        return self if clip is None else self.each(lambda rate: np.clip(rate, np.log(clip), np.log1p(-clip)))

    def log_ratios(self, delta: Probability | Floats) -> Mapping[Term, Floats]:
        """Logs of the four ratios; about -1e308 where the numerator is not positive, so that no inf - inf arises."""
        logs = {}
        for term in Term:
            gain, cost = self.compared(term)
            share = np.minimum(delta * np.exp(-np.maximum(gain, -700.0)), 1.0)
            with np.errstate(divide="ignore"):
                logs[term] = np.where(share < 1.0, gain + np.log1p(-share), -np.finfo(float).max) - cost
        return logs


def maxima_at(threshold: Floats, rates: ThresholdRates, delta: float, clip: float | None) -> tuple[MaximumRatio, ...]:
    """Largest ratios over these thresholds, the largest first; of infinite ones that which names most people."""
    cut, maxima = rates.clipped(clip), []
    for term in Term:
        ratio, gain = cut.ratio(term, delta), cut.compared(term)[0]
        best = int(np.argmax(np.where(ratio == ratio.max(), gain, -1.0)))
        with np.errstate(divide="ignore"):
            log_ratio = float(np.log(ratio[best]))
        maximum = MaximumRatio(term, log_ratio, *(float(one[best]) for one in (threshold, rates.fpr, rates.fnr)))
        maxima.append((-log_ratio, -float(rates.compared(term)[0][best]), maximum))
    return tuple(maximum for *_, maximum in sorted(maxima, key=lambda row: row[:2]))


def ratios_between(ends: ThresholdRates, delta: float, clip: float | None) -> Mapping[Term, Floats]:
    """What the ratios cannot exceed between neighbouring thresholds, (k - 1,): rates grow or fall with the threshold.

    So a ratio is at most its largest gain over its smallest cost, both at the ends.
    """
    bounds, cut = {}, ends.clipped(clip)
    for term in Term:
        gain, cost = cut.compared(term)
        largest, smallest = np.maximum(gain[:-1], gain[1:]), np.minimum(cost[:-1], cost[1:])
        with np.errstate(divide="ignore", invalid="ignore"):
            bounds[term] = np.where(largest > delta, (largest - delta) / smallest, 0.0)
    return bounds


def counted_maxima(
    train: Floats, population: Floats, delta: float, clip: float | None
) -> tuple[tuple[MaximumRatio, ...], ...]:
    """Largest ratios over all thresholds for ascending losses, with ``clip`` and without.

    A million losses have a million thresholds; only blocks that might exceed what is found at their ends are searched.
    """
    groups, lowest = (train, population), (population[0], train[0])
    # The last loss below all of the other group: infinite ratios name most there.
    alone = [own[: np.searchsorted(own, low, "left")][-1:] for own, low in zip(groups, lowest, strict=True)]
    ends = np.unique(np.concatenate([*alone, *(part for own in groups for part in (own[::_BLOCK], own[-1:]))]))
    at_ends, found = ThresholdRates.of(train, population, ends), {}
    for cut in dict.fromkeys((clip, None)):
        found[cut] = maxima_at(ends, at_ends, delta, cut)
        best = {maximum.term: np.exp(maximum.log_ratio) for maximum in found[cut]}
        bounds = ratios_between(at_ends, delta, cut)
        promising = np.any([bounds[term] > best[term] for term in Term], axis=0)
        inside = [
            own[start:stop]
            for own in groups
            for start, stop in zip(
                np.searchsorted(own, ends[:-1][promising], "right"),
                np.searchsorted(own, ends[1:][promising], "left"),
                strict=True,
            )
        ]
        if any(map(len, inside)):
            every = np.unique(np.concatenate([ends, *inside]))
            found[cut] = maxima_at(every, ThresholdRates.of(train, population, every), delta, cut)
    return found[clip], found[None]
