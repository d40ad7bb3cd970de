"""``python -m losses audit --claim``: what is understood, what is refused, verdicts with their exit codes, and JSON."""

import json
from pathlib import Path

import numpy as np
import pytest

from numerics import Gaussian
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.sampling import Adjacency, Sampling
from reports.command.claims import claim_of
from reports.command.main import main
from reports.rounding import rounded_up
from tests import ROOT

DATA = ROOT / "data"
PROMISED = "gaussian,noise=1,rate=0.01,steps=1000"


def audit(name: str, *arguments: str, claim: str = PROMISED, confirm: bool = True) -> int:
    said = ["audit", str(DATA / f"canaries_{name}.csv"), "--evidence", "canaries", "--claim", claim, *arguments]
    return main([*said, "--confirm"] if confirm else said)


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("mu=1.5", GdpClaim(1.5)),
        ("epsilon=2, delta=1e-5", ApproximateClaim(2.0, 1e-5)),
        ("epsilon=2", ApproximateClaim(2.0, 0.0)),
        (PROMISED, ReleaseClaim(Gaussian(1.0, 0.01, 1000))),
        ("Gaussian,noise=2,adjacency=replace-one", ReleaseClaim(Gaussian(2.0, 1.0, 1, Adjacency.REPLACE_ONE))),
        (
            "gaussian,noise=1,rate=0.1,steps=5,adjacency=replace-one,sampling=fixed-size",
            ReleaseClaim(Gaussian(1.0, 0.1, 5, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)),
        ),
    ],
)
def test_promises_are_understood(text: str, claim: Claim) -> None:
    assert claim_of(text) == claim


@pytest.mark.parametrize("text", ["", "gausian,noise=1", "mu=1,sigma=2", "noise=1", "gaussian,noise=one", "epsilon=-1"])
def test_what_is_no_promise_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert audit("as_promised", claim=text) == 2
    assert "error: " in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "code"), [("as_promised", 0), ("noise_by_batch", 1), ("not_clipped", 1), ("five_times_the_rate", 1)]
)
def test_broken_code_is_refuted_and_the_promise_that_was_kept_is_not(name: str, code: int) -> None:
    assert audit(name) == code


def test_what_canaries_would_have_shown_is_said_of_the_best_scores_alone(capsys: pytest.CaptureFixture[str]) -> None:
    audit("as_promised")
    assert "with the best possible scores, if canaries do not disturb each other" in capsys.readouterr().out


def test_no_verdict_before_everything_is_confirmed(capsys: pytest.CaptureFixture[str]) -> None:
    assert audit("noise_by_batch", confirm=False) == 2
    assert "by its own fair coin" in capsys.readouterr().err


def test_what_the_rows_are_must_be_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["audit", str(DATA / "canaries_as_promised.csv"), "--claim", "mu=1", "--confirm"]) == 2
    assert "--evidence" in capsys.readouterr().err


def test_the_text_and_the_json_say_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    audit("noise_by_batch")
    text = capsys.readouterr().out
    audit("noise_by_batch", "--json")
    found = json.loads(capsys.readouterr().out)
    assert text.startswith("Refuted: ")
    assert "Gaussian, noise 1" in text
    assert found["verdict"]["outcome"] == "refuted at this level"
    assert found["verdict"]["sentences"][0] in text
    assert found["numbers"]["p_value"] < 1e-9
    assert f"Every promise of noise {rounded_up(found['numbers']['refuted'])} or more is refuted, too." in text
    assert found["numbers"]["canaries"] == 1000


@pytest.mark.parametrize(("shift", "code"), [(3.0, 1), (0.5, 0)])
def test_many_runs_are_tested(tmp_path: Path, capsys: pytest.CaptureFixture[str], shift: float, code: int) -> None:
    rng = np.random.default_rng(1)
    rows = [f"{score:.5f},with" for score in rng.normal(shift, 1.0, 400)]
    rows += [f"{score:.5f},without" for score in rng.normal(size=400)]
    (tmp_path / "runs.csv").write_text("\n".join(["score,world", *rows]))
    said = ["audit", str(tmp_path / "runs.csv"), "--evidence", "runs", "--claim", "mu=1", "--confirm"]
    assert main(said) == code
    assert "by the best attack there is" in capsys.readouterr().out


def test_too_few_runs_are_undecided(tmp_path: Path) -> None:
    (tmp_path / "runs.csv").write_text("score,world\n1,with\n2,with\n0,without\n0.5,without\n")
    said = ["audit", str(tmp_path / "runs.csv"), "--evidence", "runs", "--claim", "mu=1", "--confirm"]
    assert main(said) == 2
