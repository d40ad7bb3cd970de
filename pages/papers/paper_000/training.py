"""Fig. 4: accuracy of models trained to the same risk, for full knowledge and for an unknown record."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from losses.sweeps.samples import SWEEPS
from losses.sweeps.table import sweep
from numerics.relaxed import Reading
from numerics.relaxed.hypothetical import TASKS, PublishedTask, shipped_sandwiches
from numerics.trade_off import Floats
from numerics.training import Cell, Strategy, shipped, summary
from pages.papers.figure import Drawing, MovingParameter, PaperFigure, Printed
from pages.ui import cached
from pages.ui.catalog import FRONTIER
from plotting import theme
from plotting.bars import Bars, bars_figure
from plotting.lines import LineAxis

_SAMPLES = {sample.name.partition(", ")[0]: sample for sample in SWEEPS}
_LEVELS = (0.012, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2, 0.4)
_KINDS = (
    (Strategy.FULL, "for full knowledge", theme.KNOWS_ALL),
    (Strategy.RECORD, "for a record unknown", theme.RECORD_UNKNOWN),
)
_FULL_MARK = "(DP)"
_OURS = {"mnist": "MNIST", "digits": "digits"}
_TASKS = {task.name: task for task in TASKS}


def _trained(data: str, level: float) -> Mapping[Strategy, Cell]:
    """Our models of a data set, protected so that at most this share is found while 1 in 100 is accused."""
    return {cell.strategy: cell for cell in summary(shipped(data)) if cell.goal == level}


def _accuracies(name: str, data: str, level: float) -> Drawing:
    """Printed and trained, of which each has its own errors: one standard deviation over the runs."""
    sample = _SAMPLES[name]
    printed = sweep(sample.table(), sample.roles, drop=False)
    place = {_FULL_MARK in strategy: index for index, strategy in enumerate(printed.kinds)}
    trained = _trained(data, level)
    groups = [f"{sample.name.partition(', ')[2]}, printed", f"{_OURS[data]}, ours"]
    series = []
    for kind, words, color in _KINDS:
        row, own = place[kind is Strategy.FULL], trained[kind].accuracy
        spread = printed.utility.high[row] - printed.utility.mean[row]
        heights, errors = (printed.utility.mean[row], own.mean), (spread, own.deviation)
        series.append(Bars(words, np.array(heights), np.array(errors), color))
    alt = (
        f"Accuracy of models trained to the same risk; ours with at most {level:g} of the members found: "
        + ", ".join(
            f"{group} {one.heights[place]:.3f} {one.name}" for place, group in enumerate(groups) for one in series
        )
    )
    columns: dict[str, Floats | Sequence[str]] = {
        "trained on": [group for group in groups for _ in series],
        "noise": [one.name for _ in groups for one in series],
        "accuracy": np.array([one.heights[place] for place, _ in enumerate(groups) for one in series]),
        "standard deviation": np.array([one.errors[place] for place, _ in enumerate(groups) for one in series]),
    }
    return Drawing(bars_figure(groups, series, LineAxis("Accuracy", ends=(0.0, 1.0))), f"{alt}.", columns)


def _hypothetical(task: PublishedTask) -> float:
    """The largest epsilon that the noise for an unknown record can have by the guarantee."""
    rows = [one for one in shipped_sandwiches() if one.task == task and one.reading is Reading.MINIMAX]
    return max(one.epsilon.bold for one in rows)


def _printed(task: PublishedTask) -> tuple[Printed, ...]:
    noise = task.release.noise_multiplier
    return (
        Printed(
            f"ε at δ = {task.delta:g} of the noise for full knowledge, {noise:g}",
            "Sec. 7.3",
            1.0,
            lambda: cached.epsilon(task.release, task.delta).upper,
            0.05,
            "the paper's Rényi accountant is looser",
        ),
        Printed(
            "hypothetical ε of the noise for a record unknown",
            "Sec. 7.3",
            task.printed,
            partial(_hypothetical, task),
            0.05,
            "this is the largest that the guarantee gives, correction 56",
        ),
    )


def _gained(second: str, seen: Drawing) -> str:
    full, unknown, own_full, own_unknown = (f"{value:.2f}" for value in seen.columns["accuracy"])
    return (
        f"In print the lesser noise for a record unknown leaves an accuracy of {unknown}, that for full knowledge "
        f"{full}; our models, of other data, have {own_unknown} and {own_full} at this promise. {second}"
    )


def _figure(
    letter: str, words: str, settings: str, data: str, level: float, second: str, task: str = ""
) -> PaperFigure:
    name = f"000 Fig. 4{letter}"
    sample = _SAMPLES[name]
    return PaperFigure(
        name,
        words,
        FRONTIER,
        {"frontier.weigh": "your own sweep", "frontier.land_from": sample.name},
        settings=settings,
        case=sample.name.partition(", ")[2],
        draw=partial(_accuracies, name, data),
        parameter=MovingParameter(
            "Members found at most, our models, 1 in 100 accused", _LEVELS, level, is_printed=False
        ),
        notice=partial(_gained, second),
        printed=_printed(_TASKS[task]) if task else (),
        corrections=(15, 17, 56) if task else (15, 17),
        source="The paper's data do not come with the tool: its points are as printed, with one standard deviation. "
        f"Beside them softmax regressions on {_OURS[data]}, five runs each, trained with the noise that keeps the same "
        "share of members from being found (data/README.md).",
    )


FIGURES = (
    _figure(
        "a",
        "Accuracy on CIFAR-10, noise for full knowledge and for an unknown record.",
        "ε = 1 in print",
        "mnist",
        0.012,
        "Slide to the right: where more may be found, little noise is needed for either, and nothing is gained.",
        "CIFAR-10",
    ),
    _figure(
        "b",
        "Accuracy on SNLI, noise for full knowledge and for an unknown record.",
        "ε = 1 in print",
        "digits",
        0.05,
        "Slide to the left: the stricter the promise, the more it matters whom it is made against.",
        "SNLI",
    ),
    _figure(
        "c",
        "Accuracy on ImageNet, noise for full knowledge and for an unknown record.",
        "ε = 10 in print",
        "mnist",
        0.02,
        "The print has no spread over runs here; slide to the right, and both noises of ours are low as well.",
    ),
)
