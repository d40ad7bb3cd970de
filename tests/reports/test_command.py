"""``python -m losses audit``: the numbers of the in-memory path, exit codes, limits, and what it does not take."""

import json
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
from numerics.version import VERSION
from reports import plain_text
from reports.command import losses, memory_tables, progress
from reports.command.main import main
from tests import ROOT
from tests.losses.files import content
from tests.reference import rows
from tests.reports.running import Command, Ran
from tests.warehouse_tables import COUNTED, QUIET_IBIS, SUMMED

pytestmark = QUIET_IBIS
SAMPLE = str(ROOT / "data" / SAMPLES[0].file)
UNIT = ("--unit", "log-odds")
TABLE = tomllib.loads(Path(__file__).with_name("refusals.toml").read_text(encoding="utf-8"))
NAMES = {"parametric": Method.PARAMETRIC, "empirical": Method.EMPIRICAL, "confidence": Method.CONFIDENCE}


def labelled(path: Path, groups: dict[str, Any], header: str = "loss,member") -> str:
    """A file with the losses of both groups."""
    lines = [f"{loss!r},{label}" for label, own in groups.items() for loss in np.asarray(own).tolist()]
    path.write_text("\n".join([header, *lines]))
    return str(path)


def ended(*given: str, **how: Any) -> "subprocess.CompletedProcess[str]":
    line = [sys.executable, "-m", "losses", "audit", *given]
    return subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=False, **how)


def test_the_command_itself_gives_the_numbers_in_memory() -> None:
    run = ended(SAMPLE, "--method", "all", "--clip", "paper", "--json", "--quiet", *UNIT)
    assert (run.returncode, run.stderr) == (0, "")
    found = Ran(run.stdout, "").numbers
    groups = SAMPLES[0].groups()
    delta = default_delta(len(groups.train))
    assert found["delta"] == delta
    assert found["sizes"] == {"train": len(groups.train), "population": len(groups.population)}
    assert json.loads(run.stdout)["software"].endswith(VERSION)
    assert found["engine"].startswith("duckdb ")
    clips = {Method.PARAMETRIC: delta, Method.EMPIRICAL: EMPIRICAL_CLIP}
    for name, method in NAMES.items():
        expected = estimate(groups.train, groups.population, None, method, clips.get(method), scale=LossScale.LOG_ODDS)
        tolerance = SUMMED if method is Method.PARAMETRIC else COUNTED
        assert found["estimates"][name]["value"] == pytest.approx(expected.value, rel=tolerance)
        assert found["estimates"][name]["caveats"] == [str(caveat) for caveat in expected.caveats]
    assert found["estimates"]["empirical"]["at_most"] == found["estimates"]["empirical"]["value"]
    assert found["limit"] is None


# Of the sample the bound is 2.69, the parametric estimate 8.70, both of which engines add up in any order.
@pytest.mark.parametrize(
    ("given", "limit", "code", "exceeded"),
    [
        (("--method", "confidence"), 1.0, 1, ["confidence"]),
        (("--method", "confidence"), 5.0, 0, []),
        (UNIT, 50.0, 0, []),
        (UNIT, 1.0, 1, ["confidence", "parametric"]),
        (UNIT, 5.0, 1, ["parametric"]),
        ((*UNIT, "--method", "all", "--clip", "paper"), 4.5, 1, None),
        ((), 5.0, 2, []),  # without a unit there is no normal fit, so it is undecided
        ((), 1.0, 1, ["confidence"]),  # the bound alone decides that
    ],
)
def test_the_limit_decides_the_exit_code(
    command: Command, given: tuple[str, ...], limit: float, code: int, exceeded: list[str] | None
) -> None:
    found = command(SAMPLE, *given, "--max-epsilon-star", limit, "--json", code=code).numbers
    compared = found["limit"]["compared_with"]
    above = [name for name, value in compared.items() if value is not None and value > limit]
    assert found["limit"]["exceeded_by"] == (above if exceeded is None else exceeded)
    assert sorted(above) == sorted(found["limit"]["exceeded_by"])
    assert found["limit"]["undecided"] == (code == 2)
    assert found["limit"]["max_epsilon_star"] == limit
    for name, value in compared.items():
        if name in found["estimates"]:
            assert value == found["estimates"][name]["value"]


