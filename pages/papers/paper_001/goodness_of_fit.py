"""Fig. 6: whether mixtures of normal laws fit the losses of a network, with and without DP-SGD."""

import numpy as np

from numerics import shipped
from numerics.epsilon_star.mixtures import ACCEPTED, MOST_COMPONENTS
from numerics.trade_off import Bound
from pages.papers.figure import Drawing, MovingParameter, PaperFigure
from pages.ui.catalog import AUDIT
from plotting import theme
from plotting.lines import Line, LineAxis

_ENDS = (1.0, float(MOST_COMPONENTS))
_LOOKS = (("without DP-SGD", theme.COMPARED[0], "circle"), ("with DP-SGD", theme.OUTSIDER, "square"))


def _p_values(size: float) -> Drawing:
    lines = []
    for model, color, symbol in _LOOKS:
        rows = [row for row in shipped.rows("paper_001_fig_6") if row["model"] == model and float(row["size"]) == size]
        components, found = (np.array([float(row[name]) for row in rows]) for name in ("components", "p_value"))
        lines.append(Line(model, components, found, color, Bound.EXACT, symbol))
    blind = Line("5 %", np.array(_ENDS), np.array([ACCEPTED] * 2), theme.NEUTRAL, None)
    axes = (
        LineAxis("Normal laws in the mixture", ends=(0.5, _ENDS[1] + 0.5)),
        LineAxis("p-value, one-sample test", log=True, ends=(1e-4, 1.0)),
    )
    values = " and ".join(f"{one.y[0]:.2g} {one.name}" for one in lines)
    rejected = " and ".join(f"{int(np.sum(one.y < ACCEPTED))} {one.name}" for one in lines)
    alt = (
        f"P-values of one-sample tests on {size:g} losses, of mixtures of 1 to {MOST_COMPONENTS} normal laws: one has "
        f"{values}; of the mixtures, rejected at 5 % are {rejected}."
    )
    return Drawing.of(alt, axes, lines, blind=blind)


def _one_law(seen: Drawing) -> str:
    bare, private = (seen.at(model, 1.0) for model, _, _ in _LOOKS)
    return (
        f"A single normal law has p = {private:.2g} with DP-SGD and {bare:.2g} without; the paper keeps it, as it fits "
        "“especially when training with DP-SGD”. Another test is printed: of two samples, the second drawn from the "
        "fit, which adds noise and rejects less; here the fit itself is tested."
    )


FIGURES = (
    PaperFigure(
        "001 Fig. 6",
        "Do mixtures of normal laws fit a network's losses, with and without DP-SGD: p-values of one-sample tests.",
        AUDIT,
        {"audit.fit_scale": "as printed"},
        draw=_p_values,
        parameter=MovingParameter("Losses held out for the test", tuple(range(100, 1001, 100)), 1000),
        settings=f"1 to {MOST_COMPONENTS} laws, rejected below {ACCEPTED:g}, DP-SGD with ε = 3",
        notice=_one_law,
        corrections=(24,),
        source="Networks on MNIST in place of Adult, training losses transformed as printed. Shipped: "
        "data/paper_001_fig_6.csv.",
    ),
)
