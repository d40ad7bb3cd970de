"""What protection costs the statistic in force: noise and error of every attacker, told and drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from math import exp
from typing import NamedTuple

import numpy as np

from numerics import frontier as exact
from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget, Target
from numerics.frontier import (
    AdvantageMeasure,
    EpsilonMeasure,
    Frontier,
    Measure,
    NoAnswerError,
    Notion,
    PowerMeasure,
    Statistic,
)
from numerics.frontier.notions import FrontierQuestion
from numerics.frontier.releases import CalibratedRelease, Release
from numerics.trade_off import Bound, Floats
from pages.frontier import limits
from pages.frontier.limits import Limit
from pages.frontier.screen import Panel, Recommendation
from pages.server.shared_cache import shared_cache
from pages.ui import downloads
from pages.ui.numbers_in_words import CROWD, as_entered, at_most, counted, rounded_up
from pages.ui.threat_models import FULL, OTHERS, RELAXED, SAMPLE
from plotting.noise_frontier import ErrorLine, FrontierWords, Here, Mark, noise_frontier_figure

FREE = 0.1
"""Of the sampling error: noise below it adds half a percent to the error in all."""
_POINTS = 60
_LEAST_EPSILON, _MOST_EPSILON = 0.01, 20.0  # of the figure; e^20 is beyond any odds anybody has
_PEOPLE = tuple(int(n) for n in np.unique(np.round(np.geomspace(10, 1e9, 65))))
_ROUNDING = 1e-9
_WEAK_RATE, _WEAK_EPSILON = 0.5, 10.0


class Extra(StrEnum):
    """What can be drawn beside the four attackers; the values are the labels, and the values in the URL."""

    LAPLACE = "Laplace noise"
    SWAP = "subset: one-swap bound"
    PAPER = "subset: paper 002"


class Attacker(NamedTuple):
    """How an attacker is drawn and told.

    Attributes:
        name: on its line: as on every page, where that is short enough.
        color: place of its kind in the theme's list.
        variant: 0 for the first line of its colour.
        knows: what it knows, for the table.
        also: whether it is drawn only when it is asked for.
        dearer: why it may cost more than full knowledge.
    """

    name: str
    color: int
    variant: int
    knows: str
    also: Extra | None = None
    dearer: str = ""


ATTACKERS: Mapping[Notion, Attacker] = {
    Notion.FULL: Attacker(FULL.short, 0, 0, "The attacker knows everything but the noise (differential privacy)."),
    Notion.FULL_LAPLACE: Attacker(
        f"{FULL.short}, Laplace noise",
        0,
        1,
        "As full knowledge, with Laplace noise in place of Gaussian.",
        Extra.LAPLACE,
    ),
    Notion.RECORD: Attacker(
        RELAXED.short,
        1,
        0,
        "The attacker knows all other records, but not the one looked for (relaxed threat model).",
    ),
    Notion.SUBSET: Attacker(
        SAMPLE.short,
        2,
        0,
        "The attacker knows a pool twice as large, but not who of it is used (η-MIP): drawn by independent coins for "
        "one record more or less, exactly half for a replaced one. While the data are not known, no less noise is "
        "proved than full knowledge's.",
    ),
    Notion.SUBSET_SWAP: Attacker(
        Notion.SUBSET_SWAP.value,
        2,
        2,
        "The same by η alone, with radial noise and the one-swap bound, for the worst bounded data.",
        Extra.SWAP,
        "it goes by η alone and by radial noise, and while the data are not known every swap may move the sum as far "
        "as one record can",
    ),
    Notion.SUBSET_PAPER: Attacker(
        Notion.SUBSET_PAPER.value,
        2,
        3,
        "The same, with the noise of paper 002's constants.",
        Extra.PAPER,
        "its noise is scaled by the spread over halves and a large constant",
    ),
    Notion.OTHERS: Attacker(
        OTHERS.short,
        3,
        0,
        "The attacker knows the record and how the others are distributed, no more (Gaussian MIP, K = d): an estimate.",
        None,
        "a record is *replaced* there, which moves the sum twice as far",
    ),
}


@dataclass(frozen=True)
class StatisticSetting:
    """What the view says in this run; ``goal`` is the largest acceptable success, ``log`` is about the errors' axis."""

    asked: FrontierQuestion
    goal: float
    also: tuple[Extra, ...]
    log: bool

    @property
    def released(self) -> Statistic:
        """The statistic."""
        return self.asked.statistic

    @property
    def measure(self) -> Measure:
        """How attack success is stated."""
        return self.asked.measure

    @property
    def limit(self) -> Limit:
        """The largest acceptable success, as noise is calibrated to it."""
        if isinstance(self.measure, PowerMeasure):
            return PowerTarget(self.goal, self.measure.alpha)
        if isinstance(self.measure, EpsilonMeasure):
            return EpsilonTarget(self.goal, self.measure.delta)
        return AdvantageTarget(self.goal)


