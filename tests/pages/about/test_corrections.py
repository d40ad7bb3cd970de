"""The corrections as data: what they quote, the numbers and kinds of docs/corrections.md, and evidence that decides."""

import ast
import json
import re
from collections.abc import Callable
from dataclasses import fields, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import pytest
from scipy.stats import ncx2, norm

from data import make_excerpts
from docs import make_corrections
from numerics.epsilon_star.normal_ratios import normal_values
from numerics.shipped import DATA
from numerics.trade_off import Bound
from pages.about import comparison_figure
from pages.about.comparison import IN_OUR_COPY, IN_THE_PAPER, Comparison
from pages.about.comparisons import DRAWN
from pages.about.correction import CorrectionKind
from pages.about.corrections_data import BY_NUMBER, CORRECTIONS, PAPERS, WITHDRAWN
from pages.papers.papers import BY_ADDRESS as PAPER_FIGURES
from plotting import theme
from plotting.correction import CorrectionAxis, Deciding, DrawnLine, correction_figure
from plotting.dashes import dashes_figure
from tests import ROOT

DOCUMENT = (ROOT / "docs" / "corrections.md").read_text(encoding="utf-8")
ENTRIES = dict(re.findall(r"^\*\*(\d+)\. ([^:]+):", DOCUMENT, re.MULTILINE))
EXCERPTS = json.loads((DATA / make_excerpts.NAME).read_text(encoding="utf-8"))["excerpts"]
QUOTATIONS = [(one, quotation) for one in CORRECTIONS for quotation in (*one.verbatim, *one.elsewhere)]
# Words that say of a paper that it errs; error rates are none.
ACCUSING = re.compile(r"\b(?:(?i:wrong|misprint|mistak|incorrect)\w*|false(?! (?:positive|negative|alarm)| \*))")
OF_A_PAPER = re.compile(r"[Pp]aper|\bprint\b|Theorem|Thm|Lemma|Cor(?:ollary|\.)|Eqs?\.|[Cc]orrections? \d")
DIGITS = 5e-4  # relative: exact evidence is given to four digits or more
STANDARD_ERRORS = 3.0
LAYERS = ("numerics", "plotting", "losses", "reports", "pages", "people_view", "benchmarks", "data", "docs")
LABELS = {IN_THE_PAPER, "In the paper (wrong)"}
ASKED = {2, 3, 6, 8, 9, 12, 15, 19, 28, 33, 38, 39, 40, 41, 45, 47, 50, 51, 52}
drawn = pytest.mark.parametrize("comparison", DRAWN.values(), ids=[f"correction {number}" for number in DRAWN])


def test_numbers_and_kinds_are_those_of_the_document() -> None:
    assert [correction.number for correction in CORRECTIONS] == [int(number) for number in ENTRIES]
    assert {str(one.number): one.kind for one in CORRECTIONS} == {n: kind.lower() for n, kind in ENTRIES.items()}


def test_quotations_stand_in_the_shipped_excerpt_at_their_paper_and_line() -> None:
    for one, quotation in QUOTATIONS:
        there = [cut["text"] for cut in EXCERPTS if (cut["paper"], cut["line"]) == (one.paper, quotation.line)]
        assert any(text.count(quotation.text) == 1 for text in there), one.number
        assert len(quotation.text) >= 10, one.number
    for one in CORRECTIONS:
        here = [cut["text"] for cut in EXCERPTS if cut["paper"] == one.paper]
        for words in re.findall("“([^”]+)”", f"{one.title} {one.says}"):
            assert any(words in text for text in here), f"{one.number}: {words}"


def test_the_excerpt_has_nothing_but_what_is_quoted_and_a_little_around_it() -> None:
    quoted = {(one.paper, quotation.line, quotation.text) for one, quotation in QUOTATIONS}
    assert len(EXCERPTS) == len(quoted)
    for excerpt in EXCERPTS:
        here = [text for paper, line, text in quoted if (paper, line) == (excerpt["paper"], excerpt["line"])]
        assert any(
            text in excerpt["text"] and len(excerpt["text"]) <= len(text) + 2 * make_excerpts.AROUND for text in here
        )


