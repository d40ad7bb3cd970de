"""``python -m losses audit``: the numbers of the in-memory path, exit codes, limits, and what it does not take."""

import os
import signal
import sqlite3
import subprocess
import sys
import tomllib
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from losses import LOSS, SAMPLES, Roles, TableError, read_predictions, split, with_losses
from losses.isolation import client
from losses.reading import read_table
from losses.warehouse import engines
from losses.warehouse.engines import attached, refusals
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate
from numerics.trade_off import Floats
from numerics.version import VERSION
from reports import plain_text
from reports.command import losses, progress
from reports.command.main import main
from tests import ROOT
from tests.losses.files import content
from tests.reference import rows
from tests.reports.running import Command
from tests.warehouse_tables import COUNTED, QUIET_IBIS, SUMMED

pytestmark = QUIET_IBIS
SAMPLE, GROUPS = str(ROOT / "data" / SAMPLES[0].file), SAMPLES[0].groups()
UNIT = ("--unit", "log-odds")
BOUND = ("--method", "confidence", "--json")
TABLE = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))
NAMES = {"parametric": Method.PARAMETRIC, "empirical": Method.EMPIRICAL, "confidence": Method.CONFIDENCE}


def labelled(path: Path, groups: dict[str, Any], header: str = "loss,member") -> str:
    """A file with the losses of both groups."""
    lines = [f"{loss!r},{label}" for label, own in groups.items() for loss in np.asarray(own).tolist()]
    path.write_text("\n".join([header, *lines]))
    return str(path)


def check(found: Any, train: Floats, population: Floats, scale: LossScale, *names: str, clip: Any = None) -> None:
    """These estimates are those in memory."""
    for name in names:
        expected = estimate(train, population, None, NAMES[name], clip and clip.get(name), scale=scale)
        near = SUMMED if name == "parametric" else COUNTED
        assert found["estimates"][name]["value"] == pytest.approx(expected.value, rel=near)
        assert found["estimates"][name]["caveats"] == [str(caveat) for caveat in expected.caveats]


def test_numbers_are_those_in_memory(command: Command) -> None:
    """With the clips of the paper, and with those that nobody chose; infinite values are words in JSON."""
    ran = command(SAMPLE, "--method", "all", "--clip", "paper", "--json", *UNIT)
    found, delta = ran.numbers, default_delta(len(GROUPS.train))
    assert (found["delta"], found["limit"]) == (delta, None)
    assert found["sizes"] == {"train": len(GROUPS.train), "population": len(GROUPS.population)}
    assert ran.report["software"].endswith(VERSION)
    assert found["engine"].startswith("duckdb ")
    clips = {"parametric": delta, "empirical": EMPIRICAL_CLIP}
    check(found, GROUPS.train, GROUPS.population, LossScale.LOG_ODDS, *NAMES, clip=clips)
    assert found["estimates"]["empirical"]["at_most"] == found["estimates"]["empirical"]["value"]
    found = command(SAMPLE, "--method", "all", *UNIT, "--json").numbers
    clips = {"empirical": EMPIRICAL_CLIP}
    check(found, GROUPS.train, GROUPS.population, LossScale.LOG_ODDS, *NAMES, clip=clips)
    found = command(SAMPLE, "--method", "empirical", "--clip", "no", "--json").numbers["estimates"]["empirical"]
    assert (found["value"], float(found["at_most"])) == ("inf", np.inf)


# Of the sample the bound is 2.69, the parametric estimate 8.70, both of which engines add up in any order.
@pytest.mark.parametrize(
    ("given", "limit", "code", "exceeded"),
    [
        (("--method", "confidence"), 1.0, 1, ["confidence"]),
        (UNIT, 50.0, 0, []),
        (UNIT, 1.0, 1, ["confidence", "parametric"]),
        (UNIT, 5.0, 1, ["parametric"]),
        ((), 5.0, 2, []),  # without a unit there is no normal fit, so it is undecided
        ((), 1.0, 1, ["confidence"]),  # the bound alone decides that
    ],
)
def test_the_limit_decides_the_exit_code(
    command: Command, given: tuple[str, ...], limit: float, code: int, exceeded: list[str]
) -> None:
    found = command(SAMPLE, *given, "--max-epsilon-star", limit, "--json", code=code).numbers
    compared = found["limit"]["compared_with"]
    above = [name for name, value in compared.items() if value is not None and value > limit]
    assert sorted(above) == found["limit"]["exceeded_by"] == exceeded
    assert (found["limit"]["undecided"], found["limit"]["max_epsilon_star"]) == (code == 2, limit)
    for name in compared.keys() & found["estimates"].keys():
        assert compared[name] == found["estimates"][name]["value"]


