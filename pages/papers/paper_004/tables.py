"""Tables 3 and 5: levels, and the noise that keeps them."""

from functools import partial

import numpy as np

from numerics.gaussian_membership import level, step_mu
from numerics.trade_off import Bound
from pages.papers.figure import Drawing, MovingParameter, PaperFigure, Printed
from pages.papers.paper_004 import paper_tables
from pages.ui import cached_threat_models
from pages.ui.catalog import ATTACKERS
from pages.ui.figure_presets import OF_PAPER_004
from plotting import theme
from plotting.bars import Bars, bars_figure
from plotting.lines import Dots, Line, LineAxis

_BY_NAME = {preset.name: preset for preset in OF_PAPER_004}
_STEP, _FIVE = 1.13, 2.54
# As printed, to two decimals, from the smallest level up; the other cells of a row of MIP are 0.00.
_PRINTED_DP = {
    "CIFAR-10": (
        2.84,
        2.44,
        2.13,
        1.89,
        1.70,
        1.55,
        1.42,
        1.32,
        1.24,
        1.17,
        1.11,
        1.06,
        1.02,
        0.98,
        0.94,
        0.91,
        0.88,
        0.85,
        0.83,
        0.81,
    ),
    "Purchase": (
        4.72,
        4.14,
        3.68,
        3.32,
        3.04,
        2.81,
        2.62,
        2.46,
        2.32,
        2.21,
        2.11,
        2.02,
        1.94,
        1.87,
        1.81,
        1.75,
        1.70,
        1.65,
        1.61,
        1.57,
    ),
    "Adult": (
        3.38,
        2.77,
        2.30,
        1.93,
        1.65,
        1.43,
        1.26,
        1.13,
        1.02,
        0.94,
        0.87,
        0.81,
        0.77,
        0.73,
        0.69,
        0.66,
        0.63,
        0.61,
        0.59,
        0.57,
    ),
}
PRINTED_MIP_UP_TO = {"CIFAR-10": 3, "Purchase": 6, "Adult": 5}


def _levels(steps: float) -> Drawing:
    runs = paper_tables.VERIFIED
    one = np.array([step_mu(run.effective_size, run.dimension) for run in runs.values()])
    many, nothing = one * np.sqrt(steps), np.zeros(len(one))
    series = [
        Bars("one step", one, nothing, theme.OTHERS_UNKNOWN),
        Bars(f"{steps:g} steps", many, nothing, theme.COMPARED[0]),
    ]
    values = ", ".join(f"{name} {each:.4f} and {all_:.4f}" for name, each, all_ in zip(runs, one, many, strict=True))
    columns = {"run": list(runs), "one step": one, f"{steps:g} steps": many}
    figure = bars_figure(list(runs), series, LineAxis("Effect size μ", ends=(0.0, 4.0)))
    return Drawing(figure, f"Effect sizes of one step and of {steps:g}: {values}.", columns)


