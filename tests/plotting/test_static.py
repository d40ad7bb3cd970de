"""Figures as files: they show the numbers of the page's figure, carry no stranger's code, and leave nothing out."""

import xml.etree.ElementTree as ET
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Bracket, Order, alpha_grid
from plotting import static, theme
from plotting.curves import Axes, OperatingPoint
from plotting.static import COLUMN, RefusedFigureError, matplotlib_files
from plotting.trade_off import trade_off_figure
from tests.plotting.figures import FIGURES

HOSTILE = "<script>alert(1)</script> $\\frac{a}{b}$ \u202eevil\u202c 日本"
SOME = (
    "trade-off, log",
    "trade-off, open, linear",
    "reconstruction, log",
    "attackers",
    "landscape",
    "errors, log",
    "batches",
)


def figure(label: str = "RTM: does not know the record; [replace-one, batches of fixed size]") -> theme.Figure:
    curve = replace(Gaussian(1.0).trade_off(alpha_grid(50), Order.ADD), label=label)
    return trade_off_figure(curve, OperatingPoint(1e-3, Bracket.exact(0.02)), Axes.LOG)


@pytest.mark.parametrize("name", SOME)
def test_the_file_has_the_lines_of_the_figure(name: str) -> None:
    drawn: Any = FIGURES[name]()
    assert static.refusal(drawn) == ""
    axes = matplotlib_files.composition(drawn, COLUMN).composed().axes
    lines = [np.asarray(line.get_xydata(), dtype=float) for one in axes for line in one.lines]
    for one in drawn.data:
        if "lines" in (one.mode or "") and one.name and one.line.width and one.line.shape in (None, "linear"):
            points = np.column_stack([np.asarray(values, dtype=float) for values in (one.x, one.y)])
            assert any(_same(points, line) for line in lines), one.name


def _same(points: Any, line: Any) -> bool:
    return len(points) == len(line) and bool(np.allclose(points, line, rtol=1e-5, atol=1e-12, equal_nan=True))


def test_files_hold_no_code_and_what_is_not_drawn_is_refused() -> None:
    root = ET.fromstring(static.svg(figure(HOSTILE)))
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not kinds & {"text", "tspan", "script", "foreignObject", "image", "a"}
    for name, value in (pair for element in root.iter() for pair in element.attrib.items()):
        assert not name.startswith("on")
        assert value.startswith("#") or not name.endswith("href")
    with pytest.raises(RefusedFigureError, match=r"trace\.type pie"):
        static.svg(go.Figure(go.Pie(values=[1])))
