"""What a layout adds to the traces: lines, rectangles, words with or without a line to them."""

from dataclasses import dataclass
from typing import Any

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.transforms import Transform, blended_transform_factory

from plotting import theme
from plotting.assembly import Part
from plotting.static.looks import TEXT, color, line
from plotting.static.traces import Plot
from plotting.static.words import words

_ACROSS = {"left": "left", "right": "right", "center": "center"}
_UP = {"top": "top", "bottom": "bottom", "middle": "center"}
_LEFT, _RIGHT = 1 / 3, 2 / 3  # of the figure; words nearer to an end reach away from it


@dataclass(frozen=True, eq=False)
class Marks:
    """Puts shapes and annotations where they belong.

    Attributes:
        paper: the whole of the plots.
        plots: by their pair of axes.
        scale: points a pixel.
    """

    paper: Axes
    plots: dict[tuple[str, str], Plot]
    scale: float

    def _plot(self, side: str, name: str) -> Plot:
        """A plot that has this axis."""
        index = 0 if side == "x" else 1
        return next(plot for names, plot in self.plots.items() if names[index] == name)

    def _transform(self, part: Part) -> tuple[Axes, Transform]:
        """The axes that something is drawn in, and where its coordinates lie."""
        found, owner = [], self.paper
        for side in "xy":
            name, _, kind = (part.get(f"{side}ref") or side).partition(" ")
            if name == "paper":
                found.append(self.paper.transAxes)
                continue
            owner = self._plot(side, name).axes
            found.append(owner.transAxes if kind == "domain" else owner.transData)
        return owner, blended_transform_factory(*found)

    def shape(self, part: Part) -> None:
        """Draw a line or a rectangle."""
        axes, transform = self._transform(part)
        look = line(part.get("line") or {}, self.scale, 1.0, theme.NEUTRAL)
        order = 1.5 if part.get("layer") == "below" else 4.0
        x, y = (float(part["x0"]), float(part["x1"])), (float(part["y0"]), float(part["y1"]))
        if part["type"] == "line":
            axes.plot(x, y, **look, transform=transform, zorder=order, scalex=False, scaley=False)
            return
        fill = part.get("fillcolor")
        axes.add_patch(
            Rectangle(
                (x[0], y[0]),
                x[1] - x[0],
                y[1] - y[0],
                facecolor=color(fill, part.get("opacity")) if fill else "none",
                edgecolor=look["color"] if look["linewidth"] else "none",
                linewidth=look["linewidth"],
                linestyle=look["linestyle"],
                transform=transform,
                zorder=order,
            )
        )

    def annotation(self, part: Part) -> None:
        """Write an annotation."""
        axes, transform = self._transform(part)
        said, font = words(part["text"]), part.get("font") or {}
        x, y = (self._place(side, part) for side in "xy")
        has_line = bool(part.get("showarrow", False))
        away = (part.get("ax", -10.0), -part.get("ay", -30.0)) if has_line else self._shift(part)
        settings: dict[str, Any] = {}
        if has_line:
            stroke = {
                "color": color(part.get("arrowcolor") or TEXT),
                "linewidth": part.get("arrowwidth", 1) * self.scale,
            }
            settings["arrowprops"] = {"arrowstyle": "-", "shrinkA": 0.0, "shrinkB": 0.0, **stroke}
        axes.annotate(
            said.text,
            (x, y),
            xycoords=transform,
            xytext=(away[0] * self.scale, away[1] * self.scale),
            textcoords="offset points",
            ha=self._anchor(part, x),
            va=_UP.get(part.get("yanchor") or "middle", "center"),
            fontsize=font.get("size", 14.0) * self.scale,
            color=color(font.get("color") or TEXT),
            fontweight="bold" if said.is_bold else "normal",
            annotation_clip=False,
            zorder=5.0,
            **settings,
        )

    def _shift(self, part: Part) -> tuple[float, float]:
        return part.get("xshift") or 0.0, part.get("yshift") or 0.0

    def _anchor(self, part: Part, x: float) -> str:
        """The side of the words that is at the place; Plotly chooses it on paper."""
        anchor = part.get("xanchor") or "auto"
        if anchor in _ACROSS or part.get("xref") != "paper":
            return _ACROSS.get(anchor, "center")
        return "left" if x < _LEFT else "right" if x > _RIGHT else "center"

    def _place(self, side: str, part: Part) -> float:
        name, _, kind = (part.get(f"{side}ref") or side).partition(" ")
        if name == "paper" or kind == "domain":
            return float(part[side])
        plot = self._plot(side, name)
        return (plot.x if side == "x" else plot.y).of_note(part[side])
