"""The answer of the view on trained models in words and numbers."""

from collections.abc import Callable, Iterable

import numpy as np

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.training import Cell, Spread, Strategy, data_set
from pages.frontier.trained.controls import Chosen, Utility
from pages.frontier.trained.task import Swept
from pages.ui import numbers_in_words
from pages.ui.numbers_in_words import rounded_down, rounded_up
from pages.ui.readout import Metric

_IF = {
    Strategy.RECORD: "if the attacker cannot know the record",
    Strategy.OTHERS: "if it cannot know the other records",
}
APART = (
    "This attacker's level is about a replaced record and batches of fixed size, an estimate for a typical record. At "
    "the same number it answers another question than the levels above, so it stands apart, compared with none of them."
)
UNNOTICED = 0.05
"""Points; less is not shown."""
_ROUNDING = 1e-12  # 0.02 is 0.02, whatever its last bit says
WHOLE = 3.0
"""Points; from here on a decimal says nothing."""
NOTATION = {Strategy.FULL: "DP", Strategy.RECORD: "RTM", Strategy.OTHERS: "GMIP"}


def spread(cell: Cell, utility: Utility) -> Spread:
    """What the runs are good for."""
    return cell.accuracy if utility is Utility.ACCURACY else cell.auroc


def points_lost(swept: Swept, strategy: Strategy, chosen: Chosen) -> float | None:
    """Percentage points that protection costs on average; None where it was not trained."""
    free, cell = swept.at(Strategy.NON_PRIVATE), swept.at(strategy, chosen.goal.goal)
    if free is None or cell is None:
        return None
    return 100.0 * (spread(free, chosen.utility).mean - spread(cell, chosen.utility).mean)


def beside(swept: Swept) -> list[Strategy]:
    """Notions whose levels answer the same question as full knowledge's: of the same batches, and so neighbours."""
    return [strategy for strategy in swept.plan.notions if _batches(swept, strategy) in (None, _own(swept))]


def apart(swept: Swept) -> list[Strategy]:
    """The others, as far as they were trained."""
    return [strategy for strategy in swept.plan.notions if strategy not in beside(swept)]


def _own(swept: Swept) -> str | None:
    """How batches are drawn against full knowledge, or else against the first notion that was trained."""
    drawn = (_batches(swept, strategy) for strategy in (Strategy.FULL, *swept.plan.notions))
    return next((batches for batches in drawn if batches), None)


def _batches(swept: Swept, strategy: Strategy) -> str | None:
    cells = swept.levels(strategy)
    return cells[0].rows[0].sampling if cells else None


def sentence(swept: Swept, chosen: Chosen) -> str:
    """What protection costs, for somebody who has never heard of a threat model."""
    full = points_lost(swept, Strategy.FULL, chosen)
    if full is None:
        return "This level has not been trained."
    lost = {strategy: points_lost(swept, strategy, chosen) for strategy in beside(swept) if strategy in _IF}
    told = {strategy: points for strategy, points in lost.items() if points is not None}
    fine = min([full, *told.values()]) < WHOLE  # all with a decimal, or none
    said = f"Protecting against the full-knowledge attacker costs **{in_points(full, fine)}** of {chosen.utility}"
    for strategy, points in told.items():
        said += f"; {_IF[strategy]}, **{_number(points, fine)}**"
    return f"{said}."


def _number(lost: float, fine: bool) -> str:
    """Points lost, with a decimal or none."""
    if lost < UNNOTICED:
        return "nothing"
    return f"{lost:.1f}" if fine else f"{lost:.0f}"


def in_points(lost: float, fine: bool) -> str:
    """Points lost with their unit, with a decimal if ``fine``; "nothing" where less than is shown."""
    number = _number(lost, fine)
    if number == "nothing":
        return number
    return f"{number} point{'' if number in ('1', '1.0') else 's'}"


def apart_sentence(swept: Swept, strategy: Strategy, chosen: Chosen) -> str | None:
    """What protection costs against an attacker who stands apart; None where it was not trained."""
    lost, cell = points_lost(swept, strategy, chosen), swept.at(strategy, chosen.goal.goal)
    if lost is None or cell is None:
        return None
    said = in_points(lost, lost < WHOLE)
    return f"{strategy.capitalize()}: protection costs **{said}** of {chosen.utility}. {noise_words(cell)}"


def reading(swept: Swept, chosen: Chosen) -> str:
    """What the level in force means, and how sure the numbers are."""
    fresh = len(data_set(swept.plan.recipe.data).fresh_labels)
    free = swept.at(Strategy.NON_PRIVATE)
    rate = free.accuracy.mean if free is not None else 0.5
    error = 100.0 * np.sqrt(rate * (1.0 - rate) / fresh)
    return (
        f"The same for all: {chosen.level_words}. Means of {swept.plan.seeds} runs on {fresh:,} held-out records; "
        f"their number alone leaves a standard error of about {error:.1f} points on an accuracy."
    )


