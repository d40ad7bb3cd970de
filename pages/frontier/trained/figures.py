"""Figures of the view on trained models: utility and attack success over the levels."""

from collections.abc import Callable, Sequence

import numpy as np

from numerics.trade_off import Bound
from numerics.training import Cell, Strategy
from pages.frontier.limits import axis, unit
from pages.frontier.trained.controls import Reached, TrainingChoice, Utility
from pages.frontier.trained.task import Swept
from pages.frontier.trained.words import NOTATION, SHORT, beside, spread, usual
from pages.ui import numbers_in_words
from pages.ui.numbers_in_words import CROWD
from plotting import theme
from plotting.training import Baseline, MeasuredAxis, StrategyLevels, cost_figure, reached_figure

UTILITY = {Utility.ACCURACY: "Accuracy on held-out records", Utility.AUROC: "AUROC on held-out records"}
# As on the page that compares attackers, where the third is for an unknown subset.
ATTACKER = {Strategy.FULL: 0, Strategy.RECORD: 1, Strategy.OTHERS: 3}
_BASELINES = {Strategy.NON_PRIVATE: "no protection", Strategy.MAJORITY: "commonest class"}


def cost(swept: Swept, chosen: TrainingChoice, notions: Sequence[Strategy]) -> theme.Figure:
    """Utility over the levels of ``notions``, which answer one question."""
    strategies = [
        _levels(swept, chosen, strategy, lambda cell: _ends(cell, chosen.utility), Bound(cells[0].rows[0].bound))
        for strategy in notions
        if (cells := swept.levels(strategy))
    ]
    baselines = [
        Baseline(name, *_ends(cell, chosen.utility))
        for strategy, name in _BASELINES.items()
        if (cell := swept.at(strategy)) is not None
    ]
    here = _level(chosen, chosen.goal.goal)
    return cost_figure(strategies, baselines, here, axis(chosen.goal), UTILITY[chosen.utility])


def _ends(cell: Cell, utility: Utility) -> tuple[float, float, float]:
    found = spread(cell, utility)
    return found.mean, found.least, found.most


def _level(chosen: TrainingChoice, goal: float) -> float:
    return unit(chosen.goal) * goal


def reached(swept: Swept, chosen: TrainingChoice) -> theme.Figure:
    """What the attack on each model reached over the levels, and what full knowledge's noise promises."""
    counted = chosen.reached is Reached.FOUND
    strategies = [
        _levels(swept, chosen, strategy, _found if counted else _epsilon, Bound.AUDIT)
        for strategy in beside(swept)
        if swept.levels(strategy)
    ]
    if counted:
        scale = MeasuredAxis(f"Members found, of {CROWD:,}", 1.0, CROWD, CROWD * swept.plan.alpha)
    else:
        delta = numbers_in_words.as_entered(swept.plan.delta)
        scale = MeasuredAxis(f"ε* at δ = {delta}, at least", _LEAST_EPSILON, _MOST_EPSILON)
    promise = _promise(swept, chosen)
    return reached_figure(strategies, promise, _level(chosen, chosen.goal.goal), axis(chosen.goal), scale)


_LEAST_EPSILON, _MOST_EPSILON = 0.01, 100.0


def _found(cell: Cell) -> tuple[float, float, float]:
    """The mean of what was measured, between the least lower and the largest upper limit of the runs."""
    measured = CROWD * float(np.mean([row.power_measured for row in cell.rows]))
    low, high = min(row.power_at_least for row in cell.rows), max(row.power_at_most for row in cell.rows)
    return measured, CROWD * low, CROWD * high


def _epsilon(cell: Cell) -> tuple[float, float, float]:
    bounds = [row.epsilon_at_least for row in cell.rows]
    return usual(bounds), min(bounds), max(bounds)


def _promise(swept: Swept, chosen: TrainingChoice) -> tuple[np.ndarray, np.ndarray] | None:
    """What the noise against full knowledge promises to anybody, where it promises anything."""
    rows = [cell.rows[0] for cell in swept.levels(Strategy.FULL)]
    values = [row.guaranteed_power if chosen.reached is Reached.FOUND else row.guaranteed_epsilon for row in rows]
    kept = [(_level(chosen, row.goal), value) for row, value in zip(rows, values, strict=True) if np.isfinite(value)]
    times = CROWD if chosen.reached is Reached.FOUND else 1.0
    return (np.array([goal for goal, _ in kept]), np.array([times * value for _, value in kept])) if kept else None


def _levels(
    swept: Swept,
    chosen: TrainingChoice,
    strategy: Strategy,
    ends: Callable[[Cell], tuple[float, float, float]],
    bound: Bound,
) -> StrategyLevels:
    cells = swept.levels(strategy)
    middle, low, high = (np.array(column) for column in zip(*map(ends, cells), strict=True))
    goals = np.array([_level(chosen, cell.goal) for cell in cells])
    said = _said(f"{strategy} ({NOTATION[strategy]})", cells, middle, low, high)
    return StrategyLevels(SHORT[strategy], goals, middle, low, high, said, bound, ATTACKER[strategy])


def _said(name: str, cells: Sequence[Cell], middle: np.ndarray, low: np.ndarray, high: np.ndarray) -> list[str]:
    return [
        f"{name}: {value:.3g} ({least:.3g} to {most:.3g})<br>noise multiplier {cell.rows[0].noise_multiplier:.3g}"
        for cell, value, least, most in zip(cells, middle, low, high, strict=True)
    ]


REACHED = {
    Reached.FOUND: "Markers: means of the runs; bars: from the least lower to the largest upper limit (95 %, of this "
    "attack). Only a bar wholly within the grey area would break the promise.",
    Reached.EPSILON: "Lower bounds (95 % each): median and range over the runs; the losses show nothing where they lie "
    "on the floor. There is no upper limit: another attack may find more.",
}
