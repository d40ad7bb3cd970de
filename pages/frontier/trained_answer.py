"""What models answer that were trained to keep a level of attack success: in words, as tables and in figures."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from numerics.lazy_property import lazy_property
from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Order
from numerics.training import (
    Cell,
    Plan,
    Spread,
    Strategy,
    Trained,
    data_set,
    default_recipe,
    private_release,
    shipped,
    summary,
)
from pages.frontier import screen
from pages.frontier.limit import Limit, axis
from pages.frontier.screen import Panel, Recommendation
from pages.server.shared_cache import shared_cache
from pages.ui import cached
from pages.ui.knob import States
from pages.ui.limit import people
from pages.ui.numbers_in_words import CROWD, as_entered, at_most, is_within, quantity, rounded_down, rounded_up
from pages.ui.threat_models import ATTACKERS, FULL, OTHERS, RELAXED
from plotting import theme
from plotting.training import Baseline, RunsLine, cost_figure, reached_figure
from reports.rounding import capitalised

_MODELS = {Strategy.FULL: FULL, Strategy.RECORD: RELAXED, Strategy.OTHERS: OTHERS}
_BASELINES = {Strategy.NON_PRIVATE: "no protection", Strategy.MAJORITY: "commonest class"}
_UNNOTICED = 0.05  # points; less is not shown
_ROUNDING = 1e-12  # 0.02 is 0.02, whatever its last bit says
_WHOLE = 3.0  # points; from here on a decimal says nothing
_WEAK = 0.3  # of the members found
APART = (
    "This attacker's level is about a *replaced* record, which moves sums twice as far, and batches of fixed size, an "
    "estimate for a typical record. At the same number it answers another question than the levels above, so it stands "
    "apart, compared with none of them."
)
TABLE_NOTE = (
    "“Promised” is an upper bound over all runs of the training; an estimate where it says so. “Measured” is the "
    "median over the runs of a lower bound: an attack on that model's losses reaches it, each run by itself with 95 % "
    "confidence, so that of many models a few pass the truth. A median above the promise to anybody would point to an "
    "error. Above the promise to its own attacker it shows one that the notion does not cover: the loss attack holds "
    "the record in its hands. Few held-out records show little, whatever there is. Promises of rows with other batches "
    "are about other neighbours: they are not compared."
)


@dataclass(frozen=True, eq=False)
class Swept:
    """The models of a plan, whose levels are members found at the plan's rate of false accusations."""

    plan: Plan
    rows: tuple[Trained, ...]

    @lazy_property
    def cells(self) -> tuple[Cell, ...]:
        """The runs of each strategy and level together, in order; put together once, for all that is said of them."""
        return summary(self.rows)

    def at(self, strategy: Strategy, level: float | None = None) -> Cell | None:
        """The runs of ``strategy``, at ``level`` unless it is a baseline."""
        return next((cell for cell in self.cells if cell.strategy is strategy and level in (None, cell.goal)), None)

    def levels(self, strategy: Strategy) -> list[Cell]:
        """The runs of ``strategy`` at every level that was trained, ascending."""
        return [cell for cell in self.cells if cell.strategy is strategy]

    def release(self, noise: float) -> Gaussian:
        """Training with this noise, as who knows all but the noise sees it."""
        return private_release(self.plan.recipe.release, noise)


def swept(data: str) -> Swept:
    """The models of a data set that are shipped, as its usual plan has them; a file has seven digits of the levels."""
    plan = Plan(default_recipe(data))
    levels = np.array([goal.goal for goal in plan.goals])
    rows = shipped(data.replace(" ", "_"))
    written = {row.goal: float(levels[np.abs(levels - row.goal).argmin()]) for row in rows if not np.isnan(row.goal)}
    return Swept(plan, tuple(replace(row, goal=written.get(row.goal, row.goal)) for row in rows))


@dataclass(frozen=True, eq=False)
class TrainingChoice:
    """The models, and the limit that theirs is compared with."""

    swept: Swept
    limit: Limit

    @lazy_property
    def most(self) -> float:
        """The limit at the rate that the levels are for."""
        return self.limit.at(self.swept.plan.alpha)

    @lazy_property
    def level(self) -> float | None:
        """The loosest level within the limit whose noise certainly keeps it at its own rate, too; None if none does."""
        for cell in reversed(self.swept.levels(Strategy.FULL)):
            if is_within(cell.goal, self.most) and is_within(self.found(cell), self.limit.found):
                return float(cell.goal)
        return None

    def found(self, cell: Cell) -> float:
        """The most that anybody finds of models with this noise, at the limit's rate; certified."""
        if self.limit.alpha == self.swept.plan.alpha:
            return cell.rows[0].guaranteed_power
        return cached.power(self.swept.release(cell.rows[0].noise_multiplier), self.limit.alpha, Order.ADD).upper

    def at(self, strategy: Strategy) -> Cell | None:
        """The runs of ``strategy`` at the level in force."""
        return None if self.level is None else self.swept.at(strategy, self.level)

    def points_lost(self, strategy: Strategy) -> float | None:
        """Percentage points that protection costs on average; None where it was not trained."""
        free, cell = self.swept.at(Strategy.NON_PRIVATE), self.at(strategy)
        if free is None or cell is None:
            return None
        return 100.0 * (free.accuracy.mean - cell.accuracy.mean)


