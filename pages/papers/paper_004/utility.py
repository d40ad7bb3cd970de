"""Fig. 3: the accuracy that levels of differential and of membership privacy cost."""

import numpy as np

from numerics.trade_off import Bound
from numerics.training import Cell, Strategy, shipped, summary
from pages.papers.figure import Drawing, MovingParameter, PaperFigure, Printed
from pages.papers.paper_004 import paper_tables
from pages.ui.catalog import FRONTIER
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

_NOTIONS = (
    (Strategy.FULL, "GDP, full knowledge", theme.KNOWS_ALL, "circle-open"),
    (Strategy.OTHERS, "GMIP", theme.OTHERS_UNKNOWN, "square-open"),
)
_SHORT = {Strategy.FULL: "GDP", Strategy.OTHERS: "GMIP"}
_MU_ENDS = (0.38, 53.0)
_LEVELS = tuple(round(level, 2) for level in paper_tables.LEVELS)
_BARE = 0.86  # in print the first level at which CIFAR-10 goes without noise


def _cells(strategy: Strategy) -> list[Cell]:
    """All levels of a notion, ascending."""
    return [cell for cell in summary(shipped("gmip")) if cell.strategy is strategy and np.isfinite(cell.goal)]


def _accuracy(level: float) -> Drawing:
    """Mean, best and worst accuracy at every level, and all runs at one."""
    lines, dots = [], []
    for strategy, name, color, symbol in _NOTIONS:
        cells = _cells(strategy)
        goals, mean, low, high = np.array(
            [(one.goal, one.accuracy.mean, one.accuracy.least, one.accuracy.most) for one in cells]
        ).T
        lines.append(Line(name, goals, mean, color, Bound.AUDIT, band=(low, high)))
        runs = cells[_LEVELS.index(level)].rows
        each = np.array([run.accuracy for run in runs])
        noise = f"{_SHORT[strategy]}, noise {runs[0].noise_multiplier:.3g}"
        dots.append(Dots(noise, np.full(len(each), level), each, color, symbol=symbol))
    axes = (
        LineAxis("Level μ permitted", log=True, ends=_MU_ENDS),
        LineAxis("Accuracy, held-out records", ends=(0.87, 1.0)),
    )
    values = ", ".join(f"{one.name}: {np.mean(one.y):.3f}" for one in dots)
    ends = ", ".join(f"{line.name} {line.y[0]:.3f} and {line.y[-1]:.3f}" for line in lines)
    alt = f"Accuracy at the levels μ = 0.4 and 50: {ends}. Of five runs at μ = {level:g}, on average {values}."
    return Drawing.of(alt, axes, lines, dots)


def _bare_level() -> float:
    """The first of the paper's levels at which its CIFAR-10 run needs no noise."""
    table = paper_tables.table_5()
    return next(mu for mu, noise in zip(table["μ"], table["CIFAR-10 (MIP)"], strict=True) if noise == 0.0)


def _at_level(seen: Drawing) -> str:
    gdp, gmip = (f"{np.mean(seen.series(name)[1]):.3f} ({name})" for name in seen.names[2:])
    return (
        f"At this level the runs of both notions have an accuracy of {gdp} and {gmip} on average. Where membership "
        "privacy asks for no noise, its models are as good as unprotected ones, and an unusual record is bare."
    )


FIGURES = (
    PaperFigure(
        "004 Fig. 3",
        "Accuracy that levels of differential and of membership privacy cost, on data that come with the tool.",
        FRONTIER,
        {
            "frontier.train_data": "breast cancer",
            "frontier.train_measure": "μ",
            "frontier.train_breast_cancer_batch": "38",
            "frontier.train_breast_cancer_learning_rate": "1",
        },
        draw=_accuracy,
        parameter=MovingParameter("Level μ at which the runs are drawn", _LEVELS, _BARE),
        notice=_at_level,
        printed=(Printed("level from which CIFAR-10 needs no noise", "Sec. 6.2", _BARE, _bare_level, 0.005),),
        corrections=(50, 53),
        source="Shipped: data/sweep_gmip.csv, softmax regression on the breast cancer data in place of the paper's "
        "three data sets, five runs each; shaded from the worst to the best run (data/README.md). For what the paper's "
        "own runs (Table 4) need, see Table 5.",
    ),
)
