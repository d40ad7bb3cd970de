"""The visitor's limit on one goal of a sweep: the best strategy within it, and its line in the figure."""

from dataclasses import dataclass
from enum import StrEnum
from math import isfinite

import numpy as np

from losses.errors import visible
from pages.frontier.landscape.pareto import Side, Weighed
from pages.frontier.screen import Places
from pages.ui.plain_text import literal
from pages.ui.segmented_control import segmented_control
from plotting import strategies

KEYS = ("land_limit_on", "land_limit")
_LONGEST = 80


class On(StrEnum):
    """What is limited; the values are the labels, and the values in the URL."""

    PRIVACY = "privacy"
    UTILITY = "utility"


@dataclass(frozen=True, eq=False)
class Limited:
    """A ``limit`` on the goal ``bound``, and the place of the strategy within it that is best in the goal ``free``."""

    bound: Side
    free: Side
    limit: float
    is_on_privacy: bool
    chosen: int | None

    @property
    def mark(self) -> strategies.Limit:
        """Its line in the figure."""
        return strategies.Limit(self.limit, self.is_on_privacy, f"my limit, {self.limit:.4g}")


def draw(places: Places, found: Weighed) -> Limited:
    """Draw what is limited and the limit; without one it is what the elbow has."""
    with places.drawer:
        limited = segmented_control("My limit is on", list(On), default=On.PRIVACY, key=KEYS[0])
    bound, free = (found.privacy, found.utility) if limited is On.PRIVACY else (found.utility, found.privacy)
    mean = bound.runs.mean  # without an elbow, the middle of all
    usual = float(mean[found.elbow] if found.elbow is not None else np.sort(mean)[len(mean) // 2])
    entered = places.limit.number_input(
        f"my limit, {bound.limit}",
        value=None,
        format="%g",
        placeholder=f"{usual:.6g}",
        key=KEYS[1],
        bind="query-params",
        width=200,
        help=f"On {literal(visible(bound.name, _LONGEST))}. Without one it is what the elbow has.",
    )
    limit = usual if entered is None or not isfinite(entered) else float(entered)
    return Limited(bound, free, limit, limited is On.PRIVACY, found.best(bound, free, limit))
