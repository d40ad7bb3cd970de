"""Make the shipped Monte Carlo estimates of paper 003 Fig. 1. See README.md beside this file.

Run from the project's folder: ``python -m data.make_paper_003``. Some minutes on one core.
"""

from collections.abc import Generator

import numpy as np

from data import written
from numerics import shipped
from numerics.approximations.sampling import affordable_samples, loss_chunks, monte_carlo
from numerics.reconstruction.published import PANELS, TABLE, PublishedPanel
from numerics.trade_off import Floats

POINTS = 12
COLUMNS = ("panel", "effect", "estimate", "standard_error", "usable", "better", "better_error")
FEWEST_DRAWS = 10.0
"""Effective draws from which an average and its own standard error mean something: ten equal weights tell a third."""
ABOUT = {"what": "gamma by Monte Carlo (Hayes et al. 2023, Algorithm 1), and by drawing from the alternative instead"}


def effects(panel: PublishedPanel) -> tuple[float, ...]:
    """Where a panel is drawn: evenly; of d, whose effect sizes span orders of magnitude, evenly in the logarithm."""
    if panel.name == "d":
        return tuple(map(float, np.geomspace(1.0, panel.largest, POINTS)))
    return tuple(map(float, panel.largest * np.arange(1, POINTS + 1) / POINTS))


def point(panel: PublishedPanel, effect: float) -> tuple[object, ...]:
    """A row of the table."""
    release, prior = panel.at(effect), np.array([panel.prior])
    found = hayes(
        np.concatenate(list(loss_chunks(release, False, panel.samples, np.random.default_rng(3)))), panel.prior
    )
    better = monte_carlo(release, prior, min(panel.samples, affordable_samples(release)), seed=3)
    return panel.name, effect, *found, float(better.curve.power[0]), float(better.standard_error[0])


def hayes(losses: Floats, prior: float) -> tuple[float, float, bool]:
    """Estimate of gamma from ``losses`` (S,) drawn without the record, its standard error, and whether it is usable.

    The ceil(prior S) largest losses are kept, and their likelihood ratios added up over S; averages above 1, which the
    weights allow, are cut there. The estimate is the average of (e^loss - e^t)_+ plus e^t prior for the threshold t,
    the smallest loss kept, and at its least there; its standard error is therefore that of the average of
    (e^loss - e^t)_+, with one further sample allowed for. It is usable where the kept draws weigh as much as
    ``FEWEST_DRAWS`` equal ones, (sum of weights)^2 / sum of squares: no handful may carry the sum.
    """
    samples, weight = len(losses), np.exp(np.sort(losses)[::-1])
    # A product such as 0.1 x 30 exceeds the whole number it stands for by rounding.
    kept = weight[: int(np.ceil(prior * samples * (1.0 - 1e-12)))]
    above, total = kept - kept[-1], float(kept.sum())
    variance = max(float(above @ above) / samples - (float(above.sum()) / samples) ** 2, 0.0) / samples
    error = float(np.sqrt(variance + (float(kept[-1]) / samples) ** 2))
    return min(total / samples, 1.0), error, total**2 >= FEWEST_DRAWS * float(kept @ kept)


def points() -> Generator[tuple[object, ...], None, None]:
    """All rows."""
    for panel in PANELS:
        for effect in effects(panel):
            yield point(panel, effect)
            print(panel.name, effect, flush=True)


if __name__ == "__main__":
    (shipped.DATA / f"{TABLE}.csv").write_text(written.document(COLUMNS, points(), ABOUT), encoding="utf-8")
