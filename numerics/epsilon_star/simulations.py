"""Losses of known laws, of which epsilon* is known (paper 001, Sec. 8).

The paper's Figures 4 and 5 compare clipped estimates with a clipped truth; the exact one is much larger as soon as the
laws differ (correction 23). What the estimates give of samples is shipped (data/make_paper_001.py).
"""

from enum import StrEnum
from typing import Annotated, NamedTuple

import numpy as np
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv

from numerics.epsilon_star.estimators import EMPIRICAL_CLIP, from_laws
from numerics.epsilon_star.laws import NormalLaw, TailLaw
from numerics.epsilon_star.rates import Term, ThresholdRates
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, Positive, PositiveCount, Seed, checked, value

SHAPE, SCALE = 2.0, 5.0  # the paper's Gamma law of training losses, k_1 and theta_1
_REMOVED = 1e-9  # rates that Figure 3 leaves out
_THRESHOLDS = 400
Size = Annotated[int, Interval(1, 1_000_000)]
LossShift = Annotated[float, Interval(-100.0, 100.0)]


@value
class NormalLosses:
    """Training losses N(0, 1), fresh ones N(shift, sd_ratio^2). Figure 3: shift 3."""

    shift: LossShift
    sd_ratio: Positive = 1.0

    @property
    def laws(self) -> tuple[TailLaw, TailLaw]:
        """Law of the training losses, and of the fresh ones."""
        return NormalLaw(0.0, 1.0), NormalLaw(self.shift, self.sd_ratio)

    def draw(self, size: PositiveCount, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Ascending losses of both groups, ``size`` each."""
        return np.sort(rng.normal(0.0, 1.0, size)), np.sort(rng.normal(self.shift, self.sd_ratio, size))


@value
class Gamma:
    """Gamma law; as scipy.stats', which takes ten times as long here."""

    shape: Positive
    scale: Positive

    def logcdf(self, x: Floats) -> Floats:
        return _log(np.asarray(gammainc(self.shape, np.maximum(x, 0.0) / self.scale), dtype=float))

    def logsf(self, x: Floats) -> Floats:
        return _log(np.asarray(gammaincc(self.shape, np.maximum(x, 0.0) / self.scale), dtype=float))

    def ppf(self, q: Floats) -> Floats:
        return np.asarray(self.scale * gammaincinv(self.shape, q))

    def isf(self, q: Floats) -> Floats:
        return np.asarray(self.scale * gammainccinv(self.shape, q))


def _log(rate: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(rate))


@value
class GammaLosses:
    """Training losses Gamma(2, 5), fresh ones Gamma(2 + distance, 5). Figure 4: distance 0; Figure 5: 0 to 3."""

    distance: Annotated[float, Interval(0.0, 100.0)]

    @property
    def laws(self) -> tuple[TailLaw, TailLaw]:
        return Gamma(SHAPE, SCALE), Gamma(SHAPE + self.distance, SCALE)

    def draw(self, size: PositiveCount, rng: np.random.Generator) -> tuple[Floats, Floats]:
        return np.sort(rng.gamma(SHAPE, SCALE, size)), np.sort(rng.gamma(SHAPE + self.distance, SCALE, size))


TwoLaws = NormalLosses | GammaLosses
"""Laws of losses on training data and on fresh data."""


class Truth(NamedTuple):
    """Epsilon* of the laws themselves: exact, with rates cut to (delta, 1 - delta), and to (0.001, 0.999)."""

    exact: float
    clipped_at_delta: float
    clipped: float


@checked
def truth(pair: TwoLaws, delta: Annotated[float, Interval(0.0, 0.5)]) -> Truth:
    """Epsilon* of the laws, for 0 < delta < 1/2."""
    return Truth(*(from_laws(*pair.laws, delta, clip).value for clip in (None, delta, EMPIRICAL_CLIP)))


class SampleEstimate(StrEnum):
    """What is computed of every sample."""

    EMPIRICAL = "counted, cut at 0.001"
    PARAMETRIC = "normal fits, cut at δ"
    EXACT_TAILS = "normal fits, exact tails"
    BOUND = "lower bound, 95 %"


@value(eq=False)
class RatioCurve:
    """Log of one ratio over thresholds, (k,), and log-odds of the mean of t and 1 - eta there, (k,)."""

    term: Term
    log_odds: Floats
    log_ratio: Floats


@checked
def ratio_curves(
    pair: TwoLaws, delta: OpenProbability, size: Size | None = None, seed: Seed = 0
) -> tuple[RatioCurve, ...]:
    """The first two ratios of Eq. 7 over thresholds, as in Figure 3: of the laws, or counted in samples of ``size``.

    Thresholds are quantiles of both laws; those with a rate below 1e-9 are left out, as in the paper.
    """
    train, fresh = pair.laws
    tail = np.geomspace(_REMOVED, 0.5, _THRESHOLDS)
    tau = np.unique(np.concatenate([side for law in (train, fresh) for side in (law.ppf(tail), law.isf(tail))]))
    if size is None:
        rates = ThresholdRates(*map(np.exp, (fresh.logcdf(tau), fresh.logsf(tau), train.logsf(tau), train.logcdf(tau))))
    else:
        rates = ThresholdRates.of(*pair.draw(size, np.random.default_rng(seed)), tau)
    shown = (rates.fpr >= _REMOVED) & (rates.fnr >= _REMOVED)
    fpr, tnr, fnr, tpr = rates = rates.each(lambda rate: rate[shown])
    log_odds = np.log(fpr + tpr) - np.log(tnr + fnr)
    terms = (Term.MEMBERS_BELOW, Term.OUTSIDERS_ABOVE)
    return tuple(RatioCurve(term, log_odds, _log(rates.ratio(term, delta))) for term in terms)
