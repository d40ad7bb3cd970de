"""Words of a figure without Plotly's markup, and numbers on its axes.

Names may be a stranger's. They are text: signs that mean something to Matplotlib's formulas are left to it as signs.
"""

import re
from dataclasses import dataclass
from html import unescape
from math import floor, isfinite, log10

_RAISED = str.maketrans("-−0123456789+", "⁻⁻⁰¹²³⁴⁵⁶⁷⁸⁹⁺")
_SUPERSCRIPT = re.compile(r"<sup>([-−+0-9]*)</sup>")
_BREAK = re.compile(r"<br\s*/?>")
_BOLD = re.compile(r"^<b>(.*)</b>$", re.DOTALL)
_TAG = re.compile(r"</?(b|i|em|strong|sup|sub|span)>")
_INVISIBLE = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]")
_PLAIN = (-4, 5)  # powers of ten that are written out
_PERCENT = "%"


@dataclass(frozen=True)
class TextLines:
    """Lines of text, and whether they are bold."""

    lines: tuple[str, ...]
    is_bold: bool

    @property
    def text(self) -> str:
        """The lines in one."""
        return "\n".join(self.lines)


def words(marked: str) -> TextLines:
    """What Plotly shows of a text with its markup, which is read as Plotly reads it."""
    bold = _BOLD.match(marked)
    raised = _SUPERSCRIPT.sub(lambda found: found[1].translate(_RAISED), bold[1] if bold else marked)
    lines = (_INVISIBLE.sub("", unescape(_TAG.sub("", line))) for line in _BREAK.split(raised))
    return TextLines(tuple(lines), bold is not None)


def tick(value: float, form: str = "") -> str:
    """A number on an axis, as Plotly's formats spell it."""
    if form.endswith(_PERCENT):
        digits = f"{100.0 * value:.0f}" if form == ".0%" else f"{100.0 * value:.4g}"
        return f"{digits}%".replace("-", "−")
    return number(value).replace("-", "−")


def number(value: float) -> str:
    """To six digits; very small and very large ones as powers of ten."""
    if value == 0.0 or not isfinite(value):
        return f"{value:g}"
    power = floor(log10(abs(value)) + 1e-9)
    if _PLAIN[0] < power < _PLAIN[1]:
        return f"{value:.6g}"
    digits = f"{value / 10.0**power:.4g}"
    raised = f"10{str(power).translate(_RAISED)}"
    return raised if digits == "1" else f"{digits}×{raised}"
