"""The report that ``python -m losses audit`` writes is the page's, and names no folder and no way into a database."""

import json
import re
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from losses import (
    SAMPLES,
    ColumnRoles,
    read_scores,
    rows_of,
    training_label,
)
from losses.warehouse.engines import attached
from numerics.audits import GdpClaim, claim_verdict
from numerics.audits.one_run import Canaries, audit
from numerics.epsilon_star import LossScale, Method
from numerics.sampling import Adjacency
from pages.audit.epsilon_star import audits
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.report import report as page_report
from pages.audit.epsilon_star.source import LossSource
from pages.audit.labelled_scores import LabelledScores
from reports import attack_scores, canaries, figures, html_file, runs
from reports.audit_report import Auditor, AuditReport
from reports.command import arguments, shell
from reports.command.main import main
from tests import ROOT
from tests.html import Elements

pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string'"),
]

SAMPLE = ROOT / "data" / SAMPLES[0].file

SUFFIX = "".join(SAMPLE.suffixes)


def on_the_page(path: Path) -> LabelledScores:
    """What the page makes of the file once it is confirmed, without its widgets."""
    data = path.read_bytes()
    rows = rows_of(read_scores(data), ColumnRoles("score", "member", "1"))
    told = read_scores(data).labels[0]
    python = (
        "from losses import ColumnRoles, read_scores, rows_of\n\n"
        f"rows = rows_of(read_scores(open({path.name!r}, 'rb').read()), ColumnRoles(value='score', group='member', "
        "member='1'), drop=False, negate=False)\nvalues, is_in = rows.values, rows.is_in"
    )
    membership = training_label(told.name, told.labels)
    assert membership is not None
    return LabelledScores(
        ("key",),
        path.name,
        rows,
        ((path.name, sha256(data).hexdigest()),),
        membership,
        False,
        python,
    )


def reported(tmp_path: Path, *arguments: str, code: int = 0) -> str:
    target = tmp_path / "report.html"
    signed = ("--about", "Model 7", "--purpose", "release", "--note", "<b>mine</b>")
    assert main(["audit", *arguments, "--report", str(target), *signed]) == code
    return target.read_text(encoding="utf-8")


def page_of(report: AuditReport, drawn: figures.Drawn) -> str:
    """What the page's button makes."""
    auditor = Auditor("Model 7", "release", "<b>mine</b>")
    return html_file.page(replace(report, auditor=auditor, pictures=(drawn.picture,)))


def undated(html: str) -> str:
    """The page without the minute in which it was made."""
    return re.sub(r"Made on [-0-9: ]+UTC", "Made on", html)


def test_the_report_on_scores_is_the_pages(tmp_path: Path, scores: Path) -> None:
    rows = on_the_page(scores)
    shown, curve = attack_scores.measured(rows.scores, 0.95), figures.measured(rows.scores, 0.95)
    report = attack_scores.report(shown, rows.data(attack_scores.SCORES_IN_PYTHON))
    html = reported(tmp_path, str(scores), "--evidence", "scores")
    assert undated(html) == undated(page_of(report, figures.of_scores(curve, shown)))
    assert "&lt;b&gt;mine&lt;/b&gt;" in html


def test_the_report_on_canaries_is_the_pages(tmp_path: Path, scores: Path) -> None:
    rows, claim = on_the_page(scores), GdpClaim(1.0)
    guesses = Canaries(rows.rows.values, rows.rows.is_in, Adjacency.REPLACE_ONE).guesses()
    found = audit(guesses, claim)
    report = canaries.report(guesses, claim, found, rows.data(canaries.guesses_in_python(Adjacency.REPLACE_ONE)))
    said = ("--evidence", "canaries", "--claim", "mu=1", "--left-out", "replaced", "--confirm")
    html = reported(tmp_path, str(scores), *said, code=1)
    assert undated(html) == undated(page_of(report, figures.of_canaries(guesses, found)))


def test_the_report_on_runs_is_the_pages(tmp_path: Path, scores: Path) -> None:
    rows = on_the_page(scores)
    verdict = claim_verdict(rows.scores, GdpClaim(1.0))
    report = runs.report(verdict, rows.data())
    drawn = figures.of_runs(figures.measured(rows.scores, 0.95), verdict)
    said = ("--evidence", "runs", "--claim", "mu=1", "--confirm")
    assert undated(reported(tmp_path, str(scores), *said, code=1)) == undated(page_of(report, drawn))