def test_excerpts_are_cut_from_a_copy_and_what_it_does_not_have_is_refused() -> None:
    copies = {paper.number: [""] * 2000 for paper in PAPERS}
    for one, quotation in QUOTATIONS:
        if quotation.text not in copies[one.paper][quotation.line - 1]:
            copies[one.paper][quotation.line - 1] += f" {quotation.text}"
    for one, quotation in QUOTATIONS:  # where a shorter quotation came before the longer one that has it
        if copies[one.paper][quotation.line - 1].count(quotation.text) > 1:
            copies[one.paper][quotation.line - 1] = max(
                (q.text for other, q in QUOTATIONS if (other.paper, q.line) == (one.paper, quotation.line)), key=len
            )
    made = make_excerpts.excerpts({number: "\n".join(lines) for number, lines in copies.items()})["excerpts"]
    assert [(one["paper"], one["line"]) for one in made] == [(one["paper"], one["line"]) for one in EXCERPTS]
    copies["000"][127] = ""  # the line of correction 2
    with pytest.raises(ValueError, match=r"000, line 128: .* occurs 0 times"):
        make_excerpts.excerpts({number: "\n".join(lines) for number, lines in copies.items()})


def sentences(path: Path) -> list[str]:
    """Those of all texts in a file of code, or of a document, if it says anything of the sort."""
    text = path.read_text(encoding="utf-8")
    if not (ACCUSING.search(text) and OF_A_PAPER.search(text)):
        return []
    nodes = ast.walk(ast.parse(text)) if path.suffix == ".py" else [ast.Constant(text)]
    said = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    return [sentence for one in said for sentence in re.split(r"(?<=[.;])\s|\n\n|\|", one)]


