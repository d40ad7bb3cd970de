"""Your own sweep: strategies by privacy and utility, the best within a limit, and each one's details at a click."""

from dataclasses import replace
from hashlib import sha256
from math import isfinite
from time import perf_counter
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses import TableError
from losses.errors import counted, visible
from numerics.trade_off import Bound
from pages.frontier import screen, sweep_source
from pages.frontier import sweep_answer as answers
from pages.frontier.screen import Answer, Recommendation
from pages.frontier.sweep_answer import FrontierKind, Limited, Weighed
from pages.frontier.sweep_source import SweepSource
from pages.ui import address, chart, downloads, uploads
from pages.ui.controls import segmented_control
from pages.ui.plain_text import literal
from pages.ui.result_header import Formula
from plotting.landscape import MANY, Goal, ends, is_as_fixed, landscape_figure
from reports.python_code import constructor
from reports.rounding import nearest

_ENDS = {
    "privacy": ("frontier.land_privacy_from", "frontier.land_privacy_to"),
    "utility": ("frontier.land_utility_from", "frontier.land_utility_to"),
}
AXES = (*_ENDS["privacy"], *_ENDS["utility"])
LIMIT = "frontier.land_limit"
KEYS = (
    *sweep_source.KEYS,
    "frontier.land_frontier",
    "frontier.land_scale",
    "frontier.land_densities",
    *AXES,
    "frontier.land_limit_on",
    LIMIT,
)
_PRIVACY, _UTILITY = "privacy", "utility"  # what a limit is on; the labels, and the values in the URL
_HOLD = "The axes stay as they are now while you look at other rows, or at another sweep, to compare them."
_LISTED = 200
# Not the first thing a drag does: while it is, Streamlit lets no click choose a point.
_HINT = "Click a point for its details; for several, choose Box Select above the figure and draw a box."
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


def draw(subject: DeltaGenerator) -> None:
    """Draw the view."""
    places = screen.places("Frontier, axes, densities, limit")
    row = places.limit.container(horizontal=True, vertical_alignment="bottom", gap="small")
    limit_place, colours = row.container(width="content"), row.container(width="content")
    given = sweep_source.draw(subject, places.given, colours)
    if given is None:
        screen.draw_said(places.answer, Recommendation("Upload a sweep, and the answer will stand here."))
        return
    started = perf_counter()
    with places.answer:
        try:
            with st.spinner("Weighing the strategies …", show_time=True):
                found = answers.weighed(given)
        except TableError as problem:
            uploads.complain(problem)
            return
    frontier, up, along, has_densities = _draw_look(places.drawer, found)
    limited = _draw_limit(places.drawer, limit_place, found)
    verdict = f"{answers.verdict(limited)} {answers.counts(found, frontier)}."
    said = Recommendation(answers.sentence(found, limited), verdict=verdict)
    screen.draw_said(places.answer, said)
    figure = landscape_figure(found.drawn(up, along, frontier, limited, has_densities))
    seconds = perf_counter() - started
    first, second = places.figures.columns([2.4, 1], gap="medium")
    with first:
        # Another sweep, or another reading of it, starts anew with what is selected.
        reading = repr((given.key, given.roles, given.drop, given.colours))
        key = f"frontier.land_chart_{sha256(reading.encode()).hexdigest()[:16]}"
        event = chart.draw(figure, answers.alt(found), key, "rerun", has_brush=True)
        (other,) = (one for one in FrontierKind if one is not frontier)
        st.caption(f"Bold: {frontier}. Dotted: {other}.")
    with second:
        _draw_details(found, limited, selected(event, found))
    parameters = answers.parameters(given, found, frontier)
    every = np.arange(len(found.sweep))
    answer = Answer(
        said,
        "privacy-utility",
        figure,
        snippet(given),
        parameters,
        lambda: downloads.table(answers.columns(found, every), parameters),
        FORMULAS,
        ASSUMPTIONS,
        Bound.ESTIMATE,
        seconds,
    )
    screen.draw_rest(places.rest, answer, lambda: _draw_more(given, found, frontier, parameters))


def _draw_more(given: SweepSource, found: Weighed, frontier: FrontierKind, notes: dict[str, str]) -> None:
    for sentence in answers.sentences(found, frontier):
        st.markdown(sentence)
    left_out, repeated = found.sweep.dropped, found.sweep.repeated
    remarks = {
        given.about: True,
        f"{counted(left_out, 'unusable row')} left out.": left_out > 0,
        f"The same run occurs twice in {repeated:,} of the strategies: is a hyperparameter missing?": repeated > 0,
        "Only strategies that are not dominated have bars: there are too many.": len(found.sweep) > MANY,
    }
    st.caption(" ".join(sentence for sentence, holds in remarks.items() if holds))
    shown = answers.columns(found, found.on(frontier))
    st.markdown("**The frontier**, the most private strategy first")
    downloads.draw_table(shown, width="stretch")
    downloads.button("Frontier (CSV)", "privacy-utility-frontier.csv", lambda: downloads.table(shown, notes))


def selected(event: Any, found: Weighed) -> answers.Places:
    """Places of the strategies that were clicked or brushed, ascending."""
    points = event.selection.points if event is not None else []
    given = [np.ravel(point["customdata"])[0] for point in points if point.get("customdata") is not None]
    return np.unique(np.array([int(place) for place in given if 0 <= int(place) < len(found.sweep)], dtype=np.intp))