# Cached answers: bounded, pure, nothing uploaded.


@shared_cache
def line(asked: FrontierQuestion, notion: Notion) -> Frontier:
    """Noise and error against attack success, from next to guessing to next to certainty."""
    ends = (1e-3, 0.99) if isinstance(asked.measure, AdvantageMeasure) else (_LEAST_EPSILON, _MOST_EPSILON)
    if isinstance(asked.measure, PowerMeasure):
        alpha = asked.measure.alpha
        ends = min(1.05 * alpha, 0.99 + 0.01 * alpha), 0.999
    return exact.frontier(asked.statistic, asked.measure, notion, asked.adjacency, np.geomspace(*ends, _POINTS))


@shared_cache
def at(asked: FrontierQuestion, notion: Notion, goal: float) -> Frontier:
    """Noise and error at one goal."""
    return exact.frontier(asked.statistic, asked.measure, notion, asked.adjacency, np.array([goal]))


@shared_cache
def errors_by_people(asked: FrontierQuestion, notion: Notion, goal: float) -> Floats:
    """The error (n,) with so many ``_PEOPLE`` (n,)."""
    people = (replace(asked, statistic=replace(asked.statistic, people=n)) for n in _PEOPLE)
    return np.array([at(one, notion, goal).error[0] for one in people])


@shared_cache
def people_needed(asked: FrontierQuestion, notion: Notion, goal: float, share: float = 1.0) -> int | None:
    """Fewest people with whom the noise costs at most ``share`` of what sampling does."""
    return exact.people_needed(asked.statistic, asked.measure, notion, asked.adjacency, goal, share)


@shared_cache
def success(asked: FrontierQuestion, notion: Notion, error: float) -> float:
    """Attack success when the noise may cost ``error``."""
    return exact.success(asked.statistic, asked.measure, notion, asked.adjacency, error)


@shared_cache
def kept(release: Release, target: Target) -> CalibratedRelease:
    """The least noise with which a release that is no sum with Gaussian noise keeps a limit."""
    return release.kept(target)


def at_limit(setting: StatisticSetting) -> tuple[dict[Notion, Frontier], dict[Notion, str]]:
    """Noise and error of every attacker at the limit, in the order of what it knows; and why the others have none."""
    found, refused = dict[Notion, Frontier](), dict[Notion, str]()
    for notion in Notion:
        try:
            found[notion] = at(setting.asked, notion, setting.goal)
        except NoAnswerError as reason:
            refused[notion] = str(reason)
    return found, refused


def error(cost: Frontier) -> float:
    """At the limit."""
    return float(cost.error[0])


def is_beside(setting: StatisticSetting, cost: Frontier) -> bool:
    """Whether it is about the neighbours asked for, so that it may stand beside full knowledge."""
    return cost.adjacency is setting.asked.adjacency


