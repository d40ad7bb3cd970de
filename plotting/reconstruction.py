"""How likely a record is reconstructed, against how likely it would have been guessed; estimates' errors below."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Floats, TradeOffCurve
from plotting import theme
from plotting.assembly import LOG, Part, assemble, axis, compact, laid_out, reference, trace
from plotting.curves import SMALLEST_SHOWN, Axes, Estimated, OperatingPoint, Shown, curves_with_point, unmarked
from plotting.people import COUNTED

GUESSED = "Guessed right without the release — prior κ"
RECONSTRUCTED = "Reconstructed with the release — γ"
RATIO = "Estimate ÷ true"

_HOVER = f"A guess right with a chance of %{{x:.3~g}}<br>becomes a reconstruction {{at_most}}{COUNTED} times"
_PANEL = 0.22  # of the height, for the errors
_GAP = 0.17  # between the figures, for the axis and its title
_LARGEST_RATIO = 10.0  # shown of an estimate that is off by more


@dataclass(frozen=True, eq=False)
class Ratio:
    """An estimate over the certified value (n,) at each prior (n,)."""

    label: str
    prior: Floats
    ratio: Floats


def reconstruction_figure(
    curve: TradeOffCurve,
    at: OperatingPoint,
    axes: Axes = Axes.LOG,
    largest_prior: float = 1.0,
    others: Sequence[TradeOffCurve] = (),
    estimates: Sequence[Estimated] = (),
    ratios: Sequence[Ratio] = (),
) -> go.Figure:
    """The curve of the release in force with its band, other curves, estimates, and their ``ratios`` below.

    ``alpha`` of a curve is the prior and ``power`` the reconstruction probability. A click on the curve selects the
    point of the trace ``CLICKED``.
    """
    view = Shown(axes, True, _HOVER, largest_prior)
    first = SMALLEST_SHOWN if axes is Axes.LOG else 0.0
    guessing = reference([first, largest_prior], [first, largest_prior], "no better than guessing")
    traces = [guessing, *curves_with_point(curve, at, view, others, estimates, "this guess", unmarked)]
    traces += [_ratio(ratio, i, largest_prior) for i, ratio in enumerate(ratios, 1)]
    return assemble(traces, _layout(axes, largest_prior, len(others) + len(estimates), bool(ratios)))


def _ratio(ratio: Ratio, index: int, largest_prior: float) -> Part:
    """An estimate's error, in its colour, on the lower axes."""
    seen = (ratio.prior <= largest_prior) & (ratio.ratio > 0.0)
    kept = np.clip(ratio.ratio[seen], 1.0 / _LARGEST_RATIO, _LARGEST_RATIO)
    return trace(
        ratio.prior[seen],
        kept,
        customdata=compact(ratio.ratio[seen] - 1.0),
        yaxis="y2",
        name=ratio.label,
        showlegend=False,
        line={"color": theme.color(-index), "width": 2, "dash": "dot"},
        hovertemplate="At a prior of %{x:.3~p}: %{customdata:+.3~p} off the certified value<extra>"
        f"{ratio.label}</extra>",
    )


def _layout(axes: Axes, largest_prior: float, extra_curves: int, with_ratios: bool) -> Part:
    log = axes is Axes.LOG
    scale = LOG if log else {}
    ends = [SMALLEST_SHOWN, largest_prior]
    across = axis(GUESSED, range=list(np.log10(ends)) if log else [0.0, largest_prior], **scale)
    layout: Part = laid_out(across, axis(RECONSTRUCTED, **scale), 430 + 24 * extra_curves)
    if not with_ratios:
        return layout
    reach = float(np.log10(_LARGEST_RATIO))
    layout["yaxis"]["domain"] = [_PANEL + _GAP, 1.0]
    layout["yaxis2"] = axis(
        RATIO, type="log", range=[-reach, reach], domain=[0.0, _PANEL], tickvals=[0.1, 0.3, 1, 3, 10]
    )
    # One horizontal axis for both, drawn between them.
    layout["xaxis"]["anchor"] = "y"
    layout["shapes"] = [
        {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "yref": "y2", "y0": 1, "y1": 1, "line": {"dash": "dash"}}
    ]
    layout["height"] += 150
    return layout