def beside(found: Swept) -> list[Strategy]:
    """Notions whose levels answer the same question as full knowledge's: of the same batches, and so neighbours."""
    drawn = {notion: cells[0].rows[0].sampling for notion in found.plan.notions if (cells := found.levels(notion))}
    return [notion for notion in drawn if drawn[notion] == drawn.get(Strategy.FULL)]


def apart(found: Swept) -> list[Strategy]:
    """The others, as far as they were trained."""
    return [strategy for strategy in found.plan.notions if strategy not in beside(found) and found.levels(strategy)]


# In words.


def said(chosen: TrainingChoice) -> Recommendation:
    """The noise to choose for the limit, what it costs, and why a weaker attacker beside may cost more."""
    return Recommendation(sentence(chosen), verdict(chosen), reason(chosen), weakness(chosen))


def sentence(chosen: TrainingChoice) -> str:
    """What protection costs, for somebody who has never heard of a threat model."""
    cell, lost = chosen.at(Strategy.FULL), chosen.points_lost(Strategy.FULL)
    if cell is None or lost is None:
        return f"For {chosen.limit.headline}, no model was trained: none of these is for so strict a limit."
    good = f"accuracy **{percent(cell.accuracy.mean)}**"
    return f"For {chosen.limit.headline}, choose {_noise(cell)}: {good}, **{_less(lost)}** than without protection."


def _noise(cell: Cell) -> str:
    noise = cell.rows[0].noise_multiplier
    return f"noise **{rounded_up(noise)}**" if noise else "**no noise**"


def _less(lost: float) -> str:
    if abs(lost) < _UNNOTICED:
        return "no less"
    return f"{in_points(abs(lost))} {'less' if lost > 0.0 else 'more'}"


def verdict(chosen: TrainingChoice) -> str:
    """How far the limit is used, what it is at the rate of the figures, and with how much less noise others do."""
    level, cell = chosen.level, chosen.at(Strategy.FULL)
    if level is None or cell is None:
        strictest = min(goal.goal for goal in chosen.swept.plan.goals)
        return capitalised(f"{translated(chosen)}the strictest models were trained for {quantity(strictest * CROWD)}.")
    done = f":green-badge[✓ {capitalised(cell.rows[0].bound)}] At most {at_most(chosen.found(cell))} found."
    words = [done, capitalised(f"{translated(chosen)}trained for {quantity(level * CROWD)}.")]
    for strategy in beside(chosen.swept):
        weaker, lost = chosen.at(strategy), chosen.points_lost(strategy)
        if strategy is not Strategy.FULL and weaker is not None and lost is not None:
            words.append(f"{strategy.capitalize()}: {_noise(weaker)}, {_less(lost)} (estimate).")
    return " ".join(words)


def translated(chosen: TrainingChoice) -> str:
    """The limit at the rate that the figures are for, beside itself."""
    limit, alpha = chosen.limit, chosen.swept.plan.alpha
    if limit.alpha == alpha:
        return ""
    own, there = quantity(limit.found * CROWD), quantity(people(chosen.most))
    return f"your limit of {own} is {there} while accusing {quantity(alpha * CROWD)}; "


def reason(chosen: TrainingChoice) -> str:
    """Why an attacker who knows less costs more, where one does that is compared; empty where none does."""
    full = chosen.points_lost(Strategy.FULL)
    lost = {strategy: chosen.points_lost(strategy) or 0.0 for strategy in beside(chosen.swept)}
    return " ".join(
        f"{strategy.capitalize()}: {in_points(points)} less, by chance: its noise is no larger."
        for strategy, points in lost.items()
        if full is not None and points > full + _UNNOTICED
    )


