"""What an attacker can do who does not know the record (paper 000, the relaxed threat model).

The attacker knows the mechanism and everything but the record: the side, or direction, in which it pulls is unknown.
The curve is the best attack averaged over both sides, which is minimax over the unknown one (correction 5). It says
nothing about an attacker who guesses the side: show the full-knowledge curve of the mechanism beside it.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated

import numpy as np

from numerics.calibration import AdvantageTarget, PowerTarget, Target
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Adjacency, Mechanism, Sampling
from numerics.privacy_loss import certify
from numerics.privacy_loss.certify import Precision
from numerics.relaxed.folded import FoldedOnce, folded
from numerics.relaxed.minimax import minimax
from numerics.relaxed.roc import in_order
from numerics.relaxed.statistics import folded_pair, magnitude
from numerics.sampling.poisson import sampled_pairs
from numerics.trade_off import Bound, Bracket, CurvePoints, Floats, Order, TradeOffCurve, alpha_grid
from numerics.unsupported import FULL_KNOWLEDGE, UnsupportedError, law_of, one_record
from numerics.validation import Interval, Probabilities, Probability, checked, value


class RelaxedTest(StrEnum):
    """Whose errors a relaxed curve of several sampled steps has (correction 15); the same for one step."""

    MINIMAX = "guarantee"  # the best attack on an unknown side
    MAGNITUDE = "magnitude of the mean"  # one statistic (paper 000 Lemma 8)
    FOLDED_STEPS = "product of folded steps"  # one statistic (paper 000 Section 7.3)


LARGEST_DIMENSION = 1_000_000_000
Dimension = Annotated[int, Interval(1, LARGEST_DIMENSION)]

_UNKNOWN = "The attacker knows the mechanism and all other records, but not the record: its {} is unknown."
_NO_GUARANTEE = "The power of one statistic, not a guarantee: other attacks may reach more."


@dataclass(frozen=True, eq=False)
class RelaxedCurve(TradeOffCurve):
    """A trade-off curve with the estimated largest ``error`` of its power, 0 where it is exact or a shown attack.

    ``extremes`` are the least and the most power within the error at each alpha, between what attacks reach and what
    full knowledge allows.
    """

    error: float = 0.0
    extremes: tuple[CurvePoints, CurvePoints] | None = None

    @property
    def least(self) -> CurvePoints:
        """The curve of least power within the error."""
        return self.extremes[0] if self.extremes else CurvePoints(self.alpha, self.beta, self.power)

    @property
    def most(self) -> CurvePoints:
        """The curve of most power within the error."""
        return self.extremes[1] if self.extremes else CurvePoints(self.alpha, self.beta, self.power)


@checked
def trade_off(
    mechanism: Mechanism,
    alpha: Probabilities,
    *,
    dimension: Dimension = 1,
    order: Order = Order.ADD,
    test: RelaxedTest = RelaxedTest.MINIMAX,
    deadline: Deadline = UNLIMITED,
) -> RelaxedCurve:
    """Relaxed trade-off curve at ascending ``alpha`` (n,): j, its inverse or J by ``order``.

    EXACT for one step and for unsampled steps that add up to one, an ESTIMATE with its ``error`` for the guarantee of
    several others, UPPER (a demonstrated attack) for the two single statistics.

    Raises ValueError for replace-one adjacency, and for what has no known answer: most noise and several sampled
    steps in more than one dimension. DeadlineError where it takes too long.
    """
    _refuse_choices(mechanism)
    if mechanism.adjacency is Adjacency.REPLACE_ONE:
        raise ValueError(
            "adjacency must be add/remove: what replaces an unknown record is not defined, got replace-one."
        )
    _refuse_several_records(mechanism)
    form = closed_form(mechanism, dimension)
    if form is not None:
        return _curve(mechanism, form.trade_off(alpha, order), Bound.EXACT, dimension, test)
    sampled_pairs(mechanism.pairs)  # whatever the test: a record's steps are drawn one by one
    return _TESTS[test](mechanism, alpha, order, dimension, deadline)


@checked
def power(
    mechanism: Mechanism,
    alpha: Probability,
    *,
    dimension: Dimension = 1,
    order: Order = Order.ADD,
    test: RelaxedTest = RelaxedTest.MINIMAX,
    deadline: Deadline = UNLIMITED,
) -> Bracket:
    """True positive rate at false positive rate ``alpha``; an estimate's bracket is its estimated error.

    It ends at what a known attack reaches and at the full-knowledge guarantee.
    """
    curve = trade_off(mechanism, np.array([alpha]), dimension=dimension, order=order, test=test, deadline=deadline)
    return Bracket(*(float(side.power[0]) for side in (curve.least, curve, curve.most)))


@checked
def closed_form(mechanism: Mechanism, dimension: Dimension = 1) -> FoldedOnce | None:
    """The folded trade-off function of what has one for full knowledge: one step, or unsampled steps that add up.

    Their effect sizes add up in squares, as every release is weighted by its inverse variance; the plain
    mean of unequal releases is neither best nor a bound (correction 9). None where full knowledge has no closed form
    either.

    Raises UnsupportedError for noise whose folded law is not known here, ValueError for more dimensions than it is.
    """
    _refuse_several_records(mechanism)
    form = mechanism.closed_form
    if form is None:
        return None
    _refuse_choices(mechanism)
    return FoldedOnce(folded(form.shift, dimension), form.rate)


@checked
def holds_in_any_dimension(mechanism: Mechanism, test: RelaxedTest = RelaxedTest.MINIMAX) -> bool:
    """Whether the curve of this ``test`` is known in more than one dimension; 1 is the worst for who is protected."""
    form = mechanism.closed_form
    if form is not None:
        return form.shift.folds_in_any_dimension
    return test is RelaxedTest.MAGNITUDE and _has_magnitude(mechanism)


def _refuse_several_records(mechanism: Mechanism) -> None:
    """The directions of a person's records may be as many."""
    one_record(mechanism.records_per_person, "The relaxed curve is", FULL_KNOWLEDGE)


