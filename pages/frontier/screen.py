"""What every view shows, in one order: the answer, the limit, the figures, and all else one step away below them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.frontier.limit import SLIDER, Limit, round_limits
from pages.ui import chart, knob, result_header
from pages.ui.knob import States
from pages.ui.numbers_in_words import quantity
from people_view import State
from plotting import theme
from plotting.motion import motions
from plotting.printed import drawing
from reports.audit_report import ReportFigure, plain
from reports.sheet import Rows

_ANSWER = "frontier.answer"


@dataclass(frozen=True)
class Recommendation:
    """What to choose for the limit in force, and what that costs; in Markdown.

    ``reason`` is why what looks odd is so, such as a weaker attacker that costs more; ``warning`` is of a limit that
    protects little, or a promise that was passed. Both are empty where there is nothing to say.
    """

    sentence: str
    verdict: str = ""
    reason: str = ""
    warning: str = ""

    @property
    def texts(self) -> tuple[str, str]:
        """The two texts that move with the limit: the sentence, and the verdict with what would puzzle."""
        return self.sentence, " ".join(filter(None, (self.verdict, self.reason)))

    @property
    def facts(self) -> Rows:
        """What stands below the verdict of a sheet, by name."""
        told = (("Standing", self.verdict), ("Why", self.reason), ("Mind", self.warning))
        return tuple((name, plain(words)) for name, words in told if words)


@dataclass(frozen=True, eq=False)
class Panel:
    """A figure: what it is, what it says to somebody who does not see it, and how it is read."""

    title: str
    figure: theme.Figure
    alt: str
    key: str
    note: str


@dataclass(frozen=True)
class Places:
    """Where a view draws, from top to bottom.

    What is drawn below may be needed above, such as how a table is read: a view fills its places in any order.
    """

    answer: DeltaGenerator
    limit: DeltaGenerator
    figures: DeltaGenerator
    rest: DeltaGenerator


def places() -> Places:
    """Empty places."""
    return Places(st.container(gap="xsmall", key=_ANSWER), st.container(), st.container(), st.container())


def draw_said(place: DeltaGenerator, said: Recommendation) -> None:
    """Draw the sentence as a heading; below it the verdict with what would puzzle, in one paragraph."""
    with place:
        sentence, below = said.texts
        result_header.answer(sentence)
        if below:
            st.markdown(below)
        if said.warning:
            st.warning(said.warning, icon=":material/warning:")


def draw_panels(place: DeltaGenerator, panels: Sequence[Panel]) -> None:
    """Draw figures beside each other, on a phone below each other; what each is stands below it, with its note."""
    for column, panel in zip(place.columns(len(panels), gap="medium"), panels, strict=True):
        with column, st.container(gap="xxsmall"):
            chart.draw(panel.figure, panel.alt.replace("*", ""), key=panel.key)
            st.caption(f"**{panel.title}.** {panel.note}")


def draw_parts(key: str, parts: Mapping[str, Callable[[], None]]) -> None:
    """Draw the names of a view's further parts, and the one that is asked for; the others are not computed."""
    part = st.segmented_control("More", list(parts), key=key, bind="query-params", wrap=True)
    if part is not None and part in parts:
        with st.container(border=True):
            parts[part]()


def states(alpha: float, shown: Callable[[Limit], tuple[Recommendation, Sequence[Panel]]]) -> States:
    """What a view says and draws at every round limit of the slider, by how the slider shows it."""
    seen = {quantity(limit.count): shown(limit) for limit in round_limits(alpha)}
    drawn: dict[str, dict[str, theme.Figure]] = {}
    for place, (_, panels) in seen.items():
        for panel in panels:
            drawn.setdefault(panel.key, {})[place] = panel.figure
    moved = {key: motions(figures) for key, figures in drawn.items()}
    return States(
        {
            place: State({_ANSWER: said.texts}, {key: moved[key][place] for key in moved})
            for place, (said, _) in seen.items()
        }
    )


def draw_motion(limit: Limit, found: Callable[[], States]) -> None:
    """Let the slider move answer and figures while it is dragged; last of a view."""
    knob.draw(SLIDER, quantity(limit.count), found)


def on_sheet(figure: theme.Figure, caption: str) -> ReportFigure:
    """A view's first figure as its sheet has it."""
    return ReportFigure(drawing(figure, caption), caption)
