"""Figures as files: they show the numbers of the page's figure, carry no stranger's code, and leave nothing out."""

import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from plotting import static
from plotting.static import COLUMN, RefusedFigureError, matplotlib_files
from tests.plotting.figures import FIGURES, certified, trade_off

SOME = ("trade-off, log", "trade-off, open, linear", "reconstruction, log", "attackers", "errors, log", "batches")


@pytest.mark.parametrize("name", SOME)
def test_the_file_has_the_lines_of_the_figure(name: str) -> None:
    drawn: Any = FIGURES[name]()
    assert static.refusal(drawn) == ""
    axes = matplotlib_files.composition(drawn, COLUMN).composed().axes
    lines = [np.asarray(line.get_xydata(), dtype=float) for one in axes for line in one.lines]
    for one in drawn.data:
        if "lines" in (one.mode or "") and one.name and one.line.width and one.line.shape in (None, "linear"):
            points = np.column_stack([np.asarray(values, dtype=float) for values in (one.x, one.y)])
            same = [line for line in lines if len(line) == len(points)]
            assert any(np.allclose(points, line, rtol=1e-5, atol=1e-12, equal_nan=True) for line in same), one.name


def test_files_hold_no_code_and_what_is_not_drawn_is_refused() -> None:
    hostile = "<script>alert(1)</script> $\\frac{a}{b}$ \u202eevil\u202c 日本"
    root = ET.fromstring(static.svg(trade_off(certified(hostile))))
    kinds = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert not kinds & {"text", "tspan", "script", "foreignObject", "image", "a"}
    for name, value in (pair for element in root.iter() for pair in element.attrib.items()):
        assert not name.startswith("on")
        assert value.startswith("#") or not name.endswith("href")
    with pytest.raises(RefusedFigureError, match=r"trace\.type pie"):
        static.svg(go.Figure(go.Pie(values=[1])))
