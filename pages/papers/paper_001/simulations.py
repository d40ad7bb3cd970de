"""Fig. 3, 4 and 5: how near the estimates of epsilon* come where the laws of the losses are known."""

from collections.abc import Sequence

import numpy as np

from numerics import shipped
from numerics.epsilon_star import simulations
from numerics.epsilon_star.simulations import GammaLosses, NormalLosses, RatioCurve, SampleEstimate
from numerics.trade_off import Bound, Floats
from pages.papers.figure import Drawing, MovingParameter, PaperFigure, Printed
from pages.server.shared_cache import shared_cache
from pages.ui.catalog import AUDIT
from plotting import theme
from plotting.lines import Dots, Line, LineAxis
from plotting.simulations import ratios_figure

_truth, _ratio_curves = shared_cache(simulations.truth), shared_cache(simulations.ratio_curves)
_DELTA = 1e-5
_DISTANCES = (0.0, 1.0, 2.0, 3.0)
_SIZES = (1_000, 10_000, 100_000)
_BESIDE = 0.08  # between dots of one distance
_COUNTED = (SampleEstimate.EMPIRICAL, "counted", theme.MEASURED, "circle-open")
_BOUND = (SampleEstimate.BOUND, "lower bound, 95 %", theme.OUTSIDER, "square-open")
_FITS, _CUT_FITS = (
    (kind, "normal fits", theme.COMPARED[0], "diamond-open")
    for kind in (SampleEstimate.EXACT_TAILS, SampleEstimate.PARAMETRIC)
)


def _ratios(size: float) -> Drawing:
    """The first two ratios of Eq. 7, of the laws and counted in one sample."""
    pair = NormalLosses(3.0)
    laws, counted = _ratio_curves(pair, _DELTA), _ratio_curves(pair, _DELTA, int(size))
    most = [max(float(np.max(one.log_ratio)) for one in curves) for curves in (laws, counted)]
    alt = (
        f"Logs of two error ratios over thresholds: of the laws they reach {most[0]:.4g}, counted in {size:g} losses "
        f"of each group {most[1]:.4g}; signal and noise are largest at both ends."
    )
    figure = ratios_figure(laws, counted)
    figure.layout.xaxis.title.text = "Mean of t and 1 − η, log-odds"
    return Drawing(figure, alt, _columns(("laws", laws), ("counted", counted)))


def _columns(*sources: tuple[str, Sequence[RatioCurve]]) -> dict[str, Floats | Sequence[str]]:
    parts = [(source, curve) for source, curves in sources for curve in curves]
    return {
        "of": [source for source, curve in parts for _ in curve.log_odds],
        "ratio": [curve.term.name.lower() for _, curve in parts for _ in curve.log_odds],
        "log-odds of the mean of t and 1 - eta": np.concatenate([curve.log_odds for _, curve in parts]),
        "log of the ratio": np.concatenate([curve.log_ratio for _, curve in parts]),
    }


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
    truth = _truth(GammaLosses(distance), _DELTA)
    ends = 700.0, 143_000.0
    looks = (_COUNTED, _CUT_FITS, _BOUND)
    at = [(distance, size) for size in _SIZES]
    dots = [
        _dots(look, at, [size * 1.12**place for size in _SIZES]) for place, look in zip((-1, 0, 1), looks, strict=True)
    ]
    lines = [
        Line("truth", np.array(ends), np.array([truth.exact] * 2), theme.MEMBER),
        Line("truth, cut at δ", np.array(ends), np.array([truth.clipped_at_delta] * 2), theme.NEUTRAL, None),
    ]
    axes = LineAxis("Losses in each group, n", log=True, ends=ends), LineAxis("ε*")
    return Drawing.of(_described(f"at distance {distance:g}", truth.exact, dots), axes, lines, dots)


def _true_level(distance: float) -> float:
    return _truth(GammaLosses(distance), _DELTA).exact


