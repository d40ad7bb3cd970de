"""Small pictures of the papers' figures, drawn from the curves that the pages draw large."""

from collections.abc import Callable

import numpy as np

from losses.sweeps.samples import SweepSample
from losses.sweeps.table import sweep
from numerics.epsilon_star.simulations import NormalPair
from numerics.trade_off import Floats
from pages.attackers.noise_for_eta import figure as noise_figure
from pages.audit.epsilon_star import cached as cached_simulations
from pages.papers.figure import Picture
from plotting import theme, thumbnail

_RATES = np.linspace(0.0, 1.0, 41)
_PRIORS = np.geomspace(1e-9, 1.0, 37)
_SHARES = np.linspace(0.1, 1.0, 19)  # of the largest effect size drawn
_REACH = 1.6  # the largest, in the release's own
_DOTS = (0.375, 0.625)
_CLEAR = 4.0  # effect size at which nearly every record is rebuilt
_EVERY = slice(4, 40, 5)
_FULL_AND_OTHERS = (theme.KNOWS_ALL, theme.OTHERS_UNKNOWN)


Draw = Callable[[], Picture]


def ratios() -> Picture:
    """The first error ratio of two normal laws over thresholds, exact and counted: 001 Fig. 3."""
    pair = NormalPair(3.0)
    exact, counted = (cached_simulations.ratio_curves(pair, 1e-5, size)[0] for size in (None, 1000))
    x = np.linspace(float(exact.log_odds[0]), float(exact.log_odds[-1]), 60)
    heights = []
    for one in (exact, counted):
        seen = np.isfinite(one.log_ratio)
        heights.append(np.interp(x, one.log_odds[seen], one.log_ratio[seen]))
    low, high = (pick(np.concatenate(heights)) for pick in (np.min, np.max))
    svg = thumbnail.lines((x - x[0]) / (x[-1] - x[0]), [(one - low) / (high - low) for one in heights], theme.COLORS)
    return Picture(svg, "A ratio over thresholds, exact and counted: the two part at the ends, where few losses are.")


def gamma_laws(distance: float) -> Draw:
    """Gamma laws of fresh and of training losses, of shapes 2 + ``distance`` and 2: 001 Fig. 4 and 5."""

    def drawn() -> Picture:
        x = np.linspace(0.0, 9.0, 60)
        hills = [x ** (1.0 + more) * np.exp(-x) for more in (distance, 0.0)]
        svg = thumbnail.two_hills(x / 9.0, [0.92 * hill / np.max(hill) for hill in hills], thumbnail.TILE)
        words = "Two hills on one another" if distance == 0.0 else "Two hills apart"
        return Picture(svg, f"{words}: the laws of training losses and of fresh losses.")

    return drawn


def goodness_of_fit() -> Picture:
    """What the test does with laws that miss by less and less: p-values fall with the sample size. 001 Fig. 6."""
    sizes = np.arange(1, 8) * 100
    rows = [np.minimum(2.0 * np.exp(-2.0 * sizes * miss**2), 1.0).tolist() for miss in (0.11, 0.075, 0.055, 0.04, 0.03)]
    return Picture(
        thumbnail.cells(rows), "A map of p-values: few components are rejected, more so the larger the sample."
    )


def noise_for_eta() -> Picture:
    """Noise against the wanted eta on logarithmic axes: 002 Fig. 1."""
    made = [one for one in noise_figure.curves([30, 36]) if not one.label.startswith("sharp")]
    x, heights = np.log(made[0].eta), [np.log(one.scale) for one in made]
    low, high = min(map(np.min, heights)), max(map(np.max, heights))
    colors = [theme.KNOWS_ALL if one.private else theme.DRAW_UNKNOWN for one in made]
    svg = thumbnail.lines((x - x[0]) / (x[-1] - x[0]), [(height - low) / (high - low) for height in heights], colors)
    return Picture(svg, "Falling lines: noise against the accuracy allowed, by differential privacy and by membership.")


def landscape(sample: SweepSample) -> Picture:
    """Utility over privacy of every row of a sweep."""
    found = sweep(sample.table(), sample.roles, drop=False)
    svg = thumbnail.lines(_RATES, [], [], thumbnail.TILE, (_spread(found.privacy.mean), found.utility.mean))
    return Picture(svg, "Points: how good a model is against what it gives away.")


def _spread(values: Floats) -> Floats:
    """Onto the unit interval with a margin for the dots; side by side where all are equal."""
    wide = np.ptp(values)
    return 0.06 + 0.88 * (values - values.min()) / wide if wide else np.linspace(0.35, 0.65, len(values))
