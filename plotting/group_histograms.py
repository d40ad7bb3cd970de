"""How often numbers occur, by group: a small figure for a first look at a table."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import axis, on_axes, steps

_BINS = 40
_LOOKED_AT = 20_000  # numbers of a group that say where most lie
_MOST = 99.5  # per cent
_LARGEST = 1e30  # that a figure can show
_HEIGHT = 200


@dataclass(frozen=True, eq=False)
class GroupHistogram:
    """Shares of each group by bin.

    Attributes:
        axis: what the numbers are.
        edges: of the bins, (k + 1,).
        shares: by the groups' names, (k,) each, of all of the group's numbers.
        beyond: how many numbers lie outside of the edges.
    """

    axis: str
    edges: Floats
    shares: Mapping[str, Floats]
    beyond: int


def counted(groups: Mapping[str, Floats], axis: str) -> GroupHistogram | None:
    """The numbers of each group, finite ones, counted where nearly all of them lie; None where there are none."""
    if not any(len(values) for values in groups.values()):
        return None
    some = np.concatenate([values[:: max(1, len(values) // _LOOKED_AT)] for values in groups.values()])
    low, high = np.clip(np.percentile(some, (100.0 - _MOST, _MOST)), -_LARGEST, _LARGEST)
    room = max(0.05 * (high - low), 1e-6 * abs(low)) or 0.5
    span = (float(low - room), float(high + room))
    edges = np.linspace(*span, _BINS + 1)
    counts = {name: np.histogram(values, _BINS, span)[0] for name, values in groups.items()}  # fast for equal bins
    beyond = sum(len(values) for values in groups.values()) - sum(int(count.sum()) for count in counts.values())
    return GroupHistogram(axis, edges, {name: counts[name] / max(1, len(groups[name])) for name in groups}, beyond)


def figure(histogram: GroupHistogram) -> go.Figure:
    """A step line for each group; of two, the first is who was in."""
    colors = (theme.MEMBER, theme.OUTSIDER) if len(histogram.shares) == 2 else (theme.NEUTRAL,)
    traces = [
        steps(histogram.edges, shares, color, name)
        for (name, shares), color in zip(histogram.shares.items(), colors, strict=True)
    ]
    margin = {"l": 62, "r": 16, "t": 22, "b": 46}
    across, up = axis(histogram.axis), axis("Share of rows", rangemode="tozero")
    return on_axes(traces[::-1], across, up, _HEIGHT, showlegend=len(traces) > 1, margin=margin)


def described(histogram: GroupHistogram) -> str:
    """The figure in words."""
    means = [
        f"{name} mostly around {histogram.edges[int(np.argmax(shares))]:.3g}"
        for name, shares in histogram.shares.items()
    ]
    beyond = f" {histogram.beyond:,} numbers lie outside." if histogram.beyond else ""
    return f"How often {histogram.axis.lower()} of each size occurs: {'; '.join(means)}.{beyond}"
