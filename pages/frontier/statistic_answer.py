"""What protection costs the statistic in force: noise and error of every attacker, told and drawn."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from numerics import frontier as exact
from numerics.calibration import Target
from numerics.frontier import Frontier, NoAnswerError, Notion, Release, Statistic
from numerics.frontier.notions import FrontierQuestion
from numerics.frontier.releases import CalibratedRelease
from numerics.lazy_property import lazy_property
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
_PEOPLE = np.unique(np.round(np.geomspace(10, 1e9, 65)))
_ROUNDING, _EXACT = 1e-9, 1e-12  # relative: of errors that are compared, and of what an inverse gives back
_WEAK_RATE = 0.5
DRAWN = (Notion.FULL, Notion.RECORD, Notion.SUBSET, Notion.OTHERS)
"""Those that have a line, by what all pages know of their attackers, in that order."""
_KNOWS = {
    **{
        notion: capitalised(f"{model.knows}; hidden: {model.hidden}.")
        for notion, model in zip(DRAWN, ATTACKERS, strict=True)
    },
    # The others say how else noise could be chosen, in the table.
    Notion.FULL_LAPLACE: "As full knowledge, with Laplace noise in place of Gaussian.",
    Notion.SUBSET_SWAP: "Subset unknown, by η alone, with radial noise and the one-swap bound, for the worst data.",
    Notion.SUBSET_PAPER: "The same, with the noise of paper 002's constants.",
}


@dataclass(frozen=True)
class StatisticAnswer:
    """The statistic with how success is stated and its neighbours, the limit, and what every attacker then costs."""

    asked: FrontierQuestion
    limit: Limit

    @property
    def released(self) -> Statistic:
        """The statistic."""
        return self.asked.statistic

    @lazy_property
    def costs(self) -> dict[Notion, Frontier]:
        """Noise and error at the limit of every attacker who has an answer, in the order of what it knows."""
        return {notion: cost for notion in Notion if isinstance(cost := self._at_limit(notion), Frontier)}

    @property
    def refused(self) -> dict[Notion, str]:
        """Why the others have none."""
        return {notion: str(self._at_limit(notion)) for notion in Notion if notion not in self.costs}

    def _at_limit(self, notion: Notion) -> Frontier | NoAnswerError:
        try:
            return at(self.asked, notion, self.limit.found)
        except NoAnswerError as reason:
            return reason

    @property
    def full(self) -> Frontier:
        """The cost of full knowledge, whose noise keeps the limit against everybody."""
        return self.costs[Notion.FULL]

    @property
    def beside(self) -> list[Frontier]:
        """What is drawn: costs about the neighbours asked for, as full knowledge's are."""
        return [cost for cost in self.costs.values() if cost.notion in DRAWN and self.is_beside(cost)]

    def is_beside(self, cost: Frontier) -> bool:
        """Whether it is about the neighbours asked for."""
        return cost.adjacency is self.asked.adjacency

    def people_needed(self, notion: Notion, share: float = 1.0) -> int | None:
        """Fewest people with whom the noise costs at most ``share`` of what sampling does."""
        asked = self.asked
        return exact.people_needed(asked.statistic, asked.measure, notion, asked.adjacency, self.limit.found, share)


def at(asked: FrontierQuestion, notion: Notion, *goals: float) -> Frontier:
    """Noise and error at these goals."""
    return exact.frontier(asked.statistic, asked.measure, notion, asked.adjacency, np.array(goals))


@shared_cache
def line(asked: FrontierQuestion, notion: Notion) -> Frontier:
    """Noise and error against attack success, from next to guessing to next to certainty."""
    alpha = asked.measure.guessing
    return at(asked, notion, *np.geomspace(min(1.05 * alpha, 0.99 + 0.01 * alpha), 0.999 + 0.001 * alpha, _POINTS))


@shared_cache
def errors_by_people(asked: FrontierQuestion, notion: Notion, goal: float) -> Floats:
    """The error (n,) with so many ``_PEOPLE`` (n,)."""
    statistics = (replace(asked.statistic, people=int(n)) for n in _PEOPLE)
    return np.array([error(at(replace(asked, statistic=one), notion, goal)) for one in statistics])


@shared_cache
def kept(release: Release, target: Target) -> CalibratedRelease:
    """The least noise with which a release that is no sum with Gaussian noise keeps a limit."""
    return release.kept(target)


def error(cost: Frontier) -> float:
    """At the limit."""
    return float(cost.error[0])


# In words.


