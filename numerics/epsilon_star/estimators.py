"""Epsilon* of one trained model: how well its losses tell members from outsiders (paper 001).

With t the false positive rate P_population(loss <= tau) and eta the false negative rate P_train(loss > tau) of the
attack that accuses at small loss,

    epsilon* = log max(1, sup over tau of (1-delta-eta)/t, (1-delta-t)/eta, (eta-delta)/(1-t), (t-delta)/(1-eta))

(Eq. 7; our copy of the display in Sec. 3.1 has other denominators, correction 19; all four terms count, correction 20).
It is measured on a sample: an audit of this model, no guarantee about the mechanism that trained it.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated

import numpy as np

from numerics.epsilon_star.audit_caveats import LossOverview, evidence_of
from numerics.epsilon_star.confidence import LEVEL, Ascending, Level, lower_bound
from numerics.epsilon_star.counted_rates import counted_peaks
from numerics.epsilon_star.error_ratios import Clip, NormalLaw, TailLaw
from numerics.epsilon_star.error_ratios import peaks as peaks_of
from numerics.epsilon_star.loss_scores import LossScale, Transform, ascending
from numerics.epsilon_star.mixtures import ComponentChoice, Mixture, chosen_mixture, fit_mixture
from numerics.epsilon_star.result import EpsilonStar, Method, value_of
from numerics.trade_off import Floats
from numerics.validation import Interval, OpenProbability, PositiveCount, checked

# The paper's clips of t and eta (footnote 2 and Sec. 8): delta for fitted laws, this for counts.
EMPIRICAL_CLIP = 1e-3


SMALLEST_GROUP = 10
_Way = Callable[[Floats, Floats, LossOverview, float, float | None], EpsilonStar]


@checked
def is_clipped_usually(method: Method) -> bool:
    """Whether rates are cut where nobody chose: counted ones, as a rate of 0 makes nearly every sample infinite."""
    return method is Method.EMPIRICAL


@checked
def default_delta(train_size: Annotated[int, Interval(2, np.inf, "be at least 2")]) -> float:
    """1 / (n log n) with n training losses (paper 001 Sec. 4.1, read as in correction 21)."""
    return 1.0 / (train_size * float(np.log(train_size)))


@checked
def from_laws(train: TailLaw, population: TailLaw, delta: OpenProbability, clip: Clip | None = None) -> EpsilonStar:
    """Epsilon* of two given laws of the loss.

    Raises ValueError unless 0 < delta < 1 and 0 < clip < 1/2.
    """
    peaks, unclipped = (peaks_of(train, population, delta, cut) for cut in (clip, None))
    return EpsilonStar(delta, Method.GIVEN, peaks, clip, value_of(unclipped))


@checked
def estimate(
    train_losses: Floats,
    population_losses: Floats,
    delta: OpenProbability | None = None,
    method: Method = Method.CONFIDENCE,
    clip: Clip | None = None,
    level: Level = LEVEL,
    components: PositiveCount | ComponentChoice = ComponentChoice.BIC,
    scale: LossScale | None = None,
) -> EpsilonStar:
    """Epsilon* of a model from its losses on training data (n,) and on fresh data (m,), in any order.

    ``delta`` is ``default_delta(n)`` unless given. The paper's clips are delta for the parametric method and
    EMPIRICAL_CLIP for the empirical one. Without a clip the empirical value is infinite as soon as more than a share
    delta of one group lies beyond all of the other, which is so in nearly every sample if delta is below 1/n.

    The method CONFIDENCE gives a lower bound that holds with confidence ``level``; it takes no clip.
    MIXTURE fits Gaussian mixtures of so many ``components``, or of a number chosen for each group. PARAMETRIC and
    MIXTURE fit laws to scores on a ``scale``, which has no default: what the losses are decides the number.

    Ascending losses are faster to count.

    Raises ValueError when a group has fewer than ten losses, or losses that are not finite, or all the same value; and
    when a fit is asked for without a scale, or on one that the losses do not have.
    """
    for name, losses in (("train_losses", train_losses), ("population_losses", population_losses)):
        _check_losses(name, losses)
    evidence = evidence_of(train_losses, population_losses)
    if evidence.lowest == evidence.highest:
        raise ValueError(f"losses must differ, but all of them are {evidence.lowest!r}.")
    delta = default_delta(len(train_losses)) if delta is None else delta
    ways = _ways(level, components, scale)
    if method not in ways:
        raise ValueError(f"method must be one of {', '.join(map(repr, map(str, ways)))}, got {str(method)!r}.")
    return ways[method](train_losses, population_losses, evidence, delta, clip)


def _ways(level: float, components: int | ComponentChoice, scale: LossScale | None) -> Mapping[Method, _Way]:
    return {
        Method.PARAMETRIC: partial(_parametric, scale=scale),
        Method.EMPIRICAL: _empirical,
        Method.MIXTURE: partial(_mixed, components=components, scale=scale),
        Method.CONFIDENCE: partial(_confident, level=level),
    }


def _check_losses(name: str, losses: Floats) -> None:
    if losses.ndim != 1 or len(losses) < SMALLEST_GROUP:
        raise ValueError(f"{name} must be a vector of at least {SMALLEST_GROUP} losses, got shape {losses.shape}.")
    if not np.all(np.isfinite(losses)):
        raise ValueError(f"{name} must be finite, got {int(np.sum(~np.isfinite(losses)))} values that are not.")


@checked
def transform_of(evidence: LossOverview, scale: LossScale | None) -> Transform:
    """The transform of losses with this evidence.

    Raises ValueError without a scale.
    """
    if scale is None:
        raise ValueError(f"scale must be given for a fit: {', '.join(LossScale)}.")
    return Transform(scale, evidence.lowest, evidence.highest)


def _parametric(
    train: Floats, population: Floats, evidence: LossOverview, delta: float, clip: float | None, scale: LossScale | None
) -> EpsilonStar:
    """Normal laws fitted to the scores; thresholds are scores."""
    transform = transform_of(evidence, scale)
    fits = fitted(train, transform, "train_losses"), fitted(population, transform, "population_losses")
    return of_fits(Method.PARAMETRIC, fits, transform, evidence, delta, clip)


@checked
def of_fits(
    method: Method,
    fits: tuple[NormalLaw | Mixture, NormalLaw | Mixture],
    transform: Transform,
    evidence: LossOverview,
    delta: OpenProbability,
    clip: Clip | None,
) -> EpsilonStar:
    """Epsilon* of laws fitted to the scores of both groups (train, population)."""
    unclipped = peaks_of(*fits, delta, None)
    peaks = unclipped if clip is None else peaks_of(*fits, delta, clip)
    return EpsilonStar(delta, method, peaks, clip, value_of(unclipped), evidence, fits, transform=transform)


def _mixed(
    train: Floats,
    population: Floats,
    evidence: LossOverview,
    delta: float,
    clip: float | None,
    components: int | ComponentChoice,
    scale: LossScale | None,
) -> EpsilonStar:
    """Gaussian mixtures fitted to the scores; thresholds are scores."""
    transform = transform_of(evidence, scale)
    members, outsiders = (_mixture(transform.scores(ascending(losses)), components) for losses in (train, population))
    return of_fits(Method.MIXTURE, (members, outsiders), transform, evidence, delta, clip)


def _mixture(values: Floats, components: int | ComponentChoice) -> Mixture:
    if isinstance(components, ComponentChoice):
        return chosen_mixture(values, components)
    return fit_mixture(values, components)


@checked
def fitted(losses: Floats, transform: Transform, name: str) -> NormalLaw:
    """Normal law of the scores of ``losses`` (n,), by moments.

    Raises ValueError when all losses are the same, or so far apart that their squares are no floats.
    """
    values = transform.scores(losses)
    with np.errstate(over="ignore", invalid="ignore"):
        fit = NormalLaw(float(values.mean()), float(values.std()))
    if not np.isfinite(fit.sd):
        raise ValueError(f"{name} must not be as large as {float(np.abs(losses).max()):.3g} for a normal fit.")
    if not fit.sd > 0.0 or values.min() == values.max():
        largest = max(abs(transform.lowest), abs(transform.highest))
        beside = f" beside the largest loss of all, {largest:.3g}" if losses.min() != losses.max() else ""
        raise ValueError(f"{name} must differ among themselves{beside} for a normal fit; use the empirical method.")
    return fit


def _empirical(
    train: Floats, population: Floats, evidence: LossOverview, delta: float, clip: float | None
) -> EpsilonStar:
    """Counted rates at every threshold between distinct losses; thresholds are losses."""
    peaks, unclipped = counted_peaks(ascending(train), ascending(population), delta, clip)
    return EpsilonStar(delta, Method.EMPIRICAL, peaks, clip, value_of(unclipped), evidence)


def _confident(
    train: Floats, population: Floats, evidence: LossOverview, delta: float, clip: float | None, level: float
) -> EpsilonStar:
    """Lower confidence bound; thresholds are losses."""
    if clip is not None:
        raise ValueError(f"clip must be None for a {Method.CONFIDENCE}, got {clip!r}.")
    bound = lower_bound(Ascending(ascending(train)), Ascending(ascending(population)), delta, level)
    return EpsilonStar(delta, Method.CONFIDENCE, bound.peaks, None, bound.value, evidence, confidence=bound)
