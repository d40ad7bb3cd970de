"""From a limit on attack success to noise and error, and back, under what the attacker may know.

All notions speak of one release. Their neighbours differ: full knowledge takes the adjacency asked for, an unknown
record is one record more or less, the others replace one (the ledger at the end of docs/corrections.md).
"""

from collections.abc import Callable
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from math import isfinite

import numpy as np

from numerics.frontier import unknown_record
from numerics.frontier.counts import Count
from numerics.frontier.measures import Measure, PowerMeasure
from numerics.frontier.statistics import LARGEST_PEOPLE, Statistic, StatisticNoise
from numerics.mechanisms import Adjacency
from numerics.membership.advantage import LARGEST_ETA
from numerics.membership.noise_scale import COROLLARY_14, corollary_14_scale
from numerics.membership.one_swap import SwapNoise
from numerics.trade_off import Bound, Floats
from numerics.validation import Positive, checked, value

# How each notion gets from a limit on attack success to the scale of the noise, and back.


class NoAnswerError(ValueError):
    """The notion says nothing about this statistic or these neighbours; the message says why."""


@value
class FrontierQuestion:
    """A statistic, a measure of success, and the neighbours of full knowledge."""

    statistic: Statistic
    measure: Measure
    adjacency: Adjacency


class ThreatModelNoise:
    """How a notion gets from goals to the scale of the noise, and back; full knowledge with Gaussian noise here."""

    noise = StatisticNoise.GAUSSIAN

    def adjacency(self, asked: FrontierQuestion) -> Adjacency:
        """The neighbours it compares."""
        return asked.adjacency

    def bound(self, asked: FrontierQuestion) -> Bound:
        """How its noise relates to the least that would do."""
        return Bound.EXACT

    def scale(self, asked: FrontierQuestion, goals: Floats) -> Floats:
        """Noise (n,) for ``goals`` (n,): sensitivity over mu."""
        return asked.statistic.sensitivity(self.adjacency(asked)) / asked.measure.mu(goals)

    def goal(self, asked: FrontierQuestion, scale: float) -> float:
        """Success at ``scale``; inverse of ``scale``."""
        return _at(asked.measure.goal, asked.statistic.sensitivity(self.adjacency(asked)) / scale)


class FullLaplace(ThreatModelNoise):
    """Full knowledge, Laplace noise: the L1 sensitivity over the effect size of a Laplace shift."""

    noise = StatisticNoise.LAPLACE

    def bound(self, asked: FrontierQuestion) -> Bound:
        """Exact where one coordinate may move by the whole sensitivity."""
        statistic = asked.statistic
        alone = statistic.sensitivity(asked.adjacency) == statistic.l1_sensitivity(asked.adjacency)
        return Bound.EXACT if alone else Bound.LOWER

    def scale(self, asked: FrontierQuestion, goals: Floats) -> Floats:
        return asked.statistic.l1_sensitivity(asked.adjacency) / asked.measure.laplace_mu(goals)

    def goal(self, asked: FrontierQuestion, scale: float) -> float:
        return _at(asked.measure.laplace_goal, asked.statistic.l1_sensitivity(asked.adjacency) / scale)


class Record(ThreatModelNoise):
    """The record's direction is unknown: folded normal or chi-square laws (paper 000 Eqs. 4 and 5)."""

    def adjacency(self, asked: FrontierQuestion) -> Adjacency:
        return Adjacency.ADD_REMOVE

    def scale(self, asked: FrontierQuestion, goals: Floats) -> Floats:
        _check_unknown_record(asked)
        mu = _unknown_mu(asked.measure, asked.statistic.dimension, tuple(goals.tolist()))
        return asked.statistic.sensitivity(Adjacency.ADD_REMOVE) / np.array(mu)

    def goal(self, asked: FrontierQuestion, scale: float) -> float:
        _check_unknown_record(asked)
        statistic, measure = asked.statistic, asked.measure
        mu = np.array([statistic.sensitivity(Adjacency.ADD_REMOVE) / scale])
        if isinstance(measure, PowerMeasure):
            return float(unknown_record.power(mu, statistic.dimension, measure.alpha)[0])
        return float(measure.goal_of_advantage(unknown_record.advantage(mu, statistic.dimension))[0])


