"""The answer of the view on trained models in words and numbers."""

from collections.abc import Callable, Iterable

import numpy as np

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership.calibration import MembershipTarget
from numerics.training import Cell, Spread, Strategy, data_set
from pages.frontier.limits import in_full, in_short
from pages.frontier.screen import Recommendation
from pages.frontier.trained.controls import TrainingChoice, Utility
from pages.frontier.trained.task import Swept
from pages.ui import numbers_in_words
from pages.ui.numbers_in_words import at_most, rounded_down, rounded_up
from pages.ui.threat_models.notions import FULL, OTHERS, RELAXED
from reports.rounding import capitalised

_WEAKER = (Strategy.RECORD, Strategy.OTHERS)
APART = (
    "This attacker's level is about a *replaced* record, which moves sums twice as far, and batches of fixed size, an "
    "estimate for a typical record. At the same number it answers another question than the levels above, so it stands "
    "apart, compared with none of them."
)
UNNOTICED = 0.05
"""Points; less is not shown."""
_ROUNDING = 1e-12  # 0.02 is 0.02, whatever its last bit says
WHOLE = 3.0
"""Points; from here on a decimal says nothing."""
SHORT = {Strategy.FULL: FULL.short, Strategy.RECORD: RELAXED.short, Strategy.OTHERS: OTHERS.short}
"""The attackers on a figure, as on every page."""
NOTATION = {Strategy.FULL: "DP", Strategy.RECORD: "RTM", Strategy.OTHERS: "GMIP"}


def spread(cell: Cell, utility: Utility) -> Spread:
    """What the runs are good for."""
    return cell.accuracy if utility is Utility.ACCURACY else cell.auroc


def points_lost(swept: Swept, strategy: Strategy, chosen: TrainingChoice) -> float | None:
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


def answer(swept: Swept, chosen: TrainingChoice) -> Recommendation:
    """The noise to choose for the level in force, what it costs, and why a weaker attacker beside may cost more."""
    said = verdict(swept, chosen), reason(swept, chosen), weakness(swept, chosen)
    return Recommendation(sentence(swept, chosen), None, *said)


def sentence(swept: Swept, chosen: TrainingChoice) -> str:
    """What protection costs, for somebody who has never heard of a threat model."""
    cell, lost = swept.at(Strategy.FULL, chosen.goal.goal), points_lost(swept, Strategy.FULL, chosen)
    if cell is None or lost is None:
        return "This level has not been trained."
    good = f"{chosen.utility} **{percent(spread(cell, chosen.utility).mean)}**"
    return f"For {in_short(chosen.goal)}, choose {_noise(cell)}: {good}, **{_less(lost)}** than without protection."


def _noise(cell: Cell) -> str:
    noise = cell.rows[0].noise_multiplier
    return f"noise **{rounded_up(noise)}**" if noise else "**no noise**"


def _less(lost: float) -> str:
    if abs(lost) < UNNOTICED:
        return "no less"
    return f"{in_points(abs(lost))} {'less' if lost > 0.0 else 'more'}"


def verdict(swept: Swept, chosen: TrainingChoice) -> str:
    """Which kind of promise the level is, and with how much less noise where the attacker knows less."""
    cell = swept.at(Strategy.FULL, chosen.goal.goal)
    if cell is None:
        return ""
    said = [f":green[:material/check_circle:] {capitalised(cell.rows[0].bound)}{_while(chosen.goal)}."]
    for strategy in beside(swept):
        weaker, lost = swept.at(strategy, chosen.goal.goal), points_lost(swept, strategy, chosen)
        if strategy in _WEAKER and weaker is not None and lost is not None:
            said.append(f"{strategy.capitalize()}: {_noise(weaker)}, {_less(lost)} (estimate).")
    return " ".join(said)


def _while(goal: MembershipTarget) -> str:
    """How many are wronged, of as many as the sentence counts."""
    if not isinstance(goal, PowerTarget):
        return ""
    return f", while falsely accusing {goal.alpha * at_most(goal.power).of:,.6g}"


