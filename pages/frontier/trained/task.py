"""Training under way: a task in chunks, and the sweeps that are shipped, which show at once."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

import numpy as np

from numerics.gaussian_membership.calibration import MuTarget
from numerics.lazy_property import lazy_property
from numerics.training import (
    Cell,
    Checkpoint,
    Plan,
    Strategy,
    SweepChunk,
    Trained,
    default_recipe,
    mu_plan,
    path_table,
    run,
    shipped,
    summary,
)
from pages.ui.task_runner import TaskRunner

RUNNER = TaskRunner("frontier.sweep", kept=6)
_Row = TypeVar("_Row", Trained, Checkpoint)


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
    name = _shipped(plan)
    if name is None:
        return None
    return Swept(plan, _on_levels(plan, shipped(name)), None, path=_on_levels(plan, path_table.shipped(name)))


def _shipped(plan: Plan) -> str | None:
    """Under which name the models of ``plan`` come with the software."""
    data = plan.recipe.data
    if plan == Plan(default_recipe(data)):
        return data.replace(" ", "_")
    # Paper 004's plan has data of its own, which are read for no plan but those of its kind.
    return "gmip" if isinstance(plan.goals[0], MuTarget) and plan == mu_plan() else None


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


_RELAXED = 1.5  # seconds for the noise of a level where the record is unknown
_PROMISES = 0.2  # seconds for what is promised at a level's checkpoints
_STEP, _PRODUCT = 1e-4, 2e-9  # seconds for a step of one model, and for a record's weight in it
