"""Scores of any attack on one model: how many members it names while falsely accusing few outsiders."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.audits import ordered
from numerics.trade_off import Bound
from pages.audit import claims, parts, records, take_away
from pages.audit.evidence import LabelledScores
from pages.server.shared_cache import session_cache
from pages.ui import chart, result_header, uploads
from pages.ui.plain_text import literal
from pages.ui.result_header import Formula
from plotting.claims import MeasuredRoc
from reports import attack_scores, figures
from reports.attack_scores import SCORES_IN_PYTHON, ScoreFindings
from reports.parts import SLICES, ComparedParts, kind_of, of_column

KEYS = ("audit.sure",)
_KEPT, _MOST_KEPT = "audit.attack_scores_kept", 12
_FORMULAS = (
    Formula(
        r"\Pr(\mathrm{TPR} \ge L) \ge 1 - r",
        "A threshold is a preset order statistic of the outsiders' scores, whose rate has a beta law; members above it "
        "are counted, with Clopper and Pearson's limit. Both share the risk r.",
        "Clopper and Pearson 1934",
    ),
    Formula(
        r"\mathrm{kl}(\hat{A}, A) \le \frac{\log(2 / r)}{\min(n_0, n_1)}",
        "The area under the curve is an average over disjoint pairs, so Chernoff's bound holds for it, ties or not. "
        "DeLong's interval beside it is an estimate.",
        "Hoeffding 1963, Section 5",
    ),
)


def draw(every: LabelledScores) -> None:
    """Draw what the scores show; of several models, what all of them show comes first."""
    of_models, sentence = st.container(), st.container()
    with st.popover("Settings", icon=":material/tune:"):
        level = claims.draw_level()
    models = every.rows.models
    if models is None:
        _draw_answer(every, None, level, sentence)
        return
    together = of_column(every.rows, models, kind_of([models.name]), every.key)
    with of_models:
        parts.draw(together, level, is_headline=True)
        parts.draw_count(together, level, parts.compared(together, level).alpha)
        if every.rows.records is not None:
            records.draw_of_models(lambda: every.rows, every.key)
        st.divider()
        name = uploads.choice("Look at one", "scores_looked_at", models.labels)
    one = session_cache("audit.scores_of_model", (*every.key, name), 1, lambda: every.of_model(name))
    _draw_answer(one, together, level, sentence)


def _found(given: LabelledScores, level: float) -> tuple[ScoreFindings, MeasuredRoc]:
    def made() -> tuple[ScoreFindings, MeasuredRoc]:
        scores = ordered(given.scores)
        return attack_scores.measured(scores, level), figures.measured(scores, level)

    return session_cache(_KEPT, (given.key, level), _MOST_KEPT, made)


def _draw_answer(given: LabelledScores, models: ComparedParts | None, level: float, sentence: DeltaGenerator) -> None:
    with st.spinner("Measuring …", show_time=True):
        shown, curve = _found(given, level)
    column = given.rows.slices
    slices = None if column is None else of_column(given.rows, column, SLICES, given.key)
    together = [parts.compared(one, level) for one in (models, slices) if one is not None]
    data = given.data(SCORES_IN_PYTHON)
    report, drawn = attack_scores.report(shown, data, together), figures.of_scores(curve, shown)
    with sentence:
        result_header.answer(report.verdict[0], Bound.AUDIT)
    chart.draw(drawn.figure, f"{drawn.caption} {report.verdict[0]}", key="audit.scores_roc")
    st.caption(report.verdict[1])
    st.caption(f"{literal(data.name)}. {attack_scores.NOT_A_PROOF}")
    if slices is not None:
        parts.draw(slices, level)
    records.draw_members(given.rows)
    result_header.how_computed(_FORMULAS, attack_scores.ASSUMPTIONS, Bound.AUDIT, key="audit.how_scores")
    take_away.offer_report(
        "attack-scores", report, drawn, [one for found in together if (one := figures.of_parts(found))]
    )
