"""Reports as pages to print, for programs and terminals: complete, nothing that runs; the command's are the page's."""

import json
import re
import tomllib
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from losses import SAMPLES, ColumnRoles, read_scores, rows_of, training_label
from numerics import Gaussian
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim, Scores, claim_verdict
from numerics.audits.one_run import Guesses, audit
from numerics.epsilon_star import LossScale, Method
from pages.audit.epsilon_star import audits
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.report import report as report_on_losses
from pages.audit.evidence import LabelledScores, LossSource
from plotting.claims import PartShare, parts_figure
from reports import attack_scores, figures, json_file, parts, plain_text, promises, sheet
from reports.audit_report import AuditReport, Data, ReportPart, plain
from reports.command import arguments, provenance
from reports.parts import ComparedParts
from tests import ROOT
from tests.html import Elements
from tests.reports.conftest import SHOWN, Command
from tests.warehouse_tables import QUIET_IBIS

pytestmark = QUIET_IBIS
SCENARIOS = tomllib.loads(Path(__file__).with_name("scenarios.toml").read_text("utf-8"))
SAMPLE = ROOT / "data" / SAMPLES[0].file
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
    "canaries": lambda name: promises.report_of_canaries(GUESSES, CLAIM, of_canaries(), data(name)),
    "runs": lambda name: promises.report_of_runs(of_runs(), data(name)),
    "attack scores": lambda name: attack_scores.report(of_scores(), data(name)),
}


def dated(kind: str, name: str = "scores.csv") -> AuditReport:
    return replace(ALL[kind](name), made="2026-11-22 10:00 UTC")


@pytest.mark.parametrize("kind", ALL)
def test_the_sheet_of_an_audit_refutes_or_leaves_open_and_a_strangers_text_stays_text(kind: str) -> None:
    """It never shows that a limit is kept; page 1 has the verdict and all that it rests on, and nothing runs."""
    report = dated(kind)
    made, hostile = (sheet.of_audit(one).html for one in (report, dated(kind, HOSTILE)))
    found = Elements(made)
    said, page_1 = found.text, found.text.partition("page 2")[0]
    assert ("✕" in said) == (report.outcome == "refuted")
    assert "✓" not in said
    settings = (cell for pair in report.settings for cell in pair)
    first = (*map(plain, report.verdict[:3]), *report.rests_on[:3], *settings, "scores.csv", "ab" * 32, "2026-11-22")
    assert not [words for words in first if words not in page_1]
    everything = (*map(plain, report.verdict), *report.rests_on, report.code.splitlines()[-1])
    assert not [words for words in everything if words not in said]
    assert "10. Trust modelNot stated: " in said
    assert "guarantees" not in sheet.of_audit(report).markdown, "an audit has none"
    assert Elements(hostile).seen == found.seen
    assert not re.search(r"[\x00-\x08\x0b-\x1f\u200e\u200f\u202a-\u202e\u2066-\u2069]", hostile)
    assert json_file.text(dated(kind, HOSTILE)).isascii()
    assert not {"script", "img", "link", "iframe", "object", "base", "form"} & set(found.seen)
    assert not any(name.startswith("on") or name in {"src", "srcset"} for name, _ in found.attributes)
    SHOWN.check(f"sheet of {kind}", [said, json_file.text(report)])


@pytest.mark.parametrize("kind", ALL)
def test_text_and_json_say_the_same_and_the_json_has_the_documented_fields(kind: str) -> None:
    report = dated(kind)
    said = plain_text.text(report)
    assert said.startswith(plain(report.verdict[0]))
    assert "**" not in said
    assert all(words in said for words in ("scores.csv", report.rests_on[0]))
    found = json.loads(json_file.text(report), parse_constant=pytest.fail)
    assert json_file.__doc__ is not None
    assert list(found) == re.findall(r"^([a-z_]+)  +\S", json_file.__doc__, re.MULTILINE)
    assert (found["audit"], found["code"]) == (kind, report.code)
    assert found["verdict"] == {"outcome": report.outcome, "sentences": [plain(one) for one in report.verdict]}
    assert found["data"]["files"] == [{"name": "scores.csv", "sha256": "ab" * 32}]
    assert found["settings"] == dict(report.settings)


def test_numbers_marks_and_long_lists_of_files_survive_every_writer() -> None:
    assert plain(r"**At least 2** of ε\*.") == "At least 2 of ε*."
    assert plain("Estimate: :gray[~~9~~] :gray-badge[useless] Because.") == "Estimate: (9) useless. Because."
    files = (*((f"part-{number}.csv", f"{number:064d}") for number in range(30)), ("runs.losses", ""))
    numbers = {"inf": np.inf, "low": -np.inf, "nan": np.nan, "list": (1.0, np.inf), "size": 3}
    parts = tuple(ReportPart(title, (("a", "b"),) * 25) for title in ("long", "left out"))
    report = AuditReport("losses", "measured", ("v",), Data("many", files), (), (), parts, numbers)
    found = json.loads(json_file.text(report), parse_constant=pytest.fail)
    assert found["numbers"] == {"inf": "inf", "low": "-inf", "nan": None, "list": [1.0, "inf"], "size": 3}
    assert found["data"]["files"][-1] == {"name": "runs.losses", "sha256": None}
    text = Elements(sheet.of_audit(report).html).text
    assert all(one in text for one in ("And 27 more", "a table, not a file", "left out.", *dict(files).values()))


