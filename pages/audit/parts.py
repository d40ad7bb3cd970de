"""Parts side by side on the page: the sentence, the figure, the table, and how many models give away how much."""

from collections.abc import Callable

import streamlit as st

from numerics.audits import Scores, at_least, true_positive_rate
from numerics.trade_off import Bound
from pages.server.shared_cache import session_cache
from pages.ui import chart, downloads, result_header
from pages.ui.numbers_in_words import CROWD
from pages.ui.plain_text import literal
from reports import figures, parts
from reports.parts import Compared, ComparedParts

_KEPT, _MOST_KEPT = "audit.parts", 12
_COUNT = (
    "1 speaks of the most exposed one, the largest number of all of them. Choose before you look: the confidence "
    "is that of one number fixed beforehand."
)


def compared(every: ComparedParts, level: float) -> Compared:
    """What the parts show, from this session's results if it is among them."""
    return session_cache(_KEPT, (every.key, every.kind, level), _MOST_KEPT, lambda: parts.compared(every, level))


def draw(every: ComparedParts, level: float, *, is_headline: bool = False) -> None:
    """Draw the sentence, the figure and the table."""
    with st.spinner("Comparing …", show_time=True):
        found = compared(every, level)
    said = found.sentence(literal)
    if is_headline:
        result_header.answer(said, Bound.AUDIT)
    else:
        st.markdown(said)
    draw_figure(found)
    downloads.draw_table(found.table, width="stretch", alt=f"What is found of the {found.kind}.")
    st.caption(caption(found))


def draw_figure(found: Compared) -> None:
    """Draw the parts below each other, on an axis that all files share."""
    drawn = figures.of_parts(found)
    if drawn is not None:
        chart.draw(drawn.figure, drawn.caption, key=f"audit.parts_{found.kind}")


def caption(found: Compared) -> str:
    """What the limits hold for, and what the figure leaves out."""
    if sum(one.rate is not None for one in found.found) > figures.MOST_PARTS:
        return f"{found.caption} The figure has the {figures.MOST_PARTS} that show most."
    return found.caption


def draw_count(every: ComparedParts, level: float, alpha: float) -> None:
    """Draw the choice of how many models are spoken of, and what they give away at least."""
    models = len(every.names)
    count = st.number_input(
        f"{every.kind.capitalize()}, of {models:,}",
        1,
        models,
        1,
        key=f"audit.count_{every.kind}",
        width=180,
        help=_COUNT,
    )

    def found() -> float:
        return at_least(int(count), [_bound(one, alpha) for one in every.read()], level)

    least = session_cache("audit.counted_models", (every.key, int(count), alpha, level), _MOST_KEPT, found)
    one = every.kind.removesuffix("s")
    who = f"The most exposed {one} gives" if count == 1 else f"At least {count:,} of {models:,} {every.kind} give"
    who = f"Each of the {models:,} {every.kind} gives" if count == models else who
    st.markdown(
        f"{who} away at least **{int(least * CROWD):,} of {CROWD:,}** members at {round(alpha * CROWD):,} of {CROWD:,} "
        f"false alarms, with {100 * level:g} % confidence."
    )


def _bound(scores: Scores, alpha: float) -> Callable[[float], float]:
    return lambda level: true_positive_rate(scores, alpha, level).lower or 0.0
