"""What trained models answer: those of a plan, shipped or of this session, in words, as a table and in figures."""

from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TypeVar

import numpy as np

from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.gaussian_membership.calibration import MembershipTarget, MuTarget
from numerics.lazy_property import lazy_property
from numerics.trade_off import Bound, Order
from numerics.training import (
    Cell,
    Checkpoint,
    Plan,
    Spread,
    Strategy,
    SweepChunk,
    Trained,
    data_set,
    default_recipe,
    mu_plan,
    private_release,
    run,
    shipped,
    shipped_path,
    summary,
)
from pages.frontier import limits
from pages.frontier.limits import RailLimit
from pages.frontier.screen import Recommendation
from pages.ui import cached
from pages.ui.numbers_in_words import CROWD, as_entered, is_within, rounded_down, rounded_up
from pages.ui.task_runner import TaskRunner
from pages.ui.threat_models.notions import FULL, OTHERS, RELAXED
from plotting import theme
from plotting.training import Baseline, MeasuredAxis, RunsLine, cost_figure, reached_figure
from reports.rounding import capitalised

RUNNER = TaskRunner("frontier.sweep", kept=6)
_Row = TypeVar("_Row", Trained, Checkpoint)
_RELAXED = 1.5  # seconds for the noise of a level where the record is unknown
_PROMISES = 0.2  # seconds for what is promised at a level's checkpoints
_STEP, _PRODUCT = 1e-4, 2e-9  # seconds for a step of one model, and for a record's weight in it
SHORT = {Strategy.FULL: FULL.short, Strategy.RECORD: RELAXED.short, Strategy.OTHERS: OTHERS.short}
"""The attackers on a figure, as on every page."""
NOTATION = {Strategy.FULL: "DP", Strategy.RECORD: "RTM", Strategy.OTHERS: "GMIP"}
# As on the page that compares attackers, where the third is for an unknown subset.
ATTACKER = {Strategy.FULL: 0, Strategy.RECORD: 1, Strategy.OTHERS: 3}
_BASELINES = {Strategy.NON_PRIVATE: "no protection", Strategy.MAJORITY: "commonest class"}
_LEAST_EPSILON, _MOST_EPSILON = 0.01, 100.0  # of the figure
UNNOTICED = 0.05
"""Points; less is not shown."""
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


class Utility(StrEnum):
    """What a model is good for."""

    ACCURACY = "accuracy"
    AUROC = "AUROC"


class Reached(StrEnum):
    """What an attack on the trained model is measured by."""

    FOUND = "members found"
    EPSILON = "ε*"


REACHED = {
    Reached.FOUND: "Markers: means of the runs; bars: from the least lower to the largest upper limit (95 %, of this "
    "attack). Only a bar wholly within the grey area would break the promise.",
    Reached.EPSILON: "Lower bounds (95 % each): median and range over the runs; the losses show nothing where they lie "
    "on the floor. There is no upper limit: another attack may find more.",
}


@dataclass(frozen=True)
class TrainingChoice:
    """What is trained, and how it is looked at: ``goal`` is one of the plan's."""

    plan: Plan
    goal: MembershipTarget
    utility: Utility
    reached: Reached


@dataclass(frozen=True)
class TrainingSweep:
    """All models of a plan. See task_runner.Task."""

    plan: Plan

    def start(self) -> Generator[SweepChunk, None, None]:
        """Calibration and training, a level and attacker at a time."""
        yield from run(self.plan)

    def words(self, chunks: Sequence[SweepChunk], seconds: float) -> str:
        """How far it is."""
        models = sum(len(chunk.trained) for chunk in chunks)
        return f"{models:,} models trained, {seconds:.0f} s"

    def result(self, chunks: Sequence[SweepChunk], seconds: float) -> "Swept":
        """The models there are."""
        rows = tuple(row for chunk in chunks for row in chunk.trained)
        path = tuple(point for chunk in chunks for point in chunk.path)
        finished = bool(chunks) and chunks[-1].done == chunks[-1].total
        return Swept(self.plan, rows, seconds, finished, path)


@dataclass(frozen=True, eq=False)
class Swept:
    """The models of a plan, and how good they were on the way.

    ``seconds`` is how long it took, None for a shipped sweep; ``finished`` whether all of the plan was trained.
    """

    plan: Plan
    rows: tuple[Trained, ...]
    seconds: float | None
    finished: bool = True
    path: tuple[Checkpoint, ...] = ()

    @lazy_property
    def cells(self) -> tuple[Cell, ...]:
        """The runs of each strategy and level together, in order; put together once, for all that is said of them."""
        return summary(self.rows)

    def at(self, strategy: Strategy, goal: float | None = None) -> Cell | None:
        """The runs of ``strategy``, at ``goal`` unless it is a baseline."""
        return next((cell for cell in self.cells if cell.strategy is strategy and goal in (None, cell.goal)), None)

    def levels(self, strategy: Strategy) -> list[Cell]:
        """The runs of ``strategy`` at every level that was trained."""
        return [cell for cell in self.cells if cell.strategy is strategy]

    def along(self, strategy: Strategy, goal: float | None = None) -> list[Checkpoint]:
        """The checkpoints of ``strategy``, at ``goal`` unless it is a baseline, in the order of the steps."""
        return [point for point in self.path if point.strategy is strategy and goal in (None, point.goal)]