def _refuse_choices(mechanism: Mechanism) -> None:
    """No record pulls an answer, or a choice among candidates, to one side: there is none that could be unknown."""
    for phase in mechanism.phases:
        if not phase.has_direction:
            raise UnsupportedError(
                f"{phase.name} has no direction: an answer or a choice is released, which no record pulls to one side. "
                f"{FULL_KNOWLEDGE}"
            )


def _guarantee(mechanism: Mechanism, alpha: Floats, order: Order, dimension: int, deadline: Deadline) -> RelaxedCurve:
    """The estimate, moved between what attacks reach and what full knowledge allows, which nobody exceeds.

    Its error is at least the way it was moved. Where rounding puts an attack above full knowledge, that counts.
    """
    if dimension > 1:
        raise ValueError(f"dimension must be 1 for a guarantee without a formula, got {dimension!r}.")
    values, error = minimax(mechanism.pairs, alpha, order, deadline)
    least_beta, most_power = 1.0 - alpha, alpha  # of the more powerful of the single statistics
    for attack in [_folded_steps] + [_magnitude] * _has_magnitude(mechanism):
        reached = attack(mechanism, alpha, order, 1, deadline)
        least_beta, most_power = np.minimum(least_beta, reached.beta), np.maximum(most_power, reached.power)
    full = mechanism.trade_off(alpha, order, Precision(deadline=deadline))
    full = full.lower or full
    floor, ceiling = np.minimum(most_power, full.power), full.power
    top, bottom = np.maximum(least_beta, full.beta), full.beta
    power, beta = np.clip(values.power, floor, ceiling), np.clip(values.beta, bottom, top)
    error = np.maximum(error, np.abs(power - values.power))
    least = CurvePoints(alpha, np.minimum(beta + error, top), np.maximum(power - error, floor))
    most = CurvePoints(alpha, np.maximum(beta - error, bottom), np.minimum(power + error, ceiling))
    largest = max(float(np.max(np.abs(power - side.power), initial=0.0)) for side in (least, most))
    note = "Numerical, with an error that is estimated; not certified."
    points = CurvePoints(alpha, beta, power)
    curve = _curve(mechanism, points, Bound.ESTIMATE, dimension, RelaxedTest.MINIMAX, note)
    return replace(curve, error=largest, extremes=(least, most))


def _has_magnitude(mechanism: Mechanism) -> bool:
    """Whether the law of the mean's magnitude is known: that of several noises which add up to one of their kind.

    The steps must be drawn one by one.
    """
    first, *more = mechanism.phases
    return not more and first.adds_in_squares and first.sampling is Sampling.POISSON


def _magnitude(mechanism: Mechanism, alpha: Floats, order: Order, dimension: int, deadline: Deadline) -> RelaxedCurve:
    deadline.check()
    if len(mechanism.phases) > 1:
        raise ValueError(f"phases must be 1 for the magnitude of the mean, got {len(mechanism.phases)}.")
    (phase,) = mechanism.phases
    known = magnitude if _has_magnitude(mechanism) else None
    law = law_of(known, phase.noise(), "The magnitude of the mean is", FULL_KNOWLEDGE)
    test = law(phase.effect_size, phase.sampling_rate, phase.steps, float(dimension))
    return _curve(mechanism, in_order(test, alpha, order), Bound.UPPER, dimension, RelaxedTest.MAGNITUDE)