def test_no_other_text_calls_a_paper_wrong_without_an_entry_that_says_so() -> None:
    wrong = {one.number for one in CORRECTIONS if one.kind is CorrectionKind.WRONG}
    documents = {*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")} - {ROOT / "docs" / "corrections.md"}
    accusing = [
        (path.name, sentence)
        for path in [*product_files(), *documents]
        if path.name not in HISTORY
        for sentence in sentences(path)
        if ACCUSING.search(sentence) and OF_A_PAPER.search(sentence) and sentence not in LABELS
    ]
    assert accusing
    assert [one for one in accusing if not cited(one[1]) or cited(one[1]) - wrong] == []


def test_a_paper_is_called_wrong_only_where_no_reading_helps() -> None:
    for one in CORRECTIONS:
        if one.kind is not CorrectionKind.WRONG:
            drawn = DRAWN.get(one.number)
            said = [getattr(one, field.name) for field in fields(one)] + (
                [line.name for line in drawn.lines] if drawn else []
            )
            assert not any(isinstance(text, str) and ACCUSING.search(text) for text in said), one.number


def test_withdrawn_numbers_are_no_entries_and_say_why() -> None:
    assert set(WITHDRAWN) == {10, 29, 42}
    assert not set(WITHDRAWN) & (set(BY_NUMBER) | set(DRAWN))
    assert set(WITHDRAWN) | set(BY_NUMBER) == set(range(1, max(BY_NUMBER) + 1))
    for one in WITHDRAWN.values():
        assert one.because.endswith(".")
        assert f"**{one.number}, withdrawn,** because {one.because}" in DOCUMENT


CITED = re.compile(r"[Cc]orrections?(?:\s+|=\()(\d+(?:(?:,\s*(?:and\s+)?|\s+and\s+|\s+to\s+|-)\d+)*)")
HISTORY = {"CHANGELOG.md"}


def product_files() -> list[Path]:
    return [path for layer in LAYERS for path in (ROOT / layer).rglob("*.py")]


def cited(text: str) -> set[int]:
    """Numbers in "correction 3", "corrections 8, 9 and 11" and "corrections 45 to 48"."""
    found: set[int] = set()
    for numbers in CITED.findall(text):
        for low, high in re.findall(r"(\d+)(?:(?:\s+to\s+|-)(\d+))?", numbers):
            found |= set(range(int(low), int(high or low) + 1))
    return found


def test_every_correction_that_is_cited_is_an_entry() -> None:
    """In code and documents, but for the changelog, which tells what was, and for the titles of what was withdrawn."""
    assert cited("corrections 8, 9 and 11; correction 2 (corrections=(45-47, 50))") == {2, 8, 9, 11, 45, 46, 47, 50}
    others = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md"), *(ROOT / "tests").rglob("*.py")]
    files = [path for path in (*product_files(), *others) if path.name not in HISTORY]
    read = {path: cited(path.read_text(encoding="utf-8")) for path in files}
    assert len(set().union(*read.values())) > 40
    assert {path: lost for path, numbers in read.items() if (lost := numbers - set(BY_NUMBER))} == {}
    for entry in PAPER_FIGURES.values():
        assert set(entry.corrections) <= set(BY_NUMBER), entry.name


def test_the_document_is_what_its_script_makes_of_the_data() -> None:
    assert make_corrections.document() == DOCUMENT, "run python -m docs.make_corrections"


def test_papers_are_those_of_the_chapter() -> None:
    for chapter in re.split(r"^## Paper ", DOCUMENT, flags=re.MULTILINE)[1:]:
        for number in re.findall(r"^\*\*(\d+)\. ", chapter, re.MULTILINE):
            assert BY_NUMBER[int(number)].paper == chapter[:3]


def test_every_entry_says_what_why_and_how_it_is_known() -> None:
    for one in CORRECTIONS:
        assert one.paper in {paper.number for paper in PAPERS}
        for text in (one.place, one.title, one.says, one.holds, one.why):
            assert text.strip(), one.number
            assert (text.count("$") % 2, text.count("{")) == (0, text.count("}")), one.number
        assert one.evidence.rstrip().endswith((".", ")")), one.number
        assert bool(one.verbatim) == (one.kind is not CorrectionKind.NEW), one.number


def test_search_finds_words_in_any_order_and_only_those() -> None:
    found = [one.number for one in CORRECTIONS if one.matches("RADIUS noise")]
    assert 33 in found
    assert 2 not in found
    assert [one.number for one in CORRECTIONS if one.matches("no such word")] == []


def test_what_was_to_be_drawn_is_drawn_and_nothing_that_has_no_entry() -> None:
    assert set(DRAWN) >= ASKED
    assert set(DRAWN) <= set(BY_NUMBER)


@drawn
def test_evidence_stands_with_what_holds_and_against_what_does_not(comparison: Comparison) -> None:
    for evidence in comparison.evidence:
        values = comparison.at(evidence)
        reach = max(STANDARD_ERRORS * evidence.error, DIGITS * abs(evidence.value), DIGITS)
        right = [v for v, line in zip(values, comparison.lines, strict=True) if line.bound is not None]
        wrong = [v for v, line in zip(values, comparison.lines, strict=True) if line.bound is None]
        assert min(abs(value - evidence.value) for value in right) <= reach
        assert min(abs(value - evidence.value) for value in wrong) > reach
        assert evidence.setting in comparison.slider.options


def test_the_sensitivities_of_the_data_of_correction_35_are_those_of_one_replaced_record() -> None:
    """All halves of the eight records, with either exponent of the special element."""
    said = [float(number) for number in re.findall(r"\d\.\d{2,}", BY_NUMBER[35].evidence)]
    for exponent, sensitivity in zip((-0.5, 0.5), said, strict=True):
        records = [*(2.0 ** np.arange(7)), 70.0**exponent - 7.0]
        released = {half: 1.0 / sum(records[i] for i in half) for half in combinations(range(8), 4)}
        steps = [abs(released[a] - released[b]) for a in released for b in released if len({*a} & {*b}) == 3]
        assert max(steps) == pytest.approx(sensitivity, abs=5e-4)


def test_the_formula_of_correction_44_gives_its_number_at_the_setting_it_states() -> None:
    said = BY_NUMBER[44].evidence
    batch, k, alpha = (float(re.findall(f"{name} ([\\d.]+\\d)", said)[0]) for name in ("effective batch", "K =", "α ="))
    threshold = batch / (batch - 1.0) * ncx2.ppf(alpha, 20, batch * k)
    assert f"formula {ncx2.sf(threshold, 20, (batch - 1.0) * k):.4f}" in said


@drawn
def test_every_setting_has_finite_values_and_lines_of_both_sorts(comparison: Comparison) -> None:
    assert {line.bound is None for line in comparison.lines} == {True, False}
    slider = comparison.slider
    options = {slider.options[0], slider.default, slider.options[-1]}
    for setting in options if comparison.number != 15 else {slider.default}:  # whose other settings take a second
        for line, values in zip(comparison.lines, comparison.values(setting), strict=True):
            assert values.shape == comparison.x.shape
            assert np.all(np.isfinite(values)), line.name


@drawn
def test_lines_are_named_by_the_kind_of_their_entry(comparison: Comparison) -> None:
    kind = BY_NUMBER[comparison.number].kind
    for line in comparison.lines:
        if line.bound is None:
            assert ("(wrong)" in line.name) == (kind is CorrectionKind.WRONG)
            assert kind is not CorrectionKind.COPY or IN_OUR_COPY in line.name
        else:
            assert not ACCUSING.search(line.name)


def test_a_setting_that_is_no_option_is_the_default() -> None:
    comparison = DRAWN[2]
    assert comparison.setting(1.5) == 1.5
    assert comparison.setting("nan") == comparison.setting(1e9) == comparison.setting(None) == 1.0


def test_lines_that_do_not_hold_are_dotted_with_crosses_and_the_others_are_not() -> None:
    x = np.linspace(0.0, 1.0, 5)
    lines = [DrawnLine("in the paper (wrong)", x, None), DrawnLine("right", x**2, Bound.EXACT)]
    lines.append(replace(lines[1], name="estimate", bound=Bound.ESTIMATE))
    figure = correction_figure(
        CorrectionAxis("x"), CorrectionAxis("y", log=True), x, lines, [Deciding(0.5, 0.25, 0.01, "evidence")]
    )
    go.Figure(figure.to_dict())  # pages skip Plotly's own check of attributes; here it runs
    traces: Any = figure.data
    wrong, right, estimate, evidence = traces
    assert (wrong.line.dash, wrong.marker.symbol) == (theme.NOT_VALID_DASH, "x")
    assert (right.line.dash, right.mode) == (theme.DASH[Bound.EXACT], "lines")
    assert (estimate.line.dash, estimate.mode) == (theme.DASH[Bound.ESTIMATE], "lines")
    assert len({wrong.line.color, right.line.color, estimate.line.color}) == 3
    assert evidence.error_y.value == 0.02
    assert figure.layout.yaxis.type == "log"


def test_the_specimen_shows_every_dash() -> None:
    figure = dashes_figure()
    go.Figure(figure.to_dict())
    traces: Any = figure.data
    assert [trace.line.dash for trace in traces] == [*theme.DASH.values(), theme.NOT_VALID_DASH]
    assert [note.text for note in figure.layout.annotations][:-1] == [bound.value for bound in theme.DASH]


def test_the_data_warn_of_what_does_not_hold_and_hold_what_is_drawn() -> None:
    correction, comparison = BY_NUMBER[8], DRAWN[8]
    values = comparison.values(1.0)
    notes = comparison_figure.header(correction, comparison, 1.0)
    lines = comparison_figure.data(comparison, values, notes).splitlines()
    assert f"# not what holds: {IN_OUR_COPY}" in lines
    first = [float(cell) for cell in next(line for line in lines if line[0].isdigit()).split(",")]
    assert first == [comparison.x[0], *(line[0] for line in values)]


def test_the_python_prints_the_numbers_that_decide(capsys: pytest.CaptureFixture[str]) -> None:
    comparison = DRAWN[2]
    exec(compile(comparison_figure.snippet(comparison, 1.0), "snippet", "exec"), {})
    printed = capsys.readouterr().out
    assert f"{IN_OUR_COPY}: [" in printed
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


@pytest.mark.nightly
@pytest.mark.parametrize("number", SIMULATIONS)
def test_simulated_evidence_can_be_repeated(number: int) -> None:
    """The evidence took 4,000,000 rounds (45: 400,000); here fewer, so the tolerance is that of these."""
    evidence = DRAWN[number].evidence[0]
    found = SIMULATIONS[number](np.random.default_rng(number))
    error = np.sqrt(found * (1.0 - found) / (ROUNDS // 4 if number == 45 else ROUNDS))
    assert found == pytest.approx(evidence.value, abs=4.0 * (error + evidence.error))


# Mean of 10,000 runs of ``estimate`` as printed at 1,000 losses a group; its standard error is 0.005.
PRINTED_ESTIMATE, ITS_ERROR = 0.627, 0.005


@pytest.mark.nightly
def test_the_parametric_estimate_of_identical_populations() -> None:
    """Correction 25, for Gamma(2) at delta = 1e-5: printed transform and normal fits of many samples at once."""
    runs, rng = 4_000, np.random.default_rng(0)
    losses = rng.standard_gamma(2.0, (runs, 2, 1_000))
    low, high = losses.min(axis=(1, 2), keepdims=True), losses.max(axis=(1, 2), keepdims=True)
    scores = np.log(np.expm1(1.0 + (losses - low) / (high - low)))
    laws = [(scores[:, group].mean(axis=1), scores[:, group].std(axis=1)) for group in range(2)]
    values = normal_values(laws[0], laws[1], np.full(runs, 1e-5), None)
    error = np.hypot(values.std() / np.sqrt(runs), ITS_ERROR)
    assert values.mean() == pytest.approx(PRINTED_ESTIMATE, abs=STANDARD_ERRORS * error)


def test_what_is_simulated_is_what_is_stated() -> None:
    stated = BY_NUMBER[25]
    assert f"parametric {PRINTED_ESTIMATE:.2f} on average" in stated.evidence
    assert f"{PRINTED_ESTIMATE} ± {ITS_ERROR} over 10,000 runs" in stated.document
