"""The strategies of a sweep, weighed: which are on the frontier and which is its elbow, told and drawn."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from losses import Sweep, sweep
from losses.errors import visible
from losses.layout import names_of
from numerics.pareto import Better, Mask, best_within, elbow, hull, non_dominated, oriented
from numerics.trade_off import Floats
from pages.frontier.sweep_source import SweepSource
from pages.server.shared_cache import session_cache
from pages.ui import uploads
from pages.ui.plain_text import literal
from plotting.landscape import Goal, GoalLimit, Landscape
from reports.rounding import nearest

Places = NDArray[np.intp]
Column = Floats | Sequence[str]
# How columns of sweeps spell what has a symbol or a plain word.
_SAID = (
    (re.compile(r"^(.*?),? (?:estimate as printed|as printed \(estimate\))$", re.IGNORECASE), r"estimated \1"),
    (re.compile(r"\bepsilon ?(?:star\b|\*)", re.IGNORECASE), "ε*"),
    (re.compile(r"\bepsilon\b", re.IGNORECASE), "ε"),
    (re.compile(r"\bauroc\b", re.IGNORECASE), "AUROC"),
)
_LONGEST = 40
_SHORT, _NAME = 34, 52  # of what leads, a column and a strategy: on a phone the figure is seen with it


class FrontierKind(StrEnum):
    """Who counts as being on the frontier; the values are the labels, and the values in the URL."""

    HULL = "convex hull"
    NOT_DOMINATED = "not dominated"


@dataclass(frozen=True, eq=False)
class Weighed:
    """A sweep and its frontiers.

    Attributes:
        sweep: the m strategies.
        names: theirs, (m,).
        utility, privacy: the two goals.
        not_dominated: strategies that no other one beats in both, (m,).
        corners: those at corners of the convex hull, (m,).
        elbow: its place among them all, if there is one.
    """

    sweep: Sweep
    names: tuple[str, ...]
    utility: Goal
    privacy: Goal
    not_dominated: Mask
    corners: Mask
    elbow: int | None

    def mask(self, frontier: FrontierKind) -> Mask:
        """Which strategies are on it, (m,)."""
        return self.corners if frontier is FrontierKind.HULL else self.not_dominated

    def on(self, frontier: FrontierKind) -> Places:
        """Places of the strategies on it, the most private first."""
        places = np.flatnonzero(self.mask(frontier))
        found: Places = places[np.argsort(-self.privacy.wanted[places], kind="stable")]
        return found

    @property
    def strategies(self) -> int:
        """How many different names the column of strategies has; as many as points where there is no such column."""
        return len(set(self.sweep.kinds)) if self.sweep.kinds else len(self.sweep)

    def best(self, bound: Goal, free: Goal, limit: float) -> int | None:
        """Place of the best strategy in ``free`` of those that keep ``limit`` on ``bound``; None where none does."""
        return best_within(free.wanted, bound.wanted, float(oriented(np.array([limit]), bound.better)[0]))

    def called(self, place: int, longest: int = 90) -> str:
        """A strategy in words: its name and setting; where that is too long, of how many settings it is one."""
        kind = self.sweep.kinds[place] if self.sweep.kinds else ""
        told = [(name, cells[place]) for name, cells in self.sweep.settings.items() if len(set(cells)) > 1]
        setting = ", ".join(f"{in_words(name)} {cell}" for name, cell in told if cell)
        if not kind:
            return f"the one with {_text(setting, longest)}" if setting else self.names[place]
        name, settings = f"“{_text(kind, longest)}”", self.sweep.kinds.count(kind)
        if len(kind) + len(setting) > longest:
            return f"{name}, in one of its {settings:,} settings" if settings > 1 else name
        return f"{name} with {_text(setting, longest)}" if setting else name

    def drawn(self, up: Goal, along: Goal, frontier: FrontierKind, limited: "Limited", densities: bool) -> Landscape:
        """What the figure needs: axes that look as they are to, and names short enough for it."""
        said = (
            f"{visible(name, 2 * _LONGEST)} ({count:,} runs)" if count > 1 else visible(name, 2 * _LONGEST)
            for name, count in zip(self.names, self.sweep.runs.tolist(), strict=True)
        )
        utility, privacy = (replace(side, name=visible(in_words(side.name), _LONGEST)) for side in (up, along))
        kinds, labels = (
            tuple(visible(one, _LONGEST) for one in self.sweep.kinds or others)
            for others in (("",) * len(self.sweep), self.names)
        )
        marks = self.not_dominated, self.corners, self.elbow, labels, self.mask(frontier)
        return Landscape(utility, privacy, kinds, tuple(said), *marks, limited.mark, limited.chosen, densities)


def limit_words(goal: Goal) -> str:
    """How a limit on it is put."""
    return "at least" if goal.better is Better.HIGHER else "at most"


def at(goal: Goal, place: int) -> str:
    """A strategy's average, in words."""
    return f"{spoken(goal.name)} {nearest(float(goal.runs.mean[place]))}"