@pytest.mark.parametrize(
    ("claim", "last", "refuted", "found"),
    [
        (GdpClaim(0.5), 0.57689, "up to μ 0.576 is", "μ 0.577"),
        (ApproximateClaim(1.0, 1e-5), 2.3451, "up to ε 2.34 at δ = 10⁻⁵ is", "ε 2.35 at δ"),
        (ReleaseClaim(Gaussian(1.0, 0.01, 1000)), 0.56219, "noise 0.563 or more is", "noise 0.562"),
    ],
)
def test_members_of_a_family_are_rounded_to_the_safe_side(claim: Claim, last: float, refuted: str, found: str) -> None:
    assert refuted in promises.all_refuted(claim, last)
    assert promises.at_least(claim, last).startswith(found)


def test_of_two_that_are_not_told_apart_none_is_called_the_most_exposed_and_their_names_are_text() -> None:
    """The second may be more exposed than the first, though more is shown of that: only the third is surely below."""
    odd, rng = "class_a*b* <b>x</b>", np.random.default_rng(2)
    scores = [Scores(rng.normal(size=300), rng.normal(by, 1.0, 300)) for by in (4.0, 3.9, 0.0)]
    every = ComparedParts((), "slices", (odd, "b", "c"), lambda: scores)
    found = parts.compared(every, 0.95)
    said = found.sentence(str)
    assert sum(found.below) == 1
    assert "most exposed" not in said
    assert "1 other slice surely" in said
    assert said.count("confidence") == 2  # of two families of statements, each with its own
    drawn = figures.of_parts(found)
    assert drawn is not None
    assert "<b>" not in drawn.picture.svg
    report = attack_scores.report(attack_scores.measured(scores[0], 0.95), Data("scores.csv"), [found])
    assert "Members named at 0.1 % false alarms" in Elements(sheet.of_audit(report).html).text
    for one in (report, attack_scores.report_of_models(found, Data("scores.csv"))):
        assert f"“{odd}”" in Elements(sheet.of_audit(one).html).text
        assert sheet.of_audit(one).html.count('type="radio" name="tick"') == 2, "one of them at most is true"
        assert f"“{odd}”" in json_file.text(one).encode().decode("unicode_escape")
    (tick, *_) = parts_figure([PartShare("<a>{b}", 0.5, 0.1, 0.9)], 0.01).layout.yaxis.ticktext
    assert tick == "&lt;a&gt;&#123;b}"


def test_the_report_is_the_pages(command: Command, tmp_path: Path) -> None:
    """What the page makes of a file with the columns score and included once it is confirmed, without its widgets."""
    scores = ROOT / "data" / "canaries_as_promised.csv"
    content = scores.read_bytes()
    table = read_scores(content)
    membership = training_label(table.labels[0].name, table.labels[0].labels)
    assert membership is not None
    python = (
        "from losses import ColumnRoles, read_scores, rows_of\n\n"
        f"rows = rows_of(read_scores(open('{scores.name}', 'rb').read()), ColumnRoles(value='score', group='included', "
        "member='1'), drop=False, negate=False)\nvalues, is_in = rows.values, rows.is_in"
    )
    rows, digests = rows_of(table, ColumnRoles("score", "included", "1")), ((scores.name, sha256(content).hexdigest()),)
    on_page = LabelledScores(("key",), scores.name, rows, digests, membership, False, python)
    shown = attack_scores.measured(rows.scores, 0.95)
    report = attack_scores.report(shown, on_page.data(attack_scores.SCORES_IN_PYTHON))
    pictures = (figures.of_scores(figures.measured(rows.scores, 0.95), shown).picture,)
    target = tmp_path / "report.html"
    command(scores, "--evidence", "scores", "--report", target)
    assert target.read_text("utf-8") == sheet.of_audit(replace(report, pictures=pictures)).html


def test_page_1_of_the_report_on_losses_is_the_pages(command: Command, tmp_path: Path) -> None:
    """The estimate aside, which the page checks against shuffled labels and an engine does not."""
    command(SAMPLE, "--unit", "log-odds", "--report", tmp_path / "report.html")
    sample, options = SAMPLES[0], Options(Method.PARAMETRIC, Clip.NONE, None, scale=LossScale.LOG_ODDS)
    source = LossSource(("s",), SAMPLE.name, sample.groups, "", files=((SAMPLE.name, sample.digest),))
    found = audits.of_groups(sample.groups(), options, has_null=False)
    report = report_on_losses(replace(source, membership=sample.membership), found)
    there, here = (
        Elements(html).text.partition("page 2")[0]
        for html in (sheet.of_audit(report).html, (tmp_path / "report.html").read_text())
    )
    said = [line for line in there.splitlines() if "Estimate (" not in line]
    assert len(said) > 5
    assert not [line for line in said if line not in here]


@pytest.mark.parametrize(("given", "shown"), SCENARIOS["lines"])
def test_the_line_in_a_report_names_no_folder_and_opens_no_database(tmp_path: Path, given: str, shown: str) -> None:
    named = ["audit", *given.replace("{folder}", str(tmp_path)).split()]
    line = provenance.line(named, arguments.chosen_of(named))
    assert shown in line
    assert not any(words in line for words in ("hidden", "me:", "mine", f"{tmp_path}"))
