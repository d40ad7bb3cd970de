"""``python -m losses audit``: numbers, exit codes, refusals; what belongs together is in ``scenarios.toml``."""

import json
import sqlite3
import sys
import tomllib
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from losses import LOSS, SAMPLES, Roles, read_predictions, split, with_losses
from losses.warehouse import engines
from losses.warehouse.engines import attached, refusals
from numerics import audits, mechanisms
from numerics.audits import ApproximateClaim, GdpClaim, Scores, claim_test, sliced
from numerics.audits.one_run import Canaries, p_value, parameter_refuted
from numerics.epsilon_star import EMPIRICAL_CLIP, LossScale, Method, default_delta, estimate, lower_bound
from numerics.epsilon_star.confidence import Ascending
from numerics.trade_off import Floats
from numerics.version import VERSION
from reports.command import losses, reading
from reports.command.arguments import claim_of
from reports.command.main import Progress, main
from tests import ROOT
from tests.losses.files import content
from tests.losses.untrusted import UNTRUSTED
from tests.reference import rows
from tests.reports.conftest import Command
from tests.warehouse_tables import COUNTED, QUIET_IBIS, SUMMED

pytestmark = QUIET_IBIS
FOLDER, SCORES = Path(__file__).parent, ROOT / "data" / "canaries_as_promised.csv"
SAMPLE, GROUPS = str(ROOT / "data" / SAMPLES[0].file), SAMPLES[0].groups()
UNIT = ("--unit", "log-odds")
BOTH = ("--estimate", "parametric", "--estimate", "empirical")
REFUSALS, SCENARIOS = (
    tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8")) for name in ("refusals", "scenarios")
)
RNG, ROWS, SHIFT = np.random.default_rng(11), 400, {"cats": 4.0, "dogs": 0.0}
LOSSES = {(name, member): RNG.normal(0.0 - by * member, 1.0, ROWS) for name, by in SHIFT.items() for member in (1, 0)}
"""Small for the members of one of two; as scores they are turned."""
LONG = [(loss, member, name) for (name, member), own in LOSSES.items() for loss in own.tolist()]
BOUND = ("--estimate", "none", "--json")
NAMES = {"parametric": Method.PARAMETRIC, "empirical": Method.EMPIRICAL, "confidence": Method.CONFIDENCE}


def saved(path: Path, header: str, cells: Iterable[Iterable[object]]) -> Path:
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in cells)]))
    return path


def labelled(path: Path, groups: dict[str, Any]) -> Path:
    """A file with the losses of both groups."""
    return saved(path, "loss,member", [(loss, name) for name, own in groups.items() for loss in own.tolist()])


def check(found: Any, train: Floats, population: Floats, scale: LossScale, *names: str, clip: Any = None) -> None:
    """These estimates are those in memory."""
    for name in names:
        expected = estimate(train, population, None, NAMES[name], clip and clip.get(name), scale=scale)
        near = SUMMED if name == "parametric" else COUNTED
        assert found["estimates"][name]["value"] == pytest.approx(expected.value, rel=near)
        assert found["estimates"][name]["caveats"] == [str(caveat) for caveat in expected.caveats]


def test_numbers_are_those_in_memory(command: Command) -> None:
    """Infinite values are words in JSON."""
    ran = command(SAMPLE, *BOTH, "--json", *UNIT)
    found, delta = ran.numbers, default_delta(len(GROUPS.train))
    assert (found["delta"], found["limit"]) == (delta, None)
    assert found["sizes"] == {"train": len(GROUPS.train), "population": len(GROUPS.population)}
    assert ran.report["software"].endswith(VERSION)
    assert found["engine"].startswith("duckdb ")
    clips = {"empirical": EMPIRICAL_CLIP}
    check(found, GROUPS.train, GROUPS.population, LossScale.LOG_ODDS, *NAMES, clip=clips)
    assert found["estimates"]["empirical"]["at_most"] == found["estimates"]["empirical"]["value"]


