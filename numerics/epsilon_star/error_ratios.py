"""The four ratios of error rates whose largest logarithm is epsilon* (paper 001 Eq. 7), for laws with exact tails."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple, Protocol

import numpy as np
import scipy
from numpy.typing import NDArray
from scipy.special import log_ndtr, ndtri

from numerics.trade_off import Bound, Floats, TradeOffCurve
from numerics.validation import Interval, Probability, checked

# Rates are cut to (clip, 1 - clip).
Clip = Annotated[float, Interval.inside(0.0, 0.5, "be above 0 and below 1/2")]

ErrorCounts = NDArray[np.integer] | Floats

_GRID = 4001
_REFINED = 1e-10  # of a grid cell; a maximum is flat, so its value is known to twice the digits of its place


class Term(StrEnum):
    """The four ratios, named by the attack they stand for. Loss -> -loss swaps 1 with 3 and 2 with 4."""

    MEMBERS_BELOW = "members have small losses: (1 - delta - eta) / t"
    OUTSIDERS_ABOVE = "outsiders have large losses: (1 - delta - t) / eta"
    MEMBERS_ABOVE = "members have large losses: (eta - delta) / (1 - t)"
    OUTSIDERS_BELOW = "outsiders have small losses: (t - delta) / (1 - eta)"


class TailLaw(Protocol):
    """A law with exact tails; scipy's frozen distributions qualify."""

    def logcdf(self, x: Floats) -> Floats:
        """Log of P(X <= x)."""
        ...

    def logsf(self, x: Floats) -> Floats:
        """Log of P(X > x)."""
        ...

    def ppf(self, q: Floats) -> Floats:
        """Quantile."""
        ...

    def isf(self, q: Floats) -> Floats:
        """Upper quantile."""
        ...


@dataclass(frozen=True)
@checked
class NormalLaw:
    """Normal law; what the paper fits to transformed losses."""

    mean: float
    sd: float

    def logcdf(self, x: Floats) -> Floats:
        """See TailLaw."""
        return np.asarray(log_ndtr((x - self.mean) / self.sd))

    def logsf(self, x: Floats) -> Floats:
        """See TailLaw."""
        return np.asarray(log_ndtr((self.mean - x) / self.sd))

    def ppf(self, q: Floats) -> Floats:
        """See TailLaw."""
        return self.mean + self.sd * np.asarray(ndtri(q))

    def isf(self, q: Floats) -> Floats:
        """See TailLaw."""
        return self.mean - self.sd * np.asarray(ndtri(q))


class Peak(NamedTuple):
    """Where one of the four ratios is largest: log of the ratio, threshold, and the two error rates there."""

    term: Term
    log_ratio: float
    threshold: float
    false_positive_rate: float
    false_negative_rate: float


@checked
class ThresholdRates(NamedTuple):
    """t, 1 - t, eta and 1 - eta at thresholds, (k,), each from its own tail or count: 1 - x is never taken."""

    t: Floats
    not_t: Floats
    eta: Floats
    not_eta: Floats

    @classmethod
    def counted(
        cls, members: ErrorCounts, outsiders: ErrorCounts, n: ErrorCounts | float, m: ErrorCounts | float
    ) -> "ThresholdRates":
        """Where so many of n ``members`` and of m ``outsiders`` do not exceed the thresholds."""
        shares = outsiders / m, (m - outsiders) / m, (n - members) / n, members / n
        return cls(*(np.asarray(share, np.float64) for share in shares))

    def clipped(self, clip: Clip | None) -> "ThresholdRates":
        """All four cut to [clip, 1 - clip]."""
        return self if clip is None else ThresholdRates(*(np.clip(rate, clip, 1.0 - clip) for rate in self))

    def compared(self, term: Term) -> tuple[Floats, Floats]:
        """The rate that a ratio has in its numerator, before delta is taken off, and its denominator."""
        return {
            Term.MEMBERS_BELOW: (self.not_eta, self.t),
            Term.OUTSIDERS_ABOVE: (self.not_t, self.eta),
            Term.MEMBERS_ABOVE: (self.eta, self.not_t),
            Term.OUTSIDERS_BELOW: (self.t, self.not_eta),
        }[term]

    def curve(self, term: Term, bound: Bound, label: str) -> TradeOffCurve:
        """The errors as one of the ratios sees them: ``alpha`` is its denominator, ``power`` its numerator + delta."""
        power, alpha = self.compared(term)
        beta, _ = ThresholdRates(self.not_t, self.t, self.not_eta, self.eta).compared(term)
        order = slice(None) if alpha[0] <= alpha[-1] else slice(None, None, -1)
        return TradeOffCurve(alpha[order].copy(), beta[order].copy(), power[order].copy(), bound, label)


@checked
class LogRates(ThresholdRates):
    """Their logs."""

    def clipped(self, clip: Clip | None) -> "LogRates":
        """See ThresholdRates."""
        if clip is None:
            return self
        low, high = float(np.log(clip)), float(np.log1p(-clip))
        return LogRates(*(np.clip(rate, low, high) for rate in self))

    def log_ratios(self, delta: Probability | Floats) -> Mapping[Term, Floats]:
        """Logs of the four ratios; -inf where the numerator is not positive, inf where only the denominator is 0."""
        pairs = {term: self.compared(term) for term in Term}
        return {term: _log_minus(gain, delta) - cost for term, (gain, cost) in pairs.items()}


def _log_minus(log_rate: Floats, delta: float | Floats) -> Floats:
    """Log of e^log_rate - delta; the smallest float where that is not positive, so that no inf - inf arises."""
    share = np.minimum(delta * np.exp(-np.maximum(log_rate, -700.0)), 1.0)
    with np.errstate(divide="ignore"):
        return np.where(share < 1.0, log_rate + np.log1p(-share), -np.finfo(float).max)


def _rates(train: TailLaw, population: TailLaw, x: Floats) -> LogRates:
    return LogRates(population.logcdf(x), population.logsf(x), train.logsf(x), train.logcdf(x))


@checked
def peaks(train: TailLaw, population: TailLaw, delta: Probability, clip: Clip | None) -> tuple[Peak, ...]:
    """Largest ratios over a grid of both laws' quantiles, refined between the neighbours of the best.

    A numerator is positive only where its rate exceeds delta, so quantiles down to a fraction of delta reach it.
    """
    tail = np.geomspace(max(1e-3 * delta, 1e-300), 0.5, _GRID // 2)
    tail = tail if clip is None else np.append(tail, clip)  # where a rate meets the clip the ratios have a kink
    grid = np.unique(np.concatenate([side for law in (train, population) for side in (law.ppf(tail), law.isf(tail))]))
    grid = grid[np.isfinite(grid)]
    ratios = _rates(train, population, grid).clipped(clip).log_ratios(delta)

    def refined(term: Term) -> Peak:
        best = int(np.argmax(ratios[term]))
        low, high = grid[max(best - 1, 0)], grid[min(best + 1, len(grid) - 1)]

        def loss(x: float) -> float:
            return -float(_rates(train, population, np.array([x])).clipped(clip).log_ratios(delta)[term][0])

        found = scipy.optimize.minimize_scalar(
            loss, bounds=(low, high), method="bounded", options={"xatol": _REFINED * (high - low)}
        )
        x = float(found.x) if -float(found.fun) > ratios[term][best] else float(grid[best])
        rates = _rates(train, population, np.array([x]))
        return Peak(term, -loss(x), x, float(np.exp(rates.t[0])), float(np.exp(rates.eta[0])))

    return tuple(sorted((refined(term) for term in Term), key=lambda peak: -peak.log_ratio))
