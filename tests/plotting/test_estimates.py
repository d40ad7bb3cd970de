"""The strip of the bound and the estimates: what stands where, and what says nothing."""

from dataclasses import replace
from typing import Any

import plotly.graph_objects as go
import pytest

from plotting import theme
from plotting.estimates import CertainBound, EstimateMark, estimates_figure

KNOWN = CertainBound("at least, 95 %", 2.69, "2.68", 5.0, "5: the most that 898 + 899 losses can show")
PLAIN = EstimateMark("two normal laws", 3.0, "3")
GREY = EstimateMark("counted", 4.0, "4", "it is luck", is_grey=True, null=1.5)
BEYOND = EstimateMark("normal mixtures", 41.0, "41", is_grey=True)
NONE = EstimateMark("two normal laws", None, "no number: what are the losses?")


def strip(*estimates: EstimateMark) -> go.Figure:
    figure = estimates_figure(KNOWN, estimates)
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    return figure


def marks(figure: go.Figure) -> list[Any]:
    traces: Any = figure.data
    return [trace for trace in traces if trace.mode == "markers+text"]


def test_the_bound_is_a_mark_and_what_it_leaves_open_reaches_to_the_ceiling() -> None:
    figure = strip()
    traces: Any = figure.data
    assert list(traces[0].x) == [2.69, 5.0]
    assert [list(mark.x) for mark in marks(figure)] == [[2.69]]
    assert "2.68" in traces[-1].text[0]  # as it was rounded for it: never up


def test_what_is_said_of_a_mark_stands_beside_it_and_the_bound_s_on_no_bar() -> None:
    """In the mark's own trace: a browser then keeps them apart, on a telephone's short axis as on any."""
    assert [mark.textposition for mark in marks(strip(PLAIN, BEYOND))] == ["middle left", "middle right", "middle left"]
    small = estimates_figure(replace(KNOWN, bound=0.5), [])
    assert [mark.textposition for mark in marks(small)] == ["middle right"]  # before it there is no room


def test_every_line_has_its_name() -> None:
    axis: Any = strip(PLAIN, GREY).layout.yaxis
    names = dict(zip(axis.tickvals, axis.ticktext, strict=True))
    assert names == {0: "<b>at least, 95 %</b>", -1: "two normal laws", -2: "counted"}
    assert [mark.y[0] for mark in marks(strip(PLAIN, GREY))] == [0.0, -1.0, -2.0]


def test_what_says_nothing_is_grey_and_hollow() -> None:
    _, plain, grey = marks(strip(PLAIN, GREY))
    assert (plain.marker.color, plain.marker.symbol) == (theme.MEASURED, "circle")
    assert (grey.marker.color, grey.marker.symbol) == (theme.NEUTRAL, "circle-open")
    assert "it is luck" in grey.hovertemplate


@pytest.mark.parametrize("value", [41.0, float("inf")])
def test_what_is_beyond_the_axis_points_out_of_it(value: float) -> None:
    figure = strip(EstimateMark("normal mixtures", value, "41", is_grey=True))
    layout: Any = figure.layout
    assert marks(figure)[-1].x[0] == layout.xaxis.range[1]
    assert marks(figure)[-1].marker.symbol == "triangle-right-open"


def test_the_axis_follows_from_the_ceiling_alone() -> None:
    """So that two models of which as many losses are known can be compared."""
    ends = {strip(*rows).layout.to_plotly_json()["xaxis"]["range"][1] for rows in ((), (PLAIN,), (PLAIN, GREY, BEYOND))}
    assert len(ends) == 1


def test_the_null_is_a_bar_from_0() -> None:
    traces: Any = strip(GREY).data
    (bar,) = (trace for trace in traces if trace.name == "where labels are shuffled")
    assert (list(bar.x), list(bar.y)) == ([0.0, 1.5], [-1.0, -1.0])


def test_without_a_number_the_reason_stands_in_its_place() -> None:
    figure = strip(NONE)
    assert len(marks(figure)) == 1
    traces: Any = figure.data
    assert "what are the losses?" in traces[-1].text[0]
