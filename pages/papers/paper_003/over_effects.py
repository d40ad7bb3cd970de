"""Fig. 1a to 1d: reconstruction at one prior against the effect size, certified, estimated and drawn."""

from functools import partial

import numpy as np

from numerics import shipped
from numerics.reconstruction.monte_carlo import PANELS, PublishedPanel, shipped_estimates
from numerics.trade_off import Bound, Floats
from pages.papers.figure import Drawing, MovingParameter, PaperFigure, Printed, of_100
from pages.papers.reconstruct_presets import FIGURES as PRESETS
from pages.papers.reconstruct_presets import ReconstructionPreset
from pages.server.shared_cache import shared_cache
from pages.ui import cached, cached_reconstruction
from pages.ui.catalog import RECONSTRUCT
from plotting import theme
from plotting.lines import Dots, Line, LineAxis
from reports.rounding import as_entered

_PRESETS: dict[str, ReconstructionPreset] = {preset.name: preset for preset in PRESETS}
_PANELS = {panel.name: panel for panel in PANELS}
_SHIPPED = "reconstruction_over_effects"
_IS_SHIPPED = "d"  # the panel whose ground truth takes too long on arrival
_LEAST = 0.25  # effect size from which it is drawn
_POINTS = 24  # of a line
ORDER = 3  # the highest power of N^(-1/2) that is kept (correction 43)
EDGEWORTH = "Edgeworth keeps terms up to N^(-3/2), which fits what the paper calls order four."
_FEW = 18.0  # effect size beyond which the privacy loss of panel d hardly ever varies, and Edgeworth has no answer
_FEW_DRAWS = "too few draws"
_READ = {"a": 0.5, "b": 0.25, "c": 0.25}  # parts of the axis at which a point of every line is drawn
_FAR_IN = 4.0  # effect size at which panel d is read
_EFFECT = {"a": "Δ/b", "b": "Δ/b", "c": "Δ/σ", "d": "Δ/σ"}
_LARGE_PRIORS, _SMALL_PRIORS = (0.001, 0.01, 0.03, 0.1, 0.3), (1e-6, 1e-5, 1e-4, 1e-3)


@shared_cache
def _certified(letter: str, prior: float) -> Floats:
    """Effect sizes with lower end, estimate and upper end of what is reconstructed, (4, points)."""
    panel = _PANELS[letter]
    points = _POINTS * (8 if panel.release.bound is Bound.EXACT else 2)
    effects = np.linspace(0.0, panel.largest, points + 1)[1:]
    brackets = [(prior,) * 3, *(panel.at(float(effect)).reconstruction(prior, cached.PRECISION) for effect in effects)]
    return np.column_stack((np.concatenate(([0.0], effects)), np.array(brackets))).T


def _truth(panel: PublishedPanel, prior: float) -> Line:
    if panel.name == _IS_SHIPPED:
        rows = [row for row in shipped.rows(_SHIPPED) if float(row["prior"]) == prior]
        columns = np.array([[float(row[name]) for name in ("effect", "lower", "estimate", "upper")] for row in rows]).T
    else:
        columns = _certified(panel.name, prior)
    effect, lower, middle, upper = columns
    return Line("ground truth", effect, middle, theme.MEMBER, panel.release.bound, band=(lower, upper))


def _estimated(panel: PublishedPanel, prior: float) -> list[Line]:
    lines = []
    for order, name, color, symbol in (
        (None, "CLT", theme.COMPARED[0], "cross"),
        (ORDER, "Edgeworth, N^(-3/2)", theme.COMPARED[1], "square"),
    ):
        effects = _effects(panel, panel.largest if order is None else _FEW)
        found = cached_reconstruction.estimated_at_effects(panel.release, tuple(map(float, effects)), prior, order)
        lines.append(Line(name, effects, found.power, color, Bound.ESTIMATE, symbol))
    return lines


def _effects(panel: PublishedPanel, largest: float) -> Floats:
    if panel.name == _IS_SHIPPED:
        return np.geomspace(_LEAST, largest, 3 * _POINTS)
    return np.linspace(panel.largest / _POINTS, panel.largest, _POINTS)


def _monte_carlo(panel: PublishedPanel, prior: float) -> list[Dots]:
    """As the paper draws it, at its prior alone; where too few draws count, without an error that would hold."""
    points = [point for point in shipped_estimates() if point.panel == panel.name and prior == panel.prior]
    enough, few = ([point for point in points if point.usable is usable] for usable in (True, False))
    dots = []
    for kept, name, symbol in ((enough, "Monte Carlo", "circle-open"), (few, _FEW_DRAWS, "x-thin")):
        if kept:
            x, y, error = np.array([(point.effect, point.estimate, point.standard_error) for point in kept]).T
            dots.append(Dots(name, x, y, theme.MEASURED, error if kept is enough else None, symbol))
    return dots


