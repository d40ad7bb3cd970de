"""How a sweep's figure looks: which frontier is in force, and its axes, which can be fixed to compare sweeps."""

from math import isfinite

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses.errors import visible
from pages.frontier.landscape.pareto import Ends, Frontier, Look, Side, Weighed
from pages.ui import address
from pages.ui.plain_text import literal
from pages.ui.segmented_control import segmented_control
from plotting.landscape_axes import ends
from plotting.strategies import Goal

_SCALES = ("linear", "log")
_DENSITIES = ("hidden", "shown")
_ENDS = {"privacy": ("land_privacy_from", "land_privacy_to"), "utility": ("land_utility_from", "land_utility_to")}
KEYS = ("land_frontier", "land_scale", "land_densities", *_ENDS["privacy"], *_ENDS["utility"])


def draw(place: DeltaGenerator, found: Weighed) -> tuple[Frontier, Look]:
    """Draw the choices, and return the frontier in force with the look."""
    with place, st.container(horizontal=True, vertical_alignment="bottom"):
        frontier = segmented_control("Frontier", list(Frontier), default=Frontier.HULL, key=KEYS[0])
        is_log = segmented_control("Privacy axis", list(_SCALES), default=_SCALES[0], key=KEYS[1]) == _SCALES[1]
        shown = segmented_control("Densities", list(_DENSITIES), default=_DENSITIES[0], key=KEYS[2]) == _DENSITIES[1]
    if is_log and not found.can_be_log:
        place.info("Privacy is 0 or negative somewhere, so its axis stays linear.", icon=":material/info:")
        is_log = False
    with place, st.container(horizontal=True, vertical_alignment="bottom"):
        privacy, utility = (_ends(side, _ENDS[name]) for name, side in _sides(found).items())
        held = _held(found, is_log)
        fit: dict[str, object] = dict.fromkeys(held)
        st.button("Hold these axes", on_click=address.put_all, args=(held, fit), help=_HOLD)
        st.button("Let them fit", on_click=address.put_all, args=(fit, fit))
    return frontier, Look(is_log, shown, privacy, utility)


_HOLD = "The axes stay as they are now while you look at other rows, or at another sweep, to compare them."


def _sides(found: Weighed) -> dict[str, Side]:
    return {"privacy": found.privacy, "utility": found.utility}


def _ends(side: Side, keys: tuple[str, str]) -> Ends:
    name = literal(visible(side.name, 30))
    low, high = (
        st.number_input(
            f"{name} {word}", value=None, format="%g", key=key, bind="query-params", width=150, placeholder="fits"
        )
        for word, key in zip(("from", "to"), keys, strict=True)
    )
    return _finite(low), _finite(high)


def _finite(end: float | None) -> float | None:
    return end if end is not None and isfinite(end) else None


def _held(found: Weighed, is_log: bool) -> dict[str, float | None]:
    """Where the axes end when they fit, by the keys of the boxes, to four digits."""
    held: dict[str, float | None] = {}
    for name, side in _sides(found).items():
        goal = Goal(side.name, side.better, side.runs, is_log and name == "privacy")
        for key, end in zip(_ENDS[name], ends(goal), strict=True):
            held[key] = float(f"{10.0**end if goal.is_log else end:.4g}")
    return held
