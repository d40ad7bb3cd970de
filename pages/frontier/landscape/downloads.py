"""Taking a weighed sweep away: the frontier, all averages, the figure, and Python that finds the frontier again."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from losses.header import names_of
from numerics.trade_off import Floats
from pages.frontier.landscape.pareto import Frontier, Weighed
from pages.frontier.landscape.source import Source
from pages.ui import downloads
from plotting import theme

Column = Floats | Sequence[str]


def columns(found: Weighed, places: NDArray[np.intp]) -> dict[str, Column]:
    """The table of some strategies; every name is different, and as safe as its cells in a spreadsheet."""
    rows = places.tolist()
    listed: list[tuple[str, Column]] = [("strategy", [found.names[row] for row in rows])]
    listed += [(name, [cells[row] for row in rows]) for name, cells in found.sweep.settings.items()]
    for side in (found.utility, found.privacy):
        ends = ("mean", side.runs.mean), ("lowest", side.runs.low), ("highest", side.runs.high)
        listed += [(f"{side.name}, {end}", values[places]) for end, values in ends]
    listed += [
        ("runs", found.sweep.runs[places].astype(float)),
        ("not dominated", _ticks(found.not_dominated[places])),
        ("convex hull", _ticks(found.corners[places])),
        ("elbow", _ticks(places == found.elbow)),
    ]
    names = names_of(tuple(downloads.inert(name) for name, _ in listed))
    return {name: _safe(column) for name, (_, column) in zip(names, listed, strict=True)}


def _ticks(mask: NDArray[np.bool_]) -> list[str]:
    return ["yes" if one else "no" for one in mask.tolist()]


def _safe(column: Column) -> Column:
    return column if isinstance(column, np.ndarray) else [downloads.inert(cell) for cell in column]


def draw_table(found: Weighed, frontier: Frontier, notes: dict[str, str]) -> None:
    """Draw the frontier as a table, the most private strategy first, and its download."""
    shown = columns(found, found.on(frontier))
    st.markdown("**The frontier**, the most private strategy first")
    # The table's own toolbar saves the cells as they are.
    st.dataframe({name: _safe(column) for name, column in shown.items()}, hide_index=True, width="stretch")
    st.download_button(
        "Frontier (CSV)",
        lambda: downloads.table(shown, notes),
        "privacy-utility-frontier.csv",
        "text/csv",
        on_click="ignore",
    )


def notes(source: Source, found: Weighed, frontier: Frontier) -> dict[str, str]:
    """What a reader of the files must know."""
    return {
        "sweep": source.name,
        "utility": f"{found.utility.name}, {found.utility.better}",
        "privacy": f"{found.privacy.name}, {found.privacy.better}",
        "frontier in force": frontier.value,
        "rows left out": f"{found.sweep.dropped:,}",
        "elbow": "the frontier's point farthest from the line between its ends, both goals scaled to these ends",
    }


def draw(source: Source, found: Weighed, figure: theme.Figure, words: dict[str, str]) -> None:
    """Offer all averages, the figure, the snippet and the address."""

    def data() -> str:
        return downloads.table(columns(found, np.arange(len(found.sweep))), words)

    downloads.offer("privacy-utility", data, snippet(source), figure, words)


def snippet(source: Source) -> str:
    """Python that finds the frontier again; run it in the project's folder."""
    read, besides = source.python
    drop = f", drop={source.drop}" if source.drop else ""
    return f"""from losses import {", ".join(sorted(("SweepRoles", "read_sweep", "sweep", *besides)))}
from numerics.pareto import Better, elbow, hull, non_dominated, oriented

roles = {downloads.constructor(source.roles)}
found = sweep({read}, roles{drop})
goals = oriented(found.utility.mean, roles.utility_better), oriented(found.privacy.mean, roles.privacy_better)
names = found.names
for frontier in (non_dominated, hull):
    print(frontier.__name__, [names[place] for place in frontier(*goals).nonzero()[0]])
place = elbow(*goals)
print("elbow", None if place is None else names[place])
"""
