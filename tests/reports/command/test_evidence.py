"""``python -m losses audit`` takes what the page takes, and says what it does while it works."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from losses import (
    LOSS,
    Roles,
    read_predictions,
    split,
    with_losses,
)
from numerics.epsilon_star import LossScale, Method, estimate
from reports.command import progress
from reports.command.main import main
from tests import ROOT
from tests.reports.command.scores import RNG

pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string'"),
]


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
