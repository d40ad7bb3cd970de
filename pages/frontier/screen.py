"""What every view shows, in one order: the answer, the limit, the figures, and all else one step away below them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.trade_off import Bound
from pages.frontier import limit
from pages.frontier.limit import SLIDER, Limit, round_limits
from pages.ui import chart, knob, result_header, share
from pages.ui.knob import States
from pages.ui.numbers_in_words import quantity
from pages.ui.result_header import Formula
from pages.ui.share import Shared
from people_view import State
from plotting import theme
from plotting.motion import motions
from plotting.printed import drawing
from reports.audit_report import ReportFigure, plain
from reports.sheet import Rows

_ANSWER, _WARNING = "frontier.answer", "frontier.warning"


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
    note: str = ""


@dataclass(frozen=True)
class Places:
    """Where a view draws, from top to bottom.

    What is drawn below may be needed above, such as how a table is read: a view fills its places in any order.
    """

    answer: DeltaGenerator
    limit: DeltaGenerator
    figures: DeltaGenerator
    rest: DeltaGenerator

    @classmethod
    def empty(cls) -> "Places":
        """Drawn, with nothing in them."""
        return cls(st.container(gap="xsmall", key=_ANSWER), st.container(), st.container(), st.container())

    def draw_limit(self) -> Limit | None:
        """Draw the slider; None for a limit that leaves nothing to protect, or nothing that could, which is said."""
        with self.limit:
            limit.draw_slider()
        held = Limit.current()
        if not held.refusal:
            return held
        self.answer.warning(held.refusal, icon=":material/block:")
        return None

    def draw_said(self, said: Recommendation) -> None:
        """Draw the sentence as a heading; below it the verdict with what would puzzle, in one paragraph."""
        with self.answer:
            sentence, below = said.texts
            result_header.answer(sentence)
            if below:
                st.markdown(below)
            if said.warning:
                with st.container(key=_WARNING):
                    st.warning(said.warning, icon=":material/warning:")

    def draw_panels(self, panels: Sequence[Panel]) -> None:
        """Draw figures beside each other, on a phone below each other; what each is stands below it, with its note."""
        for column, panel in zip(self.figures.columns(len(panels), gap="medium"), panels, strict=True):
            with column:
                draw_panel(panel)

    def draw_rest(
        self,
        said: Recommendation,
        parts: tuple[str, Mapping[str, Callable[[], None]]],
        computed: tuple[Sequence[Formula], Sequence[str], Bound | Iterable[Bound], float],
        shared: Shared,
    ) -> None:
        """Draw what is one step away: further ``parts`` by a key, how all is ``computed``, and what can be taken.

        Of the parts the one that is asked for is drawn; the others are not computed. What is said is read aloud.
        """
        with self.rest:
            key, more = parts
            part = st.segmented_control("More", list(more), key=key, bind="query-params", wrap=True)
            if part is not None and part in more:
                with st.container(border=True):
                    more[part]()
            result_header.how_computed(*computed)
            share.offer(shared)
            result_header.aria_live(said.sentence, said.verdict, said.warning)

    def draw_motion(self, held: Limit, found: Callable[[], States]) -> None:
        """Let the slider move answer and figures while it is dragged; last of a view. A warning is pale meanwhile."""
        with self.rest:
            knob.draw(SLIDER, quantity(held.count), found, [_WARNING])


def draw_panel(panel: Panel) -> None:
    """Draw a figure with its name and its note."""
    with st.container(gap="xxsmall"):
        chart.draw(panel.figure, panel.alt.replace("*", ""), key=panel.key)
        st.caption(f"**{panel.title}.** {panel.note}")


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


def on_sheet(figure: theme.Figure, caption: str) -> ReportFigure:
    """A view's first figure as its sheet has it."""
    return ReportFigure(drawing(figure, caption), caption)
