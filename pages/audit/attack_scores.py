"""Scores of any attack on one model: how many members it names while falsely accusing few outsiders."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from losses import SAMPLES, LongRows
from numerics.audits import Scores, ordered
from numerics.trade_off import Bound
from pages.audit import labelled_scores, parts, records, take_away
from pages.audit.labelled_scores import LabelledScores, ScoresWords
from pages.audit.promise import claims
from pages.server.shared_cache import session_cache
from pages.ui import chart, result_header, uploads
from pages.ui.controls import segmented_control
from pages.ui.plain_text import literal
from pages.ui.result_header import Formula
from plotting.roc import MeasuredRoc
from reports import attack_scores, figures
from reports.attack_scores import SCORES_IN_PYTHON, ScoreFindings
from reports.audit_report import Data
from reports.parts import SLICES, ComparedParts, kind_of, of_column

KEYS = ("audit.scores_from", "audit.scored_sample", "audit.sure")
_SLOT, _KEPT, _MOST_KEPT = "audit.attack_scores", "audit.attack_scores_kept", 12
_WORDS = ScoresWords(
    "A file with scores: a row each with a membership, or a column for each group or model", has_roles=True
)
_SOURCES = ("a sample", "a file")


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


@dataclass(frozen=True, eq=False)
class Given:
    """Scores of one model; ``key`` tells them from all others.

    ``rows`` are this model's, of an uploaded file; ``models`` are all that it holds, where they are several.
    """

    key: tuple[str, ...]
    read: Callable[[], Scores]
    data: Data
    rows: LongRows | None = None
    models: LabelledScores | None = None


def draw() -> None:
    """Draw where the scores come from, and what they show."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        source = segmented_control(
            "Scores from", _SOURCES, default=_SOURCES[0], key="audit.scores_from", label_visibility="collapsed"
        )
        given = _sample() if source == _SOURCES[0] else None
    if source == _SOURCES[1]:
        given = _file()
    answer = st.container()
    level = claims.draw_level()
    if given is None:
        return
    with answer:
        _compare(given, level)
        _draw_answer(given, level)


def _compare(given: Given, level: float) -> None:
    """Draw what all models of the file show, before what one of them does."""
    every = _models(given)
    if every is None or given.models is None:
        return
    rows, key = given.models.rows, given.models.key
    parts.draw(every, level, is_headline=True)
    parts.draw_count(every, level, parts.compared(every, level).alpha)
    if rows.records is not None:
        records.draw_of_models(lambda: rows, key)
    st.divider()


def _models(given: Given) -> ComparedParts | None:
    if given.models is None or given.models.rows.models is None:
        return None
    rows, told = given.models.rows, given.models.rows.models
    return of_column(rows, told, kind_of([told.name]), given.models.key)


def _sample() -> Given:
    names = [sample.name for sample in SAMPLES]
    name = segmented_control("Sample", names, default=names[0], key="audit.scored_sample", label_visibility="collapsed")
    sample = SAMPLES[names.index(name)]
    code = (
        "from losses import SAMPLES\nfrom numerics.audits import Scores\n"
        f"groups = SAMPLES[{names.index(name)}].groups()\nscores = Scores(-groups.population, -groups.train)"
    )

    def read() -> Scores:
        groups = sample.groups()
        return Scores(-groups.population, -groups.train)

    return Given(("sample", name), read, Data(f"sample: {name}", ((sample.file, sample.digest),), code))


def _file() -> Given | None:
    found = labelled_scores.draw(_SLOT, _WORDS)
    if found is None:
        return None
    told = found.rows.models
    if told is None:
        return Given(found.key, lambda: found.scores, found.data(SCORES_IN_PYTHON), found.rows)
    name = uploads.choice("Look at one", "scores_looked_at", told.labels)
    rows = uploads.made(_SLOT, "model", (*found.key, name), lambda: found.rows.of_model(name))
    one = f"rows = rows.of_model({name!r})\nvalues, is_in = rows.values, rows.is_in\n{SCORES_IN_PYTHON}"
    data = replace(found.data(one), name=f"{name}, one of {len(told.labels):,} {kind_of([told.name])}")
    return Given((*found.key, name), lambda: rows.scores, data, rows, found)


def _found(given: Given, level: float) -> tuple[ScoreFindings, MeasuredRoc]:
    def made() -> tuple[ScoreFindings, MeasuredRoc]:
        scores = ordered(given.read())
        return attack_scores.measured(scores, level), figures.measured(scores, level)

    return session_cache(_KEPT, (given.key, level), _MOST_KEPT, made)


def _slices(given: Given) -> ComparedParts | None:
    if given.rows is None or given.rows.slices is None:
        return None
    return of_column(given.rows, given.rows.slices, SLICES, given.key)


def _draw_answer(given: Given, level: float) -> None:
    with st.spinner("Measuring …", show_time=True):
        shown, curve = _found(given, level)
    every = list(filter(None, (_models(given), _slices(given))))
    together = [parts.compared(one, level) for one in every]
    report, drawn = attack_scores.report(shown, given.data, together), figures.of_scores(curve, shown)
    result_header.answer(report.verdict[0], Bound.AUDIT)
    chart.draw(drawn.figure, f"{drawn.caption} {report.verdict[0]}", key="audit.scores_roc")
    st.caption(report.verdict[1])
    st.caption(f"{literal(given.data.name)}. {attack_scores.NOT_A_PROOF}")
    if (slices := _slices(given)) is not None:
        parts.draw(slices, level)
    if given.rows is not None:
        records.draw_members(given.rows)
    result_header.how_computed(_FORMULAS, attack_scores.ASSUMPTIONS, Bound.AUDIT, key="audit.how_scores")
    take_away.offer_report(
        "attack-scores", report, drawn, [one for found in together if (one := figures.of_parts(found))]
    )