def test_a_bound_above_the_limit_fails_although_the_estimate_is_below_it(command: Command, tmp_path: Path) -> None:
    """Sparse leaks: one member in ten is certain, which normal fits do not see."""
    rng = np.random.default_rng(1)
    train, fresh = (rng.normal(size=4000) for _ in range(2))
    train[:400] -= 8.0
    path = labelled(tmp_path / "leak.csv", {"in": train, "out": fresh})
    given = ("--member", "in", "--method", "empirical", "--clip", "0.05", "--json", "--max-epsilon-star", "3.0")
    found = command(path, *given, code=1).numbers
    assert found["estimates"]["empirical"]["value"] < 3.0 < found["estimates"]["confidence"]["value"]
    assert found["limit"]["exceeded_by"] == ["confidence"]
    assert any("too small" in reason for reason in found["estimates"]["empirical"]["reasons"])


@pytest.mark.parametrize("unit", ["nats", "none"])
def test_losses_below_zero_are_no_cross_entropy(command: Command, unit: str) -> None:
    found = command(SAMPLE, "--unit", unit, "--json").numbers
    assert set(found["estimates"]) == {"confidence"}
    assert ("negative" in found["refused"]["parametric"]) == (unit != "none")


def test_an_engine_fits_on_every_scale_and_says_what_the_fit_is_worth(command: Command, tmp_path: Path) -> None:
    """Cross-entropy of log odds N(3, 4) and N(2, 4): the truth is 1.9931, and 14.59 is said of it as printed."""
    row = next(row for row in rows("normal laws fitted to -z itself") if row.id == "grey_natural_logit_fit")
    z = stats.norm.ppf((np.arange(1, 1001) - 0.5) / 1000)
    groups = [np.logaddexp(0.0, -(mean + 2.0 * z)) for mean in (3.0, 2.0)]
    for name, unit in (("nats", 1.0), ("bits", np.log(2.0))):
        path = labelled(tmp_path / f"{name}.csv", {"i": groups[0] / unit, "o": groups[1] / unit})
        given = (path, "--member", "i", "--delta", "1e-5", "--json")
        found = command(*given, "--unit", name).numbers["estimates"]["parametric"]
        assert found["value"] == pytest.approx(row.expected, rel=SUMMED)
        assert found["standing"] == "not to be relied on alone"
        assert "not checked" in found["reasons"][-1]
    printed = command(*given, "--unit", "bits", "--as-printed").numbers["estimates"]["parametric"]
    assert printed["value"] == pytest.approx(rows(prefix="grey_parametric_cross_entropy")[0].expected, rel=SUMMED)
    assert printed["standing"] == "says nothing about these losses"


# What it reads.


def test_a_member_may_be_named_and_two_sources_are_two_groups(command: Command, tmp_path: Path) -> None:
    train, fresh = np.linspace(0.1, 1, 50), np.linspace(0.2, 2, 40)
    path = labelled(tmp_path / "a.csv", {"x": train, "y": fresh}, "loss,flag")
    found = command(path, "--membership", "flag", "--member", "y", *BOUND).numbers
    assert found["columns"].items() >= {"loss": "loss", "membership": "flag", "member": "y"}.items()
    assert found["sizes"] == {"train": 40, "population": 50}
    for name, own in (("train", train), ("fresh", fresh)):
        (tmp_path / f"{name}.csv").write_text("loss\n" + "\n".join(map(repr, own.tolist())))
    sources = (tmp_path / "train.csv", "--population", tmp_path / "fresh.csv")
    found = command(*sources, "--json", "--unit", "nats").numbers
    check(found, train, fresh, LossScale.NATS, "parametric")
    assert found["columns"]["member"] is None


