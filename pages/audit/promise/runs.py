"""Many training runs, some with a record and some without: is the attack stronger than the promise allows?"""

from enum import StrEnum

import numpy as np
import streamlit as st

from losses import TableError
from numerics.audits import Claim, ClaimVerdict, Confidence, Scores, claim_verdict, measured_curve
from numerics.trade_off import Bound, TradeOffCurve, alpha_grid
from pages.audit import labelled_scores
from pages.audit.labelled_scores import LabelledScores, Words
from pages.audit.promise import claims, plan, questions, run_words
from pages.server.session_cache import session_cache
from pages.ui import chart, readout, uploads
from pages.ui.error_boundary import error_boundary
from pages.ui.segmented_control import segmented_control
from plotting.claims import promise_figure

KEYS = ("runs_from", *claims.KEYS)
_SLOT, _KEPT, _MOST_KEPT = "run_scores", "verdicts", 12
_ALPHA = alpha_grid(120, 1e-4)
_WORDS = Words(
    "A file with a score of every run, and whether the record was in",
    "Scores",
    "World",
    "With the record are",
    ("runs with the record", "runs without it"),
    fewest=2,
)


class Source(StrEnum):
    """Where an audit is; the values are the labels, and the values in the URL."""

    PLAN = "before the audit"
    FILE = "scores of runs"


def draw() -> None:
    """Draw the promise, and the plan of an audit or what it found."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        source = segmented_control(
            "Runs", list(Source), default=Source.PLAN, key="runs_from", label_visibility="collapsed"
        )
        claim = claims.draw()
    if claim is None:
        return
    if source == Source.PLAN:
        plan.draw(claim, questions.many_runs, run_words.PLAN)
        return
    found = labelled_scores.draw(_SLOT, _WORDS)
    level = claims.draw_level()
    if found is None:
        return
    if not st.checkbox(run_words.CONFIRM, key=f"confirmed_{hash(found.key)}", help=run_words.CONFIRMED):
        st.info("Without that no statement follows. Read what has to hold, and tick it.", icon=":material/help:")
        return
    try:
        with error_boundary("verdict"), st.spinner("Testing the promise …", show_time=True):
            _draw_answer(*_verdict(found, claim, level), claim)
    except TableError as problem:
        uploads.complain(problem)


def _verdict(found: LabelledScores, claim: Claim, level: float) -> tuple[ClaimVerdict, TradeOffCurve]:
    def made() -> tuple[ClaimVerdict, TradeOffCurve]:
        scores: Scores = found.scores
        region = measured_curve(scores, _ALPHA, Confidence(level, simultaneous=True))
        return claim_verdict(scores, claim, level), region

    return session_cache(_KEPT, (found.key, claim, level), _MOST_KEPT, made)


def _draw_answer(verdict: ClaimVerdict, region: TradeOffCurve, claim: Claim) -> None:
    readout.answer(run_words.sentence(verdict), Bound.AUDIT)
    st.markdown(run_words.meaning(verdict))
    assert region.lower is not None
    assert region.upper is not None
    reached = (region.upper.power, region.lower.power)
    alt = f"The most that the promise allows, and where the attack's curve runs. {run_words.sentence(verdict)}"
    chart.draw(promise_figure(_ALPHA, np.asarray(claim.power(_ALPHA)), reached, None), alt, key="promise_curve")
    st.caption(run_words.NOT_A_PROOF)
    readout.how(run_words.FORMULAS, run_words.ASSUMPTIONS, Bound.AUDIT, key="how_runs")
