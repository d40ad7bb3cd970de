"""The corrections as data: the numbering and kinds of docs/corrections.md, and evidence that decides as it says."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from scipy.stats import ncx2, norm

from docs import make_corrections
from numerics.trade_off import Bound
from pages.about import misprint_figure
from pages.about.correction import Correction, CorrectionKind
from pages.about.corrections_data import BY_NUMBER, CORRECTIONS, PAPERS
from pages.about.misprint import Misprint
from pages.about.misprints import DRAWN
from plotting import theme
from plotting.correction import CorrectionAxis, Deciding, DrawnLine, correction_figure
from plotting.dashes import dashes_figure
from tests import ROOT

DOCUMENT = (ROOT / "docs" / "corrections.md").read_text()
ENTRIES = dict(re.findall(r"^\*\*(\d+)\. (\w+)", DOCUMENT, re.MULTILINE))
WORDS = {
    CorrectionKind.MISPRINT: "Misprint",
    CorrectionKind.WRONG: "Wrong",
    CorrectionKind.UNSTATED: "Unstated",
    CorrectionKind.CHECKED: "Checked",
    CorrectionKind.NEW: "New",
}
DIGITS = 5e-4  # relative: exact evidence is given to four digits or more
STANDARD_ERRORS = 3.0
ASKED = {2, 3, 6, 8, 9, 10, 12, 15, 19, 28, 33, 38, 39, 40, 41, 42, 45, 47, 50, 51, 52}
drawn = pytest.mark.parametrize("comparison", DRAWN.values(), ids=[f"correction {number}" for number in DRAWN])


def test_numbers_and_kinds_are_those_of_the_document() -> None:
    assert [correction.number for correction in CORRECTIONS] == [int(number) for number in ENTRIES]
    assert {str(one.number): WORDS[one.kind] for one in CORRECTIONS} == ENTRIES


def test_the_document_is_what_its_script_makes_of_the_data() -> None:
    assert make_corrections.document() == DOCUMENT, "run python -m docs.make_corrections"


def test_papers_are_those_of_the_chapter() -> None:
    for chapter in re.split(r"^## Paper ", DOCUMENT, flags=re.MULTILINE)[1:]:
        for number in re.findall(r"^\*\*(\d+)\. ", chapter, re.MULTILINE):
            assert BY_NUMBER[int(number)].paper == chapter[:3]


@pytest.mark.parametrize("correction", CORRECTIONS, ids=lambda one: str(one.number))
def test_every_entry_says_what_why_and_how_it_is_known(correction: Correction) -> None:
    assert correction.paper in {paper.number for paper in PAPERS}
    for text in (correction.place, correction.title, correction.printed, correction.right, correction.why):
        assert text.strip()
        assert text.count("$") % 2 == 0
        assert text.count("{") == text.count("}")
    assert correction.evidence.rstrip().endswith((".", ")"))


def test_search_finds_words_in_any_order_and_only_those() -> None:
    found = [one.number for one in CORRECTIONS if one.matches("RADIUS noise")]
    assert 33 in found
    assert 2 not in found
    assert [one.number for one in CORRECTIONS if one.matches("no such word")] == []


def test_what_was_to_be_drawn_is_drawn_and_nothing_that_has_no_entry() -> None:
    assert set(DRAWN) >= ASKED
    assert set(DRAWN) <= set(BY_NUMBER)


@drawn
def test_evidence_stands_with_a_right_formula_and_against_the_wrong_ones(comparison: Misprint) -> None:
    for evidence in comparison.evidence:
        values = comparison.at(evidence)
        reach = max(STANDARD_ERRORS * evidence.error, DIGITS * abs(evidence.value), DIGITS)
        right = [v for v, line in zip(values, comparison.lines, strict=True) if line.bound is not None]
        wrong = [v for v, line in zip(values, comparison.lines, strict=True) if line.bound is None]
        assert min(abs(value - evidence.value) for value in right) <= reach
        assert min(abs(value - evidence.value) for value in wrong) > reach
        assert evidence.setting in comparison.slider.options


@drawn
def test_every_setting_has_finite_values_and_a_wrong_and_a_right_line(comparison: Misprint) -> None:
    assert {line.bound is None for line in comparison.lines} == {True, False}
    slider = comparison.slider
    options = {slider.options[0], slider.default, slider.options[-1]}
    for setting in options if comparison.number != 15 else {slider.default}:  # whose other settings take a second
        for line, values in zip(comparison.lines, comparison.values(setting), strict=True):
            assert values.shape == comparison.x.shape
            assert np.all(np.isfinite(values)), line.name


@drawn
def test_wrong_lines_are_named_so(comparison: Misprint) -> None:
    for line in comparison.lines:
        if line.bound is None:
            assert re.search(r"\((wrong.*|valid, not tight|safe, but loose)\)$", line.name)
        else:
            assert "wrong" not in line.name


def test_a_setting_that_is_no_option_is_the_default() -> None:
    comparison = DRAWN[2]
    assert comparison.setting(1.5) == 1.5
    assert comparison.setting("nan") == comparison.setting(1e9) == comparison.setting(None) == 1.0


def test_wrong_lines_are_dotted_with_crosses_and_right_ones_are_not() -> None:
    x = np.linspace(0.0, 1.0, 5)
    lines = [DrawnLine("as printed (wrong)", x, None), DrawnLine("right", x**2, Bound.EXACT)]
    lines.append(replace(lines[1], name="estimate", bound=Bound.ESTIMATE))
    figure = correction_figure(
        CorrectionAxis("x"), CorrectionAxis("y", log=True), x, lines, [Deciding(0.5, 0.25, 0.01, "evidence")]
    )
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    traces: Any = figure.data
    wrong, right, estimate, evidence = traces
    assert (wrong.line.dash, wrong.marker.symbol) == (theme.MISPRINT_DASH, "x")
    assert (right.line.dash, right.mode) == (theme.DASH[Bound.EXACT], "lines")
    assert (estimate.line.dash, estimate.mode) == (theme.DASH[Bound.ESTIMATE], "lines")
    assert len({wrong.line.color, right.line.color, estimate.line.color}) == 3
    assert evidence.error_y.value == 0.02
    assert figure.layout.yaxis.type == "log"


def test_the_specimen_shows_every_dash() -> None:
    figure = dashes_figure()
    go.Figure(figure.to_dict())
    traces: Any = figure.data
    assert [trace.line.dash for trace in traces] == [*theme.DASH.values(), theme.MISPRINT_DASH]
    assert [note.text for note in figure.layout.annotations][:-1] == [bound.value for bound in theme.DASH]


def test_the_data_warn_of_what_is_wrong_and_hold_what_is_drawn() -> None:
    correction, comparison = BY_NUMBER[8], DRAWN[8]
    values = comparison.values(1.0)
    notes = misprint_figure.header(correction, comparison, 1.0)
    lines = misprint_figure.data(comparison, values, notes).splitlines()
    assert "# never use these columns: as printed (wrong)" in lines
    first = [float(cell) for cell in next(line for line in lines if line[0].isdigit()).split(",")]
    assert first == [comparison.x[0], *(line[0] for line in values)]


def test_the_python_prints_the_numbers_that_decide(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = DRAWN[2]
    exec(compile(misprint_figure.snippet(comparison, 1.0), "snippet", "exec"), {})
    printed = capsys.readouterr().out
    assert "as printed (wrong): [" in printed
    assert "0.4055" in printed


ROUNDS = 200_000
SIMULATIONS: dict[int, Callable[[np.random.Generator], float]] = {}


def simulates(number: int) -> Callable[[Callable[[np.random.Generator], float]], None]:
    def note(simulation: Callable[[np.random.Generator], float]) -> None:
        SIMULATIONS[number] = simulation

    return note


@simulates(2)
def _reverse_test_of_laplace_noise(rng: np.random.Generator) -> float:
    threshold = np.arcsinh(0.3742 * np.e)  # P(|L + 1| <= c) = e^-1 sinh c
    return float(np.mean(np.abs(rng.laplace(size=ROUNDS)) > threshold))


@simulates(9)
def _weighted_sum_of_unequal_releases(rng: np.random.Generator) -> float:
    first, second = rng.normal(1.0, 1.0, ROUNDS), rng.normal(1.0, 3.0, ROUNDS)
    return float(np.mean(np.abs(first + second / 9.0) <= norm.isf(0.025) * np.sqrt(10.0 / 9.0)))


@simulates(38)
def _sum_of_sixteen_releases(rng: np.random.Generator) -> float:
    total = np.sum(rng.normal(0.25, 1.0, (16, ROUNDS)), axis=0)
    return float(np.mean(total > 4.0 * norm.isf(0.1)))


@simulates(42)
def _sampled_record(rng: np.random.Generator) -> float:
    release = rng.normal(size=ROUNDS) + 2.0 * (rng.random(ROUNDS) < 0.1)
    return float(np.mean(release > norm.isf(0.01)))


@simulates(45)
def _gradient_in_the_average(rng: np.random.Generator) -> float:
    d, n, k = 20, 50, 24.714627
    query = np.zeros(d)
    query[0] = np.sqrt(k)
    averages = (query + rng.normal(size=(ROUNDS // 4, d)) * np.sqrt(n - 1.0)) / n
    return float(np.mean(n * np.sum((averages - query) ** 2, axis=1) > ncx2.ppf(0.05, d, n * k)))


@simulates(51)
def _three_unequal_steps(rng: np.random.Generator) -> float:
    mu = np.array([0.5, 0.5, 2.0])
    evidence = rng.normal(mu, 1.0, (ROUNDS, 3)) @ mu
    return float(np.mean(evidence > norm.isf(0.1) * np.linalg.norm(mu)))


@pytest.mark.parametrize("number", SIMULATIONS)
def test_simulated_evidence_can_be_repeated(number: int) -> None:
    """The evidence took 4,000,000 rounds (45: 400,000); here fewer, so the tolerance is that of these."""
    evidence = DRAWN[number].evidence[0]
    found = SIMULATIONS[number](np.random.default_rng(number))
    error = np.sqrt(found * (1.0 - found) / (ROUNDS // 4 if number == 45 else ROUNDS))
    assert found == pytest.approx(evidence.value, abs=4.0 * (error + evidence.error))
