"""Figures of the view on trained models: utility and attack success over the levels."""

from collections.abc import Callable, Sequence

import numpy as np

from numerics.trade_off import Bound
from numerics.training import Cell, Strategy
from pages.frontier.trained.controls import Chosen, Measure, Reached, Utility
from pages.frontier.trained.task import Swept
from pages.frontier.trained.words import NOTATION, beside, spread, usual
from pages.ui import numbers_in_words
from plotting import theme
from plotting.training import Baseline, Levels, cost_figure, reached_figure

PERMITTED = {
    Measure.FOUND: "Members found, at most — strict to loose",
    Measure.ADVANTAGE: "Advantage, at most — strict to loose",
    Measure.MU: "μ, at most — strict to loose",
}
UTILITY = {Utility.ACCURACY: "Accuracy on held-out records", Utility.AUROC: "AUROC on held-out records"}
# As on the page that compares attackers, where the third is for an unknown subset.
_COLORS = {Strategy.FULL: 0, Strategy.RECORD: 1, Strategy.OTHERS: 3}
_BASELINES = {Strategy.NON_PRIVATE: "no protection", Strategy.MAJORITY: "commonest class"}


def cost(swept: Swept, chosen: Chosen, notions: Sequence[Strategy]) -> theme.Figure:
    """Utility over the levels of ``notions``, which answer one question."""
    strategies = [
        _levels(swept, strategy, lambda cell: _ends(cell, chosen.utility), Bound(cells[0].rows[0].bound))
        for strategy in notions
        if (cells := swept.levels(strategy))
    ]
    baselines = [
        Baseline(name, *_ends(cell, chosen.utility))
        for strategy, name in _BASELINES.items()
        if (cell := swept.at(strategy)) is not None
    ]
    return cost_figure(strategies, baselines, chosen.goal.goal, PERMITTED[chosen.measure], UTILITY[chosen.utility])


def _ends(cell: Cell, utility: Utility) -> tuple[float, float, float]:
    found = spread(cell, utility)
    return found.mean, found.least, found.most


def reached(swept: Swept, chosen: Chosen) -> theme.Figure:
    """What the attack on each model reached over the levels, and what full knowledge's noise promises."""
    measured = _found if chosen.reached is Reached.FOUND else _epsilon
    strategies = [
        _levels(swept, strategy, measured, Bound.AUDIT) for strategy in beside(swept) if swept.levels(strategy)
    ]
    title = (
        f"Members found at a rate of {swept.plan.alpha:g}, measured"
        if chosen.reached is Reached.FOUND
        else f"ε* at δ = {numbers_in_words.as_entered(swept.plan.delta)}, lower bounds"
    )
    return reached_figure(strategies, _promise(swept, chosen), chosen.goal.goal, PERMITTED[chosen.measure], title)


def _found(cell: Cell) -> tuple[float, float, float]:
    measured = [row.power_measured for row in cell.rows]
    return float(np.mean(measured)), min(row.power_at_least for row in cell.rows), max(measured)


def _epsilon(cell: Cell) -> tuple[float, float, float]:
    bounds = [row.epsilon_at_least for row in cell.rows]
    return usual(bounds), min(bounds), max(bounds)


def _promise(swept: Swept, chosen: Chosen) -> tuple[np.ndarray, np.ndarray] | None:
    """What the noise against full knowledge promises to anybody, where it promises anything."""
    rows = [cell.rows[0] for cell in swept.levels(Strategy.FULL)]
    values = [row.guaranteed_power if chosen.reached is Reached.FOUND else row.guaranteed_epsilon for row in rows]
    kept = [(row.goal, value) for row, value in zip(rows, values, strict=True) if np.isfinite(value)]
    return (np.array([goal for goal, _ in kept]), np.array([value for _, value in kept])) if kept else None


def _levels(
    swept: Swept, strategy: Strategy, ends: Callable[[Cell], tuple[float, float, float]], bound: Bound
) -> Levels:
    cells = swept.levels(strategy)
    middle, low, high = (np.array(column) for column in zip(*map(ends, cells), strict=True))
    goals = np.array([cell.goal for cell in cells])
    name = f"{strategy} ({NOTATION[strategy]})"
    said = _said(name, cells, middle, low, high)
    return Levels(name, goals, middle, low, high, said, bound, _COLORS[strategy])


def _said(name: str, cells: Sequence[Cell], middle: np.ndarray, low: np.ndarray, high: np.ndarray) -> list[str]:
    return [
        f"{name}: {value:.3g} ({least:.3g} to {most:.3g})<br>noise multiplier {cell.rows[0].noise_multiplier:.3g}"
        for cell, value, least, most in zip(cells, middle, low, high, strict=True)
    ]


REACHED = {
    Reached.FOUND: "Markers: the mean of the runs; bars: from the smallest lower limit (95 %) to the largest share "
    "measured. The dashed line holds for any attack on the noise against full knowledge: only a lower limit above it "
    "would break it; a share measured on few held-out records scatters.",
    Reached.EPSILON: "Lower bounds (95 % each) of ε*: median and range over the runs; 0 where the losses show nothing. "
    "The dashed line is the ε that full knowledge's noise promises.",
}