def weakness(chosen: TrainingChoice) -> str:
    """What must be said first: an attack that passed a promise, or a promise that protects next to nobody."""
    for strategy in chosen.swept.plan.notions:
        cell = chosen.at(strategy)
        if cell is None:
            continue
        row, found = cell.rows[0], usual(run.power_at_least for run in cell.rows)
        if found > row.guaranteed_power:
            return f"**{strategy}:** the attack on the trained models passed the bound that holds for everybody."
        if found > row.promised:
            return (
                f"**{strategy}:** the attack on the trained models finds more than was promised. It knows the record, "
                "which this notion rules out."
            )
    if chosen.level is not None and chosen.level >= _WEAK:
        return "Weak protection: the attacker may find a large share of the members. Move the slider to the left."
    return ""


def in_points(lost: float) -> str:
    """Points lost with their unit, with a decimal if they are few; "nothing" where less than is shown."""
    if lost < _UNNOTICED:
        return "nothing"
    number = f"{lost:.1f}" if lost < _WHOLE else f"{lost:.0f}"
    return f"{number} point{'' if number in ('1', '1.0') else 's'}"


def percent(value: float) -> str:
    """A share of the records as it is shown."""
    return f"{100.0 * value:.1f} %"


def noise_words(cell: Cell) -> str:
    """The noise that was added, and by which kind of promise."""
    row = cell.rows[0]
    if row.noise_multiplier == 0.0:
        return "No noise is needed; gradients are clipped."
    return f"Noise multiplier {row.noise_multiplier:.4g}, {row.sampling} batches; the promise is: {row.bound}."


def apart_sentence(chosen: TrainingChoice, strategy: Strategy) -> str:
    """What protection costs against an attacker who stands apart; empty where it was not trained."""
    lost, cell = chosen.points_lost(strategy), chosen.at(strategy)
    if lost is None or cell is None:
        return ""
    return f"{strategy.capitalize()}: protection costs **{in_points(lost)}** of accuracy. {noise_words(cell)}"


def reading(found: Swept) -> str:
    """How sure the numbers are, and what the figures' bars are."""
    plan, fresh = found.plan, len(data_set(found.plan.recipe.data).fresh_labels)
    free = found.at(Strategy.NON_PRIVATE)
    rate = free.accuracy.mean if free is not None else 0.5
    error = 100.0 * np.sqrt(rate * (1.0 - rate) / fresh)
    return (
        f"Trained on {plan.recipe.records:,} records, with {plan.recipe.dimension:,} weights. Accuracies are means of "
        f"{plan.seeds} runs on {fresh:,} held-out records, whose number alone leaves a standard error of about "
        f"{error:.1f} points; bars and band go from the least to the most of the runs. Of what the attack found, bars "
        "go from the least lower to the largest upper limit (95 %)."
    )


def strictest(found: Swept, strategy: Strategy, wanted: float) -> str:
    """The strictest level from which on every trained one keeps a ``wanted`` accuracy, in words."""
    kept = None
    for cell in reversed(found.levels(strategy)):
        if cell.accuracy.mean < wanted:
            break
        kept = cell
    if kept is None:
        return "no level that was trained keeps it."
    noise = kept.rows[0].noise_multiplier
    with_noise = f"with a noise multiplier of {noise:.4g}" if noise else "without any noise"
    good = percent(kept.accuracy.mean)
    return f"{Limit(kept.goal, found.plan.alpha).full}, {with_noise}: {good} on average."


def table(chosen: TrainingChoice) -> dict[str, list[str]]:
    """Noise, promise and what was measured for every attacker at the level in force, and the baselines."""
    plan = chosen.swept.plan
    cells = [cell for strategy in plan.notions if (cell := chosen.at(strategy)) is not None]
    baselines = [cell for strategy in _BASELINES if (cell := chosen.swept.at(strategy)) is not None]
    alpha, delta = f"{plan.alpha:g}", as_entered(plan.delta)
    columns: dict[str, Callable[[Cell], str]] = {
        "attacker": lambda cell: named(cell.strategy) if cell in cells else cell.strategy,
        "accuracy (runs)": lambda cell: _with_range(cell.accuracy),
        "AUROC (runs)": lambda cell: _with_range(cell.auroc),
        "noise multiplier": lambda cell: f"{cell.rows[0].noise_multiplier:.4g}",
        "batches": lambda cell: cell.rows[0].sampling,
        "promised to its attacker": lambda cell: _promise(cell.rows[0]),
        f"promised to anybody: ε at δ = {delta}": lambda cell: rounded_up(cell.rows[0].guaranteed_epsilon),
        "measured: ε* at least": lambda cell: rounded_down(usual(row.epsilon_at_least for row in cell.rows)),
        f"promised to anybody: found at {alpha}": lambda cell: rounded_up(cell.rows[0].guaranteed_power),
        "measured: found at least": lambda cell: rounded_down(usual(row.power_at_least for row in cell.rows)),
    }
    return {name: [str(words(cell)) for cell in (*cells, *baselines)] for name, words in columns.items()}


