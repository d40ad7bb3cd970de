"""A weighed sweep in plain words."""

import numpy as np

from losses.errors import visible
from numerics.pareto import Better, oriented
from pages.frontier.landscape.controls import Limited
from pages.frontier.landscape.pareto import FrontierKind, GoalColumn, Weighed
from pages.frontier.landscape.source import SweepSource
from pages.frontier.screen import Recommendation
from pages.ui.plain_text import literal
from pages.ui.readout import Formula
from reports.python_code import constructor
from reports.rounding import nearest

_SHORT = 26  # of what leads: on a phone the figure is seen with it


def value(number: float) -> str:
    """A number of a table."""
    return nearest(number)


def called(found: Weighed, place: int, longest: int = 90) -> str:
    """A strategy's name, as text."""
    return f"“{literal(visible(found.names[place], longest))}”"


def at(side: GoalColumn, place: int) -> str:
    """A strategy's average."""
    return f"{literal(side.name)} {value(float(side.runs.mean[place]))}"


def answer(found: Weighed, limited: Limited, frontier: FrontierKind) -> Recommendation:
    """The strategy to choose for the limit, what that costs, and how many there are to choose from."""
    return Recommendation(sentence(found, limited), verdict=f"{verdict(limited)} {counts(found, frontier)}.")


def sentence(found: Weighed, limited: Limited) -> str:
    """The best strategy within the limit, beside the best of all."""
    bound, free = limited.bound, limited.free
    limit = f"{literal(visible(bound.name, _SHORT))} {bound.limit} {value(limited.limit)}"
    if limited.chosen is None:
        closest = int(bound.wanted.argmax())
        return f"**No strategy has {limit}.** The closest is {called(found, closest)}, with {at(bound, closest)}."
    reached = f"**{at(free, limited.chosen)}**"
    return f"For {limit}, choose {called(found, limited.chosen, 2 * _SHORT)}: {reached}, {_cost(free, limited.chosen)}."


def _cost(free: GoalColumn, place: int) -> str:
    lost = float(free.wanted.max() - free.wanted[place])
    if lost == 0.0:
        return "the best of all"
    return f"**{lost:.3g} {'less' if free.better is Better.HIGHER else 'more'}** than the best of all"


def verdict(limited: Limited) -> str:
    """Whether the limit is met, and by how many."""
    if limited.chosen is None:
        return ":red[:material/cancel:] Limit not met."
    least = float(oriented(np.array([limited.limit]), limited.bound.better)[0])
    within = int(np.count_nonzero(limited.bound.wanted >= least))
    met = value(float(limited.bound.runs.mean[limited.chosen]))
    if limited.start:
        return f"No limit is set; one {limited.start} is taken: the best of {within:,} within it."
    return f":green[:material/check_circle:] Limit met, at {met}: the best of {within:,}."


def lines(frontier: FrontierKind) -> str:
    """Which line of the figure is which."""
    (other,) = (one for one in FrontierKind if one is not frontier)
    return f"Bold: {frontier}. Dotted: {other}."


def counts(found: Weighed, frontier: FrontierKind) -> str:
    """How many strategies there are, in how many settings, and how many of these are on the frontier."""
    points, places = len(found.sweep), found.on(frontier)
    settings = f" in **{points:,}** settings" if found.strategies < points else ""
    of = f"Of **{found.strategies:,}** {'strategy' if found.strategies == 1 else 'strategies'}{settings}"
    return f"{of}, **{len(places):,}** {'is' if len(places) == 1 else 'are'} on the frontier"


def sentences(found: Weighed, frontier: FrontierKind) -> list[str]:
    """What is on the frontier, where its elbow is, and what a step from there costs."""
    places = found.on(frontier)
    count = len(found.sweep)
    if count == 1:
        return [f"There is one strategy, {called(found, 0)}: {_both(found, 0)}. A second one is needed to weigh it."]
    strategies = counts(found, frontier)
    if len(places) == 1:
        alone = f"{called(found, places[0])}, {_both(found, places[0])}. No other is better in either goal."
        return [f"{strategies}: {alone}", _runner_up(found, int(places[0]))]
    if found.elbow is None:
        first, last = places[0], places[-1]
        return [
            f"{strategies}. It has no elbow: it runs straight from {called(found, first)}, {_both(found, first)}, to "
            f"{called(found, last)}, {_both(found, last)}."
        ]
    elbow = f"Its elbow is {called(found, found.elbow)}: **{_both(found, found.elbow)}**."
    return [f"{strategies}. {elbow}", _steps(found, [int(place) for place in places])]