def in_words(column: str) -> str:
    """The name of a column as somebody says it: symbols for their names, and "estimated" for how authors put that."""
    words = column.replace("_", " ")
    for pattern, instead in _SAID:
        words = pattern.sub(instead, words)
    return words


def spoken(column: str, longest: int = 90) -> str:
    """The same as text, whatever marks a stranger put there."""
    return _text(in_words(column), longest)


def _text(name: str, longest: int) -> str:
    return literal(visible(name.replace("_", " "), longest))


def weighed(source: SweepSource) -> Weighed:
    """The sweep, weighed once for as long as nothing about it changes; a visitor's own is forgotten with its table.

    Raises TableError where the columns cannot be used.
    """
    key = source.key, source.roles, source.drop
    if source.slot is not None:
        return uploads.made(source.slot, "weighed", key, lambda: weigh(source))
    return session_cache("frontier.land_weighed", key, 2, lambda: weigh(source))


def weigh(source: SweepSource) -> Weighed:
    """Put runs together and look for the frontiers. Raises TableError where the columns cannot be used."""
    roles = source.roles
    found = sweep(source.table, roles, source.drop)
    utility = Goal(roles.utility, roles.utility_better, found.utility)
    privacy = Goal(roles.privacy, roles.privacy_better, found.privacy)
    goals = utility.wanted, privacy.wanted
    marks = non_dominated(*goals), hull(*goals), elbow(*goals)
    return Weighed(found, found.names, utility, privacy, *marks)


@dataclass(frozen=True, eq=False)
class Limited:
    """A ``limit`` on the goal ``bound``, and the place of the strategy within it that is best in the goal ``free``.

    ``start`` is where the limit was taken from if the visitor set none, else empty.
    """

    bound: Goal
    free: Goal
    limit: float
    is_on_privacy: bool
    chosen: int | None
    start: str = ""

    @property
    def mark(self) -> GoalLimit:
        """Its line in the figure."""
        whose = f"limit {self.start}" if self.start else "my limit"
        return GoalLimit(self.limit, self.is_on_privacy, f"{whose}, {nearest(self.limit)}")


def sentence(found: Weighed, limited: Limited) -> str:
    """The best strategy within the limit, beside the best of all."""
    bound, free, chosen = limited.bound, limited.free, limited.chosen
    limit = f"{spoken(bound.name, _SHORT)} {limit_words(bound)} {nearest(limited.limit)}"
    if chosen is None:
        closest = int(bound.wanted.argmax())
        return f"**No strategy has {limit}.** The closest is {found.called(closest)}, with {at(bound, closest)}."
    lost = float(free.wanted.max() - free.wanted[chosen])
    cost = f"**{lost:.3g} {'less' if free.better is Better.HIGHER else 'more'}** than the best of all"
    best = cost if lost else "the best of all"
    return f"For {limit}, choose {found.called(chosen, _NAME)}: **{at(free, chosen)}**, {best}."


def verdict(limited: Limited) -> str:
    """Whether the limit is met, and by how many."""
    if limited.chosen is None:
        return ":red[:material/cancel:] Limit not met."
    least = float(oriented(np.array([limited.limit]), limited.bound.better)[0])
    within = int(np.count_nonzero(limited.bound.wanted >= least))
    if limited.start:
        return f"No limit is set; one {limited.start} is taken: the best of {within:,} within it."
    met = nearest(float(limited.bound.runs.mean[limited.chosen]))
    return f":green[:material/check_circle:] Limit met, at {met}: the best of {within:,}."


def counts(found: Weighed, frontier: FrontierKind) -> str:
    """How many strategies there are, in how many settings, and how many of these are on the frontier."""
    points, places = len(found.sweep), found.on(frontier)
    settings = f" in **{points:,}** settings" if found.strategies < points else ""
    of = f"Of **{found.strategies:,}** {'strategy' if found.strategies == 1 else 'strategies'}{settings}"
    return f"{of}, **{len(places):,}** {'is' if len(places) == 1 else 'are'} on the frontier"


