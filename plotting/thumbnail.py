"""Small pictures for doors, as SVG: they need no script, so a page of them opens at once."""

from collections.abc import Sequence

from numerics.trade_off import Floats
from plotting import theme

_FRAME = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
    '<svg x="4" y="4" width="{inner_width}" height="{inner_height}" viewBox="0 0 1 1" preserveAspectRatio="none">'
    "{content}</svg></svg>"
)
_MARGIN = 4
_STROKE = 'fill="none" vector-effect="non-scaling-stroke" stroke-linecap="round"'
_DASHED = 'stroke-dasharray="4 4"'

Points = tuple[Floats, Floats]
DOOR = (360, 110)  # pixels: width, height


def curves_below_chance(
    x: Floats,
    curves: Sequence[Floats],
    size: tuple[int, int] = DOOR,
    dots: Points | None = None,
    colors: Sequence[str] = theme.ATTACKERS,
) -> str:
    """Trade-off curves over ``x`` in the unit square, the area between the first and the chance line shaded."""
    shaded = _shaded(x, curves[0], colors[0])
    return _framed(_chance("M0 0L1 1") + shaded + _lines(x, curves, colors) + _spots(dots), size)


def curves_above_chance(
    x: Floats,
    curves: Sequence[Floats],
    size: tuple[int, int] = DOOR,
    colors: Sequence[str] = (theme.MEMBER, theme.RECORD_UNKNOWN),
) -> str:
    """Rising curves over ``x``, the area between the first and the diagonal shaded."""
    return _framed(_chance("M0 1L1 0") + _shaded(x, curves[0], colors[0]) + _lines(x, curves, colors), size)


def two_hills(x: Floats, hills: Sequence[Floats], size: tuple[int, int] = DOOR) -> str:
    """Two densities over ``x``, everything scaled to [0, 1]: the first outsiders, the second members."""
    colors = (theme.OUTSIDER, theme.MEMBER)
    shapes = "".join(
        f'<path d="{_path(x, hill)}" fill="{color}" fill-opacity="0.25" vector-effect="non-scaling-stroke" '
        f'stroke="{color}" stroke-width="2.5"/>'
        for color, hill in zip(colors, hills, strict=True)
    )
    return _framed(shapes, size)


def _chance(path: str) -> str:
    return f'<path d="{path}" {_STROKE} stroke="{theme.NEUTRAL}" stroke-width="1.5" {_DASHED}/>'


def _shaded(x: Floats, y: Floats, color: str) -> str:
    return f'<path d="{_path(x, y)}Z" fill="{color}" opacity="0.18"/>'


def _lines(x: Floats, curves: Sequence[Floats], colors: Sequence[str]) -> str:
    return "".join(
        f'<path d="{_path(x, y)}" {_STROKE} stroke="{color}" stroke-width="3"/>'
        for y, color in zip(curves, colors, strict=False)
    )


def _spots(dots: Points | None) -> str:
    """Round dots: points of a stroke, which is not scaled with the picture."""
    if dots is None:
        return ""
    path = "".join(f"M{across:.4f} {1 - up:.4f}h0" for across, up in zip(*dots, strict=True))
    return f'<path d="{path}" {_STROKE} stroke="{theme.NEUTRAL}" stroke-width="6"/>'


def _path(x: Floats, y: Floats) -> str:
    """SVG path through the points; SVG's y points down."""
    return "M" + "L".join(f"{across:.4f} {1 - up:.4f}" for across, up in zip(x, y, strict=True))


def _framed(content: str, size: tuple[int, int]) -> str:
    width, height = size
    return _FRAME.format(
        width=width,
        height=height,
        inner_width=width - 2 * _MARGIN,
        inner_height=height - 2 * _MARGIN,
        content=content,
    )
