"""From a limit on attack success to noise and error, and back, under what the attacker may know.

All notions speak of one release. Their neighbours differ: full knowledge takes the adjacency asked for, an unknown
record is one record more or less, the others replace one (the ledger at the end of docs/corrections.md).
"""

from dataclasses import replace
from enum import StrEnum

import numpy as np

from numerics.frontier.measures import Measure
from numerics.frontier.statistics import LARGEST_PEOPLE, Statistic, StatisticNoise
from numerics.frontier.ways import FrontierQuestion, FullLaplace, OneSwapWay, Others, PaperConstant, Record, Subset, Way
from numerics.mechanisms import Adjacency
from numerics.trade_off import Bound, Floats
from numerics.validation import Positive, checked, value


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


_WAYS: dict[Notion, Way] = {
    Notion.FULL: Way(),
    Notion.FULL_LAPLACE: FullLaplace(),
    Notion.RECORD: Record(),
    Notion.SUBSET: Subset(),
    Notion.SUBSET_SWAP: OneSwapWay(),
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
    way, asked = _WAYS[notion], FrontierQuestion(statistic, measure, adjacency)
    scale = way.scale(asked, goals)
    error = scale * statistic.unit_error(way.noise)
    return Frontier(notion, goals, scale, error, way.noise, way.bound(asked), way.adjacency(asked))


@checked
def success(statistic: Statistic, measure: Measure, notion: Notion, adjacency: Adjacency, error: Positive) -> float:
    """Attack success when the noise may cost no more than ``error``; inverse of ``frontier``.

    Raises NoAnswerError where the notion says nothing.
    """
    way = _WAYS[notion]
    return way.goal(FrontierQuestion(statistic, measure, adjacency), error / statistic.unit_error(way.noise))


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
