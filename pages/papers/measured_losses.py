"""Measuring losses: how far off estimates of Epsilon* are, and whether normal laws fit (Negoescu et al. 2024)."""

from functools import partial

import numpy as np

from numerics.epsilon_star import simulations
from numerics.epsilon_star.mixtures import ACCEPTED, MOST_COMPONENTS
from numerics.epsilon_star.rates import Term
from numerics.epsilon_star.simulations import GammaLosses, NormalLosses, SampleEstimate
from numerics.trade_off import Bound
from pages.papers.question import Drawing, Drawn, Knob, Panel, Paper, Printed, Question, shipped_columns
from pages.server.shared_cache import shared_cache
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

PAPER = Paper(
    "001", "Negoescu, Gonzalez, Al Orjany and others", "2024", "Epsilon*: privacy metric for machine learning models"
)
_question = partial(Question, "Measuring losses", PAPER)
_SIMULATED = "Audit measures losses of your own; it draws none from laws whose truth is known."
_OTHER_MODELS = "Audit measures models one by one; these ones' losses are not shipped, only what was found in them."


_DELTA = 1e-5
_DISTANCES = (0.0, 1.0, 2.0, 3.0)
_HIGHEST = {0.0: 2.0, 1.0: 10.0, 2.0: 20.0, 3.0: 40.0}  # the axis of ε* at each: it moves with what it measures
_truth = shared_cache(simulations.truth)
_ratio_curves = shared_cache(simulations.ratio_curves)


def _over_sizes(distance: float) -> Drawing:
    """Means of ten samples of each size with their standard deviations, and the truth with rates cut or not."""
    truth, ends = _truth(GammaLosses(distance), _DELTA), (700.0, 143_000.0)
    parts: list[Drawn] = [
        Line(name, np.array(ends), np.full(2, value), color, bound)
        for name, value, color, bound in (
            ("truth", truth.exact, theme.MEMBER, Bound.EXACT),
            ("truth, cut at δ", truth.clipped_at_delta, theme.COMPARED[0], None),
            ("truth, cut at 0.001", truth.clipped, theme.MEASURED, None),
        )
    ]
    for place, kind, name, color, symbol in (
        (-1.5, SampleEstimate.EMPIRICAL, "counted", theme.MEASURED, "circle-open"),
        (-0.5, SampleEstimate.PARAMETRIC, "normal fits", theme.COMPARED[0], "diamond-open"),
        (0.5, SampleEstimate.EXACT_TAILS, "normal fits, not cut", theme.MEMBER, "x-thin"),
        (1.5, SampleEstimate.BOUND, "lower bound, 95 %", theme.OUTSIDER, "square-open"),
    ):
        size, mean, deviation = shipped_columns(
            "paper_001_fig_5", "size", "mean", "sd", estimate=kind, distance=distance
        )
        parts.append(Dots(name, size * 1.12**place, mean, color, deviation, symbol))
    high = _HIGHEST[distance]
    up = LineAxis("ε*", ends=(-0.1 * high, high), ticks=tuple(high * share for share in (0.0, 0.25, 0.5, 0.75, 1.0)))
    axes = LineAxis("Losses in each group, n", log=True, ends=ends), up
    return Drawing.of(axes, parts, _SIMULATED)


_RATIOS = {Term.MEMBERS_BELOW: "(1 − δ − η) / t", Term.OUTSIDERS_ABOVE: "(1 − δ − t) / η"}


def _ratios(size: float) -> Drawing:
    """The first two ratios of Eq. 7, of the laws and counted in one sample."""
    lines = []
    for name, curves, bound in (
        ("laws", _ratio_curves(NormalLosses(3.0), _DELTA), Bound.EXACT),
        ("counted", _ratio_curves(NormalLosses(3.0), _DELTA, int(size)), Bound.ESTIMATE),
    ):
        for curve, color, symbol in zip(curves, (theme.MEMBER, theme.OUTSIDER), ("", "circle"), strict=True):
            words = f"{name}, {_RATIOS[curve.term]}"
            lines.append(Line(words, curve.log_odds, curve.log_ratio, color, bound, symbol))
    axes = LineAxis("Mean of t and 1 − η, log-odds"), LineAxis("Log of the ratio", ends=(0.0, 15.0))
    return Drawing.of(axes, lines, _SIMULATED)


def _largest_ratios(seen: Drawing) -> str:
    laws, counted = (
        max(float(np.max(seen.series(name)[1])) for name in seen.names if name.startswith(source))
        for source in ("laws", "counted")
    )
    return (
        f"The logs of the laws' ratios reach **{laws:.1f}** at the ends, those counted in a sample **{counted:.1f}**. "
        "The fewer the losses, the sooner counting comes to its end."
    )