def said(answer: StatisticAnswer) -> Recommendation:
    """The noise to choose for the limit, and what it costs beside what sampling costs anyway.

    If the attacker knows all but the noise; and why one that knows less costs more, where one is drawn that does.
    """
    off, released = error(answer.full), answer.released
    are = "is" if released.label.startswith("a ") else "are"
    sentence = (
        f"For {answer.limit.headline}, choose noise **{_scale(answer.full)}**: {released.label} {are} off by "
        f"**{number(off)}**, **{number(100.0 * off / released.sampling_error)} %** of the sampling error."
    )
    others, reason = answer.costs.get(Notion.OTHERS), ""
    if others is not None and error(others) > off * (1.0 + _ROUNDING):
        dearer = f"{others.notion.capitalize()} costs more, {number(error(others))}"
        reason = f"{dearer}: a record is replaced there, which moves the sum twice as far."
    weak = "**This limit protects little:** it lets the attacker find most of the members."
    return Recommendation(sentence, verdict(answer), reason, weak if answer.limit.found > _WEAK_RATE else "")


def _scale(cost: Frontier) -> str:
    return rounded_up(float(cost.scale[0]))


def verdict(answer: StatisticAnswer) -> str:
    """From how many people on protection is practically free; and which noise is enough if the attacker knows less."""
    people = answer.people_needed(Notion.FULL, FREE)
    meant = f"below {100.0 * FREE:g} % of the sampling error"
    free = f"Never practically free ({meant})."
    if people is not None:
        is_free = error(answer.full) <= FREE * answer.released.sampling_error
        free = f"Practically free{', as' if is_free else ''} from **{people:,}** people on ({meant})."
    words = [f":green-badge[✓ {answer.full.bound.value.capitalize()}] {free}"]
    for cost in answer.beside:
        if cost.notion in (Notion.RECORD, Notion.OTHERS):
            enough = f"noise **{_scale(cost)}**" if error(cost) else "no noise"
            words.append(f"{cost.notion.capitalize()}: {enough}{' (estimate)' * (cost.notion is Notion.OTHERS)}.")
    return " ".join(words)


def apart(answer: StatisticAnswer) -> str:
    """Which attackers are about other neighbours; empty if none is."""
    others = [str(cost.notion) for cost in answer.costs.values() if cost.notion in DRAWN and not answer.is_beside(cost)]
    if not others:
        return ""
    return f"Apart: {', '.join(others)}, where one record is replaced. Replace-one neighbours show it."


def number(size: float) -> str:
    """An error to three digits."""
    return f"{size:,.0f}" if size >= 999.5 else nearest(size, 3)


def noise(cost: Frontier) -> str:
    """Its law and scale, on the sum."""
    scale = float(cost.scale[0])
    return "none needed" if scale == 0.0 else f"{cost.noise}, {nearest(scale)}"


def table(answer: StatisticAnswer) -> dict[str, list[str]]:
    """Every notion's noise and error as the columns of a table."""

    def people(cost: Frontier, share: float) -> str:
        needed = answer.people_needed(cost.notion, share)
        return "never" if needed is None else f"{needed:,}"

    costs = answer.costs.values()
    return {
        "attacker": [cost.notion.value for cost in costs],
        "knows": [_KNOWS[cost.notion] for cost in costs],
        "noise": [noise(cost) for cost in costs],
        "error": [number(error(cost)) for cost in costs],
        "people needed": [people(cost, 1.0) for cost in costs],
        "practically free from": [people(cost, FREE) for cost in costs],
        "neighbours": [cost.adjacency.value for cost in costs],
        "kind": [cost.bound.value for cost in costs],
    }


def reached(answer: StatisticAnswer, accepted: float) -> dict[str, list[str]]:
    """What every attacker of the chosen neighbours reaches at an error that is accepted, as the columns of a table."""
    asked, rows = answer.asked, []
    for cost in filter(answer.is_beside, answer.costs.values()):
        most = exact.success(asked.statistic, asked.measure, cost.notion, asked.adjacency, accepted) * (1.0 - _EXACT)
        found = at_most(min(most, 1.0))
        words = f"{found} members found while {counted(answer.limit.alpha, found.of)} outsiders are accused"
        rows.append((cost.notion.value, rounded_up(most), words, cost.bound.value))
    names = "attacker", "reaches", "in words", "kind"
    return {name: list(column) for name, column in zip(names, zip(*rows, strict=True), strict=True)}


# The sheet: the noise that full knowledge asks for.


def release(answer: StatisticAnswer) -> ReleaseChoice:
    """The same noise as a mechanism of the other pages: one release, in units of what a record moves the sum by."""
    adjacency, people = answer.asked.adjacency, answer.released.people
    noise = float(answer.full.scale[0]) * adjacency.reach / answer.released.sensitivity(adjacency)
    mechanism, limit = Gaussian(noise, adjacency=adjacency), answer.limit
    return ReleaseChoice(mechanism, limit.alpha, Order.ADD, delta_of(people), limit.found, people)


