"""Small pictures for the doors on the home page, as SVG: they need no script, so the first page opens at once."""

from collections.abc import Sequence

from numerics.trade_off import Floats
from plotting import theme

_FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    '<svg x="4" y="4" width="{inner_width}" height="{inner_height}" viewBox="0 0 1 1" preserveAspectRatio="none">'
    "{content}</svg></svg>"
)
_WIDTH, _HEIGHT, _MARGIN = 360, 110, 3
_STROKE = 'fill="none" vector-effect="non-scaling-stroke" stroke-linecap="round"'


def curves_below_chance(x: Floats, curves: Sequence[Floats]) -> str:
    """Trade-off curves over ``x`` in the unit square, the area between the first and the chance line shaded."""
    chance = f'<path d="M0 0L1 1" {_STROKE} stroke="{theme.NEUTRAL}" stroke-width="1.5" stroke-dasharray="4 4"/>'
    area = f'<path d="{_path(x, curves[0])}Z" fill="{theme.color(0)}" opacity="0.18"/>'
    lines = [
        f'<path d="{_path(x, y)}" {_STROKE} stroke="{theme.color(index)}" stroke-width="3"/>'
        for index, y in enumerate(curves)
    ]
    return _framed(chance + area + "".join(lines))


def curve_above_chance(x: Floats, y: Floats) -> str:
    """One rising curve over ``x`` in the unit square, the area between it and the diagonal shaded."""
    chance = f'<path d="M0 1L1 0" {_STROKE} stroke="{theme.NEUTRAL}" stroke-width="1.5" stroke-dasharray="4 4"/>'
    area = f'<path d="{_path(x, y)}Z" fill="{theme.color(1)}" opacity="0.18"/>'
    return _framed(chance + area + f'<path d="{_path(x, y)}" {_STROKE} stroke="{theme.color(1)}" stroke-width="3"/>')


def two_hills(x: Floats, hills: Sequence[Floats]) -> str:
    """Two densities over ``x``, everything scaled to [0, 1]: the first outsiders, the second members."""
    colors = (theme.OUTSIDER, theme.MEMBER)
    shapes = "".join(
        f'<path d="{_path(x, hill)}" fill="{color}" fill-opacity="0.25" vector-effect="non-scaling-stroke" '
        f'stroke="{color}" stroke-width="2.5"/>'
        for color, hill in zip(colors, hills, strict=True)
    )
    return _framed(shapes)


def _path(x: Floats, y: Floats) -> str:
    """SVG path through the points; SVG's y points down."""
    return "M" + "L".join(f"{across:.4f} {1 - up:.4f}" for across, up in zip(x, y, strict=True))


def _framed(content: str) -> str:
    return _FRAME.format(
        width=_WIDTH,
        height=_HEIGHT,
        inner_width=_WIDTH - 2 * _MARGIN,
        inner_height=_HEIGHT - 2 * _MARGIN,
        content=content,
    )
