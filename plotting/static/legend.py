"""The legend below a figure: every name on as many lines as it needs, beside a piece of its line."""

from dataclasses import dataclass
from typing import Any

from matplotlib.artist import Artist
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from plotting import theme
from plotting.assembly import Part
from plotting.static.looks import color, line, marker
from plotting.static.parts import FigureParts
from plotting.static.typography import width, wrapped
from plotting.static.words import words

_LETTERS, _KEY, _MARKER = 13.0, 0.34, 6.0  # pixels, inches, pixels
_GAP = 0.06  # inches
_FAINTEST = 0.05


@dataclass(frozen=True, eq=False)
class Legend:
    """The entries, in one column or in two, and the height they take in inches."""

    handles: list[Artist]
    names: list[str]
    size: float
    columns: int
    height: float

    @classmethod
    def of(cls, parts: FigureParts, figure: Figure, scale: float, room: float) -> "Legend":
        """The legend of all traces that have a name, unless the figure goes without."""
        named = [one for one in enumerate(parts.traces) if one[1].get("name") and one[1].get("showlegend") is not False]
        if not named or parts.layout.get("showlegend") is False or (len(parts.traces) == 1 and not _asked(named[0][1])):
            return cls([], [], 0.0, 1, 0.0)
        named.sort(key=lambda one: one[1].get("legendrank", 1000))
        size = _LETTERS * scale
        texts = [words(str(trace["name"])).text for _, trace in named]
        half = 0.5 * room - _KEY - 2.0 * _GAP
        fit = len(texts) > 1 and all(width(part, figure, size) <= half for text in texts for part in text.split("\n"))
        names = [wrapped(text, figure, size, room - _KEY - 2.0 * _GAP) for text in texts]
        rows = names if not fit else names[: (len(names) + 1) // 2]
        height = sum(1.25 * (name.count("\n") + 1) for name in rows) * size / 72.0 + 2.0 * _GAP
        return cls([_handle(trace, index, scale) for index, trace in named], names, size, 2 if fit else 1, height)

    def draw(self, figure: Figure, height: float) -> None:
        """Draw it at the figure's lower edge; ``height`` is the figure's in inches."""
        if self.names:
            figure.legend(
                self.handles,
                self.names,
                loc="upper left",
                bbox_to_anchor=(0.0, self.height / height),
                ncols=self.columns,
                fontsize=self.size,
                frameon=False,
                borderpad=0.0,
                borderaxespad=0.2,
                labelspacing=0.25,
                handlelength=72.0 * (_KEY - 0.08) / self.size,
                handletextpad=0.5,
                columnspacing=1.0,
            )


def _asked(trace: Part) -> bool:
    return bool(trace.get("showlegend"))


def _handle(trace: Part, index: int, scale: float) -> Artist:
    """A piece of what the trace looks like."""
    look = trace.get("marker") or {}
    mode = (trace.get("mode") or "lines").split("+")
    given = look.get("color") or (trace.get("line") or {}).get("color") or theme.color(index)
    first = given if isinstance(given, str) else given[0] if len(given) else theme.NEUTRAL
    if trace["type"] == "bar" or ("lines" in mode and (trace.get("line") or {}).get("width") == 0):
        return Patch(facecolor=color(trace.get("fillcolor") or first))
    settings: dict[str, Any] = {"linestyle": "none"}
    if "lines" in mode:
        settings = line(trace.get("line") or {}, scale, default=theme.color(index))
    opacity = look.get("opacity")
    if "markers" in mode and (opacity is None or opacity >= _FAINTEST):
        settings |= _marker(look, first, scale)
    return Line2D([], [], **settings)


def _marker(look: Part, css: str, scale: float) -> dict[str, Any]:
    shape, is_open, share = marker(look.get("symbol") or "circle")
    edge, size = look.get("line") or {}, look.get("size") or _MARKER
    size = float(size if isinstance(size, int | float) else _MARKER)
    hue = color(css, look.get("opacity"))
    return {
        "marker": shape,
        "markersize": min(size, 14.0) * share * scale,
        "markerfacecolor": "none" if is_open and shape != "x" else hue,
        "markeredgecolor": color(edge["color"]) if edge.get("color") else hue,
        "markeredgewidth": (edge.get("width") or (1.5 if is_open else 0.0)) * scale,
    }