def reason(swept: Swept, chosen: TrainingChoice) -> str:
    """Why an attacker who knows less costs more, where one does that is compared; empty where none does."""
    full = points_lost(swept, Strategy.FULL, chosen)
    lost = {strategy: points_lost(swept, strategy, chosen) or 0.0 for strategy in beside(swept)}
    return " ".join(
        f"{strategy.capitalize()}: {in_points(points)} less, by chance: its noise is no larger."
        for strategy, points in lost.items()
        if full is not None and points > full + UNNOTICED
    )


def in_points(lost: float) -> str:
    """Points lost with their unit, with a decimal if they are few; "nothing" where less than is shown."""
    if lost < UNNOTICED:
        return "nothing"
    number = f"{lost:.1f}" if lost < WHOLE else f"{lost:.0f}"
    return f"{number} point{'' if number in ('1', '1.0') else 's'}"


def apart_sentence(swept: Swept, strategy: Strategy, chosen: TrainingChoice) -> str:
    """What protection costs against an attacker who stands apart; empty where it was not trained."""
    lost, cell = points_lost(swept, strategy, chosen), swept.at(strategy, chosen.goal.goal)
    if lost is None or cell is None:
        return ""
    return f"{strategy.capitalize()}: protection costs **{in_points(lost)}** of {chosen.utility}. {noise_words(cell)}"


def reading(swept: Swept, chosen: TrainingChoice) -> str:
    """What the level in force means, and how sure the numbers are."""
    fresh = len(data_set(swept.plan.recipe.data).fresh_labels)
    free = swept.at(Strategy.NON_PRIVATE)
    rate = free.accuracy.mean if free is not None else 0.5
    error = 100.0 * np.sqrt(rate * (1.0 - rate) / fresh)
    return (
        f"The same for all: {in_full(chosen.goal)}. Means of {swept.plan.seeds} runs on {fresh:,} held-out records; "
        f"their number alone leaves a standard error of about {error:.1f} points on an accuracy."
    )


def percent(value: float) -> str:
    """A share of the records as it is shown."""
    return f"{100.0 * value:.1f} %"


def noise_words(cell: Cell) -> str:
    """The noise that was added, and by which kind of promise."""
    row = cell.rows[0]
    if row.noise_multiplier == 0.0:
        return "No noise is needed; gradients are clipped."
    return f"Noise multiplier {row.noise_multiplier:.4g}, {row.sampling} batches; the promise is: {row.bound}."


def table(swept: Swept, chosen: TrainingChoice) -> dict[str, list[str]]:
    """Noise, promise and what was measured for every attacker at the level in force."""
    cells = [cell for strategy in swept.plan.notions if (cell := swept.at(strategy, chosen.goal.goal)) is not None]
    free = swept.at(Strategy.NON_PRIVATE)
    majority = swept.at(Strategy.MAJORITY)
    everyone = [*cells, *(cell for cell in (free, majority) if cell is not None)]
    alpha, delta = f"{swept.plan.alpha:g}", numbers_in_words.as_entered(swept.plan.delta)
    columns: dict[str, Callable[[Cell], str]] = {
        "attacker": lambda cell: f"{cell.strategy} ({NOTATION[cell.strategy]})" if cell in cells else cell.strategy,
        f"{chosen.utility} (runs)": lambda cell: _with_range(spread(cell, chosen.utility)),
        "noise multiplier": lambda cell: f"{cell.rows[0].noise_multiplier:.4g}",
        "batches": lambda cell: cell.rows[0].sampling,
        "promised to its attacker": lambda cell: _promise(cell, chosen),
        f"promised to anybody: ε at δ = {delta}": lambda cell: rounded_up(cell.rows[0].guaranteed_epsilon),
        "measured: ε* at least": lambda cell: rounded_down(usual(row.epsilon_at_least for row in cell.rows)),
        f"promised to anybody: found at {alpha}": lambda cell: rounded_up(cell.rows[0].guaranteed_power),
        "measured: found at least": lambda cell: rounded_down(usual(row.power_at_least for row in cell.rows)),
    }
    return {name: [str(words(cell)) for cell in everyone] for name, words in columns.items()}


def _with_range(found: Spread) -> str:
    if found.least == found.most:
        return percent(found.mean)
    return f"{percent(found.mean)} ({percent(found.least)} to {percent(found.most)})"


def _promise(cell: Cell, chosen: TrainingChoice) -> str:
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


def weakness(swept: Swept, chosen: TrainingChoice) -> str:
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
    return ""


_WEAK = 0.3
