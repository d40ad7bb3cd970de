"""What ``python -m losses audit`` does not take, and faults of its own: a line in words, a code that says which."""

import subprocess
import sys

import pytest

from losses.warehouse import engines
from reports import plain_text
from reports.command import losses
from reports.command.main import main
from tests import ROOT
from tests.reports.command.test_losses_command import SAMPLE, said

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "there must be a SOURCE"),
        (["nowhere.csv"], "There is no CSV or Parquet file at “nowhere.csv”"),
        ([SAMPLE, "--engine", "duckdb://"], "--engine and --table must be given together"),
        (["--table", "t"], "--engine and --table must be given together"),
        ([SAMPLE, "--engine", "duckdb://", "--table", "t"], "and not both"),
        ([SAMPLE, "--population", SAMPLE, "--member", "1"], "must not be given with --population"),
        ([SAMPLE, "--loss", "wrong"], "There is no column “wrong”"),
        ([SAMPLE, "--member", "wrong"], "No row has the label “wrong”"),
        ([SAMPLE, "--delta", "0"], "delta must be strictly between 0 and 1, got 0.0"),
        ([SAMPLE, "--clip", "0.7"], "clip must be above 0 and below 1/2"),
        ([SAMPLE, "--method", "confidence", "--level", "1"], "level must be between 0 and 1"),
        ([SAMPLE, "--memory", "plenty"], "refused to start"),
        ([SAMPLE, "--temporary", "/nowhere"], "/nowhere"),
        (["--engine", "nosuch://a", "--table", "t"], "refused to connect"),
    ],
)
def test_bad_input_is_refused_in_a_line(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    text = said(capsys, *arguments, code=2)
    assert message in text
    assert text.startswith("error: ")
    assert text.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["--method", "best"], ["--delta", "small"], ["--max-epsilon-star", "-1"], ["--clip", "papers"]]
)
def test_bad_usage_is_refused_with_2(capsys: pytest.CaptureFixture[str], arguments: list[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["audit", SAMPLE, *arguments])
    assert "Traceback" not in capsys.readouterr().err


def test_a_fault_of_the_program_is_no_exceeded_limit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(losses, "audit", lambda *_: 1 / 0)
    assert "ZeroDivisionError" in said(capsys, SAMPLE, code=3)


def test_a_fault_while_the_report_is_written_is_no_exceeded_limit(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plain_text, "text", lambda _: 1 / 0)
    assert "ZeroDivisionError" in said(capsys, SAMPLE, code=3)


def test_a_reader_that_has_seen_enough_changes_no_exit_code() -> None:
    command = [sys.executable, "-m", "losses", "audit", SAMPLE, "--json", "--quiet"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait() == 0


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("postgres://host/base", "pip install -r requirements-postgres.txt"),
        ("pyspark://", "pip install -r requirements-spark.txt"),
        ("mysql://host/base", "Install it."),
    ],
)
def test_a_missing_client_of_an_engine_is_named(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, url: str, remedy: str
) -> None:
    def missing(*_: object) -> None:
        raise ImportError

    monkeypatch.setattr(engines, "_connected", missing)
    text = said(capsys, "--engine", url, "--table", "t", code=2)
    assert f"The client of that engine is missing: ibis-framework[{url.partition(':')[0]}]." in text
    assert remedy in text


def test_missing_packages_are_named(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ibis", None)
    assert "pip install -r requirements-warehouse.txt" in said(capsys, SAMPLE, code=2)
