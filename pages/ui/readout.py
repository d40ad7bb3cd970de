"""The answer in words: sentences with natural frequencies, metrics, the kind of bound, how it is computed."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import streamlit as st

import people_view
from numerics.trade_off import Bound, Bracket
from pages.ui.numbers_in_words import Frequency, count_up, rounded_down, rounded_up

_KIND: MappingProxyType[Bound, tuple[Literal["green", "blue", "orange", "violet"], str]] = MappingProxyType(
    {
        Bound.EXACT: ("green", "A closed formula, true to rounding."),
        Bound.CERTIFIED: (
            "green",
            "Computed between two proved limits: a guarantee no attack can beat and an attack that exists. What is "
            "stated as the most an attacker can do is the guarantee.",
        ),
        Bound.LOWER: ("green", "A guarantee: the attacker's error is at least this."),
        Bound.UPPER: ("violet", "A demonstrated attack: a real attacker reaches this."),
        Bound.OPEN: (
            "green",
            "A guarantee, and an attack that reaches less. What is stated as the most is the guarantee; other attacks "
            "may reach more than the one that is shown.",
        ),
        Bound.ESTIMATE: ("orange", "An approximation that may lie on either side of the truth: no guarantee."),
        Bound.AUDIT: ("blue", "Measured from samples; it holds with the confidence stated beside it."),
    }
)


@dataclass(frozen=True)
class Metric:
    """One number of the row below the sentence: its name, its value as text, and what it means."""

    label: str
    value: str
    help: str


@dataclass(frozen=True)
class Formula:
    """A step of the computation: the formula (LaTeX), what it says, its source, what differs from the paper's text."""

    latex: str
    words: str
    source: str
    correction: str = ""


def times(rate: float, of: int) -> str:
    """How often at most, of so many times."""
    return f"{Frequency(count_up(rate, of), of)} times"


def between(bracket: Bracket, bound: Bound = Bound.CERTIFIED) -> str:
    """How well a number is known: ``exact`` or the two limits, each rounded to its safe side."""
    if bound is Bound.LOWER:
        return "A guarantee; no attack is known that does as well."
    if bound is Bound.OPEN:
        reached = rounded_down(bracket.lower, 4)
        return f"A guarantee; the attack that is shown reaches {reached}, and others may reach more."
    if bracket.width == 0:
        return "Exact."
    return f"Certified between {rounded_down(bracket.lower, 8)} and {rounded_up(bracket.upper, 8)}."


def answer(sentence: str, bound: Bound | None = None, level: Literal[2, 3] = 2) -> None:
    """Draw the page's answer (level 2) or that of a part of it (level 3) as a heading, and what kind of number it is.

    A heading, so that a screen reader finds it: the controls before it are many.
    """
    kind = f" :{_KIND[bound][0]}-badge[{bound}]" if bound else ""
    st.markdown(f"{'#' * level} {sentence}{kind}")


def announce(*sentences: str) -> None:
    """Have a screen reader say these sentences of the page when they are new; they are Markdown, as drawn.

    For an answer that a control elsewhere on the page changes. Not where the answer is, for it takes a row.
    """
    people_view.draw_said(heard(" ".join(sentences)))


def heard(markdown: str) -> str:
    """A sentence of the page as it is heard, without its marks; what describes a figure is nothing else."""
    text = re.sub(r":[a-z]+-badge\[(.+?)\]", r"\1.", markdown)
    return re.sub(r":[a-z]+\[(:material/\w+:)?(.*?)\]|:material/\w+:|[*\\]", r"\2", text).strip()


def metrics(row: Sequence[Metric], key: str | None = None) -> None:
    """Draw 3 to 5 numbers; they wrap on narrow screens. By ``key`` a slider finds those that move with it."""
    with st.container(horizontal=True, gap="medium", key=key):
        for metric in row:
            st.metric(metric.label, metric.value, help=metric.help, width="content")


def badge(bound: Bound) -> None:
    """Say what kind of number is shown, and in the tip what that means."""
    color, words = _KIND[bound]
    st.badge(bound.value, color=color, help=words)


def kinds() -> list[tuple[Bound, str]]:
    """Every kind of number with what it means."""
    return [(bound, words) for bound, (_, words) in _KIND.items()]


def how_computed(
    formulas: Sequence[Formula],
    assumptions: Sequence[str],
    bounds: Bound | Iterable[Bound],
    seconds: float | None = None,
    *,
    key: str = "how",
) -> None:
    """Draw the folded "How this is computed": formulas with source and correction, assumptions, kinds of bounds, time.

    What it says is sent once it is opened, which the address notes under ``key``.
    """
    fold = st.expander("How this is computed", key=key, on_change="rerun", bind="query-params")
    if not fold.open:
        return
    with fold:
        for formula in formulas:
            st.latex(formula.latex)
            beside = f" *Beside the paper's text: {formula.correction}*" if formula.correction else ""
            st.markdown(f"{formula.words} ({formula.source}){beside}")
        st.markdown("**Assumptions**\n" + "\n".join(f"- {assumption}" for assumption in assumptions))
        for bound in [bounds] if isinstance(bounds, Bound) else dict.fromkeys(bounds):
            st.markdown(f"**{bound.value.capitalize()}.** {_KIND[bound][1]}")
        if seconds is not None:
            st.caption(f"Computed in {seconds:.2g} s.")
