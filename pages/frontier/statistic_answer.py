"""What protection costs the statistic in force: noise and error of every attacker, told and drawn."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from numerics import frontier as exact
from numerics.calibration import Target
from numerics.frontier import Frontier, NoAnswerError, Notion, Release, Statistic
from numerics.frontier.notions import FrontierQuestion
from numerics.frontier.releases import CalibratedRelease
from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Floats, Order
from pages.frontier import screen
from pages.frontier.limit import Limit, axis
from pages.frontier.screen import Panel, Recommendation
from pages.server.shared_cache import shared_cache
from pages.ui import cached, downloads
from pages.ui.knob import States
from pages.ui.numbers_in_words import CROWD, at_most, counted, one_in, quantity, rounded_up
from pages.ui.release_in_force import ReleaseChoice, delta_of
from pages.ui.sheet_filling import BESIDE, RATES
from pages.ui.threat_models import ATTACKERS
from plotting.noise_frontier import ErrorLine, FrontierWords, Here, Mark, noise_frontier_figure
from reports.audit_report import ReportPart
from reports.rounding import capitalised, nearest

FREE = 0.1
"""Of the sampling error: noise below it adds half a percent to the error in all."""
_POINTS = 60
_PEOPLE = tuple(int(n) for n in np.unique(np.round(np.geomspace(10, 1e9, 65))))
_ROUNDING, _EXACT = 1e-9, 1e-12  # relative: of errors that are compared, and of what an inverse gives back
_WEAK_RATE = 0.5


DRAWN = (Notion.FULL, Notion.RECORD, Notion.SUBSET, Notion.OTHERS)
"""Those that have a line, by what all pages know of their attackers, in that order."""
# The others say how else noise could be chosen, in the table.
_BESIDE = {
    Notion.FULL_LAPLACE: "As full knowledge, with Laplace noise in place of Gaussian.",
    Notion.SUBSET_SWAP: "Subset unknown, by η alone, with radial noise and the one-swap bound, for the worst data.",
    Notion.SUBSET_PAPER: "The same, with the noise of paper 002's constants.",
}


def knows(notion: Notion) -> str:
    """What the attacker has, and what is hidden from it."""
    if notion in _BESIDE:
        return _BESIDE[notion]
    model = ATTACKERS[DRAWN.index(notion)]
    return capitalised(f"{model.knows}; hidden: {model.hidden}.")


@dataclass(frozen=True)
class StatisticSetting:
    """What the view says in this run: the statistic with how success is stated and its neighbours, and the limit."""

    asked: FrontierQuestion
    limit: Limit

    @property
    def released(self) -> Statistic:
        """The statistic."""
        return self.asked.statistic

    @property
    def goal(self) -> float:
        """The largest acceptable success."""
        return self.limit.found


@shared_cache
def line(asked: FrontierQuestion, notion: Notion) -> Frontier:
    """Noise and error against attack success, from next to guessing to next to certainty."""
    alpha = asked.measure.guessing
    ends = min(1.05 * alpha, 0.99 + 0.01 * alpha), 0.999 + 0.001 * alpha
    return exact.frontier(asked.statistic, asked.measure, notion, asked.adjacency, np.geomspace(*ends, _POINTS))


def at(asked: FrontierQuestion, notion: Notion, goal: float) -> Frontier:
    """Noise and error at one goal."""
    return exact.frontier(asked.statistic, asked.measure, notion, asked.adjacency, np.array([goal]))


@shared_cache
def errors_by_people(asked: FrontierQuestion, notion: Notion, goal: float) -> Floats:
    """The error (n,) with so many ``_PEOPLE`` (n,)."""
    people = (replace(asked, statistic=replace(asked.statistic, people=n)) for n in _PEOPLE)
    return np.array([at(one, notion, goal).error[0] for one in people])


def people_needed(asked: FrontierQuestion, notion: Notion, goal: float, share: float = 1.0) -> int | None:
    """Fewest people with whom the noise costs at most ``share`` of what sampling does."""
    return exact.people_needed(asked.statistic, asked.measure, notion, asked.adjacency, goal, share)


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


def beside(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> list[Frontier]:
    """Attackers that are drawn: those about the neighbours asked for."""
    return [cost for cost in found.values() if cost.notion in DRAWN and is_beside(setting, cost)]


def apart(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> str:
    """Which others are about other neighbours; empty if none is."""
    drawn = [cost for cost in found.values() if cost.notion in DRAWN]
    others = [str(cost.notion) for cost in drawn if not is_beside(setting, cost)]
    if not others:
        return ""
    return f"Apart: {', '.join(others)}, where one record is replaced. Replace-one neighbours show it. "


def said(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> Recommendation:
    """The noise to choose for the limit, and what it costs beside what sampling costs anyway.

    If the attacker knows all but the noise; and why one that knows less costs more, where one is drawn that does.
    """
    full, released = found[Notion.FULL], setting.released
    are = "is" if released.label.startswith("a ") else "are"
    relative = number(100.0 * error(full) / released.sampling_error)
    sentence = (
        f"For {setting.limit.headline}, choose noise **{_scale(full)}**: {released.label} {are} off by "
        f"**{number(error(full))}**, **{relative} %** of the sampling error."
    )
    others, reason = found.get(Notion.OTHERS), ""
    if others is not None and error(others) > error(full) * (1.0 + _ROUNDING):
        dearer = f"{others.notion.capitalize()} costs more, {number(error(others))}"
        reason = f"{dearer}: a record is replaced there, which moves the sum twice as far."
    weak = "**This limit protects little:** it lets the attacker find most of the members."
    warning = weak if setting.goal > _WEAK_RATE else ""
    return Recommendation(sentence, verdict(setting, found), reason, warning)


def _scale(cost: Frontier) -> str:
    return rounded_up(float(cost.scale[0]))


def verdict(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> str:
    """From how many people on protection is practically free; and which noise is enough if the attacker knows less."""
    people = people_needed(setting.asked, Notion.FULL, setting.goal, FREE)
    meant = f"below {100.0 * FREE:g} % of the sampling error"
    free = f"never practically free ({meant})."
    if people is not None:
        is_free = error(found[Notion.FULL]) <= FREE * setting.released.sampling_error
        free = f"practically free{', as' if is_free else ''} from **{people:,}** people on ({meant})."
    words = [f":green-badge[✓ {found[Notion.FULL].bound.value.capitalize()}] {free[0].upper()}{free[1:]}"]
    for notion in (Notion.RECORD, Notion.OTHERS):
        if notion in found and is_beside(setting, found[notion]):
            enough = f"noise **{_scale(found[notion])}**" if error(found[notion]) else "no noise"
            words.append(f"{notion.capitalize()}: {enough}{' (estimate)' if notion is Notion.OTHERS else ''}.")
    return " ".join(words)


def number(size: float) -> str:
    """An error to three digits."""
    return f"{size:,.0f}" if size >= 999.5 else nearest(size, 3)


def noise(cost: Frontier) -> str:
    """Its law and scale, on the sum."""
    scale = float(cost.scale[0])
    return "none needed" if scale == 0.0 else f"{cost.noise}, {nearest(scale)}"


def table(setting: StatisticSetting, found: Mapping[Notion, Frontier]) -> dict[str, list[str]]:
    """Every notion's noise and error as the columns of a table."""

    def people(cost: Frontier, share: float) -> str:
        needed = people_needed(setting.asked, cost.notion, setting.goal, share)
        return "never" if needed is None else f"{needed:,}"

    costs = found.values()
    return {
        "attacker": [cost.notion.value for cost in costs],
        "knows": [knows(cost.notion) for cost in costs],
        "noise": [noise(cost) for cost in costs],
        "error": [number(error(cost)) for cost in costs],
        "people needed": [people(cost, 1.0) for cost in costs],
        "practically free from": [people(cost, FREE) for cost in costs],
        "neighbours": [cost.adjacency.value for cost in costs],
        "kind": [cost.bound.value for cost in costs],
    }