def _runner_up(found: Weighed, best: int) -> str:
    """The most useful of the others; of equally useful ones, the most private."""
    order = np.lexsort((found.privacy.wanted, found.utility.wanted))
    other = int(next(place for place in order[::-1] if place != best))
    costs = [
        f"{_difference(side, best, other)} of {literal(side.name)}"
        for side in (found.utility, found.privacy)
        if side.runs.mean[best] != side.runs.mean[other]
    ]
    lost = f": it gives up {' and '.join(costs)}" if costs else ""
    return f"The most useful of the others, {called(found, other)}, has {_both(found, other)}{lost}."


def _both(found: Weighed, place: int) -> str:
    return f"{at(found.utility, place)} at {at(found.privacy, place)}"


def _steps(found: Weighed, places: list[int]) -> str:
    """To both sides of the elbow, along the frontier; strategies equal to it are passed over."""
    side = found.privacy.wanted
    assert found.elbow is not None
    before = [place for place in places if side[place] > side[found.elbow]]
    after = [place for place in places if side[place] < side[found.elbow]]
    less, more = before[-1], after[0]
    return (
        f"Better privacy than that costs {_difference(found.utility, less, found.elbow)} of "
        f"{literal(found.utility.name)}: the next more private strategy has {_both(found, less)}. Better utility costs "
        f"{_difference(found.privacy, more, found.elbow)} of {literal(found.privacy.name)}: the next has "
        f"{_both(found, more)}."
    )


def _difference(side: GoalColumn, one: int, other: int) -> str:
    return f"{abs(float(side.runs.mean[one] - side.runs.mean[other])):.3g}"


def alt(found: Weighed) -> str:
    """The figure in words."""
    return (
        f"{len(found.sweep):,} strategies by {found.privacy.name} and {found.utility.name}: "
        f"{int(found.not_dominated.sum()):,} are not dominated, {int(found.corners.sum()):,} are corners of the hull."
    )


FORMULAS = (
    Formula(
        r"\bar u_s = \frac{1}{R_s}\sum_{r} u_{s,r},\qquad \bar p_s = \frac{1}{R_s}\sum_{r} p_{s,r}",
        "A strategy is what its runs share: the cell that names it, and its hyperparameters. A point is the average of "
        "its runs; the bars go from the smallest run to the largest, or as far as the table's ± says.",
        "paper 001, Section 4.2 and Fig. 1",
    ),
    Formula(
        r"s \text{ is dominated} \iff \exists t:\ \bar u_t \succeq \bar u_s,\ \bar p_t \succeq \bar p_s,"
        r"\ \text{one of them strictly}",
        "Not dominated: no other strategy is better in one goal and no worse in the other; ⪰ is the direction chosen "
        "for each axis. Equal strategies all stay.",
        "the usual definition",
    ),
    Formula(
        r"\nexists\, t, t', \lambda \in [0, 1]:\quad \lambda\,(\bar u_t, \bar p_t) + (1 - \lambda)\,(\bar u_{t'}, "
        r"\bar p_{t'}) \text{ beats } (\bar u_s, \bar p_s)",
        "Convex hull, from the most private to the most useful strategy: not even a mixture of two others is better. "
        "Only its corners count.",
        "paper 001, Section 4.2",
    ),
    Formula(
        r"\text{elbow} = \arg\max_s\ \frac{\bar u_s - u_0}{u_1 - u_0} + \frac{\bar p_s - p_1}{p_0 - p_1}",
        "The elbow is the strategy on the frontier farthest from the straight line between the frontier's two ends, "
        "the most private (0) and the most useful (1), with both goals scaled to these ends. It is a hull's corner, "
        "so both frontiers have the same one. Paper 001 speaks of an elbow without defining it.",
        "our definition",
    ),
)
ASSUMPTIONS = (
    "Averages are compared as if they were exact: where bars overlap, another set of runs may put another strategy on "
    "the frontier.",
    "Picking the best of many strategies by their measured values flatters it; its next runs tend to be worse.",
    "A corner of the hull beats mixtures of the others' numbers. Publishing one of two models at random has the mixed "
    "utility, but its privacy need not be the mixture.",
    "Densities are smoothed with a Gaussian kernel (Silverman's bandwidth), each kind's area being 1; kinds with fewer "
    "than 3 strategies have none.",
)


def snippet(source: SweepSource) -> str:
    """Python that finds the frontier again; run it in the project's folder."""
    read, besides = source.python
    drop = f", drop={source.drop}" if source.drop else ""
    return f"""from losses import {", ".join(sorted(("SweepRoles", "read_sweep", "sweep", *besides)))}
from numerics.pareto import Better, elbow, hull, non_dominated, oriented

roles = {constructor(source.roles)}
found = sweep({read}, roles{drop})
goals = oriented(found.utility.mean, roles.utility_better), oriented(found.privacy.mean, roles.privacy_better)
names = found.names
for frontier in (non_dominated, hull):
    print(frontier.__name__, [names[place] for place in frontier(*goals).nonzero()[0]])
place = elbow(*goals)
print("elbow", None if place is None else names[place])
"""