def _panel(panel: PublishedPanel, prior: float) -> Drawing:
    lines, dots = [_truth(panel, prior), *_estimated(panel, prior)], _monte_carlo(panel, prior)
    is_wide = panel.name == _IS_SHIPPED
    ends = (_LEAST if is_wide else 0.0, panel.largest)
    axes = (
        LineAxis(f"Effect size {_EFFECT[panel.name]}", log=is_wide, ends=ends),
        LineAxis(f"Reconstructed at κ = {prior:g}", ends=(0.0, 1.02)),
    )
    blind = None if is_wide else Line("guessing", np.array(ends), np.array([prior, prior]), theme.NEUTRAL, None)
    middle = 4.0 if is_wide else 0.5 * panel.largest
    values = ", ".join(f"{line.name} {np.interp(middle, line.x, line.y):.4f}" for line in lines)
    alt = f"Reconstruction of {panel.release.label} from a prior of {prior:g}: at effect size {middle:g}, {values}."
    return Drawing.of(alt, axes, lines, dots, blind)


def _largest_epsilon(panel: PublishedPanel) -> float:
    release = panel.at(panel.largest)
    return cached.epsilon(release, _DELTA).estimate if panel.name in _AT_DELTA else release.pure_epsilon


def _compared(panel: PublishedPanel, first: str, where_drawn: str, seen: Drawing) -> str:
    """What is true of every prior, what lines have at one effect, and what is true where Monte Carlo is drawn."""
    place = _FAR_IN if panel.name == _IS_SHIPPED else _READ[panel.name] * panel.largest
    truth, clt, edgeworth = (of_100(seen.at(name, place)) for name in seen.names[:3])
    values = f"At {_EFFECT[panel.name]} = {place:g} the truth is {truth}; the CLT has {clt}, Edgeworth {edgeworth}."
    return " ".join([first, values, *([where_drawn] if _FEW_DRAWS in seen.names else [])])


def _figure(
    letter: str,
    words: str,
    settings: str,
    epsilon: float,
    priors: tuple[float, ...],
    said: tuple[str, str],
    *corrections: int,
) -> PaperFigure:
    panel = _PANELS[letter]
    return PaperFigure.of_preset(
        _PRESETS[f"003 Fig. 1{letter}"],
        RECONSTRUCT,
        f"{words}: reconstruction over the effect size, from one prior.",
        settings=settings,
        draw=partial(_panel, panel),
        parameter=MovingParameter("Prior κ", priors, panel.prior, is_printed=False),
        notice=partial(_compared, panel, *said),
        printed=(
            Printed(
                f"largest ε{f' at δ = {_DELTA:g}' if letter in _AT_DELTA else ''}, which sets the right end",
                "Sec. 3",
                epsilon,
                partial(_largest_epsilon, panel),
                0.5 * epsilon if letter == _IS_SHIPPED else 0.5,  # of panel d the order of magnitude is printed
            ),
        ),
        corrections=corrections,
        source="The paper prints the largest ε but not all settings of this panel; those here are ours. "
        f"{EDGEWORTH} {_DRAWN.format(panel.samples)}{_TRUTH if letter == _IS_SHIPPED else ''}",
    )


_DELTA, _AT_DELTA = 1e-6, ("c", "d")
_DRAWN = (
    "Monte Carlo is drawn where the slider starts, at the paper's prior: {:,} samples a point, shipped "
    "(data/paper_003_fig_1.csv)."
)
_TRUTH = f" So is the ground truth: data/{_SHIPPED}.csv. Edgeworth has no answer beyond an effect size of {_FEW:g}."

FIGURES = (
    _figure(
        "a",
        "Sampled Laplace noise",
        "10 steps at rate 0.5; ε up to 20 at the right end",
        20.0,
        _LARGE_PRIORS,
        ("After so few steps the central limit is not reached.", ""),
        40,
        43,
    ),
    _figure(
        "b",
        "Laplace noise",
        "100 releases; ε up to 100 at the right end",
        100.0,
        _LARGE_PRIORS,
        (
            "Many releases of Laplace noise are nearly one of Gaussian noise.",
            "Monte Carlo draws the world without the record: where the record shows, next to no draw counts, and it "
            "finds nothing where everything is reconstructed.",
        ),
        43,
    ),
    _figure(
        "c",
        "Gaussian noise on every record",
        f"100 releases; ε up to 100 at δ = {as_entered(_DELTA)} at the right end",
        100.0,
        _LARGE_PRIORS,
        (
            "For Gaussian noise on every record the truth is a formula, and both estimates lie on it.",
            "Monte Carlo falls to nothing at the right end here, too; the paper says so of panel d alone.",
        ),
        38,
    ),
    _figure(
        "d",
        "Sampled Gaussian noise, too rare for Monte Carlo",
        "rate 0.001, 10,000 steps, in which one record of 22,000 is never sampled",
        1e8,
        _SMALL_PRIORS,
        (
            "At so low a rate the CLT leaps from nothing to all, while the truth rises slowly, and never to all: who "
            "was not sampled is safe.",
            "Monte Carlo has too few draws everywhere.",
        ),
        39,
        43,
    ),
)
