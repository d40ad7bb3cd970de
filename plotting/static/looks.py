"""Colours, dashes and markers of Plotly as Matplotlib spells them."""

import re
from types import MappingProxyType
from typing import Any

from matplotlib.colors import to_rgba

TEXT = "#10171e"
GRID = "#d5dbe1"
Color = tuple[float, float, float, float]

_RGBA = re.compile(r"rgba?\(([^)]*)\)")
_DASHES = MappingProxyType(
    {
        "dash": (5.0, 2.5),
        "dashdot": (5.0, 2.2, 1.2, 2.2),
        "dot": (1.2, 2.2),
        "longdash": (8.0, 3.0),
        "longdashdot": (8.0, 2.5, 1.2, 2.5),
    }
)
"""Lengths in line widths."""
_SYMBOLS = MappingProxyType(
    {
        "circle": "o",
        "square": "s",
        "diamond": "D",
        "cross": "P",
        "x": "X",
        "x-thin": "x",
        "triangle-up": "^",
        "triangle-down": "v",
        "triangle-left": "<",
        "triangle-right": ">",
        "star": "*",
    }
)
_THIN = ("x-thin",)
_SMALLER = MappingProxyType({"D": 0.82, "s": 0.9})  # of the width that Plotly draws


def color(css: str, opacity: float | None = 1.0) -> Color:
    """A colour of CSS with its transparency times ``opacity``."""
    most = 1.0 if opacity is None else opacity
    found = _RGBA.fullmatch(css.strip())
    if found:
        red, green, blue, *rest = (float(part) for part in found[1].split(","))
        return red / 255.0, green / 255.0, blue / 255.0, most * (rest[0] if rest else 1.0)
    red, green, blue, own = to_rgba(css)
    return red, green, blue, own * most


def line(look: dict[str, Any], scale: float, width: float = 2.0, default: str = TEXT) -> dict[str, Any]:
    """A line's settings; ``scale`` is in points a pixel."""
    points = float(width if look.get("width") is None else look["width"]) * scale
    dash = _DASHES.get(look.get("dash") or "solid")
    return {
        "color": color(look.get("color") or default),
        "linewidth": points,
        "linestyle": (0.0, dash) if dash and points else "solid",
    }


def marker(symbol: str) -> tuple[str, bool, float]:
    """Its shape, whether it is an outline only, and its share of the width."""
    name = symbol.removesuffix("-open")
    shape = _SYMBOLS[name]
    return shape, name != symbol or name in _THIN, _SMALLER.get(shape, 1.0)
