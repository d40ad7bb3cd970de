"""What a release and a curve show of themselves in a notebook: verdict, curve as plain SVG, table, assumptions.

Text is escaped, nothing is loaded or run, and no package that draws is needed. Letters have the notebook's own colour.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context
from html import escape
from math import ceil, floor, log10
from typing import TYPE_CHECKING

import numpy as np

from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, TradeOffCurve, alpha_grid

if TYPE_CHECKING:
    from numerics.mechanisms.analysis import Analysis

_PRECISION = Precision(width=1e-4, relative=1e-3)
_RATES = (0.1, 0.01, 1e-3, 1e-4, 1e-5)  # of the table
_DELTAS = (1e-5, 1e-6)
_CROWD, _ACCUSED = 10_000, 10  # people of the verdict, and outsiders that are accused meanwhile
_MOST, _REACHED = "at most", "an attack reaches"
_OF_KIND = {Bound.EXACT: "exactly", Bound.LOWER: _MOST, Bound.UPPER: _REACHED}
_ROUNDINGS = {_MOST: ROUND_CEILING, _REACHED: ROUND_FLOOR}
_LINE, _CHANCE = "#d55e00", "#7a828c"
_LEFT, _RIGHT, _TOP, _BOTTOM = 60, 390, 8, 258  # of the plot, in pixels
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def of_release(release: "Analysis") -> str:
    """Whom an attacker finds who knows all but whether the record is there, epsilon, advantage, and the curve."""
    asked: Mapping[str, Callable[[], Bracket]] = {
        **{f"ε at δ = {delta:g}": _epsilon(release, delta) for delta in _DELTAS},
        "advantage: true less false positive rate": lambda: release.advantage(_PRECISION),
    }
    try:
        found = release.power(_ACCUSED / _CROWD, precision=_PRECISION)
        curve = release.trade_off(np.union1d(alpha_grid(100, _RATES[-1]), _RATES), precision=_PRECISION)
    except ValueError as reason:
        return f"<p><b>{escape(release.label)}</b>: outside what can be computed: {escape(str(reason))}</p>"
    kind = {
        Bound.LOWER: "; no known attack finds more than guessing does",
        Bound.OPEN: f"; a known attack finds {floor(_CROWD * found.lower):,}",
    }.get(curve.bound, "")
    return (
        f"<p><b>At most {ceil(_CROWD * found.upper * (1.0 - 1e-12)):,} of {_CROWD:,} members can be found while "
        f"{_ACCUSED} of {_CROWD:,} outsiders are wrongly accused</b> ({curve.bound.value}{kind}).</p>"
        f"{_table(('', _MOST, _REACHED), [(name, *_ends(ask)) for name, ask in asked.items()])}{of_curve(curve)}"
    )


def _epsilon(release: "Analysis", delta: float) -> Callable[[], Bracket]:
    return lambda: release.epsilon(delta, 1e-5, _PRECISION)


def _ends(ask: Callable[[], Bracket]) -> tuple[str, str]:
    """Both ends of a number, each rounded to its safe side; or why there is none."""
    try:
        found = ask()
    except ValueError as reason:
        return str(reason), ""
    return _rounded(found.upper, _MOST), _rounded(found.lower, _REACHED) if found.lower > 0.0 else "none is known"


def of_curve(curve: TradeOffCurve) -> str:
    """The curve on logarithmic axes, a table of the samples next to round rates, and what it presupposes."""
    if curve.lower is None or curve.upper is None:
        sides = {_OF_KIND.get(curve.bound, "about"): curve}
    else:
        sides = {_MOST: curve.lower, _REACHED: curve.upper}
    logs = np.log(np.maximum(curve.alpha, 1e-300))
    places = dict.fromkeys(int(np.abs(logs - np.log(rate)).argmin()) for rate in _RATES if len(logs))
    rows = [
        (f"{curve.alpha[at]:.4g}", *(_rounded(side.power[at], name) for name, side in sides.items())) for at in places
    ]
    table = _table(("false positive rate", *(f"true positive rate: {name}" for name in sides)), rows)
    assumed = "".join(f"<li>{escape(each)}</li>" for each in curve.assumptions)
    details = f"<details><summary>What this presupposes</summary><ul>{assumed}</ul></details>" if assumed else ""
    return f"<p>{escape(curve.label)} ({curve.bound.value})</p>{_drawn(curve, sides)}{table}{details}"


def _rounded(number: float, side: str) -> str:
    """To four digits, of a bound to its safe side."""
    if not np.isfinite(number):
        return "none that is finite"
    context = Context(prec=4, rounding=_ROUNDINGS.get(side, ROUND_HALF_EVEN))
    return f"{float(context.create_decimal_from_float(float(number))):g}"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def line(cells: Sequence[str], tag: str) -> str:
        return f"<tr>{''.join(f'<{tag}>{escape(cell)}</{tag}>' for cell in cells)}</tr>"

    return f"<table><thead>{line(head, 'th')}</thead><tbody>{''.join(line(row, 'td') for row in rows)}</tbody></table>"


def _drawn(curve: TradeOffCurve, sides: Mapping[str, TradeOffCurve]) -> str:
    """True over false positive rates, both by decades; what an attack reaches is dashed, blind guessing grey."""
    first = max(floor(log10(curve.alpha[curve.alpha > 0.0].min(initial=0.1)) + 1e-9), -9)

    def place(rate: float, start: float, end: float) -> float:
        return end + (end - start) * log10(rate) / -first

    parts = [
        f'<path d="M{_LEFT} {_BOTTOM}L{_RIGHT} {_TOP}" stroke="{_CHANCE}" stroke-dasharray="2 4"/>',
        f'<text x="{(_LEFT + _RIGHT) / 2}" y="{_BOTTOM + 36}" text-anchor="middle">false positive rate</text>',
        f'<g transform="translate(13 {(_TOP + _BOTTOM) / 2}) rotate(-90)"><text text-anchor="middle">true positive rate'
        "</text></g>",
    ]
    for decade in range(first, 1):
        x, y = place(10.0**decade, _LEFT, _RIGHT), place(10.0**decade, _BOTTOM, _TOP)
        said = f"10{str(decade).translate(_RAISED)}" if decade else "1"
        parts += [
            f'<path d="M{x:.1f} {_TOP}V{_BOTTOM}M{_LEFT} {y:.1f}H{_RIGHT}" stroke="{_CHANCE}" opacity=".3"/>',
            f'<text x="{x:.1f}" y="{_BOTTOM + 16}" text-anchor="middle">{said}</text>',
            f'<text x="{_LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{said}</text>',
        ]
    for name, side in sides.items():
        seen = zip(side.alpha.tolist(), side.power.tolist(), strict=True)
        points = " ".join(
            f"{place(alpha, _LEFT, _RIGHT):.1f},{place(power, _BOTTOM, _TOP):.1f}"
            for alpha, power in seen
            if min(alpha, power) >= 10.0**first * (1.0 - 1e-9)
        )
        dash = ' stroke-dasharray="6 4"' if name == _REACHED else ""
        parts.append(f'<polyline points="{points}" fill="none" stroke="{_LINE}" stroke-width="2"{dash}/>')
    alt = f"Trade-off curve of {curve.label}: true over false positive rates."
    return (
        f'<svg role="img" aria-label="{escape(alt)}" width="400" height="300" viewBox="0 0 400 300" font-size="12" '
        f'fill="currentColor">{"".join(parts)}</svg>'
    )
