"""What holds for every figure: valid, finite, titled, told apart without colour, the same as a file, and unchanged."""

import re
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest

from numerics.trade_off import Bound
from plotting import theme
from plotting.printed import drawing
from tests.kept import WORDS, Kept, lines_drawn
from tests.plotting.figures import DRAWING, FIGURES, certified, trade_off

FOLDER = Path(__file__).parent
KEPT = Kept(FOLDER / "shown.json", WORDS)
every_figure = pytest.mark.parametrize("name", FIGURES)
PALETTE = {*theme.COLORS, *theme.ATTACKERS, theme.NEUTRAL}
LONGEST = 60  # letters that a telephone shows in a line


@cache
def drawn(name: str) -> Any:
    return FIGURES[name]()


def traces(name: str) -> list[Any]:
    return list(drawn(name).data)


def numbers(values: Any) -> Any:
    """The numbers of a trace's coordinates; names of groups are none."""
    return np.array([one for one in (() if values is None else values) if not isinstance(one, str)], dtype=float)


def test_every_function_that_draws_has_a_row() -> None:
    written = "".join(FOLDER.joinpath(f"figures.{kind}").read_text() for kind in ("toml", "py"))
    assert {name for name in DRAWING if name not in written} == {"assemble", "on_axes", "projected"}  # given its parts


@every_figure
def test_it_is_valid_and_shows_what_it_showed(name: str) -> None:
    """Pages skip Plotly's own check; here it runs."""
    go.Figure(drawn(name).to_dict())
    KEPT.check(name, lines_drawn(drawn(name).to_json()))


@every_figure
def test_coordinates_are_finite_or_gaps_and_none_is_below_a_logarithmic_axis(name: str) -> None:
    layout = drawn(name).layout
    for one in traces(name):
        for values, axis, short in ((one.x, "xaxis", one.xaxis), (one.y, "yaxis", one.yaxis)):
            found = numbers(values)
            assert not np.isinf(found).any(), one.name
            if layout[axis + (short or "")[1:]].type == "log":
                assert (found[~np.isnan(found)] > 0.0).all(), one.name
        if one.x is not None and len(one.x) > 20 and isinstance(one.x, np.ndarray) and "landscape" not in name:
            assert one.x.dtype == np.float32 or one.hoverinfo == "skip"  # half as much is sent


@every_figure
def test_axes_say_what_they_show_and_words_fit_in_a_line(name: str) -> None:
    layout = drawn(name).layout
    for key, axis in layout.to_plotly_json().items():
        if "axis" in key and axis.get("visible", True) and axis.get("showticklabels", True):
            own = axis.get("title", {}).get("text") or (layout.title.text if key == "yaxis" else "")
            named = axis.get("ticktext") or axis.get("type") == "category"
            assert own or named or name.startswith(("noise bars", "estimates")), key
            ends = axis.get("range", (0, 1))
            assert ends[0] != ends[1]
    written = [one for one in traces(name) if "text" in (one.to_plotly_json().get("mode") or "")]
    words = [*(note.text for note in layout.annotations), *(text for one in written for text in one.text or ())]
    assert all(len(line) <= LONGEST for text in words for line in re.split("<br>", re.sub("</?b>|&nbsp;", "", text)))


@every_figure
def test_lines_are_told_apart_by_more_than_one_colour_and_the_dash_says_the_kind(name: str) -> None:
    """A guarantee, an attack and an estimate never look alike, and colours are those that everybody tells apart."""
    looks = []
    for one in traces(name):
        if one.type not in ("scatter", "scattergl"):
            continue
        if isinstance(one.line.color, str) and one.line.color.startswith("#"):
            assert one.line.color in PALETTE
        kind = re.search(r"\((guarantee|demonstrated attack|open|estimate|audit|certified|exact)\)$", one.name or "")
        if kind and "lines" in (one.mode or "lines"):
            assert (one.line.dash or "solid") == theme.DASH[Bound(kind[1])], one.name
        if kind:
            looks.append(
                (one.line.color, one.line.dash, one.line.width, one.marker.color, one.marker.symbol, one.yaxis)
            )
    names = [one.name for one in traces(name) if one.name and one.showlegend is not False]
    assert len(set(names)) == len(names)
    assert len(set(looks)) == len(looks)


@every_figure
def test_on_paper_it_has_its_points_and_every_text_is_text(name: str) -> None:
    root = ET.fromstring(drawing(drawn(name), name))
    assert not re.search("nan|inf", " ".join(value for one in root.iter() for value in one.attrib.values()))
    assert {one.tag for one in root.iter()} <= {"svg", "g", "path", "circle", "text", "tspan"}


@pytest.mark.parametrize(
    "name", ["trade-off, log", "trade-off, open, linear", "reconstruction, log", "errors, log", "roc", "losses"]
)
def test_on_paper_a_line_runs_through_its_points(name: str) -> None:
    """On one scale for all lines, which is linear in what the axis shows."""
    root, layout = ET.fromstring(drawing(drawn(name), name)), drawn(name).layout
    paths = [re.findall(r"[ML]([-\d.]+) ([-\d.]+)", one.get("d", "")) for one in root.iter("path")]
    found = list[Any]()
    for one in traces(name):
        is_line = "lines" in (one.mode or "") and one.line.width and one.line.shape is None and np.ptp(one.y) > 0.0
        same = [path for path in paths if len(path) == len(one.x)] if is_line and len(one.x) > 9 else []
        if same:
            seen = [np.asarray(values, dtype=float) for values in (one.x, one.y)]
            logs = [axis.type == "log" for axis in (layout.xaxis, layout.yaxis)]
            columns = [np.log10(values) if is_log else values for values, is_log in zip(seen, logs, strict=True)]
            found.append(min(_misfit(columns, np.array(path, dtype=float)) for path in same))
    assert found
    assert max(found) < 0.05  # pixels


def _misfit(columns: list[Any], path: Any) -> float:
    """Pixels between points and the best straight scales to them."""
    off = [path[:, at] - np.polyval(np.polyfit(values, path[:, at], 1), values) for at, values in enumerate(columns)]
    return float(np.abs(off).max())


def test_words_on_paper_are_no_code() -> None:
    hostile = "<script>alert(1)</script> $\\frac{a}{b}$ \u202eevil\u202c 日本"
    root = ET.fromstring(drawing(trade_off(certified(hostile)), hostile))
    assert not {one.tag for one in root.iter()} & {"script", "foreignObject", "image", "a"}
    assert "<script>alert(1)</script> $\\frac{a}{b}$ evil 日本" in " ".join(root.itertext())
