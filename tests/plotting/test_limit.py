"""A limit in the figure of the trade-off curve: the region of too many, and axes that count people."""

from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Order, alpha_grid
from plotting import theme
from plotting.curves import CLICKED, Axes, OperatingPoint
from plotting.limit import LimitRegion
from plotting.people import count_up
from plotting.trade_off import trade_off_figure

RELEASE = Gaussian(1.0, 0.01, 1000)


def figure(limit: LimitRegion, axes: Axes = Axes.LOG, alpha: float = 1e-3, **more: object) -> go.Figure:
    point = OperatingPoint(alpha, RELEASE.power(alpha))
    drawn = trade_off_figure(RELEASE.trade_off(alpha_grid(60)), point, axes, limit=limit, **more)  # type: ignore[arg-type]
    return go.Figure(drawn.to_dict())  # with Plotly's own check of every attribute


def trace(drawn: go.Figure, name: str) -> Any:
    (found,) = (one for one in drawn.data if one.name == name)
    return found


@pytest.mark.parametrize("axes", Axes)
def test_the_region_of_too_many_ends_at_the_limit_and_the_alarms(axes: Axes) -> None:
    region = trace(figure(LimitRegion(0.002), axes), "too many")
    allowed = 0.002 if axes is Axes.LOG else 0.998
    assert max(region.x) == 1e-3
    assert allowed in region.y
    assert set(region.y) - {allowed} == {1.0 if axes is Axes.LOG else 0.0}
    assert region.fill == "toself"


def test_logarithmic_axes_count_people_from_one_to_all() -> None:
    layout = figure(LimitRegion(0.002, 10_000)).layout
    for one in (layout.xaxis, layout.yaxis):
        assert tuple(one.range) == (-4, 0)
        assert list(one.ticktext) == ["1", "10", "100", "1,000", "10,000"]
        assert np.allclose(one.tickvals, 10.0 ** np.arange(-4, 1))
    assert layout.xaxis.title.text == "Outsiders falsely accused, of 10,000"
    assert layout.title.text == "<b>Members found</b>, of 10,000"
    assert "41" in " ".join(note.text for note in layout.annotations)


@pytest.mark.parametrize("alpha", [1e-3, 0.9, 0.999])
def test_what_is_found_is_counted_of_the_people_on_the_axes(alpha: float) -> None:
    texts = [note.text for note in figure(LimitRegion(0.002, 10_000), alpha=alpha).layout.annotations]
    assert f"<b>{count_up(RELEASE.power(alpha).upper, 10_000):,}</b>" in texts


def test_rates_stay_on_axes_that_count_nobody() -> None:
    assert figure(LimitRegion(0.002)).layout.xaxis.range[0] == -9
    assert figure(LimitRegion(0.002, 10_000), Axes.LINEAR).layout.xaxis.ticktext is None


def test_large_crowds_have_few_ticks() -> None:
    ticks = figure(LimitRegion(0.002, 10**9), alpha=1e-9).layout.xaxis.ticktext
    assert len(ticks) <= 6
    assert ticks[0] == "1"


def test_labels_on_lines_take_the_place_of_the_legend_while_there_is_one_curve() -> None:
    alone = figure(LimitRegion(0.002, 10_000)).layout
    assert alone.showlegend is False
    assert "blind guessing" in " ".join(note.text for note in alone.annotations)
    pinned = [Gaussian(2.0, 0.01, 1000).trade_off(alpha_grid(60))]
    beside = figure(LimitRegion(0.002, 10_000), pinned=pinned)
    assert beside.layout.showlegend is True
    assert beside.layout.height > alone.height
    assert beside.layout.yaxis.title.text == "Members found, of 10,000"


def test_the_curve_has_the_colour_of_those_who_are_found() -> None:
    drawn = figure(LimitRegion(0.002, 10_000))
    lines = [one for one in drawn.data if str(one.name).startswith("Gaussian")]
    assert {one.line.color for one in lines} == {theme.MEMBER}
    assert str(trace(drawn, CLICKED).hovertemplate).startswith("Wrongly accusing")


def test_who_clears_people_reads_of_clearing() -> None:
    layout = figure(LimitRegion(0.002, 10_000), order=Order.REMOVE).layout
    assert layout.xaxis.title.text == "Members wrongly cleared, of 10,000"
    assert layout.title.text == "<b>Outsiders ruled out</b>, of 10,000"


WIDEST = 8.0  # pixels of a character in a label of an axis; its tick takes two


@pytest.mark.parametrize(("crowd", "others"), [(10**4, 0), (10**5, 0), (10**6, 0), (10**4, 1)])
def test_margins_are_not_measured_where_the_labels_fit_them(crowd: int, others: int) -> None:
    layout = figure(LimitRegion(0.002, crowd), pinned=[RELEASE.trade_off(alpha_grid(60))] * others).layout
    assert layout.yaxis.automargin is layout.xaxis.automargin is (None if others else False)
    longest = max(len(label) for label in layout.yaxis.ticktext if "<sup>" not in label)
    assert others or layout.margin.l >= WIDEST * (longest + 1) + 2
