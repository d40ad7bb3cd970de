"""Losses of known laws: what the estimates give where the truth is known, and what many models show together.

Simulations are those of paper 001, Sec. 8 and 8.1. Its Figures 4 and 5 compare clipped estimates with a clipped truth;
the exact one is much larger as soon as the laws differ (correction 23).

Epsilon-bar (Theorems 2 and 4, Eqs. 18 and 19): every model has the same false positive rate t, at a threshold of its
own, and the false negative rates are averaged over models. The mechanism's epsilon bounds it but for what the sample
errs, and log E e^epsilon* does, as the ratios are convex in eta. Our copy of Eq. 19 has a fifth ratio, which is not
used (correction 19).
"""

from collections.abc import Hashable, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple, Protocol

import numpy as np
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv, logsumexp

from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL
from numerics.epsilon_star.estimators import EMPIRICAL_CLIP, Method, estimate, from_laws
from numerics.epsilon_star.laws import NormalLaw, TailLaw
from numerics.epsilon_star.rates import Clip, LogRates, Term, ThresholdRates
from numerics.epsilon_star.scores import LossScale
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, Positive, PositiveCount, Seed, checked, value

RUNS = 10  # the paper's
SHAPE, SCALE = 2.0, 5.0  # the paper's Gamma law of training losses, k_1 and theta_1
_REMOVED = 1e-9  # rates that Figure 3 leaves out
_THRESHOLDS = 400
Size = Annotated[int, Interval(1, 1_000_000)]
LossShift = Annotated[float, Interval(-100.0, 100.0)]


class TwoLaws(Hashable, Protocol):
    """Laws of losses on training data and on fresh data."""

    @property
    def laws(self) -> tuple[TailLaw, TailLaw]:
        """Law of the training losses, and of the fresh ones."""
        ...

    def draw(self, size: PositiveCount, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Ascending losses of both groups, ``size`` each."""
        ...


@value
class NormalLosses:
    """Training losses N(0, 1), fresh ones N(shift, sd_ratio^2). Figure 3: shift 3."""

    shift: LossShift
    sd_ratio: Positive = 1.0

    @property
    def laws(self) -> tuple[TailLaw, TailLaw]:
        return NormalLaw(0.0, 1.0), NormalLaw(self.shift, self.sd_ratio)

    def draw(self, size: PositiveCount, rng: np.random.Generator) -> tuple[Floats, Floats]:
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


@checked
def simulate(
    pair: TwoLaws,
    size: Size,
    delta: OpenProbability,
    runs: Annotated[int, Interval(1, 1_000)] = RUNS,
    seed: Seed = 0,
    deadline: Deadline = UNLIMITED,
) -> Mapping[SampleEstimate, Floats]:
    """Every estimate (runs,) in samples of ``size`` losses of each group."""
    ways = {
        SampleEstimate.EMPIRICAL: (Method.EMPIRICAL, EMPIRICAL_CLIP),
        SampleEstimate.PARAMETRIC: (Method.PARAMETRIC, delta),
        SampleEstimate.EXACT_TAILS: (Method.PARAMETRIC, None),
        SampleEstimate.BOUND: (Method.CONFIDENCE, None),
    }
    rng, found = np.random.default_rng(seed), {kind: np.empty(runs) for kind in SampleEstimate}
    for run in range(runs):
        deadline.check()
        losses = pair.draw(size, rng)
        for kind, (method, clip) in ways.items():
            found[kind][run] = estimate(*losses, delta, method, clip, LEVEL, scale=LossScale.PRINTED).value
    return found


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


class MechanismLevel(NamedTuple):
    """Epsilon-bar of models of one mechanism, the false positive rate where it is found, and epsilon* of each (m,).

    ``log_mean_exp`` is the log of the mean of e^epsilon*, which ``value`` does not exceed where rates are not cut.
    """

    value: float
    false_positive_rate: float
    each: Floats
    log_mean_exp: float


@checked
def of_losses(
    models: Sequence[tuple[Floats, Floats]],
    delta: OpenProbability,
    clip: Clip | None = None,
    rates: PositiveCount = 999,
) -> MechanismLevel:
    """From training losses (n,) and fresh losses (k,) of every model, counted; an estimate.

    Thresholds are the fresh losses at ``rates`` evenly spaced false positive rates; with ties more are accused, which
    is counted. Without a clip a model that separates the groups makes its own epsilon* infinite, not epsilon-bar.
    """
    if not len(models):
        raise ValueError("models must not be empty.")
    share = np.arange(1, rates + 1) / (rates + 1.0)
    found = []
    for train, fresh in models:
        if not len(train) or not len(fresh):
            raise ValueError(f"losses must not be empty, got {len(train)} and {len(fresh)}.")
        own, others = np.sort(train), np.sort(fresh)
        threshold = others[np.maximum(np.ceil(share * len(others)).astype(np.int64), 1) - 1]
        found.append(ThresholdRates.of(own, others, threshold))
    every = LogRates(*(_log(np.array(rate)) for rate in zip(*found, strict=True)))
    together = every.each(lambda rate: logsumexp(rate, axis=0) - np.log(len(rate)))
    with np.errstate(invalid="ignore"):  # a ratio of nothing over nothing does not count
        ratios, of_each = (
            np.fmax(np.fmax.reduce(list(one.clipped(clip).log_ratios(delta).values())), 0.0)
            for one in (together, every)
        )
    best, each = int(np.argmax(ratios)), np.max(of_each, axis=1)
    at, mean = together.clipped(clip).fpr[best], float(logsumexp(each) - np.log(len(each)))
    return MechanismLevel(float(ratios[best]), float(np.exp(at)), each, mean)
