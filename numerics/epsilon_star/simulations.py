"""Simulated losses of known laws: what the estimates give where the truth is known (paper 001, Sec. 8 and 8.1).

The paper's Figures 4 and 5 compare clipped estimates with a clipped truth; the exact one is much larger as soon as the
laws differ (correction 23).
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated, NamedTuple, Protocol

import numpy as np
from scipy.special import gammainc, gammaincc, gammainccinv, gammaincinv

from numerics.deadline import UNLIMITED, Deadline
from numerics.epsilon_star.confidence import LEVEL
from numerics.epsilon_star.error_ratios import NormalLaw, TailLaw, Term, ThresholdRates
from numerics.epsilon_star.estimators import EMPIRICAL_CLIP, estimate, from_laws
from numerics.epsilon_star.loss_scores import LossScale
from numerics.epsilon_star.mixtures import Mixture
from numerics.epsilon_star.result import Method
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, Positive, PositiveCount, Seed, checked

RUNS = 10  # the paper's
SHAPE, SCALE = 2.0, 5.0  # the paper's Gamma law of training losses, k_1 and theta_1
_REMOVED = 1e-9  # rates that Figure 3 leaves out
_THRESHOLDS = 400
_MOST = 1_000_000
Size = Annotated[int, Interval(1, _MOST)]
Shift = Annotated[float, Interval(-100.0, 100.0)]


class TwoLaws(Hashable, Protocol):
    """Laws of losses on training data and on fresh data."""

    @property
    def laws(self) -> tuple[TailLaw, TailLaw]:
        """Law of the training losses, and of the fresh ones."""
        ...

    def draw(self, size: PositiveCount, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """Ascending losses of both groups, ``size`` each."""
        ...


@dataclass(frozen=True)
@checked
class NormalLosses:
    """Training losses N(0, 1), fresh ones N(shift, sd_ratio^2). Figure 3: shift 3.

    Raises ValueError unless the ratio is positive and the shift is finite.
    """

    shift: Shift
    sd_ratio: Positive = 1.0

    @property
    def laws(self) -> tuple[TailLaw, TailLaw]:
        """See TwoLaws."""
        return NormalLaw(0.0, 1.0), NormalLaw(self.shift, self.sd_ratio)

    def draw(self, size: PositiveCount, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """See TwoLaws."""
        return _sorted(rng.normal(0.0, 1.0, size), rng.normal(self.shift, self.sd_ratio, size))


@dataclass(frozen=True)
@checked
class Gamma:
    """Gamma law; as scipy.stats', which takes ten times as long here."""

    shape: Positive
    scale: Positive

    def logcdf(self, x: Floats) -> Floats:
        """See TailLaw."""
        return _log(np.asarray(gammainc(self.shape, np.maximum(x, 0.0) / self.scale), dtype=float))

    def logsf(self, x: Floats) -> Floats:
        """See TailLaw."""
        return _log(np.asarray(gammaincc(self.shape, np.maximum(x, 0.0) / self.scale), dtype=float))

    def ppf(self, q: Floats) -> Floats:
        """See TailLaw."""
        return np.asarray(self.scale * gammaincinv(self.shape, q))

    def isf(self, q: Floats) -> Floats:
        """See TailLaw."""
        return np.asarray(self.scale * gammainccinv(self.shape, q))


def _log(rate: Floats) -> Floats:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(rate))


