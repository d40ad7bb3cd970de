"""Before an audit: how large it has to be to catch a promise that is wrong."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.audits import Claim, power_reached, runs_needed
from numerics.audits.one_run import canaries_needed, power
from numerics.deadline import UNLIMITED, Deadline
from numerics.trade_off import Bound, Floats
from pages.audit import claims
from pages.server.budget import Budget, Visit, within
from pages.server.shared_cache import shared_cache
from pages.ui import chart, result_header
from pages.ui.skipped import error_boundary
from plotting.claims import power_figure
from reports.promises import in_words, named

_OFF_BY = 2.0
_POINTS = 9
_FEWEST, _MOST = 20, 100_000


class PowerBySize(NamedTuple):
    """How likely an audit refutes at each of ``sizes``, and the size at which that is 4 in 5; None beyond a million."""

    sizes: Floats
    power: Floats
    needed: int | None


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


def draw(
    claim: Claim,
    level: float,
    question: Callable[[Claim, Claim, float], PowerBySize],
    words: PlanWords,
    answer: DeltaGenerator,
) -> None:
    """Draw in ``answer`` how large the audit of a promise has to be, what it should catch, and its power by size."""
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


# Nobody's data are in these questions, so that all sessions share the answers.


def _around(needed: int | None) -> Floats:
    """Sizes from an eighth of what is needed to twice as much."""
    low, high = (_FEWEST, _MOST) if needed is None else (max(needed / 8.0, _FEWEST), max(2.0 * needed, 3.0 * _FEWEST))
    sizes = np.round(np.geomspace(low, high, _POINTS))
    return np.unique(sizes if needed is None else np.append(sizes, needed))


@shared_cache
def one_run(claim: Claim, truth: Claim, level: float, deadline: Deadline = UNLIMITED) -> PowerBySize:
    """Of one run with so many canaries, by the best possible scores."""
    needed = canaries_needed(claim, truth, level, deadline=deadline)
    sizes = _around(needed)
    powers = [power(claim, truth, int(size), level=level, deadline=deadline) for size in sizes]
    return PowerBySize(sizes, np.array(powers), needed)


@shared_cache
def many_runs(claim: Claim, truth: Claim, level: float, deadline: Deadline = UNLIMITED) -> PowerBySize:
    """Of so many runs with the record and as many without, at least."""
    needed = runs_needed(claim, truth, level, deadline=deadline)
    sizes = _around(needed)
    powers = [power_reached(claim, truth, int(size), level, deadline) for size in sizes]
    return PowerBySize(sizes, np.array(powers), needed)