def found(plan: Plan) -> Swept | None:
    """What this session trained by ``plan``, else what is shipped, else None."""
    own: Swept | None = RUNNER.result_of(TrainingSweep(plan))
    if own is not None and own.rows:
        return own
    data = plan.recipe.data
    if plan == Plan(default_recipe(data)):
        name = data.replace(" ", "_")
    # Paper 004's plan has data of its own, which are read for no plan but those of its kind.
    elif isinstance(plan.goals[0], MuTarget) and plan == mu_plan():
        name = "gmip"
    else:
        return None
    return Swept(plan, _on_levels(plan, shipped(name)), None, path=_on_levels(plan, shipped_path(name)))


def _on_levels(plan: Plan, rows: Sequence[_Row]) -> tuple[_Row, ...]:
    """Rows with the plan's own levels: a file has seven digits of them."""
    levels = np.array([goal.goal for goal in plan.goals])
    written = {row.goal for row in rows if not np.isnan(row.goal)}
    moved = {goal: level for goal in written if (level := float(levels[np.abs(levels - goal).argmin()])) != goal}
    return tuple(replace(row, goal=moved[row.goal]) if row.goal in moved else row for row in rows)


def seconds(plan: Plan) -> float:
    """About how long ``plan`` takes on one core."""
    models = (len(plan.goals) * len(plan.notions) + 1) * plan.seeds
    recipe = plan.recipe
    relaxed = len(plan.goals) if Strategy.RECORD in plan.notions else 0
    products = recipe.steps * recipe.batch * recipe.dimension
    promises = len(plan.goals) * len(plan.notions) * _PROMISES
    return relaxed * _RELAXED + promises + models * (recipe.steps * _STEP + products * _PRODUCT)


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
    """Notions whose levels answer the same question as full knowledge's: of the same batches, and so neighbours.

    Where full knowledge was not trained, as those of the first notion that was.
    """
    drawn = {notion: cells[0].rows[0].sampling for notion in swept.plan.notions if (cells := swept.levels(notion))}
    own = drawn.get(Strategy.FULL, next(iter(drawn.values()), None))
    return [notion for notion in swept.plan.notions if drawn.get(notion, own) == own]


def apart(swept: Swept) -> list[Strategy]:
    """The others, as far as they were trained."""
    return [strategy for strategy in swept.plan.notions if strategy not in beside(swept)]


def said(swept: Swept, chosen: TrainingChoice) -> Recommendation:
    """The noise to choose for the level in force, what it costs, and why a weaker attacker beside may cost more."""
    beneath = verdict(swept, chosen), reason(swept, chosen), weakness(swept, chosen)
    return Recommendation(sentence(swept, chosen), None, *beneath)


def sentence(swept: Swept, chosen: TrainingChoice) -> str:
    """What protection costs, for somebody who has never heard of a threat model."""
    cell, lost = swept.at(Strategy.FULL, chosen.goal.goal), points_lost(swept, Strategy.FULL, chosen)
    if cell is None or lost is None:
        return "This level has not been trained."
    good = f"{chosen.utility} **{percent(spread(cell, chosen.utility).mean)}**"
    limit = limits.words(chosen.goal).headline
    return f"For {limit}, choose {_noise(cell)}: {good}, **{_less(lost)}** than without protection."


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
    said = [f":green[:material/check_circle:] {capitalised(cell.rows[0].bound)}."]
    for strategy in beside(swept):
        weaker, lost = swept.at(strategy, chosen.goal.goal), points_lost(swept, strategy, chosen)
        if strategy is not Strategy.FULL and weaker is not None and lost is not None:
            said.append(f"{strategy.capitalize()}: {_noise(weaker)}, {_less(lost)} (estimate).")
    return " ".join(said)


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
    number = f"{lost:.1f}" if lost < _WHOLE else f"{lost:.0f}"
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
        f"The same for all: {limits.words(chosen.goal).full}. Means of {swept.plan.seeds} runs on {fresh:,} held-out "
        f"records; their number alone leaves a standard error of about {error:.1f} points on an accuracy."
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
    alpha, delta = f"{swept.plan.alpha:g}", as_entered(swept.plan.delta)
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