def test_a_limit_is_kept_where_it_is_met(command: Command) -> None:
    bound = command(SAMPLE, "--method", "confidence", "--json").numbers["estimates"]["confidence"]["value"]
    command(SAMPLE, "--method", "confidence", "--max-epsilon-star", repr(bound))
    command(SAMPLE, "--method", "confidence", "--max-epsilon-star", repr(bound - 1e-9), code=1)


def test_the_text_says_the_limit_the_bound_and_what_to_mind(command: Command, tmp_path: Path) -> None:
    text = command(SAMPLE, "--method", "confidence", "--max-epsilon-star", "1.0", code=1).out
    assert text.startswith("Limit 1,")
    assert "EXCEEDED" in text.splitlines()[0]
    text = command(SAMPLE).out
    assert text.index("at least 2.68.") < text.index("(parametric): not shown as a number")
    rng = np.random.default_rng(0)
    path = labelled(tmp_path / "a.csv", {"train": rng.gamma(2.0, size=200), "test": rng.gamma(2.0, size=200)})
    text = command(path, "--method", "all", "--delta", "0.01", "--clip", "0.02", "--level", "0.9", "--unit", "nats").out
    assert text.count("200 losses\n") == 2
    assert "“train” in column “member” means training data" in text
    for words in ("δ = 0.01", "90 % confidence ε* is at least 0.\n", "(0.02, 1 − 0.02)", "δ is larger than 1/n"):
        assert words in text
    for words in ("no guarantee", "biased upwards"):
        assert words in text
    assert "have a loss" not in text  # a bound of 0 is at no loss
    assert "**" not in text


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


@pytest.mark.parametrize("unit", ["nats", "bits", "none"])
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
        printed = command(*given, "--as-printed").numbers["estimates"]["parametric"]
        assert printed["value"] == pytest.approx(rows(prefix="grey_parametric_cross_entropy")[0].expected, rel=SUMMED)
        assert printed["standing"] == "says nothing about these losses"


def test_the_estimate_that_nobody_chose_a_clip_for(command: Command) -> None:
    """Infinite values are words in JSON."""
    groups = SAMPLES[0].groups()
    for name, clip in (("empirical", EMPIRICAL_CLIP), ("parametric", None)):
        found = command(SAMPLE, "--method", name, *UNIT, "--json").numbers["estimates"][name]
        expected = estimate(groups.train, groups.population, None, NAMES[name], clip, scale=LossScale.LOG_ODDS)
        assert found["clip"] == clip
        assert found["value"] == pytest.approx(expected.value, rel=SUMMED)
    found = command(SAMPLE, "--method", "empirical", "--clip", "no", "--json").numbers["estimates"]["empirical"]
    assert (found["value"], float(found["at_most"])) == ("inf", np.inf)


def test_help_says_what_the_exit_codes_mean(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["audit", "--help"])
    told = " ".join(capsys.readouterr().out.split())
    assert "1 the lower bound or the estimate of the chosen method exceeds --max-epsilon-star" in told


# What it reads.


def test_a_member_may_be_named_and_two_sources_are_two_groups(command: Command, tmp_path: Path) -> None:
    train, fresh = np.linspace(0.1, 1, 50), np.linspace(0.2, 2, 40)
    path = labelled(tmp_path / "a.csv", {"x": train, "y": fresh}, "loss,flag")
    found = command(path, "--membership", "flag", "--member", "y", "--json").numbers
    assert found["columns"].items() >= {"loss": "loss", "membership": "flag", "member": "y"}.items()
    assert "said" in found["columns"]["why"]
    assert found["sizes"] == {"train": 40, "population": 50}
    for name, own in (("train", train), ("fresh", fresh)):
        (tmp_path / f"{name}.csv").write_text("loss\n" + "\n".join(map(repr, own.tolist())))
    sources = (tmp_path / "train.csv", "--population", tmp_path / "fresh.csv")
    found = command(*sources, "--json", "--unit", "nats").numbers
    expected = estimate(train, fresh, method=Method.PARAMETRIC, scale=LossScale.NATS)
    assert found["estimates"]["parametric"]["value"] == pytest.approx(expected.value, rel=SUMMED)
    assert found["columns"]["member"] is None


