"""``python -m losses audit`` takes what the page takes, and its report is the page's; what it says while it works."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest

from losses import (
    LOSS,
    SAMPLES,
    ColumnRoles,
    Roles,
    read_predictions,
    read_scores,
    rows_of,
    split,
    training_label,
    with_losses,
)
from losses.warehouse.engines import attached
from numerics.audits import GdpClaim, claim_verdict
from numerics.audits.one_run import Canaries, audit
from numerics.epsilon_star import LossScale, Method, estimate
from numerics.sampling import Adjacency
from pages.audit.epsilon_star import audits
from pages.audit.epsilon_star.options import Clip, Options
from pages.audit.epsilon_star.report import report as page_report
from pages.audit.epsilon_star.source_controls import Source
from pages.audit.labelled_scores import LabelledScores
from reports import attack_scores, canaries, figures, html_file, runs
from reports.audit_report import Auditor, AuditReport
from reports.command import arguments, progress, shell
from reports.command.main import main
from tests.html import Elements

pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string'"),
]

ROOT = Path(__file__).parents[1]
SAMPLE = ROOT / "data" / SAMPLES[0].file
SUFFIX = "".join(SAMPLE.suffixes)
RNG = np.random.default_rng(5)
ROWS = [f"{RNG.normal() + 3.0 * (row < 500):.6f},{int(row < 500)}" for row in range(1000)]


@pytest.fixture(autouse=True)
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is said of progress, however busy the machine is."""
    monkeypatch.setattr(progress, "PATIENCE", np.inf)


@pytest.fixture
def scores(tmp_path: Path) -> Path:
    path = tmp_path / "scores.csv"
    path.write_text("\n".join(["score,member", *ROWS]))
    return path