def cost(swept: Swept, chosen: TrainingChoice, notions: Sequence[Strategy]) -> theme.Figure:
    """Utility over the levels of ``notions``, which answer one question."""

    def ends(cell: Cell) -> tuple[float, float, float]:
        found = spread(cell, chosen.utility)
        return found.mean, found.least, found.most

    strategies = [
        _levels(swept, chosen, strategy, ends, Bound(cells[0].rows[0].bound))
        for strategy in notions
        if (cells := swept.levels(strategy))
    ]
    baselines = [
        Baseline(name, *ends(cell)) for strategy, name in _BASELINES.items() if (cell := swept.at(strategy)) is not None
    ]
    words = limits.words(chosen.goal)
    return cost_figure(strategies, baselines, words.unit * chosen.goal.goal, words.axis, on_held_out(chosen))


def on_held_out(chosen: TrainingChoice) -> str:
    """The title of an axis of utility."""
    return f"{capitalised(chosen.utility)} on held-out records"


def reached(swept: Swept, chosen: TrainingChoice) -> theme.Figure:
    """What the attack on each model reached over the levels, and what full knowledge's noise promises to anybody."""
    words, ends, times, promised = limits.words(chosen.goal), _found, float(CROWD), "guaranteed_power"
    scale = MeasuredAxis(f"Members found, of {CROWD:,}", 1.0, CROWD, CROWD * swept.plan.alpha)
    if chosen.reached is Reached.EPSILON:
        ends, times, promised = _epsilon, 1.0, "guaranteed_epsilon"
        scale = MeasuredAxis(f"ε* at δ = {as_entered(swept.plan.delta)}, at least", _LEAST_EPSILON, _MOST_EPSILON)
    strategies = [
        _levels(swept, chosen, strategy, ends, Bound.AUDIT) for strategy in beside(swept) if swept.levels(strategy)
    ]
    full = [cell.rows[0] for cell in swept.levels(Strategy.FULL)]
    places = [
        (words.unit * row.goal, times * getattr(row, promised)) for row in full if np.isfinite(getattr(row, promised))
    ]
    promise = tuple(np.array(places).T) if places else None
    return reached_figure(strategies, promise, words.unit * chosen.goal.goal, words.axis, scale)


def _found(cell: Cell) -> tuple[float, float, float]:
    """The mean of what was measured, between the least lower and the largest upper limit of the runs."""
    measured = CROWD * float(np.mean([row.power_measured for row in cell.rows]))
    low, high = min(row.power_at_least for row in cell.rows), max(row.power_at_most for row in cell.rows)
    return measured, CROWD * low, CROWD * high


def _epsilon(cell: Cell) -> tuple[float, float, float]:
    bounds = [row.epsilon_at_least for row in cell.rows]
    return usual(bounds), min(bounds), max(bounds)


def _levels(
    swept: Swept,
    chosen: TrainingChoice,
    strategy: Strategy,
    ends: Callable[[Cell], tuple[float, float, float]],
    bound: Bound,
) -> RunsLine:
    cells, name = swept.levels(strategy), f"{strategy} ({NOTATION[strategy]})"
    middle, low, high = (np.array(column) for column in zip(*map(ends, cells), strict=True))
    goals = np.array([limits.words(chosen.goal).unit * cell.goal for cell in cells])
    said = [
        f"{name}: {value:.3g} ({least:.3g} to {most:.3g})<br>noise multiplier {cell.rows[0].noise_multiplier:.3g}"
        for cell, value, least, most in zip(cells, middle, low, high, strict=True)
    ]
    return RunsLine(SHORT[strategy], goals, middle, low, high, said, bound, ATTACKER[strategy])


def level_name(goal: MembershipTarget, value: float) -> str:
    """A ``value`` that levels like ``goal`` have, as the slider shows it: people of ten thousand, but for a level μ."""
    return f"{value:.2f}" if isinstance(goal, MuTarget) else f"{limits.words(goal).unit * value:g}"


def strictest(swept: Swept, chosen: TrainingChoice, strategy: Strategy, wanted: float) -> str:
    """The strictest level from which on every trained one keeps a ``wanted`` utility, in words."""
    goals = {goal.goal: goal for goal in swept.plan.goals}
    kept = None
    for cell in reversed(swept.levels(strategy)):
        if spread(cell, chosen.utility).mean < wanted:
            break
        kept = cell
    if kept is None:
        return "no level that was trained keeps it."
    noise = kept.rows[0].noise_multiplier
    with_noise = f"with a noise multiplier of {noise:.4g}" if noise else "without any noise"
    good = percent(spread(kept, chosen.utility).mean)
    return f"{limits.words(goals[kept.goal]).full}, {with_noise}: {good} on average."


def loosest(swept: Swept, limit: RailLimit) -> float | None:
    """The loosest level whose noise keeps the limit against full knowledge; None where no level does."""
    for cell in sorted(swept.levels(Strategy.FULL), key=lambda one: -one.goal):
        noise = cell.rows[0].noise_multiplier
        if not noise:
            continue
        reached = cached.power(private_release(swept.plan.recipe.release, noise), limit.alpha, Order.ADD)
        if is_within(reached.upper, limit.found):
            return float(cell.goal)
    return None