def test_tables_of_databases(command: Command, tmp_path: Path) -> None:
    """Those of DuckDB as files are read; text in SQLite as numbers, and what is none of them is counted."""
    rng = np.random.default_rng(0)
    groups = {"1": rng.gamma(2.0, size=200), "0": rng.gamma(2.0, size=200)}
    url = f"duckdb://{tmp_path}/models.ddb"
    with attached(url) as engine:
        engine.con.execute(f"CREATE TABLE losses AS FROM '{labelled(tmp_path / 'a.csv', groups)}'")
    found = command("--engine", url, "--table", "losses", "--json", "--unit", "nats").numbers
    check(found, groups["1"], groups["0"], LossScale.NATS, "parametric", "confidence")
    assert "no table “other”" in command("--engine", url, "--table", "other", code=2).err
    with closing(sqlite3.connect(tmp_path / "a.db")) as base, base:
        base.execute("CREATE TABLE losses (loss TEXT, member TEXT)")
        texts = [(repr(loss), label) for label, own in groups.items() for loss in own.tolist()]
        base.executemany("INSERT INTO losses VALUES (?, ?)", [*texts, ("n.a.", "1")])
    given = ("--engine", f"sqlite://{tmp_path}/a.db", "--table", "losses")
    assert "1 blank or no number" in command(*given, code=2).err
    found = command(*given, "--drop", *BOUND).numbers
    check(found, groups["1"], groups["0"], LossScale.NATS, "confidence")


@pytest.mark.nightly
def test_what_is_too_large_for_memory_is_counted_by_an_engine(command: Command, tmp_path: Path) -> None:
    """33 million rows in a third of a megabyte: no damage, but more than may be held."""
    data = content({"text": "loss,member\n" + "0.5,1\n" * 33_000_000, "packed": 1})
    with pytest.raises(TableError, match="too large to be read here"):
        client.read(read_table, data)
    (tmp_path / "a.csv.gz").write_bytes(data)
    assert "One group is missing" in command(tmp_path / "a.csv.gz", "--quiet", code=2).err