def named(strategy: Strategy) -> str:
    """An attacker with its notion."""
    return f"{strategy} ({_MODELS[strategy].notion})"


def _with_range(found: Spread) -> str:
    if found.least == found.most:
        return percent(found.mean)
    return f"{percent(found.mean)} ({percent(found.least)} to {percent(found.most)})"


def _promise(row: Trained) -> str:
    if np.isnan(row.promised):
        return "nothing"
    return f"found ≤ {rounded_up(row.promised * (1.0 - _ROUNDING))} ({row.bound})"


def usual(bounds: Iterable[float]) -> float:
    """The median of the runs' lower bounds: one in twenty may be too large, half of five hardly."""
    return float(np.median(list(bounds)))


# The figures.


def panels(chosen: TrainingChoice) -> list[Panel]:
    """What protection costs, and what an attack reached of what was promised."""
    costs, plan = cost(chosen, beside(chosen.swept)), chosen.swept.plan
    runs = f"Means and range of {plan.seeds} runs on {len(data_set(plan.recipe.data).fresh_labels):,} held-out records."
    alt = "Attack success measured on each model beside what was promised, on one logarithmic axis."
    note = "Bars: limits of the attack, 95 %. Only one wholly in the grey would break the promise."
    return [
        Panel("What protection costs", costs, sentence(chosen), "frontier.cost_chart", runs),
        Panel("Promised and measured", reached(chosen), alt, "frontier.reached_chart", note),
    ]


@shared_cache
def states(data: str, alpha: float) -> States:
    """What the view says and draws at every limit of the slider."""
    found = swept(data)

    def shown(limit: Limit) -> tuple[Recommendation, list[Panel]]:
        chosen = TrainingChoice(found, limit)
        return said(chosen), panels(chosen)

    return screen.states(alpha, shown)


def cost(chosen: TrainingChoice, notions: Sequence[Strategy]) -> theme.Figure:
    """Accuracy over the levels of ``notions``, which answer one question."""

    def ends(cell: Cell) -> tuple[float, float, float]:
        return cell.accuracy.mean, cell.accuracy.least, cell.accuracy.most

    found = chosen.swept
    strategies = [
        _levels(found, strategy, ends, Bound(cells[0].rows[0].bound))
        for strategy in notions
        if (cells := found.levels(strategy))
    ]
    baselines = [
        Baseline(name, *ends(cell)) for strategy, name in _BASELINES.items() if (cell := found.at(strategy)) is not None
    ]
    return cost_figure(
        strategies, baselines, people(chosen.most), axis(found.plan.alpha), "Accuracy on held-out records"
    )


def reached(chosen: TrainingChoice) -> theme.Figure:
    """What the attack on each model reached over the levels, and what full knowledge's noise promises to anybody."""

    def ends(cell: Cell) -> tuple[float, float, float]:
        measured = float(np.mean([row.power_measured for row in cell.rows]))
        low, high = min(row.power_at_least for row in cell.rows), max(row.power_at_most for row in cell.rows)
        return CROWD * measured, CROWD * low, CROWD * high

    found = chosen.swept
    strategies = [_levels(found, strategy, ends, Bound.AUDIT) for strategy in beside(found)]
    places = [(cell.goal, cell.rows[0].guaranteed_power) for cell in found.levels(Strategy.FULL)]
    levels, most = CROWD * np.array(places).T
    alpha = found.plan.alpha
    return reached_figure(strategies, (levels, most), people(chosen.most), axis(alpha), CROWD * alpha)


def _levels(
    found: Swept, strategy: Strategy, ends: Callable[[Cell], tuple[float, float, float]], bound: Bound
) -> RunsLine:
    """The runs of a strategy along its levels: the middle of each, and between which ends it lies."""
    cells, name = found.levels(strategy), named(strategy)
    middle, low, high = (np.array(column) for column in zip(*map(ends, cells), strict=True))
    levels = np.array([CROWD * cell.goal for cell in cells])
    told = [
        f"{name}: {value:.3g} ({least:.3g} to {most:.3g})<br>noise multiplier {cell.rows[0].noise_multiplier:.3g}"
        for cell, value, least, most in zip(cells, middle, low, high, strict=True)
    ]
    place = ATTACKERS.index(_MODELS[strategy])
    return RunsLine(_MODELS[strategy].short, levels, middle, low, high, told, bound, place)
