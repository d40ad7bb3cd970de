"""Make the shipped sweeps of trained models. See README.md beside this file.

Run from the project's folder: ``python -m data.make_sweeps``, or with the names of some files only, such as ``digits``.
Some minutes on one core.
"""

import csv
import io
import platform
import sys
from collections.abc import Callable, Generator
from itertools import product
from pathlib import Path

import numpy as np
import scipy

from data import written
from numerics.calibration import EpsilonTarget, noise_for
from numerics.mechanisms import Gaussian
from numerics.training import (
    OneHiddenLayer,
    Plan,
    Protection,
    Recipe,
    data_set,
    default_recipe,
    mu_plan,
    outcomes,
    run,
    summary,
    train,
)
from numerics.training.plans import ALPHA, DELTA
from numerics.training.sweep import generator_for
from numerics.version import VERSION

FOLDER = Path(__file__).parent
SOFTWARE = {
    "software": f"privacy trade-offs {VERSION}",
    "made with": f"Python {platform.python_version()}, NumPy {np.__version__}, SciPy {scipy.__version__}",
}
RUNS = 5
WIDTH = 32
MEASURED = ("accuracy", "auroc", "epsilon_star_estimate_as_printed")
COLUMNS = ("strategy", "run", *MEASURED, "epsilon", "clip", "batch", "learning_rate", "epochs")
Row = tuple[str, int, float, float, float, float | str, float | str, int, float, int]


def sweep(plan: Plan) -> str:
    """The file of a plan: rows in the summary's order."""
    rows = [row for progress in run(plan) for row in progress.trained]
    return written.sweep((row for cell in summary(rows) for row in cell.rows), SOFTWARE | written.plan_header(plan))


def landscape() -> str:
    """Many ways to train one network: accuracy against what it gives away, as paper 001 Fig. 1 shows it."""
    out = io.StringIO()
    about = {
        "data and model": f"mnist, {OneHiddenLayer(WIDTH).label}",
        MEASURED[-1]: f"by normal fits to the trained model's losses, on either side of the truth, delta {DELTA:g}",
        "epsilon": f"promised by differential privacy at delta {DELTA:g}; empty without",
    }
    out.writelines(f"# {name}: {text}\n" for name, text in (SOFTWARE | about).items())
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    for rows in (*baselines(), *private()):
        writer.writerows([f"{value:.6g}" if isinstance(value, float) else value for value in row] for row in rows)
    return out.getvalue()


def baselines() -> Generator[list[Row], None, None]:
    """Without protection, for few and for many passes over the data."""
    for epochs in (10, 50, 100):
        recipe = Recipe("mnist", OneHiddenLayer(WIDTH), 1.0, 50, epochs, 0.2)
        yield trained(f"{epochs} epochs", recipe, Protection(clipped=False), "", "")


def private() -> Generator[list[Row], None, None]:
    """DP-SGD with four promises, and twelve ways to keep each."""
    for epsilon, batch in product((1.0, 3.0, 10.0, 100.0), (128, 512)):
        noise = None
        for clip, rate in product((0.3, 1.0, 3.0), (0.5, 2.0)):
            recipe = Recipe("mnist", OneHiddenLayer(WIDTH), clip, batch, 20, rate)
            if noise is None:
                mechanism = Gaussian(1.0, recipe.sampling_rate, recipe.steps)
                noise = noise_for(EpsilonTarget(epsilon, DELTA), mechanism).noise_multiplier
            yield trained(f"DP-SGD epsilon {epsilon:g}", recipe, Protection(noise), epsilon, clip)


def trained(
    strategy: str, recipe: Recipe, protection: Protection, epsilon: float | str, clip: float | str
) -> list[Row]:
    """The rows of all runs of one way to train."""
    generators = [generator_for(recipe.label, seed) for seed in range(RUNS)]
    weights = train(recipe, protection, generators)
    settings = clip, recipe.batch, recipe.learning_rate, recipe.epochs
    found = outcomes(recipe.model, weights, data_set(recipe.data), ALPHA, DELTA)
    print(
        strategy,
        recipe.label,
        [f"{one.accuracy:.3f}" for one in found],
        f"{found[0].epsilon_star_estimate_as_printed:.3g}",
        flush=True,
    )
    return [
        (strategy, seed, *(getattr(one, name) for name in MEASURED), epsilon, *settings)
        for seed, one in enumerate(found)
    ]


PLANS: dict[str, Callable[[], Plan]] = {
    "digits": lambda: Plan(default_recipe("digits")),
    "breast_cancer": lambda: Plan(default_recipe("breast cancer")),
    "mnist": lambda: Plan(default_recipe("mnist")),
    "gmip": mu_plan,
}
FILES: tuple[str, ...] = (*PLANS, "landscape")


if __name__ == "__main__":
    for name in sys.argv[1:] or FILES:
        (FOLDER / f"sweep_{name}.csv").write_text(
            sweep(PLANS[name]()) if name in PLANS else landscape(), encoding="utf-8"
        )
        print(f"sweep_{name}.csv", flush=True)