def metrics(swept: Swept, chosen: Chosen) -> list[Metric]:
    """What models are good for without protection and with each."""
    free = swept.at(Strategy.NON_PRIVATE)
    majority = swept.at(Strategy.MAJORITY)
    row = (
        []
        if free is None
        else [_metric(f"{chosen.utility} without protection", free, chosen, "Plain gradient descent, no clipping.")]
    )
    for strategy in beside(swept):
        cell = swept.at(strategy, chosen.goal.goal)
        if cell is not None:
            row.append(_metric(str(strategy), cell, chosen, noise_words(cell)))
    if majority is not None:
        row.append(_metric("commonest class", majority, chosen, "Always answers the training data's commonest class."))
    return row


def _metric(name: str, cell: Cell, chosen: Chosen, words: str) -> Metric:
    found = spread(cell, chosen.utility)
    range_ = "" if found.least == found.most else f" Runs: {percent(found.least)} to {percent(found.most)}."
    return Metric(f"{name[0].upper()}{name[1:]}", percent(found.mean), f"{words}{range_}")


def percent(value: float) -> str:
    """A share of the records as it is shown."""
    return f"{100.0 * value:.1f} %"


def noise_words(cell: Cell) -> str:
    """The noise that was added, and by which kind of promise."""
    row = cell.rows[0]
    if row.noise_multiplier == 0.0:
        return "No noise is needed; gradients are clipped."
    return f"Noise multiplier {row.noise_multiplier:.4g}, {row.sampling} batches; the promise is: {row.bound}."


def table(swept: Swept, chosen: Chosen) -> dict[str, list[str]]:
    """Noise, promise and what was measured for every attacker at the level in force."""
    cells = [cell for strategy in swept.plan.notions if (cell := swept.at(strategy, chosen.goal.goal)) is not None]
    free = swept.at(Strategy.NON_PRIVATE)
    everyone = cells if free is None else [*cells, free]
    alpha, delta = f"{swept.plan.alpha:g}", numbers_in_words.as_entered(swept.plan.delta)
    columns: dict[str, Callable[[Cell], str]] = {
        "attacker": lambda cell: f"{cell.strategy} ({NOTATION[cell.strategy]})" if cell in cells else cell.strategy,
        "noise multiplier": lambda cell: (
            f"{cell.rows[0].noise_multiplier:.4g}" if cell.rows[0].noise_multiplier else "0"
        ),
        "batches": lambda cell: cell.rows[0].sampling,
        "promised to its attacker": lambda cell: _promise(cell, chosen),
        f"promised to anybody: ε at δ = {delta}": lambda cell: rounded_up(cell.rows[0].guaranteed_epsilon),
        "measured: ε* at least": lambda cell: rounded_down(usual(row.epsilon_at_least for row in cell.rows)),
        f"promised to anybody: found at {alpha}": lambda cell: rounded_up(cell.rows[0].guaranteed_power),
        "measured: found at least": lambda cell: rounded_down(usual(row.power_at_least for row in cell.rows)),
    }
    return {name: [str(words(cell)) for cell in everyone] for name, words in columns.items()}


def _promise(cell: Cell, chosen: Chosen) -> str:
    row = cell.rows[0]
    if np.isnan(row.promised):
        return "nothing"
    kind = {AdvantageTarget: "advantage", PowerTarget: "found"}.get(type(chosen.goal), "μ")
    return f"{kind} ≤ {rounded_up(row.promised * (1.0 - _ROUNDING))} ({row.bound})"


TABLE_NOTE = (
    "“Promised” is an upper bound over all runs of the training; an estimate where it says so. “Measured” is the "
    "median over the runs of a lower bound: an attack on that model's losses reaches it, each run by itself with 95 % "
    "confidence, so that of many models a few pass the truth. A median above the promise to anybody would point to an "
    "error. Above the promise to its own attacker it shows one that the notion does not cover: the loss attack holds "
    "the record in its hands. Few held-out records show little, whatever there is. Promises of rows with other batches "
    "are about other neighbours: they are not compared."
)


def usual(bounds: Iterable[float]) -> float:
    """The median of the runs' lower bounds: one in twenty may be too large, half of five hardly."""
    return float(np.median(list(bounds)))


def weakness(swept: Swept, chosen: Chosen) -> str | None:
    """What must be said first: an attack that passed a promise, or a promise that protects next to nobody."""
    for strategy in swept.plan.notions:
        cell = swept.at(strategy, chosen.goal.goal)
        if cell is None:
            continue
        row, found = cell.rows[0], usual(run.power_at_least for run in cell.rows)
        if found > row.guaranteed_power:
            return f"**{strategy}:** the attack on the trained models passed the bound that holds for everybody."
        if isinstance(chosen.goal, PowerTarget) and found > row.promised:
            return (
                f"**{strategy}:** the attack on the trained models finds more than was promised. It knows the record, "
                "which this notion rules out."
            )
    if isinstance(chosen.goal, PowerTarget) and chosen.goal.power >= _WEAK:
        return "Weak protection: the attacker may find a large share of the members. Move the slider to the left."
    return None


_WEAK = 0.3
