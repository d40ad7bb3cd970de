"""Taking a result away: data, figure, the Python that prints the same numbers, and the page's address.

Everything is made from the objects that were drawn, so a file never disagrees with the page.
"""

import csv
import io
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from enum import Enum
from typing import TYPE_CHECKING
from urllib.parse import urlencode

import numpy as np
import streamlit as st

from numerics.mechanisms import Adjacency, Composition, Mechanism, Sampling
from numerics.trade_off import SMALLEST_ALPHA, Bound, Floats, Order, TradeOffCurve
from numerics.version import VERSION
from pages.ui import cached, lost_uploads
from plotting import standalone, theme
from plotting.power import PowerCurve

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

_WHERE = "# Run this in the folder of the project, which holds the packages numerics and losses.\n"
_FORMULA = re.compile(r"(^|[,;|])(\s*)(?=[=+\-@])")
_CONTROL = re.compile(r"[\x00-\x1f\x7f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def inert(text: str) -> str:
    """Text that a spreadsheet shows and never runs: no control or direction marks, formula signs behind a quote."""
    return _FORMULA.sub(r"\1\2'", _CONTROL.sub(" ", text))


def table(columns: Mapping[str, Floats | Sequence[str]], header: Mapping[str, str]) -> str:
    """CSV with ``header`` on top, a line ``# name: text`` each, then ``columns`` of equal length.

    Numbers keep all digits (they read back as the same float). Read it with ``pandas.read_csv(file, comment="#")``.
    """
    out = io.StringIO()
    for name, text in ({"software": f"privacy trade-offs {VERSION}"} | dict(header)).items():
        out.write(f"# {inert(name)}: {inert(text)}\n")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow([inert(name).replace("#", "") for name in columns])
    writer.writerows(zip(*(map(_cell, column) for column in columns.values()), strict=True))
    return out.getvalue()


def _cell(value: float | str) -> str:
    return inert(value) if isinstance(value, str) else repr(float(value))


def curve_header(curve: TradeOffCurve) -> dict[str, str]:
    """What a reader of the file must know about a curve."""
    return {
        "release": curve.label,
        "kind of bound": curve.bound.value,
        "alpha": "false positive rate: outsiders accused; in the remove-one order, members cleared",
        "beta": "false negative rate: members missed; in the remove-one order, outsiders not ruled out",
        "assumptions": " ".join(curve.assumptions),
    }


def curve_columns(curve: TradeOffCurve) -> dict[str, Floats]:
    """The curve's samples; a certified curve's guarantee and demonstrated attack with them."""
    columns = {"alpha": curve.alpha, "beta": curve.beta, "power": curve.power}
    for name, side in (("guarantee", curve.lower), ("demonstrated attack", curve.upper)):
        if side is not None:
            columns |= {f"beta ({name})": side.beta, f"power ({name})": side.power}
    return columns


def curve_table(curve: TradeOffCurve, settings: Mapping[str, str]) -> str:
    """CSV of one curve, with ``settings`` (parameters by name) in its header."""
    return table(curve_columns(curve), curve_header(curve) | dict(settings))


def curves_table(curves: Sequence[TradeOffCurve], settings: Mapping[str, str]) -> str:
    """CSV of several curves below each other, told apart by the column ``release``."""
    header = {f"release {number}": _one_line(curve) for number, curve in enumerate(curves, start=1)}
    names = [curve.label for curve in curves for _ in curve.alpha]
    columns = {name: np.concatenate([getattr(curve, name) for curve in curves]) for name in ("alpha", "beta", "power")}
    guaranteed, reached = zip(*map(powers, curves), strict=True)
    sides = {"power (guarantee)": guaranteed, "power (demonstrated attack)": reached}
    columns |= {name: np.concatenate(parts) for name, parts in sides.items()}
    return table({"release": names, **columns}, header | dict(settings))


def power_table(curves: Sequence[PowerCurve], header: Mapping[str, str], across: str = "effect size") -> str:
    """CSV of curves of power below each other, told apart by the column ``curve``; ``across`` names their axis."""
    names = [curve.label for curve in curves for _ in curve.power]
    kinds = [curve.bound.value for curve in curves for _ in curve.power]
    columns = {"effect_size": across, "power": "power", "upper": "at most", "lower": "at least"}
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


def _one_line(curve: TradeOffCurve) -> str:
    return f"{curve.label} ({curve.bound.value}). {' '.join(curve.assumptions)}"


def constructor(made: "DataclassInstance") -> str:
    """The Python expression that makes a mechanism, or any other dataclass of plain values."""
    if isinstance(made, Composition):
        return f"Composition(({', '.join(map(constructor, made.phases))},))"
    values = {field.name: getattr(made, field.name) for field in fields(made)}
    return f"{type(made).__name__}({', '.join(f'{name}={_literal(value)}' for name, value in values.items())})"


def _literal(value: object) -> str:
    return str(f"{type(value).__name__}.{value.name}" if isinstance(value, Enum) else repr(value))


def imports(*releases: Mechanism) -> str:
    """The lines of Python that import what the ``constructor`` of these releases names."""
    kinds: list[type] = [Adjacency, Sampling]
    kinds += [type(part) for made in releases for part in (made, *made.phases)]
    modules: dict[str, set[str]] = {}
    for kind in kinds:
        modules.setdefault(_public_module(kind), set()).add(kind.__name__)
    return "\n".join(f"from {module} import {', '.join(sorted(modules[module]))}" for module in sorted(modules))


def _public_module(kind: type) -> str:
    """The shortest module that has it: a package offers what its files define."""
    parts = kind.__module__.split(".")
    packages = (".".join(parts[:count]) for count in range(2, len(parts)))
    return next((name for name in packages if vars(sys.modules[name]).get(kind.__name__) is kind), kind.__module__)


def snippet(mechanism: Mechanism, alpha: float, delta: float, order: Order, prior: float) -> str:
    """Python that prints the numbers on the page; run it in the project's folder."""
    made, tested = constructor(mechanism), f"{alpha!r}, {_literal(order)}"
    worth = f'print("posterior:", mechanism.posterior({alpha!r}, {prior!r}, {_literal(order)}, precision))\n'
    return f"""{imports(mechanism)}
from numerics.privacy_loss import Precision
from numerics.trade_off import Order

mechanism = {made}
precision = {cached.PRECISION!r}  # smaller widths give narrower brackets
print("true positive rate:", mechanism.power({tested}, precision))
print("epsilon:", mechanism.epsilon({delta!r}, {cached.EPSILON_WIDTH!r}, precision))
print("advantage:", mechanism.advantage(precision))
{worth if order is not Order.REMOVE else ""}print("mu-GDP:", mechanism.gaussian_mu({SMALLEST_ALPHA!r}, precision))
print("AUC:", mechanism.auc(precision))
"""


def permalink(without: Sequence[str] = ()) -> str:
    """Address that restores this view: the page with every control that differs from its default.

    ``without`` leaves out what some parameters say.
    """
    parameters = [(name, value) for name in st.query_params for value in st.query_params.get_all(name)]
    query = urlencode([(name, value) for name, value in parameters if name not in without])
    return f"{st.context.url or ''}{'?' if query else ''}{query}"


def offer(
    name: str,
    data: str | Callable[[], str],
    python: str,
    figure: theme.Figure,
    notes: Mapping[str, str],
    *,
    others: Mapping[str, Callable[[], str]] | None = None,
    certificate: Callable[[], None] | None = None,
) -> None:
    """Draw the folded "Take it with you": link, data, figure and Python, which are sent once it is opened.

    Args:
        name: start of the files' names.
        data: the CSV, or what makes it once it is asked for.
        python: the snippet.
        figure: the figure that was drawn; the file is written only when it is asked for.
        notes: what goes below the figure in its file.
        others: what makes the data of the page's other figures, by name.
        certificate: draws the form of the certificate, where the page has one.
    """
    fold = st.expander("Take it with you: link, data, figure, Python", key=f"take_{name}", on_change="rerun")
    if not fold.open:
        return
    with fold:
        if lost_uploads.rests_on_one():
            st.caption("This address restores the settings. The data is not in it: who opens it needs the file, too.")
        else:
            st.caption("This address restores the view.")
        st.code(permalink(), language=None, wrap_lines=True)
        with st.container(horizontal=True):
            _button("Data (CSV)", data, f"{name}.csv")
            _button("Figure (HTML)", lambda: _standalone(figure, name, notes), f"{name}.html")
            for what, make in (others or {}).items():
                _button(f"{what[:1].upper()}{what[1:]} (CSV)", make, f"{name}-{what.replace(' ', '-')}.csv")
        st.caption("SVG: the camera at the figure's top right. The same numbers from Python:")
        st.code(f"{_WHERE}{python}", language="python")
        if certificate:
            certificate()


def _button(label: str, make: str | Callable[[], str], file: str) -> None:
    kind = "text/csv" if file.endswith(".csv") else "text/html"
    st.download_button(label, make, file, kind, on_click="ignore")


def _standalone(figure: theme.Figure, name: str, notes: Mapping[str, str]) -> str:
    return standalone.page(figure, name, {"software": f"privacy trade-offs {VERSION}"} | dict(notes))
