"""One training run with canaries, each in or out by a coin: does the code keep what was promised?"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import streamlit as st

from numerics.audits import Claim
from numerics.audits.one_run import Canaries, Finding, Guesses, Verdict, audit
from numerics.sampling import Adjacency
from numerics.trade_off import Bound
from pages.audit import labelled_scores
from pages.audit.labelled_scores import Words
from pages.audit.promise import canary_words, claims, plan, questions
from pages.server.session_cache import session_cache
from pages.ui import chart, readout
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import whole_box
from pages.ui.segmented_control import segmented_control
from plotting.claims import guesses_figure

KEYS = ("canaries_from", "canaries", "guessed", "right", *claims.KEYS)
_SLOT, _KEPT, _MOST_KEPT = "canary_scores", "findings", 12
_WORDS = Words(
    "A file with a score and a coin for every canary", "Scores", "Included", "Included are", ("included", "left out")
)


class Source(StrEnum):
    """Where an audit is; the values are the labels, and the values in the URL."""

    PLAN = "before the audit"
    FILE = "scores of canaries"
    COUNTS = "counts"


@dataclass(frozen=True)
class Measured:
    """Guesses about one run's canaries; ``key`` tells them from all others, ``make`` counts them."""

    key: tuple[object, ...]
    make: Callable[[], Guesses]


def draw() -> None:
    """Draw the promise, and the plan of an audit or what it found."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        source = segmented_control(
            "Canaries", list(Source), default=Source.PLAN, key="canaries_from", label_visibility="collapsed"
        )
        claim = claims.draw()
    if claim is None:
        return
    if source == Source.PLAN:
        plan.draw(claim, questions.one_run, canary_words.PLAN)
        return
    measured = _counts() if source == Source.COUNTS else _file()
    level = claims.draw_level()
    if measured is None:
        return
    if not st.checkbox(canary_words.CONFIRM, key=f"confirmed_{hash(measured.key)}", help=canary_words.CONFIRMED):
        st.info("Without that no statement follows. Read what has to hold, and tick it.", icon=":material/help:")
        return
    with error_boundary("verdict"), st.spinner("Testing the promise …", show_time=True):
        guesses, found = _finding(measured, claim, level)
        _draw_answer(guesses, claim, found)


def _finding(measured: Measured, claim: Claim, level: float) -> tuple[Guesses, Finding]:
    def made() -> tuple[Guesses, Finding]:
        guesses = measured.make()
        return guesses, audit(guesses, claim, level)

    return session_cache(_KEPT, (measured.key, claim, level), _MOST_KEPT, made)


def _counts() -> Measured:
    with st.container(horizontal=True):
        canaries = whole_box("Canaries", "canaries", (20, 10**8), 1_000)
        guessed = whole_box("Guesses made", "guessed", (1, 10**8), 100)
        right = whole_box("Guesses right", "right", (0, 10**8), 80)
    adjacency = _neighbours()
    return Measured(
        ("counts", canaries, guessed, right, adjacency),
        lambda: Guesses(canaries, (min(guessed, canaries),), (min(right, guessed, canaries),), adjacency),
    )


def _file() -> Measured | None:
    found = labelled_scores.draw(_SLOT, _WORDS)
    if found is None:
        return None
    adjacency = _neighbours()
    return Measured(
        (*found.key, adjacency), lambda: Canaries(found.values, np.asarray(found.is_in), adjacency).guesses()
    )


def _neighbours() -> Adjacency:
    left_out = st.radio(
        "A canary that is left out is", ["absent", "replaced by another record"], horizontal=True, key="left_out_is"
    )
    return Adjacency.ADD_REMOVE if left_out == "absent" else Adjacency.REPLACE_ONE


def _draw_answer(guesses: Guesses, claim: Claim, found: Finding) -> None:
    readout.answer(canary_words.sentence(guesses, claim, found), Bound.AUDIT)
    st.markdown(canary_words.meaning(claim, found))
    for note in found.notes:
        st.caption(f"{note.value.capitalize()}.")
    alt = f"Shares of right guesses at {len(guesses.counts)} numbers of guesses: {canary_words.rights(guesses)}."
    chart.draw(guesses_figure(guesses.counts, guesses.correct, found.critical), alt, key="canary_guesses")
    if found.verdict is not Verdict.REFUTED:
        st.caption(canary_words.NOT_A_PROOF)
    readout.how(canary_words.FORMULAS, canary_words.ASSUMPTIONS, Bound.AUDIT, key="how_canaries")