def test_an_engine_fits_on_every_scale_and_says_what_the_fit_is_worth(command: Command, tmp_path: Path) -> None:
    """Cross-entropy of log odds N(3, 4) and N(2, 4): the truth is 1.9931, and 14.59 is said of it as printed."""
    row = next(row for row in rows("normal laws fitted to -z itself") if row.id == "grey_natural_logit_fit")
    z = stats.norm.ppf((np.arange(1, 1001) - 0.5) / 1000)
    groups = {name: np.logaddexp(0.0, -(mean + 2.0 * z)) / np.log(2.0) for name, mean in (("i", 3.0), ("o", 2.0))}
    losses_in_bits = labelled(tmp_path / "bits.csv", groups)
    given = (losses_in_bits, "--membership", "=i", "--delta", "1e-5", "--json", "--unit", "bits")
    found = command(*given).numbers["estimates"]["parametric"]
    assert found["value"] == pytest.approx(row.expected, rel=SUMMED)
    assert found["standing"] == "not to be relied on alone"
    assert "not checked" in found["reasons"][-1]
    printed = command(*given, "--estimate", "as-printed").numbers["estimates"]["parametric"]
    assert printed["value"] == pytest.approx(rows(prefix="grey_parametric_cross_entropy")[0].expected, rel=SUMMED)
    assert printed["standing"] == "says nothing about these losses"


# What it reads.


def test_tables_of_databases(command: Command, tmp_path: Path) -> None:
    """Those of DuckDB as files are read; text in SQLite as numbers, and what is none of them is counted."""
    rng = np.random.default_rng(0)
    groups = {"1": rng.gamma(2.0, size=200), "0": rng.gamma(2.0, size=200)}
    url = f"duckdb://{tmp_path}/models.ddb"
    with attached(url) as engine:
        engine.con.execute(f"CREATE TABLE losses AS FROM '{labelled(tmp_path / 'a.csv', groups)}'")
    ran = command("losses", "--engine", url, "--json", "--unit", "nats")
    check(ran.numbers, groups["1"], groups["0"], LossScale.NATS, "parametric", "confidence")
    assert ran.report["data"]["files"] == [{"name": "losses", "sha256": None}]
    assert str(tmp_path) not in ran.out
    assert "no table “other”" in command("other", "--engine", url, code=2).err
    with attached(url) as engine:
        engine.con.execute(f"CREATE TABLE scored AS FROM '{SCORES}'")
    for kind in ("scores", "canaries"):
        given = ("--evidence", kind, *(("--confirm",) if kind == "canaries" else ()), "--json")
        assert command("scored", "--engine", url, *given).numbers == command(SCORES, *given).numbers
    with closing(sqlite3.connect(tmp_path / "a.db")) as base, base:
        base.execute("CREATE TABLE losses (loss TEXT, member TEXT)")
        texts = [(repr(loss), label) for label, own in groups.items() for loss in own.tolist()]
        base.executemany("INSERT INTO losses VALUES (?, ?)", [*texts, ("n.a.", "1")])
    given = ("losses", "--engine", f"sqlite://{tmp_path}/a.db")
    assert "1 blank or no number" in command(*given, code=2).err
    check(command(*given, "--drop", *BOUND).numbers, groups["1"], groups["0"], LossScale.NATS, "confidence")


CUT = "Probabilities closer to 0 or 1 than their digits tell were cut there, in 1 of 600 rows."


