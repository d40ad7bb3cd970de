"""Scores of any attack on one model: how many members it names while falsely accusing few outsiders."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from losses import SAMPLES
from losses.table import LabelColumn
from numerics.audits import Scores, ordered
from numerics.trade_off import Bound
from pages.audit import labelled_scores, take_away
from pages.audit.attack_scores import records, slices, words
from pages.audit.labelled_scores import LabelledScores, Words
from pages.audit.promise import claims
from pages.server.session_cache import session_cache
from pages.ui import chart, readout
from pages.ui.plain_text import literal
from pages.ui.segmented_control import segmented_control
from plotting.roc import Measured
from reports import attack_scores, figures
from reports.attack_scores import SCORES_IN_PYTHON, Shown
from reports.audit_report import Data

KEYS = ("scores_from", "scored_sample", "sure", *take_away.KEYS)
_SLOT, _KEPT, _MOST_KEPT = "attack_scores", "attack scores", 12
_WORDS = Words("A file with a score and a membership in every row")
_SOURCES = ("a sample", "a file")


@dataclass(frozen=True, eq=False)
class Given:
    """Scores of one model; ``key`` tells them from all others, ``rows`` are those of an uploaded file."""

    key: tuple[str, ...]
    read: Callable[[], Scores]
    data: Data
    rows: LabelledScores | None = None


def draw() -> None:
    """Draw where the scores come from, and what they show."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        source = segmented_control(
            "Scores from", _SOURCES, default=_SOURCES[0], key="scores_from", label_visibility="collapsed"
        )
        given = _sample() if source == _SOURCES[0] else None
    if source == _SOURCES[1]:
        given = _file()
    answer = st.container()
    level = claims.draw_level()
    if given is None:
        return
    with answer:
        _draw_answer(given, level)


def _sample() -> Given:
    names = [sample.name for sample in SAMPLES]
    name = segmented_control("Sample", names, default=names[0], key="scored_sample", label_visibility="collapsed")
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
    rows = labelled_scores.draw(_SLOT, _WORDS)
    if rows is None:
        return None
    return Given(rows.key, lambda: rows.scores, rows.data(SCORES_IN_PYTHON), rows)


def _found(given: Given, level: float) -> tuple[Shown, Measured]:
    def made() -> tuple[Shown, Measured]:
        scores = ordered(given.read())
        return attack_scores.measured(scores, level), figures.measured(scores, level)

    return session_cache(_KEPT, (given.key, level), _MOST_KEPT, made)


def _draw_answer(given: Given, level: float) -> None:
    with st.spinner("Measuring …", show_time=True):
        shown, curve = _found(given, level)
    report, drawn = attack_scores.report(shown, given.data), figures.of_scores(curve, shown)
    readout.answer(report.verdict[0], Bound.AUDIT)
    st.caption(report.verdict[1])
    chart.draw(drawn.figure, f"{drawn.caption} {report.verdict[0]}", key="scores_roc")
    st.caption(f"{literal(given.data.name)}. {attack_scores.NOT_A_PROOF}")
    if given.rows is not None:
        slices.draw(given.rows, [one for one in given.rows.columns.values() if isinstance(one, LabelColumn)], level)
        records.draw(given.rows)
    readout.how(words.FORMULAS, attack_scores.ASSUMPTIONS, Bound.AUDIT, key="how_scores")
    take_away.draw("attack-scores", report, drawn)
