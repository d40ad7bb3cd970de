"""Make the shipped Monte Carlo estimates of paper 003 Fig. 1. See README.md beside this file.

Run from the project's folder: ``python -m data.make_paper_003``. Some minutes on one core.
"""

from collections.abc import Generator

import numpy as np

from numerics import shipped
from numerics.approximations.sampling import affordable_samples, monte_carlo
from numerics.reconstruction.monte_carlo import PANELS, TABLE, PublishedPanel, hayes, hayes_estimate

POINTS = 12
COLUMNS = ("panel", "effect", "estimate", "standard_error", "usable", "better", "better_error")
ABOUT = {"what": "gamma by Monte Carlo (Hayes et al. 2023, Algorithm 1), and by drawing from the alternative instead"}


def effects(panel: PublishedPanel) -> tuple[float, ...]:
    """Where a panel is drawn: evenly; of d, whose effect sizes span orders of magnitude, evenly in the logarithm."""
    if panel.name == "d":
        return tuple(map(float, np.geomspace(1.0, panel.largest, POINTS)))
    return tuple(map(float, panel.largest * np.arange(1, POINTS + 1) / POINTS))


def point(panel: PublishedPanel, effect: float) -> tuple[object, ...]:
    """A row of the table."""
    release, prior = panel.at(effect), np.array([panel.prior])
    drawn = np.concatenate([progress.losses for progress in hayes(release, panel.samples, seed=3)])
    found = hayes_estimate(drawn, prior)
    better = monte_carlo(release, prior, min(panel.samples, affordable_samples(release)), seed=3)
    estimate = float(found.success[0]), float(found.standard_error[0]), bool(found.usable[0])
    return panel.name, effect, *estimate, float(better.curve.power[0]), float(better.standard_error[0])


def points() -> Generator[tuple[object, ...], None, None]:
    """All rows."""
    for panel in PANELS:
        for effect in effects(panel):
            yield point(panel, effect)
            print(panel.name, effect, flush=True)


if __name__ == "__main__":
    (shipped.DATA / f"{TABLE}.csv").write_text(shipped.document(COLUMNS, points(), ABOUT), encoding="utf-8")
