"""From a limit on attack success to noise and error, and back, under what the attacker may know.

All notions speak of one release. Their neighbours differ: full knowledge takes the adjacency asked for, an unknown
record is one record more or less, the others replace one (the ledger at the end of docs/corrections.md).
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import isfinite

import numpy as np

from numerics.frontier import unknown_record
from numerics.frontier.measures import Found, Measure
from numerics.frontier.statistics import LARGEST_PEOPLE, Count, Noise, Statistic
from numerics.mechanisms import Adjacency
from numerics.membership.advantage import LARGEST_ETA
from numerics.membership.noise_scale import COROLLARY_14, corollary_14_scale, sharp_eta, sharp_scale
from numerics.trade_off import Bound, Floats
from numerics.validation import positive


class Notion(StrEnum):
    """What the attacker knows, and where there is a choice, the law of the noise or the bound it is scaled by."""

    FULL = "full knowledge"
    FULL_LAPLACE = "full knowledge, Laplace noise"
    RECORD = "record unknown"
    SUBSET = "subset unknown"
    SUBSET_SHARP = "subset unknown, sharp bound"
    SUBSET_PAPER = "subset unknown, paper 002"
    OTHERS = "other records unknown"


class NoAnswerError(ValueError):
    """The notion says nothing about this statistic or these neighbours; the message says why."""


@dataclass(frozen=True, eq=False)
class Frontier:
    """Noise and error that keep attack success at or below each of ``goals`` (n,).

    Attributes:
        notion: what the attacker knows.
        goals: largest acceptable success, in the measure asked for.
        scale: noise on the sum (see ``Noise``), in the unit of a contribution; 0 where none is needed.
        error: of the statistic, from that noise alone.
        noise: its law.
        bound: EXACT, LOWER (a guarantee: less noise may do) or ESTIMATE.
        adjacency: the neighbours the notion compares.
    """

    notion: Notion
    goals: Floats
    scale: Floats
    error: Floats
    noise: Noise
    bound: Bound
    adjacency: Adjacency


@dataclass(frozen=True)
class _Question:
    """A statistic, a measure of success, and the neighbours of full knowledge."""

    statistic: Statistic
    measure: Measure
    adjacency: Adjacency


class _Way:
    """How a notion gets from goals to the scale of the noise, and back; full knowledge with Gaussian noise here."""

    noise = Noise.GAUSSIAN

    def adjacency(self, asked: _Question) -> Adjacency:
        """The neighbours it compares."""
        return asked.adjacency

    def bound(self, asked: _Question) -> Bound:
        """How its noise relates to the least that would do."""
        return Bound.EXACT

    def scale(self, asked: _Question, goals: Floats) -> Floats:
        """Noise (n,) for ``goals`` (n,): sensitivity over mu."""
        return asked.statistic.sensitivity(asked.adjacency) / asked.measure.mu(goals)

    def goal(self, asked: _Question, scale: float) -> float:
        """Success at ``scale``; inverse of ``scale``."""
        return _at(asked.measure.goal, asked.statistic.sensitivity(asked.adjacency) / scale)


class _Laplace(_Way):
    """Full knowledge, Laplace noise: the L1 sensitivity over the effect size of a Laplace shift."""

    noise = Noise.LAPLACE

    def bound(self, asked: _Question) -> Bound:
        """Exact where one coordinate may move by the whole sensitivity."""
        statistic = asked.statistic
        alone = statistic.sensitivity(asked.adjacency) == statistic.l1_sensitivity(asked.adjacency)
        return Bound.EXACT if alone else Bound.LOWER

    def scale(self, asked: _Question, goals: Floats) -> Floats:
        return asked.statistic.l1_sensitivity(asked.adjacency) / asked.measure.laplace_mu(goals)

    def goal(self, asked: _Question, scale: float) -> float:
        return _at(asked.measure.laplace_goal, asked.statistic.l1_sensitivity(asked.adjacency) / scale)


class _Record(_Way):
    """The record's direction is unknown: folded normal or chi-square laws (paper 000 Eqs. 4 and 5)."""

    def adjacency(self, asked: _Question) -> Adjacency:
        return Adjacency.ADD_REMOVE

    def scale(self, asked: _Question, goals: Floats) -> Floats:
        _check_unknown_record(asked)
        mu = _unknown_mu(asked.measure, asked.statistic.dimension, tuple(goals.tolist()))
        return asked.statistic.sensitivity(Adjacency.ADD_REMOVE) / np.array(mu)

    def goal(self, asked: _Question, scale: float) -> float:
        _check_unknown_record(asked)
        statistic, measure = asked.statistic, asked.measure
        mu = np.array([statistic.sensitivity(Adjacency.ADD_REMOVE) / scale])
        if isinstance(measure, Found):
            return float(unknown_record.power(mu, statistic.dimension, measure.alpha)[0])
        return float(measure.goal_of_advantage(unknown_record.advantage(mu, statistic.dimension))[0])


