"""Figures as files: they open, bring what they need, say what the page says, and leave nothing out in silence."""

import io
import re
import threading
import xml.etree.ElementTree as ET
import zlib
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from matplotlib.figure import Figure
from PIL import Image

from numerics.mechanisms import Gaussian
from numerics.trade_off import Bracket, Order, alpha_grid
from plotting import static, theme
from plotting.curves import Axes, OperatingPoint
from plotting.static import COLUMN, PAGE, RefusedFigureError, matplotlib_files
from plotting.static.words import tick, words
from plotting.trade_off import FALSE_ACCUSED, FOUND, trade_off_figure
from tests.html import Elements

SVG = "{http://www.w3.org/2000/svg}"
POINTS = 72.0  # an inch
HOSTILE = "<script>alert(1)</script> $\\frac{a}{b}$ \u202eevil\u202c 日本"


def figure(label: str = "RTM: does not know the record; [replace-one, batches of fixed size]") -> theme.Figure:
    curve = replace(Gaussian(1.0).trade_off(alpha_grid(50), Order.ADD), label=label)
    return trade_off_figure(curve, OperatingPoint(1e-3, Bracket.exact(0.02)), Axes.LOG)


def plain(**axis: object) -> go.Figure:
    line = go.Scatter(x=[1e-3, 1e-2, 1.0], y=[1e-3, 0.0, 1.0], name="a line", mode="lines", line={"dash": "dot"})
    spot = go.Scatter(x=[1e-2], y=[0.5], name="spot", mode="markers", marker={"size": 8, "color": "#000000"})
    return go.Figure([line, spot], {"xaxis": axis, "yaxis": {"title": {"text": "up & down"}, **axis}})


def composed(drawn: theme.Figure, size: static.Size = COLUMN) -> Figure:
    return matplotlib_files.composition(drawn, size).composed()


def texts(drawn: Figure) -> list[Any]:
    from matplotlib.text import Text  # noqa: PLC0415 - beside its only use

    return [text for text in drawn.findobj(Text) if text.get_text() and text.get_visible()]


def said(drawn: theme.Figure) -> str:
    return " ".join(text.get_text().replace("\n", " ") for text in texts(composed(drawn)))


