"""Before an audit: how large it has to be to catch a promise that is wrong."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from numerics.audits import Claim
from numerics.trade_off import Bound
from pages.audit.promise import claims
from pages.audit.promise.questions import PowerBySize
from pages.server.budget import Budget, Visit, within
from pages.ui import chart, result_header
from pages.ui.skipped import error_boundary
from plotting.claims import power_figure
from reports.promises import in_words, named

_OFF_BY = 2.0


@dataclass(frozen=True)
class PlanWords:
    """What a view says of its plan.

    Attributes:
        enough: the sentence, with {needed}, {wrong} and {promised}.
        never: where no size suffices.
        of: what the size counts.
        rests_on: for whom it is computed.
    """

    enough: str
    never: str
    of: str
    rests_on: str


def draw(claim: Claim, level: float, question: Callable[[Claim, Claim, float], PowerBySize], words: PlanWords) -> None:
    """Draw how large the audit of a promise has to be, what it should catch, and its power by size."""
    answer = st.container(gap="xsmall")
    factor = claims.draw_off_by(_OFF_BY)
    truth = claims.wrong_by(claim, factor)
    if truth.parameter == claim.parameter:
        with answer:
            result_header.answer(f"No factor makes another promise of {named(claim)}: there is no audit to plan.")
        return
    with error_boundary("plan"):
        # As long as the visitor waits: how busy the machine is decides no answer.
        with within(Budget(is_cancelled=Visit().is_cancelled)), st.spinner("Planning …", show_time=True):
            found = question(claim, truth, level)
        needed = "" if found.needed is None else f"**{found.needed:,}**"
        template = words.never if found.needed is None else words.enough
        said = template.format(needed=needed, wrong=named(truth, truth.parameter), promised=named(claim))
        with answer:
            result_header.answer(said, Bound.ESTIMATE)
        chart.draw(power_figure(found.sizes, found.power, found.needed, words.of), said, key="audit.plan")
        st.caption(f"{in_words(claim)}. {words.rests_on}")
