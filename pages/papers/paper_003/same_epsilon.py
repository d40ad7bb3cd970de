"""Fig. 1f, 3 and 4: releases at three sampling rates that share one epsilon at one delta."""

from collections.abc import Callable
from functools import partial

import numpy as np

from numerics.approximations.expansions import clt_mu
from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Order
from pages.papers.figure import Drawing, MovingParameter, Notice, PaperFigure, of_100
from pages.papers.reconstruct_presets import FIGURES as PRESETS
from pages.papers.reconstruct_presets import ReconstructionPreset
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
    name: str, case: str, words: str, draw: Callable[[float], Drawing], steps: int, notice: Notice, *corrections: int
) -> PaperFigure:
    return PaperFigure(
        name,
        f"Releases at three sampling rates that have one ε at one δ: {words}.",
        RECONSTRUCT,
        _PRESETS[name].query,
        settings="ε = 4 at δ = 10⁻⁵",
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


_THREE = tuple(f"p = {rate:g}" for rate, _, _ in _RATES)


def _at_a_tenth(seen: Drawing) -> str:
    values = ", ".join(of_100(seen.at(name, 0.1)) for name in _THREE)
    return (
        "One ε at one δ is one point of each curve, elsewhere the releases differ: at κ = 0.1, from the smallest rate "
        f"to the largest, {values} are reconstructed. Slide N up: they come together."
    )


def _orders(seen: Drawing) -> str:
    add, remove = (of_100(seen.at(f"{order}, p = 0.1", 0.1)) for order in ("add", "remove"))
    return (
        f"At the smallest rate the test misses {add} in the one order at α = 0.1 and {remove} in the other; only both "
        "together, made symmetric, share the promise with the other rates. Slide N up: orders and rates become one "
        "curve."
    )


def _rates(seen: Drawing) -> str:
    values = ", ".join(of_100(seen.at(name, 0.1)) for name in _THREE)
    return (
        f"From the smallest rate to the largest, {values} are missed at α = 0.1. Slide back to one step to see how far "
        "apart rates and orders began."
    )


def _deltas(second: str, seen: Drawing) -> str:
    values = ", ".join(f"{seen.at(name, 1.0):.4f}" for name in _THREE)
    return f"From the smallest rate to the largest, δ at ε = 1 is {values}. {second}"


FIGURES = (
    _figure(
        "003 Fig. 1f",
        "",
        "reconstruction against the prior",
        _reconstructed,
        100,
        _at_a_tenth,
    ),
    _figure(
        "003 Fig. 3",
        "trade-off curves",
        "trade-off curves, one in both orders",
        _errors,
        1,
        _orders,
        43,
    ),
    _figure(
        "003 Fig. 3",
        "privacy profile",
        "all their promises",
        _profiles,
        1,
        partial(_deltas, "They were made to meet at ε = 4: whoever quotes one point says nothing of the rest."),
        43,
    ),
    _figure(
        "003 Fig. 4",
        "trade-off curves",
        "trade-off curves, called identical in print after many steps",
        _errors,
        10_000,
        _rates,
        43,
    ),
    _figure(
        "003 Fig. 4",
        "privacy profile",
        "all their promises, called identical in print after many steps",
        _profiles,
        10_000,
        partial(_deltas, "Slide N down: the fewer the steps, the plainer the difference at the ends."),
        43,
    ),
)