def mechanism(answer: StatisticAnswer) -> str:
    """The noise and what it hides, for the field of a report."""
    most = answer.released.sensitivity(answer.asked.adjacency)
    return f"{noise(answer.full)}: the standard deviation on the sum, which one record changes by at most {most:.4g}."


def promises(answer: StatisticAnswer) -> tuple[ReportPart, ...]:
    """What this noise promises against each attacker whose noise it is, and full knowledge's at other error rates."""
    columns = reached(answer, error(answer.full))
    rows = tuple(row for row in zip(*columns.values(), strict=True) if row[0] in DRAWN)
    head = ("Attacker", "Members found", "In words", "Kind")
    private = release(answer).mechanism
    powers = (cached.power(private, rate, Order.ADD).upper * (1.0 - _EXACT) for rate in RATES)
    found = (("Members found, at most", *map(rounded_up, powers)),)
    return (
        ReportPart("What it promises, against whom", rows, head, f"Neighbours: {answer.asked.adjacency}. {BESIDE}"),
        ReportPart("At error rates", found, ("Outsiders falsely accused", *map(one_in, RATES)), "Full knowledge."),
    )


# The figures.


def lines(answer: StatisticAnswer) -> list[ErrorLine]:
    """Error against attack success, a line per attacker that is drawn."""
    found = [line(answer.asked, cost.notion) for cost in answer.beside]
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


def panels(answer: StatisticAnswer) -> list[Panel]:
    """Error against attack success, where the limit is marked on every line, and against the number of people."""
    goal, released = answer.limit.found, answer.released
    by_success = [replace(one, across=CROWD * one.across) for one in lines(answer)]
    first, last = zip(*((float(one.across[0]), float(one.across[-1])) for one in by_success), strict=True)
    ends = np.array([min(first), max(last)])
    marks = [
        Mark(f"{cost.notion}: off by {number(error(cost))}", CROWD * goal, error(cost), DRAWN.index(cost.notion))
        for cost in answer.beside
    ]
    over_success = noise_frontier_figure(
        by_success,
        ErrorLine("sampling error", ends, np.full(2, released.sampling_error), Bound.EXACT, 0),
        FREE,
        marks,
        Here(CROWD * goal, f"my limit, {quantity(CROWD * goal)}"),
        FrontierWords(
            axis(answer.limit.alpha),
            f"Error from the noise — {released.unit}",
            f"At most %{{x:,.4~g}} of {CROWD:,} members found: off by about %{{y:.3~g}}",
        ),
    )
    crossings = [mark for cost in answer.beside for mark in crossing(answer, cost.notion)]
    sampling = np.array([replace(released, people=int(n)).sampling_error for n in _PEOPLE])
    over_people = noise_frontier_figure(
        [_line(cost, _PEOPLE, errors_by_people(answer.asked, cost.notion, goal)) for cost in answer.beside],
        ErrorLine("sampling error", _PEOPLE, sampling, Bound.EXACT, 0),
        FREE,
        crossings,
        Here(float(released.people), "my people"),
        FrontierWords(
            "People in the statistic, n",
            f"Error at this limit — {released.unit}",
            "%{x:.3~s} people: off by about %{y:.3~g}",
            are_powers=True,
        ),
    )
    marked = "; ".join(mark.text for mark in marks)
    crossed = "; ".join(mark.text for mark in crossings) or "No line meets the sampling error."
    return [
        Panel(
            "Error against the limit",
            over_success,
            f"The error falls as the attack may reach more. With {answer.limit.full}: {marked}.",
            "frontier.by_success",
            apart(answer),
        ),
        Panel(
            "Error against people",
            over_people,
            f"The error against the number of people, for the same limit. {crossed}",
            "frontier.by_people",
            "A diamond on a line: from there on noise costs less than sampling.",
        ),
    ]


@shared_cache
def states(asked: FrontierQuestion) -> States:
    """What the view says and draws at every limit of the slider."""

    def shown(limit: Limit) -> tuple[Recommendation, list[Panel]]:
        answer = StatisticAnswer(asked, limit)
        return said(answer), panels(answer)

    return screen.states(asked.measure.guessing, shown)


def crossing(answer: StatisticAnswer, notion: Notion) -> list[Mark]:
    """Where the noise costs as much as sampling does; none where the figure does not reach, or no noise is left."""
    people = answer.people_needed(notion)
    if people is None or not _PEOPLE[0] <= people <= _PEOPLE[-1]:
        return []
    asked = replace(answer.asked, statistic=replace(answer.released, people=people))
    cost = error(at(asked, notion, answer.limit.found))
    text = f"{notion}: from {people:,} people on, protection costs no more than sampling"
    return [Mark(text, float(people), cost, DRAWN.index(notion))] if cost > 0.0 else []
