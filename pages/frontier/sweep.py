"""Your own sweep: strategies by privacy and utility, the best within a limit, and each one's details at a click."""

from dataclasses import replace
from functools import partial
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
from pages.frontier import sweep_answer as answers
from pages.frontier import sweep_source
from pages.frontier.screen import Places, Recommendation
from pages.frontier.sweep_answer import FrontierKind, Limited, Weighed
from pages.frontier.sweep_source import SweepSource
from pages.ui import address, chart, downloads, uploads
from pages.ui.controls import segmented_control
from pages.ui.plain_text import literal
from pages.ui.result_header import Formula
from pages.ui.share import Shared
from plotting.landscape import MANY, Goal, landscape_figure
from reports.python_code import constructor
from reports.rounding import nearest

LIMIT = "frontier.land_limit"
KEYS = (
    *sweep_source.KEYS,
    "frontier.land_frontier",
    "frontier.land_scale",
    "frontier.land_densities",
    "frontier.land_limit_on",
    "frontier.land_more",
    LIMIT,
)
_PRIVACY, _UTILITY = "privacy", "utility"  # what a limit is on; the labels, and the values in the URL
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
    places = Places.empty()
    given = sweep_source.draw(subject, places.rest.container())
    if given is None:
        places.draw_said(Recommendation("Upload a sweep, and the answer will stand here."))
        return
    started = perf_counter()
    with places.answer:
        try:
            with st.spinner("Weighing the strategies …", show_time=True):
                found = answers.weighed(given)
        except TableError as problem:
            uploads.complain(problem)
            return
    drawer = places.rest.expander("Frontier, axes, densities, what is limited", type="compact")
    frontier, along, has_densities = _draw_look(drawer, found)
    limited = _draw_limit(drawer, places.limit, found)
    verdict = f"{answers.verdict(limited)} {answers.counts(found, frontier)}."
    said = Recommendation(answers.sentence(found, limited), verdict)
    places.draw_said(said)
    figure = landscape_figure(found.drawn(found.utility, along, frontier, limited, has_densities))
    seconds = perf_counter() - started
    first, second = places.figures.columns([2.4, 1], gap="medium")
    with first:
        # Another sweep, or another reading of it, starts anew with what is selected.
        reading = repr((given.key, given.roles, given.drop))
        key = f"frontier.land_chart_{sha256(reading.encode()).hexdigest()[:16]}"
        event = chart.draw(figure, answers.alt(found), key, "rerun")
        (other,) = (one for one in FrontierKind if one is not frontier)
        st.caption(f"Bold: {frontier}. Dotted: {other}.")
    with second:
        _draw_details(found, limited, selected(event, found))
    notes, every = answers.parameters(given, found, frontier), np.arange(len(found.sweep))
    places.draw_rest(
        said,
        ("frontier.land_more", {"the frontier": partial(_draw_frontier, given, found, frontier, notes)}),
        (FORMULAS, ASSUMPTIONS, Bound.ESTIMATE, seconds),
        Shared("privacy-utility", snippet(given), lambda: downloads.table(answers.columns(found, every), notes)),
    )


def _draw_frontier(given: SweepSource, found: Weighed, frontier: FrontierKind, notes: dict[str, str]) -> None:
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


def selected(event: Any, found: Weighed) -> int | None:
    """Place of the strategy that was clicked."""
    points = event.selection.points if event is not None else []
    given = [int(np.ravel(point["customdata"])[0]) for point in points if point.get("customdata") is not None]
    return next((place for place in given if 0 <= place < len(found.sweep)), None)


def _draw_details(found: Weighed, limited: Limited, clicked: int | None) -> None:
    """Draw the numbers of the strategy that was clicked, or chosen."""
    place = limited.chosen if clicked is None else clicked
    if place is not None:
        st.markdown(f"**{'Chosen' if clicked is None else 'Clicked'}:** {found.called(place)}")
        rows = answers.known(found, place)
        downloads.draw_table({"what": list(rows), "value": list(rows.values())}, width="stretch")
    if clicked is None:
        st.caption("Click a point for its details.")
        return
    measured = float(limited.bound.runs.mean[clicked])
    label = f"Use {nearest(measured)} as the limit"
    st.button(label, key="frontier.land_use", on_click=address.put, args=(LIMIT, measured))


def _draw_look(place: DeltaGenerator, found: Weighed) -> tuple[FrontierKind, Goal, bool]:
    """Draw the frontier in force and how the figure looks: its axis of privacy, and whether it has densities."""
    with place, st.container(horizontal=True, vertical_alignment="bottom"):
        kinds = list(FrontierKind)
        frontier = segmented_control("Frontier", kinds, default=FrontierKind.HULL, key="frontier.land_frontier")
        scales, shown = ["linear", "log"], ["hidden", "shown"]
        scale = segmented_control("Privacy axis", scales, default="linear", key="frontier.land_scale")
        density = segmented_control("Densities", shown, default="hidden", key="frontier.land_densities")
    is_log = scale == "log" and bool(found.privacy.runs.low.min() > 0.0)
    if is_log is not (scale == "log"):
        place.info("Privacy is 0 or negative somewhere, so its axis stays linear.", icon=":material/info:")
    return frontier, replace(found.privacy, is_log=is_log), density == "shown"


def _draw_limit(drawer: DeltaGenerator, place: DeltaGenerator, found: Weighed) -> Limited:
    """Draw what is limited and the limit; without one it is taken where the elbow is, or in the middle of all.

    A limit of its own: what a column of the table holds, only the table knows, so people found are not in it.
    """
    with drawer:
        names = [_PRIVACY, _UTILITY]
        on = segmented_control("The limit is on", names, default=_PRIVACY, key="frontier.land_limit_on")
    is_on_privacy = on == _PRIVACY
    bound, free = (found.privacy, found.utility) if is_on_privacy else (found.utility, found.privacy)
    mean, start = bound.runs.mean, "in the middle of all" if found.elbow is None else "at the elbow"
    usual = float(np.sort(mean)[len(mean) // 2] if found.elbow is None else mean[found.elbow])
    entered = place.number_input(
        f"Limit on this table's {literal(visible(answers.in_words(bound.name), 40))}, {answers.limit_words(bound)}",
        value=None,
        format="%g",
        placeholder=f"{usual:.6g}",
        key=LIMIT,
        bind="query-params",
        width=340,
        help="In the units of the table's column, apart from the limit on people found that all pages share. "
        f"Without one it is taken {start}.",
    )
    limit = usual
    if entered is not None and isfinite(entered):
        limit, start = entered, ""
    return Limited(bound, free, limit, is_on_privacy, found.best(bound, free, limit), start)


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
