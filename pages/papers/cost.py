"""What protection costs: accuracy at equal risk, hypothetical epsilons, Epsilon* and levels of membership privacy."""

from functools import cache, partial
from typing import NamedTuple

import numpy as np

from losses.sweeps.samples import SWEEPS
from losses.sweeps.table import sweep
from numerics import shipped, training
from numerics.pareto import hull
from numerics.relaxed import RelaxedTest
from numerics.relaxed.hypothetical import TASKS, PublishedTask, renyi_epsilon, shipped_sandwiches
from numerics.trade_off import Bound, Floats
from numerics.training import Strategy, summary
from pages.papers import gradients, links, unknown_record
from pages.papers.measured_losses import PAPER as EPSILON_STAR
from pages.papers.question import Drawing, Drawn, Knob, Link, Panel, Printed, Question
from pages.ui import cached
from plotting import theme
from plotting.bars import Bars
from plotting.lines import Dots, Line, LineAxis
from reports.rounding import as_entered

GROUP = "What it costs"
_SAMPLES = {sample.name: sample for sample in SWEEPS}
_TASKS = {task.name: task for task in TASKS}
_OURS = {"mnist": "MNIST", "digits": "digits"}


def _accuracies(name: str, data: str, share: float) -> Drawing:
    """Printed, and of our models with at most this share found while 1 in 100 is accused; with standard deviations."""
    sample = _SAMPLES[name]
    printed = sweep(sample.table(), sample.roles, drop=False)
    place = {"(DP)" in strategy: index for index, strategy in enumerate(printed.kinds)}
    trained = {cell.strategy: cell for cell in summary(training.shipped(data)) if cell.goal == share}
    groups = [f"{name.partition(', ')[2]}, printed", f"{_OURS[data]}, ours"]
    series = []
    for kind, words, color in (
        (Strategy.FULL, "for full knowledge", theme.KNOWS_ALL),
        (Strategy.RECORD, "for a record unknown", theme.RECORD_UNKNOWN),
    ):
        row, own = place[kind is Strategy.FULL], trained[kind].accuracy
        heights = np.array([printed.utility.mean[row], own.mean])
        errors = np.array([printed.utility.high[row] - printed.utility.mean[row], own.deviation])
        series.append(Bars(words, heights, errors, color))
    return Drawing.of_bars(groups, series, LineAxis("Accuracy", ends=(0.0, 1.0)), links.sweep(name))


def _largest_hypothetical(task: PublishedTask) -> float:
    """The largest epsilon that the noise for an unknown record can have by the guarantee."""
    return max(one.epsilon.bold for one in shipped_sandwiches() if (one.task, one.test) == (task, RelaxedTest.MINIMAX))


def _epsilons(task: PublishedTask) -> tuple[Printed, ...]:
    full, unknown = "the paper's Rényi accountant is looser", "by the guarantee at most; correction 56"
    return (
        Printed(
            f"ε at δ = {as_entered(task.delta)} of the noise for full knowledge, {task.release.noise_multiplier:g}",
            *("Sec. 7.3", 1.0, lambda: cached.epsilon(task.release, task.delta).upper, 0.05, full),
        ),
        Printed(
            "hypothetical ε of the noise for a record unknown",
            *("Sec. 7.3", task.printed, partial(_largest_hypothetical, task), 0.05, unknown),
        ),
    )