def reached(setting: StatisticSetting, accepted: float) -> dict[str, list[str]]:
    """What every attacker of the chosen neighbours reaches at an error that is accepted, as the columns of a table."""
    columns: dict[str, list[str]] = {"attacker": [], "reaches": [], "in words": [], "kind": []}
    for cost in at_limit(setting)[0].values():
        if is_beside(setting, cost):
            most = success(setting.asked, cost.notion, accepted) * (1.0 - _EXACT)
            found = at_most(min(most, 1.0))
            words = f"{found} members found while {counted(setting.limit.alpha, found.of)} outsiders are accused"
            for column, cell in zip(
                columns.values(), (cost.notion.value, rounded_up(most), words, cost.bound.value), strict=True
            ):
                column.append(cell)
    return columns


# The sheet: the noise that full knowledge asks for.


def release(setting: StatisticSetting, full: Frontier) -> ReleaseChoice:
    """The same noise as a mechanism of the other pages: one release, in units of what a record moves the sum by."""
    adjacency, released = setting.asked.adjacency, setting.released
    noise = float(full.scale[0]) * adjacency.reach / released.sensitivity(adjacency)
    delta = delta_of(released.people)
    return ReleaseChoice(
        Gaussian(noise, adjacency=adjacency),
        setting.limit.alpha,
        Order.ADD,
        delta,
        setting.limit.found,
        released.people,
    )


def mechanism(setting: StatisticSetting, full: Frontier) -> str:
    """The noise and what it hides, for the field of a report."""
    most = setting.released.sensitivity(setting.asked.adjacency)
    return f"{noise(full)}: the standard deviation on the sum, which one record changes by at most {most:.4g}."


def promises(setting: StatisticSetting, full: Frontier) -> tuple[ReportPart, ...]:
    """What this noise promises against each attacker whose noise it is, and full knowledge's at other error rates."""
    columns = reached(setting, error(full))
    rows = tuple(row for row in zip(*columns.values(), strict=True) if row[0] in DRAWN)
    head = ("Attacker", "Members found", "In words", "Kind")
    private = release(setting, full).mechanism
    powers = (cached.power(private, rate, Order.ADD).upper * (1.0 - _EXACT) for rate in RATES)
    found = (("Members found, at most", *map(rounded_up, powers)),)
    return (
        ReportPart("What it promises, against whom", rows, head, f"Neighbours: {setting.asked.adjacency}. {BESIDE}"),
        ReportPart("At error rates", found, ("Outsiders falsely accused", *map(one_in, RATES)), "Full knowledge."),
    )