def _folded_steps(
    mechanism: Mechanism, alpha: Floats, order: Order, dimension: int, deadline: Deadline
) -> RelaxedCurve:
    deadline.check()
    if dimension > 1:
        raise ValueError(f"dimension must be 1 for the product of folded steps, got {dimension!r}.")
    pairs = tuple((folded_pair(pair), steps) for pair, steps in sampled_pairs(mechanism.pairs))
    _, _, reached = certify(pairs, Precision(deadline=deadline)).trade_off(alpha, order)
    return _curve(mechanism, reached, Bound.UPPER, dimension, RelaxedTest.FOLDED_STEPS)


_TESTS = {
    RelaxedTest.MINIMAX: _guarantee,
    RelaxedTest.MAGNITUDE: _magnitude,
    RelaxedTest.FOLDED_STEPS: _folded_steps,
}


def _curve(
    mechanism: Mechanism,
    values: CurvePoints,
    bound: Bound,
    dimension: int,
    test: RelaxedTest,
    note: str = "",
) -> RelaxedCurve:
    unknown = _UNKNOWN.format("sign" if dimension == 1 else f"direction in {dimension:,} dimensions")
    notes = (*mechanism.assumptions[:-1], unknown) + ((note,) if note else ())
    notes += (_NO_GUARANTEE,) if bound is Bound.UPPER else ()
    label = f"Relaxed, {mechanism.label}" + (f", {test}" if bound is not Bound.EXACT else "")
    return RelaxedCurve(*values, bound, label, notes)


# The largest difference of members found and outsiders accused, read off a relaxed curve.


@checked
def advantage(curve: RelaxedCurve) -> Bracket:
    """Largest power - alpha over the curve's grid and what a concave curve can add between its points.

    Two neighbouring chords, prolonged, enclose it there. The curve's numerical error is in the bracket.
    """
    alpha, gain = curve.alpha, curve.power - curve.alpha
    best = int(np.argmax(gain))
    most = [float(gain[best])]
    if 1 < best < len(alpha) - 2:
        slope = np.diff(gain) / np.diff(alpha)
        most.append(float(gain[best] + slope[best - 1] * (alpha[best + 1] - alpha[best])))
        most.append(float(gain[best] + slope[best] * (alpha[best - 1] - alpha[best])))
    return Bracket(max(most[0] - curve.error, 0.0), most[0], min(max(most) + curve.error, 1.0))


# Does a release stay below a reference curve for an attacker who does not know the record (paper 000 Definition 3)?


@value
class Resilience:
    """Whether the attacker's error stays above a reference, and where it comes closest.

    Attributes:
        resilient: whether J, less its numerical error, is at least the reference at every alpha of the reference.
        margin: smallest difference J - reference, error deducted.
        alpha: false positive rate at which the margin is smallest.
    """

    resilient: bool
    margin: float
    alpha: float


_ROUNDING = 1e-12


@checked
def detection_resilience(mechanism: Mechanism, reference: TradeOffCurve, *, dimension: Dimension = 1) -> Resilience:
    """Compare the relaxed curve J of both orders with ``reference`` at its own false positive rates.

    A certified reference counts by its demonstrated attack, the larger side. Raises ValueError as ``trade_off``.
    """
    curve = trade_off(mechanism, reference.alpha, dimension=dimension, order=Order.SYMMETRIC)
    largest = reference if reference.upper is None else reference.upper
    margin = np.where(largest.beta > 0.5, largest.power - curve.most.power, curve.most.beta - largest.beta)
    inside = (reference.alpha > 0.0) & (reference.alpha < 1.0)
    margin = np.where(inside, margin, np.inf)
    tightest = int(np.argmin(margin))
    return Resilience(bool(margin[tightest] >= -_ROUNDING), float(margin[tightest]), float(reference.alpha[tightest]))


# What noise can be calibrated to.


@value
class RelaxedTarget(Target):
    """The ``target`` that full knowledge has, kept by an attacker who does not know the record."""

    target: PowerTarget | AdvantageTarget
    dimension: Dimension = 1
    test: RelaxedTest = RelaxedTest.MINIMAX

    @property
    def goal(self) -> float:
        return self.target.goal

    @property
    def label(self) -> str:
        return f"relaxed {self.target.label}"

    def measure(self, mechanism: Mechanism, precision: Precision) -> Bracket:
        """See Target; the numerical error is on the safe side, and ``precision`` has hardly a say.

        An advantage is the largest over a grid and what a concave curve can add between its points.
        """
        dimension, test, deadline = self.dimension, self.test, precision.deadline
        if isinstance(self.target, PowerTarget):
            alpha, order = self.target.alpha, self.target.order
            return power(mechanism, alpha, dimension=dimension, order=order, test=test, deadline=deadline)
        curve = trade_off(mechanism, alpha_grid(801), dimension=dimension, test=test, deadline=deadline)
        found = advantage(curve)
        if found.upper > self.goal >= found.estimate:  # nobody knows more than everything, which may be enough
            limit = max(mechanism.advantage(precision).upper, found.estimate)
            return found._replace(upper=min(found.upper, limit))
        return found
