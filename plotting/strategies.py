"""Strategies with their runs, as the landscape shows them: its two axes, and what is known of each point."""

from dataclasses import dataclass
from html import escape

import numpy as np

from numerics.pareto import Averages, Better, Mask
from numerics.trade_off import Floats

MANY = 1000  # points; beyond, they are drawn by the graphics card


@dataclass(frozen=True, eq=False)
class Goal:
    """An axis: the column's name, which end is wanted, and the strategies' runs on it."""

    name: str
    better: Better
    runs: Averages
    is_log: bool = False

    @property
    def title(self) -> str:
        """The axis title."""
        return f"{literal(self.name)} — {self.better}"

    def placed(self, values: Floats) -> Floats:
        """Where values lie along the axis."""
        return np.log10(values) if self.is_log else values


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
    """

    utility: Goal
    privacy: Goal
    kinds: tuple[str, ...]
    names: tuple[str, ...]
    not_dominated: Mask
    corners: Mask
    elbow: int | None

    @property
    def are_many(self) -> bool:
        """Whether there are more points than the browser draws smoothly without the graphics card."""
        return len(self.names) > MANY


def literal(text: str) -> str:
    """Text that Plotly shows as it is: its signs for markup and for templates are spelled as entities."""
    return escape(text, quote=False).replace("{", "&#123;")
