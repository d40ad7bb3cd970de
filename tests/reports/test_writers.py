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
from reports.audit_report import Auditor, AuditReport, Data, ReportPart, plain
from tests.html import Elements

HOSTILE = "<script>alert(1)</script></title></pre><h1>a\u202egpj.csv\u2066\u200f **bold** \\* x\x00\x1b[31m"
RNG = np.random.default_rng(3)
SCORES = Scores(RNG.normal(size=100), RNG.normal(3.0, 1.0, 100))


def data(name: str) -> Data:
    words = (f"“1” in column “{name}” counts as in.",)
    return Data(name, ((name, "ab" * 32),), "values, is_in = None, None", words)


# What was found has no name in it: it is found once, and reported under every name.
GUESSES, CLAIM = Guesses(1000, (100, 200), (80, 140)), ReleaseClaim(Gaussian(1.0, 0.01, 1000))
of_canaries = cache(lambda: audit(GUESSES, CLAIM))
of_runs = cache(lambda: claim_verdict(SCORES, GdpClaim(1.0)))
of_scores = cache(lambda: attack_scores.measured(SCORES, 0.95))
ALL: dict[str, Callable[[str], AuditReport]] = {
    "canaries": lambda name: canaries.report(GUESSES, CLAIM, of_canaries(), data(name)),
    "runs": lambda name: runs.report(of_runs(), data(name)),
    "attack scores": lambda name: attack_scores.report(of_scores(), data(name)),
}


def signed(kind: str, name: str = "scores.csv") -> AuditReport:
    auditor = Auditor(f"model {name}", f"purpose {name}", f"note {name}")
    return AuditReport(**{**vars(ALL[kind](name)), "auditor": auditor, "made": "2026-11-22 10:00 UTC"})


@pytest.mark.parametrize("kind", ALL)
def test_page_1_has_the_verdict_and_all_that_it_rests_on_before_the_evidence(kind: str) -> None:
    report = signed(kind)
    told = Elements(html_file.page(report)).text
    every = [*map(plain, report.verdict), *report.rests_on, *(cell for pair in report.settings for cell in pair)]
    signature = [f"{word} scores.csv" for word in ("model", "purpose", "note")]
    for words in (*every, *signature, "ab" * 32, "2026-11-22 10:00 UTC"):
        assert words in told
        assert told.index(words) < told.index(report.evidence[0].title, told.index("Date, signature"))
    assert ".first{break-after:page}" in html_file.page(report)
    assert report.code.splitlines()[-1] in told


@pytest.mark.parametrize("kind", ALL)
def test_a_strangers_text_stays_text_and_no_report_loads_or_runs_anything(kind: str) -> None:
    page, hostile = html_file.page(signed(kind)), html_file.page(signed(kind, HOSTILE))
    found = Elements(page)
    assert Elements(hostile).seen == found.seen
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u200e\u200f\u202a-\u202e\u2066-\u2069]", hostile)
    assert json_file.text(signed(kind, HOSTILE)).isascii()
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(found.seen)
    assert not any(name.startswith("on") or name in {"src", "srcset"} for name, _ in found.attributes)


@pytest.mark.parametrize("kind", ALL)
def test_text_and_json_say_the_same_and_the_json_has_the_documented_fields(kind: str) -> None:
    report = signed(kind)
    said = plain_text.text(report)
    assert said.startswith(plain(report.verdict[0]))
    assert "**" not in said
    assert "scores.csv" in said
    assert report.rests_on[0] in said
    found = json.loads(json_file.text(report), parse_constant=pytest.fail)
    assert json_file.__doc__ is not None
    assert list(found) == re.findall(r"^([a-z_]+)  +\S", json_file.__doc__, re.MULTILINE)
    assert (found["audit"], found["auditor"]["note"], found["code"]) == (kind, "note scores.csv", report.code)
    assert found["verdict"] == {"outcome": report.outcome, "sentences": [plain(one) for one in report.verdict]}
    assert found["data"]["files"] == [{"name": "scores.csv", "sha256": "ab" * 32}]
    assert found["settings"] == dict(report.settings)


def test_numbers_that_json_does_not_have_read_back() -> None:
    numbers = {"inf": np.inf, "low": -np.inf, "nan": np.nan, "list": (1.0, np.inf), "size": 3}
    found = json.loads(json_file.text(AuditReport("runs", "", (), Data("x"), (), (), (), numbers)))["numbers"]
    assert (float(found["inf"]), float(found["low"]), found["nan"]) == (np.inf, -np.inf, None)
    assert (found["list"], found["size"]) == ([1.0, "inf"], 3)


def test_marks_are_taken_from_sentences() -> None:
    assert plain(r"**At least 2** of ε\*.") == "At least 2 of ε*."
    assert plain("Estimate: :gray[~~9~~] :gray-badge[useless] Because.") == "Estimate: (9) useless. Because."


def test_more_files_than_page_1_holds_are_listed_below_and_a_table_has_no_digest() -> None:
    files = (*((f"part-{number}.csv", f"{number:064d}") for number in range(30)), ("runs.losses", ""))
    report = AuditReport("losses", "", ("v",), Data("many", files), (), (), (ReportPart("e", ()),), {})
    text = Elements(html_file.page(report)).text
    assert "And 27 more, listed below." in text
    assert "a table, not a file" in text
    assert all(digest in text for _, digest in files)
    assert json.loads(json_file.text(report))["data"]["files"][-1] == {"name": "runs.losses", "sha256": None}


def test_figures_are_drawn_with_what_they_show() -> None:
    curve = figures.measured(SCORES, 0.95)
    drawn = (
        figures.of_canaries(GUESSES, audit(GUESSES, GdpClaim(1.0))),
        figures.of_runs(curve, of_runs()),
        figures.of_scores(curve, of_scores()),
    )
    for one in drawn:
        assert one.picture.svg.startswith("<svg ")
        assert len({len(column) for column in one.table.values()}) == 1
