"""Figures of audits of a promise: their power by their size, and right guesses."""

from typing import Any

import numpy as np
import plotly.graph_objects as go

from plotting.claims import guesses_figure, power_figure


def traces(figure: go.Figure) -> list[Any]:
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    return list(figure.data)


def test_the_size_that_is_needed_is_marked() -> None:
    figure = power_figure(np.array([10.0, 100.0]), np.array([0.2, 0.9]), 64.0, "Runs")
    layout: Any = figure.layout
    assert [list(one.y) for one in traces(figure)] == [[0.8, 0.8], [np.float32(0.2), np.float32(0.9)]]
    assert layout.shapes[0].x0 == 64.0
    assert layout.annotations[0].text == "64"
    assert not power_figure(np.array([10.0, 100.0]), np.array([0.2, 0.9]), None, "Runs").layout.shapes


def test_right_guesses_stand_beside_what_refutes() -> None:
    guessing, crosses, found = traces(guesses_figure((10, 100), (9, 60), (10, None)))
    assert set(guessing.y) == {0.5}
    assert (list(crosses.x), list(crosses.y)) == ([0.0], [1.0])  # no number of the second count refutes
    assert list(found.y) == [0.9, 0.6]
