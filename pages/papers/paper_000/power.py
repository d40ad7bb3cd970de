"""Fig. 2b and 2c: members found at one false positive rate, against the effect size."""

from collections.abc import Callable

import numpy as np

from numerics import approximations
from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Order
from pages.papers.figure import Drawing, MovingParameter, Notice, PaperFigure, of_100
from pages.ui import cached_threat_models, release_curves
from pages.ui.catalog import MECHANISM
from pages.ui.figure_presets import OF_PAPER_000
from plotting import theme
from plotting.lines import Line, LineAxis
from plotting.power import PowerCurve

_PRESETS = {preset.name: preset for preset in OF_PAPER_000}
_ALPHA = 1e-3


def _line(name: str, curve: PowerCurve, color: str, symbol: str = "") -> Line:
    return Line(name, curve.effect_size, curve.power, color, curve.bound, symbol)


def _pair(release: Gaussian, alpha: float) -> list[Line]:
    known = release_curves.power_against_effect(release, alpha, Order.ADD)
    unknown = cached_threat_models.relaxed_power_against_effect(release, alpha, Order.ADD, 1)
    return [
        _line("full knowledge", known, theme.KNOWS_ALL),
        _line("record unknown", unknown, theme.RECORD_UNKNOWN, "circle"),
    ]


def _drawing(lines: list[Line], alpha: float, what: str) -> Drawing:
    axes = LineAxis("Effect size Δ/σ", ends=(0.0, 4.0)), LineAxis(f"Members found at α = {alpha:g}", ends=(0.0, 1.0))
    values = ", ".join(f"{line.name} {np.interp(3.0, line.x, line.y):.3f}" for line in lines)
    return Drawing.of(f"Power against the effect size, {what}: at Δ/σ = 3 it is {values}.", axes, lines)


def _every_record(alpha: float) -> Drawing:
    return _drawing(_pair(Gaussian(1.0), alpha), alpha, "Gaussian noise")


def _sampled(rate: float) -> Drawing:
    known, unknown = _pair(Gaussian(1.0, rate), _ALPHA)
    formula = np.array([_by_clt(Gaussian(1.0 / effect, rate)) if effect else _ALPHA for effect in known.x])
    lines = [known, unknown, Line("CLT, full knowledge", known.x, formula, theme.NEUTRAL, Bound.ESTIMATE, "x")]
    return _drawing(lines, _ALPHA, f"Gaussian noise at sampling rate {rate:g}")


def _by_clt(release: Gaussian) -> float:
    return float(approximations.clt(release, np.array([_ALPHA])).power[0])


def _beside_the_clt(seen: Drawing) -> str:
    exact, formula = (of_100(seen.at(name, 2.0)) for name in ("full knowledge", "CLT, full knowledge"))
    return (
        f"At Δ/σ = 2 full knowledge finds {exact} members; by the central limit theorem, whose formula the paper draws "
        f"for this one step, it would find {formula}. However strong the signal, who was not sampled cannot be seen."
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
        words,
        settings=settings,
        draw=draw,
        parameter=parameter,
        notice=notice,
        corrections=corrections,
    )


FIGURES = (
    _figure(
        "000 Fig. 2b",
        "Members found against the effect size, Gaussian noise on every record.",
        _every_record,
        MovingParameter("False positive rate α", (1e-5, 1e-4, 1e-3, 1e-2, 5e-2, 0.1), _ALPHA),
        "Both curves are S-shaped, and that of the unknown record is shifted to the right: it takes a stronger signal "
        "to be found. The shift shrinks as α falls: guessing the sign costs a factor of two in α, no more.",
    ),
    _figure(
        "000 Fig. 2c",
        "Members found against the effect size, one sampled Gaussian step: ours exact, the paper's curve a CLT.",
        _sampled,
        MovingParameter("Sampling rate p", (0.05, 0.1, 0.3, 0.5, 0.8, 1.0), 0.3),
        _beside_the_clt,
        14,
        settings=f"α = {_ALPHA:g}",
    ),
)
