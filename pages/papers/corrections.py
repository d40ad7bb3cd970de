"""Ten corrections as panels: a formula of the print, or read in another way, beside the one that holds.

The entries themselves, with their quotations, are data/corrections.toml; About lists all of them.
"""

import tomllib
from collections.abc import Callable
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from numerics import as_quoted, membership
from numerics.conversions import power_limit
from numerics.gaussian_membership.composition import composed, relaxed_mu
from numerics.gaussian_membership.step import StepTest
from numerics.mechanisms import Adjacency
from numerics.mechanisms.folded_distance import FoldedDistance
from numerics.mechanisms.gaussian import FoldedNormal, GaussianShift
from numerics.mechanisms.laplace import FoldedLaplace, LaplaceShift
from numerics.membership.noise_scale import NormNoise
from numerics.relaxed import asymptotics
from numerics.relaxed.folded import FoldedOnce
from numerics.shipped import DATA
from numerics.trade_off import Bound, Floats, Order
from pages.papers.question import Drawing, Drawn, Knob, Panel
from plotting import theme
from plotting.lines import Dots, Line, LineAxis

ENTRIES: dict[int, dict[str, Any]] = {
    one["number"]: one for one in tomllib.loads((DATA / "corrections.toml").read_text(encoding="utf-8"))["corrections"]
}
Formula = Callable[[float, Floats], Floats]
"""Values (n,) at a value of the knob and positions (n,) on the axis."""
IN_THE_PAPER = "in the paper (wrong)"  # of what is wrong under every reading, and of nothing else
IN_OUR_COPY = "in our copy"
_COLORS = (theme.COLORS[0], theme.COLORS[2], theme.COLORS[3])


class Evidence(NamedTuple):
    """A value that decides, where the knob starts: its position, itself, its standard error, how it was found."""

    at: float
    value: float
    error: float
    words: str


def _compare(
    number: int,
    knob: Knob,
    settings: str,
    axes: tuple[LineAxis, LineAxis],
    positions: Floats,
    evidence: Evidence,
    *lines: tuple[str, Formula, Bound | None],
) -> Panel:
    """A correction: its formulas, of which those without a bound do not hold, and what decides."""
    x = np.union1d(positions, [evidence.at])

    def draw(value: float) -> Drawing:
        colors, drawn = iter(_COLORS), list[Drawn]()
        for name, formula, bound in lines:
            look = (next(colors), bound, "") if bound else (theme.NOT_VALID, None, "x")
            drawn.append(Line(name, x, formula(value, x), *look))
        if value == knob.start:
            error = np.array([2.0 * evidence.error]) if evidence.error else None
            at, decides = np.array([evidence.at]), np.array([evidence.value])
            drawn.append(Dots(evidence.words, at, decides, error=error))
        return Drawing.of(axes, drawn, "No tool page computes with a formula that does not hold.")

    says = "; ".join(f"{name}, {{{name} @ {evidence.at!r}|4}}" for name, *_ in lines)
    return Panel(
        f"Correction {number}: {ENTRIES[number]['title']}",
        knob,
        draw,
        f"{axes[0].words}: {evidence.at:.4g}. {axes[1].words}: {says}.",
        f"{settings}; decided at {evidence.at:.4g}",
        corrections=(number,),
    )


_RATE = LineAxis("False positive rate α")
_MISSED, _FOUND = ((_RATE, LineAxis(f"Members {which}", ends=(0.0, 1.0))) for which in ("missed", "found"))
_UNIT, _OPEN_UNIT = np.linspace(0.0, 1.0, 300), np.linspace(1e-4, 1.0 - 1e-4, 300)
_SPOT = 1.0 / (1.0 + float(np.e))  # where the attacker of randomised response stands at epsilon 1
_K, _SUM = 24.714627, -1.436499  # of a gradient drawn from 20 normal coordinates with means of 3
_LAPLACE = "one release of Laplace noise"
_effect = partial(Knob, "Effect size μ", (0.2, 0.4, 0.6, 0.8, 1.0, 1.25, 1.5, 2.0, 3.0), printed="")
_steps = partial(Knob, "Number of steps N", (1.0, 3.0, 10.0, 30.0, 50.0, 150.0, 500.0, 1000.0), printed="")


def _each(formula: Callable[[float, float], float]) -> Formula:
    """A formula of one position made one of many."""
    return lambda setting, x: np.array([formula(setting, float(value)) for value in x])


def _inverse(mu: float, alpha: Floats) -> Floats:
    return FoldedLaplace(mu).inverse(alpha, 1.0 - alpha).beta


def _eta(epsilon: float) -> float:
    return membership.eta_of_epsilon(epsilon, 0.0, Adjacency.REPLACE_ONE)


def _member(susceptibility: float, alpha: Floats) -> Floats:
    return StepTest(50.0, 20, susceptibility).beta(alpha)


