"""The strategies of a sweep, weighed: which are on the frontier, and which one is its elbow."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from losses import Sweep, sweep
from losses.errors import visible
from losses.sweeps.table import cells
from numerics.pareto import Averages, Better, Mask, best_within, elbow, hull, non_dominated, oriented
from numerics.trade_off import Floats
from pages.frontier.landscape.source import SweepSource
from pages.server.shared_cache import session_cache
from pages.ui import uploads
from plotting.strategies import Goal, GoalLimit, Landscape

_MOST_NUMBERS = 12  # of which each is a colour; more are put together by quarters
_LONGEST = 40


class FrontierKind(StrEnum):
    """Who counts as being on the frontier; the values are the labels, and the values in the URL."""

    HULL = "convex hull"
    NOT_DOMINATED = "not dominated"


@dataclass(frozen=True, eq=False)
class GoalColumn:
    """One goal: the column's name, its runs, and which end is wanted."""

    name: str
    runs: Averages
    better: Better

    @property
    def wanted(self) -> Floats:
        """The averages (m,), larger ones better."""
        return oriented(self.runs.mean, self.better)

    @property
    def limit(self) -> str:
        """How a limit on it is put in words."""
        return "at least" if self.better is Better.HIGHER else "at most"


Ends = tuple[float | None, float | None]


@dataclass(frozen=True)
class LandscapeLook:
    """How the figure looks: the scale of the privacy axis, densities beside the axes, and the ends of those held."""

    is_log: bool = False
    has_densities: bool = False
    privacy: Ends = (None, None)
    utility: Ends = (None, None)


@dataclass(frozen=True, eq=False)
class Weighed:
    """A sweep and its frontiers.

    Attributes:
        sweep: the m strategies.
        names: theirs, (m,).
        kinds: their colours, (m,).
        utility, privacy: the two goals.
        not_dominated: strategies that no other one beats in both, (m,).
        corners: those at corners of the convex hull, (m,).
        elbow: its place among them all, if there is one.
    """

    sweep: Sweep
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    utility: GoalColumn
    privacy: GoalColumn
    not_dominated: Mask
    corners: Mask
    elbow: int | None

    def on(self, frontier: FrontierKind) -> NDArray[np.intp]:
        """Places of the strategies on it, the most private first."""
        mask = self.corners if frontier is FrontierKind.HULL else self.not_dominated
        places = np.flatnonzero(mask)
        found: NDArray[np.intp] = places[np.argsort(-self.privacy.wanted[places], kind="stable")]
        return found

    @property
    def can_be_log(self) -> bool:
        """Whether the privacy of all runs can be drawn on a logarithmic axis."""
        return bool(self.privacy.runs.low.min() > 0.0)

    def best(
        self, bound: GoalColumn, free: GoalColumn, limit: float, among: NDArray[np.intp] | None = None
    ) -> int | None:
        """Place of the best strategy in ``free`` of those that keep ``limit`` on ``bound``; None where none does."""
        places = np.arange(len(self.sweep)) if among is None else among
        least = float(oriented(np.array([limit]), bound.better)[0])
        best = best_within(free.wanted[places], bound.wanted[places], least)
        return None if best is None else int(places[best])

    @property
    def strategies(self) -> int:
        """How many different names the column of strategies has; as many as points where there is no such column."""
        return len(set(self.sweep.kinds)) if self.sweep.kinds else len(self.sweep)

    def drawn(
        self, look: LandscapeLook, frontier: FrontierKind, limit: GoalLimit | None, chosen: int | None
    ) -> Landscape:
        """What the figure needs; names short enough for it."""
        runs = self.sweep.runs
        said = (
            f"{visible(name, 2 * _LONGEST)} ({count:,} runs)" if count > 1 else visible(name, 2 * _LONGEST)
            for name, count in zip(self.names, runs.tolist(), strict=True)
        )
        utility, privacy = self.utility, self.privacy
        up = Goal(visible(utility.name, _LONGEST), utility.better, utility.runs, ends=look.utility)
        along = Goal(visible(privacy.name, _LONGEST), privacy.better, privacy.runs, look.is_log, look.privacy)
        kinds = tuple(visible(kind, _LONGEST) for kind in self.kinds)
        mask = self.corners if frontier is FrontierKind.HULL else self.not_dominated
        labels = tuple(visible(name, _LONGEST) for name in self.sweep.kinds or self.names)
        marks = self.not_dominated, self.corners, self.elbow, labels, mask
        return Landscape(up, along, kinds, tuple(said), *marks, limit, chosen, look.has_densities)


def weighed(source: SweepSource) -> Weighed:
    """The sweep, weighed once for as long as nothing about it changes; a visitor's own is forgotten with its table.

    Raises TableError where the columns cannot be used.
    """
    key = source.key, source.roles, source.drop, source.colours
    if source.slot is not None:
        return uploads.made(source.slot, "weighed", key, lambda: weigh(source))
    return session_cache("frontier.land_weighed", key, 2, lambda: weigh(source))


def weigh(source: SweepSource) -> Weighed:
    """Put runs together and look for the frontiers. Raises TableError where the columns cannot be used."""
    roles = source.roles
    found = sweep(source.table, roles, source.drop)
    utility = GoalColumn(roles.utility, found.utility, roles.utility_better)
    privacy = GoalColumn(roles.privacy, found.privacy, roles.privacy_better)
    goals = utility.wanted, privacy.wanted
    corners = hull(*goals)
    return Weighed(
        found,
        found.names,
        _kinds(found, source),
        utility,
        privacy,
        non_dominated(*goals),
        corners,
        elbow(*goals),
    )


def _kinds(found: Sweep, source: SweepSource) -> tuple[str, ...]:
    """The colours: what a column says in the first run of each strategy; many different numbers by their quarters."""
    column = source.colours
    if column is None:
        return ("",) * len(found)
    said = cells(source.table, column, found.first_row - 1)
    numbers = next((one.values for one in source.table.numbers if one.name == column), None)
    if numbers is not None and column != source.roles.strategy and len(set(said)) > _MOST_NUMBERS:
        return _quarters(column, numbers[found.first_row - 1])
    return tuple(cell or f"{column}: none" for cell in said)


def _quarters(column: str, values: Floats) -> tuple[str, ...]:
    """In which quarter of the different values each lies, the least first."""
    edges = np.quantile(np.unique(values[np.isfinite(values)]), (0.25, 0.5, 0.75))
    names = (
        f"{column} ≤ {edges[0]:.3g}",
        *(f"{column} ≤ {edge:.3g}" for edge in edges[1:]),
        f"{column} > {edges[2]:.3g}",
    )
    return tuple(
        names[int(np.searchsorted(edges, value))] if np.isfinite(value) else f"{column}: none" for value in values
    )
