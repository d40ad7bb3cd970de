"""Epsilon* of one trained model: how well its losses tell members from outsiders (paper 001).

With t the false positive rate P_population(loss <= tau) and eta the false negative rate P_train(loss > tau) of the
attack that accuses at small loss,

    epsilon* = log max(1, sup over tau of (1-delta-eta)/t, (1-delta-t)/eta, (eta-delta)/(1-t), (t-delta)/(1-eta))

(Eq. 7; the display in Sec. 3.1 has two wrong denominators, correction 19; all four terms are needed, correction 20).
It is measured on a sample: an audit of this model, no guarantee about the mechanism that trained it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType

import numpy as np

from numerics.epsilon_star.audit_caveats import Evidence, evidence_of
from numerics.epsilon_star.confidence import LEVEL, Ascending, lower_bound
from numerics.epsilon_star.counted_rates import counted_peaks
from numerics.epsilon_star.error_ratios import Law, Normal
from numerics.epsilon_star.error_ratios import peaks as peaks_of
from numerics.epsilon_star.loss_scores import ascending, scores
from numerics.epsilon_star.mixtures import Choice, Mixture, chosen_mixture, fit_mixture
from numerics.epsilon_star.result import EpsilonStar, Method, check, value_of
from numerics.trade_off import Floats

# The paper's clips of t and eta (footnote 2 and Sec. 8): delta for fitted laws, this for counts.
EMPIRICAL_CLIP = 1e-3
SMALLEST_GROUP = 10
_Way = Callable[[Floats, Floats, Evidence, float, float | None], EpsilonStar]


def default_delta(train_size: int) -> float:
    """1 / (n log n) with n training losses (paper 001, footnote 1, read as in correction 21)."""
    return 1.0 / (train_size * float(np.log(train_size)))


def from_laws(train: Law, population: Law, delta: float, clip: float | None = None) -> EpsilonStar:
    """Epsilon* of two given laws of the loss.

    Raises ValueError unless 0 < delta < 1 and 0 < clip < 1/2.
    """
    check(delta, clip)
    peaks, unclipped = (peaks_of(train, population, delta, cut) for cut in (clip, None))
    return EpsilonStar(value_of(peaks), delta, Method.GIVEN, peaks, clip, value_of(unclipped))


def estimate(
    train_losses: Floats,
    population_losses: Floats,
    delta: float | None = None,
    method: Method = Method.PARAMETRIC,
    clip: float | None = None,
    level: float = LEVEL,
    components: int | Choice = Choice.BIC,
) -> EpsilonStar:
    """Epsilon* of a model from its losses on training data (n,) and on fresh data (m,), in any order.

    ``delta`` is ``default_delta(n)`` unless given. The paper's clips are delta for the parametric method and
    EMPIRICAL_CLIP for the empirical one. Without a clip the empirical value is infinite as soon as more than a share
    delta of one group lies beyond all of the other, which is so in nearly every sample if delta is below 1/n.

    The method CONFIDENCE gives a lower bound that holds with confidence ``level``; it takes no clip.
    MIXTURE fits Gaussian mixtures of so many ``components``, or of a number chosen for each group.

    Ascending losses are faster to count.

    Raises ValueError when a group has fewer than ten losses, or losses that are not finite, or all the same value.
    """
    for name, losses in (("train_losses", train_losses), ("population_losses", population_losses)):
        _check_losses(name, losses)
    evidence = evidence_of(train_losses, population_losses)
    if evidence.lowest == evidence.highest:
        raise ValueError(f"losses must differ, but all of them are {evidence.lowest!r}.")
    delta = default_delta(len(train_losses)) if delta is None else delta
    check(delta, clip)
    ways: Mapping[Method, _Way] = {
        **_RUN,
        Method.MIXTURE: partial(_mixed, components=components),
        Method.CONFIDENCE: partial(_confident, level=level),
    }
    if method not in ways:
        raise ValueError(f"method must be one of {', '.join(map(repr, map(str, ways)))}, got {str(method)!r}.")
    return ways[method](train_losses, population_losses, evidence, delta, clip)


def _check_losses(name: str, losses: Floats) -> None:
    if losses.ndim != 1 or len(losses) < SMALLEST_GROUP:
        raise ValueError(f"{name} must be a vector of at least {SMALLEST_GROUP} losses, got shape {losses.shape}.")
    if not np.all(np.isfinite(losses)):
        raise ValueError(f"{name} must be finite, got {int(np.sum(~np.isfinite(losses)))} values that are not.")


def _parametric(train: Floats, population: Floats, evidence: Evidence, delta: float, clip: float | None) -> EpsilonStar:
    """Normal laws fitted to the scores; thresholds are scores."""
    fits = fitted(train, evidence, "train_losses"), fitted(population, evidence, "population_losses")
    unclipped = peaks_of(*fits, delta, None)
    peaks = unclipped if clip is None else peaks_of(*fits, delta, clip)
    return EpsilonStar(value_of(peaks), delta, Method.PARAMETRIC, peaks, clip, value_of(unclipped), evidence, fits)


def _mixed(
    train: Floats, population: Floats, evidence: Evidence, delta: float, clip: float | None, components: int | Choice
) -> EpsilonStar:
    """Gaussian mixtures fitted to the scores; thresholds are scores."""
    groups = (scores(ascending(losses), evidence.lowest, evidence.highest) for losses in (train, population))
    train_fit, population_fit = (_mixture(values, components) for values in groups)
    fits = train_fit, population_fit
    unclipped = peaks_of(*fits, delta, None)
    peaks = unclipped if clip is None else peaks_of(*fits, delta, clip)
    return EpsilonStar(value_of(peaks), delta, Method.MIXTURE, peaks, clip, value_of(unclipped), evidence, fits)


def _mixture(values: Floats, components: int | Choice) -> Mixture:
    if isinstance(components, Choice):
        return chosen_mixture(values, components)
    return fit_mixture(values, components)


def fitted(losses: Floats, evidence: Evidence, name: str) -> Normal:
    """Normal law of the scores of ``losses`` (n,), by moments.

    Raises ValueError when all losses are the same.
    """
    values = scores(losses, evidence.lowest, evidence.highest)
    fit = Normal(float(values.mean()), float(values.std()))
    if not fit.sd > 0.0 or values.min() == values.max():
        largest = max(abs(evidence.lowest), abs(evidence.highest))
        beside = f" beside the largest loss of all, {largest:.3g}" if losses.min() != losses.max() else ""
        raise ValueError(f"{name} must differ among themselves{beside} for a normal fit; use the empirical method.")
    return fit


def _empirical(train: Floats, population: Floats, evidence: Evidence, delta: float, clip: float | None) -> EpsilonStar:
    """Counted rates at every threshold between distinct losses; thresholds are losses."""
    peaks, unclipped = counted_peaks(ascending(train), ascending(population), delta, clip)
    return EpsilonStar(value_of(peaks), delta, Method.EMPIRICAL, peaks, clip, value_of(unclipped), evidence)


def _confident(
    train: Floats, population: Floats, evidence: Evidence, delta: float, clip: float | None, level: float
) -> EpsilonStar:
    """Lower confidence bound; thresholds are losses."""
    if clip is not None:
        raise ValueError(f"clip must be None for a {Method.CONFIDENCE}, got {clip!r}.")
    bound = lower_bound(Ascending(ascending(train)), Ascending(ascending(population)), delta, level)
    return EpsilonStar(
        bound.value, delta, Method.CONFIDENCE, bound.peaks, None, bound.value, evidence, confidence=bound
    )


_RUN: Mapping[Method, _Way] = MappingProxyType({Method.PARAMETRIC: _parametric, Method.EMPIRICAL: _empirical})
