"""Many training runs, some with a record and some without: is the attack stronger than the promise allows?"""

from enum import StrEnum

import streamlit as st

from numerics.audits import Claim, ClaimVerdict, Scores, claim_verdict, roc_region
from numerics.trade_off import Bound, Floats, TradeOffCurve, alpha_grid
from pages.audit import labelled_scores
from pages.audit.labelled_scores import LabelledScores, Words
from pages.audit.promise import claims, confirmation, plan, questions, run_words, take_away
from pages.server.session_cache import session_cache
from pages.ui import chart, readout
from pages.ui.error_boundary import error_boundary
from pages.ui.segmented_control import segmented_control
from plotting.roc import Axes, Measured, roc_figure

KEYS = ("runs_from", *claims.KEYS)
_SLOT, _KEPT, _MOST_KEPT = "run_scores", "verdicts", 12
_CAPTION = "Across: runs without the record that are accused. Up: runs with it that are, promised and measured."
_AXES = Axes("Runs without the record that are accused — share", "Runs with it that are")
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
    answer = st.container()
    level = claims.draw_level()
    if found is None:
        return
    with answer:
        if not confirmation.drawn(found.key, run_words.CONFIRMED):
            return
        with error_boundary("verdict"), st.spinner("Testing the promise …", show_time=True):
            _draw_answer(found, *_verdict(found, claim, level))


def _verdict(found: LabelledScores, claim: Claim, level: float) -> tuple[ClaimVerdict, TradeOffCurve]:
    def made() -> tuple[ClaimVerdict, TradeOffCurve]:
        scores: Scores = found.scores
        verdict = claim_verdict(scores, claim, level, deadline=confirmation.deadline())
        return verdict, roc_region(scores, _ALPHA, level)

    return session_cache(_KEPT, (found.key, claim, level), _MOST_KEPT, made)


def _draw_answer(found: LabelledScores, verdict: ClaimVerdict, region: TradeOffCurve) -> None:
    said = run_words.sentence(verdict), run_words.meaning(verdict)
    readout.answer(said[0], Bound.AUDIT)
    st.markdown(said[1])
    assert region.lower is not None
    assert region.upper is not None
    promised = verdict.test.claim.power(_ALPHA)
    measured = Measured(_ALPHA, region.power, region.upper.power, region.lower.power)
    place = run_words.place(verdict.test.cut)
    figure = roc_figure(measured, _AXES, promised, [] if place is None else [place])
    chart.draw(figure, f"{_CAPTION} {said[0]}", key="promise_curve")
    st.caption(run_words.NOT_A_PROOF)
    readout.how(run_words.FORMULAS, run_words.ASSUMPTIONS, Bound.AUDIT, key="how_runs")
    columns = {"false positive rate": _ALPHA, "promised at most": promised}
    columns |= {"reached": measured.low, "not exceeded": measured.high}
    take_away.draw(_verdict_of(found, verdict, said, columns), figure)


def _verdict_of(
    found: LabelledScores, verdict: ClaimVerdict, said: tuple[str, str], columns: dict[str, Floats]
) -> take_away.Verdict:
    claim, level = verdict.test.claim, verdict.test.level
    return take_away.Verdict(
        "runs-audit",
        "Do many runs refute the promise?",
        said,
        claim,
        level,
        run_words.ASSUMPTIONS,
        {"p-value": repr(verdict.test.p_value)},
        found.files,
        columns,
        f"{take_away.claim_in_python(claim)}\nfrom numerics.audits import Scores, claim_verdict\n{found.python}\n"
        f"scores = Scores(values[~is_in], values[is_in])\nprint(claim_verdict(scores, claim, {level!r}))\n",
        _CAPTION,
    )
