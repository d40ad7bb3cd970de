"""A Plotly figure as plain parts, and which of its attributes are drawn in files."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from plotting import theme
from plotting.assembly import Part

TYPES = ("scatter", "scattergl", "bar", "heatmap")
MODES = ("lines", "markers", "text", "none")
FILLS = ("none", "tozeroy", "tozerox", "tonexty", "toself")
SYMBOLS = (
    *("circle", "square", "diamond", "cross", "x", "x-thin", "star"),
    *(f"triangle-{way}" for way in ("up", "down", "left", "right")),
)
SCALES = ("-", "linear", "log", "category")
TICK_FORMATS = (".0%", ".4~%", "~g")

_LINE = {"color", "width", "dash", "shape"}
_FONT = {"size", "color", "family"}
_TITLE = {"text", "font", "standoff", "x", "xanchor", "xref", "y", "yanchor", "yref", "pad"}
_DRAWN: Mapping[str, set[str]] = MappingProxyType(
    {
        "trace": {
            *("type", "x", "y", "mode", "name", "line", "marker", "fill", "fillcolor", "error_y", "xaxis", "yaxis"),
            *("showlegend", "text", "textposition", "textfont", "cliponaxis", "legendrank", "visible", "opacity"),
            *("orientation", "z", "zmin", "zmax", "colorscale", "showscale", "texttemplate", "xgap", "ygap"),
        },
        "marker": {"color", "size", "symbol", "opacity", "line", "maxdisplayed", "pattern"},
        "pattern": {"shape"},
        "line": _LINE,
        "error_y": {"type", "array", "arrayminus", "value", "symmetric", "color", "thickness", "width"},
        "axis": {
            *("title", "type", "range", "rangemode", "autorange", "tickvals", "ticktext", "dtick", "tickformat"),
            *("tickfont", "ticks", "showgrid", "showline", "showticklabels", "visible", "domain", "anchor"),
        },
        "layout": {"shapes", "annotations", "height", "showlegend", "title", "bargap"},
        "shape": {*("type", "x0", "x1", "y0", "y1", "xref", "yref", "line", "fillcolor", "layer", "opacity")},
        "annotation": {
            *("text", "x", "y", "xref", "yref", "xanchor", "yanchor", "xshift", "yshift", "ax", "ay", "font"),
            *("showarrow", "arrowhead", "arrowwidth", "arrowcolor", "align", "bgcolor"),
        },
        "font": _FONT,
        "tickfont": _FONT,
        "textfont": _FONT,
        "title": _TITLE,
    }
)
"""What is drawn, by the part it belongs to."""
_QUIET: Mapping[str, set[str]] = MappingProxyType(
    {
        "trace": {"customdata", "hovertemplate", "hoverinfo", "hoverlabel", "hovertext", "selected", "unselected"}
        | {"legendgroup", "uid", "meta", "ids"},
        "axis": {"fixedrange", "automargin", "exponentformat", "tickangle", "zeroline", "hoverformat", "tickmode"},
        "layout": {
            *("template", "legend", "margin", "hovermode", "dragmode", "clickmode", "uirevision", "width", "autosize"),
            *("modebar", "hoverlabel", "paper_bgcolor", "plot_bgcolor", "hoverdistance", "selectionrevision"),
        },
        "annotation": {"hovertext", "captureevents", "name"},
        "shape": {"name", "label"},
    }
)
"""What makes no difference on paper."""
_ALLOWED: Mapping[tuple[str, str], tuple[Any, ...]] = MappingProxyType(
    {
        ("trace", "type"): TYPES,
        ("trace", "fill"): FILLS,
        ("line", "dash"): ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot"),
        ("line", "shape"): ("linear", "hv", "vh"),
        ("axis", "type"): SCALES,
        ("axis", "rangemode"): ("normal", "tozero"),
        ("axis", "autorange"): (True, "reversed"),
        ("axis", "tickformat"): TICK_FORMATS,
        ("shape", "type"): ("line", "rect"),
        ("error_y", "type"): ("data", "constant"),
        ("trace", "showscale"): (False,),
        ("trace", "visible"): (True, False, "legendonly"),
        ("trace", "texttemplate"): ("%{text}",),
    }
)
"""Values that an attribute may have."""


@dataclass(frozen=True, eq=False)
class FigureParts:
    """Traces, axes by name (``x``, ``y2``), and the rest of the layout."""

    traces: list[Part]
    axes: dict[str, Part]
    layout: Part

    @classmethod
    def of(cls, figure: theme.Figure) -> "FigureParts":
        """The parts of a figure; traces that are not shown are left out."""
        layout: Part = figure.layout.to_plotly_json()
        traces: list[Part] = [trace.to_plotly_json() for trace in figure.data]
        axes = {
            f"{key[0]}{key.removeprefix(key[0]).removeprefix('axis')}": layout.pop(key)
            for key in list(layout)
            if key.startswith(("xaxis", "yaxis"))
        }
        shown = [trace for trace in traces if trace.get("visible", True) is True]
        for trace in shown or [{}]:
            for side in "xy":
                axes.setdefault(trace.get(f"{side}axis", side), {})
        return cls(shown, axes, layout)


def refusal(figure: theme.Figure) -> str:
    """Why no file is made of a figure; empty for one that is drawn."""
    parts = FigureParts.of(figure)
    found = [*_unknown("layout", parts.layout)]
    for trace in parts.traces:
        found += [*_unknown("trace", trace), *_unknown_marks(trace)]
    for axis in parts.axes.values():
        found += _unknown("axis", axis)
    if not found:
        return ""
    return f"This figure uses {', '.join(dict.fromkeys(found))}, which PDF, SVG and PNG here do not show."


def _unknown(kind: str, part: Part) -> Iterator[str]:
    """Attributes of a part, and of the parts in it, that are not drawn."""
    for key, value in part.items():
        if value is None or key in _QUIET.get(kind, ()):
            continue
        allowed = _ALLOWED.get((kind, key))
        if key not in _DRAWN[kind]:
            yield f"{kind}.{key}"
        elif allowed is not None and value not in allowed:
            yield f"{kind}.{key} {value}"
        elif isinstance(value, dict) and key in _DRAWN:
            yield from _unknown(key, value)
        elif key in ("shapes", "annotations"):
            for one in value:
                yield from _unknown(key.removesuffix("s"), one)


def _unknown_marks(trace: Part) -> Iterator[str]:
    """Modes and symbols that are not drawn."""
    for mode in (trace.get("mode") or "lines").split("+"):
        if mode not in MODES:
            yield f"mode {mode}"
    symbols = trace.get("marker", {}).get("symbol") or "circle"
    for symbol in [symbols] if isinstance(symbols, str) else symbols:
        if str(symbol).removesuffix("-open") not in SYMBOLS:
            yield f"symbol {symbol}"