_ALL = (
    _compare(
        *(2, _effect(1.0), _LAPLACE, _MISSED, np.linspace(0.05, 0.5, 300)),
        Evidence(0.3742, 0.40900, 0.00025, "simulated"),
        (IN_OUR_COPY, lambda mu, x: as_quoted.inverse_of_folded_laplace(x, mu), None),
        ("inverse of Equation 2", _inverse, Bound.EXACT),
    ),
    _compare(
        *(3, _effect(1.0), _LAPLACE, _MISSED, _UNIT),
        Evidence(0.05, 0.95, 0.0, "what guessing misses; no test may do worse"),
        ("laws exchanged in T (not meant)", lambda mu, x: as_quoted.exchanged_laws(x, mu), None),
        ("inverse function", _inverse, Bound.EXACT),
        ("guessing", lambda _, x: 1.0 - x, Bound.EXACT),
    ),
    _compare(
        *(6, _effect(0.6), _LAPLACE, _MISSED, _UNIT),
        Evidence(0.1, float(_inverse(0.6, np.array([0.1]))[0]), 0.0, "an attack that exists: the inverse"),
        ("rule of two cases (not meant)", lambda mu, x: as_quoted.two_case_symmetrisation(x, mu), None),
        (
            "envelope of the smaller curve",
            lambda mu, x: FoldedOnce(FoldedLaplace(mu)).trade_off(x, Order.SYMMETRIC).beta,
            Bound.EXACT,
        ),
        ("full knowledge", lambda mu, x: LaplaceShift(mu).beta(x), Bound.EXACT),
    ),
    _compare(
        *(12, _steps(150.0), "d = 300, μ = 0.2 a step", _MISSED, _OPEN_UNIT),
        Evidence(0.1, 0.84890, 0.0, "exact (Eq. 4), 50 digits"),
        (f"left side {IN_OUR_COPY}", lambda n, x: as_quoted.theorem_3_left(x, n * 0.2**2, 300), None),
        (f"right side {IN_OUR_COPY}", lambda n, x: as_quoted.theorem_3_right(x, 0.2, n, 300), None),
        ("left side by Eq. 58", lambda n, x: asymptotics.scaled(x, n * 0.2**2, 300).beta, Bound.ESTIMATE),
        ("right side by Eq. 59", lambda n, x: asymptotics.shifted(x, n * 0.2**2, 300).beta, Bound.ESTIMATE),
        (
            "Equation 4",
            lambda n, x: FoldedDistance(0.2 * float(np.sqrt(n)), 300.0).errors(x, 1.0 - x).beta,
            Bound.EXACT,
        ),
    ),
    _compare(
        *(13, _steps(1000.0), "one dimension, μ = 0.05 a step", _MISSED, _OPEN_UNIT),
        Evidence(0.01, 0.84004, 0.0, "exact (Eq. 4), 50 digits"),
        ("normal form, few dimensions", lambda n, x: asymptotics.scaled(x, n * 0.05**2, 1.0).beta, None),
        ("Equation 4", lambda n, x: FoldedNormal(0.05 * float(np.sqrt(n))).errors(x, 1.0 - x).beta, Bound.EXACT),
    ),
    _compare(
        *(28, Knob("ε of the mechanism", (0.1, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0), 1.0, "")),
        "the mechanism that makes Theorem 4 tight: two records, randomised response",
        _FOUND,
        _UNIT,
        Evidence(_SPOT, _SPOT + 0.46173, 0.0007, "simulated attack"),
        (f"limit {IN_THE_PAPER}", lambda e, x: as_quoted.membership_power(x, _eta(e)), None),
        ("limit with 2 η", lambda e, x: np.minimum(x + 2.0 * _eta(e), 1.0), Bound.LOWER),
        ("what its attacker reaches", _each(lambda e, x: power_limit(e, 0.0, x)), Bound.EXACT),
    ),
    _compare(
        *(33, Knob("Number of coordinates d", (1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0), 2.0, "")),
        "density proportional to exp(−‖x‖/c)",
        (LineAxis("Radius, in scales c of the noise", log=True), LineAxis("Chance that the noise is longer")),
        *(np.geomspace(0.05, 300.0, 300), Evidence(1.0, 1.0 - 0.26411, 0.0, "quadrature of the density")),
        (f"Laplace radius, {IN_THE_PAPER}", lambda _, x: as_quoted.laplace_radius_tail(x), None),
        ("Gamma radius", _each(lambda d, radius: NormNoise(1.0, (1.0,) * int(d)).tail(radius)), Bound.EXACT),
    ),
    _compare(
        *(45, Knob("Mean of every coordinate", (0.0, 0.5, 1.0, 2.0, 3.0, 5.0), 3.0, "")),
        "d = 20, n = 50; K of one gradient, 24.7 from its mean",
        _MISSED,
        np.linspace(1e-3, 1.0 - 1e-3, 120),
        Evidence(0.05, 0.82886, 0.0006, "simulated attack"),
        (
            "K from the origin, Theorem 5.1",
            lambda mean, x: _member(as_quoted.uncentred_susceptibility(_K, mean, 20, _SUM), x),
            None,
        ),
        ("K from the mean", lambda _, x: _member(_K, x), Bound.EXACT),
    ),
    _compare(
        *(50, Knob("Clipping norm C", (0.1, 1.0, 10.0, 100.0, 500.0), 10.0, ""), "d = 650, n = 400"),
        (LineAxis("μ of Gaussian differential privacy"), LineAxis("μ of the membership attacker", ends=(0.0, 1.35))),
        *(np.linspace(0.05, 5.0, 120), Evidence(1.0, 1.26764, 0.0, "from the definition, for every C")),
        (IN_THE_PAPER, lambda c, x: as_quoted.relaxed_mu(x, 400, 650, c), None),
        ("without C", _each(lambda _, private: relaxed_mu(private, 400, 650).own), Bound.EXACT),
    ),
    _compare(
        *(
            51,
            Knob("μ of the third step", (0.25, 0.5, 1.0, 1.5, 2.0, 3.0), 2.0, ""),
            "the other two steps have μ = 0.5",
        ),
        *(_FOUND, _OPEN_UNIT, Evidence(0.1, 0.7993, 0.0002, "simulated attack")),
        (f"√Σμ, {IN_OUR_COPY}", lambda mu, x: GaussianShift(as_quoted.composed_mu((0.5, 0.5, mu))).power(x), None),
        ("√Σμ²", lambda mu, x: GaussianShift(composed((0.5, 0.5, mu))).power(x), Bound.EXACT),
    ),
)
PANELS = MappingProxyType({one.corrections[0]: one for one in _ALL})
