"""Fig. 1f, 3 and 4: releases at three sampling rates that share one epsilon at one delta."""

from collections.abc import Callable

import numpy as np

from numerics.approximations.expansions import clt_mu
from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Order
from pages.papers.figure import Drawing, MovingParameter, PaperFigure
from pages.reconstruct.presets import FIGURES as PRESETS
from pages.reconstruct.presets import ReconstructionPreset
from pages.ui import cached, cached_reconstruction
from pages.ui.catalog import RECONSTRUCT
from plotting import theme
from plotting.lines import Line, LineAxis

_PRESETS: dict[str, ReconstructionPreset] = {preset.name: preset for preset in PRESETS}
_RATES = ((0.1, theme.COLORS[0], ""), (0.5, theme.COLORS[2], "cross"), (0.9, theme.COLORS[3], "diamond"))
_EPSILON, _DELTA = 4.0, 1e-5
_STEPS = (1, 10, 100, 1000, 10_000)
_SHOWN = np.linspace(0.0, 6.0, 25)
_UNIT = (0.0, 1.0)
_UNPRINTED = "003 Fig. 1f"  # its steps


def _release(rate: float, steps: int) -> Gaussian:
    """The release with the noise that has the shared epsilon."""
    return Gaussian(cached.noise_at_epsilon(Gaussian(1.0, rate, steps), _EPSILON, _DELTA), rate, steps)


def _reconstructed(steps: float) -> Drawing:
    lines = []
    for rate, color, symbol in _RATES:
        curve = cached_reconstruction.curve(_release(rate, int(steps)))
        lines.append(Line(f"p = {rate:g}", curve.alpha, curve.power, color, curve.bound, symbol))
    axes = LineAxis("Prior κ", ends=_UNIT), LineAxis("Reconstructed γ", ends=_UNIT)
    blind = Line("guessing", np.array(_UNIT), np.array(_UNIT), theme.NEUTRAL, None)
    return Drawing.of(_described("reconstruction from a prior of 0.1", lines, 0.1, steps), axes, lines, blind=blind)


def _errors(steps: float) -> Drawing:
    """Symmetric curves of all rates, both orders of the smallest, and the limit of many steps."""
    releases = [_release(rate, int(steps)) for rate, _, _ in _RATES]
    lines = []
    for release, (rate, color, symbol) in zip(releases, _RATES, strict=True):
        curve = cached.trade_off(release, Order.SYMMETRIC)
        lines.append(Line.of_errors(f"p = {rate:g}", curve, color, symbol))
    for order, name, symbol in ((Order.ADD, "add, p = 0.1", "circle"), (Order.REMOVE, "remove, p = 0.1", "square")):
        lines.append(Line.of_errors(name, cached.trade_off(releases[0], order), _RATES[0][1], symbol))
    if steps > 1:
        limit = Gaussian(1.0 / clt_mu(releases[1])).trade_off(lines[0].x.copy())
        lines.append(Line("CLT, p = 0.5", limit.alpha, limit.beta, theme.NEUTRAL, Bound.ESTIMATE, "x"))
    axes = LineAxis("False positive rate α", ends=_UNIT), LineAxis("False negative rate β", ends=_UNIT)
    blind = Line("guessing", np.array(_UNIT), np.array(_UNIT[::-1]), theme.NEUTRAL, None)
    return Drawing.of(_described("false negative rates at 0.1", lines, 0.1, steps), axes, lines, blind=blind)


def _profiles(steps: float) -> Drawing:
    lines = []
    for rate, color, symbol in _RATES:
        release = _release(rate, int(steps))
        found = [cached_reconstruction.delta_at(release, float(epsilon)) for epsilon in _SHOWN]
        delta = np.array([one.upper for one in found])
        lines.append(Line(f"p = {rate:g}", _SHOWN, delta, color, Bound.LOWER, symbol))
    axes = LineAxis("ε", ends=(0.0, 6.0)), LineAxis("δ(ε)", log=True, ends=(1e-8, 1.0))
    return Drawing.of(_described("delta at ε = 1", lines, 1.0, steps), axes, lines)


def _described(what: str, lines: list[Line], at: float, steps: float) -> str:
    values = ", ".join(f"{line.name}: {np.interp(at, line.x, line.y):.4g}" for line in lines)
    return f"Releases of {steps:g} steps with epsilon 4 at delta 0.00001; {what}: {values}."


def _figure(
    name: str, case: str, words: str, draw: Callable[[float], Drawing], steps: int, notice: str, *corrections: int
) -> PaperFigure:
    return PaperFigure(
        name,
        words,
        RECONSTRUCT,
        _PRESETS[name].query,
        case=case,
        draw=draw,
        parameter=MovingParameter("Number of steps N", _STEPS, steps, is_printed=name != _UNPRINTED),
        notice=notice,
        corrections=corrections,
        source="The noise of every curve is the one that has ε = 4 at δ = 10⁻⁵, found on arrival."
        + (
            " The paper does not print them for this panel, nor the steps; ε, δ are Fig. 3's."
            if name == _UNPRINTED
            else ""
        ),
    )


_THREE = "Three sampling rates with ε = 4 at δ = 10⁻⁵"

FIGURES = (
    _figure(
        "003 Fig. 1f",
        "",
        f"{_THREE} in 100 steps: reconstruction against the prior.",
        _reconstructed,
        100,
        "One ε at one δ is one point of each curve: elsewhere the three releases differ, and at κ = 0.1 the one with "
        "the smallest rate gives away least. Slide N to 10,000: they come together.",
    ),
    _figure(
        "003 Fig. 3",
        "trade-off curves",
        f"{_THREE} in one step, one in both orders.",
        _errors,
        1,
        "At rate 0.1 the two orders of one step are far from each other; only both together, made symmetric, share the "
        "promise with the other rates. Slide N up: orders and rates become one curve.",
        43,
    ),
    _figure(
        "003 Fig. 3",
        "privacy profile",
        f"{_THREE} in one step: all their promises.",
        _profiles,
        1,
        "The three profiles meet at ε = 4, where they were made to, and nowhere else. Whoever quotes one point says "
        "nothing of the rest of the curve.",
        43,
    ),
    _figure(
        "003 Fig. 4",
        "trade-off curves",
        f"{_THREE} in 10,000 steps, called identical in the paper.",
        _errors,
        10_000,
        "After 10,000 steps the three rates, both orders and the limit lie on one line as far as the eye can see. "
        "Slide back to one step to see how they began.",
        43,
    ),
    _figure(
        "003 Fig. 4",
        "privacy profile",
        f"{_THREE} in 10,000 steps: all their promises.",
        _profiles,
        10_000,
        "The paper calls the three identical; they nearly are: δ at ε = 1 is 0.1009, 0.1013 and 0.1013. Slide N down "
        "to 100: the difference can be seen at the ends.",
        43,
    ),
)
