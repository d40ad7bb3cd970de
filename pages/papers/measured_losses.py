"""Measuring losses: how far off estimates of Epsilon* are, and whether normal laws fit (Negoescu et al. 2024)."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from numerics import shipped
from numerics.epsilon_star import simulations
from numerics.epsilon_star.mixtures import ACCEPTED, MOST_COMPONENTS
from numerics.epsilon_star.rates import Term
from numerics.epsilon_star.simulations import GammaLosses, NormalLosses, SampleEstimate
from numerics.trade_off import Bound
from pages.papers.question import Drawing, Drawn, Knob, Panel, Paper, Printed, Question
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
_DISTANCES, _SIZES = (0.0, 1.0, 2.0, 3.0), (1_000, 10_000, 100_000)
_COUNTED = SampleEstimate.EMPIRICAL, "counted", theme.MEASURED, "circle-open"
_BOUND = SampleEstimate.BOUND, "lower bound, 95 %", theme.OUTSIDER, "square-open"
_FITS, _CUT_FITS = (
    (kind, "normal fits", theme.COMPARED[0], "diamond-open")
    for kind in (SampleEstimate.EXACT_TAILS, SampleEstimate.PARAMETRIC)
)
_truth = shared_cache(simulations.truth)
_ratio_curves = shared_cache(simulations.ratio_curves)


def _dots(look: tuple[SampleEstimate, str, str, str], at: Sequence[tuple[float, int]], places: Sequence[float]) -> Dots:
    """Means of ten samples at each distance and size, with their standard deviations."""
    kind, name, color, symbol = look
    found = {
        (float(row["distance"]), int(row["size"])): (float(row["mean"]), float(row["sd"]))
        for row in shipped.rows("paper_001_fig_5")
        if row["estimate"] == kind
    }
    mean, sd = np.array([found[one] for one in at]).T
    return Dots(name, np.array(places), mean, color, sd, symbol)


def _over_sizes(distance: float) -> Drawing:
    truth, ends = _truth(GammaLosses(distance), _DELTA), (700.0, 143_000.0)
    parts: list[Drawn] = [
        Line("truth", np.array(ends), np.array([truth.exact] * 2), theme.MEMBER),
        Line("truth, cut at δ", np.array(ends), np.array([truth.clipped_at_delta] * 2), theme.NEUTRAL, None),
        *(
            _dots(look, [(distance, size) for size in _SIZES], [size * 1.12**place for size in _SIZES])
            for place, look in zip((-1, 0, 1), (_COUNTED, _CUT_FITS, _BOUND), strict=True)
        ),
    ]
    axes = LineAxis("Losses in each group, n", log=True, ends=ends), LineAxis("ε*")
    return Drawing.of(axes, parts, _SIMULATED)


def _over_distances(cut: float) -> Drawing:
    """Every estimate at all distances and sizes; truth and normal fits with rates cut to ``cut``, 0 for none."""
    distances = np.linspace(0.0, 3.0, 13)
    truths = [_truth(GammaLosses(float(one)), _DELTA) for one in distances]
    truth = np.array([one.clipped_at_delta if cut else one.exact for one in truths])
    at = [(distance, size) for distance in _DISTANCES for size in _SIZES]
    places = [distance + 0.08 * step for distance in _DISTANCES for step in (-1, 0, 1)]
    parts: list[Drawn] = [
        Line("truth, cut" if cut else "truth", distances, truth, theme.MEMBER, Bound.EXACT),
        Line("truth, cut at 0.001", distances, np.array([one.clipped for one in truths]), theme.NEUTRAL, None),
        *(_dots(look, at, places) for look in (_COUNTED, _CUT_FITS if cut else _FITS, _BOUND)),
    ]
    axes = LineAxis("Distance d; at each, n = 10³, 10⁴, 10⁵", ends=(-0.2, 3.2)), LineAxis("ε*")
    return Drawing.of(axes, parts, _SIMULATED)


def _cut_or_not(seen: Drawing) -> str:
    truth = seen.names[0]
    return (
        f"At d = 3 normal fits of the most losses find {{normal fits @ inf|.1f}} where the truth"
        f"{', cut alike,' * (',' in truth)} is {{{truth} @ inf|.1f}}; counts find {{counted @ inf|.1f}} where the "
        "truth, cut at 0.001, is {truth, cut at 0.001 @ inf|.1f}. What rates are cut at decides which estimate looks "
        "right."
    )


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
        "The fewer the losses, the sooner counting comes to its end; and the laws' own end is where small rates are "
        "left out."
    )


_SHIPPED = "Means and standard deviations of ten samples, δ = 10⁻⁵ (the paper does not say its δ): paper_001_fig_5.csv."

_OFF = _question(
    "measured-epsilon-star",
    "How far off is a measured ε*?",
    (
        Panel(
            "Fig. 4",
            "Gamma laws of both groups, in print the same for both: estimates of ε* from ever more losses, and the "
            "truth",
            Knob("Distance d of the laws", _DISTANCES, 0.0),
            _over_sizes,
            "From the fewest losses drawn counting finds {counted @ 0|3} and normal fits {normal fits @ 0|3}, from the "
            "most {counted @ inf|3} and {normal fits @ inf|3}; the truth is {truth @ 1e4|3}. An estimate that has "
            "settled need not have settled at the truth.",
            printed=(
                Printed(
                    "true ε* of two groups of one law",
                    *("Sec. 8.1", 0.0, lambda: _truth(GammaLosses(0.0), _DELTA).exact, 1e-12),
                ),
            ),
            corrections=(24, 25),
            ours=_SHIPPED,
        ),
        Panel(
            "Fig. 5",
            "Gamma laws at growing distance: estimates of ε* from few and from many losses, and the truth",
            Knob("Rates of truth and fits are cut at (0: not)", (0.0, _DELTA), _DELTA, ""),
            _over_distances,
            _cut_or_not,
            "shapes 2 and 2 + d, 1,000 to 100,000 losses",
            corrections=(23, 24),
            ours=_SHIPPED,
        ),
        Panel(
            "Fig. 3",
            "Two normal laws of losses: the error ratios of the laws and counted ones; their noise sits at the ends",
            Knob("Losses in each group", (100, 1000, 10_000, 100_000), 10_000, ""),
            _ratios,
            _largest_ratios,
            "N(0, 1) and N(3, 1), δ = 10⁻⁵",
            corrections=(23,),
            ours="The paper prints neither the number of losses nor δ: both are ours. Rates below 10⁻⁹ are left out; "
            "without that the laws' ε* is 16.7.",
        ),
    ),
    "δ and the number of losses are ours.",
    "Epsilon* simulation normal fit empirical estimate",
)


_MODELS = (("without DP-SGD", theme.COMPARED[0], "circle"), ("with DP-SGD", theme.OUTSIDER, "square"))


def _p_values(size: float) -> Drawing:
    """The paper's test, of two samples, and that of the fit itself."""
    rows = [row for row in shipped.rows("paper_001_fig_6") if float(row["size"]) == size]
    lines = []
    for model, color, symbol in _MODELS:
        own = [row for row in rows if row["model"] == model]
        components, one, two = (
            np.array([float(row[key]) for row in own]) for key in ("components", "p_value", "two_samples")
        )
        lines += [
            Line(model, components, two, color, Bound.EXACT, symbol),
            Line(f"{model}, one sample", components, one, color, Bound.ESTIMATE),
        ]
    most = float(MOST_COMPONENTS)
    axes = (
        LineAxis("Normal laws in the mixture", ends=(0.5, most + 0.5)),
        LineAxis("p-value", log=True, ends=(1e-4, 1.0)),
    )
    accepted = Line("5 %", np.array([1.0, most]), np.full(2, ACCEPTED), theme.NEUTRAL, None)
    return Drawing.of(axes, lines, _OTHER_MODELS, accepted)