@dataclass(frozen=True)
@checked
class GammaLosses:
    """Training losses Gamma(2, 5), fresh ones Gamma(2 + distance, 5). Figure 4: distance 0; Figure 5: 0 to 3.

    Raises ValueError for a negative distance.
    """

    distance: Annotated[float, Interval(0.0, 100.0)]

    @property
    def laws(self) -> tuple[TailLaw, TailLaw]:
        """See TwoLaws."""
        return Gamma(SHAPE, SCALE), Gamma(SHAPE + self.distance, SCALE)

    def draw(self, size: PositiveCount, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """See TwoLaws."""
        return _sorted(rng.gamma(SHAPE, SCALE, size), rng.gamma(SHAPE + self.distance, SCALE, size))


@dataclass(frozen=True)
@checked
class MixtureLosses:
    """Fresh losses N(shift, 1); of the training losses only a share ``learned`` is N(0, 1), the others are as fresh.

    Raises ValueError unless 0 < learned < 1.
    """

    shift: Shift
    learned: OpenProbability

    @property
    def laws(self) -> tuple[TailLaw, TailLaw]:
        """See TwoLaws."""
        train = Mixture((self.learned, 1.0 - self.learned), (0.0, self.shift), (1.0, 1.0))
        return train, NormalLaw(self.shift, 1.0)

    def draw(self, size: PositiveCount, rng: np.random.Generator) -> tuple[Floats, Floats]:
        """See TwoLaws."""
        places = np.where(rng.random(size) < self.learned, 0.0, self.shift)
        return _sorted(places + rng.normal(0.0, 1.0, size), rng.normal(self.shift, 1.0, size))


def _sorted(train: Floats, fresh: Floats) -> tuple[Floats, Floats]:
    return np.sort(train), np.sort(fresh)


class Truth(NamedTuple):
    """Epsilon* of the laws themselves: exact, with rates cut to (delta, 1 - delta), and to (0.001, 0.999)."""

    exact: float
    clipped_at_delta: float
    clipped: float


@checked
def truth(pair: TwoLaws, delta: Annotated[float, Interval(0.0, 0.5)]) -> Truth:
    """Epsilon* of the laws.

    Raises ValueError unless 0 < delta < 1/2.
    """
    values = [from_laws(*pair.laws, delta, clip).value for clip in (None, delta, EMPIRICAL_CLIP)]
    return Truth(*values)


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
    """Every estimate (runs,) in samples of ``size`` losses of each group.

    Raises ValueError for a size outside of 10 ... 1,000,000, DeadlineError where it takes too long.
    """
    rng, samples = np.random.default_rng(seed), []
    for _ in range(runs):
        deadline.check()
        samples.append(_estimates(*pair.draw(size, rng), delta))
    return {kind: np.array([sample[kind] for sample in samples]) for kind in SampleEstimate}


def _estimates(train: Floats, fresh: Floats, delta: float) -> dict[SampleEstimate, float]:
    ways = {
        SampleEstimate.EMPIRICAL: (Method.EMPIRICAL, EMPIRICAL_CLIP),
        SampleEstimate.PARAMETRIC: (Method.PARAMETRIC, delta),
        SampleEstimate.EXACT_TAILS: (Method.PARAMETRIC, None),
        SampleEstimate.BOUND: (Method.CONFIDENCE, None),
    }
    return {
        kind: estimate(train, fresh, delta, method, clip, LEVEL, scale=LossScale.PRINTED).value
        for kind, (method, clip) in ways.items()
    }


@dataclass(frozen=True, eq=False)
@checked
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

    Thresholds are quantiles of both laws; those with a rate below 1e-9 are left out, as in the paper. A ratio without
    a positive numerator is -inf.
    """
    laws = pair.laws
    tail = np.geomspace(_REMOVED, 0.5, _THRESHOLDS)
    tau = np.unique(np.concatenate([side for law in laws for side in (law.ppf(tail), law.isf(tail))]))
    if size is None:
        t, not_eta = np.exp(laws[1].logcdf(tau)), np.exp(laws[0].logcdf(tau))
        not_t, eta = np.exp(laws[1].logsf(tau)), np.exp(laws[0].logsf(tau))
    else:
        train, fresh = pair.draw(size, np.random.default_rng(seed))
        t, not_eta = (np.searchsorted(losses, tau, "right") / size for losses in (fresh, train))
        not_t, eta = 1.0 - t, 1.0 - not_eta
    shown = (t >= _REMOVED) & (eta >= _REMOVED)
    log_odds = np.log((t + not_eta)[shown]) - np.log((not_t + eta)[shown])
    curves = []
    for term in (Term.MEMBERS_BELOW, Term.OUTSIDERS_ABOVE):
        gain, cost = ThresholdRates(t, not_t, eta, not_eta).compared(term)
        curves.append(RatioCurve(term, log_odds, _log(np.maximum(gain - delta, 0.0)[shown]) - np.log(cost[shown])))
    return tuple(curves)