def _wanted(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> list[Frontier]:
    return [cost for notion, cost in found.items() if ATTACKERS[notion].also in (None, *setting.also)]


def drawn(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> list[Frontier]:
    """What the visitor wants to see of the neighbours asked for."""
    return [cost for cost in _wanted(setting, found) if is_beside(setting, cost)]


def apart(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> str:
    """Which of those that the visitor wants to see are about other neighbours; empty if none is."""
    others = [f"**{cost.notion}**" for cost in _wanted(setting, found) if not is_beside(setting, cost)]
    if not others:
        return ""
    return (
        f"Apart: {', '.join(others)}. There one record is replaced, which is another question. Choose replace-one "
        "neighbours to see it beside full knowledge."
    )


def said(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> Recommendation:
    """The noise to choose for the limit, and what it costs beside what sampling costs anyway.

    If the attacker knows all but the noise; and why one that knows less costs more, where one is drawn that does.
    """
    full, released = found[Notion.FULL], setting.released
    are = "is" if released.label.startswith("a ") else "are"
    relative = number(100.0 * error(full) / released.sampling_error)
    sentence = (
        f"For {limits.words(setting.limit).headline}, choose noise **{_scale(full)}**: {released.label} {are} off by "
        f"**{number(error(full))}**, **{relative} %** of the sampling error."
    )
    most = error(full) * (1.0 + _ROUNDING)
    reason = " ".join(
        f"{cost.notion.capitalize()} costs more, {number(error(cost))}: {ATTACKERS[cost.notion].dearer}."
        for cost in _wanted(setting, found)
        if ATTACKERS[cost.notion].dearer and error(cost) > most
    )
    return Recommendation(sentence, full.bound, verdict(setting, found), reason, weakness(setting))


def _scale(cost: Frontier) -> str:
    return rounded_up(float(cost.scale[0]))


def verdict(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> str:
    """From how many people on protection is practically free; and which noise is enough if the attacker knows less."""
    people = people_needed(setting.asked, Notion.FULL, setting.goal, FREE)
    meant = f"below {100.0 * FREE:g} % of the sampling error"
    words = [f"Practically free from **{people:,}** people on ({meant})."]
    if people is None:
        words = [f"Never practically free ({meant})."]
    elif error(found[Notion.FULL]) <= FREE * setting.released.sampling_error:
        words = [f":green[:material/check_circle:] Practically free, as from **{people:,}** people on ({meant})."]
    for notion in (Notion.RECORD, Notion.OTHERS):
        if notion in found and is_beside(setting, found[notion]):
            enough = f"noise **{_scale(found[notion])}**" if error(found[notion]) else "no noise"
            words.append(f"{notion.capitalize()}: {enough}{' (estimate)' if notion is Notion.OTHERS else ''}.")
    return " ".join(words)


def number(size: float) -> str:
    """An error to three digits."""
    return f"{size:,.0f}" if size >= 1000.0 else f"{size:.3g}"


def weakness(setting: StatisticSetting) -> str:
    """Words for a limit that protects little; empty for one that does."""
    if isinstance(setting.measure, EpsilonMeasure):
        promise = f"**An ε of {setting.goal:g} promises little:** look at what the attack finds instead."
        return promise if setting.goal > _WEAK_EPSILON else ""
    protects = "**This limit protects little:** it lets the attacker find most of the members."
    return protects if setting.goal > _WEAK_RATE else ""


def table(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> dict[str, list[str]]:
    """Every notion's noise and error as the columns of a table."""

    def people(cost: Frontier, share: float) -> str:
        needed = people_needed(setting.asked, cost.notion, setting.goal, share)
        return "never" if needed is None else f"{needed:,}"

    costs = found.values()
    return {
        "attacker": [cost.notion.value for cost in costs],
        "knows": [ATTACKERS[cost.notion].knows for cost in costs],
        "noise": [noise(cost) for cost in costs],
        "error": [number(error(cost)) for cost in costs],
        "people needed": [people(cost, 1.0) for cost in costs],
        "practically free from": [people(cost, FREE) for cost in costs],
        "neighbours": [cost.adjacency.value for cost in costs],
        "kind": [cost.bound.value for cost in costs],
    }


def noise(cost: Frontier) -> str:
    """Its law and scale, on the sum."""
    scale = float(cost.scale[0])
    return "none needed" if scale == 0.0 else f"{cost.noise}, {scale:.4g}"


def reached(setting: StatisticSetting, accepted: float) -> dict[str, list[str]]:
    """What every attacker of the chosen neighbours reaches at an error that is accepted, as the columns of a table."""
    columns: dict[str, list[str]] = {"attacker": [], "reaches at most": [], "in words": []}
    for notion in Notion:
        try:
            if not is_beside(setting, at(setting.asked, notion, setting.goal)):
                continue
            most = success(setting.asked, notion, accepted)
        except NoAnswerError:
            continue
        name = f"{notion} (estimate)" if notion is Notion.OTHERS else notion.value
        row = name, rounded_up(most), _in_words(setting.measure, most, notion)
        for column, cell in zip(columns.values(), row, strict=True):
            column.append(cell)
    return columns


def _in_words(measure: Measure, reached: float, notion: Notion) -> str:
    """What a success means for people; only full knowledge has an epsilon of its own."""
    if isinstance(measure, EpsilonMeasure):
        if notion not in (Notion.FULL, Notion.FULL_LAPLACE):
            return "the advantage is that of Gaussian noise with this ε"
        if reached == 0.0:
            return f"the advantage is at most δ = {as_entered(measure.delta)}"
        if reached > _MOST_EPSILON:
            return "hardly any limit: the odds about one person may move by any factor"
        return f"the odds about one person move by a factor of at most {rounded_up(exp(reached))}"
    most = at_most(min(reached, 1.0))
    if isinstance(measure, PowerMeasure):
        return f"{most} members found while {counted(measure.alpha, most.of)} outsiders are accused"
    return f"of {most.of:,} members {most.count:,} more found than accused of {most.of:,} outsiders"


def lines(setting: StatisticSetting, costs: Iterable[Frontier]) -> list[ErrorLine]:
    """Error against attack success, a line per attacker."""
    found = [line(setting.asked, cost.notion) for cost in costs]
    return [_line(one, one.goals, one.error) for one in found]


def _line(cost: Frontier, across: Floats, up: Floats) -> ErrorLine:
    attacker = ATTACKERS[cost.notion]
    return ErrorLine(attacker.name, across, up, cost.bound, attacker.color, attacker.variant)


def _sampling(across: Floats, up: Floats) -> ErrorLine:
    """The sampling error, which is drawn as a reference."""
    return ErrorLine("sampling error", across, up, Bound.EXACT, 0)


def lines_table(shown: Sequence[ErrorLine], notes: Mapping[str, str]) -> str:
    """CSV of all lines below each other, told apart by the column ``attacker``."""
    columns: dict[str, Floats | list[str]] = {
        "attacker": [one.label for one in shown for _ in one.across],
        "kind of bound": [one.bound.value for one in shown for _ in one.across],
        "attack success": np.concatenate([one.across for one in shown]),
        "error": np.concatenate([one.error for one in shown]),
    }
    return downloads.table(columns, notes)


def panels(setting: StatisticSetting, costs: list[Frontier], shown: list[ErrorLine]) -> list[Panel]:
    """Error against attack success, where the limit is marked on every line, and against the number of people."""
    said_limit, unit = limits.words(setting.limit), setting.released.unit
    here = said_limit.unit * setting.goal
    by_success = [replace(one, across=said_limit.unit * one.across) for one in shown]
    ends = np.array([min(one.across[0] for one in by_success), max(one.across[-1] for one in by_success)])
    marks = [
        Mark(f"{cost.notion}: off by {number(error(cost))}", here, error(cost), ATTACKERS[cost.notion].color)
        for cost in costs
    ]
    over_success = noise_frontier_figure(
        by_success,
        _sampling(ends, np.full(2, setting.released.sampling_error)),
        FREE,
        marks,
        Here(here, f"at most {here:,.4g}"),
        FrontierWords(
            said_limit.axis, f"Error from the noise — {unit}", f"{_point(setting.measure)}: off by about %{{y:.3~g}}"
        ),
        setting.log,
    )
    limit = f"{said_limit.full}: {'; '.join(mark.text for mark in marks)}."
    people = np.array(_PEOPLE, dtype=float)
    crossings = [mark for cost in costs for mark in crossing(setting, cost.notion)]
    over_people = noise_frontier_figure(
        [_line(cost, people, errors_by_people(setting.asked, cost.notion, setting.goal)) for cost in costs],
        _sampling(people, np.array([replace(setting.released, people=n).sampling_error for n in _PEOPLE])),
        FREE,
        crossings,
        Here(float(setting.released.people), "my people"),
        FrontierWords(
            "People in the statistic, n",
            f"Error at this limit — {unit}",
            "%{x:.3~s} people: off by about %{y:.3~g}",
            are_powers=True,
        ),
        setting.log,
    )
    crossed = "; ".join(mark.text for mark in crossings) or "No line meets the sampling error."
    return [
        Panel(
            "Error against the limit",
            over_success,
            f"The error falls as the attack may reach more. With {limit}",
            "frontier.by_success",
            "Where a line is missing, no noise is needed, or that notion compares other pairs of data sets. Sampling "
            "error: the largest there can be; of a histogram, that of bins filled alike.",
        ),
        Panel(
            "Error against people",
            over_people,
            f"The error against the number of people, for the same limit. {crossed}",
            "frontier.by_people",
            "Diamonds: from so many people on, noise costs no more than sampling; in the grey area, next to nothing.",
        ),
    ]


def crossing(setting: StatisticSetting, notion: Notion) -> list[Mark]:
    """Where the noise costs as much as sampling does; none where the figure does not reach, or no noise is left."""
    people = people_needed(setting.asked, notion, setting.goal)
    if people is None or not _PEOPLE[0] <= people <= _PEOPLE[-1]:
        return []
    asked = replace(setting.asked, statistic=replace(setting.released, people=people))
    cost = error(at(asked, notion, setting.goal))
    text = f"{notion}: from {people:,} people on, protection costs no more than sampling"
    return [Mark(text, float(people), cost, ATTACKERS[notion].color)] if cost > 0.0 else []


def _point(measure: Measure) -> str:
    if isinstance(measure, PowerMeasure):
        return f"At most %{{x:,.4~g}} of {CROWD:,} members found"
    return f"At most %{{x:,.4~g}} more of {CROWD:,}" if isinstance(measure, AdvantageMeasure) else "ε at most %{x:.3~g}"
