"""Every kind of evidence as a page to print, for a program and for a terminal: nothing missing, nothing that runs."""

import json
import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from numerics import Gaussian
from numerics.audits import GdpClaim, ReleaseClaim, Scores, claim_verdict
from numerics.audits.one_run import Guesses, audit
from reports import attack_scores, canaries, figures, html_file, json_file, plain_text, runs
from reports.audit_report import Auditor, AuditReport, Data, ReportFigure, ReportPart, plain
from tests.html import Elements

HOSTILE = (
    "<script>alert(1)</script>",
    "</title></pre><h1>",
    "a\u202egpj.csv\u2066\u200f",
    "**bold** \\*",
    "x\x00\x1b[31m",
)
RNG = np.random.default_rng(3)
SCORES = Scores(RNG.normal(size=400), RNG.normal(3.0, 1.0, 400))
PYTHON = "values, is_in = None, None"


def data(name: str = "scores.csv") -> Data:
    return Data(name, ((name, "ab" * 32),), PYTHON, (f"“1” in column “{name}” counts as in.",))


# What was found has no name in it: it is found once, and reported under every name.
GUESSES, CLAIM = Guesses(1000, (100, 200), (80, 140)), ReleaseClaim(Gaussian(1.0, 0.01, 1000))
of_canaries = cache(lambda: audit(GUESSES, CLAIM))
of_runs = cache(lambda: claim_verdict(SCORES, GdpClaim(1.0)))
of_scores = cache(lambda: attack_scores.measured(SCORES, 0.95))
ALL: dict[str, Callable[..., AuditReport]] = {
    "canaries": lambda name="scores.csv": canaries.report(GUESSES, CLAIM, of_canaries(), data(name)),
    "runs": lambda name="scores.csv": runs.report(of_runs(), data(name)),
    "attack scores": lambda name="scores.csv": attack_scores.report(of_scores(), data(name)),
}


def signed(report: AuditReport, words: str = "words") -> AuditReport:
    auditor = Auditor(f"model {words}", f"purpose {words}", f"note {words}")
    return AuditReport(**{**vars(report), "auditor": auditor, "made": "2026-11-22 10:00 UTC"})


@pytest.mark.parametrize("kind", ALL)
def test_page_1_has_the_verdict_and_all_that_it_rests_on_before_the_evidence(kind: str) -> None:
    report = signed(ALL[kind]())
    html = html_file.page(report)
    first, rest = html.split("</div>\n</div>\n", 1) if "</div>\n</div>\n" in html else html.split('<div class="sign">')
    told = Elements(html).text
    for words in (
        *map(plain, report.verdict),
        *report.rests_on,
        *(cell for pair in report.settings for cell in pair),
        "model words",
        "purpose words",
        "note words",
        "ab" * 32,
        "2026-11-22 10:00 UTC",
    ):
        assert words in told
        assert told.index(words) < told.index(report.evidence[0].title, told.index("Date, signature"))
    assert "ab" * 32 in first
    assert report.evidence[0].title in rest
    assert ".first{break-after:page}" in html
    assert report.code.splitlines()[-1] in told


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize("words", HOSTILE)
def test_a_strangers_text_stays_text(kind: str, words: str) -> None:
    plain_one, hostile = (html_file.page(signed(ALL[kind](name), name)) for name in ("scores.csv", words))
    assert Elements(hostile).seen == Elements(plain_one).seen
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u200e\u200f\u202a-\u202e\u2066-\u2069]", hostile)
    assert json_file.text(signed(ALL[kind](words), words)).isascii()


@pytest.mark.parametrize("kind", ALL)
def test_no_report_loads_or_runs_anything_and_its_text_says_the_verdict_first(kind: str) -> None:
    report = ALL[kind]()
    said = plain_text.text(report)
    assert said.startswith(plain(report.verdict[0]))
    assert "scores.csv" in said
    assert "**" not in said
    assert report.rests_on[0] in said
    found = Elements(html_file.page(signed(report)))
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(found.seen)
    assert not any(name.startswith("on") or name in {"src", "srcset"} for name, _ in found.attributes)


@pytest.mark.parametrize("kind", ALL)
def test_the_json_has_the_documented_fields_and_says_the_same(kind: str) -> None:
    report = signed(ALL[kind]())
    found = json.loads(json_file.text(report), parse_constant=pytest.fail)
    assert json_file.__doc__ is not None
    documented = re.findall(r"^([a-z_]+)  +\S", json_file.__doc__, re.MULTILINE)
    assert list(found) == documented
    assert found["audit"] == kind
    assert found["verdict"] == {"outcome": report.outcome, "sentences": [plain(one) for one in report.verdict]}
    assert found["data"]["files"] == [{"name": "scores.csv", "sha256": "ab" * 32}]
    assert found["settings"] == dict(report.settings)
    assert found["auditor"]["note"] == "note words"
    assert found["code"] == report.code


def test_numbers_that_json_does_not_have_read_back() -> None:
    numbers = {"inf": np.inf, "low": -np.inf, "nan": np.nan, "list": (1.0, np.inf), "size": 3}
    found = json.loads(json_file.text(AuditReport("runs", "", (), Data("x"), (), (), (), numbers)))["numbers"]
    assert (float(found["inf"]), float(found["low"]), found["nan"]) == (np.inf, -np.inf, None)
    assert (found["list"], found["size"]) == ([1.0, "inf"], 3)


def test_marks_are_taken_from_sentences() -> None:
    assert plain(r"**At least 2** of ε\*.") == "At least 2 of ε*."
    assert plain("Estimate: :gray[~~9~~] :gray-badge[useless] Because.") == "Estimate: (9) useless. Because."


def test_more_files_than_page_1_holds_are_listed_below() -> None:
    files = tuple((f"part-{number}.csv", f"{number:064d}") for number in range(30))
    html = html_file.page(AuditReport("losses", "", ("v",), Data("many", files), (), (), (ReportPart("e", ()),), {}))
    text = Elements(html).text
    assert "And 26 more, listed below." in text
    assert all(digest in text for _, digest in files)


def test_a_table_of_a_database_has_no_digest() -> None:
    report = AuditReport("losses", "", ("v",), Data("t", (("runs.losses", ""),)), (), (), (), {})
    assert "a table, not a file" in html_file.page(report)
    assert json.loads(json_file.text(report))["data"]["files"] == [{"name": "runs.losses", "sha256": None}]


def test_figures_are_drawn_with_what_they_show() -> None:
    guesses, claim = Guesses(1000, (100, 200), (80, 140)), GdpClaim(1.0)
    found = audit(guesses, claim)
    curve, shown = figures.measured(SCORES, 0.95), attack_scores.measured(SCORES, 0.95)
    drawn = (
        figures.of_canaries(guesses, found),
        figures.of_runs(curve, claim_verdict(SCORES, claim)),
        figures.of_scores(curve, shown),
    )
    for one in drawn:
        assert isinstance(one.picture, ReportFigure)
        assert one.picture.svg.startswith("<svg ")
        assert len({len(column) for column in one.table.values()}) == 1