def _draw_details(found: Weighed, limited: Limited, places: answers.Places) -> None:
    """Draw what several that were brushed have in common; else the numbers of the one that was clicked, or chosen."""
    if len(places) > 1:
        st.markdown(answers.in_common(found, limited, places))
        downloads.draw_table(answers.columns(found, places[:_LISTED]), width="stretch", height=150)
        downloads.button("Brushed (CSV)", "brushed.csv", lambda: downloads.table(answers.columns(found, places), {}))
        return
    place = int(places[0]) if len(places) else limited.chosen
    if place is not None:
        st.markdown(f"**{'Clicked' if len(places) else 'Chosen'}:** {found.called(place)}")
        rows = answers.known(found, place)
        downloads.draw_table({"what": list(rows), "value": list(rows.values())}, width="stretch")
    if place is None or not len(places):
        st.caption(_HINT)
        return
    measured = float(limited.bound.runs.mean[place])
    label = f"Use {nearest(measured)} as my limit"
    st.button(label, key="frontier.land_use", on_click=address.put, args=(LIMIT, measured))


def _draw_look(place: DeltaGenerator, found: Weighed) -> tuple[FrontierKind, Goal, Goal, bool]:
    """Draw the frontier in force and how the figure looks: the axes upwards and along, and whether it has densities."""
    scales, densities = ["linear", "log"], ["hidden", "shown"]
    with place, st.container(horizontal=True, vertical_alignment="bottom"):
        frontier = segmented_control(
            "Frontier", list(FrontierKind), default=FrontierKind.HULL, key="frontier.land_frontier"
        )
        scale = segmented_control("Privacy axis", scales, default="linear", key="frontier.land_scale")
        density = segmented_control("Densities", densities, default="hidden", key="frontier.land_densities")
    is_log = scale == "log" and bool(found.privacy.runs.low.min() > 0.0)
    if is_log is not (scale == "log"):
        place.info("Privacy is 0 or negative somewhere, so its axis stays linear.", icon=":material/info:")
    along, up = replace(found.privacy, is_log=is_log), found.utility
    with place, st.container(horizontal=True, vertical_alignment="bottom"):
        held = held_ends(up, along)
        fit: dict[str, object] = dict.fromkeys(held)
        along, up = (_with_ends(goal, _ENDS[name]) for name, goal in ((_PRIVACY, along), (_UTILITY, up)))
        st.button("Hold these axes", on_click=address.put_all, args=(held, fit), help=_HOLD)
        st.button("Let them fit", on_click=address.put_all, args=(fit, fit))
    for goal in (along, up):
        if not is_as_fixed(goal):
            low, high = ("its end" if end is None else nearest(end) for end in goal.ends)
            place.warning(
                f"**{literal(visible(goal.name, 30))} has no axis from {low} to {high}:** it fits all strategies "
                "instead. Its first end must be below the second, and above 0 where the axis is logarithmic.",
                icon=":material/block:",
            )
    return frontier, up, along, density == "shown"


def _with_ends(goal: Goal, keys: tuple[str, str]) -> Goal:
    """Draw where an axis ends; an empty box fits it to the strategies."""
    name = literal(visible(goal.name, 30))
    low, high = (
        st.number_input(
            f"{name} {word}", value=None, format="%g", key=key, bind="query-params", width=150, placeholder="fits"
        )
        for word, key in zip(("from", "to"), keys, strict=True)
    )
    return replace(goal, ends=(_finite(low), _finite(high)))


def _finite(end: float | None) -> float | None:
    return end if end is not None and isfinite(end) else None


def held_ends(up: Goal, along: Goal) -> dict[str, float | None]:
    """Where the axes end when they fit, by the keys of the boxes, to four digits."""
    return {
        key: float(f"{10.0**end if goal.is_log else end:.4g}")
        for name, goal in ((_PRIVACY, along), (_UTILITY, up))
        for key, end in zip(_ENDS[name], ends(goal), strict=True)
    }


def _draw_limit(drawer: DeltaGenerator, place: DeltaGenerator, found: Weighed) -> Limited:
    """Draw what is limited and the limit; without one it is taken where the elbow is, or in the middle of all."""
    with drawer:
        names = [_PRIVACY, _UTILITY]
        is_on_privacy = (
            segmented_control("My limit is on", names, default=_PRIVACY, key="frontier.land_limit_on") == _PRIVACY
        )
    bound, free = (found.privacy, found.utility) if is_on_privacy else (found.utility, found.privacy)
    mean, start = bound.runs.mean, "in the middle of all" if found.elbow is None else "at the elbow"
    usual = float(np.sort(mean)[len(mean) // 2] if found.elbow is None else mean[found.elbow])
    entered = _finite(
        place.number_input(
            f"my limit, {answers.limit_words(bound)}",
            value=None,
            format="%g",
            placeholder=f"{usual:.6g}",
            key=LIMIT,
            bind="query-params",
            width=200,
            help=f"On {literal(visible(bound.name, 80))}. Without one it is taken {start}.",
        )
    )
    limit = usual if entered is None else float(entered)
    chosen = found.best(bound, free, limit)
    return Limited(bound, free, limit, is_on_privacy, chosen, start if entered is None else "")


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
