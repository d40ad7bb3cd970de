"""Small pictures of the papers' figures, drawn from the curves that the pages draw large."""

from collections.abc import Callable

import numpy as np

from losses.sweeps.samples import SweepSample
from losses.sweeps.table import sweep
from numerics.epsilon_star.simulations import NormalPair
from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import SampledMechanism
from numerics.relaxed import Reading
from numerics.trade_off import Floats, Order, TradeOffCurve
from numerics.training import Strategy, shipped, summary
from pages.attackers import paper_tables
from pages.attackers.noise_for_eta import figure as noise_figure
from pages.audit.epsilon_star import cached as cached_simulations
from pages.papers.figure import Picture
from pages.ui import cached, cached_threat_models
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


def _at(curve: TradeOffCurve, alpha: Floats = _RATES) -> Floats:
    return np.interp(alpha, curve.alpha, curve.beta)


def _known(release: SampledMechanism, order: Order) -> Floats:
    return _at(cached.trade_off(release, order, points=61, smallest=1e-3))


def _unknown(release: SampledMechanism, dimension: int, order: Order) -> Floats:
    return _at(cached_threat_models.relaxed_curve(release, dimension, order, Reading.MINIMAX))


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


def gradients(release: GradientRelease, measured: bool) -> Draw:
    """Trade-off curve of one average of gradients, with an attack's points if ``measured``: 004 Fig. 1 and 2."""

    def drawn() -> Picture:
        curve = _at(cached_threat_models.membership_curve(release, False, Order.ADD))
        dots = (_RATES[_EVERY], curve[_EVERY]) if measured else None
        words = ", with an attack's points along it" if measured else ""
        svg = thumbnail.curves_below_chance(_RATES, [curve], thumbnail.TILE, dots, [theme.OTHERS_UNKNOWN])
        return Picture(svg, f"Trade-off curve of who knows only how other gradients are distributed{words}.")

    return drawn


def table_3() -> Picture:
    """Effect sizes of one step and of five: 004 Table 3."""
    table = paper_tables.table_3()
    pairs = [
        (float(one), float(five)) for one, five in zip(table["μ of a step"], table["μ of five steps"], strict=True)
    ]
    svg = thumbnail.bars([[one / 3.0, five / 3.0] for one, five in pairs], theme.OTHERS_UNKNOWN)
    return Picture(svg, "Bars: effect sizes of one step and of five, for three data sets.")


def table_5() -> Picture:
    """Noise that keeps each level, by membership privacy and by differential privacy: 004 Table 5."""
    table = paper_tables.table_5()
    level = np.log(np.array(table["μ"]))
    noise = [np.log1p(np.array(table[f"CIFAR-10 ({notion})"])) for notion in ("DP", "MIP")]
    top = float(np.max(noise[0]))
    svg = thumbnail.lines((level - level[0]) / (level[-1] - level[0]), [one / top for one in noise], _FULL_AND_OTHERS)
    return Picture(svg, "Two falling lines: noise against the level, less for membership privacy, in the end none.")


def landscape(sample: SweepSample) -> Picture:
    """Utility over privacy of every row of a sweep."""
    found = sweep(sample.table(), sample.roles, drop=False)
    svg = thumbnail.lines(_RATES, [], [], thumbnail.TILE, (_spread(found.privacy.mean), found.utility.mean))
    return Picture(svg, "Points: how good a model is against what it gives away.")


def training(name: str) -> Picture:
    """Accuracy over the levels permitted, under full knowledge and under the notion that asks for less."""
    cells = summary(shipped(name))
    lines = [
        np.array([cell.accuracy.mean for cell in cells if cell.strategy is strategy])
        for strategy in (Strategy.FULL, Strategy.OTHERS)
    ]
    low, high = min(line.min() for line in lines), max(line.max() for line in lines)
    drawn = [(line - low) / (high - low) for line in lines]
    svg = thumbnail.lines(np.linspace(0.0, 1.0, len(drawn[0])), drawn, _FULL_AND_OTHERS)
    return Picture(svg, "Accuracy against the attack success permitted: two lines that meet on the right.")


def _spread(values: Floats) -> Floats:
    """Onto the unit interval with a margin for the dots; side by side where all are equal."""
    wide = np.ptp(values)
    return 0.06 + 0.88 * (values - values.min()) / wide if wide else np.linspace(0.35, 0.65, len(values))
