"""The figure of several attackers: as many marks as people, one colour each, labels instead of a legend, the limit."""

from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Bound, Bracket, Order, alpha_grid
from plotting import theme
from plotting.attackers import attackers_figure, people_figure
from plotting.curves import CLICKED, Axes
from plotting.people_rows import AttackerRow, AttackersFrame

NAMES = ("all known", "record unknown", "draw unknown")
CURVE = Gaussian(2.0).trade_off(alpha_grid(60))
ALPHA, CROWD = 1e-3, 10_000


def seen(*counts: int, crowd: int = CROWD) -> list[AttackerRow]:
    return [
        AttackerRow(name, color, count, f"at most {count:,}", Bracket.exact(count / crowd), CURVE)
        for name, color, count in zip(NAMES, theme.ATTACKERS, counts, strict=False)
    ]


def scene(limit: float | None = 0.002, axes: Axes = Axes.LOG, **others: Any) -> AttackersFrame:
    return AttackersFrame(ALPHA, limit, CROWD, axes=axes, **others)


def valid(figure: go.Figure) -> Any:
    """The figure, after Plotly's own check of its attributes, which pages skip."""
    go.Figure(figure.to_dict())
    return figure


def marks(figure: Any, name: str) -> list[tuple[int, str]]:
    """How many marks of which colour a row has: strokes with a gap after each."""
    rows = [trace for trace in figure.data if trace.name.startswith(f"{name}: ")]
    assert all(np.all(np.isnan(np.asarray(trace.x, dtype=float)[2::3])) for trace in rows)
    return [(len(trace.x) // 3, trace.line.color) for trace in rows]


def words(figure: Any) -> dict[str, Any]:
    return {note.text.replace("<b>", "").replace("</b>", ""): note for note in figure.layout.annotations}


@pytest.mark.parametrize("axes", Axes)
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("largest", [1.0, 0.1, 1e-4])
@pytest.mark.parametrize("counts", [(41, 26, 41), (10_000, 10_000), (1,)], ids=str)
def test_the_figure_is_valid(axes: Axes, order: Order, largest: float, counts: tuple[int, ...]) -> None:
    figure = valid(attackers_figure(seen(*counts), AttackersFrame(ALPHA, 0.002, CROWD, order, axes, largest)))
    assert figure.layout.showlegend is False
    assert all(np.all(np.isfinite(np.asarray(trace.y, dtype=float))) for trace in figure.data)


def test_a_mark_is_a_person_and_grey_ones_would_be_found_by_guessing() -> None:
    figure = valid(attackers_figure(seen(41, 26, 41), scene()))
    for name, color, count in zip(NAMES, theme.ATTACKERS[:3], (41, 26, 41), strict=True):
        assert marks(figure, name) == [(10, theme.NEUTRAL), (count - 10, color)]
        assert f"at most {count}" in words(figure)
    assert figure.layout.yaxis2.ticktext == NAMES
    assert "a mark: 1 of 10,000; grey: guessing, 10" in words(figure)


@pytest.mark.parametrize(("count", "unit"), [(50, 1), (51, 2), (268, 10), (1_520, 50), (10_000, 200)])
def test_more_people_share_a_mark_where_there_are_many(count: int, unit: int) -> None:
    figure = valid(people_figure(seen(count), scene(None)))
    assert sum(number for number, _ in marks(figure, "all known")) == -(-count // unit) <= 50
    assert f"a mark: {unit:,} of 10,000; grey: guessing, 10" in words(figure)
    assert figure.layout.yaxis.ticktext == ("all known",)


def test_the_limit_lies_between_the_last_mark_within_it_and_the_next() -> None:
    figure = valid(attackers_figure(seen(41), scene(0.002)))
    (mark,) = (shape for shape in figure.layout.shapes if shape.type == "line")
    assert (mark.x0, mark.x1, mark.xref) == (20.5, 20.5, "x2")
    assert "my limit, 20" in words(figure)
    (region,) = (shape for shape in figure.layout.shapes if shape.type == "rect")
    assert (region.x1, region.y0, region.y1) == (ALPHA, 0.002, 1.0)  # more people found, no more falsely accused
    assert "too many" in words(figure)


@pytest.mark.parametrize("width", [390 - 32, 820])
def test_marks_stay_apart_and_words_out_of_the_corner_of_the_buttons(width: int) -> None:
    figure = valid(attackers_figure(seen(50, 26, 41), scene()))
    room = width - figure.layout.margin.l - figure.layout.margin.r
    (row,) = (trace for trace in figure.data if trace.name == "all known: at most 50")
    along = np.asarray(row.x, dtype=float)
    place = room / figure.layout.xaxis2.range[1]
    assert place * (along[3] - along[1]) > 1.0  # pixels between two marks
    key = words(figure)["a mark: 1 of 10,000; grey: guessing, 10"]
    assert (key.xanchor, key.y) == ("left", 1.0)
    assert [note.yanchor for note in figure.layout.annotations if note.text.startswith("my limit")] == ["top"]


def test_a_limit_far_away_is_said_and_not_drawn() -> None:
    figure = valid(attackers_figure(seen(41), scene(0.2)))
    assert not [shape for shape in figure.layout.shapes if shape.type == "line"]
    assert "my limit, 2,000 →" in words(figure)


def test_every_line_has_its_name_and_colour_and_the_first_takes_the_clicks() -> None:
    figure = valid(attackers_figure(seen(41, 26, 41), scene()))
    lines = [trace for trace in figure.data if trace.mode == "lines" and 2 <= trace.line.width <= 3]
    assert [trace.line.color for trace in lines] == list(theme.ATTACKERS[:3])
    for name, color in zip(NAMES, theme.ATTACKERS, strict=False):
        assert words(figure)[name].font.color == color
    (target,) = (trace for trace in figure.data if trace.name == CLICKED)
    assert len(target.x) > 10
    others = [trace for trace in figure.data if trace.name.startswith(NAMES) and trace not in lines]
    assert others
    assert {trace.hoverinfo for trace in others} == {"skip"}  # a click on a mark is no rate of false alarms


def test_the_axes_count_people() -> None:
    figure = valid(attackers_figure(seen(41), scene()))
    assert "of 10,000" in figure.layout.xaxis.title.text
    ticks = dict(zip(figure.layout.xaxis.ticktext, figure.layout.xaxis.tickvals, strict=True))
    assert ticks["10"] == pytest.approx(1e-3)
    assert figure.layout.xaxis.range[0] == pytest.approx(-4.0)  # one person of the crowd


def test_the_axes_show_rates_where_fewer_than_one_person_is_looked_at() -> None:
    figure = valid(attackers_figure(seen(41), scene(counts_people=False)))
    assert figure.layout.xaxis.range[0] == pytest.approx(-9.0)
    assert figure.layout.xaxis.title.text == "share of outsiders falsely accused"
    assert "10<sup>-4</sup>" in figure.layout.xaxis.ticktext


def test_points_lie_where_the_marks_are_counted() -> None:
    for axes, height in ((Axes.LOG, 0.0041), (Axes.LINEAR, 1.0 - 0.0041)):
        figure = valid(attackers_figure(seen(41), scene(axes=axes)))
        (point,) = (trace for trace in figure.data if trace.name == "all known")
        assert (point.x[0], point.y[0]) == (ALPHA, pytest.approx(height))


def test_the_name_of_an_open_curve_leaves_the_gap_to_the_gaps_own() -> None:
    attack = Gaussian(4.0).trade_off(alpha_grid(60))
    gap = replace(CURVE, bound=Bound.OPEN, lower=replace(CURVE, bound=Bound.LOWER), upper=attack)
    figure = valid(attackers_figure([replace(seen(41)[0], curve=gap)], scene()))
    name = words(figure)["all known"]
    assert name.ay > 0  # below
    assert 10.0**name.y == pytest.approx(np.interp(10.0**name.x, attack.alpha, attack.power), rel=1e-6)