def test_pdf_is_one_page_of_column_width_with_its_font_inside() -> None:
    file = static.pdf(figure(), title="a name")
    assert file.startswith(b"%PDF-")
    assert len(re.findall(rb"/Type\s*/Page\b", file)) == 1
    (box,) = re.findall(rb"/MediaBox\s*\[([^\]]*)\]", file)
    assert float(box.split()[2]) == pytest.approx(COLUMN.width * POINTS)
    streams = b"".join(_inflated(part) for part in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", file, re.DOTALL))
    whole = file + streams
    assert len(re.findall(rb"/Type\s*/FontDescriptor", whole)) == len(re.findall(rb"/FontFile2\s", whole)) > 0
    assert b"DejaVuSans" in whole
    assert b"/Subtype /Type3" not in whole


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""


def test_png_has_300_dots_an_inch_on_white() -> None:
    with Image.open(io.BytesIO(static.png(figure()))) as image:
        assert image.width == pytest.approx(300 * COLUMN.width, abs=1.0)
        assert image.height > 0.6 * image.width
        assert image.info["dpi"][0] == pytest.approx(300.0, rel=1e-3)
        assert image.convert("RGBA").getpixel((1, 1)) == (255, 255, 255, 255)


def test_svg_needs_no_font_no_script_and_no_other_file() -> None:
    root = ET.fromstring(static.svg(figure(HOSTILE)))
    assert root.tag == f"{SVG}svg"
    kinds = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert not kinds & {"text", "tspan", "script", "foreignObject", "image", "a"}
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on")
            if name.endswith("href"):
                assert value.startswith("#")


@pytest.mark.parametrize("make", [static.pdf, static.png, static.svg])
def test_the_same_figure_gives_the_same_file_in_every_thread(make: Any) -> None:
    drawn, expected, found = figure(), make(figure()), list[bytes]()
    threads = [threading.Thread(target=lambda: found.append(make(drawn))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


def test_strangers_names_are_text() -> None:
    shown = said(figure(HOSTILE.replace("<", "&lt;")))
    assert "<script>alert(1)</script> $\\frac{a}{b}$ evil" in shown
    assert "\u202e" not in shown
    assert "日" not in shown  # a sign that the font lacks has a sign of its own
    assert "\N{REPLACEMENT CHARACTER}" in shown
    for text in texts(composed(figure(HOSTILE))):
        assert not text.get_parse_math()
        assert not text.get_usetex()


def test_what_is_not_drawn_is_refused_in_words() -> None:
    for drawn, what in (
        (go.Figure(go.Scatter(x=[0], y=[1], marker={"symbol": "hexagram"}, mode="markers")), "symbol hexagram"),
        (go.Figure(go.Pie(values=[1])), "trace.type pie"),
        (go.Figure(go.Scatter(x=[0], y=[1], stackgroup="one")), "trace.stackgroup"),
        (go.Figure(go.Scatter(x=[0], y=[1]), {"shapes": [{"type": "circle"}]}), "shape.type circle"),
        (go.Figure(go.Scatter(x=[0], y=[1]), {"xaxis": {"type": "date"}}), "axis.type date"),
        (go.Figure(go.Scatter(x=[0], y=[1]), {"yaxis": {"overlaying": "y2"}}), "axis.overlaying"),
        (go.Figure(go.Scatter(x=[0], y=[1]), {"images": [{"source": "x"}]}), "layout.images"),
    ):
        assert what in static.refusal(drawn)
        for make in (static.pdf, static.png, static.svg, lambda one: static.drawing(one, "")):
            with pytest.raises(RefusedFigureError, match=re.escape(what)):
                make(drawn)


def test_points_and_lines_are_where_plotly_puts_them() -> None:
    axes = composed(plain(range=[0.0, 1.0])).axes[1]
    (line,), (spot,) = axes.lines, axes.collections
    np.testing.assert_allclose(np.asarray(line.get_xydata(), dtype=float), [[1e-3, 1e-3], [1e-2, 0.0], [1.0, 1.0]])
    np.testing.assert_allclose(np.asarray(spot.get_offsets()), [[1e-2, 0.5]])
    assert (axes.get_xlim(), axes.get_ylim()) == ((0.0, 1.0), (0.0, 1.0))
    assert line.is_dashed()


def test_log_axes_break_where_nothing_can_be_shown() -> None:
    axes = composed(plain(type="log", range=[-3.0, 0.0])).axes[1]
    assert axes.get_xlim() == pytest.approx((1e-3, 1.0))
    assert np.isnan(np.asarray(axes.lines[0].get_ydata(), dtype=float)).tolist() == [False, True, False]
    assert "0.01" in said(plain(type="log", range=[-3.0, 0.0]))


@pytest.mark.parametrize("axis", [{}, {"type": "log"}, {"range": [0.0, 1e-7]}, {"type": "log", "range": [-0.4, -0.1]}])
def test_axes_have_a_few_round_ticks(axis: dict[str, object]) -> None:
    axes = composed(plain(**axis)).axes[1]
    for values, (low, high) in ((axes.get_xticks(), axes.get_xlim()), (axes.get_yticks(), axes.get_ylim())):
        assert 2 <= sum(low <= value <= high for value in values) <= 10


def test_numbers_on_axes_are_plotlys() -> None:
    given = [(1e-5, "", "10⁻⁵"), (0.01, "", "0.01"), (2e6, "", "2×10⁶"), (-0.5, "", "−0.5")]
    for value, form, spelled in [*given, (0.93, ".0%", "93%"), (0.125, ".4~%", "12.5%"), (5.0, "~g", "5")]:
        assert tick(value, form) == spelled
    assert words("10<sup>−4</sup>").text == "10⁻⁴"
    assert words("<b>a &lt;b&gt; b</b>").text == "a <b> b"
    assert words("<b>all</b>").is_bold


@pytest.mark.parametrize("size", [COLUMN, PAGE, replace(COLUMN, plot=1.2)])
def test_no_word_leaves_the_drawing_or_covers_another(size: static.Size) -> None:
    drawn = composed(figure("a" * 90 + " " + "b" * 30), size)
    drawn.draw_without_rendering()
    dots = drawn.dpi
    width, height = drawn.get_size_inches() * dots
    renderer = drawn.canvas.get_renderer()  # type: ignore[attr-defined]
    boxes = [text.get_window_extent(renderer) for text in texts(drawn)]
    for box in boxes:
        assert box.x0 >= -1.0
        assert box.x1 <= width + 1.0
        assert box.y0 >= -1.0
        assert box.y1 <= height + 1.0
    assert sum(one.overlaps(other) for i, one in enumerate(boxes) for other in boxes[:i]) == 0


def test_names_of_axes_and_curves_are_there() -> None:
    shown = said(figure())
    for name in (FALSE_ACCUSED, FOUND, "guessing", "operating point", "[replace-one, batches of fixed size] (exact)"):
        assert name in shown


def test_an_element_of_a_document_has_its_words_and_ids_of_its_own() -> None:
    one, other = static.drawing(figure(), '<"words">'), static.drawing(plain(), "words")
    assert dict(Elements(one).attributes)["aria-label"] == '<"words">'
    ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in (one, other)]
    assert ids[0]
    assert not ids[0] & ids[1]
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', one)) <= ids[0]
    assert not re.search(r"<metadata|<style|<!DOCTYPE|http://(?!www\.w3\.org)", one)


def test_what_is_there_to_be_clicked_is_not_drawn() -> None:
    (point,) = composed(figure()).axes[1].collections  # the operating point alone
    np.testing.assert_allclose(np.asarray(point.get_offsets()), [[1e-3, 0.02]])
