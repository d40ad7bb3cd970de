"""The measured curve in its region, with what a promise allows."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from plotting.roc import SMALLEST, MeasuredRoc, RocAxes, roc_figure

ALPHA = np.geomspace(1e-6, 1.0, 50)
MEASURED = MeasuredRoc(ALPHA, 2.0 * ALPHA / (1.0 + ALPHA), ALPHA, np.minimum(3.0 * ALPHA, 1.0))
AXES = RocAxes("wrongly", "rightly")


def named(figure: go.Figure) -> dict[str, Any]:
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    traces: Any = figure.data
    return {part.name: part for part in traces}


def test_the_measured_curve_is_drawn_from_the_smallest_rate_on() -> None:
    parts = named(roc_figure(MEASURED, AXES))
    assert min(parts["measured"].x) >= SMALLEST
    assert "promised at most" not in parts


def test_the_promise_is_drawn_at_the_same_rates() -> None:
    parts = named(roc_figure(MEASURED, AXES, 1.5 * ALPHA))
    assert list(parts["promised at most"].x) == list(parts["measured"].x)


def test_marks_stay_on_the_axes() -> None:
    assert list(named(roc_figure(MEASURED, AXES, marks=[(0.0, 2e-3)]))["cut"].x) == [SMALLEST]
    assert "cut" not in named(roc_figure(MEASURED, AXES, marks=[(0.0, 0.0)]))
