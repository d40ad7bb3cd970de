"""Many training runs, some with a record and some without: is the attack stronger than the promise allows?"""

from enum import StrEnum

import streamlit as st

from numerics.audits import Claim, ClaimVerdict, Scores, claim_verdict
from numerics.trade_off import Bound
from pages.audit import labelled_scores, take_away
from pages.audit.labelled_scores import LabelledScores, ScoresWords
from pages.audit.promise import claims, confirmation, plan, questions
from pages.audit.promise.plan import PlanWords
from pages.server.shared_cache import session_cache
from pages.ui import chart, result_header
from pages.ui.controls import segmented_control
from pages.ui.result_header import Formula
from pages.ui.skipped import error_boundary
from plotting.roc import MeasuredRoc
from reports import figures, promises

KEYS = ("audit.runs_from", *claims.KEYS)
_SLOT, _KEPT, _MOST_KEPT = "audit.run_scores", "audit.verdicts", 12
_WORDS = ScoresWords(
    "A file with a score of every run, and whether the record was in",
    "Scores",
    "World",
    "With the record are",
    ("runs with the record", "runs without it"),
    fewest=2,
)


_PLAN = PlanWords(
    "{needed} runs with the record and as many without catch {wrong} in place of the promised {promised} in 4 of 5 "
    "such audits.",
    "Not even ten million runs catch {wrong} in place of the promised {promised} in 4 of 5 audits.",
    "Runs with the record, and as many without",
    "Computed for the best attack there is; a weaker one needs more runs.",
)
_FORMULAS = (
    Formula(
        r"p_j = \mathrm{E}_U\, \Pr\bigl(\mathrm{Bin}(n_1, F(U)) \ge a\bigr), \quad U \sim \mathrm{B}(j, n_0 - j + 1)",
        "At the j-th largest of n₀ scores without the record, a of the n₁ scores with it lie above; F is the most that "
        "the promise allows. All four ways to read the scores are tried at preset ranks, and the p-values are "
        "multiplied by their number.",
        "beyond the papers; the ranks' beta law and the union bound",
    ),
)


class RunSource(StrEnum):
    """Where an audit is; the values are the labels, and the values in the URL."""

    PLAN = "before the audit"
    FILE = "scores of runs"


def draw() -> None:
    """Draw the plan of an audit or what it found, and below it the promise."""
    source = segmented_control(
        "Runs", list(RunSource), default=RunSource.PLAN, key="audit.runs_from", label_visibility="collapsed"
    )
    found = labelled_scores.draw(_SLOT, _WORDS) if source == RunSource.FILE else None
    answer = st.container()
    claim, level = claims.draw_with_level()
    if claim is None or (found is None and source != RunSource.PLAN):
        return
    with answer:
        if found is None:
            plan.draw(claim, level, questions.many_runs, _PLAN)
            return
        if not confirmation.drawn(found.key, promises.RUNS_CONFIRMED):
            return
        with error_boundary("verdict"), st.spinner("Testing the promise …", show_time=True):
            _draw_answer(found, *_verdict(found, claim, level))


def _verdict(found: LabelledScores, claim: Claim, level: float) -> tuple[ClaimVerdict, MeasuredRoc]:
    def made() -> tuple[ClaimVerdict, MeasuredRoc]:
        scores: Scores = found.scores
        verdict = claim_verdict(scores, claim, level, deadline=confirmation.deadline())
        return verdict, figures.measured(scores, level)

    return session_cache(_KEPT, (found.key, claim, level), _MOST_KEPT, made)


def _draw_answer(found: LabelledScores, verdict: ClaimVerdict, curve: MeasuredRoc) -> None:
    report, drawn = promises.report_of_runs(verdict, found.data()), figures.of_runs(curve, verdict)
    result_header.answer(report.verdict[0], Bound.AUDIT)
    chart.draw(drawn.figure, f"{drawn.caption} {report.verdict[0]}", key="audit.promise_curve")
    st.markdown(report.verdict[1])
    st.caption(promises.RUNS_PROVE_NOTHING)
    result_header.how_computed(_FORMULAS, promises.RUNS_ASSUMPTIONS, Bound.AUDIT, key="audit.how_runs")
    take_away.offer_report("runs-audit", report, drawn)
