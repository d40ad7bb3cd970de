"""Figures of the noise for a wanted eta: valid, with everything on them, and readable without colour."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.trade_off import Bound
from plotting import theme
from plotting.exact_eta import EtaCurves, exact_eta_figure
from plotting.noise_scale import Crossing, ScaleCurve, noise_scale_figure

SINGLE = 1e-6  # coordinates are sent in single precision
SCALE = np.geomspace(1.0, 1e3, 9)


def named(figure: go.Figure) -> dict[str, Any]:
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    traces: Any = figure.data
    return {trace.name: trace for trace in traces}


def test_exact_eta_lies_among_its_bounds() -> None:
    curves = EtaCurves(SCALE, 0.1 / SCALE, 0.2 / SCALE, 0.9 / SCALE, 0.3 / SCALE)
    traces = named(exact_eta_figure(curves, 0.01, [("one-swap bound", 20.0), ("paper", 90.0)]))
    exact = traces[theme.legend_name("all halves tried", Bound.EXACT)]
    swap = traces[theme.legend_name("one-swap bound", Bound.LOWER)]
    assert np.asarray(exact.y) == pytest.approx(0.1 / SCALE, rel=SINGLE)
    assert (exact.line.dash, swap.line.dash) == (theme.DASH[Bound.EXACT], theme.DASH[Bound.LOWER])
    assert list(traces["wanted η"].y) == [0.01, 0.01]
    assert list(traces["noise for the wanted η"].x) == [20.0, 90.0]


def test_lines_of_privacy_are_told_apart_without_colour() -> None:
    eta = np.geomspace(1e-3, 0.4, 5)
    curves = [ScaleCurve(f"differential privacy, n = {n}", eta, n / eta, True) for n in (30, 32, 34, 36)]
    curves.append(ScaleCurve("paper", eta, 1.0 / eta**2, False))
    traces = named(noise_scale_figure(curves, [Crossing(30, "σ = 1", 0.01, 3000.0)]))
    private = [trace for name, trace in traces.items() if name.startswith("differential")]
    assert len({trace.marker.symbol for trace in private}) == len(private)
    assert traces["paper"].mode == "lines"
    (crossing,) = (trace for name, trace in traces.items() if name.startswith("crossing"))
    assert (list(crossing.x), list(crossing.y)) == ([0.01], [3000.0])


@pytest.mark.parametrize("axis", ["xaxis", "yaxis"])
def test_axes_are_logarithmic_and_named_in_words(axis: str) -> None:
    curves = EtaCurves(SCALE, 0.1 / SCALE, 0.2 / SCALE, 0.9 / SCALE, 0.3 / SCALE)
    for figure in (exact_eta_figure(curves, 0.01, []), noise_scale_figure([], [])):
        assert figure.layout[axis].type == "log"
        assert figure.layout[axis].title.text
