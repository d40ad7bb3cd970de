"""A weighed sweep as tables: the frontier, and all averages."""

from collections.abc import Sequence

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from losses.layout import names_of
from numerics.trade_off import Floats
from pages.frontier.landscape.pareto import FrontierKind, Weighed
from pages.frontier.landscape.source import SweepSource
from pages.ui import csv_tables, downloads

Column = Floats | Sequence[str]


def columns(found: Weighed, places: NDArray[np.intp]) -> dict[str, Column]:
    """The table of some strategies; every name is different."""
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
    names = names_of(tuple(name for name, _ in listed))
    return {name: column for name, (_, column) in zip(names, listed, strict=True)}


def _ticks(mask: NDArray[np.bool_]) -> list[str]:
    return ["yes" if one else "no" for one in mask.tolist()]


def averages(found: Weighed, notes: dict[str, str]) -> str:
    """CSV of all strategies."""
    return csv_tables.table(columns(found, np.arange(len(found.sweep))), notes)


def draw_table(found: Weighed, frontier: FrontierKind, notes: dict[str, str]) -> None:
    """Draw the frontier as a table, the most private strategy first, and its download."""
    shown = columns(found, found.on(frontier))
    st.markdown("**The frontier**, the most private strategy first")
    csv_tables.draw(shown, width="stretch")
    downloads.button("Frontier (CSV)", "privacy-utility-frontier.csv", lambda: csv_tables.table(shown, notes))


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