_OFF = _question(
    "measured-epsilon-star",
    "How far off is a measured ε*?",
    "δ and the number of losses are ours.",
    "Epsilon* simulation normal fit empirical estimate",
).answered_by(
    Panel(
        "Fig. 4/5: Gamma laws: estimates of ε*, and the truth",
        Knob("Distance d of the laws", _DISTANCES, 0.0, "Fig. 4: 0; Fig. 5: all"),
        _over_sizes,
        "From the most losses drawn counting finds {counted @ inf|3}, normal fits {normal fits @ inf|3} and uncut "
        "{normal fits, not cut @ inf|3}; the truth is {truth @ 1e4|3}, and with rates cut alike, {truth, cut at 0.001 "
        "@ 1e4|3} and {truth, cut at δ @ 1e4|3}. Where rates are cut decides which estimate looks right.",
        "shapes 2 and 2 + d, δ = 10⁻⁵",
        (
            Printed(
                "ε* of two groups of one law", "Sec. 8.1", 0.0, lambda: _truth(GammaLosses(0.0), _DELTA).exact, 1e-12
            ),
        ),
        (23, 24, 25),
        "Means and standard deviations of ten samples (paper_001_fig_5.csv). The paper does not say its δ.",
    ),
    Panel(
        "Fig. 3: Two normal laws of losses: the error ratios of the laws and counted ones; noise sits at the ends",
        Knob("Losses in each group", (100, 1000, 10_000, 100_000), 10_000, ""),
        _ratios,
        _largest_ratios,
        "N(0, 1) and N(3, 1), δ = 10⁻⁵",
        corrections=(23,),
        ours="The paper prints neither the number of losses nor δ: both are ours. Rates below 10⁻⁹ are left out; "
        "without that the laws' ε* is 16.7.",
    ),
)

_MODELS = (("without DP-SGD", theme.COMPARED[0], "circle"), ("with DP-SGD", theme.OUTSIDER, "square"))


def _p_values(size: float) -> Drawing:
    """The paper's test, of two samples, and that of the fit itself."""
    lines = []
    for model, color, symbol in _MODELS:
        names = ("components", "p_value", "two_samples")
        components, one, two = shipped_columns("paper_001_fig_6", *names, size=size, model=model)
        lines += [
            Line(model, components, two, color, Bound.EXACT, symbol),
            Line(f"{model}, one sample", components, one, color, Bound.ESTIMATE),
        ]
    most = float(MOST_COMPONENTS)
    up = LineAxis("p-value", log=True, ends=(1e-4, 1.0))
    accepted = Line("5 %", np.array([1.0, most]), np.full(2, ACCEPTED), theme.NEUTRAL, None)
    return Drawing.of(
        (LineAxis("Normal laws in the mixture", ends=(0.5, most + 0.5)), up), lines, _OTHER_MODELS, accepted
    )


PROMISES = {0.0: "", 2.87: "10", 7.33: "3", 18.2: "1"}
"""The epsilon promised, by the noise multiplier of 50 steps on all records; a test computes them."""


def _together(noise: float) -> Drawing:
    """Epsilon* of every model in ascending order, epsilon-bar and the limit of Theorem 2, and what is promised."""
    names = ("each", "log_mean_exp", "epsilon_bar")  # the last two are the same in all rows
    each, limit, together = shipped_columns("paper_001_epsilon_bar", *names, promise=PROMISES[noise])
    ends = np.array([0.0, len(each) + 1.0])
    parts: list[Drawn] = [
        Line("Theorem 2's limit", ends, limit[:2], theme.NEUTRAL, Bound.ESTIMATE),
        Line("ε-bar", ends, together[:2], theme.MEMBER, Bound.ESTIMATE),
    ]
    if promised := PROMISES[noise]:
        parts.append(Line("what is promised", ends, np.full(2, float(promised)), theme.KNOWS_ALL, Bound.LOWER))
    parts.append(
        Dots("ε* of a model", np.arange(1.0, len(each) + 1.0), np.sort(each), theme.MEASURED, symbol="circle-open")
    )
    axes = LineAxis("Models, by their ε*", ends=(0.0, len(each) + 1.0)), LineAxis("ε", ends=(0.0, 3.2))
    return Drawing.of(axes, parts, _OTHER_MODELS)


def _each_and_together(seen: Drawing) -> str:
    each = seen.series("ε* of a model")[1]
    return (
        f"Single models show ε* of **{each.min():.2f} to {each.max():.2f}**, all together {{ε-bar @ 1|2}}, where "
        "Theorem 2 would allow {Theorem 2's limit @ 1|.2f}. A promise bounds what all show together, and no single "
        "model's ε*."
    )


_FIT = _question(
    "normal-laws",
    "Do normal laws fit, and what do all models show together?",
    "Our models of MNIST and the digits.",
    "Epsilon* goodness of fit Kolmogorov-Smirnov mixture epsilon-bar",
).answered_by(
    Panel(
        "Fig. 6: Mixtures of normal laws fitted to a network's losses: Kolmogorov-Smirnov p-values",
        Knob("Losses held out for the test", tuple(range(100, 1001, 100)), 1000),
        _p_values,
        "By the paper's test, which draws a second sample from the fit, a single normal law has p = "
        "{with DP-SGD @ 1|2} with DP-SGD and {without DP-SGD @ 1|2} without; testing the fit itself, with DP-SGD, "
        "{with DP-SGD, one sample @ 1|2}. The paper keeps one law, as it fits “especially when training with DP-SGD”.",
        f"1 to {MOST_COMPONENTS} laws, rejected below {ACCEPTED:g}, DP-SGD with ε = 3",
        corrections=(24,),
        ours="Networks on MNIST in place of Adult, training losses transformed as printed; of the paper's test the "
        "median over 101 second samples. Shipped: data/paper_001_fig_6.csv.",
    ),
    Panel(
        "Theorem 4: What all models of one training show together, ε-bar, beside ε* of each",
        Knob("Noise multiplier of DP-SGD", tuple(PROMISES), 0.0, ""),
        _together,
        _each_and_together,
        "40 models, 50 steps each",
        corrections=(19, 25),
        ours="The paper has no figure of it. Softmax regression on forty random halves of the digits; rates cut to "
        "0.001, δ = 0.001, all estimates without a confidence. Shipped: data/paper_001_epsilon_bar.csv.",
    ),
)

QUESTIONS = (_OFF, _FIT)