def on_the_page(path: Path) -> LabelledScores:
    """What the page makes of the file once it is confirmed, without its widgets."""
    data = path.read_bytes()
    rows = rows_of(read_scores(data), ColumnRoles("score", "member", "1"))
    told = read_scores(data).labels[0]
    python = (
        "from losses import labelled, read_scores\n\n"
        f"found = labelled(read_scores(open({path.name!r}, 'rb').read()), 'score', 'member', '1', drop=False, "
        "negate=False)\nvalues, is_in = found.values, found.is_in"
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
    guesses = Canaries(rows.values, rows.is_in, Adjacency.REPLACE_ONE).guesses()
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
    source = Source(("s",), SAMPLE.name, sample.groups, "", files=((SAMPLE.name, sample.digest),))
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


def test_predictions_are_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = []
    for row in range(600):
        member, answer = row % 2, (row // 2) % 2
        right = 1.0 / (1.0 + np.exp(-RNG.normal(1.0 + 2.0 * member, 1.0)))
        rows.append(f"{right if answer else 1.0 - right:.6f},{answer},{member}")
    path = tmp_path / "predictions.csv"
    path.write_text("\n".join(["p,y,member", *rows]))
    assert main(["audit", str(path), "--evidence", "predictions", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    table = with_losses(read_predictions(path.read_bytes()), Roles(("p",), "y")).table
    groups = split(table, LOSS, "member", "1")
    for name, method in (("parametric", Method.PARAMETRIC), ("confidence", Method.CONFIDENCE)):
        expected = estimate(groups.train, groups.population, None, method, scale=LossScale.LOG_ODDS)
        assert found["numbers"]["estimates"][name]["value"] == pytest.approx(expected.value, rel=1e-9)
    assert any("predictions are for the label “1”" in note for note in found["data"]["notes"])
    named = ["--predictions", "p", "--answer", "y", "--positive", "1"]
    assert main(["audit", str(path), "--evidence", "predictions", *named, "--json"]) == 0
    again = json.loads(capsys.readouterr().out)["numbers"]
    assert again["lower_bound"] == found["numbers"]["lower_bound"]
    assert main(["audit", str(path), "--evidence", "predictions", "--predictions", "q"]) == 2
    assert "There is no column “q”" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--evidence", "scores", "--claim", "mu=1"], "--claim does not go with scores"),
        (["--evidence", "scores", "--max-epsilon-star", "1"], "--max-epsilon-star does not go with scores"),
        (["--evidence", "scores", "--method", "all"], "but with --evidence losses or predictions."),
        (["--evidence", "canaries", "--cluster", "user", "--claim", "mu=1"], "--cluster does not go with canaries"),
        (["--suspect", "small"], "--suspect does not go with losses"),
        (["--evidence", "canaries", "--confirm"], "--claim must be given with --evidence canaries"),
        (["--evidence", "canaries", "--confirm", "--claim", "mu=x"], "mu in --claim must be a number"),
        (["--evidence", "runs", "--confirm", "--claim", "gaussian,rate=1"], "noise is missing in --claim"),
        (
            ["--evidence", "runs", "--confirm", "--claim", "gaussian,noise=1,sampling=b"],
            "must be Poisson or fixed-size",
        ),
        (
            ["--evidence", "runs", "--confirm", "--claim", "gaussian,noise=1,steps=1.5"],
            "steps in --claim must be a whole",
        ),
        (["--evidence", "scores", "--score", "nothing"], "There is no column of numbers “nothing”. There are “score”"),
        (["--evidence", "scores", "--membership", "nothing"], "There is no column of labels “nothing”"),
        (["--evidence", "scores", "--member", "7"], "No row has the label “7”. The labels are"),
        (["--evidence", "scores", "--slice", "class"], "There is no column “class”. There are “score”, “member”."),
        (["--evidence", "scores", "--population", "b.csv"], "--population does not go with scores"),
        (
            ["--evidence", "predictions", "--engine", "duckdb://", "--table", "t"],
            "--engine does not go with",
        ),
        (["--setting", "a=b"], "--setting must be given with --engine"),
        (["b.csv", "--evidence", "runs", "--claim", "mu=1", "--confirm"], "runs are in one file"),
        (["b.csv", "--population", "c.csv"], "--population must be given once for every source"),
        (["b.csv", "--slice", "class"], "must not be given with several sources"),
        (["--slice", "class", "--model-column", "epoch"], "--slice must be given with --model"),
        (["--evidence", "runs", "--claim", "mu=1", "--left-out", "absent"], "--left-out does not go with runs"),
        (["--evidence", "runs", "--claim", "mu=1", "--confirm"], ""),
    ],
)
def test_what_does_not_fit_is_refused_in_words(
    scores: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], message: str
) -> None:
    assert main(["audit", str(scores), *arguments]) == (2 if message else 1)
    assert message in capsys.readouterr().err


def test_small_scores_may_speak_for_members(scores: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = {}
    for end in ("large", "small"):
        assert main(["audit", str(scores), "--evidence", "scores", "--suspect", end, "--json"]) == 0
        found[end] = json.loads(capsys.readouterr().out)["numbers"]["area_under_curve"]["value"]
    assert found["large"] > 0.9
    assert found["small"] == pytest.approx(1.0 - found["large"])


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
    assert main(["audit", str(tmp_path / f"*{SUFFIX}"), "--method", "confidence", "--json"]) == 0
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


def test_progress_is_told_on_a_terminal_and_elsewhere_after_a_while(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    told = progress.Progress()
    told("early")
    monkeypatch.setattr(progress, "PATIENCE", -1.0)
    told("late")
    progress.Progress(is_quiet=True)("never")
    monkeypatch.setattr(progress, "PATIENCE", np.inf)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    told("on a terminal")
    assert capsys.readouterr().err == "... late\n... on a terminal\n"


@pytest.mark.skipif(sys.platform != "linux", reason="sends a signal")
def test_ctrl_c_ends_the_command_with_a_sentence(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """A pipe that is never filled holds the command while it reads.

    Who starts the tests in the background has them, and what they start, pay no attention to the signal.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    pipe = tmp_path / "scores.csv"
    os.mkfifo(pipe)
    command = [sys.executable, "-m", "losses", "audit", str(pipe), "--evidence", "scores"]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True) as run:
        with pipe.open("wb"):  # opens once the command reads
            time.sleep(0.2)
            os.killpg(run.pid, signal.SIGINT)
            assert run.stderr is not None
            said = run.stderr.read()
        assert run.wait() == 130
    assert said.splitlines()[-1] == "Interrupted: there is no verdict."
    assert "Traceback" not in said


@pytest.mark.parametrize("shape", ["a column for each group", "a column for each model"])
def test_wide_tables_are_read_as_the_page_reads_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], shape: str
) -> None:
    members, outsiders = RNG.gamma(1.0, size=(2, 200)), RNG.gamma(3.0, size=(2, 200))
    long, wide = tmp_path / "long.csv", tmp_path / "wide.csv"
    if shape == "a column for each group":
        long.write_text("\n".join(["loss,member", *(f"{x!r},{m}" for x, m in _labelled(members[0], outsiders[0]))]))
        pairs = zip(members[0].tolist(), outsiders[0].tolist(), strict=True)
        wide.write_text("\n".join(["train_loss,test_loss", *(f"{one!r},{two!r}" for one, two in pairs)]))
        more: tuple[str, ...] = ()
    else:
        first, second = _labelled(members[0], outsiders[0]), _labelled(members[1], outsiders[1])
        rows = zip(first, second, strict=True)
        wide.write_text("\n".join(["loss_1,loss_2,member", *(f"{x!r},{y!r},{m}" for (x, m), (y, _) in rows)]))
        long.write_text("\n".join(["loss,member", *(f"{x!r},{m}" for x, m in second)]))
        more = ("--model-column", "model", "--model", "2")
    found = []
    for path, said in ((long, ()), (wide, more)):
        assert main(["audit", str(path), "--method", "confidence", "--json", *said]) == 0
        found.append(json.loads(capsys.readouterr().out)["numbers"]["lower_bound"])
    assert found[0]["epsilon_star_at_least"] > 0.0
    assert found[0] == found[1]
    if more:
        assert main(["audit", str(wide), "--model-column", "model", "--json"]) == 0
        assert list(json.loads(capsys.readouterr().out)["numbers"]["models"]) == ["1", "2"]


def _labelled(members: np.ndarray, outsiders: np.ndarray) -> list[tuple[float, int]]:
    return [(x, 1) for x in members.tolist()] + [(x, 0) for x in outsiders.tolist()]