_GIVES_BACK = Question(
    GROUP,
    unknown_record.PAPER,
    "accuracy-given-back",
    "What accuracy does the weaker attacker give back?",
    tuple(
        Panel(
            f"Fig. 4{letter}, {task}",
            f"Accuracy on {task}, noise for full knowledge and for an unknown record",
            Knob(
                "Members found at most, our models, 1 in 100 accused",
                *((0.012, 0.015, 0.02, 0.03, 0.05, 0.1, 0.2, 0.4), start, ""),
            ),
            partial(_accuracies, f"000 Fig. 4{letter}, {task}", data),
            "In print the lesser noise for a record unknown leaves an accuracy of {for a record unknown @ 0|.2f}, that "
            "for full knowledge {for full knowledge @ 0|.2f}; our models, of other data, have "
            "{for a record unknown @ 1|.2f} and {for full knowledge @ 1|.2f}. The stricter the promise, the more that "
            "matters.",
            f"ε = {epsilon} in print",
            _epsilons(_TASKS[task]) if task in _TASKS else (),
            (15, 17, *((56,) if task in _TASKS else ())),
            "Printed points with one standard deviation, which ImageNet has none of. Beside them softmax regressions "
            f"on {_OURS[data]}, five runs each, trained with the noise that keeps the same share from being found.",
        )
        for letter, task, data, start, epsilon in (
            ("a", "CIFAR-10", "mnist", 0.012, 1),
            ("b", "SNLI", "digits", 0.05, 1),
            ("c", "ImageNet", "mnist", 0.02, 10),
        )
    ),
    "Printed points beside our models of other data.",
    "utility training",
)

_READINGS = (
    (RelaxedTest.MINIMAX, "guarantee", theme.RECORD_UNKNOWN),
    (RelaxedTest.MAGNITUDE, "magnitude of the mean", theme.COMPARED[0]),
    (RelaxedTest.FOLDED_STEPS, "folded steps", theme.COMPARED[1]),
)


def _hypothetical(floor: float) -> Drawing:
    """The more pessimistic of two noises, as the paper takes it."""
    rows = {(one.task, one.test): one.epsilon for one in shipped_sandwiches() if one.smallest_alpha == floor}
    tasks = list(dict.fromkeys(task for task, _ in rows))
    nothing = np.zeros(len(tasks))
    series = [Bars("printed", np.array([one.printed for one in tasks]), nothing, theme.NEUTRAL)]
    for kind, name, color in _READINGS:
        series.append(Bars(name, np.array([rows[task, kind].safe for task in tasks]), nothing, color))
    why = "Attackers finds noise for an unknown record; which ε it would have against full knowledge is here alone."
    return Drawing.of_bars([one.name for one in tasks], series, LineAxis("Hypothetical ε", ends=(0.0, 9.0)), why)


def _by_renyi(task: PublishedTask) -> float:
    """The way that comes nearest to what is printed."""
    rows = [one for one in shipped_sandwiches() if one.task == task and one.test is RelaxedTest.FOLDED_STEPS]
    return max(renyi_epsilon(task.release.with_noise(one.noise.safe), task.delta).first for one in rows)


_WHICH_EPSILON = Question(
    GROUP,
    unknown_record.PAPER,
    "hypothetical-epsilon",
    "Which ε would the noise for an unknown record have?",
    (
        Panel(
            "Sec. 7.3",
            "The ε that the noise for an unknown record would have, in print and anew",
            Knob("Compared from false positive rate", (1e-6, 1e-3), 1e-6, ""),
            _hypothetical,
            "On CIFAR-10 the noise for an unknown record has an ε of {guarantee @ 0|.2f} by the guarantee, in print "
            "{printed @ 0|.2f}; on SNLI {guarantee @ 1|.2f} and {printed @ 1|.2f}. Folded steps, one statistic and no "
            "guarantee, have {folded steps @ 0|.2f} and {folded steps @ 1|.2f}.",
            printed=tuple(
                Printed(
                    f"hypothetical ε, {task.name}, by folded steps from α = 0.001 on and Rényi divergences",
                    *("Sec. 7.3", task.printed, partial(_by_renyi, task), 0.05, why),
                )
                for task, why in zip(TASKS, ("not reproduced, correction 56", ""), strict=True)
            ),
            corrections=(56, 15, 17),
            ours="Of two noises that sandwich the curve the safer is drawn, as in the paper. ImageNet (19 in print) is "
            "left out: the paper prints no settings.",
        ),
    ),
    finds="calibration Rényi accountant CIFAR-10 SNLI",
)


