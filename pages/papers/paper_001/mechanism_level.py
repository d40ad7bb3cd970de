"""Theorem 4: what many models of one training show together, beside what each of them shows."""

import numpy as np

from numerics import shipped
from numerics.trade_off import Bound
from pages.papers.figure import Drawing, MovingParameter, PaperFigure
from pages.ui.catalog import AUDIT
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

PROMISES = {0.0: "", 2.87: "10", 7.33: "3", 18.2: "1"}
"""The epsilon promised, by the noise multiplier of 50 steps on all records; a test computes them."""


def _together(noise: float) -> Drawing:
    """Epsilon* of every model in ascending order, epsilon-bar and the limit of Theorem 2, and what is promised."""
    rows = [row for row in shipped.rows("paper_001_epsilon_bar") if row["promise"] == PROMISES[noise]]
    each = np.sort(np.array([float(row["each"]) for row in rows]))
    place, ends = np.arange(1.0, len(each) + 1.0), np.array([0.0, len(each) + 1.0])
    levels = [("Theorem 2's limit", "log_mean_exp", theme.NEUTRAL), ("ε-bar", "epsilon_bar", theme.MEMBER)]
    lines = [Line(name, ends, np.full(2, float(rows[0][key])), color, Bound.ESTIMATE) for name, key, color in levels]
    promised = [float(PROMISES[noise])] if PROMISES[noise] else []
    lines += [Line(f"promise {value:g}", ends, np.full(2, value), theme.KNOWS_ALL, Bound.LOWER) for value in promised]
    dots = [Dots("ε* of a model", place, each, theme.MEASURED, symbol="circle-open")]
    axes = LineAxis("Models, by their ε*", ends=(0.0, len(each) + 1.0)), LineAxis("ε", ends=(0.0, 3.2))
    said = f"promised {PROMISES[noise]}" if promised else "without a promise"
    alt = (
        f"{len(each)} models, {said}: epsilon-star of each from {each[0]:.3g} to {each[-1]:.3g}; together epsilon-bar "
        f"is {lines[1].y[0]:.3g}, and Theorem 2 allows {lines[0].y[0]:.3g}."
    )
    return Drawing.of(alt, axes, lines, dots)


def _each_and_together(seen: Drawing) -> str:
    _, each = seen.series("ε* of a model")
    together, allowed = seen.at("ε-bar", 1.0), seen.at("Theorem 2's limit", 1.0)
    return (
        f"Single models show ε* of {each.min():.2f} to {each.max():.2f}, all together {together:.2g}, where Theorem 2 "
        f"would allow {allowed:.2f}. A promise bounds what all show together, and no single model's ε*."
    )


FIGURES = (
    PaperFigure(
        "001 Theorem 4",
        "What all models of one training show together, ε-bar, beside ε* of each: the paper has no figure of it.",
        AUDIT,
        {"audit.source": "several models"},
        draw=_together,
        parameter=MovingParameter("Noise multiplier of DP-SGD", tuple(PROMISES), 0.0, is_printed=False),
        settings="40 models, 50 steps each",
        notice=_each_and_together,
        corrections=(19, 25),
        source="Softmax regression on forty random halves of the digits, 50 steps on all records; rates cut to 0.001, "
        "δ = 0.001, all estimates without a confidence. Shipped: data/paper_001_epsilon_bar.csv.",
    ),
)