def test_predictions_are_read(command: Command, tmp_path: Path) -> None:
    rng = np.random.default_rng(5)
    lines = []
    for row in range(600):
        member, answer = row % 2, (row // 2) % 2
        right = 1.0 / (1.0 + np.exp(-rng.normal(1.0 + 2.0 * member, 1.0)))
        lines.append(f"{right if answer else 1.0 - right:.6f},{answer},{member}")
    path = tmp_path / "predictions.csv"
    path.write_text("\n".join(["p,y,member", *lines]))
    groups = split(with_losses(read_predictions(path.read_bytes()), Roles(("p",), "y")).table, LOSS, "member", "1")
    for named in ((), ("--predictions", "p", "--answer", "y", "--positive", "1")):
        found = command(path, "--evidence", "predictions", *named, "--json")
        check(found.numbers, groups.train, groups.population, LossScale.LOG_ODDS, "parametric", "confidence")
        assert any("for the label “1”" in note for note in found.report["data"]["notes"])
    assert "no column “q”" in command(path, "--evidence", "predictions", "--predictions", "q", code=2).err


def test_wide_tables_are_read_as_long_ones(command: Command, tmp_path: Path) -> None:
    """A column for each group, or for each model."""
    rng = np.random.default_rng(5)
    members, outsiders, wide = rng.gamma(1.0, size=(2, 200)), rng.gamma(3.0, size=(2, 200)), tmp_path / "wide.csv"
    pairs = zip(members[1].tolist(), outsiders[1].tolist(), strict=True)
    wide.write_text("\n".join(["train_loss,test_loss", *(f"{one!r},{two!r}" for one, two in pairs)]))
    check(command(wide, *BOUND).numbers, members[1], outsiders[1], LossScale.NATS, "confidence")
    both = zip(*(np.concatenate([members[model], outsiders[model]]).tolist() for model in (0, 1)), strict=True)
    lines = [f"{one!r},{two!r},{int(row < 200)}" for row, (one, two) in enumerate(both)]
    wide.write_text("\n".join(["loss_1,loss_2,member", *lines]))
    of_models = (wide, *BOUND, "--model-column", "model")
    check(command(*of_models, "--model", "2").numbers, members[1], outsiders[1], LossScale.NATS, "confidence")
    assert list(command(*of_models).numbers["models"]) == ["1", "2"]


# What it does not take, and faults of its own.


@pytest.mark.parametrize("row", TABLE["refusal"] + TABLE["usage"], ids=lambda row: " ".join(row["given"]))
def test_what_does_not_fit_is_refused_with_2_and_in_a_line(
    command: Command, capsys: pytest.CaptureFixture[str], scores: Path, row: dict[str, list[str]]
) -> None:
    given = [one.replace("{scores}", str(scores)).replace("{losses}", SAMPLE) for one in row["given"]]
    if "words" not in row:
        with pytest.raises(SystemExit, match="2"):
            main(["audit", *given])
        assert "Traceback" not in capsys.readouterr().err
        return
    said = command(*given, code=2).err
    assert all(words in said for words in row["words"]), said
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    assert "secret" not in said
    assert not [*Path().glob("nowhere.*")]


def test_help_says_what_the_exit_codes_mean(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["audit", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "1 the lower bound or the estimate of the chosen method exceeds --max-epsilon-star" in told


@pytest.mark.parametrize("place", [(losses, "audit"), (plain_text, "text")])
def test_a_fault_of_the_program_is_no_exceeded_limit(
    command: Command, monkeypatch: pytest.MonkeyPatch, place: tuple[object, str]
) -> None:
    monkeypatch.setattr(*place, lambda *_: 1 / 0)
    assert "ZeroDivisionError" in command(SAMPLE, code=3).err


def test_a_missing_client_of_an_engine_is_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise ImportError

    monkeypatch.setattr(engines, "_connected", missing)
    for name, remedy in (("postgres", "requirements-postgres.txt"), ("pyspark", "spark.txt"), ("mysql", "Install it.")):
        said = command("--engine", f"{name}://host/base", "--table", "t", code=2).err
        assert f"ibis-framework[{name}]" in said
        assert remedy in said
    monkeypatch.setitem(sys.modules, "ibis", None)
    assert "requirements-warehouse.txt" in command(SAMPLE, code=2).err


def test_an_interrupted_engine_gives_no_verdict(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    ctrl_c = type("InterruptException", (Exception,), {})  # as DuckDB names it

    def interrupted(*_: object) -> None:
        with refusals("count"):
            raise ctrl_c

    monkeypatch.setattr(losses, "audit", interrupted)
    assert command(SAMPLE, code=130).err == "Interrupted: there is no verdict.\n"


@pytest.mark.skipif(sys.platform != "linux", reason="sends a signal")
def test_ctrl_c_ends_the_command_with_a_sentence(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """A pipe that is never filled holds the command while it reads.

    Who starts the tests in the background has them, and what they start, pay no attention to the signal.
    """
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    pipe = tmp_path / "scores.csv"
    os.mkfifo(pipe)
    line = [sys.executable, "-m", "losses", "audit", str(pipe), "--evidence", "scores"]
    with subprocess.Popen(line, cwd=ROOT, stderr=subprocess.PIPE, text=True, start_new_session=True) as run:
        with pipe.open("wb"):  # opens once the command reads
            os.killpg(run.pid, signal.SIGINT)
            assert run.stderr is not None
            said = run.stderr.read()
        assert run.wait() == 130
    assert said.splitlines()[-1] == "Interrupted: there is no verdict."
    assert "Traceback" not in said


@pytest.mark.nightly
def test_a_reader_that_has_seen_enough_changes_no_exit_code() -> None:
    line = [sys.executable, "-m", "losses", "audit", SAMPLE, "--method", "confidence", "--json", "--quiet"]
    with subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        run.stdout.close()
        assert run.stderr.read() == b""
        assert run.wait() == 0


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
