"""The corrections as data: what they quote, what the document says of them, and evidence that decides."""

import ast
import json
import re
import tomllib
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import ncx2, norm

from data import make_excerpts
from docs import make_corrections
from numerics.shipped import DATA
from pages.about.corrections_data import BY_NUMBER, CORRECTIONS, PAPERS, WITHDRAWN, Correction, CorrectionKind
from pages.papers.papers import BY_ADDRESS as PAPER_FIGURES
from tests import ROOT
from tests.pages.answers import Answers

DOCUMENT = (ROOT / "docs" / "corrections.md").read_text(encoding="utf-8")
EXCERPTS = json.loads((DATA / make_excerpts.NAME).read_text(encoding="utf-8"))["excerpts"]
# Words that say of a paper that it errs; error rates are none.
ACCUSING = re.compile(r"\b(?:(?i:wrong|misprint|mistak|incorrect)\w*|false(?! (?:positive|negative|alarm)| \*))")
OF_A_PAPER = re.compile(r"[Pp]aper|\bprint\b|Theorem|Thm|Lemma|Cor(?:ollary|\.)|Eqs?\.|[Cc]orrections? \d")
CITED = re.compile(r"[Cc]orrections?(?:\s+|=\()(\d+(?:(?:,\s*(?:and\s+)?|\s+and\s+|\s+to\s+|-)\d+)*)")
SIMULATIONS = tomllib.loads(Path(__file__).with_name("simulations.toml").read_text())["simulation"]
DIGITS = 5e-4  # relative: exact evidence is given to four digits or more
STANDARD_ERRORS = 3.0
LAYERS = ("numerics", "plotting", "losses", "reports", "pages", "people_view", "benchmarks", "data", "docs")
LABELS = {"in the paper (wrong)", "In the paper (wrong)"}
EVIDENCE = Answers(__file__, {}, "evidence.toml")


def quotations(one: Correction) -> tuple[Any, ...]:
    return (*one.verbatim, *one.elsewhere)


def test_the_document_is_what_its_script_makes_of_the_data() -> None:
    assert make_corrections.document() == DOCUMENT, "run python -m docs.make_corrections"
    assert set(WITHDRAWN) == {10, 29, 42}
    assert sorted([*WITHDRAWN, *BY_NUMBER]) == list(range(1, max(BY_NUMBER) + 1))
    assert [one.number for one in CORRECTIONS if one.matches("no such word")] == []
    assert {33} <= {one.number for one in CORRECTIONS if one.matches("RADIUS noise")} <= set(BY_NUMBER) - {2}


def test_quotations_stand_in_the_shipped_excerpt_which_has_little_else() -> None:
    for one in CORRECTIONS:
        for quotation in quotations(one):
            there = [cut["text"] for cut in EXCERPTS if (cut["paper"], cut["line"]) == (one.paper, quotation.line)]
            longest = len(quotation.text) + 2 * make_excerpts.AROUND
            assert any(cut.count(quotation.text) == 1 and len(cut) <= longest for cut in there), one.number
        here = [cut["text"] for cut in EXCERPTS if cut["paper"] == one.paper]
        for words in re.findall("“([^”]+)”", f"{one.title} {one.says}"):
            assert any(words in cut for cut in here), f"{one.number}: {words}"
        assert bool(one.verbatim) == (one.kind is not CorrectionKind.NEW), one.number
    assert len(EXCERPTS) == len({(one.paper, cut.line, cut.text) for one in CORRECTIONS for cut in quotations(one)})
    copies = {paper.number: "\n" * 2000 for paper in PAPERS}
    with pytest.raises(ValueError, match=r"000, line \d+: .* occurs 0 times"):
        make_excerpts.excerpts(copies)


def cited(said: str) -> set[int]:
    """Numbers in "correction 3", "corrections 8, 9 and 11" and "corrections 45 to 48"."""
    ends = re.findall(r"(\d+)(?:(?:\s+to\s+|-)(\d+))?", " ".join(CITED.findall(said)))
    return {number for low, high in ends for number in range(int(low), int(high or low) + 1)}