def test_predictions_are_read(command: Command, tmp_path: Path) -> None:
    rng, cells = np.random.default_rng(5), []
    for row in range(600):
        member, answer = row % 2, (row // 2) % 2
        right = 1.0 / (1.0 + np.exp(-rng.normal(1.0 + 2.0 * member, 1.0)))
        cells.append((f"{right if answer else 1.0 - right:.6f}" if row else 1, answer, member))
    path = saved(tmp_path / "predictions.csv", "p,y,member", cells)
    groups = split(with_losses(read_predictions(path.read_bytes()), Roles(("p",), "y")).table, LOSS, "member", "1")
    found = command(path, "--evidence", "predictions", "--json")
    check(found.numbers, groups.train, groups.population, LossScale.LOG_ODDS, "parametric", "confidence")
    assert {"Predictions are for the label “1”.", CUT} <= {*found.report["data"]["notes"]}
    url, sliced_by = f"duckdb://{tmp_path}/models.ddb", ("--evidence", "predictions", "--slice", "y", *BOUND)
    with attached(url) as engine:
        engine.con.execute(f"CREATE TABLE predictions AS FROM '{path}'")
    of_table, of_file = (command(*given, *sliced_by).numbers for given in (("predictions", "--engine", url), (path,)))
    assert of_table["slices"] == of_file["slices"]
    assert "no column “q”" in command(path, "--evidence", "predictions", "--predictions", "q", code=2).err


# Promises.


@pytest.mark.parametrize(("text", "claim"), SCENARIOS["promises"])
def test_promises_are_understood(text: str, claim: str) -> None:
    assert claim_of(text) == eval(claim, vars(audits) | vars(mechanisms))


# What it does not take, and faults of its own.


@pytest.mark.parametrize("row", REFUSALS["refusal"] + REFUSALS["usage"], ids=lambda row: " ".join(row["given"]))
def test_what_does_not_fit_is_refused_with_2_and_in_a_line(
    command: Command, capsys: pytest.CaptureFixture[str], row: dict[str, list[str]]
) -> None:
    given = [one.replace("{scores}", str(SCORES)).replace("{losses}", SAMPLE) for one in row["given"]]
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


def test_a_missing_client_of_an_engine_is_named(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_: object) -> None:
        raise ImportError

    monkeypatch.setattr(engines, "_connected", missing)
    for name, remedy in (("postgres", "requirements-postgres.txt"), ("pyspark", "spark.txt"), ("mysql", "Install it.")):
        said = command("t", "--engine", f"{name}://host/base", code=2).err
        assert f"ibis-framework[{name}]" in said
        assert remedy in said
    monkeypatch.setitem(sys.modules, "ibis", None)
    assert "requirements-warehouse.txt" in command(SAMPLE, code=2).err


def test_neither_a_fault_nor_an_interruption_is_an_exceeded_limit(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        with refusals("count"):
            raise type("InterruptException", (Exception,), {})  # as DuckDB names Ctrl-C

    monkeypatch.setattr(losses, "audit", interrupted)
    assert command(SAMPLE, code=130).err == "Interrupted: there is no verdict.\n"
    monkeypatch.setattr(losses, "audit", lambda *_: 1 / 0)
    assert "ZeroDivisionError" in command(SAMPLE, code=3).err


def test_what_takes_long_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    for started, said in ((-np.inf, "... reading\n"), (np.inf, "")):
        Progress(started)("reading")
        assert capsys.readouterr().err == said


# Rows and files that belong together.


@pytest.mark.parametrize("scenario", SCENARIOS["scenario"], ids=lambda one: one["id"])
def test_what_is_open_is_refused_until_something_is_said(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenario: dict[str, Any]
) -> None:
    named = {"{losses}": SAMPLE, "{folder}": str(tmp_path), "{data}": str(ROOT / "data")}
    for name in ("file", "second"):
        if name in scenario:
            path, made = tmp_path / scenario[name].get("called", f"{name}.csv"), scenario[name]
            path.write_bytes(UNTRUSTED[made["untrusted"]].data if "untrusted" in made else content(made))
            named[f"{{{name}}}"] = str(path)
    if "largest" in scenario:
        monkeypatch.setattr(reading, "LARGEST", scenario["largest"])
    for step in scenario["step"]:
        given = [scenario.get("source", "{file}"), *step["given"]]
        given += [] if "--evidence" in given else ["--estimate", step.get("estimate", "none")]
        given += [] if "text" in step else ["--json"]
        for name, meant in named.items():
            given = [one.replace(name, meant) for one in given]
        ran = command(*given, code=step.get("code", 0))
        said = ran.err or (ran.out if "text" in step else json.dumps(ran.report, ensure_ascii=False))
        assert all(words in said for words in step.get("words", ())), said
        assert not any(words in said for words in step.get("absent", ())), said
        assert "sizes" not in step or [*ran.numbers["sizes"].values()] == step["sizes"]


FIRST_ASKED = {one.asks: name for name, one in reversed(UNTRUSTED.items())}  # one table of each question is answered
ALIKE = ["a text too many", "email behind other texts", "batches of a model", "steps of a day", "hospital"]
ALIKE += ["street", "doc_id", "no row twice", "a tree", "saturated", "losses of two groups"]  # to what others show


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.nightly] if name in ALIKE else []) for name in UNTRUSTED]
)
def test_an_untrusted_table_stops_with_how_to_go_on_or_is_read_with_what_is_doubted(
    command: Command, tmp_path: Path, name: str
) -> None:
    one, path, fresh = UNTRUSTED[name], tmp_path / "a.csv", tmp_path / "fresh.csv"
    path.write_bytes(one.data)
    fresh.write_bytes(one.fresh)
    given = (path, *(("--population", fresh) if one.fresh else ()), *BOUND)
    if one.asks:
        said = command(*given, code=2).err
        assert one.asks in said
        for place, (_, options, told) in enumerate(one.answers):
            assert " ".join(options[:2]) in said.replace("--loss COLUMN", f"--loss {options[1]}")
            if FIRST_ASKED[one.asks] == name and not place:
                assert any(told in note for note in command(*given, *options).report["data"]["notes"])
        return
    verdict = " ".join(command(*given).report["verdict"]["sentences"])
    assert ("Mind: " in verdict) == bool(one.doubt)
    assert one.doubt in verdict


