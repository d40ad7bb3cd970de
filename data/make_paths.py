"""Make the paths of the shipped sweeps: how good their models were on the way. See README.md beside this file.

Run from the project's folder: ``python -m data.make_paths``, or with the names of some files only, such as ``digits``.
Half a minute on one core. The noise is the sweep's own, as its file has it: a path must end at the models that it is
shown with.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from data import written
from data.make_sweeps import PLANS, SOFTWARE
from numerics.mechanisms import Sampling
from numerics.training import Cell, Checkpoint, Plan, Protection, Strategy, shipped, summary
from numerics.training.path import follow, path
from numerics.training.sweep import generator_for

FOLDER = Path(__file__).parent


def paths(plan: Plan, cells: tuple[Cell, ...]) -> Iterator[Checkpoint]:
    """The checkpoints of every cell that was trained, in the sweep's order.

    Raises SystemExit where another machine's rounding leads to other final models than the sweep's.
    """
    for cell in cells:
        if cell.strategy is not Strategy.MAJORITY:
            found = trained(plan, cell)
            accuracies = [row.accuracy for row in cell.rows]
            if [float(f"{one:.7g}") for one in found[-1].accuracy] != accuracies:
                raise SystemExit(f"{cell.strategy}, {cell.goal:g}: {found[-1].accuracy} instead of {accuracies}")
            yield from found


def trained(plan: Plan, cell: Cell) -> tuple[Checkpoint, ...]:
    """The runs of a cell once more."""
    row = cell.rows[0]
    clipped = cell.strategy is not Strategy.NON_PRIVATE
    protection = Protection(row.noise_multiplier, Sampling(row.sampling), clipped)
    generators = [generator_for(plan.recipe.label, seed) for seed in range(plan.seeds)]
    return path(plan, cell.strategy, cell.goal, protection, follow(plan.recipe, protection, generators))


if __name__ == "__main__":
    for name in sys.argv[1:] or PLANS:
        plan = PLANS[name]()
        made = tuple(paths(plan, summary(shipped(name))))
        text = written.path(made, SOFTWARE | written.plan_header(plan) | written.OF_A_PATH)
        (FOLDER / f"path_{name}.csv").write_text(text, encoding="utf-8")
        print(f"path_{name}.csv", flush=True)
