"""What an attacker can do who does not know the record (paper 000, the relaxed threat model).

The attacker knows the mechanism and everything but the record: the side, or direction, in which it pulls is unknown.
The curve is the best attack averaged over both sides, which is minimax over the unknown one (correction 5). It says
nothing about an attacker who guesses the side: show the full-knowledge curve of the mechanism beside it.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

import numpy as np

from numerics.mechanisms import Adjacency, Composition, Gaussian, SampledMechanism
from numerics.privacy_loss import PrecisionError, certify
from numerics.privacy_loss.certify import Precision
from numerics.privacy_loss.vertices import Corners
from numerics.privacy_loss.window_plan import poisson
from numerics.relaxed.folded import FoldedOnce, folded
from numerics.relaxed.minimax import minimax
from numerics.relaxed.statistics import FoldedPair, magnitude
from numerics.trade_off import Bound, Bracket, Floats, Order, TradeOffCurve
from numerics.validation import Interval, Probabilities, Probability, checked

LARGEST_DIMENSION = 1_000_000_000
Mechanism = SampledMechanism | Composition
Dimension = Annotated[int, Interval(1, LARGEST_DIMENSION)]

_NARROW = Precision(strict=False)
_ENCLOSURE = Precision(width=1e-4, relative=5e-3, strict=False)
_UNKNOWN = "The attacker knows the mechanism and all other records, but not the record: its {} is unknown."
_NO_GUARANTEE = "The power of one statistic, not a guarantee: other attacks may reach more."


class Direction(StrEnum):
    """Whether the record pulls the same way in every step."""

    COMMON = "common"
    INDEPENDENT = "independent"  # the squared distances of all steps are summed: one statistic (correction 11)


class Reading(StrEnum):
    """What a relaxed curve of several sampled steps is (correction 15); the same for one step."""

    MINIMAX = "guarantee"  # the best attack on an unknown side
    MAGNITUDE = "magnitude of the mean"  # one statistic (paper 000 Lemma 8)
    FOLDED_STEPS = "product of folded steps"  # one statistic (paper 000 Section 7.3)


@dataclass(frozen=True, eq=False)
class RelaxedCurve(TradeOffCurve):
    """A trade-off curve with the estimated largest ``error`` of its power, 0 where it is exact or a shown attack."""

    error: float = 0.0


@checked
def trade_off(
    mechanism: Mechanism,
    alpha: Probabilities,
    *,
    dimension: Dimension = 1,
    direction: Direction = Direction.COMMON,
    order: Order = Order.ADD,
    reading: Reading = Reading.MINIMAX,
) -> RelaxedCurve:
    """Relaxed trade-off curve at ascending ``alpha`` (n,): j, its inverse or J by ``order``.

    EXACT for one step and for unsampled Gaussian steps, an ESTIMATE with its ``error`` for the guarantee of several
    others, UPPER (a demonstrated attack) for the two single statistics.

    Raises ValueError for replace-one adjacency, and for what has no known answer: Laplace noise or several sampled
    steps in more than one dimension, independent directions of sampled steps; PrecisionError as ``minimax``.
    """
    _refuse_replace_one(mechanism)
    form = closed_form(mechanism, dimension, direction)
    if form is not None:
        attack = direction is Direction.INDEPENDENT and _steps(mechanism) > 1
        values = form.trade_off(alpha, order)
        return _curve(mechanism, values, Bound.UPPER if attack else Bound.EXACT, dimension, reading)
    if direction is Direction.INDEPENDENT:
        raise ValueError("direction must be common for sampled steps, got independent.")
    return _READINGS[reading](mechanism, alpha, order, dimension)


@checked
def power(
    mechanism: Mechanism,
    alpha: Probability,
    *,
    dimension: Dimension = 1,
    order: Order = Order.ADD,
    reading: Reading = Reading.MINIMAX,
) -> Bracket:
    """True positive rate at false positive rate ``alpha``; an estimate's bracket is its estimated error.

    It ends at the full-knowledge guarantee.
    """
    curve = trade_off(mechanism, np.array([alpha]), dimension=dimension, order=order, reading=reading)
    value, limit = float(curve.power[0]), 1.0
    if curve.bound is Bound.ESTIMATE:
        limit = max(mechanism.power(alpha, order, _ENCLOSURE).upper, value)  # nobody knows more than everything
    return Bracket(max(value - curve.error, 0.0), value, min(value + curve.error, limit))


@checked
def closed_form(mechanism: Mechanism, dimension: Dimension, direction: Direction) -> FoldedOnce | None:
    """The folded trade-off function of what has one for full knowledge: one step, or unsampled Gaussian steps.

    Their effect sizes add up in squares, as every release is weighted by its inverse variance; chaining Lemma 8 is
    neither best nor a bound (corrections 9, 10). None where full knowledge has no closed form either.

    Raises NotOfferedError for noise whose folded law is not known here, ValueError for more dimensions than it is.
    """
    form = mechanism.closed_form
    if form is None:
        return None
    degrees = dimension * (_steps(mechanism) if direction is Direction.INDEPENDENT else 1)
    return FoldedOnce(folded(form.shift, degrees), form.rate)


def phases_of(mechanism: Mechanism) -> tuple[SampledMechanism, ...]:
    """The phases of a composition, or the mechanism itself as the only one."""
    return mechanism.phases if isinstance(mechanism, Composition) else (mechanism,)


def _steps(mechanism: Mechanism) -> int:
    return sum(phase.steps for phase in phases_of(mechanism))


def _refuse_replace_one(mechanism: Mechanism) -> None:
    if mechanism.adjacency is Adjacency.REPLACE_ONE:
        raise ValueError(
            "adjacency must be add/remove: what replaces an unknown record is not defined, got replace-one."
        )


def _guarantee(mechanism: Mechanism, alpha: Floats, order: Order, dimension: int) -> RelaxedCurve:
    if dimension > 1:
        raise ValueError(f"dimension must be 1 for the guarantee of several sampled steps, got {dimension!r}.")
    try:
        values, error = minimax(mechanism.pairs, alpha, order)
    except PrecisionError:
        values, error = Corners(alpha, 1.0 - alpha, alpha), 1.0
    values, error = _enclosed(mechanism, values, error, order)
    note = f"Numerical, estimated error of the power {error:.1g}; not certified."
    return _curve(mechanism, values, Bound.ESTIMATE, dimension, Reading.MINIMAX, note, error)


def _enclosed(mechanism: Mechanism, values: Corners, error: float, order: Order) -> tuple[Corners, float]:
    """``values`` moved between what the folded steps reach and the full-knowledge guarantee, and their error.

    That is at least the way they were moved, and at most the distance to either bound.
    """
    alpha = values.alpha
    reached = _folded_steps(mechanism, alpha, order, 1, _ENCLOSURE)
    full = mechanism.trade_off(alpha, order, _ENCLOSURE)
    safe = full.lower or full
    power = np.clip(values.power, reached.power, np.maximum(safe.power, reached.power))
    beta = np.clip(values.beta, np.minimum(safe.beta, reached.beta), reached.beta)
    # At alpha = 0 the guarantee may concede what rounding cannot exclude.
    between = np.where(alpha > 0.0, np.maximum(safe.power - power, power - reached.power), 0.0)
    error = max(error, float(np.max(np.abs(power - values.power), initial=0.0)))
    return Corners(alpha, beta, power), min(error, float(np.max(between, initial=0.0)))


def _magnitude(mechanism: Mechanism, alpha: Floats, order: Order, dimension: int) -> RelaxedCurve:
    phases = phases_of(mechanism)
    if len(phases) > 1 or not isinstance(phases[0], Gaussian):
        raise ValueError(f"mechanism must be one phase of Gaussian noise for this statistic, got {mechanism.label}.")
    test = magnitude(phases[0].effect_size, phases[0].sampling_rate, phases[0].steps, float(dimension))
    return _curve(mechanism, test.at(alpha, order), Bound.UPPER, dimension, Reading.MAGNITUDE)


def _folded_steps(
    mechanism: Mechanism, alpha: Floats, order: Order, dimension: int, precision: Precision = _NARROW
) -> RelaxedCurve:
    if dimension > 1:
        raise ValueError(f"dimension must be 1 for the product of folded steps, got {dimension!r}.")
    pairs = tuple((FoldedPair(pair.noise, pair.rate), steps) for pair, steps in poisson(mechanism.pairs))
    _, _, reached = certify(pairs, precision).trade_off(alpha, order)
    return _curve(mechanism, reached, Bound.UPPER, dimension, Reading.FOLDED_STEPS)


_READINGS = {
    Reading.MINIMAX: _guarantee,
    Reading.MAGNITUDE: _magnitude,
    Reading.FOLDED_STEPS: _folded_steps,
}


def _curve(
    mechanism: Mechanism,
    values: Corners,
    bound: Bound,
    dimension: int,
    reading: Reading,
    note: str = "",
    error: float = 0.0,
) -> RelaxedCurve:
    notes = _assumptions(mechanism, dimension) + ((note,) if note else ())
    notes += (_NO_GUARANTEE,) if bound is Bound.UPPER else ()
    label = f"Relaxed, {mechanism.label}" + (f", {reading}" if bound is not Bound.EXACT else "")
    return RelaxedCurve(*values, bound, label, notes, error=error)


def _assumptions(mechanism: Mechanism, dimension: int) -> tuple[str, ...]:
    unknown = _UNKNOWN.format("sign" if dimension == 1 else f"direction in {dimension:,} dimensions")
    return (*mechanism.assumptions[:-1], unknown)