def test_tables_of_databases(command: Command, tmp_path: Path) -> None:
    """Those of DuckDB as files are read; text in SQLite as numbers, and what is none of them is counted."""
    rng = np.random.default_rng(0)
    groups = {"1": rng.gamma(2.0, size=200), "0": rng.gamma(2.0, size=200)}
    path = labelled(tmp_path / "a.csv", groups)
    url = f"duckdb://{tmp_path}/models.ddb"
    with attached(url) as engine:
        engine.con.execute(f"CREATE TABLE losses AS FROM '{path}'")
    expected = command(path, "--json", "--unit", "nats").numbers["estimates"]
    found = command("--engine", url, "--table", "losses", "--json", "--unit", "nats").numbers["estimates"]
    assert found.keys() == expected.keys()
    for name, numbers_of in expected.items():
        assert found[name]["value"] == pytest.approx(numbers_of["value"], rel=SUMMED)
    assert "no table “other”" in command("--engine", url, "--table", "other", code=2).err
    with closing(sqlite3.connect(tmp_path / "a.db")) as base, base:
        base.execute("CREATE TABLE losses (loss TEXT, member TEXT)")
        texts = [(repr(loss), label) for label, own in groups.items() for loss in own.tolist()]
        base.executemany("INSERT INTO losses VALUES (?, ?)", [*texts, ("n.a.", "1")])
    given = ("--engine", f"sqlite://{tmp_path}/a.db", "--table", "losses")
    assert "1 blank or no number" in command(*given, code=2).err
    found = command(*given, "--drop", "--json").numbers["estimates"]
    assert found["confidence"]["value"] == pytest.approx(expected["confidence"]["value"], rel=COUNTED)


