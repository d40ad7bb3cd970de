"""Strategies with their runs, as the landscape shows them: its two axes, and what is known of each point."""

from dataclasses import dataclass
from html import escape

import numpy as np

from numerics.pareto import Averages, Better, Mask, oriented
from numerics.trade_off import Floats

MANY = 1000  # points; beyond, they are drawn by the graphics card


@dataclass(frozen=True, eq=False)
class Goal:
    """An axis: the column's name, which end is wanted, and the strategies' runs on it."""

    name: str
    better: Better
    runs: Averages
    is_log: bool = False
    ends: tuple[float | None, float | None] = (None, None)
    """Of the axis, where somebody fixed them, so that several sweeps can be compared."""

    @property
    def wanted(self) -> Floats:
        """The averages, larger ones better."""
        return oriented(self.runs.mean, self.better)

    @property
    def title(self) -> str:
        """The axis title."""
        return f"{literal(self.name)} — {self.better}"

    def placed(self, values: Floats) -> Floats:
        """Where values lie along the axis."""
        return np.log10(values) if self.is_log else values


@dataclass(frozen=True)
class GoalLimit:
    """A limit on privacy, or else on utility, and what the line there says."""

    value: float
    is_on_privacy: bool
    text: str


@dataclass(frozen=True, eq=False)
class Landscape:
    """What is drawn: m strategies.

    Attributes:
        utility: upwards.
        privacy: to the right.
        kinds: of each strategy, (m,): colours and densities.
        names: what a point says, (m,).
        not_dominated: strategies on that frontier, (m,).
        corners: strategies at corners of the hull, (m,).
        elbow: its place.
        labels: short names, (m,), for those on the frontier.
        frontier: strategies on the frontier in force, (m,), which is drawn before all else and named.
        limit: what one of the goals may be at most, or must be at least.
        chosen: place of the best strategy within the limit.
        has_densities: whether the kinds' densities stand beside the axes.
    """

    utility: Goal
    privacy: Goal
    kinds: tuple[str, ...]
    names: tuple[str, ...]
    not_dominated: Mask
    corners: Mask
    elbow: int | None
    labels: tuple[str, ...]
    frontier: Mask
    limit: GoalLimit | None = None
    chosen: int | None = None
    has_densities: bool = False

    @property
    def are_many(self) -> bool:
        """Whether there are more points than the browser draws smoothly without the graphics card."""
        return len(self.names) > MANY


def literal(text: str) -> str:
    """Text that Plotly shows as it is: its signs for markup and for templates are spelled as entities."""
    return escape(text, quote=False).replace("{", "&#123;")