def _check_unknown_record(asked: FrontierQuestion) -> None:
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
    if isinstance(measure, PowerMeasure):
        measure.mu(np.array(goals))  # checks them
        found = unknown_record.mu_for_power(np.array(goals), dimension, measure.alpha)
    else:
        found = unknown_record.mu_for_advantage(measure.advantage(np.array(goals)), dimension)
    return tuple(found.tolist())


class Subset(ThreatModelNoise):
    """Who of a pool is used is unknown: by way of DP for the neighbours asked for, the least noise that is proved.

    With independent coins the record is there or not; of exact halves, one has it and one another in its place (see
    ``membership.Game``). The power is concave in the false positive rate, so what holds for every such pair holds for
    the mixtures over all draws. For the advantage this is the noise that keeps eta at half of it (correction 27).
    """

    def bound(self, asked: FrontierQuestion) -> Bound:
        return Bound.LOWER


class OneSwap(Subset):
    """The same attacker by eta alone, half of the advantage (corrections 27, 28): radial noise, the one-swap bound.

    The game is that of exact halves. Of bounded data only the bound is known, and there are data of which every swap is
    as large as it allows: then the mean swap is the largest, and this is differential privacy's noise of that law. With
    the data at hand ``membership.one_swap`` takes less.
    """

    noise = StatisticNoise.RADIAL

    def adjacency(self, asked: FrontierQuestion) -> Adjacency:
        return Adjacency.REPLACE_ONE

    def scale(self, asked: FrontierQuestion, goals: Floats) -> Floats:
        advantages = asked.measure.advantage(goals).tolist()
        return np.array([self._scale(asked.statistic, each) for each in advantages])

    def goal(self, asked: FrontierQuestion, scale: float) -> float:
        return _at(asked.measure.goal_of_advantage, self._advantage(asked.statistic, scale))

    def _scale(self, statistic: Statistic, advantage: float) -> float:
        return statistic.sensitivity(Adjacency.REPLACE_ONE) / _radial(statistic).shift_of(advantage)

    def _advantage(self, statistic: Statistic, scale: float) -> float:
        return float(_radial(statistic).advantage(np.array(statistic.sensitivity(Adjacency.REPLACE_ONE) / scale)))


def _radial(statistic: Statistic) -> SwapNoise:
    """Radial noise on one number is Laplace noise."""
    return SwapNoise.LAPLACE if statistic.dimension == 1 else SwapNoise.NORM


class PaperConstant(OneSwap):
    """The same by the paper's constant 6.16 with M = 2 (paper 002 Cor. 14), from the largest spread over halves."""

    def _scale(self, statistic: Statistic, advantage: float) -> float:
        return corollary_14_scale(0.5 * advantage, statistic.half_spread)

    def _advantage(self, statistic: Statistic, scale: float) -> float:
        return min(2.0 * COROLLARY_14 * float(np.sqrt(statistic.half_spread / scale)), 2.0 * LARGEST_ETA)


class Others(ThreatModelNoise):
    """Only the distribution of the others is known (paper 004 Eq. 9, K = d): they hide the record too.

    n people and noise hide as n + s^2 people would, s in units of the radius: no covariance of contributions in a ball
    exceeds the radius squared. The lesser of this noise and that of Gaussian DP for a replaced record counts.
    """

    def adjacency(self, asked: FrontierQuestion) -> Adjacency:
        return Adjacency.REPLACE_ONE

    def bound(self, asked: FrontierQuestion) -> Bound:
        return Bound.ESTIMATE

    def scale(self, asked: FrontierQuestion, goals: Floats) -> Floats:
        statistic, mu = asked.statistic, asked.measure.mu(goals)
        square = statistic.free_dimension / mu**2 - 0.5 - statistic.people
        own = statistic.radius * np.sqrt(np.maximum(square, 0.0))
        return np.minimum(own, statistic.sensitivity(Adjacency.REPLACE_ONE) / mu)

    def goal(self, asked: FrontierQuestion, scale: float) -> float:
        statistic = asked.statistic
        effective = statistic.people + (scale / statistic.radius) ** 2
        own = float(np.sqrt(statistic.free_dimension / (effective + 0.5)))
        private = statistic.sensitivity(Adjacency.REPLACE_ONE) / scale if scale > 0.0 else np.inf
        return _at(asked.measure.goal, min(own, private))


