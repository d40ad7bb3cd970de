"""Figures of error against attack success or people: valid, complete, and readable without colour."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.trade_off import Bound
from plotting import theme
from plotting.noise_frontier import ErrorLine, FrontierWords, Here, Mark, noise_frontier_figure

SINGLE = 1e-6  # coordinates are sent in single precision
GOALS = np.geomspace(0.01, 0.9, 7)
WORDS = FrontierWords("Members found", "Error — people", "At most %{x:.3~p} found: off by %{y:.3~g}")
LINES = [
    ErrorLine("full knowledge", GOALS, 1.0 / GOALS, Bound.EXACT, 0),
    ErrorLine("full knowledge, Laplace noise", GOALS, 2.0 / GOALS, Bound.EXACT, 0, 1),
    ErrorLine("record unknown", GOALS, 0.5 / GOALS, Bound.EXACT, 2),
    ErrorLine("others unknown", GOALS, np.where(GOALS < 0.1, 1.0, 0.0), Bound.ESTIMATE, 3),
]
SAMPLING = ErrorLine("sampling error", GOALS[[0, -1]], np.full(2, 5.0), Bound.EXACT, 0)
FREE = 0.1
MARKS = [Mark("full knowledge: off by 25", 0.04, 25.0, 0), Mark("none", 0.04, 0.0, 3)]


def drawn(log: bool) -> tuple[go.Figure, dict[str, Any]]:
    figure = noise_frontier_figure(LINES, SAMPLING, FREE, MARKS, Here(0.04, "my limit"), WORDS, log)
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    traces: Any = figure.data
    return figure, {trace.name: trace for trace in traces}


def test_every_line_is_there_with_its_numbers_and_says_what_a_point_means() -> None:
    _, traces = drawn(True)
    for line in LINES[:2]:
        trace = traces[theme.legend_name(line.label, line.bound)]
        assert np.asarray(trace.x) == pytest.approx(line.across, rel=SINGLE)
        assert np.asarray(trace.y) == pytest.approx(line.error, rel=SINGLE)
        assert trace.hovertemplate.startswith(WORDS.point)
    assert list(traces["sampling error"].y) == [5.0, 5.0]


def test_lines_are_told_apart_without_colour() -> None:
    _, traces = drawn(True)
    looks = [traces[theme.legend_name(line.label, line.bound)] for line in LINES]
    assert len({(look.line.dash, look.marker.symbol) for look in looks}) == len(LINES)


@pytest.mark.parametrize("log", [True, False])
def test_no_error_is_a_gap_on_a_logarithmic_axis_and_zero_on_a_linear_one(log: bool) -> None:
    figure, traces = drawn(log)
    none = np.asarray(traces[theme.legend_name("others unknown", Bound.ESTIMATE)].y)[GOALS >= 0.1]
    assert np.all(np.isnan(none)) if log else np.all(none == 0.0)
    assert len(traces["marks"].x) == (1 if log else 2)
    assert (figure.layout.yaxis.type == "log") is log
    assert figure.layout.xaxis.title.text == WORDS.across


@pytest.mark.parametrize("log", [True, False])
def test_names_stand_on_the_lines_and_lines_that_coincide_share_one(log: bool) -> None:
    twin = ErrorLine("subset unknown", GOALS, LINES[0].error, Bound.LOWER, 2)
    figure = noise_frontier_figure([*LINES, twin], SAMPLING, FREE, MARKS, Here(0.04, "my limit"), WORDS, log)
    traces: Any = figure.data
    texts = {trace.text[0]: trace for trace in traces if trace.mode == "text"}
    names = {text.replace("&nbsp;", "").replace("<b>", "").replace("</b>", "") for text in texts}
    assert {"full knowledge<br>= subset unknown", "record unknown", "others unknown"} <= names
    assert {"sampling error", "practically free"} <= names
    for text, trace in texts.items():
        for line in (one for one in LINES if one.label in text and "=" not in text and "Laplace" not in text):
            at = int(np.argmin(np.abs(line.across - trace.x[0])))
            assert (line.across[at], line.error[at]) == (trace.x[0], trace.y[0])
    assert figure.layout.showlegend is False


@pytest.mark.parametrize("here", np.geomspace(0.011, 0.95, 12).tolist())
@pytest.mark.parametrize("log", [True, False])
def test_names_on_lines_keep_clear_of_the_line_across(log: bool, here: float) -> None:
    figure = noise_frontier_figure(LINES, SAMPLING, FREE, [], Here(here, "my limit"), WORDS, log)
    ends = np.log(GOALS[[0, -1]])
    line = (np.log(here) - ends[0]) / (ends[1] - ends[0])
    names = {line.label for line in LINES if log is False or line.error.all()}  # from end to end of the axis
    data: Any = figure.data
    for text in (one for one in data if one.mode == "text" and any(name in one.text[0] for name in names)):
        start = (np.log(text.x[0]) - ends[0]) / (ends[1] - ends[0])
        low, high = (start - 0.3, start) if text.textposition.endswith("left") else (start, start + 0.3)
        assert not low < line < high, text.text


@pytest.mark.parametrize("log", [True, False])
def test_noise_is_practically_free_below_its_share_of_the_sampling_error(log: bool) -> None:
    figure, traces = drawn(log)
    assert np.asarray(traces["practically free"].y) == pytest.approx(FREE * SAMPLING.error, rel=SINGLE)
    low, high = (10.0**end if log else end for end in figure.layout.yaxis.range)
    assert low < FREE * SAMPLING.error.min()
    assert high > max(line.error.max() for line in LINES)
    assert figure.layout.shapes[0].x0 == 0.04
    assert figure.layout.annotations[0].text == "my limit"
