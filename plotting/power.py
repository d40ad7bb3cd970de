"""How many members are found at one false positive rate, as the effect of a single record on the release grows."""

from collections.abc import Sequence
from dataclasses import dataclass

import plotly.graph_objects as go

from numerics.trade_off import Bound, Floats
from plotting import theme
from plotting.assembly import Part, axis, compact, hover, of_kind, on_axes, reference, spot
from plotting.curves import estimate_index
from plotting.people import COUNTED, counts

EFFECT = "Effect size μ —<br>influence of one record / noise"


@dataclass(frozen=True)
class PowerWords:
    """What is on the axes; ``point`` says what the figure shows at a place, with ``%{x}`` and ``COUNTED``."""

    across: str
    up: str
    point: str


MEMBERS = PowerWords(
    EFFECT, "Members found at α = {alpha:g}", f"Effect size %{{x:.3~g}}: {{at_most}}{COUNTED} members found"
)
OUTSIDERS = PowerWords(
    EFFECT, "Outsiders ruled out at α = {alpha:g}", f"Effect size %{{x:.3~g}}: {{at_most}}{COUNTED} outsiders ruled out"
)
RECONSTRUCTIONS = PowerWords(
    EFFECT, "Reconstructed at κ = {alpha:.3g}", f"Effect size %{{x:.3~g}}: {{at_most}}{COUNTED} reconstructed"
)


@dataclass(frozen=True, eq=False)
class PowerCurve:
    """True positive rate at ``alpha``, a bracket (n,) each, at ascending ``effect_size`` (n,).

    ``lower`` is what an attack reaches, ``upper`` the guarantee; both equal ``power`` where that is exact.
    """

    effect_size: Floats
    lower: Floats
    power: Floats
    upper: Floats
    alpha: float
    bound: Bound
    label: str


def power_figure(
    curve: PowerCurve,
    effect_size: float,
    power: float,
    others: Sequence[PowerCurve] = (),
    words: PowerWords = MEMBERS,
    estimates: Sequence[PowerCurve] = (),
) -> go.Figure:
    """The curve with its band, guessing, the release in force at (``effect_size``, ``power``), and other attackers.

    The others are attackers who know less, each in its colour; estimates of the first curve have the colours that they
    have in the figures of curves.
    """
    ends = [float(curve.effect_size[0]), float(curve.effect_size[-1])]
    guessing = reference(ends, [curve.alpha, curve.alpha], "guessing")
    drawn = [_curve(curve, theme.MEMBER, theme.marker(0), words)]
    drawn += [_curve(each, theme.ATTACKERS[i], theme.marker(i), words) for i, each in enumerate(others, 1)]
    for index, each in enumerate(estimates):
        place = estimate_index(index)
        drawn.append(_curve(each, theme.compared(place), theme.marker(place + 2), words))
    across, up = axis(words.across, rangemode="tozero"), axis(words.up.format(alpha=curve.alpha), rangemode="tozero")
    return on_axes([guessing, *drawn, spot(effect_size, power, "this release")], across, up, margin={"b": 78})


def _curve(curve: PowerCurve, color: str, marker: str, words: PowerWords) -> Part:
    """Certified points are joined for the eye; what is certified are the bars at the points."""
    name = theme.legend_name(curve.label, curve.bound)
    look = {
        "customdata": counts(curve.upper),
        "hovertemplate": f"{hover(words.point, curve.bound)}<extra>{name}</extra>",
    }
    width = 3.0 if curve.bound is Bound.EXACT else 1.5
    drawn = of_kind(curve.label, curve.bound, curve.effect_size, curve.power, color, width, **look)
    if curve.bound is Bound.EXACT:
        return drawn
    known = curve.power if curve.bound is Bound.LOWER else curve.lower  # guessing is no bar's end
    bars = {"array": compact(curve.upper - curve.power), "arrayminus": compact(curve.power - known)}
    return drawn | {
        "name": f"{name[:-1]} at the dots)",
        "mode": "lines+markers",
        "marker": {"size": 6, "color": color, "symbol": marker},
        "error_y": {"type": "data", "symmetric": False, "color": color, **bars},
    }
