"""Fig. 1, 2a and 5a: trade-off curves of who does not know the record beside those of full knowledge."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from numerics.mechanisms import Gaussian, Laplace, SampledMechanism
from numerics.relaxed import Reading, asymptotics
from numerics.trade_off import Bound, Order
from pages.papers.figure import Drawing, MovingParameter, Notice, PaperFigure, of_100
from pages.ui import cached, cached_threat_models
from pages.ui.catalog import MECHANISM
from pages.ui.figure_presets import OF_PAPER_000
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

AXES = (LineAxis("False positive rate α", ends=(0.0, 1.0)), LineAxis("False negative rate β", ends=(0.0, 1.0)))
BLIND = Line("guessing", np.array([0.0, 1.0]), np.array([1.0, 0.0]), theme.NEUTRAL, None)
_PRESETS = {preset.name: preset for preset in OF_PAPER_000}
_EFFECTS = (0.1, 0.2, 0.3, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)


def known(release: SampledMechanism) -> Line:
    """The curve of full knowledge, of both orders."""
    curve = cached.trade_off(release, Order.SYMMETRIC)
    return Line.of_errors("f, full knowledge", curve, theme.KNOWS_ALL)


def unknown(release: SampledMechanism, dimension: int, order: Order, name: str, symbol: str = "") -> Line:
    """A curve of who does not know the record."""
    curve = cached_threat_models.relaxed_curve(release, dimension, order, Reading.MINIMAX)
    return Line.of_errors(name, curve, theme.RECORD_UNKNOWN, symbol)


def _family(release: SampledMechanism, dimension: int = 1) -> list[Line]:
    """The paper's four: f, the pair j and its inverse, and J, which is on or below both."""
    return [
        known(release),
        unknown(release, dimension, Order.ADD, "j", "circle"),
        unknown(release, dimension, Order.REMOVE, "j⁻¹", "square"),
        unknown(release, dimension, Order.SYMMETRIC, "J, record unknown"),
    ]


def described(what: str, lines: Sequence[Line], dots: Sequence[Dots] = ()) -> str:
    """The figure in words, with the values at a tenth of outsiders accused."""
    parts: list[Line | Dots] = [*lines, *dots]
    values = ", ".join(f"{part.name} {np.interp(0.1, part.x, part.y):.3f}" for part in parts)
    return f"Trade-off curves of {what}: at a false positive rate of 0.1 the false negative rates are {values}."


def _laplace(effect: float) -> Drawing:
    lines = _family(Laplace(1.0 / effect))
    return Drawing.of(described(f"Laplace noise at Δ/b = {effect:g}", lines), AXES, lines, blind=BLIND)


def _gaussian(effect: float) -> Drawing:
    lines = _family(Gaussian(1.0 / effect))
    return Drawing.of(described(f"Gaussian noise at Δ/σ = {effect:g}", lines), AXES, lines, blind=BLIND)


def _sampled(rate: float) -> Drawing:
    release = replace(_PRESETS["000 Fig. 1e"].mechanism, sampling_rate=rate)
    folded = cached_threat_models.relaxed_curve(release, 1, Order.ADD, Reading.FOLDED_STEPS)
    lines = [*_family(release), Line.of_errors("folded steps", folded, theme.COMPARED[1])]
    return Drawing.of(described(f"30 Gaussian steps at rate {rate:g}", lines), AXES, lines, blind=BLIND)


def _dimensions(dimension: float) -> Drawing:
    release = _PRESETS["000 Fig. 1f"].mechanism
    known, j, inverse, both = _family(release, int(dimension))
    both = replace(both, name=f"J, d = {dimension:g}")
    one = unknown(release, 1, Order.SYMMETRIC, "J, d = 1", "cross")
    lines = [known, *([one] if dimension > 1 else []), j, inverse, both]
    return Drawing.of(described(f"Gaussian noise in {dimension:g} dimensions", lines), AXES, lines, blind=BLIND)


def _many_steps(dimension: float) -> Drawing:
    release = _PRESETS["000 Fig. 2a"].mechanism
    lines = _family(release, int(dimension))
    alpha, kappa = lines[0].x, release.steps / release.noise_multiplier**2
    for name, formula, symbol in (("left", asymptotics.scaled, "x"), ("right", asymptotics.shifted, "cross")):
        beta = formula(alpha, kappa, dimension).beta
        lines.append(Line(f"Eq. 7, {name}", alpha, beta, theme.COMPARED[1], Bound.ESTIMATE, symbol))
    words = f"150 Gaussian releases in {dimension:g} dimensions"
    return Drawing.of(described(words, lines), AXES, lines, blind=BLIND)


def _sampled_laplace(rate: float) -> Drawing:
    release = Laplace(1.0, rate)
    whole = unknown(Laplace(1.0), 1, Order.SYMMETRIC, "J, every record", "cross")
    known, j, inverse, both = _family(release)
    lines = [known, replace(whole, color=theme.COMPARED[0]), j, inverse, replace(both, name=f"J, rate {rate:g}")]
    return Drawing.of(described(f"Laplace noise at rate {rate:g}", lines), AXES, lines, blind=BLIND)