def _over_distances(cut: float) -> Drawing:
    """Every estimate at all distances and sizes; truth and normal fits with rates cut to ``cut``, 0 for none."""
    distances = np.linspace(0.0, 3.0, 13)
    truths = [_truth(GammaLosses(float(one)), _DELTA) for one in distances]
    truth = np.array([one.clipped_at_delta if cut else one.exact for one in truths])
    at = [(distance, size) for distance in _DISTANCES for size in _SIZES]
    places = [distance + _BESIDE * step for distance in _DISTANCES for step in (-1, 0, 1)]
    dots = [_dots(look, at, places) for look in (_COUNTED, _CUT_FITS if cut else _FITS, _BOUND)]
    counted = np.array([one.clipped for one in truths])
    lines = [
        Line("truth, cut" if cut else "truth", distances, truth, theme.MEMBER, Bound.EXACT),
        Line("truth, cut at 0.001", distances, counted, theme.NEUTRAL, None),
    ]
    axes = LineAxis("Distance d; at each, n = 10³, 10⁴, 10⁵", ends=(-0.2, 3.2)), LineAxis("ε*")
    return Drawing.of(_described(f"at distance 3, cut at {cut:g}", float(truth[-1]), dots), axes, lines, dots)


def _described(where: str, truth: float, dots: Sequence[Dots]) -> str:
    values = ", ".join(f"{one.name} {one.y[-1]:.3g} ± {one.error[-1]:.2g}" for one in dots if one.error is not None)
    return f"Epsilon-star of Gamma laws {where}: the truth is {truth:.4g}; from 100,000 losses in each group, {values}."


def _largest_ratios(seen: Drawing) -> str:
    laws, counted = (f"{np.max(seen.series(name)[1]):.1f}" for name in ("laws", "counted"))
    return (
        f"The logs of the laws' ratios reach {laws} at the ends, those counted in one sample {counted}. The fewer the "
        "losses, the sooner counting comes to its end; and the laws' own end is where small rates are left out."
    )


def _settled(seen: Drawing) -> str:
    few, many = ([f"{seen.at(name, size):.2f}" for name in ("counted", "normal fits")] for size in (0.0, float(np.inf)))
    return (
        f"From the fewest losses drawn, counting finds {few[0]} and normal fits {few[1]}, from the most {many[0]} and "
        f"{many[1]}; the truth is {seen.at('truth', 1e4):.3g}. An estimate that has settled need not have settled at "
        "the truth."
    )


def _cut_or_not(seen: Drawing) -> str:
    names = (seen.names[0], "normal fits", "truth, cut at 0.001", "counted")
    truth, fits, counted_truth, counted = (f"{seen.at(name, float(np.inf)):.1f}" for name in names)
    cut = "" if seen.names[0] == "truth" else ", cut alike,"
    return (
        f"At d = 3 normal fits of the most losses find {fits} where the truth{cut} is {truth}; counts find {counted} "
        f"where the truth, cut at 0.001, is {counted_truth}. What rates are cut at decides which estimate looks right."
    )


_SHIPPED = (
    "Means and standard deviations of ten samples, δ = 10⁻⁵ (the paper does not say its δ), shipped: "
    "data/paper_001_fig_5.csv, which data/make_paper_001.py writes."
)

FIGURES = (
    PaperFigure(
        "001 Fig. 3",
        "Two normal laws of losses: the error ratios of the laws and counted ones; their noise sits at the ends.",
        AUDIT,
        {},
        settings="N(0, 1) and N(3, 1), δ = 10⁻⁵",
        draw=_ratios,
        parameter=MovingParameter("Losses in each group", (100, 1000, 10_000, 100_000), 10_000, is_printed=False),
        notice=_largest_ratios,
        corrections=(23,),
        source="The paper prints neither the number of losses nor δ: both are ours. Rates below 10⁻⁹ are left out; "
        "without that the laws' ε* is 16.7.",
    ),
    PaperFigure(
        "001 Fig. 4",
        "Gamma laws of both groups, in print the same for both: estimates of ε* from ever more losses, and the truth.",
        AUDIT,
        {},
        draw=_over_sizes,
        parameter=MovingParameter("Distance d of the laws", _DISTANCES, 0.0),
        notice=_settled,
        printed=(Printed("true ε* of two groups of one law", "Sec. 8.1", 0.0, lambda: _true_level(0.0), 1e-12),),
        corrections=(24, 25),
        source=_SHIPPED,
    ),
    PaperFigure(
        "001 Fig. 5",
        "Gamma laws at growing distance: estimates of ε* from few and from many losses, and the truth.",
        AUDIT,
        {},
        settings="shapes 2 and 2 + d, 1,000 to 100,000 losses",
        draw=_over_distances,
        parameter=MovingParameter(
            "Rates of truth and fits are cut at (0: not)", (0.0, _DELTA), _DELTA, is_printed=False
        ),
        notice=_cut_or_not,
        corrections=(23, 24),
        source=_SHIPPED,
    ),
)
