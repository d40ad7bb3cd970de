"""A specimen of every kind of line: what the dash says about a curve."""

import plotly.graph_objects as go

from plotting import theme
from plotting.assembly import Part, assemble, note, trace

_ROW = 34  # pixels


def dashes_figure() -> go.Figure:
    """One short line a kind, with its name to the right."""
    rows = [*theme.DASH.items(), (None, theme.NOT_VALID_DASH)]
    height, traces = len(rows), list[Part]()
    for row, (bound, dash) in enumerate(rows):
        color, mode = (theme.color(0), "lines") if bound else (theme.NOT_VALID, "lines+markers")
        line, marker = {"color": color, "width": 3, "dash": dash}, {"color": color, "size": 8, "symbol": "x"}
        look = {"mode": mode, "line": line, "marker": marker, "hoverinfo": "skip"}
        traces.append(trace([0.0, 0.1, 0.2, 0.3, 0.38], [height - row] * 5, **look))
    said = [theme.DOES_NOT_HOLD if bound is None else bound.value for bound, _ in rows]
    names = [note(one, 0.42, height - row, "left", font={"size": 15}) for row, one in enumerate(said)]
    layout = {
        "xaxis": {"visible": False, "range": [0.0, 1.0], "fixedrange": True},
        "yaxis": {"visible": False, "range": [0.4, height + 0.6], "fixedrange": True},
        "annotations": names,
        "height": _ROW * height + 20,
        "margin": {"l": 8, "r": 8, "t": 8, "b": 8},
        "showlegend": False,
    }
    return assemble(traces, layout)