def test_page_1_of_the_report_on_losses_is_the_pages(tmp_path: Path) -> None:
    """The estimate aside, which the page checks against shuffled labels and an engine does not."""
    sample = SAMPLES[0]
    options = Options(Method.PARAMETRIC, Clip.NONE, None, scale=LossScale.LOG_ODDS)
    source = LossSource(("s",), SAMPLE.name, sample.groups, "", files=((SAMPLE.name, sample.digest),))
    source = replace(source, membership=sample.membership)
    there = page_report(source, audits.of_groups(sample.groups(), options, has_null=False), None)
    html = reported(tmp_path, str(SAMPLE), "--unit", "log-odds")
    first = Elements(html_file.page(replace(there, auditor=Auditor("Model 7", "release", "<b>mine</b>")))).text
    here = Elements(html).text
    end = "Date, signature"
    said = [
        line for line in first[: first.index(end)].splitlines() if "Estimate (" not in line and "Made on" not in line
    ]
    assert len(said) > 5
    for line in said:
        assert line in here[: here.index(end)], line


def test_the_code_of_a_report_prints_its_numbers(
    scores: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["audit", str(scores), "--evidence", "scores", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    monkeypatch.chdir(scores.parent)
    code = report["code"].replace(
        "open('scores.csv', 'rb').read()", "__import__('pathlib').Path('scores.csv').read_bytes()"
    )
    exec(code, {})
    assert repr(report["numbers"]["area_under_curve"]["value"]) in capsys.readouterr().out


def test_files_are_named_by_their_digests_and_tables_by_their_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(2):
        (tmp_path / f"part-{number}{SUFFIX}").write_bytes(SAMPLE.read_bytes())
    assert main(["audit", str(tmp_path / f"*{SUFFIX}"), "--method", "confidence", "--rows", "people", "--json"]) == 0
    files = json.loads(capsys.readouterr().out)["data"]["files"]
    digest = sha256(SAMPLE.read_bytes()).hexdigest()
    assert files == [{"name": f"part-{number}{SUFFIX}", "sha256": digest} for number in range(2)]
    url = f"duckdb://{tmp_path}/models.ddb"
    with attached(url) as engine:
        engine.con.execute(f"CREATE TABLE losses AS FROM '{SAMPLE}'")
    assert main(["audit", "--engine", url, "--table", "losses", "--method", "confidence", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["data"]["files"] == [{"name": "losses", "sha256": None}]


def test_a_password_is_in_no_report(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["audit", "--engine", "postgres://me:secret@127.0.0.1:1/base", "--table", "t", "--json"]
    assert main(given) == 2
    assert "secret" not in "".join(capsys.readouterr())
    assert "secret" not in shell.line(given, arguments.parser().parse_args(given))


def test_a_report_names_no_folder_and_nothing_that_opens_a_database(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Files of one name are told apart by the folders in which they differ; the command line has names alone."""
    for name in ("before", "after"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"losses{SUFFIX}").write_bytes(SAMPLE.read_bytes())
    two = [str(tmp_path / name / f"losses{SUFFIX}") for name in ("before", "after")]
    said = ("--method", "confidence", "--json", "--note", "for us")
    for given in ([two[0]], two):
        assert main(["audit", *given, *said, f"--report={tmp_path / 'a.html'}"]) == 0
        for text in (capsys.readouterr().out, (tmp_path / "a.html").read_text()):
            assert str(tmp_path) not in text
    names = [f"{name}/losses{SUFFIX}" for name in ("before", "after")]
    assert main(["audit", *two, *said]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [file["name"] for file in found["data"]["files"]] == names
    assert list(found["numbers"]["models"]) == names
    url = "pyspark://?token=abcd"
    given = ["audit", "--engine", url, "--table", "t", "--setting", "spark.fs.secret.key=hidden", "--setting", "n=64"]
    line = shell.line(given, arguments.parser().parse_args(given))
    assert "abcd" not in line
    assert "hidden" not in line
    assert "n=64" in line