PROMISES = {0.0: "", 2.87: "10", 7.33: "3", 18.2: "1"}
"""The epsilon promised, by the noise multiplier of 50 steps on all records; a test computes them."""


def _together(noise: float) -> Drawing:
    """Epsilon* of every model in ascending order, epsilon-bar and the limit of Theorem 2, and what is promised."""
    rows = [row for row in shipped.rows("paper_001_epsilon_bar") if row["promise"] == PROMISES[noise]]
    each = np.sort(np.array([float(row["each"]) for row in rows]))
    ends = np.array([0.0, len(each) + 1.0])
    limit, together = (np.full(2, float(rows[0][key])) for key in ("log_mean_exp", "epsilon_bar"))
    parts: list[Drawn] = [
        Line("Theorem 2's limit", ends, limit, theme.NEUTRAL, Bound.ESTIMATE),
        Line("ε-bar", ends, together, theme.MEMBER, Bound.ESTIMATE),
    ]
    if promised := PROMISES[noise]:
        parts.append(Line("what is promised", ends, np.full(2, float(promised)), theme.KNOWS_ALL, Bound.LOWER))
    parts.append(Dots("ε* of a model", np.arange(1.0, len(each) + 1.0), each, theme.MEASURED, symbol="circle-open"))
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
    (
        Panel(
            "Fig. 6",
            "Do mixtures of normal laws fit a network's losses, with and without DP-SGD: Kolmogorov-Smirnov p-values",
            Knob("Losses held out for the test", tuple(range(100, 1001, 100)), 1000),
            _p_values,
            "By the paper's test, which draws a second sample from the fit, a single normal law has p = "
            "{with DP-SGD @ 1|2} with DP-SGD and {without DP-SGD @ 1|2} without; testing the fit itself, with DP-SGD, "
            "{with DP-SGD, one sample @ 1|2}. The paper keeps one law, as it fits “especially when training with "
            "DP-SGD”.",
            f"1 to {MOST_COMPONENTS} laws, rejected below {ACCEPTED:g}, DP-SGD with ε = 3",
            corrections=(24,),
            ours="Networks on MNIST in place of Adult, training losses transformed as printed; of the paper's test the "
            "median over 101 second samples. Shipped: data/paper_001_fig_6.csv.",
        ),
        Panel(
            "Theorem 4",
            "What all models of one training show together, ε-bar, beside ε* of each",
            Knob("Noise multiplier of DP-SGD", tuple(PROMISES), 0.0, ""),
            _together,
            _each_and_together,
            "40 models, 50 steps each",
            corrections=(19, 25),
            ours="The paper has no figure of it. Softmax regression on forty random halves of the digits, 50 steps on "
            "all records; rates cut to 0.001, δ = 0.001, all estimates without a confidence. Shipped: "
            "data/paper_001_epsilon_bar.csv.",
        ),
    ),
    "Our models of MNIST and the digits.",
    "Epsilon* goodness of fit Kolmogorov-Smirnov mixture epsilon-bar",
)

QUESTIONS = (_OFF, _FIT)