def sentences(found: Weighed, frontier: FrontierKind) -> list[str]:
    """What is on the frontier, where its elbow is, and what a step from there costs."""
    places = [int(place) for place in found.on(frontier)]
    if len(found.sweep) == 1:
        return [f"There is one strategy, {found.called(0)}: {_both(found, 0)}. A second one is needed to weigh it."]
    strategies = counts(found, frontier)
    if len(places) == 1:
        alone = f"{found.called(places[0])}, {_both(found, places[0])}. No other is better in either goal."
        return [f"{strategies}: {alone}", _runner_up(found, places[0])]
    if found.elbow is None:
        first, last = (f"{found.called(place)}, {_both(found, place)}" for place in (places[0], places[-1]))
        return [f"{strategies}. It has no elbow: it runs straight from {first}, to {last}."]
    elbow = f"Its elbow is {found.called(found.elbow)}: **{_both(found, found.elbow)}**."
    # To both sides of the elbow, along the frontier; strategies equal to it are passed over.
    side = found.privacy.wanted
    less = [place for place in places if side[place] > side[found.elbow]][-1]
    more = next(place for place in places if side[place] < side[found.elbow])
    steps = (
        f"Better privacy than that costs {_difference(found.utility, less, found.elbow)}: the next more private "
        f"strategy has {_both(found, less)}. Better utility costs {_difference(found.privacy, more, found.elbow)}: the "
        f"next has {_both(found, more)}."
    )
    return [f"{strategies}. {elbow}", steps]


def _runner_up(found: Weighed, best: int) -> str:
    """The most useful of the others; of equally useful ones, the most private."""
    order = np.lexsort((found.privacy.wanted, found.utility.wanted))
    other = int(next(place for place in order[::-1] if place != best))
    sides = (side for side in (found.utility, found.privacy) if side.runs.mean[best] != side.runs.mean[other])
    costs = " and ".join(_difference(side, best, other) for side in sides)
    lost = f": it gives up {costs}" if costs else ""
    return f"The most useful of the others, {found.called(other)}, has {_both(found, other)}{lost}."


def _both(found: Weighed, place: int) -> str:
    return f"{at(found.utility, place)} at {at(found.privacy, place)}"


def _difference(side: Goal, one: int, other: int) -> str:
    return f"{abs(float(side.runs.mean[one] - side.runs.mean[other])):.3g} of {spoken(side.name)}"


def alt(found: Weighed) -> str:
    """The figure in words."""
    return (
        f"{len(found.sweep):,} strategies by {found.privacy.name} and {found.utility.name}: "
        f"{int(found.not_dominated.sum()):,} are not dominated, {int(found.corners.sum()):,} are corners of the hull."
    )


def known(found: Weighed, place: int) -> dict[str, str]:
    """All that is known of a strategy, by name."""
    told = {name: cells[place] for name, cells in found.sweep.settings.items() if cells[place]}
    sides = found.utility, found.privacy
    for side in sides:
        low, mean, high = (nearest(float(end[place])) for end in (side.runs.low, side.runs.mean, side.runs.high))
        told[in_words(side.name)] = mean if low == high else f"{mean} ({low} to {high})"
    told["runs"] = f"{int(found.sweep.runs[place]):,}, first in row {int(found.sweep.first_row[place]):,}"
    # Others that are better in one goal, and no worse in the other.
    no_worse = np.logical_and.reduce([side.wanted >= side.wanted[place] for side in sides])
    better = np.logical_or.reduce([side.wanted > side.wanted[place] for side in sides])
    beaten = int(np.count_nonzero(no_worse & better))
    told["not dominated"] = f"no: {beaten:,} {'beats' if beaten == 1 else 'beat'} it" if beaten else "yes"
    return told


def columns(found: Weighed, places: Places) -> dict[str, Column]:
    """The table of some strategies; every name is different."""

    def ticks(mask: Mask) -> list[str]:
        return ["yes" if one else "no" for one in mask.tolist()]

    rows = places.tolist()
    listed: list[tuple[str, Column]] = [("strategy", [found.names[row] for row in rows])]
    listed += [(name, [cells[row] for row in rows]) for name, cells in found.sweep.settings.items()]
    for side in (found.utility, found.privacy):
        ends = ("mean", side.runs.mean), ("lowest", side.runs.low), ("highest", side.runs.high)
        listed += [(f"{side.name}, {end}", values[places]) for end, values in ends]
    listed += [
        ("runs", found.sweep.runs[places].astype(float)),
        ("not dominated", ticks(found.not_dominated[places])),
        ("convex hull", ticks(found.corners[places])),
        ("elbow", ticks(places == found.elbow)),
    ]
    names = names_of(tuple(name for name, _ in listed))
    return {name: column for name, (_, column) in zip(names, listed, strict=True)}


def parameters(source: SweepSource, found: Weighed, frontier: FrontierKind) -> dict[str, str]:
    """What a reader of the files must know."""
    return {
        "sweep": source.name,
        "utility": f"{found.utility.name}, {found.utility.better}",
        "privacy": f"{found.privacy.name}, {found.privacy.better}",
        "frontier in force": frontier.value,
        "rows left out": f"{found.sweep.dropped:,}",
        "elbow": "the frontier's point farthest from the line between its ends, both goals scaled to these ends",
    }