class Trained(NamedTuple):
    """Averages (m,) of five models each; the promise of those without one is 0."""

    promise: Floats
    accuracy: Floats
    epsilon_star: Floats


def _of_sample(name: str) -> Trained:
    found = sweep(_SAMPLES[name].table(), _SAMPLES[name].roles, drop=False)
    promises = [float(one.rpartition(" ")[2]) if one.startswith("DP-SGD") else 0.0 for one in found.kinds]
    return Trained(np.array(promises), found.utility.mean, found.privacy.mean)


@cache
def _of_ours(data: str) -> Trained:
    """Our networks on MNIST, in place of Purchase-100; softmax regressions on the digits, in place of Adult."""
    if data == "mnist":
        return _of_sample("our sweep, accuracy")
    groups: dict[tuple[str, ...], list[tuple[float, float]]] = {}
    for row in shipped.rows("paper_001_fig_2"):
        settings = tuple(row[key] for key in ("strategy", "epsilon", "clip", "epochs", "learning_rate"))
        groups.setdefault(settings, []).append((float(row["accuracy"]), float(row["as_printed"])))
    accuracy, shown = np.array(list(groups.values())).mean(axis=1).T
    promises = [float(strategy.rpartition(" ")[2]) if strategy.startswith("DP-SGD") else 0.0 for strategy, *_ in groups]
    return Trained(np.array(promises), accuracy, shown)


_PURCHASE = "Purchase-100, printed"


def _weighed(data: str, most: float) -> Drawing:
    """Our models with a promise of at most ``most``, their frontier, and the baselines that the paper prints."""
    own = _of_ours(data)
    kept, private = own.promise <= most, (own.promise > 0.0) & (own.promise <= most)
    x, y = own.epsilon_star[kept], own.accuracy[kept]
    corners = np.flatnonzero(hull(y, -x))
    corners = corners[np.argsort(x[corners])]
    parts: list[Drawn] = [
        Line("frontier of ours", x[corners], y[corners], theme.COMPARED[0], Bound.AUDIT),
        *(
            Dots(name, own.epsilon_star[which], own.accuracy[which], color, symbol=symbol)
            for name, which, color, symbol in (
                ("without DP", own.promise == 0.0, theme.MEMBER, "circle"),
                ("with DP-SGD", private, theme.OUTSIDER, "square"),
            )
        ),
    ]
    opens: Link | str = "These models' losses are not shipped: Frontier has no sweep of them."
    if data == "mnist":
        printed = _of_sample("001 Fig. 1, printed")
        parts.append(Dots(_PURCHASE, printed.epsilon_star, printed.accuracy))
        opens = links.sweep("our sweep, accuracy")
    return Drawing.of((LineAxis("ε*, by normal fits"), LineAxis("Accuracy")), parts, opens)


def _with_and_without(seen: Drawing) -> str:
    def averages(name: str) -> str:
        shown = seen.series(name)[0]
        return f"**{shown.min():.2f} to {shown.max():.2f}**"

    printed = f", the printed ones {averages(_PURCHASE)}" if _PURCHASE in seen.names else ""
    return (
        f"Our models with DP-SGD show ε* of {averages('with DP-SGD')} on average, those without "
        f"{averages('without DP')}{printed}. The stronger the promise, the less is shown; how much is a matter of the "
        "data, here not the paper's."
    )


