"""The statistic view's figures: error against attack success, and error against the number of people."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from numerics.frontier import AdvantageMeasure, Frontier, Measure, Notion, PowerMeasure
from numerics.trade_off import Bound, Floats
from pages.frontier.limits import axis, in_full, unit
from pages.frontier.screen import Panel
from pages.frontier.statistic import cached
from pages.frontier.statistic.answers import FREE, error, number
from pages.frontier.statistic.controls import StatisticSetting
from pages.ui.csv_tables import table
from pages.ui.numbers_in_words import CROWD
from pages.ui.threat_models.notions import FULL, OTHERS, RELAXED, SAMPLE
from plotting.noise_frontier import ErrorLine, FrontierWords, Here, Mark, noise_frontier_figure

_COLORS = {
    Notion.FULL: (0, 0),
    Notion.FULL_LAPLACE: (0, 1),
    Notion.RECORD: (1, 0),
    Notion.SUBSET: (2, 0),
    Notion.SUBSET_SWAP: (2, 2),
    Notion.SUBSET_PAPER: (2, 3),
    Notion.OTHERS: (3, 0),
}
# As on every page, and short enough for a line.
_NAMES = {
    Notion.FULL: FULL.short,
    Notion.FULL_LAPLACE: f"{FULL.short}, Laplace noise",
    Notion.RECORD: RELAXED.short,
    Notion.SUBSET: SAMPLE.short,
    Notion.OTHERS: OTHERS.short,
}
_PEOPLE = "People in the statistic, n"
_SAMPLING = "sampling error"
_PLAIN = (Bound.EXACT, 0)  # kind and colour of the sampling error, which is drawn as a reference


def lines(setting: StatisticSetting, drawn: list[Frontier]) -> list[ErrorLine]:
    """Error against attack success, a line per attacker."""
    found = [cached.line(setting.asked, cost.notion) for cost in drawn]
    return [_line(one, one.goals, one.error) for one in found]


def _line(cost: Frontier, across: Floats, up: Floats) -> ErrorLine:
    name = _NAMES.get(cost.notion, cost.notion.value)
    return ErrorLine(name, across, up, cost.bound, *_COLORS[cost.notion])


def lines_table(lines: Sequence[ErrorLine], notes: Mapping[str, str]) -> str:
    """CSV of all lines below each other, told apart by the column ``attacker``."""
    columns: dict[str, Floats | Sequence[str]] = {
        "attacker": [line.label for line in lines for _ in line.across],
        "kind of bound": [line.bound.value for line in lines for _ in line.across],
        "attack success": np.concatenate([line.across for line in lines]),
        "error": np.concatenate([line.error for line in lines]),
    }
    return table(columns, notes)


def by_success(setting: StatisticSetting, drawn: list[Frontier], over: list[ErrorLine]) -> Panel:
    """The first figure; the limit is marked on every line."""
    times = unit(setting.limit)
    own = setting.released.sampling_error
    shown = [replace(line, across=times * line.across) for line in over]
    ends = np.array([min(line.across[0] for line in shown), max(line.across[-1] for line in shown)])
    sampling = ErrorLine(_SAMPLING, ends, np.full(2, own), *_PLAIN)
    here = times * setting.goal
    marks = [
        Mark(f"{cost.notion}: off by {number(error(cost))}", here, error(cost), _COLORS[cost.notion][0])
        for cost in drawn
    ]
    up = f"Error from the noise — {setting.released.unit}"
    words = FrontierWords(axis(setting.limit), up, f"{_point(setting.measure)}: off by about %{{y:.3~g}}")
    figure = noise_frontier_figure(shown, sampling, FREE, marks, Here(here, f"at most {here:,.4g}"), words, setting.log)
    limit = f"{in_full(setting.limit)}: {'; '.join(mark.text for mark in marks)}."
    alt = f"The error falls as the attack may reach more. With {limit}"
    return Panel("Error against the limit", figure, alt, "frontier.by_success", _GAPS)


def by_people(setting: StatisticSetting, drawn: list[Frontier]) -> Panel:
    """The second figure; where a line meets the sampling error is marked."""
    over = [_line(cost, *cached.by_people(setting.asked, cost.notion, setting.goal)) for cost in drawn]
    sampling = ErrorLine(_SAMPLING, *cached.sampling_by_people(setting.released), *_PLAIN)
    marks = [mark for cost in drawn for mark in crossing(setting, cost.notion)]
    up = f"Error at this limit — {setting.released.unit}"
    words = FrontierWords(_PEOPLE, up, "%{x:.3~s} people: off by about %{y:.3~g}", are_powers=True)
    here = Here(float(setting.released.people), "my people")
    figure = noise_frontier_figure(over, sampling, FREE, marks, here, words, setting.log)
    said = "; ".join(mark.text for mark in marks) or "No line meets the sampling error."
    alt = f"The error against the number of people, for the same limit. {said}"
    return Panel("Error against people", figure, alt, "frontier.by_people", _DIAMONDS)


_GAPS = (
    "Where a line is missing, no noise is needed, or that notion compares other pairs of data sets. Sampling error: "
    "the largest there can be; of a histogram, that of bins filled alike."
)
_DIAMONDS = "Diamonds: from so many people on, noise costs no more than sampling; in the grey area, next to nothing."


def crossing(setting: StatisticSetting, notion: Notion) -> list[Mark]:
    """Where the noise costs as much as sampling does; none where the figure does not reach, or no noise is left."""
    people = cached.people_needed(setting.asked, notion, setting.goal)
    across, _ = cached.by_people(setting.asked, notion, setting.goal)
    if people is None or not across[0] <= people <= across[-1]:
        return []
    asked = replace(setting.asked, statistic=replace(setting.released, people=people))
    cost = error(cached.at(asked, notion, setting.goal))
    text = f"{notion}: from {people:,} people on, protection costs no more than sampling"
    return [Mark(text, float(people), cost, _COLORS[notion][0])] if cost > 0.0 else []


def _point(measure: Measure) -> str:
    if isinstance(measure, PowerMeasure):
        return f"At most %{{x:,.4~g}} of {CROWD:,} members found"
    return f"At most %{{x:,.4~g}} more of {CROWD:,}" if isinstance(measure, AdvantageMeasure) else "ε at most %{x:.3~g}"
