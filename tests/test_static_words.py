"""Words of a static drawing: none is wider than the drawing, however narrow that is."""

import re
from dataclasses import replace

import pytest

from numerics.mechanisms import Gaussian
from numerics.trade_off import Bracket, Order, alpha_grid
from plotting import theme
from plotting.curves import Axes, OperatingPoint
from plotting.static import drawing
from plotting.trade_off import FALSE_ACCUSED, FOUND, trade_off_figure

LETTER = 6.6  # pixels, of letters 12 high in the common fonts without serifs
TURNED = re.compile(r'<text transform="translate\((\d+) [\d.]+\) rotate[^>]*>([^<]*)<')
STANDING = re.compile(r'<text x="([\d.]+)" y="([\d.]+)"(?: text-anchor="(\w+)")?>([^<]*)<')
NARROW, WIDE = (380, 165), (680, 300)


def figure(label: str = "RTM: does not know the record; [replace-one, batches of fixed size]") -> theme.Figure:
    curve = replace(Gaussian(1.0).trade_off(alpha_grid(50), Order.ADD), label=label)
    return trade_off_figure(curve, OperatingPoint(1e-3, Bracket.exact(0.02)), Axes.LOG)


@pytest.mark.parametrize("size", [NARROW, WIDE])
def test_no_word_leaves_the_drawing(size: tuple[int, int]) -> None:
    svg = drawing(figure(), "words", *size)
    _, _, width, height = (float(end) for end in re.findall(r'viewBox="([^"]+)"', svg)[0].split())
    for left, top, anchor, words in STANDING.findall(svg):
        before = {"middle": 0.5, "end": 1.0}.get(anchor, 0.0) * LETTER * len(words)
        assert float(left) - before >= 0.0
        assert float(left) - before + LETTER * len(words) <= width
        assert float(top) <= height
    for _, words in TURNED.findall(svg):
        assert LETTER * len(words) <= size[1] + 24


def test_names_of_axes_are_broken_where_they_must_be() -> None:
    narrow, wide = drawing(figure(), "words", *NARROW), drawing(figure(), "words", *WIDE)
    for name in (FALSE_ACCUSED, FOUND):
        assert f">{name}<" in wide
        assert all(f">{part}<" in narrow for part in name.split(" — "))


def test_long_names_of_curves_take_lines_of_their_own() -> None:
    narrow = [words for *_, words in STANDING.findall(drawing(figure("a" * 30 + " " + "b" * 30), "words", *NARROW))]
    assert "a" * 30 in narrow
    assert "b" * 30 + " (exact)" in narrow
