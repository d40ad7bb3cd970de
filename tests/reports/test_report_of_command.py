"""The report that ``python -m losses audit`` writes is the page's, and names no folder and no way into a database."""

import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from losses import SAMPLES
from losses.warehouse.engines import attached
from numerics.audits import GdpClaim, claim_verdict
from numerics.audits.one_run import Canaries, audit
from numerics.sampling import Adjacency
from reports import attack_scores, canaries, figures, html_file, runs
from reports.audit_report import Auditor, AuditReport
from reports.command import arguments, shell
from tests import ROOT
from tests.html import Elements
from tests.reports.page_side import losses_on_the_page, scores_on_the_page
from tests.reports.running import Command
from tests.warehouse_tables import QUIET_IBIS

pytestmark = QUIET_IBIS
SAMPLE = ROOT / "data" / SAMPLES[0].file
SUFFIX = "".join(SAMPLE.suffixes)
SIGNED = ("--about", "Model 7", "--purpose", "release", "--note", "<b>mine</b>")
AUDITOR = Auditor("Model 7", "release", "<b>mine</b>")
BOUND = ("--method", "confidence", "--json")
Drawn = tuple[AuditReport, figures.Drawn]


def of_scores(path: Path) -> Drawn:
    rows = scores_on_the_page(path)
    shown, curve = attack_scores.measured(rows.scores, 0.95), figures.measured(rows.scores, 0.95)
    data = rows.data(attack_scores.SCORES_IN_PYTHON)
    return attack_scores.report(shown, data), figures.of_scores(curve, shown)


def of_canaries(path: Path) -> Drawn:
    rows = scores_on_the_page(path)
    guesses = Canaries(rows.rows.values, rows.rows.is_in, Adjacency.REPLACE_ONE).guesses()
    found = audit(guesses, GdpClaim(1.0))
    data = rows.data(canaries.guesses_in_python(Adjacency.REPLACE_ONE))
    return canaries.report(guesses, GdpClaim(1.0), found, data), figures.of_canaries(guesses, found)


def of_runs(path: Path) -> Drawn:
    rows = scores_on_the_page(path)
    verdict = claim_verdict(rows.scores, GdpClaim(1.0))
    return runs.report(verdict, rows.data()), figures.of_runs(figures.measured(rows.scores, 0.95), verdict)


def undated(html: str) -> str:
    """The page without the minute in which it was made."""
    return re.sub(r"Made on [-0-9: ]+UTC", "Made on", html)


@pytest.mark.parametrize(
    ("on_page", "given", "code"),
    [
        (of_scores, "scores", 0),
        (of_canaries, "canaries --claim mu=1 --left-out replaced --confirm", 1),
        (of_runs, "runs --claim mu=1 --confirm", 1),
    ],
)
def test_the_report_is_the_pages(
    command: Command, tmp_path: Path, scores: Path, on_page: Callable[[Path], Drawn], given: str, code: int
) -> None:
    report, drawn = on_page(scores)
    target = tmp_path / "report.html"
    command(scores, "--evidence", *given.split(), "--report", target, *SIGNED, code=code)
    expected = html_file.page(replace(report, auditor=AUDITOR, pictures=(drawn.picture,)))
    assert undated(target.read_text(encoding="utf-8")) == undated(expected)
    assert "&lt;b&gt;mine&lt;/b&gt;" in expected


def test_page_1_of_the_report_on_losses_is_the_pages(command: Command, tmp_path: Path) -> None:
    """The estimate aside, which the page checks against shuffled labels and an engine does not."""
    command(SAMPLE, "--unit", "log-odds", "--report", tmp_path / "report.html", *SIGNED)
    there = Elements(html_file.page(replace(losses_on_the_page(SAMPLE), auditor=AUDITOR))).text
    here = Elements((tmp_path / "report.html").read_text(encoding="utf-8")).text
    end = "Date, signature"
    said = [
        line for line in there[: there.index(end)].splitlines() if "Estimate (" not in line and "Made on" not in line
    ]
    assert len(said) > 5
    for line in said:
        assert line in here[: here.index(end)], line


def test_the_code_of_a_report_prints_its_numbers(
    command: Command, scores: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = command(scores, "--evidence", "scores", "--json")
    monkeypatch.chdir(scores.parent)
    opened = "__import__('pathlib').Path('scores.csv').read_bytes()"
    exec(found.report["code"].replace("open('scores.csv', 'rb').read()", opened), {})
    assert repr(found.numbers["area_under_curve"]["value"]) in capsys.readouterr().out


def test_files_are_named_by_their_digests_and_tables_by_their_names(command: Command, tmp_path: Path) -> None:
    for number in range(2):
        (tmp_path / f"part-{number}{SUFFIX}").write_bytes(SAMPLE.read_bytes())
    found = command(tmp_path / f"*{SUFFIX}", "--rows", "people", *BOUND).report["data"]["files"]
    digest = sha256(SAMPLE.read_bytes()).hexdigest()
    assert found == [{"name": f"part-{number}{SUFFIX}", "sha256": digest} for number in range(2)]
    url = f"duckdb://{tmp_path}/models.ddb"
    with attached(url) as engine:
        engine.con.execute(f"CREATE TABLE losses AS FROM '{SAMPLE}'")
    found = command("--engine", url, "--table", "losses", *BOUND).report["data"]["files"]
    assert found == [{"name": "losses", "sha256": None}]


def test_a_report_names_no_folder(command: Command, tmp_path: Path) -> None:
    """Files of one name are told apart by the folders in which they differ."""
    two = [tmp_path / name / f"losses{SUFFIX}" for name in ("before", "after")]
    for path in two:
        path.parent.mkdir()
        path.write_bytes(SAMPLE.read_bytes())
    for given in (two[:1], two):
        found = command(*given, *BOUND, f"--report={tmp_path / 'a.html'}")
        for text in (found.out, (tmp_path / "a.html").read_text()):
            assert str(tmp_path) not in text
    names = [f"{name}/losses{SUFFIX}" for name in ("before", "after")]
    assert [file["name"] for file in found.report["data"]["files"]] == names
    assert list(found.numbers["models"]) == names


def test_the_line_in_a_report_has_nothing_that_opens_a_database() -> None:
    for url in ("postgres://me:secret@127.0.0.1:1/base", "pyspark://?token=secret"):
        given = [
            "audit",
            "--engine",
            url,
            "--table",
            "t",
            "--setting",
            "spark.fs.secret.key=hidden",
            "--setting",
            "n=64",
        ]
        line = shell.line(given, arguments.parser().parse_args(given))
        assert "hidden" not in line
        assert "secret@" not in line
        assert "=secret" not in line
        assert "n=64" in line
