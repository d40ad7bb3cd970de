"""Plotly's traces in a plot of Matplotlib's: lines, areas, markers, error bars, bars and maps of cells."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize

from numerics.trade_off import Floats
from plotting import theme
from plotting.assembly import Part
from plotting.static.axes import PlotAxis, signed_errors
from plotting.static.looks import TEXT, color, line, marker
from plotting.static.words import words

_MARKER = 6.0  # pixels
_FAINTEST = 0.05  # fainter marks are there to be clicked, not to be seen
_MANY = 4_000  # points; more are drawn as pixels
_HATCHES = {"/": "////", "x": "xxxx"}


@dataclass(eq=False, frozen=True)
class Plot:
    """One pair of axes, and where the last line of it ran: areas reach down to that.

    Attributes:
        axes: Matplotlib's.
        x: Plotly's horizontal axis.
        y: the vertical one.
        scale: points a pixel.
        labelled: the axes whose labels and titles stand at this plot.
        gap: between two bars, as a share of the room of one.
        last: coordinates of the last trace, if any.
    """

    axes: Axes
    x: PlotAxis
    y: PlotAxis
    scale: float
    labelled: tuple[str, ...] = ()
    gap: float = 0.2
    last: list[tuple[Floats, Floats]] = field(default_factory=list)

    def draw(self, trace: Part, index: int) -> None:
        """Draw a trace, over all before."""
        kinds = {"bar": self._bars, "heatmap": self._cells}
        kinds.get(trace["type"], self._scatter)(trace, 2.0 + 0.01 * index, theme.color(index))

    def _scatter(self, trace: Part, order: float, default: str) -> None:
        x, y = self.x.place(trace["x"]), self.y.place(trace["y"])
        look = trace.get("line") or {}
        mode = (trace.get("mode") or "lines").split("+")
        steps = _stepped(x, y, look.get("shape"))
        self._area(trace, *steps, order)
        many = len(x) > _MANY
        if "lines" in mode and look.get("width") != 0:
            settings = line(look, self.scale, default=default)
            ends: dict[str, Any] = {"solid_joinstyle": "round", "solid_capstyle": "butt"}
            self.axes.plot(*steps, **settings, **ends, zorder=order, rasterized=many)
        if trace.get("error_y"):
            self._errors(trace, x, y, order)
        if "markers" in mode:
            self._markers(trace, x, y, order, default)
        if "text" in mode:
            self._texts(trace, x, y, order)
        self.last[:] = [steps]

    def _area(self, trace: Part, x: Floats, y: Floats, order: float) -> None:
        fill = trace.get("fill") or "none"
        if fill == "none" or not len(x):
            return
        look: dict[str, Any] = {"facecolor": color(trace["fillcolor"]), "linewidth": 0.0, "zorder": order}
        if fill in ("tozeroy", "tozerox"):
            axis = self.y if fill == "tozeroy" else self.x
            along = axis.place(y if fill == "tozeroy" else x)
            base = np.full(len(along), min(axis.ends) if axis.is_log else 0.0)
            between = self.axes.fill_between if fill == "tozeroy" else self.axes.fill_betweenx
            between(x if fill == "tozeroy" else y, base, along, **look)
            return
        before = self.last[0] if fill == "tonexty" and self.last else (np.empty(0), np.empty(0))
        outline = np.column_stack(
            (
                np.append(before[0], x[::-1] if len(before[0]) else x),
                np.append(before[1], y[::-1] if len(before[1]) else y),
            )
        )
        outline = outline[np.isfinite(outline).all(axis=1)]
        self.axes.fill(outline[:, 0], outline[:, 1], **look)

    def _errors(self, trace: Part, x: Floats, y: Floats, order: float) -> None:
        error = trace["error_y"]
        below, above = signed_errors(error, len(y))
        ends = np.clip(np.vstack((y - below, y - above)), min(self.y.ends), max(self.y.ends))
        reach = np.abs(np.vstack((y, y)) - ends)
        self.axes.errorbar(
            x,
            y,
            yerr=np.where(np.isfinite(reach), reach, 0.0),
            fmt="none",
            ecolor=color(error.get("color") or theme.NEUTRAL),
            elinewidth=error.get("thickness", 2.0) * self.scale,
            capsize=error.get("width", 4.0) * self.scale,
            zorder=order,
        )

    def _markers(self, trace: Part, x: Floats, y: Floats, order: float, default: str) -> None:
        look = trace.get("marker") or {}
        opacity = look.get("opacity")
        if opacity is not None and opacity < _FAINTEST:
            return
        seen = self._seen(x, y, look.get("maxdisplayed") or 0)
        if not len(seen):
            return
        shape, is_open, share = marker(look.get("symbol") or "circle")
        given = look.get("color") or (trace.get("line") or {}).get("color") or default
        colors = [color(one, opacity) for one in ([given] if isinstance(given, str) else np.asarray(given)[seen])]
        edge = look.get("line") or {}
        width = (edge.get("width") or (1.5 if is_open else 0.0)) * self.scale
        edges = [color(edge["color"])] if edge.get("color") else colors if is_open else [color(theme.NEUTRAL)]
        is_thin = shape == "x"
        size = np.asarray(look.get("size") or _MARKER, dtype=float) * share * self.scale
        self.axes.scatter(
            x[seen],
            y[seen],
            s=(size[seen] if size.ndim else size) ** 2,
            marker=shape,
            facecolors=edges if is_thin else "none" if is_open else colors,
            edgecolors=None if is_thin else edges,
            linewidths=width,
            zorder=order + 0.005,
            clip_on=trace.get("cliponaxis", True),
            rasterized=len(seen) > _MANY,
        )

    def _seen(self, x: Floats, y: Floats, most: int) -> Any:
        """Indices of points inside the plot; evenly along it as many as are to be displayed."""
        inside = np.isfinite(x) & np.isfinite(y)
        for values, axis in ((x, self.x), (y, self.y)):
            low, high = sorted(axis.ends)
            room = 1e-6 * (high - low)
            with np.errstate(invalid="ignore"):
                inside &= (values >= low - room) & (values <= high + room)
        (seen,) = np.nonzero(inside)
        if not most or len(seen) <= most:
            return seen
        along = np.log10(x[seen]) if self.x.is_log else x[seen]
        places = np.linspace(along[0], along[-1], most)
        return np.unique([seen[np.argmin(np.abs(along - place))] for place in places])

    def _texts(self, trace: Part, x: Floats, y: Floats, order: float) -> None:
        up, _, side = (trace.get("textposition") or "middle center").partition(" ")
        texts = [trace["text"]] * len(x) if isinstance(trace["text"], str) else trace["text"]
        font = trace.get("textfont") or {}
        for left, top, text in zip(x, y, texts, strict=True):
            self.axes.annotate(
                words(str(text)).text,
                (left, top),
                xytext=(8.0 * self.scale * _SIGN[side], 8.0 * self.scale * _SIGN[up]),
                textcoords="offset points",
                ha={"left": "right", "right": "left"}.get(side, "center"),
                va={"top": "bottom", "bottom": "top"}.get(up, "center"),
                fontsize=font.get("size", 14.0) * self.scale,
                zorder=order,
                color=color(font.get("color") or TEXT),
            )

    def _bars(self, trace: Part, order: float, default: str) -> None:
        """Bars to the right."""
        lengths, places = self.x.place(trace["x"]), self.y.place(trace["y"])
        look = trace.get("marker") or {}
        given = look.get("color") or default
        colors = [color(one) for one in ([given] * len(lengths) if isinstance(given, str) else given)]
        shapes = (look.get("pattern") or {}).get("shape") or ""
        hatches = [_HATCHES.get(one, "") for one in ([shapes] * len(lengths) if isinstance(shapes, str) else shapes)]
        drawn = self.axes.barh(
            places, lengths, 1.0 - self.gap, color=colors, edgecolor="white", linewidth=0.0, zorder=order
        )
        for patch, hatch in zip(drawn, hatches, strict=True):
            patch.set_hatch(hatch)

    def _cells(self, trace: Part, order: float, _default: str) -> None:
        scale = LinearSegmentedColormap.from_list("", [(float(at), hue) for at, hue in trace["colorscale"]])
        x, y = self.x.place(trace["x"]), self.y.place(trace["y"])
        values = np.asarray(trace["z"], dtype=float)
        self.axes.pcolormesh(
            x,
            y,
            np.ma.masked_invalid(values),
            cmap=scale,
            norm=Normalize(float(trace["zmin"]), float(trace["zmax"])),
            edgecolors="white",
            linewidth=float(trace.get("xgap") or 0.0) * self.scale,
            shading="nearest",
            zorder=order,
        )
        font = trace.get("textfont") or {}
        for row, texts in enumerate(trace.get("text", [])):
            for column, text in enumerate(texts):
                self.axes.text(
                    x[column],
                    y[row],
                    words(str(text)).text,
                    ha="center",
                    va="center",
                    fontsize=font.get("size", 12.0) * self.scale,
                    color=font.get("color") or theme.NEUTRAL,
                    zorder=order + 0.005,
                )


_SIGN = {"left": -1.0, "right": 1.0, "top": 1.0, "bottom": -1.0, "center": 0.0, "middle": 0.0, "": 0.0}


def _stepped(x: Floats, y: Floats, shape: str | None) -> tuple[Floats, Floats]:
    """The line's corners where it goes in steps."""
    if shape == "hv":
        return np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1]
    if shape == "vh":
        return np.repeat(x, 2)[:-1], np.repeat(y, 2)[1:]
    return x, y