def _check_unknown_record(asked: _Question) -> None:
    if not asked.statistic.signed:
        what = "a count" if isinstance(asked.statistic, Count) else "one of the bins"
        raise NoAnswerError(
            f"a person can only raise {what}, by one, so an attacker who does not know the record still knows which "
            "way it pulls. The closed forms are for records that may pull in any direction; full knowledge's noise is "
            "enough."
        )
    if asked.adjacency is Adjacency.REPLACE_ONE:
        raise NoAnswerError("what replaces an unknown record is not defined; choose add/remove.")


@lru_cache(maxsize=64)
def _unknown_mu(measure: Measure, dimension: int, goals: tuple[float, ...]) -> tuple[float, ...]:
    """Effect sizes for ``goals``; remembered, because they do not depend on the number of people."""
    if isinstance(measure, Found):
        measure.mu(np.array(goals))  # checks them
        found = unknown_record.mu_for_power(np.array(goals), dimension, measure.alpha)
    else:
        found = unknown_record.mu_for_advantage(measure.advantage(np.array(goals)), dimension)
    return tuple(found.tolist())


class _Subset(_Way):
    """Which half of a pool is used is unknown: by way of DP for a replaced record, the least noise that is proved.

    A half with the record and one with another in its place are neighbours. The power is concave in the false positive
    rate, so what holds for every such pair holds for the mixtures over all halves. For the advantage this is the noise
    that keeps eta at half of it (corrections 27, 29).
    """

    def adjacency(self, asked: _Question) -> Adjacency:
        return Adjacency.REPLACE_ONE

    def bound(self, asked: _Question) -> Bound:
        return Bound.LOWER

    def scale(self, asked: _Question, goals: Floats) -> Floats:
        return asked.statistic.sensitivity(Adjacency.REPLACE_ONE) / asked.measure.mu(goals)

    def goal(self, asked: _Question, scale: float) -> float:
        return _at(asked.measure.goal, asked.statistic.sensitivity(Adjacency.REPLACE_ONE) / scale)


class _Sharp(_Subset):
    """The same attacker by eta alone, half of the advantage (corrections 27, 28): radial noise, the sharp bound.

    The spread over halves is the largest that bounded records can have (correction 32).
    """

    noise = Noise.RADIAL

    def scale(self, asked: _Question, goals: Floats) -> Floats:
        spread, eta = asked.statistic.half_spread, 0.5 * asked.measure.advantage(goals)
        return np.array([self._scale(each, spread) for each in eta.tolist()])

    def goal(self, asked: _Question, scale: float) -> float:
        return _at(asked.measure.goal_of_advantage, 2.0 * self._eta(scale, asked.statistic.half_spread))

    def _scale(self, eta: float, spread: float) -> float:
        return sharp_scale(eta, spread)

    def _eta(self, scale: float, spread: float) -> float:
        return sharp_eta(scale, spread)


class _Paper(_Sharp):
    """The same by the paper's constant 6.16 with M = 2 (paper 002 Cor. 14)."""

    def _scale(self, eta: float, spread: float) -> float:
        return corollary_14_scale(eta, spread)

    def _eta(self, scale: float, spread: float) -> float:
        return min(COROLLARY_14 * float(np.sqrt(spread / scale)), LARGEST_ETA)