_PAID = Question(
    GROUP,
    EPSILON_STAR,
    "accuracy-against-epsilon-star",
    "Is accuracy paid for in ε*?",
    tuple(
        Panel(
            place,
            words,
            Knob("Models with DP-SGD, ε at most", (1.0, 3.0, 10.0, 100.0), 100.0),
            partial(_weighed, data),
            _with_and_without,
            corrections=(24, 25),
            ours=ours,
        )
        for place, words, data, ours in (
            (
                *("Fig. 1", "Accuracy against ε* for networks with and without DP-SGD", "mnist"),
                "Purchase-100 does not come with the tool, and but for three its points are not printed: ours are one "
                "hidden layer on MNIST, five models a strategy (data/sweep_landscape.csv).",
            ),
            (
                *("Fig. 2", "Accuracy against ε* for data that hardly show their members", "digits"),
                "Adult does not come with the tool: softmax regression on the digits, five models a strategy; of all "
                "185 none has a 95 % lower bound above 0. The paper has the area under the ROC curve upwards, and ε* "
                "below 0.3.",
            ),
        )
    ),
    "Our networks on MNIST and the digits.",
    "Epsilon* Pareto frontier utility",
)

_LEVELS = tuple(round(level, 2) for level in gradients.LEVELS)
_BARE_LEVEL = 0.86  # in print the first level at which CIFAR-10 goes without noise


def _of_levels(level: float) -> Drawing:
    """Mean, best and worst accuracy at every level, and all runs at one."""
    lines, dots = [], []
    for strategy, short, color, symbol in (
        (Strategy.FULL, "GDP", theme.KNOWS_ALL, "circle-open"),
        (Strategy.OTHERS, "GMIP", theme.OTHERS_UNKNOWN, "square-open"),
    ):
        cells = [one for one in summary(training.shipped("gmip")) if one.strategy is strategy and np.isfinite(one.goal)]
        goals, mean, low, high = np.array(
            [(one.goal, one.accuracy.mean, one.accuracy.least, one.accuracy.most) for one in cells]
        ).T
        lines.append(Line(short, goals, mean, color, Bound.AUDIT, band=(low, high)))
        runs = cells[_LEVELS.index(level)].rows
        each = np.array([run.accuracy for run in runs])
        name = f"{short}, noise {runs[0].noise_multiplier:.3g}"
        dots.append(Dots(name, np.full(len(each), level), each, color, symbol=symbol))
    axes = (
        LineAxis("Level μ permitted", log=True, ends=(0.38, 53.0)),
        LineAxis("Accuracy, held-out records", ends=(0.87, 1.0)),
    )
    return Drawing.of(
        axes, [*lines, *dots], "Frontier trains to people found, and no tool page to levels of membership."
    )


def _bare_level() -> float:
    """The first of the paper's levels at which its CIFAR-10 run needs no noise."""
    noise = gradients.noises("CIFAR-10", gradients.TRAINED["CIFAR-10"].epochs)[1]
    return _LEVELS[noise.index(0.0)]


def _at_level(seen: Drawing) -> str:
    gdp, gmip = (f"**{np.mean(seen.series(name)[1]):.3f}** ({name})" for name in seen.names[2:])
    return (
        f"At this level the runs of both notions have an accuracy of {gdp} and {gmip} on average. Where membership "
        "privacy asks for no noise, its models are as good as unprotected ones, and an unusual record is bare."
    )


_MEMBERSHIP_COSTS = Question(
    GROUP,
    gradients.PAPER,
    "cost-of-membership-noise",
    "How much accuracy does membership noise cost?",
    (
        Panel(
            "Fig. 3",
            "Accuracy that levels of differential and of membership privacy cost",
            Knob("Level μ at which the runs are drawn", _LEVELS, _BARE_LEVEL),
            _of_levels,
            _at_level,
            printed=(Printed("level from which CIFAR-10 needs no noise", "Sec. 6.2", _BARE_LEVEL, _bare_level),),
            corrections=(50, 53),
            ours="Softmax regression on the breast cancer data in place of the paper's three data sets, five runs each "
            "(data/sweep_gmip.csv); shaded from the worst to the best run.",
        ),
    ),
    "Breast cancer data in place of the paper's.",
    "GMIP GDP utility",
)

QUESTIONS = (_GIVES_BACK, _WHICH_EPSILON, _PAID, _MEMBERSHIP_COSTS)