def test_what_is_too_large_for_the_page_must_be_in_utf_8_with_decimal_points(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(memory_tables, "LARGEST", 100)
    path = tmp_path / "a.csv"
    file = {"header": "loss,member,größe", "row": "{loss},{member},x"}
    for changed, words in (
        ({"encoding": "utf-16"}, "UTF-16"),
        ({"encoding": "latin-1"}, "not text in UTF-8"),
        ({"delimiter": ";", "decimal": ","}, "decimal point"),
    ):
        path.write_bytes(content({**file, **changed}))
        assert words in command(path, code=2).err
    path.write_bytes(content(file))
    command(path, "--method", "confidence")
    path.write_bytes(content({"header": "accuracy,member"}))
    assert "named like a loss" in command(path, code=2).err
    assert command(path, "--loss", "accuracy", "--json").numbers["columns"]["loss"] == "accuracy"


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
    found = command(path, "--evidence", "predictions", "--json")
    groups = split(with_losses(read_predictions(path.read_bytes()), Roles(("p",), "y")).table, LOSS, "member", "1")
    for name in ("parametric", "confidence"):
        expected = estimate(groups.train, groups.population, None, NAMES[name], scale=LossScale.LOG_ODDS)
        assert found.numbers["estimates"][name]["value"] == pytest.approx(expected.value, rel=SUMMED)
    assert any("for the label “1”" in note for note in found.report["data"]["notes"])
    named = ("--predictions", "p", "--answer", "y", "--positive", "1")
    again = command(path, "--evidence", "predictions", *named, "--json").numbers
    assert again["lower_bound"] == found.numbers["lower_bound"]
    assert "no column “q”" in command(path, "--evidence", "predictions", "--predictions", "q", code=2).err


def test_small_scores_may_speak_for_members(command: Command, scores: Path) -> None:
    large, small = (
        command(scores, "--evidence", "scores", "--suspect", end, "--json").numbers["area_under_curve"]["value"]
        for end in ("large", "small")
    )
    assert large > 0.9
    assert small == pytest.approx(1.0 - large)


def test_wide_tables_are_read_as_long_ones(command: Command, tmp_path: Path) -> None:
    """A column for each group, or for each model."""
    rng = np.random.default_rng(5)
    members, outsiders = rng.gamma(1.0, size=(2, 200)), rng.gamma(3.0, size=(2, 200))
    long, wide = tmp_path / "long.csv", tmp_path / "wide.csv"
    pairs = zip(members[1].tolist(), outsiders[1].tolist(), strict=True)
    wide.write_text("\n".join(["train_loss,test_loss", *(f"{one!r},{two!r}" for one, two in pairs)]))
    of_long = (labelled(long, {"1": members[1], "0": outsiders[1]}), "--method", "confidence", "--json")
    expected = command(*of_long).numbers["lower_bound"]
    assert expected["epsilon_star_at_least"] > 0.0
    assert command(wide, *of_long[1:]).numbers["lower_bound"] == expected
    both = zip(*(np.concatenate([members[model], outsiders[model]]).tolist() for model in (0, 1)), strict=True)
    lines = [f"{one!r},{two!r},{int(row < 200)}" for row, (one, two) in enumerate(both)]
    wide.write_text("\n".join(["loss_1,loss_2,member", *lines]))
    of_models = (wide, *of_long[1:], "--model-column", "model")
    assert command(*of_models, "--model", "2").numbers["lower_bound"] == expected
    assert list(command(*of_models).numbers["models"]) == ["1", "2"]


# What it does not take, and faults of its own.


def filled(given: list[str], scores: Path) -> list[str]:
    return [one.replace("{scores}", str(scores)).replace("{losses}", SAMPLE) for one in given]


@pytest.mark.parametrize("row", TABLE["refusal"], ids=lambda row: " ".join(row["given"]))
def test_what_does_not_fit_is_refused_in_a_line(command: Command, scores: Path, row: dict[str, list[str]]) -> None:
    said = command(*filled(row["given"], scores), code=2).err
    for words in row["words"]:
        assert words in said
    assert said.startswith("error: ")
    assert said.count("\n") == 1
    assert "secret" not in said
    assert not Path("nowhere.sqlite").exists()
    assert not Path("nowhere.ddb").exists()


@pytest.mark.parametrize("row", TABLE["usage"], ids=lambda row: " ".join(row["given"]))
def test_bad_usage_is_refused_with_2(
    capsys: pytest.CaptureFixture[str], scores: Path, row: dict[str, list[str]]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["audit", *filled(row["given"], scores)])
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("place", [(losses, "audit"), (plain_text, "text")])
def test_a_fault_of_the_program_is_no_exceeded_limit(
    command: Command, monkeypatch: pytest.MonkeyPatch, place: tuple[object, str]
) -> None:
    monkeypatch.setattr(*place, lambda *_: 1 / 0)
    assert "ZeroDivisionError" in command(SAMPLE, code=3).err


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("postgres://host/base", "requirements-postgres.txt"),
        ("pyspark://", "requirements-spark.txt"),
        ("mysql://host/base", "Install it."),
    ],
)
def test_a_missing_client_of_an_engine_is_named(
    command: Command, monkeypatch: pytest.MonkeyPatch, url: str, remedy: str
) -> None:
    def missing(*_: object) -> None:
        raise ImportError

    monkeypatch.setattr(engines, "_connected", missing)
    said = command("--engine", url, "--table", "t", code=2).err
    assert f"ibis-framework[{url.partition(':')[0]}]" in said
    assert remedy in said
    monkeypatch.setitem(sys.modules, "ibis", None)
    assert "requirements-warehouse.txt" in command(SAMPLE, code=2).err


def test_an_interrupted_command_says_so(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
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