# Models and slices.


def bounds(parts: int) -> list[float]:
    """Of each the bound of its rows at its share of the risk, so that all hold together."""
    level, delta = 1.0 - 0.05 / parts, default_delta(ROWS)
    groups = {key: Ascending(np.sort(own)) for key, own in LOSSES.items()}
    return [lower_bound(groups[name, 1], groups[name, 0], delta, level).value for name in SHIFT]


def written(folder: Path, shape: str) -> list[object]:
    """The losses of both models in files of a shape, as they are given to the command."""
    path = folder / "a.csv"
    if shape == "files":
        rows = {name: [row[:2] for row in LONG if row[2] == name] for name in SHIFT}
        (folder / "dogs").mkdir()
        copies = saved(folder / "dogs" / "a.csv", "loss,member", 2 * rows["dogs"])
        return [saved(path, "loss,member", rows["cats"]), copies, "--rows", "copies"]
    if shape == "predictions":
        right = [(1.0 / (1.0 + np.exp(loss)), member, name) for loss, member, name in LONG]  # as it grows, losses fall
        cells = ((p if row % 2 else 1.0 - p, row % 2, *rest) for row, (p, *rest) in enumerate(right))
        named = ["--predictions", "p", "--answer", "y=1"]
        return [saved(path, "p,y,member,model", cells), "--evidence", "predictions", *named]
    return [saved(path, "loss,member,model", LONG), "--max-epsilon-star", "0.5"]


@pytest.mark.parametrize("shape", ["column", "files", "predictions"])
def test_bounds_of_several_models_hold_together_however_they_are_written(
    command: Command, tmp_path: Path, shape: str
) -> None:
    """The limit is for all; what was done to rows is said of whom it is true; no folder is named."""
    of_column = [] if shape == "files" else ["--model", "model"]
    found = command(*written(tmp_path, shape), *of_column, *BOUND, code=int(shape == "column"))
    names = ["a.csv", "dogs/a.csv"] if shape == "files" else [*SHIFT]
    assert list(found.numbers["models"]) == names
    shown = [one["lower_bound"]["epsilon_star_at_least"] for one in found.numbers["models"].values()]
    near = 1e-6 if shape == "predictions" else COUNTED  # losses come from probabilities with 16 digits
    assert shown == pytest.approx(bounds(2), rel=near)
    assert shown[0] > 1.0 > shown[1] == 0.0
    notes = [note for note in found.report["data"]["notes"] if "copies" in note]
    assert all(note.startswith(f"“{names[1]}”: ") for note in notes)
    assert (len(notes) > 0) == (shape == "files")
    assert str(tmp_path.parent) not in found.out


def test_slices_of_losses_have_bounds_that_hold_together(command: Command, tmp_path: Path) -> None:
    tiny = [(row / 7.0, row % 2, "tiny") for row in range(8)]
    path = saved(tmp_path / "a.csv", "loss,member,class", [*LONG, *tiny])
    found = command(path, "--slice", "class", *BOUND)
    *each, last = found.numbers["slices"].values()
    assert [one["lower_bound"]["epsilon_star_at_least"] for one in each] == pytest.approx(bounds(3), rel=COUNTED)
    assert "at least 10 losses" in last["refused"]
    assert found.numbers["sizes"] == {"train": 2 * ROWS + 4, "population": 2 * ROWS + 4}
    assert "3 slices: with 95 % confidence" in found.out


