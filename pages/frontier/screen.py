"""What every view shows, in one order: the answer, the limit, the figures, and all else one step away below them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.trade_off import Bound
from pages.ui import chart, result_header, share
from pages.ui.downloads import Make
from pages.ui.result_header import Formula
from pages.ui.share import Shared
from plotting import theme
from plotting.printed import drawing
from reports.audit_report import ReportFigure, plain
from reports.sheet import Entries, Sheet, Standing, fields

_RESTS_ON = ("neighbours", "sampler", "unit", "mechanism")  # what assumptions and release say, of a sheet's fields
_ICON = re.compile(r":[a-z]+\[:material/\w+:\] ?")


@dataclass(frozen=True)
class Recommendation:
    """What to choose for the limit in force, and what that costs; in Markdown.

    ``reason`` is why what looks odd is so, such as a weaker attacker that costs more; ``warning`` is of a limit that
    protects little, or a promise that was passed. Both are empty where there is nothing to say.
    """

    sentence: str
    bound: Bound | None = None
    verdict: str = ""
    reason: str = ""
    warning: str = ""


@dataclass(frozen=True, eq=False)
class Panel:
    """A figure: what is above it, what it says to somebody who does not see it, and how it is read."""

    title: str
    figure: theme.Figure
    alt: str
    key: str
    note: str = ""


@dataclass(frozen=True, eq=False)
class Answer:
    """What a view answers: all that is said, drawn and taken away, made from the same objects.

    Attributes:
        said: what to choose.
        name: start of the files' names.
        figure: what is saved.
        python: the snippet that prints the same numbers.
        parameters: what the numbers are about, by name.
        table: makes the data (CSV).
        formulas: how the numbers are computed.
        assumptions: what they presuppose.
        kinds: kinds of bounds among them.
        seconds: how long it took, where that is known.
        others: make further data (CSV), by name.
        on_sheet: a release, what its numbers rest on, and what the figure shows, where a sheet can say that.
    """

    said: Recommendation
    name: str
    figure: theme.Figure
    python: str
    parameters: Mapping[str, str]
    table: Make
    formulas: Sequence[Formula]
    assumptions: Sequence[str]
    kinds: Bound | Iterable[Bound]
    seconds: float | None = None
    others: Mapping[str, Make] = field(default_factory=dict)
    on_sheet: tuple[str, tuple[str, ...], str] | None = None


@dataclass(frozen=True)
class Places:
    """Where a view draws, from top to bottom.

    What is drawn below may be needed above, such as how a model is trained: a view fills its places in any order.
    """

    answer: DeltaGenerator
    limit: DeltaGenerator
    beside_limit: DeltaGenerator
    figures: DeltaGenerator
    given: DeltaGenerator
    drawer: DeltaGenerator
    rest: DeltaGenerator


def places(drawer: str) -> Places:
    """Empty places; the fold with the controls that are needed less is called ``drawer``."""
    answer = st.container(gap="xsmall")
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="small")
    limit, figures, given = row.container(), st.container(), st.container()
    return Places(answer, limit, row, figures, given, st.expander(drawer, type="compact"), st.container())


def draw_said(place: DeltaGenerator, said: Recommendation) -> None:
    """Draw the sentence as a heading; below it the verdict with what would puzzle, in one paragraph."""
    with place:
        result_header.answer(said.sentence, said.bound)
        if below := " ".join(filter(None, (said.verdict, said.reason))):
            st.markdown(below)
        if said.warning:
            st.warning(said.warning, icon=":material/warning:")


def draw_panels(place: DeltaGenerator, panels: Sequence[Panel]) -> None:
    """Draw figures beside each other, on a phone below each other; each between its title and its note."""
    for column, panel in zip(place.columns(len(panels), gap="medium"), panels, strict=True):
        with column, st.container(gap="xxsmall"):
            st.markdown(f"**{panel.title}**")
            chart.draw(panel.figure, panel.alt.replace("*", ""), key=panel.key)
            if panel.note:
                st.caption(panel.note)


def draw_rest(place: DeltaGenerator, answer: Answer, draw_more: Callable[[], None]) -> None:
    """Draw a view's own parts, how the answer is computed and what can be taken away, and have the answer said."""
    with place:
        draw_more()
        result_header.how_computed(answer.formulas, answer.assumptions, answer.kinds, answer.seconds)
        sheet = None if answer.on_sheet is None else partial(_sheet, answer, *answer.on_sheet)
        share.offer(Shared(answer.name, answer.python, answer.parameters, answer.table, answer.others, sheet))
        result_header.aria_live(answer.said.sentence, answer.said.verdict, answer.said.warning)


def _sheet(
    answer: Answer, release: str, rests_on: tuple[str, ...], caption: str, address: str, entries: Entries
) -> Sheet:
    """The sheet of the answer: which noise keeps the limit, and what it costs."""
    said = answer.said
    facts = (("Limit", _ICON.sub("", said.verdict)), ("Why", said.reason), ("Mind", said.warning))
    return Sheet(
        about="noise that keeps a limit",
        subject=release,
        standing=Standing.OPEN,
        verdict=said.sentence,
        facts=tuple((name, plain(words)) for name, words in facts if words),
        rests_on=rests_on,
        figure=ReportFigure(drawing(answer.figure, caption), caption),
        settings=tuple(answer.parameters.items()),
        fields=fields(dict(zip(_RESTS_ON, (*rests_on[:3], f"{release}."), strict=True)), entries.answers),
        code=answer.python,
        address=address,
        entries=entries,
    )
