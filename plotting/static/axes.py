"""Plotly's axes: where values lie, which of them have ticks, and the limits that follow from what is drawn."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, MultipleLocator, NullLocator

from numerics.trade_off import Floats
from plotting.assembly import Part
from plotting.static.looks import GRID, TEXT
from plotting.static.parts import FigureParts
from plotting.static.words import tick, words

_ROOM = 0.05  # of the range, beyond what is drawn
_MOST_TICKS = 6
_DECADES = 2  # fewer have ticks between the powers of ten


@dataclass(frozen=True, eq=False)
class PlotAxis:
    """One of Plotly's axes.

    Attributes:
        name: ``x``, ``y``, ``x2`` ...
        part: what the layout says of it.
        names: of its categories, where it has any.
        ends: of the values it shows, the first where the axis starts.
    """

    name: str
    part: Part
    names: tuple[str, ...]
    ends: tuple[float, float]

    @classmethod
    def of(cls, name: str, parts: FigureParts) -> "PlotAxis":
        """The axis, as wide as it is said to be or as its traces need."""
        part, side = parts.axes[name], name[0]
        traces = [trace for trace in parts.traces if trace.get(f"{side}axis", side) == name]
        names = _names([trace.get(side) for trace in traces], part)
        axis = cls(name, part, names, (0.0, 1.0))
        return cls(name, part, names, axis._ends(traces))

    @property
    def is_log(self) -> bool:
        """Whether it counts powers of ten."""
        return self.part.get("type") == "log"

    @property
    def domain(self) -> tuple[float, float]:
        """The share of the figure that it takes."""
        low, high = self.part.get("domain") or (0.0, 1.0)
        return float(low), float(high)

    def place(self, values: Any) -> Floats:
        """Values as numbers: categories are counted, and what a log axis cannot show is nan."""
        if self.names:
            index = {name: place for place, name in enumerate(self.names)}
            return np.array([index[str(value)] for value in values], dtype=float)
        numbers = np.array([np.nan if value is None else value for value in values], dtype=float)
        return np.where(numbers > 0.0, numbers, np.nan) if self.is_log else numbers

    def of_note(self, value: Any) -> float:
        """Where an annotation is: Plotly gives the exponent on log axes."""
        if self.names and isinstance(value, str):
            return float(self.names.index(value))
        return float(10.0 ** float(value)) if self.is_log else float(value)

    def _ends(self, traces: Sequence[Part]) -> tuple[float, float]:
        if self.part.get("range") is not None:
            first, last = (float(end) for end in self.part["range"])
            return (float(10.0**first), float(10.0**last)) if self.is_log else (first, last)
        low, high = self._needed(traces)
        if self.is_log:
            low, high = float(10.0**low), float(10.0**high)
        return (high, low) if self.part.get("autorange") == "reversed" else (low, high)

    def _needed(self, traces: Sequence[Part]) -> tuple[float, float]:
        """From the smallest to the largest value, and a little more; exponents on log axes."""
        if self.names:
            return -0.5, len(self.names) - 0.5
        values = np.concatenate([np.empty(0), *(self._reached(trace) for trace in traces)])
        values = np.log10(values[values > 0.0]) if self.is_log else values
        values = values[np.isfinite(values)]
        if not len(values):
            return 0.0, 1.0
        low, high = float(values.min()), float(values.max())
        room = _ROOM * (high - low) or 0.5 * abs(high) or 0.5
        if self.part.get("rangemode") == "tozero" and not self.is_log:
            return min(low - room, 0.0) if low < 0.0 else 0.0, max(high + room, 0.0)
        return low - room, high + room

    def _reached(self, trace: Part) -> Floats:
        """Values of a trace, with the ends of its bars and down to 0 where it is filled so far."""
        side = self.name[0]
        values = self.place(trace.get(side) if trace.get(side) is not None else [])
        more = [values]
        if side == "y" and trace.get("error_y"):
            more += [values - below_above for below_above in signed_errors(trace["error_y"], len(values))]
        if trace.get("fill") == f"tozero{side}" or (trace["type"] == "bar" and side == "x"):
            more.append(np.zeros(1))
        return np.concatenate(more)

    def dress(self, axes: Axes, scale: float, has_labels: bool) -> None:
        """Give one side of ``axes`` this axis' limits, grid, ticks, and labels unless another plot has them."""
        side, part = self.name[0], self.part
        own: Axis = axes.xaxis if side == "x" else axes.yaxis
        if self.is_log:
            (axes.set_xscale if side == "x" else axes.set_yscale)("log", nonpositive="mask")
        (axes.set_xlim if side == "x" else axes.set_ylim)(*self.ends)
        own.set_minor_locator(NullLocator())
        self._ticks(own)
        is_shown = has_labels and part.get("visible", True) is not False
        labels = is_shown and part.get("showticklabels", True) is not False
        has_marks = is_shown and part.get("ticks", "outside") == "outside"
        axes.spines["bottom" if side == "x" else "left"].set_visible(is_shown and part.get("showline", True))
        size = (part.get("tickfont") or {}).get("size", 14.0)
        shown: dict[str, Any] = {"labelbottom" if side == "x" else "labelleft": labels}
        own.set_tick_params(
            length=5.0 * scale if has_marks else 0.0, width=scale, labelsize=size * scale, colors=TEXT, pad=2.5, **shown
        )
        if part.get("showgrid", True) and part.get("visible", True):
            own.grid(visible=True, color=GRID, linewidth=scale)

    def _ticks(self, own: Axis) -> None:
        part = self.part
        form = part.get("tickformat") or ""
        if self.names:
            own.set_major_locator(FixedLocator(range(len(self.names))))
            own.set_ticks(range(len(self.names)), [words(name).text for name in self.names])
            return
        if part.get("tickvals") is not None:
            values = [float(value) for value in part["tickvals"]]
            said = part.get("ticktext") or [tick(value, form) for value in values]
            inside = [(v, words(str(s)).text) for v, s in zip(values, said, strict=True) if self._is_inside(v)]
            own.set_ticks([value for value, _ in inside], [text for _, text in inside])
            return
        own.set_major_formatter(FuncFormatter(lambda value, _place: tick(_tidy(value), form)))
        if self.is_log:
            own.set_major_locator(FixedLocator(self._log_ticks()))
        elif isinstance(part.get("dtick"), int | float):
            own.set_major_locator(MultipleLocator(float(part["dtick"])))
        else:
            own.set_major_locator(MaxNLocator(_MOST_TICKS, steps=[1, 2, 5, 10]))

    def _is_inside(self, value: float) -> bool:
        low, high = sorted(self.ends)
        room = 1e-9 * (high - low)
        return low - room <= value <= high + room

    def _log_ticks(self) -> list[float]:
        """Powers of ten, at most as many as there is room for; with 2 and 5 where there are few."""
        low, high = (float(np.log10(end)) for end in sorted(self.ends))
        powers = range(ceil(low - 1e-9), floor(high + 1e-9) + 1)
        if self.part.get("dtick") == "D2" or len(powers) <= _DECADES:
            steps = (1, 2, 5) if high - low > 0.7 else range(1, 10)
            wide = range(floor(low), ceil(high) + 1)
            return [step * 10.0**power for power in wide for step in steps if self._is_inside(step * 10.0**power)]
        every = ceil(len(powers) / _MOST_TICKS)
        return [10.0**power for power in powers if power % every == 0]


def _tidy(value: float) -> float:
    """A tick's value without the last digits that adding steps has left."""
    return float(f"{value:.10g}") if abs(value) > 1e-300 else 0.0


def _names(columns: Iterable[Any], part: Part) -> tuple[str, ...]:
    """Categories in the order they come."""
    named = [column for column in columns if column is not None and len(column)]
    if part.get("type") in ("log", "linear") or not any(isinstance(column[0], str) for column in named):
        return ()
    return tuple(dict.fromkeys(str(value) for column in named for value in column))


def signed_errors(error: Part, count: int) -> tuple[Floats, Floats]:
    """What an error bar reaches below (positive) and above (negative) its point, (n,) each."""
    if error.get("type") == "constant":
        above = below = np.full(count, float(error["value"]))
    else:
        above = np.asarray(error["array"], dtype=float)
        below = above if error.get("symmetric", True) else np.asarray(error["arrayminus"], dtype=float)
    return below, -above
