"""How a sweep is looked at: the frontier in force, its axes, which can be fixed to compare sweeps, and my limit."""

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from losses.errors import visible
from pages.frontier.landscape.pareto import Ends, FrontierKind, GoalColumn, LandscapeLook, Weighed
from pages.frontier.screen import Places
from pages.ui import address
from pages.ui.plain_text import literal
from pages.ui.segmented_control import segmented_control
from plotting import strategies
from plotting.landscape_axes import ends, is_as_fixed
from plotting.strategies import Goal
from reports.rounding import nearest

_SCALES = ("linear", "log")
_DENSITIES = ("hidden", "shown")
_ENDS = {
    "privacy": ("frontier.land_privacy_from", "frontier.land_privacy_to"),
    "utility": ("frontier.land_utility_from", "frontier.land_utility_to"),
}
AXES = (*_ENDS["privacy"], *_ENDS["utility"])
LIMIT = "frontier.land_limit"
KEYS = (
    "frontier.land_frontier",
    "frontier.land_scale",
    "frontier.land_densities",
    *AXES,
    "frontier.land_limit_on",
    LIMIT,
)


def draw_look(place: DeltaGenerator, found: Weighed) -> tuple[FrontierKind, LandscapeLook]:
    """Draw the choices, and return the frontier in force with the look."""
    with place, st.container(horizontal=True, vertical_alignment="bottom"):
        frontier = segmented_control(
            "Frontier", list(FrontierKind), default=FrontierKind.HULL, key="frontier.land_frontier"
        )
        is_log = (
            segmented_control("Privacy axis", list(_SCALES), default=_SCALES[0], key="frontier.land_scale")
            == _SCALES[1]
        )
        densities = segmented_control(
            "Densities", list(_DENSITIES), default=_DENSITIES[0], key="frontier.land_densities"
        )
    if is_log and not found.can_be_log:
        place.info("Privacy is 0 or negative somewhere, so its axis stays linear.", icon=":material/info:")
        is_log = False
    with place, st.container(horizontal=True, vertical_alignment="bottom"):
        privacy, utility = (_ends(side, _ENDS[name]) for name, side in _sides(found).items())
        held = _held(found, is_log)
        fit: dict[str, object] = dict.fromkeys(held)
        st.button("Hold these axes", on_click=address.put_all, args=(held, fit), help=_HOLD)
        st.button("Let them fit", on_click=address.put_all, args=(fit, fit))
    for given, (name, side) in zip((privacy, utility), _sides(found).items(), strict=True):
        _say_no_range(place, Goal(side.name, side.better, side.runs, is_log and name == "privacy", given))
    return frontier, LandscapeLook(is_log, densities == _DENSITIES[1], privacy, utility)


_HOLD = "The axes stay as they are now while you look at other rows, or at another sweep, to compare them."


def _sides(found: Weighed) -> dict[str, GoalColumn]:
    return {"privacy": found.privacy, "utility": found.utility}


def _ends(side: GoalColumn, keys: tuple[str, str]) -> Ends:
    name = literal(visible(side.name, 30))
    low, high = (
        st.number_input(
            f"{name} {word}", value=None, format="%g", key=key, bind="query-params", width=150, placeholder="fits"
        )
        for word, key in zip(("from", "to"), keys, strict=True)
    )
    return _finite(low), _finite(high)


def _say_no_range(place: DeltaGenerator, goal: Goal) -> None:
    """Say so where the axis cannot end where it is asked to."""
    if not is_as_fixed(goal):
        low, high = ("its end" if end is None else nearest(end) for end in goal.ends)
        place.warning(
            f"**{literal(visible(goal.name, 30))} has no axis from {low} to {high}:** it fits all strategies instead. "
            "Its first end must be below the second, and above 0 where the axis is logarithmic.",
            icon=":material/block:",
        )


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


_LONGEST = 80
_AT_ELBOW, _IN_THE_MIDDLE = "at the elbow", "in the middle of all"


class On(StrEnum):
    """What is limited; the values are the labels, and the values in the URL."""

    PRIVACY = "privacy"
    UTILITY = "utility"


@dataclass(frozen=True, eq=False)
class Limited:
    """A ``limit`` on the goal ``bound``, and the place of the strategy within it that is best in the goal ``free``.

    ``start`` is where the limit was taken from if the visitor set none, else empty.
    """

    bound: GoalColumn
    free: GoalColumn
    limit: float
    is_on_privacy: bool
    chosen: int | None
    start: str = ""

    @property
    def mark(self) -> strategies.GoalLimit:
        """Its line in the figure."""
        return strategies.GoalLimit(self.limit, self.is_on_privacy, self._name)

    @property
    def _name(self) -> str:
        whose = f"limit {self.start}" if self.start else "my limit"
        return f"{whose}, {nearest(self.limit)}"


def draw_limit(places: Places, found: Weighed) -> Limited:
    """Draw what is limited and the limit; without one it is taken where the elbow is."""
    with places.drawer:
        limited = segmented_control("My limit is on", list(On), default=On.PRIVACY, key="frontier.land_limit_on")
    bound, free = (found.privacy, found.utility) if limited is On.PRIVACY else (found.utility, found.privacy)
    mean = bound.runs.mean  # without an elbow, the middle of all
    usual = float(mean[found.elbow] if found.elbow is not None else np.sort(mean)[len(mean) // 2])
    start = _AT_ELBOW if found.elbow is not None else _IN_THE_MIDDLE
    entered = places.limit.number_input(
        f"my limit, {bound.limit}",
        value=None,
        format="%g",
        placeholder=f"{usual:.6g}",
        key=LIMIT,
        bind="query-params",
        width=200,
        help=f"On {literal(visible(bound.name, _LONGEST))}. Without one it is taken {start}.",
    )
    is_own = entered is not None and isfinite(entered)
    limit = float(entered) if is_own and entered is not None else usual
    chosen = found.best(bound, free, limit)
    return Limited(bound, free, limit, limited is On.PRIVACY, chosen, "" if is_own else start)
