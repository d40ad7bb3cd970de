"""The strategies of a sweep, weighed: which are on the frontier, and which one is its elbow."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from losses import Sweep, sweep
from losses.errors import visible
from numerics.pareto import Averages, Better, Mask, elbow, hull, non_dominated, oriented
from numerics.trade_off import Floats
from pages.frontier.landscape.source import Source
from pages.server.session_cache import session_cache
from pages.ui import uploads
from plotting.strategies import Goal, Landscape

_MOST_KINDS = 40  # different colours' names; beyond, and where most strategies have their own, colours say nothing
_LONGEST = 40


class Frontier(StrEnum):
    """Who counts as being on the frontier; the values are the labels, and the values in the URL."""

    HULL = "convex hull"
    NOT_DOMINATED = "not dominated"


@dataclass(frozen=True, eq=False)
class Side:
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


@dataclass(frozen=True, eq=False)
class Weighed:
    """A sweep and its frontiers.

    Attributes:
        sweep: the strategies.
        names: theirs, (m,).
        kinds: their colours, (m,).
        utility: one goal.
        privacy: the other.
        not_dominated: strategies that no other one beats, (m,).
        corners: those at corners of the convex hull, (m,).
        elbow: its place, if there is one.
    """

    sweep: Sweep
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    utility: Side
    privacy: Side
    not_dominated: Mask
    corners: Mask
    elbow: int | None

    def on(self, frontier: Frontier) -> NDArray[np.intp]:
        """Places of the strategies on it, the most private first."""
        mask = self.corners if frontier is Frontier.HULL else self.not_dominated
        places = np.flatnonzero(mask)
        found: NDArray[np.intp] = places[np.argsort(-self.privacy.wanted[places], kind="stable")]
        return found

    @property
    def can_be_log(self) -> bool:
        """Whether the privacy of all runs can be drawn on a logarithmic axis."""
        return bool(self.privacy.runs.low.min() > 0.0)

    def drawn(self, is_log: bool) -> Landscape:
        """What the figure needs; names short enough for it."""
        runs = self.sweep.runs
        said = (
            f"{visible(name, 2 * _LONGEST)} ({count:,} runs)" if count > 1 else visible(name, 2 * _LONGEST)
            for name, count in zip(self.names, runs.tolist(), strict=True)
        )
        utility = Goal(visible(self.utility.name, _LONGEST), self.utility.better, self.utility.runs)
        privacy = Goal(visible(self.privacy.name, _LONGEST), self.privacy.better, self.privacy.runs, is_log)
        kinds = tuple(visible(kind, _LONGEST) for kind in self.kinds)
        return Landscape(utility, privacy, kinds, tuple(said), self.not_dominated, self.corners, self.elbow)


def weighed(source: Source) -> Weighed:
    """The sweep, weighed once for as long as nothing about it changes; a visitor's own is forgotten with its table.

    Raises TableError where the columns cannot be used.
    """
    key = source.key, source.roles, source.drop, source.colours
    if source.slot is not None:
        return uploads.made(source.slot, "weighed", key, lambda: weigh(source))
    return session_cache("land_weighed", key, 2, lambda: weigh(source))


def weigh(source: Source) -> Weighed:
    """Put runs together and look for the frontiers. Raises TableError where the columns cannot be used."""
    roles = source.roles
    found = sweep(source.table, roles, source.drop)
    utility = Side(roles.utility, found.utility, roles.utility_better)
    privacy = Side(roles.privacy, found.privacy, roles.privacy_better)
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


def _kinds(found: Sweep, source: Source) -> tuple[str, ...]:
    column = source.colours
    if column is None:
        return ("",) * len(found)
    cells = found.kinds if column == source.roles.strategy else found.settings[column]
    different = len(set(cells))
    tells = different <= _MOST_KINDS and (different <= 4 or 2 * different <= len(cells))
    return tuple(cell or f"{column}: none" for cell in cells) if tells else ("",) * len(found)
