"""One correction drawn: the parameter, both formulas, the numbers that decide, and the data to take away."""

from collections.abc import Sequence
from functools import partial
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.trade_off import Floats
from pages.about.comparison import Comparison, DecidingValue
from pages.about.comparisons import DRAWN
from pages.about.correction import Correction
from pages.ui import chart, csv_tables, share
from pages.ui.address import labelled
from pages.ui.share import Shared
from plotting.correction import Deciding, DrawnLine, correction_figure

_URL: Literal["query-params"] = "query-params"
KEYS = tuple(f"about.c{number}" for number in DRAWN)


def draw(correction: Correction, comparison: Comparison, below: DeltaGenerator) -> None:
    """Draw the comparison; the numbers that decide, and what can be taken away, ``below``."""
    setting = _setting(comparison)
    values = comparison.values(setting)
    figure = correction_figure(
        comparison.axes.across,
        comparison.axes.height,
        comparison.x,
        _lines(comparison, values),
        _deciding(comparison, setting),
    )
    chart.draw(figure, alternative(correction, comparison))
    if comparison.fixed:
        st.caption(comparison.fixed)
    notes = header(correction, comparison, setting)
    name = f"correction-{correction.number}"
    table = partial(data, comparison, values, notes)
    with below:
        _decide(comparison)
        share.offer(Shared(name, snippet(comparison, setting), notes, table=table))


def _setting(comparison: Comparison) -> float:
    slider = comparison.slider
    key = f"about.c{comparison.number}"
    chosen = st.select_slider(
        slider.words, slider.options, value=slider.default, format_func=labelled, key=key, bind=_URL
    )
    return comparison.setting(chosen)


def _lines(comparison: Comparison, values: Sequence[Floats]) -> list[DrawnLine]:
    return [DrawnLine(line.name, one, line.bound) for line, one in zip(comparison.lines, values, strict=True)]


def _deciding(comparison: Comparison, setting: float) -> list[Deciding]:
    return [
        Deciding(one.at, one.value, one.error, f"evidence: {one.words}")
        for one in comparison.evidence
        if one.setting == setting
    ]


def _decide(comparison: Comparison) -> None:
    """The table of the numbers that decide, one column a piece of evidence."""
    names = [f"{line.name}{'' if line.bound is None else f' ({line.bound.value})'}" for line in comparison.lines]
    found: dict[str, list[DecidingValue]] = {}
    for one in comparison.evidence:
        found.setdefault(_place(comparison, one), []).append(one)
    columns = {
        place: [
            "; ".join(f"**{_number(one)}** {one.words}" for one in there),
            *(f"{value:.5g}" for value in comparison.at(there[0])),
        ]
        for place, there in found.items()
    }
    st.markdown("**The numbers that decide**")
    st.table({"": ["**evidence**", *names], **columns}, hide_index=True)


def _place(comparison: Comparison, evidence: DecidingValue) -> str:
    across = comparison.axes.across.words.split(" — ", maxsplit=1)[0]
    return f"{comparison.slider.words} = {evidence.setting:g}; {across[0].lower()}{across[1:]}: {evidence.at:.4g}"


def _number(evidence: DecidingValue) -> str:
    return f"{evidence.value:.5g} ± {evidence.error:g}," if evidence.error else f"{evidence.value:.5g},"


def alternative(correction: Correction, comparison: Comparison) -> str:
    """The figure in words."""
    names = "; ".join(line.name for line in comparison.lines)
    return (
        f"{comparison.axes.height.words} against {comparison.axes.across.words}, by these formulas: {names}. "
        f"Evidence: {correction.evidence}"
    )


def header(correction: Correction, comparison: Comparison, setting: float) -> dict[str, str]:
    """What goes on top of the data: what is compared, and which part of it is not what holds."""
    unused = [line.name for line in comparison.lines if line.bound is None]
    decided = [f"{_place(comparison, one)}: {_number(one)} {one.words}" for one in comparison.evidence]
    return {
        "correction": correction.label,
        "paper": f"{correction.paper}, {correction.place}",
        comparison.slider.words: f"{setting:g}",
        "setting": comparison.fixed,
        "not what holds": "; ".join(unused),
        "evidence": "; ".join(decided),
    }


def data(comparison: Comparison, values: Sequence[Floats], notes: dict[str, str]) -> str:
    """CSV of what is drawn."""
    columns = {comparison.axes.across.words: comparison.x}
    columns |= {line.name: one for line, one in zip(comparison.lines, values, strict=True)}
    return csv_tables.table(columns, notes)


def snippet(comparison: Comparison, setting: float) -> str:
    """Python that prints the values where the evidence is; run it in the project's folder."""
    places = ", ".join(repr(place) for place in sorted({one.at for one in comparison.evidence}))
    return f"""import numpy as np

from pages.about.comparisons import DRAWN

x = np.array([{places}])  # {comparison.axes.across.words}
for line in DRAWN[{comparison.number}].lines:
    print(f"{{line.name}}:", line.formula({setting!r}, x))  # {comparison.slider.words} = {setting:g}
"""
