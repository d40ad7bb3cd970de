"""How wide words are in the figure's font, and what it has no signs for."""

from functools import cache

from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.text import Text

_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def width(text: str, figure: Figure, size: float) -> float:
    """Inches that one line takes in letters of ``size`` points."""
    renderer = figure.canvas.get_renderer()  # type: ignore[attr-defined]
    pixels, _, _ = renderer.get_text_width_height_descent(shown(text), FontProperties(size=size), False)
    return float(pixels) / figure.dpi


def wrapped(text: str, figure: Figure, size: float, room: float) -> str:
    """The text in lines of at most ``room`` inches; a word that is longer is broken."""
    return "\n".join(line for given in text.split("\n") for line in _lines(given, figure, size, room))


def _lines(text: str, figure: Figure, size: float, room: float) -> list[str]:
    lines = [""]
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}".strip()
        if width(longer, figure, size) <= room:
            lines[-1] = longer
            continue
        *full, rest = _broken(word, figure, size, room)
        lines += [*full, rest]
    return [line for line in lines if line] or [""]


def _broken(word: str, figure: Figure, size: float, room: float) -> list[str]:
    """A word in pieces that fit."""
    pieces = [""]
    if width(word, figure, size) <= room:
        return [word]
    for sign in word:
        if pieces[-1] and width(pieces[-1] + sign, figure, size) > room:
            pieces.append("")
        pieces[-1] += sign
    return pieces


def shown(text: str) -> str:
    """The text with a sign of its own for every sign that the font lacks."""
    return "".join(sign if sign == "\n" or ord(sign) in _signs() else _UNKNOWN for sign in text)


@cache
def _signs() -> frozenset[int]:
    return frozenset(get_font(findfont(FontProperties())).get_charmap())


def known(figure: Figure) -> None:
    """Replace the signs that the font lacks in every text of the figure."""
    for text in figure.findobj(Text):
        assert isinstance(text, Text)
        if (fit := shown(text.get_text())) != text.get_text():
            text.set_text(fit)
