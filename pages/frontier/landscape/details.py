"""What is known of the run that was clicked, of the runs that were brushed, or else of the one to choose."""

from hashlib import sha256
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from losses.errors import visible
from pages.frontier.landscape import tables
from pages.frontier.landscape.controls import LIMIT, Limited
from pages.frontier.landscape.pareto import GoalColumn, Weighed
from pages.frontier.landscape.source import SweepSource
from pages.frontier.landscape.words import at, called, value
from pages.ui import address, csv_tables, downloads
from pages.ui.plain_text import literal

_LISTED = 200
# Not the first thing a drag does: while it is, Streamlit lets no click choose a point.
_HINT = "Click a point for its details; for several, choose Box Select above the figure and draw a box."
Places = NDArray[np.intp]


def chart_key(source: SweepSource) -> str:
    """Of the figure, and of what is selected in it: another sweep, or another reading of it, starts anew."""
    said = repr((source.key, source.roles, source.drop, source.colours))
    return f"frontier.land_chart_{sha256(said.encode()).hexdigest()[:16]}"


def selected(event: Any, found: Weighed) -> Places:
    """Places of the strategies that were clicked or brushed, ascending."""
    points = event.selection.points if event is not None else []
    given = [np.ravel(point["customdata"])[0] for point in points if point.get("customdata") is not None]
    return np.unique(np.array([int(place) for place in given if 0 <= int(place) < len(found.sweep)], dtype=np.intp))


def draw(found: Weighed, limited: Limited, places: Places) -> None:
    """Draw one strategy's numbers, or what several have in common."""
    if len(places) > 1:
        _draw_several(found, limited, places)
        return
    place = int(places[0]) if len(places) else limited.chosen
    if place is None:
        st.caption(_HINT)
        return
    st.markdown(f"**{'Clicked' if len(places) else 'Chosen'}:** {called(found, place)}")
    rows = numbers(found, place)
    csv_tables.draw({"what": list(rows), "value": list(rows.values())}, width="stretch")
    if len(places):
        measured = float(limited.bound.runs.mean[place])
        st.button(
            f"Use {value(measured)} as my limit", key="frontier.land_use", on_click=address.put, args=(LIMIT, measured)
        )
    else:
        st.caption(_HINT)


def numbers(found: Weighed, place: int) -> dict[str, str]:
    """All that is known of a strategy, by name."""
    said = {name: cells[place] for name, cells in found.sweep.settings.items() if cells[place]}
    for side in (found.utility, found.privacy):
        said[side.name] = _with_range(side, place)
    said["runs"] = f"{int(found.sweep.runs[place]):,}, first in row {int(found.sweep.first_row[place]):,}"
    beaten = beaten_by(found, place)
    said["not dominated"] = "yes" if not beaten else f"no: {beaten:,} {'beats' if beaten == 1 else 'beat'} it"
    return said


def beaten_by(found: Weighed, place: int) -> int:
    """How many others are better in one goal, and no worse in the other."""
    sides = [side.wanted for side in (found.utility, found.privacy)]
    no_worse = np.logical_and.reduce([side >= side[place] for side in sides])
    better = np.logical_or.reduce([side > side[place] for side in sides])
    return int(np.count_nonzero(no_worse & better))


def _with_range(side: GoalColumn, place: int) -> str:
    low, mean, high = (value(float(end[place])) for end in (side.runs.low, side.runs.mean, side.runs.high))
    return mean if low == high else f"{mean} ({low} to {high})"


def _draw_several(found: Weighed, limited: Limited, places: Places) -> None:
    for words in in_common(found, limited, places):
        st.markdown(words)
    shown = tables.columns(found, places[:_LISTED])
    csv_tables.draw(shown, width="stretch", height=150)
    downloads.button("Brushed (CSV)", "brushed.csv", lambda: csv_tables.table(tables.columns(found, places), {}))


def in_common(found: Weighed, limited: Limited, places: Places) -> list[str]:
    """How many were brushed, between which ends they lie, and which of them is the best within the limit."""
    kinds = {found.sweep.kinds[place] for place in places.tolist()} if found.sweep.kinds else set()
    of = f" of {len(kinds):,} {'strategy' if len(kinds) == 1 else 'strategies'}" if kinds else ""
    ends = [
        f"{literal(visible(side.name, 30))} {value(float(side.runs.mean[places].min()))} to "
        f"{value(float(side.runs.mean[places].max()))}"
        for side in (found.utility, found.privacy)
    ]
    within = found.best(limited.bound, limited.free, limited.limit, places)
    whose = "the limit" if limited.start else "my limit"
    best = f"None keeps {whose}." if within is None else f"Best within {whose}: {called(found, within)}, "
    best += "" if within is None else f"{at(limited.free, within)}."
    return [f"**Brushed:** {len(places):,} points{of}, {', '.join(ends)}. {best}"]