@pytest.mark.parametrize(
    ("kind", "claim", "outcome"),
    [
        ("canaries", ApproximateClaim(1.0, 1e-5), "refuted by slices"),
        ("canaries", None, "measured"),
        ("runs", GdpClaim(0.5), "refuted"),
    ],
)
def test_slices_of_a_promise_share_the_risk(
    command: Command, tmp_path: Path, kind: str, claim: ApproximateClaim | GdpClaim | None, outcome: str
) -> None:
    """Each is tested by itself at its share; one that is too small or has uneven coins counts, and says so."""
    lots, sizes = np.random.default_rng(3), {"alike": 150, "few": 10, "told": 150, "uneven": 40}
    each = {name: (lots.normal(size=size), lots.random(size) < 0.5) for name, size in sizes.items()}
    each["uneven"][1][1:] = True
    each["told"][0][each["told"][1]] += 4.0
    cells = [(*row, name) for name, own in each.items() for row in zip(*map(np.ndarray.tolist, own), strict=True)]
    path = saved(tmp_path / "a.csv", "score,included,class", cells)
    given = ("--evidence", kind, "--confirm", "--json", "--slice", "class", "--membership", "included=True")
    words = {ApproximateClaim: "epsilon=1,delta=1e-5", GdpClaim: "mu=0.5"}
    ran = command(path, *given, *([] if claim is None else ["--claim", words[type(claim)]]), code=claim is not None)
    assert (ran.report["verdict"]["outcome"], ran.report["code"].count("(rows, rows.slices")) == (outcome, 1)
    shown = ran.numbers["slices"]["each"]
    assert [name for name, one in shown.items() if one["is_refuted"]] == ["told"]
    assert [name for name, one in shown.items() if one["p_value"] is None] == ["few", "uneven"][kind == "runs" :]
    assert "Of 4 slices, 1" in ran.report["verdict"]["sentences"][outcome != "refuted by slices"]
    for name in ("alike", "told"):
        scores, inside = each[name]
        if isinstance(claim, GdpClaim):
            assert shown[name]["p_value"] == claim_test(Scores(scores[~inside], scores[inside]), claim).p_value
            continue
        guesses = Canaries(scores, inside).guesses()
        assert shown[name]["p_value"] == p_value(guesses, claim or ApproximateClaim(0.0, 1e-5))
        proved = parameter_refuted(guesses, ApproximateClaim(1.0, 1e-5), 1.0 - 0.05 / 4)
        assert shown[name]["epsilon_at_least"] == pytest.approx(proved or 0.0, rel=1e-9)


def test_slices_and_models_of_scores(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a column of one file, or in a file each; and one of them by its name. The code prints what is reported."""
    rows = [(-loss, member, name) for loss, member, name in LONG]
    rows += [(row / -7.0, row % 2, "tiny" if row < 20 else "") for row in range(22)]
    path, given = saved(tmp_path / "a.csv", "score,member,class", rows), ("--evidence", "scores", "--json")
    slices = command(path, *given, "--slice", "class")
    tiny = np.arange(20) / -7.0
    parts = [Scores(-LOSSES[name, 0], -LOSSES[name, 1]) for name in SHIFT]
    each = slices.numbers["slices"]["each"]
    expected = sliced([*parts, Scores(tiny[::2], tiny[1::2])], 0.1, GdpClaim(0.0))
    for one, shown in zip(expected, each.values(), strict=True):
        assert shown["at_least"] == (None if one.rate is None else one.rate.lower)
        assert shown["gives_members_away"] == one.exceeds
    assert {name: one["is_too_small"] for name, one in each.items()} == {"cats": False, "dogs": False, "tiny": True}
    assert slices.numbers["slices"]["rows_in_none"] == 2
    lines = command(path, *given[:2], "--slice", "class").out.splitlines()
    told = ["too small" in line for name in each for line in lines if line.strip().startswith(f"{name} ")]
    assert told == [False, False, True]
    saved(path, "score,member,model", rows[: len(LONG)])
    files = [
        saved(tmp_path / f"{name}.csv", "score,member", (row[:2] for row in rows if row[2] == name)) for name in SHIFT
    ]
    models, by_file = command(path, *given, "--model", "model"), command(*files, *given)
    assert models.numbers["models"] == by_file.numbers["models"]
    assert models.report["verdict"]["sentences"][0].startswith("Of 2 models, 1 surely")
    assert len(by_file.report["data"]["files"]) == 2
    one_model = command(path, *given, "--model", "model=cats")
    assert one_model.numbers == command(files[0], *given).numbers
    monkeypatch.chdir(tmp_path)
    opened = "__import__('pathlib').Path('a.csv').read_bytes()"
    exec(models.report["code"].replace("open('a.csv', 'rb').read()", opened), {})
    printed = capsys.readouterr().out.replace("*", "").strip().splitlines()[-1]
    assert models.report["evidence"][-1]["note"].startswith(printed)