def accusations(path: Path, whole: str) -> list[str]:
    """Sentences in texts of code, or of a document, that call something of a paper wrong."""
    if not (ACCUSING.search(whole) and OF_A_PAPER.search(whole)):
        return []
    nodes = ast.walk(ast.parse(whole)) if path.suffix == ".py" else [ast.Constant(whole)]
    said = [node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    every = [sentence for one in said for sentence in re.split(r"(?<=[.;])\s|\n\n|\|", one)]
    return [one for one in every if ACCUSING.search(one) and OF_A_PAPER.search(one) and one not in LABELS]


def test_a_paper_is_called_wrong_only_where_no_reading_helps_and_every_citation_is_an_entry() -> None:
    """In code and documents, but for the changelog, which tells what was, and for titles of what was withdrawn."""
    assert cited("corrections 8, 9 and 11; correction 2 (corrections=(45-47, 50))") == {2, 8, 9, 11, 45, 46, 47, 50}
    wrong = {one.number for one in CORRECTIONS if one.kind is CorrectionKind.WRONG}
    paths = [path for layer in LAYERS for path in (ROOT / layer).rglob("*.py")]
    paths += {*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")} - {ROOT / "CHANGELOG.md", ROOT / "docs/corrections.md"}
    texts = {path: path.read_text(encoding="utf-8") for path in paths}
    assert {path: lost for path, whole in texts.items() if (lost := cited(whole) - set(BY_NUMBER))} == {}
    assert cited(DOCUMENT) <= set(BY_NUMBER)
    assert all(set(entry.corrections) <= set(BY_NUMBER) for entry in PAPER_FIGURES.values())
    accusing = [sentence for path, whole in texts.items() for sentence in accusations(path, whole)]
    assert accusing
    assert [one for one in accusing if not cited(one) or cited(one) - wrong] == []
    for one in CORRECTIONS:
        said = [str(value) for name, value in vars(one).items() if name not in ("kind", "verbatim", "elsewhere")]
        assert one.number in wrong or not ACCUSING.search(" ".join(said)), one.number


@pytest.mark.parametrize("row", EVIDENCE.parts["evidence"], ids=lambda row: f"{row[0]}: {row[2]}")
def test_evidence_stands_with_what_holds_and_against_what_does_not(row: list[Any]) -> None:
    number, *formulas, value, error, _ = row
    (right,), (wrong,) = (np.asarray(eval(formula, EVIDENCE.known)) for formula in formulas)
    reach = max(STANDARD_ERRORS * error, DIGITS * abs(value), DIGITS)
    assert number in BY_NUMBER
    assert abs(right - value) <= reach < abs(wrong - value)


def test_numbers_that_entries_state_are_computed_anew() -> None:
    """All halves of the eight records of 35, with either exponent of the special element; the formula of 44."""
    said = [float(number) for number in re.findall(r"\d\.\d{2,}", BY_NUMBER[35].evidence)]
    for exponent, sensitivity in zip((-0.5, 0.5), said, strict=True):
        records = [*(2.0 ** np.arange(7)), 70.0**exponent - 7.0]
        released = {half: 1.0 / sum(records[i] for i in half) for half in combinations(range(8), 4)}
        steps = [abs(released[a] - released[b]) for a in released for b in released if len({*a} & {*b}) == 3]
        assert max(steps) == pytest.approx(sensitivity, abs=5e-4)
    evidence = BY_NUMBER[44].evidence
    names = ("effective batch", "K =", "α =")
    batch, k, alpha = (float(re.findall(f"{name} ([\\d.]+\\d)", evidence)[0]) for name in names)
    threshold = batch / (batch - 1.0) * ncx2.ppf(alpha, 20, batch * k)
    assert f"formula {ncx2.sf(threshold, 20, (batch - 1.0) * k):.4f}" in evidence


@pytest.mark.nightly
@pytest.mark.parametrize("row", SIMULATIONS, ids=lambda row: str(row["correction"]))
def test_simulated_evidence_can_be_repeated(row: Any) -> None:
    """The evidence took 4,000,000 rounds (45: 400,000); here fewer, so the tolerance is that of these."""
    value, error = next(one[3:5] for one in EVIDENCE.parts["evidence"] if one[0] == row["correction"])
    names = {"np": np, "norm": norm, "ncx2": ncx2, "n": 200_000, "rng": np.random.default_rng(row["correction"])}
    found = eval(row["counted"], names)
    assert np.mean(found) == pytest.approx(value, abs=4.0 * (np.std(found) / len(found) ** 0.5 + error))
