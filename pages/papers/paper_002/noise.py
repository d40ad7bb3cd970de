"""Fig. 1: noise against the wanted eta on the data of Proposition 11."""

import numpy as np

from numerics.trade_off import Bound
from pages.attackers.noise_for_eta import figure as noise_figure
from pages.papers.figure import Drawing, PaperFigure, Parameter
from pages.ui.catalog import ATTACKERS
from plotting import theme
from plotting.lines import Line, Side

_LOOKS = (
    ("DP", theme.KNOWS_ALL, ""),
    ("paper, σ = 1", theme.DRAW_UNKNOWN, "circle"),
    ("paper, σ = √5", theme.DRAW_UNKNOWN, "square"),
    ("sharp bound", theme.COMPARED[0], "cross"),
)
_ENDS = (1e-5, 0.45)


def _scales(records: float) -> Drawing:
    curves = noise_figure.curves([int(records)])
    lines = [
        Line(name, one.eta, one.scale, color, Bound.LOWER, symbol)
        for one, (name, color, symbol) in zip(curves, _LOOKS, strict=True)
    ]
    low, high = min(float(line.y.min()) for line in lines), max(float(line.y.max()) for line in lines)
    axes = Side("Accuracy above guessing η", log=True, ends=_ENDS), Side("Noise scale", log=True, ends=(low, high))
    values = ", ".join(f"{line.name} {10 ** np.interp(-2.0, np.log10(line.x), np.log10(line.y)):.4g}" for line in lines)
    alt = f"Noise for {records:g} records against the wanted eta, both logarithmic: at eta = 0.01, {values}."
    return Drawing.of(alt, axes, lines)


FIGURES = (
    PaperFigure(
        "002 Fig. 1",
        "Noise for a wanted η on data made so that one replaced record can change everything.",
        ATTACKERS,
        noise_figure.QUERY,
        draw=_scales,
        parameter=Parameter("Records in the pool n", (20, 24, 28, 30, 32, 34, 36, 40, 48), 36),
        notice="For 36 records and η = 0.01 the paper's noise is six times less than that of differential privacy, as "
        "the paper says. The sharp bound needs seven thousand times less again: the paper's constant is far off.",
        corrections=(35, 36, 32),
        source="The print calls the scale a bound on the variance; it is one on the standard deviation.",
    ),
)
