"""Exact lower confidence limits on (gain - delta) / cost, where two samples are cut at one order statistic.

The j-th smallest of m losses of the group that is wronged (cost) is the threshold; a of n losses of the other group lie
below it. With U of law Beta(j, m - j + 1) and V of law Beta(a, n - a + 1), independent, the limit at risk r is

    the r-quantile of (V - delta) / U.

Proof. Let gain <= delta + R cost hold at every threshold. The share of the wronged group below its own j-th loss is
that U, or less where there are ties, so the share of the other group below it is at most q = min(1, delta + R U), and
given U the count a is stochastically at most Binomial(n, q). So p(a) = P(Binomial(n, q) >= a), averaged over U, is a
valid p-value: P(p(a) <= r) <= r. As P(Binomial(n, q) >= a) = P(V <= q), p(a) = P((V - delta) / U <= R), which is above
r exactly where R exceeds the quantile. No normal approximation, no nuisance rate, no split of the risk between groups.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, betainccinv, ndtri

from numerics.normal_scores import beta_quantiles, normal_scores
from numerics.trade_off import Floats

Indices = NDArray[np.intp]

_SCORES, _WEIGHTS = normal_scores(0.3, 7.8)  # to 1e-10 of the p-value
_MOST_STEPS = 60
_TOLERANCE = 1e-9  # of normal scores, of which the log of the ratio moves less than two each
_ROUNDING = 1e-8  # taken off the logs, for the errors of quadrature and root finding


class Cuts(NamedTuple):
    """Cuts of two samples: ``named`` (k,) of ``named_size`` lie beyond the ``rank``-th (k,) of ``wronged_size``."""

    named: Floats
    named_size: int
    rank: Floats
    wronged_size: int

    def beta_named(self) -> tuple[Floats, Floats]:
        """Parameters of V."""
        return self.named, self.named_size - self.named + 1.0

    def beta_wronged(self) -> tuple[Floats, Floats]:
        """Parameters of U."""
        return self.rank, self.wronged_size - self.rank + 1.0

    def only(self, kept: Indices) -> "Cuts":
        """The cuts chosen by a mask or by indices (k,)."""
        return Cuts(self.named[kept], self.named_size, self.rank[kept], self.wronged_size)


def log_limits(cuts: Cuts, delta: float, risk: Floats) -> Floats:
    """Logs of the limits at each cut's ``risk`` (k,); -inf where not even a ratio of 1 can be excluded.

    Lower confidence limits, each valid by itself: P(limit > truth) <= risk.
    """
    limits = np.full(len(cuts.rank), -np.inf)
    hopeful = np.flatnonzero(cuts.named / cuts.named_size > delta + cuts.rank / cuts.wronged_size)
    if len(hopeful):
        average = _Average(cuts.only(hopeful), delta)
        limits[hopeful] = _solved(average, risk[hopeful])
    return limits


def p_values(cuts: Cuts, delta: float, log_ratio: Floats) -> Floats:
    """P-value (k,) at each cut of the hypothesis gain <= delta + e^log_ratio cost.

    Each cut's ``named`` must be a larger share than delta.
    """
    return _Average(cuts, delta).at(log_ratio, np.arange(len(cuts.rank)))


class _Average:
    """P(V <= delta + R U): the inner probability exact, the outer average by the trapezoidal rule.

    The average is taken over that of log(V - delta) and log U which spreads less, so that the integrand is smooth.
    """

    def __init__(self, cuts: Cuts, delta: float) -> None:
        self.cuts, self._delta = cuts, delta
        gain, cost = cuts.named / cuts.named_size, cuts.rank / cuts.wronged_size
        spread = gain * (1.0 - gain) / cuts.named_size / (gain - delta) ** 2
        self._over_named = spread < (1.0 - cost) / cuts.rank
        a, b = (np.where(self._over_named, *pair) for pair in zip(cuts.beta_named(), cuts.beta_wronged(), strict=True))
        self._quantiles = beta_quantiles(a, b, _SCORES)

    def at(self, log_ratio: Floats, index: Indices) -> Floats:
        """The probabilities (k,) of the cuts with these indices (k,)."""
        result = np.empty(len(index))
        for over_named in (True, False):
            chosen = self._over_named[index] == over_named
            if np.any(chosen):
                inner = self._wronged_is_above if over_named else self._named_is_below
                ratio = np.exp(log_ratio[chosen])[:, None]
                result[chosen] = inner(self.cuts.only(index[chosen]), ratio, self._quantiles[index[chosen]]) @ _WEIGHTS
        return result

    def _wronged_is_above(self, cuts: Cuts, ratio: Floats, named: Floats) -> Floats:
        a, b = cuts.beta_wronged()
        return np.asarray(betaincc(a[:, None], b[:, None], np.clip((named - self._delta) / ratio, 0.0, 1.0)))

    def _named_is_below(self, cuts: Cuts, ratio: Floats, wronged: Floats) -> Floats:
        a, b = cuts.beta_named()
        return np.asarray(betainc(a[:, None], b[:, None], np.minimum(self._delta + ratio * wronged, 1.0)))


def _solved(average: _Average, risk: Floats) -> Floats:
    """Where the p-value equals the risk, never above; -inf where it exceeds the risk at ratio 1."""
    limits = np.full(len(risk), -np.inf)
    at_zero = _normal_score(average.at(np.zeros(len(risk)), np.arange(len(risk))), risk)
    shown = np.flatnonzero(at_zero < 0.0)
    if len(shown):
        limits[shown] = _false_position(average, risk[shown], shown, at_zero[shown])
    return limits


def _false_position(average: _Average, risk: Floats, index: Indices, at_low: Floats) -> Floats:
    """Illinois' rule in normal scores, in which the p-value is nearly a line."""
    a, b = average.cuts.only(index).beta_wronged()
    low, high = np.zeros(len(risk)), -np.log(betainccinv(a, b, risk)) + 1e-3  # there U alone would make the gain 1
    at_high = _normal_score(average.at(high, index), risk)
    x, was_below = low, np.full(len(risk), np.nan)
    for _ in range(_MOST_STEPS):
        x = low + (high - low) * at_low / (at_low - at_high)
        at_x = _normal_score(average.at(x, index), risk)
        if np.all(np.abs(at_x) < _TOLERANCE):
            return x - _ROUNDING
        below, again = at_x < 0.0, (at_x < 0.0) == was_below
        low, high = np.where(below, x, low), np.where(below, high, x)
        at_low, at_high = (
            np.where(below, at_x, np.where(again, 0.5, 1.0) * at_low),
            np.where(below, np.where(again, 0.5, 1.0) * at_high, at_x),
        )
        was_below = below.astype(float)
    return low  # of an unfinished search the end whose p-value is below the risk


def _normal_score(p: Floats, risk: Floats) -> Floats:
    """How far the p-value is from the risk, in normal scores."""
    tiny = np.finfo(float).tiny
    return np.asarray(ndtri(np.clip(p, tiny, 1.0 - 1e-16)) - ndtri(risk))
