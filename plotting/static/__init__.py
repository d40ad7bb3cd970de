"""A figure as a file for a paper, a report or a memo: PDF, SVG and PNG, made from the very figure that was drawn.

Matplotlib draws them; it is loaded with the first file, not with the server. A figure with anything that is not
translated to it is refused in words instead of being drawn wrongly.
"""

from dataclasses import dataclass
from html import escape
from importlib import import_module
from threading import Lock
from typing import Any

from plotting import theme
from plotting.static.parts import refusal

__all__ = ["COLUMN", "PAGE", "RefusedFigureError", "Size", "drawing", "pdf", "png", "refusal", "svg"]

_MILLIMETRES = 25.4  # of an inch
_DRAWING = Lock()  # fonts are shared by all threads


@dataclass(frozen=True)
class Size:
    """How large a figure is printed.

    Attributes:
        width: of everything, in inches.
        letters: height of the letters, in points.
        plot: height of the plot itself, in inches; as high as the page draws it if 0.
    """

    width: float
    letters: float = 8.0
    plot: float = 0.0


COLUMN = Size(89.0 / _MILLIMETRES)
"""One column of a journal."""
PAGE = Size(178.0 / _MILLIMETRES, 9.0, 3.1)
"""Both columns, or the width of a page."""


class RefusedFigureError(ValueError):
    """A figure that has something which is not drawn here; the message says what."""


def pdf(figure: theme.Figure, size: Size = COLUMN, title: str = "") -> bytes:
    """One page as large as the figure, with its font inside."""
    return _saved(figure, size, "pdf", title)


def png(figure: theme.Figure, size: Size = COLUMN) -> bytes:
    """Pixels, 300 an inch, on white."""
    return _saved(figure, size, "png")


def svg(figure: theme.Figure, size: Size = COLUMN) -> bytes:
    """Lines and areas; the letters are outlines too, so that no font is needed."""
    return _saved(figure, size, "svg")


def drawing(figure: theme.Figure, alt: str, size: Size = PAGE) -> str:
    """The figure as an SVG element of an HTML document; ``alt`` says what it shows."""
    inline: str = _backend().inline(_saved(figure, size, "svg").decode())
    return inline.replace("<svg ", f'<svg role="img" aria-label="{escape(alt)}" ', 1)


def _saved(figure: theme.Figure, size: Size, kind: str, title: str = "") -> bytes:
    if found := refusal(figure):
        raise RefusedFigureError(found)
    with _DRAWING:
        made: bytes = _backend().save(figure, size, kind, title)
    return made


def _backend() -> Any:
    return import_module(f"{__name__}.matplotlib_files")
