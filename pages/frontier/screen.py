"""What every view shows, in one order: the answer, the limit, the figures, and all else one step away below them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.trade_off import Bound
from pages.ui import chart, readout, share
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


def draw_answer(place: DeltaGenerator, answer: Recommendation) -> None:
    """Draw the sentence as a heading; below it the verdict with what would puzzle, in one paragraph."""
    with place:
        readout.answer(answer.sentence, answer.bound)
        if below := " ".join(filter(None, (answer.verdict, answer.reason))):
            st.markdown(below)
        if answer.warning:
            st.warning(answer.warning, icon=":material/warning:")


def draw_figures(place: DeltaGenerator, panels: Sequence[Panel]) -> None:
    """Draw figures beside each other, on a phone below each other."""
    for column, panel in zip(place.columns(len(panels), gap="medium"), panels, strict=True):
        with column, st.container(gap="xxsmall"):
            draw_panel(panel)


def draw_panel(panel: Panel) -> None:
    """Draw a figure between its title and its note."""
    st.markdown(f"**{panel.title}**")
    chart.draw(panel.figure, panel.alt.replace("*", ""), key=panel.key)
    if panel.note:
        st.caption(panel.note)


def with_sheet(
    shared: Shared, answer: Recommendation, release: str, rests_on: tuple[str, ...], figure: theme.Figure, caption: str
) -> Shared:
    """What is taken away, with the sheet of the answer: which noise keeps the limit, and what it costs."""
    said = (("Limit", _ICON.sub("", answer.verdict)), ("Why", answer.reason), ("Mind", answer.warning))

    def filled(address: str, entries: Entries) -> Sheet:
        return Sheet(
            about="noise that keeps a limit",
            subject=release,
            standing=Standing.OPEN,
            verdict=answer.sentence,
            facts=tuple((name, plain(words)) for name, words in said if words),
            rests_on=rests_on,
            figure=ReportFigure(drawing(figure, caption), caption),
            settings=tuple(shared.parameters.items()),
            fields=fields(dict(zip(_RESTS_ON, (*rests_on[:3], f"{release}."), strict=True)), entries.answers),
            code=shared.python,
            address=address,
            entries=entries,
        )

    return replace(shared, sheet=filled)


def draw_end(shared: Shared, answer: Recommendation) -> None:
    """Offer what can be taken away, and have the answer said to who does not see it."""
    share.offer(shared)
    readout.announce(answer.sentence, answer.verdict, answer.warning)
