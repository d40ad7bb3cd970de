"""The report that ``python -m losses audit`` writes is the page's, and names no folder and no way into a database."""

import re
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from losses import SAMPLES, ColumnRoles, read_scores, rows_of, training_label
from losses.warehouse.engines import attached
from numerics.audits import GdpClaim, claim_verdict
from numerics.audits.one_run import Canaries, audit
from numerics.epsilon_star import LossScale, Method
from numerics.sampling import Adjacency
from pages.audit.epsilon_star import audits
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.report import report as report_on_losses
from pages.audit.epsilon_star.source import LossSource
from pages.audit.labelled_scores import LabelledScores
from reports import attack_scores, canaries, figures, html_file, runs
from reports.audit_report import Auditor, AuditReport
from reports.command import arguments, shell
from tests import ROOT
from tests.html import Elements
from tests.reports.running import Command
from tests.warehouse_tables import QUIET_IBIS

pytestmark = QUIET_IBIS
SAMPLE = ROOT / "data" / SAMPLES[0].file
SUFFIX = "".join(SAMPLE.suffixes)
SIGNED = ("--about", "Model 7", "--purpose", "release", "--note", "<b>mine</b>")
AUDITOR = Auditor("Model 7", "release", "<b>mine</b>")
BOUND = ("--method", "confidence", "--json")
Drawn = tuple[AuditReport, figures.Drawn]


def on_the_page(path: Path) -> LabelledScores:
    """What the page makes of a file with the columns score and member once it is confirmed, without its widgets."""
    data = path.read_bytes()
    table = read_scores(data)
    membership = training_label(table.labels[0].name, table.labels[0].labels)
    assert membership is not None
    python = (
        "from losses import ColumnRoles, read_scores, rows_of\n\n"
        f"rows = rows_of(read_scores(open({path.name!r}, 'rb').read()), ColumnRoles(value='score', group='member', "
        "member='1'), drop=False, negate=False)\nvalues, is_in = rows.values, rows.is_in"
    )
    rows = rows_of(table, ColumnRoles("score", "member", "1"))
    digests = ((path.name, sha256(data).hexdigest()),)
    return LabelledScores(("key",), path.name, rows, digests, membership, False, python)


def of_scores(rows: LabelledScores) -> Drawn:
    shown = attack_scores.measured(rows.scores, 0.95)
    data = rows.data(attack_scores.SCORES_IN_PYTHON)
    return attack_scores.report(shown, data), figures.of_scores(figures.measured(rows.scores, 0.95), shown)


def of_canaries(rows: LabelledScores) -> Drawn:
    guesses = Canaries(rows.rows.values, rows.rows.is_in, Adjacency.REPLACE_ONE).guesses()
    found = audit(guesses, GdpClaim(1.0))
    data = rows.data(canaries.guesses_in_python(Adjacency.REPLACE_ONE))
    return canaries.report(guesses, GdpClaim(1.0), found, data), figures.of_canaries(guesses, found)


def of_runs(rows: LabelledScores) -> Drawn:
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
    command: Command, tmp_path: Path, scores: Path, on_page: Callable[[LabelledScores], Drawn], given: str, code: int
) -> None:
    report, drawn = on_page(on_the_page(scores))
    target = tmp_path / "report.html"
    command(scores, "--evidence", *given.split(), "--report", target, *SIGNED, code=code)
    expected = html_file.page(replace(report, auditor=AUDITOR, pictures=(drawn.picture,)))
    assert undated(target.read_text(encoding="utf-8")) == undated(expected)
    assert "&lt;b&gt;mine&lt;/b&gt;" in expected


def test_page_1_of_the_report_on_losses_is_the_pages(command: Command, tmp_path: Path) -> None:
    """The estimate aside, which the page checks against shuffled labels and an engine does not."""
    command(SAMPLE, "--unit", "log-odds", "--report", tmp_path / "report.html", *SIGNED)
    sample, options = SAMPLES[0], Options(Method.PARAMETRIC, Clip.NONE, None, scale=LossScale.LOG_ODDS)
    source = LossSource(("s",), SAMPLE.name, sample.groups, "", files=((SAMPLE.name, sample.digest),))
    found = audits.of_groups(sample.groups(), options, has_null=False)
    report = report_on_losses(replace(source, membership=sample.membership), found, None)
    there, here = (
        Elements(html).text.partition("Date, signature")[0]
        for html in (html_file.page(replace(report, auditor=AUDITOR)), (tmp_path / "report.html").read_text())
    )
    said = [line for line in there.splitlines() if "Estimate (" not in line and "Made on" not in line]
    assert len(said) > 5
    for line in said:
        assert line in here, line


def test_the_code_of_a_report_prints_its_numbers(
    command: Command, scores: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = command(scores, "--evidence", "scores", "--json")
    monkeypatch.chdir(scores.parent)
    opened = "__import__('pathlib').Path('scores.csv').read_bytes()"
    exec(found.report["code"].replace("open('scores.csv', 'rb').read()", opened), {})
    assert repr(found.numbers["area_under_curve"]["value"]) in capsys.readouterr().out


def test_files_and_tables_are_named_without_their_folder(command: Command, tmp_path: Path) -> None:
    """Files of one name are told apart by the folders in which they differ."""
    two = [tmp_path / name / f"losses{SUFFIX}" for name in ("before", "after")]
    for path in two:
        path.parent.mkdir()
        path.write_bytes(SAMPLE.read_bytes())
    found = command(*two, *BOUND, f"--report={tmp_path / 'a.html'}")
    assert str(tmp_path) not in found.out + (tmp_path / "a.html").read_text()
    digest = sha256(SAMPLE.read_bytes()).hexdigest()
    names = [f"{name}/losses{SUFFIX}" for name in ("before", "after")]
    assert found.report["data"]["files"] == [{"name": name, "sha256": digest} for name in names]
    assert list(found.numbers["models"]) == names
    url = f"duckdb://{tmp_path}/models.ddb"
    with attached(url) as engine:
        engine.con.execute(f"CREATE TABLE losses AS FROM '{SAMPLE}'")
    found = command("--engine", url, "--table", "losses", *BOUND)
    assert found.report["data"]["files"] == [{"name": "losses", "sha256": None}]


@pytest.mark.parametrize("url", ["postgres://me:secret@127.0.0.1:1/base", "pyspark://?token=secret"])
def test_the_line_in_a_report_has_nothing_that_opens_a_database(url: str) -> None:
    options = f"--engine {url} --table t --setting spark.fs.secret.key=hidden --setting n=64"
    given = ["audit", *options.split()]
    line = shell.line(given, arguments.parser().parse_args(given))
    assert not any(words in line for words in ("hidden", "secret@", "=secret"))
    assert "n=64" in line


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        (["--engine", "duckdb:///mine/models.ddb", "--table", "t"], "--engine duckdb://models.ddb --table t"),
        (["--engine=sqlite://mine/a.db?mode=ro", "--table", "t"], "'--engine=sqlite://a.db?mode=ro' --table t"),
        (["/mine/a.csv", "./mine/*.csv", "--population=/mine/b.csv"], "a.csv '*.csv' --population=b.csv"),
        (["a.csv", "--report", "{folder}//./a.html", "--temporary", "{folder}/"], "--report a.html --temporary {name}"),
    ],
)
def test_the_line_in_a_report_names_no_folder(tmp_path: Path, given: list[str], shown: str) -> None:
    named = ["audit", *(one.replace("{folder}", str(tmp_path)) for one in given)]
    assert shown.replace("{name}", tmp_path.name) in shell.line(named, arguments.parser().parse_args(named))
