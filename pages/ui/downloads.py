"""Files to take away: tables with their parameters on top, nothing in them that a spreadsheet runs, and their button.

Every cell that leaves passes ``inert``: those of files here, and those of tables on a page, which the table's own
toolbar saves as they are drawn.
"""

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from math import isnan
from typing import Any

import numpy as np
import streamlit as st

from losses.layout import names_of
from numerics.trade_off import Bound, Floats, TradeOffCurve
from numerics.version import VERSION
from pages.server.budget import Budget, Visit, within
from plotting.power import PowerCurve

Make = Callable[[], str | bytes]
"""Makes a file: text, or bytes where it is none."""

_MEDIA_TYPES = {"csv": "text/csv", "html": "text/html", "json": "application/json", "md": "text/markdown"}


def button(label: str, file: str, make: Make) -> None:
    """Draw the button that sends ``file``, which ``make`` makes when it is asked for, while the tab is open."""
    media_type, is_closed = _MEDIA_TYPES[file.rpartition(".")[2]], Visit().is_closed

    def made() -> str | bytes:
        with within(Budget(is_cancelled=is_closed)):  # one for each thread: it counts what a thread spends
            return make()

    st.download_button(label, made, file, media_type, key=f"downloads.{file}", on_click="ignore")


SOFTWARE = {"software": f"privacy trade-offs {VERSION}"}
# A cell begins where the text does or behind a separator, which a header line has unquoted; quotes and blanks there are
# passed over, for the cell that is read begins behind them. Full-width signs are signs to some programs.
# Marks that are not seen (category Cf: soft hyphens, tags and others) are passed over like blanks, and stay.
_UNSEEN = (
    r"\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    r"\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e007f"
)
_FORMULA = re.compile(rf"""(^|[,;|])([\s"'{_UNSEEN}]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])""")
# Tabs and line breaks (U+0085, U+2028 and U+2029, too) separate cells; marks of direction and of no width hide a sign.
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+")


def inert(text: str) -> str:
    """Text that a spreadsheet shows and never runs: no control or direction marks, formula signs behind a quote."""
    return _FORMULA.sub(r"\1\2'", _CONTROL.sub(" ", text))


def draw_table(columns: Mapping[str, Floats | Sequence[float] | Sequence[str]], **look: Any) -> None:
    """Draw a table, names of columns and cells as its toolbar may save them; ``look`` goes to ``st.dataframe``."""
    cells = ([inert(cell) if isinstance(cell, str) else cell for cell in column] for column in columns.values())
    names = names_of(tuple(map(inert, columns)))  # those that differ still do
    st.dataframe(dict(zip(names, cells, strict=True)), hide_index=True, **look)


def table(columns: Mapping[str, Floats | Sequence[str]], header: Mapping[str, str]) -> str:
    """CSV with ``header`` on top, a line ``# name: text`` each, then ``columns`` of equal length.

    Numbers keep all digits (they read back as the same float). Read it with ``pandas.read_csv(file, comment="#")``.
    """
    out = io.StringIO()
    for name, text in (SOFTWARE | dict(header)).items():
        out.write(f"# {inert(name)}: {inert(text)}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([inert(name.replace("#", "")) for name in columns])
    writer.writerows(zip(*(map(_cell, column) for column in columns.values()), strict=True))
    return out.getvalue()


def _cell(value: float | str) -> str:
    """Empty where there is no number; zero has no sign."""
    if isinstance(value, str):
        return inert(value)
    return "" if isnan(value) else repr(float(value) + 0.0)


_RATES = {
    "alpha": "false positive rate: outsiders accused; in the remove-one order, members cleared",
    "beta": "false negative rate: members missed; in the remove-one order, outsiders not ruled out",
}
"""What the columns are where a table of curves has no other names for them."""


def of_curves(
    curves: Sequence[TradeOffCurve], settings: Mapping[str, str], names: Sequence[str] = ("alpha", "beta", "power")
) -> str:
    """CSV of what a figure shows, curves below each other, told apart by the column ``release``.

    Each with its kind and assumptions on top, and with what is guaranteed and what a demonstrated attack reaches;
    ``names`` of the columns.
    """
    header = {
        f"release {number}": f"{curve.label} ({curve.bound.value}). {' '.join(curve.assumptions)}"
        for number, curve in enumerate(curves, start=1)
    }
    labels = [curve.label for curve in curves for _ in curve.alpha]
    samples = (np.concatenate([getattr(curve, name) for curve in curves]) for name in ("alpha", "beta", "power"))
    columns = dict(zip(names, samples, strict=True))
    for side, parts in zip(("guarantee", "demonstrated attack"), zip(*map(powers, curves), strict=True), strict=True):
        columns[f"{names[-1]} ({side})"] = np.concatenate(parts)
    meant = {name: meaning for name, meaning in _RATES.items() if name in names}
    return table({"release": labels, **columns}, header | meant | dict(settings))


def power_table(curves: Sequence[PowerCurve], header: Mapping[str, str]) -> str:
    """CSV of curves of power below each other, told apart by the column ``curve``."""
    names = [curve.label for curve in curves for _ in curve.power]
    kinds = [curve.bound.value for curve in curves for _ in curve.power]
    columns = {"effect_size": "effect size", "power": "power", "upper": "at most", "lower": "at least"}
    joined = {
        words: np.concatenate([np.asarray(getattr(curve, name), dtype=float) for curve in curves])
        for name, words in columns.items()
    }
    return table({"curve": names, "kind": kinds, **joined}, header)


def powers(curve: TradeOffCurve) -> tuple[Floats, Floats]:
    """What is guaranteed and what an attack is known to reach, (n,) each; NaN where the curve says nothing of it."""
    unknown = np.full(len(curve.alpha), np.nan)
    if curve.lower is not None and curve.upper is not None:
        return curve.lower.power, curve.upper.power
    guaranteed, reached = curve.bound in (Bound.EXACT, Bound.LOWER), curve.bound in (Bound.EXACT, Bound.UPPER)
    return curve.power if guaranteed else unknown, curve.power if reached else unknown