def _at(function: Callable[[Floats], Floats], value: float) -> float:
    """``function`` of one number; infinite stays infinite."""
    return float(function(np.array([value]))[0]) if isfinite(value) else float("inf")


class Notion(StrEnum):
    """What the attacker knows, and where there is a choice, the law of the noise or the bound it is scaled by."""

    FULL = "full knowledge"
    FULL_LAPLACE = "full knowledge, Laplace noise"
    RECORD = "record unknown"
    SUBSET = "subset unknown"
    SUBSET_SWAP = "subset unknown, one-swap bound"
    SUBSET_PAPER = "subset unknown, paper 002"
    OTHERS = "other records unknown"


@value(eq=False)
class Frontier:
    """Noise and error that keep attack success at or below each of ``goals`` (n,).

    Attributes:
        notion: what the attacker knows.
        goals: largest acceptable success, in the measure asked for.
        scale: noise on the sum (see ``StatisticNoise``), in the unit of a contribution; 0 where none is needed.
        error: of the statistic, from that noise alone.
        noise: its law.
        bound: EXACT, LOWER (a guarantee: less noise may do) or ESTIMATE.
        adjacency: the neighbours the notion compares.
    """

    notion: Notion
    goals: Floats
    scale: Floats
    error: Floats
    noise: StatisticNoise
    bound: Bound
    adjacency: Adjacency


_NOISES: dict[Notion, ThreatModelNoise] = {
    Notion.FULL: ThreatModelNoise(),
    Notion.FULL_LAPLACE: FullLaplace(),
    Notion.RECORD: Record(),
    Notion.SUBSET: Subset(),
    Notion.SUBSET_SWAP: OneSwap(),
    Notion.SUBSET_PAPER: PaperConstant(),
    Notion.OTHERS: Others(),
}


@checked
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
    noise, asked = _NOISES[notion], FrontierQuestion(statistic, measure, adjacency)
    scale = noise.scale(asked, goals)
    error = scale * statistic.unit_error(noise.noise)
    return Frontier(notion, goals, scale, error, noise.noise, noise.bound(asked), noise.adjacency(asked))


@checked
def success(statistic: Statistic, measure: Measure, notion: Notion, adjacency: Adjacency, error: Positive) -> float:
    """Attack success when the noise may cost no more than ``error``; inverse of ``frontier``.

    Raises NoAnswerError where the notion says nothing.
    """
    noise = _NOISES[notion]
    return noise.goal(FrontierQuestion(statistic, measure, adjacency), error / statistic.unit_error(noise.noise))


@checked
def people_needed(
    statistic: Statistic, measure: Measure, notion: Notion, adjacency: Adjacency, goal: float, share: Positive = 1.0
) -> int | None:
    """Fewest people with whom the noise for ``goal`` costs at most ``share`` of what sampling them does.

    None if no number does.

    Raises NoAnswerError where the notion says nothing.
    """
    at = np.array([goal])

    def cheap(people: int) -> bool:
        other = replace(statistic, people=people)
        return bool(frontier(other, measure, notion, adjacency, at).error[0] <= share * other.sampling_error)

    if not cheap(LARGEST_PEOPLE):
        return None
    few, many = 1, LARGEST_PEOPLE  # too few, and enough: what lies between is 2 or more
    while many - few > 1:
        middle = int(np.sqrt(float(few) * many)) if many > 4 * few else (few + many) // 2
        few, many = (few, middle) if cheap(middle) else (middle, many)
    return many