def _noises(data: str, epochs: float) -> Drawing:
    """Noise on the mean gradient that keeps each level."""
    run, clip = paper_tables.TRAINED[data]
    steps = int(epochs) * (run.dataset_size // run.batch_size)
    release = type(run)(run.dataset_size, run.batch_size, steps, run.dimension)
    mu, unit = np.array(paper_tables.LEVELS), clip / run.batch_size
    found = [cached_threat_models.membership_noise_at(one, release) for one in paper_tables.LEVELS]
    private = np.array([one.private_noise * unit for one in found])
    relaxed = np.array([one.noise_multiplier * unit for one in found])
    lines = [
        Line("DP", mu, private, theme.KNOWS_ALL, Bound.ESTIMATE),
        Line("MIP", mu, relaxed, theme.OTHERS_UNKNOWN, Bound.ESTIMATE, "circle"),
    ]
    printed = np.array(_PRINTED_DP[data])
    kept = PRINTED_MIP_UP_TO[data]
    dots = [
        Dots("DP, printed", mu, printed),
        Dots("MIP, printed", mu, np.where(np.arange(len(mu)) < kept, printed, 0.0), symbol="square-open"),
    ]
    axes = LineAxis("Level μ", log=True, ends=(0.36, 55.0)), LineAxis("Noise τ on the mean gradient", ends=(0.0, 5.0))
    first = mu[relaxed == 0.0]
    alt = (
        f"Noise against the level for the {data} run of {epochs:g} epochs: from {private[0]:.2f} at μ = 0.4 to "
        f"{private[-1]:.2f} at 50 for differential privacy; none for membership privacy from "
        f"{first[0] if len(first) else np.inf:.2f} on."
    )
    return Drawing.of(alt, axes, lines, dots)


def table_5_cell(data: str, place: int, *, private: bool) -> float:
    """A cell of Table 5, computed anew."""
    return paper_tables.table_5()[f"{data} ({'DP' if private else 'MIP'})"][place]


def _printed_levels() -> tuple[Printed, ...]:
    cifar = paper_tables.VERIFIED["CIFAR-10"]
    cut = "the paper cuts the digits off instead of rounding"
    return (
        Printed(
            "μ of one step, CIFAR-10",
            "Table 3",
            _STEP,
            lambda: step_mu(cifar.effective_size, cifar.dimension),
            0.005,
            cut,
        ),
        Printed(
            "μ of one step, CIFAR-10", "App. C.1", 1.14, lambda: step_mu(cifar.effective_size, cifar.dimension), 0.005
        ),
        Printed("μ of five steps, CIFAR-10", "Table 3", _FIVE, lambda: level(cifar).mu, 0.005, cut),
    )


def _table_5(data: str) -> PaperFigure:
    preset = _BY_NAME["004 Table 5"]
    run, _ = paper_tables.TRAINED[data]
    epochs = run.steps * run.batch_size / run.dataset_size
    start = float(round(epochs))
    kept = PRINTED_MIP_UP_TO[data]
    return PaperFigure(
        preset.name,
        f"Noise for each level μ under differential and under membership privacy, {data}.",
        ATTACKERS,
        preset.query,
        case=data,
        draw=partial(_noises, data),
        parameter=MovingParameter("Epochs", (1, 3, 10, 20, 50), start),
        notice="Where membership privacy asks for noise at all, it is the noise of differential privacy; from some "
        "level on it asks for none. The formula's own noise never wins.",
        printed=tuple(
            Printed(
                f"τ, {'DP' if private else 'MIP'}, μ = {paper_tables.LEVELS[place]:.2f}",
                "Table 5",
                value,
                partial(table_5_cell, data, place, private=private),
                0.005,
            )
            for place, private, value in (
                (0, True, _PRINTED_DP[data][0]),
                (19, True, _PRINTED_DP[data][19]),
                (kept - 1, False, _PRINTED_DP[data][kept - 1]),
                (kept, False, 0.0),
            )
        ),
        corrections=(50, 53, 54),
        source="All 40 printed values of these two rows are drawn; a test compares all 120 of the table.",
    )


def _add_up(seen: Drawing) -> str:
    _, one, many = seen.columns.values()
    first, last = (", ".join(f"{float(value):.2f}" for value in values) for values in (one, many))
    return (
        f"One step has a μ of {first}: the three runs are chosen so, though their sizes differ. Steps add up by the "
        f"root of the sum of squares, here to {last}."
    )


FIGURES = (
    PaperFigure(
        "004 Table 3",
        "Effect sizes μ of one step and of several, for the three runs that the attacks are verified on.",
        ATTACKERS,
        _BY_NAME["004 Table 3"].query,
        draw=_levels,
        parameter=MovingParameter("Number of steps", (1, 2, 5, 10), 5),
        notice=_add_up,
        printed=_printed_levels(),
        corrections=(51, 53),
    ),
    *map(_table_5, paper_tables.TRAINED),
)