# The figures.


def lines(setting: StatisticSetting, costs: Iterable[Frontier]) -> list[ErrorLine]:
    """Error against attack success, a line per attacker."""
    found = [line(setting.asked, cost.notion) for cost in costs]
    return [_line(one, one.goals, one.error) for one in found]


def _line(cost: Frontier, across: Floats, up: Floats) -> ErrorLine:
    place = DRAWN.index(cost.notion)
    return ErrorLine(ATTACKERS[place].short, across, up, cost.bound, place)


def lines_table(shown: Sequence[ErrorLine], notes: Mapping[str, str]) -> str:
    """CSV of all lines below each other, told apart by the column ``attacker``."""
    columns: dict[str, Floats | list[str]] = {
        "attacker": [one.label for one in shown for _ in one.across],
        "kind of bound": [one.bound.value for one in shown for _ in one.across],
        "attack success": np.concatenate([one.across for one in shown]),
        "error": np.concatenate([one.error for one in shown]),
    }
    return downloads.table(columns, notes)


def panels(setting: StatisticSetting, found: Mapping[Notion, Frontier], shown: Sequence[ErrorLine]) -> list[Panel]:
    """Error against attack success, where the limit is marked on every line, and against the number of people."""
    costs, here, unit = beside(setting, found), CROWD * setting.goal, setting.released.unit

    def sampling(across: Floats, errors: Floats) -> ErrorLine:
        return ErrorLine("sampling error", across, errors, Bound.EXACT, 0)

    by_success = [replace(one, across=CROWD * one.across) for one in shown]
    first, last = zip(*((float(one.across[0]), float(one.across[-1])) for one in by_success), strict=True)
    ends = np.array([min(first), max(last)])
    marks = [
        Mark(f"{cost.notion}: off by {number(error(cost))}", here, error(cost), DRAWN.index(cost.notion))
        for cost in costs
    ]
    over_success = noise_frontier_figure(
        by_success,
        sampling(ends, np.full(2, setting.released.sampling_error)),
        FREE,
        marks,
        Here(here, f"my limit, {quantity(here)}"),
        FrontierWords(
            axis(setting.limit.alpha),
            f"Error from the noise — {unit}",
            f"At most %{{x:,.4~g}} of {CROWD:,} members found: off by about %{{y:.3~g}}",
        ),
    )
    people = np.array(_PEOPLE, dtype=float)
    crossings = [mark for cost in costs for mark in crossing(setting, cost.notion)]
    over_people = noise_frontier_figure(
        [_line(cost, people, errors_by_people(setting.asked, cost.notion, setting.goal)) for cost in costs],
        sampling(people, np.array([replace(setting.released, people=n).sampling_error for n in _PEOPLE])),
        FREE,
        crossings,
        Here(float(setting.released.people), "my people"),
        FrontierWords(
            "People in the statistic, n",
            f"Error at this limit — {unit}",
            "%{x:.3~s} people: off by about %{y:.3~g}",
            are_powers=True,
        ),
    )
    crossed = "; ".join(mark.text for mark in crossings) or "No line meets the sampling error."
    return [
        Panel(
            "Error against the limit",
            over_success,
            f"The error falls as the attack may reach more. With {setting.limit.full}: "
            f"{'; '.join(mark.text for mark in marks)}.",
            "frontier.by_success",
            f"{apart(setting, found)}Where a line is missing, no noise is needed. Sampling error: the largest there "
            "can be; of a histogram, that of bins filled alike.",
        ),
        Panel(
            "Error against people",
            over_people,
            f"The error against the number of people, for the same limit. {crossed}",
            "frontier.by_people",
            "Diamonds: from so many people on, noise costs no more than sampling; in the grey area, next to nothing.",
        ),
    ]


@shared_cache
def states(asked: FrontierQuestion) -> States:
    """What the view says and draws at every limit of the slider."""

    def shown(limit: Limit) -> tuple[Recommendation, list[Panel]]:
        setting = StatisticSetting(asked, limit)
        found, _ = at_limit(setting)
        return said(setting, found), panels(setting, found, lines(setting, beside(setting, found)))

    return screen.states(asked.measure.guessing, shown)


def crossing(setting: StatisticSetting, notion: Notion) -> list[Mark]:
    """Where the noise costs as much as sampling does; none where the figure does not reach, or no noise is left."""
    people = people_needed(setting.asked, notion, setting.goal)
    if people is None or not _PEOPLE[0] <= people <= _PEOPLE[-1]:
        return []
    asked = replace(setting.asked, statistic=replace(setting.released, people=people))
    cost = error(at(asked, notion, setting.goal))
    text = f"{notion}: from {people:,} people on, protection costs no more than sampling"
    return [Mark(text, float(people), cost, DRAWN.index(notion))] if cost > 0.0 else []
