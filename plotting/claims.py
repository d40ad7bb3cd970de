"""Audits of a promise: right guesses about canaries, and the power of an audit by its size."""

from collections.abc import Sequence

import plotly.graph_objects as go

from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import AUDIT_HEIGHT, LOG, MARGIN, Part, assemble, axis, here, reference, trace


def power_figure(sizes: Floats, power: Floats, needed: float | None, of: str) -> go.Figure:
    """How likely an audit refutes, by its size; ``needed`` is where that is 4 in 5."""
    line = trace(
        sizes, power, line={"color": theme.MEASURED, "width": 3}, hovertemplate="%{x:,}: %{y:.0%}<extra></extra>"
    )
    wanted = reference([float(sizes[0]), float(sizes[-1])], [0.8, 0.8], "4 in 5")
    layout: Part = {
        "xaxis": axis(of, **LOG),
        "yaxis": axis("Refuted — share of such audits", range=[0.0, 1.05], tickformat=".0%"),
        "height": AUDIT_HEIGHT,
        "margin": MARGIN,
        "showlegend": False,
    }
    marked = {} if needed is None else here(needed, f"{needed:,.0f}")
    return assemble([wanted, line], layout | marked)


def guesses_figure(counts: Sequence[int], correct: Sequence[int], critical: Sequence[int | None]) -> go.Figure:
    """Shares of right guesses at every number of guesses, with the share from which on the promise is refuted."""
    names = [f"{count:,} surest" for count in counts]
    shares = [right / count for right, count in zip(correct, counts, strict=True)]
    limits = [None if least is None else least / count for least, count in zip(critical, counts, strict=True)]
    places = [float(place) for place in range(len(names))]
    needed = {
        "mode": "markers",
        "marker": {"symbol": "x", "size": 13, "color": theme.NEUTRAL},
        "name": "refuted from here on",
        "hovertemplate": "refuted from %{y:.1%} on<extra></extra>",
    }
    found = {
        "mode": "markers",
        "marker": {"size": 13, "color": theme.MEASURED},
        "name": "right guesses",
        "hovertemplate": "%{y:.1%} right<extra></extra>",
    }
    layout: Part = {
        "xaxis": axis("Guesses", tickvals=places, ticktext=names, range=[-0.5, len(names) - 0.5]),
        "yaxis": axis("Right — share of the guesses", range=[0.0, 1.05], tickformat=".0%"),
        "height": AUDIT_HEIGHT,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        "margin": {**MARGIN, "t": 36},
    }
    drawn = [(place, limit) for place, limit in zip(places, limits, strict=True) if limit is not None]
    crosses = trace([place for place, _ in drawn], [limit for _, limit in drawn], **needed)
    guessing = reference([-0.5, len(names) - 0.5], [0.5, 0.5], "by chance")
    return assemble([guessing, crosses, trace(places, shares, **found)], layout)
