"""Scores of any attack on one model: how many members it names while falsely accusing few outsiders."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from losses import SAMPLES
from losses.table import LabelColumn
from numerics.audits import (
    AreaUnderCurve,
    Scores,
    TruePositiveRate,
    area_under_curve,
    ordered,
    roc_region,
    surely_gained,
    true_positive_rate,
)
from numerics.trade_off import Bound, TradeOffCurve, alpha_grid
from pages.audit import labelled_scores
from pages.audit.attack_scores import records, slices, words
from pages.audit.labelled_scores import LabelledScores, Words
from pages.audit.promise import claims
from pages.server.session_cache import session_cache
from pages.ui import chart, csv_tables, downloads, readout, uploads
from pages.ui.downloads import Downloads
from pages.ui.segmented_control import segmented_control
from plotting.roc import Axes, Measured, roc_figure

KEYS = ("scores_from", "scored_sample", "sure")
RATES = (0.01, 0.001)
_SLOT, _KEPT, _MOST_KEPT = "attack_scores", "attack scores", 12
_ALPHA = alpha_grid(120, 1e-4)
_AXES = Axes("Outsiders wrongly accused — share", "Members rightly accused")
_WORDS = Words("A file with a score and a membership in every row")
_SOURCES = ("a sample", "a file")


@dataclass(frozen=True, eq=False)
class Given:
    """Scores of one model; ``key`` tells them from all others, ``rows`` are those of an uploaded file."""

    key: tuple[str, ...]
    name: str
    read: Callable[[], Scores]
    python: str
    files: tuple[tuple[str, str], ...] = ()
    rows: LabelledScores | None = None


@dataclass(frozen=True, eq=False)
class Found:
    """What the scores show."""

    rates: tuple[TruePositiveRate, ...]
    area: AreaUnderCurve
    gained: float
    region: TradeOffCurve


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

    return Given(("sample", name), f"sample: {name}", read, code, ((sample.file, sample.digest),))


def _file() -> Given | None:
    rows = labelled_scores.draw(_SLOT, _WORDS)
    if rows is None:
        return None
    code = f"{rows.python}\nfrom numerics.audits import Scores\nscores = Scores(values[~is_in], values[is_in])"
    return Given(rows.key, rows.name, lambda: rows.scores, code, rows.files, rows)


def _found(given: Given, level: float) -> Found:
    def made() -> Found:
        scores = ordered(given.read())
        rates = tuple(true_positive_rate(scores, alpha, level) for alpha in RATES)
        area, gained = area_under_curve(scores, level), surely_gained(scores, level)
        return Found(rates, area, gained, roc_region(scores, _ALPHA, level))

    return session_cache(_KEPT, (given.key, level), _MOST_KEPT, made)


def _draw_answer(given: Given, level: float) -> None:
    with st.spinner("Measuring …", show_time=True):
        found = _found(given, level)
    said = words.sentence(found.rates[0], level)
    readout.answer(said, Bound.AUDIT)
    st.caption(words.details(found.rates[1], found.area, found.gained, level))
    region = found.region
    assert region.lower is not None
    assert region.upper is not None
    measured = Measured(_ALPHA, region.power, region.upper.power, region.lower.power)
    figure = roc_figure(measured, _AXES, marks=[(rate.alpha, rate.value) for rate in found.rates])
    chart.draw(figure, f"Members rightly accused against outsiders wrongly accused. {said}", key="scores_roc")
    st.caption(f"{uploads.literal(given.name)}. {words.NOT_A_PROOF}")
    if given.rows is not None:
        slices.draw(given.rows, [one for one in given.rows.columns.values() if isinstance(one, LabelColumn)], level)
        records.draw(given.rows)
    readout.how(words.FORMULAS, words.ASSUMPTIONS, Bound.AUDIT, key="how_scores")
    parameters = {
        "scores": given.name,
        "confidence": repr(level),
        "verdict": said.replace("*", ""),
        **{f"file {name}": f"SHA-256 {digest}" for name, digest in given.files},
    }
    table = {
        "false positive rate": _ALPHA,
        "true positive rate": measured.power,
        "at least": measured.low,
        "at most": measured.high,
    }
    code = (
        f"{given.python}\nfrom numerics.audits import area_under_curve, true_positive_rate\n"
        f"print(true_positive_rate(scores, {RATES[0]!r}, {level!r}))\nprint(area_under_curve(scores, {level!r}))\n"
    )
    downloads.draw(
        Downloads("attack-scores", figure, code, parameters, table=lambda: csv_tables.table(table, parameters))
    )
