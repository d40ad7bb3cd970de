"""A figure as it is seen from the last row: the same traces, in letters, lines and marks that are large enough."""

from typing import Any

import plotly.graph_objects as go

from plotting.assembly import Part

LETTERS = 20
"""Pixels of the smallest letters."""

_THICKER = 1.35
_LEFT, _BELOW, _ABOVE = 88, 76, 40


def projected(figure: go.Figure, height: int) -> go.Figure:
    """The ``figure``, ``height`` pixels high, with no letter smaller than ``LETTERS``."""
    layout: Part = figure.layout.to_plotly_json()
    traces: list[Part] = [trace.to_plotly_json() for trace in figure.data]
    layout |= {"height": height, "hoverlabel": {"font": {"size": LETTERS}}}
    # Margins that are wider than usual for the sake of names in them grow with the letters.
    left = layout.get("margin", {}).get("l", 0)
    wide = round(_THICKER * left) if left > _LEFT else _LEFT
    layout["margin"] = {"l": wide, "r": 24, "t": _ABOVE, "b": _BELOW}
    layout["legend"] = {**layout.get("legend", {}), "font": {"size": LETTERS}}
    for axis in (layout[name] for name in layout if name.startswith(("xaxis", "yaxis"))):
        axis["tickfont"] = _large(axis.get("tickfont"))
        if "title" in axis:
            axis["title"] = {**axis["title"], "font": _large(axis["title"].get("font")), "standoff": 10}
    for note in layout.get("annotations", []):
        note["font"] = _large(note.get("font"))
    for trace in traces:
        if trace.get("text") is not None:
            trace["textfont"] = _large(trace.get("textfont"))
        for part, size in (("line", "width"), ("marker", "size")):
            look = trace.get(part)
            if isinstance(look, dict) and isinstance(look.get(size), int | float):
                trace[part] = {**look, size: _THICKER * look[size]}
    return go.Figure({"data": traces, "layout": layout}, _validate=False)


def _large(font: Any) -> Part:
    return {**(font or {}), "size": max((font or {}).get("size", 0), LETTERS)}