class _Others(_Way):
    """Only the distribution of the others is known (paper 004 Eq. 9, K = d): they hide the record too.

    n people and noise hide as n + s^2 people would, s in units of the radius: no covariance of contributions in a ball
    exceeds the radius squared. The lesser of this noise and that of Gaussian DP for a replaced record counts.
    """

    def adjacency(self, asked: _Question) -> Adjacency:
        return Adjacency.REPLACE_ONE

    def bound(self, asked: _Question) -> Bound:
        return Bound.ESTIMATE

    def scale(self, asked: _Question, goals: Floats) -> Floats:
        statistic, mu = asked.statistic, asked.measure.mu(goals)
        square = statistic.free_dimension / mu**2 - 0.5 - statistic.people
        own = statistic.radius * np.sqrt(np.maximum(square, 0.0))
        return np.minimum(own, statistic.sensitivity(Adjacency.REPLACE_ONE) / mu)

    def goal(self, asked: _Question, scale: float) -> float:
        statistic = asked.statistic
        effective = statistic.people + (scale / statistic.radius) ** 2
        own = float(np.sqrt(statistic.free_dimension / (effective + 0.5)))
        private = statistic.sensitivity(Adjacency.REPLACE_ONE) / scale if scale > 0.0 else np.inf
        return _at(asked.measure.goal, min(own, private))


_WAYS: dict[Notion, _Way] = {
    Notion.FULL: _Way(),
    Notion.FULL_LAPLACE: _Laplace(),
    Notion.RECORD: _Record(),
    Notion.SUBSET: _Subset(),
    Notion.SUBSET_SHARP: _Sharp(),
    Notion.SUBSET_PAPER: _Paper(),
    Notion.OTHERS: _Others(),
}


def frontier(statistic: Statistic, measure: Measure, notion: Notion, adjacency: Adjacency, goals: Floats) -> Frontier:
    """Noise and error that keep the attack at ``goals`` (n,), strictly between guessing and certainty.

    Args:
        statistic: what is released.
        measure: how success is stated.
        notion: what the attacker knows.
        adjacency: neighbours of full knowledge; the other notions have their own.
        goals: largest acceptable success.

    Raises NoAnswerError where the notion says nothing, ValueError for goals out of range.
    """
    way, asked = _WAYS[notion], _Question(statistic, measure, adjacency)
    goals = np.asarray(goals, dtype=float)
    scale = way.scale(asked, goals)
    error = scale * statistic.unit_error(way.noise)
    return Frontier(notion, goals, scale, error, way.noise, way.bound(asked), way.adjacency(asked))


def success(statistic: Statistic, measure: Measure, notion: Notion, adjacency: Adjacency, error: float) -> float:
    """Attack success when the noise may cost no more than ``error``; inverse of ``frontier``.

    Raises NoAnswerError where the notion says nothing.
    """
    positive("error", error)
    way = _WAYS[notion]
    return way.goal(_Question(statistic, measure, adjacency), error / statistic.unit_error(way.noise))


def people_needed(
    statistic: Statistic, measure: Measure, notion: Notion, adjacency: Adjacency, goal: float
) -> int | None:
    """Fewest people with whom the noise for ``goal`` costs no more than sampling them does; None if no number does.

    Raises NoAnswerError where the notion says nothing.
    """
    at = np.array([goal])

    def cheap(people: int) -> bool:
        other = replace(statistic, people=people)
        return bool(frontier(other, measure, notion, adjacency, at).error[0] <= other.sampling_error)

    if not cheap(LARGEST_PEOPLE):
        return None
    few, many = 1, LARGEST_PEOPLE  # too few, and enough
    while many - few > 1:
        middle = int(np.sqrt(float(few) * many)) if many > 4 * few else (few + many) // 2
        few, many = (few, middle) if cheap(max(middle, 2)) else (middle, many)
    return max(many, 2)


def _at(function: Callable[[Floats], Floats], value: float) -> float:
    """``function`` of one number; infinite stays infinite."""
    return float(function(np.array([value]))[0]) if isfinite(value) else float("inf")