def _missed(seen: Drawing) -> str:
    unknown, known = (of_100(seen.at(name, 0.1)) for name in ("J, record unknown", "f, full knowledge"))
    return f"At α = 0.1 who does not know the record misses {unknown} members, full knowledge {known}."


def _either_knows(seen: Drawing) -> str:
    return f"{_missed(seen)} The stronger the signal, the lower every curve: not knowing the record hides fewer."


def _either_order(seen: Drawing) -> str:
    j, inverse = (of_100(seen.at(name, 0.1)) for name in ("j", "j⁻¹"))
    return (
        f"At α = 0.1 the test misses {j} members in the one order, j, and {inverse} in the other, j⁻¹. "
        "Slide to the right end: record unknown or not, nearly everybody is found."
    )


def _folded(seen: Drawing) -> str:
    return f"{_missed(seen)} The curve of folded steps is that of one attack, not of the best: it is no guarantee."


def _formula(seen: Drawing) -> str:
    left, right, both = (of_100(seen.at(name, 0.1)) for name in ("Eq. 7, left", "Eq. 7, right", "J, record unknown"))
    return (
        f"At α = 0.1 the two sides of Eq. 7 have {left} and {right} members missed, where {both} are. Slide d to the "
        "left end: the releases are as many as before, but the formula is far off; only the dimension makes it right."
    )


def _mixed(seen: Drawing) -> str:
    sampled, every = (of_100(seen.at(name, 0.1)) for name in ("j⁻¹", "J, every record"))
    return (
        f"Sampling lifts every curve towards guessing: at α = 0.1 j⁻¹ misses {sampled} members, and J with every "
        f"record {every}. In one step j is exactly a mixture: p parts of the unsampled j, and guessing for the rest."
    )


def _figure(
    name: str,
    words: str,
    draw: Callable[[float], Drawing],
    parameter: MovingParameter,
    notice: Notice,
    *corrections: int,
    settings: str = "",
) -> PaperFigure:
    return PaperFigure.of_preset(
        _PRESETS[name],
        MECHANISM,
        f"{words}: full knowledge against an unknown record.",
        settings=settings,
        draw=draw,
        parameter=parameter,
        notice=notice,
        corrections=corrections,
    )


FIGURES = (
    _figure(
        "000 Fig. 1a",
        "Laplace noise",
        _laplace,
        MovingParameter("Effect size Δ/b", _EFFECTS, 0.6),
        "All three curves of who does not know the record lie on or above f: no fewer members are missed at any α. The "
        "pair j and j⁻¹ is not symmetric; J, the envelope of both, is what holds whichever way the test is put.",
        2,
        6,
    ),
    _figure(
        "000 Fig. 1b",
        "Laplace noise, in print less than in Fig. 1a",
        _laplace,
        MovingParameter("Effect size Δ/b", _EFFECTS, 1.5),
        _either_knows,
        2,
        5,
    ),
    _figure(
        "000 Fig. 1c",
        "Gaussian noise in one dimension",
        _gaussian,
        MovingParameter("Effect size Δ/σ", _EFFECTS, 0.6),
        _either_knows,
        5,
        3,
    ),
    _figure(
        "000 Fig. 1d",
        "Gaussian noise in one dimension, in print less than in Fig. 1c",
        _gaussian,
        MovingParameter("Effect size Δ/σ", _EFFECTS, 1.5),
        _either_order,
        5,
    ),
    _figure(
        "000 Fig. 1e",
        "Several sampled Gaussian steps",
        _sampled,
        MovingParameter("Sampling rate p", (0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0), 0.4),
        _folded,
        15,
        settings="Δ/σ = 0.2, 30 steps",
    ),
    _figure(
        "000 Fig. 1f",
        "Gaussian noise in many dimensions",
        _dimensions,
        MovingParameter("Dimension d", (1, 2, 5, 10, 30, 100, 300, 1000), 30),
        "Who does not know in which of many directions the record pulls sees little of it: J rises towards guessing as "
        "d grows. Full knowledge knows the direction, so f is the same in every dimension.",
        5,
        11,
        settings="Δ/σ = 1",
    ),
    _figure(
        "000 Fig. 2a",
        "Many Gaussian releases in many dimensions, with the formula of Eq. 7",
        _many_steps,
        MovingParameter("Dimension d", (1, 3, 10, 30, 100, 300, 1000, 3000), 300),
        _formula,
        12,
        13,
        settings="150 releases, Δ/σ = 1/5",
    ),
    _figure(
        "000 Fig. 5a",
        "Sampled Laplace noise",
        _sampled_laplace,
        MovingParameter("Sampling rate p", (0.05, 0.1, 0.2, 0.3, 0.5, 0.8, 1.0), 0.3),
        _mixed,
        14,
        settings="Δ/b = 1",
    ),
)
