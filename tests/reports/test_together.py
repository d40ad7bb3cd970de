"""The command about rows and files that belong together: ``scenarios.toml``, strangers' tables, models and slices."""

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from losses import SAMPLES
from numerics.audits import GdpClaim, Scores, sliced
from numerics.epsilon_star import default_delta, lower_bound
from numerics.epsilon_star.confidence import Ascending
from reports.command import memory_tables
from tests import ROOT
from tests.html import Elements
from tests.losses.files import content
from tests.losses.strangers import STRANGERS
from tests.reports.running import Command
from tests.warehouse_tables import COUNTED, QUIET_IBIS

pytestmark = QUIET_IBIS
RNG = np.random.default_rng(11)
ROWS = 400
SHIFT = {"cats": 4.0, "dogs": 0.0}
LOSSES = {(name, member): RNG.normal(0.0 - by * member, 1.0, ROWS) for name, by in SHIFT.items() for member in (0, 1)}
"""Small for the members of one of two; as scores they are turned."""
BOUND = ("--method", "confidence", "--json")
SCENARIOS = tomllib.loads(Path(__file__).with_name("scenarios.toml").read_text(encoding="utf-8"))["scenario"]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one["id"])
def test_what_is_open_is_refused_until_something_is_said(
    command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, scenario: dict[str, Any]
) -> None:
    named = {"{losses}": str(ROOT / "data" / SAMPLES[0].file), "{folder}": str(tmp_path)}
    for name in ("file", "second"):
        if name in scenario:
            path, made = tmp_path / f"{name}.csv", scenario[name]
            path.write_bytes(STRANGERS[made["stranger"]].data if "stranger" in made else content(made))
            named[f"{{{name}}}"] = str(path)
    if "largest" in scenario:
        monkeypatch.setattr(memory_tables, "LARGEST", scenario["largest"])
    for step in scenario["step"]:
        given = [scenario.get("source", "{file}"), *step["given"]]
        given += [] if "--evidence" in given else ["--method", step.get("method", "confidence")]
        given += [] if "text" in step else ["--json"]
        given += ["--report", "{folder}/a.html"] if "html" in step else []
        for name, meant in named.items():
            given = [one.replace(name, meant) for one in given]
        ran = command(*given, "--quiet", code=step.get("code", 0))
        said = ran.err or (ran.out if "text" in step else json.dumps(ran.report, ensure_ascii=False))
        assert all(words in said for words in step.get("words", ())), said
        assert not any(words in said for words in step.get("absent", ())), said
        if "html" in step:
            assert all(words in (tmp_path / "a.html").read_text() for words in step["html"])
        for key, found in (("sizes", dict.values), ("models", dict.keys)):
            assert key not in step or list(found(ran.numbers[key])) == step[key]


FIRST_ASKED = {one.asks: name for name, one in reversed(STRANGERS.items())}  # one table of each question is answered


@pytest.mark.parametrize("name", STRANGERS)
def test_a_strangers_table_stops_with_how_to_go_on_or_is_read_with_what_is_doubted(
    command: Command, tmp_path: Path, name: str
) -> None:
    one, path, fresh = STRANGERS[name], tmp_path / "a.csv", tmp_path / "fresh.csv"
    path.write_bytes(one.data)
    fresh.write_bytes(one.fresh)
    given = (path, *(("--population", fresh) if one.fresh else ()), "--quiet", *BOUND)
    if one.asks:
        said = command(*given, code=2).err
        assert one.asks in said
        for _, options, told in one.answers:
            assert " ".join(options[:2]) in said.replace("--loss COLUMN", f"--loss {options[1]}")
            if FIRST_ASKED[one.asks] == name:
                assert any(told in note for note in command(*given, *options).report["data"]["notes"])
        return
    verdict = " ".join(command(*given).report["verdict"]["sentences"])
    assert ("Mind: " in verdict) == bool(one.doubt)
    assert one.doubt in verdict


# Models and slices.


def bound(name: str, parts: int = 2) -> float:
    members, outsiders = (Ascending(np.sort(LOSSES[name, member])) for member in (1, 0))
    return lower_bound(members, outsiders, default_delta(ROWS), 1.0 - 0.05 / parts).value


def bounds(found: dict[str, dict[str, dict[str, float]]]) -> dict[str, float]:
    return {name: one["lower_bound"]["epsilon_star_at_least"] for name, one in found.items() if "lower_bound" in one}


OF_ALL = {name: bound(name) for name in SHIFT}
"""Each bound is that of its rows at half of the risk, so that all hold together."""


def lines_of(name: str, sign: float, ending: str = "") -> list[str]:
    return [f"{sign * one!r},{member}{ending}" for member in (0, 1) for one in LOSSES[name, member].tolist()]


def table(
    path: Path, column: str = "class", value: str = "loss", sign: float = 1.0, small: int = 0, blank: int = 0
) -> Path:
    """Both in one table, with ``small`` further rows of a third, and rows whose cell is blank."""
    lines = [f"{value},member,{column}", *(line for name in SHIFT for line in lines_of(name, sign, f",{name}"))]
    lines += [f"{sign * row / 7.0!r},{row % 2},tiny" for row in range(small)]
    lines += [f"{sign * row / 7.0!r},{row % 2}," for row in range(blank)]
    path.write_text("\n".join(lines))
    return path


def files(tmp_path: Path, value: str = "loss", sign: float = 1.0) -> list[Path]:
    for name in SHIFT:
        (tmp_path / f"{name}.csv").write_text("\n".join([f"{value},member", *lines_of(name, sign)]))
    return [tmp_path / f"{name}.csv" for name in SHIFT]


def test_which_rows_are_drawn_depends_on_no_order_of_the_file(command: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(content({"row": "{gamma},{half},u{fifth}", "header": "loss,member,user", "count": ROWS}))
    found = command(path, "--cluster", "user", *BOUND).numbers
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([head, *rows[::-1]]))
    again = command(path, "--cluster", "user", *BOUND).numbers
    assert (again["range"], again["estimates"]) == (found["range"], found["estimates"])


def test_bounds_of_several_models_hold_together_and_the_limit_is_for_all(command: Command, tmp_path: Path) -> None:
    given = (table(tmp_path / "a.csv", "model"), "--model-column", "model", *BOUND)
    found = command(*given, "--max-epsilon-star", repr(OF_ALL["cats"])).report
    assert bounds(found["numbers"]["models"]) == pytest.approx(OF_ALL, rel=COUNTED)
    assert OF_ALL["dogs"] == 0.0
    assert OF_ALL["cats"] > 1.0
    assert found["verdict"]["sentences"][0].startswith(f"Limit {OF_ALL['cats']:g}")
    command(*given, "--max-epsilon-star", "0.5", code=1)


def test_slices_of_scores(command: Command, tmp_path: Path) -> None:
    path, html = table(tmp_path / "a.csv", value="score", sign=-1.0, small=20, blank=2), tmp_path / "a.html"
    found = command(path, "--evidence", "scores", "--slice", "class", "--json", "--report", html)
    parts = [Scores(-LOSSES[name, 0], -LOSSES[name, 1]) for name in SHIFT]
    tiny = np.arange(20) / -7.0
    each = found.numbers["slices"]["each"]
    assert list(each) == [*SHIFT, "tiny"]
    expected = sliced([*parts, Scores(tiny[::2], tiny[1::2])], 0.1, GdpClaim(0.0))
    for one, shown in zip(expected, each.values(), strict=True):
        assert shown["at_least"] == (None if one.rate is None else one.rate.lower)
        assert shown["gives_members_away"] == one.exceeds
    assert [each[name]["is_too_small"] for name in each] == [False, False, True]
    assert found.numbers["slices"]["rows_in_none"] == 2
    assert "2 rows" in found.report["evidence"][1]["note"]
    assert "“cats”" in Elements(html.read_text()).text
    assert html.read_text().count("<figure>") == 2


def test_slices_of_losses_have_bounds_that_hold_together(command: Command, tmp_path: Path) -> None:
    html = tmp_path / "a.html"
    given = (table(tmp_path / "a.csv", small=8), "--slice", "class", *BOUND, "--report", html)
    found = command(*given).numbers
    assert bounds(found["slices"]) == pytest.approx({name: bound(name, parts=3) for name in SHIFT}, rel=COUNTED)
    assert "at least 10 losses" in found["slices"]["tiny"]["refused"]
    assert found["sizes"] == {"train": 2 * ROWS + 4, "population": 2 * ROWS + 4}
    assert "3 slices: with 95 % confidence" in Elements(html.read_text()).text
    blank = table(tmp_path / "b.csv", blank=3)
    assert "3 rows have a blank cell in column “class”" in command(blank, "--slice", "class", code=2).err


def test_several_models_of_scores(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a column of one file, or in a file each; and one of them by its name. The code prints what is reported."""
    given = (table(tmp_path / "a.csv", "model", "score", -1.0), "--evidence", "scores", "--json")
    by_column = command(*given, "--model-column", "model")
    by_file = command(*files(tmp_path, "score", -1.0), *given[1:])
    assert by_column.numbers["models"] == by_file.numbers["models"]
    assert by_column.report["verdict"]["sentences"][0].startswith("Of 2 models, 1 surely")
    assert len(by_file.report["data"]["files"]) == 2
    one = command(*given, "--model-column", "model", "--model", "cats")
    assert one.numbers == command(tmp_path / "cats.csv", *given[1:]).numbers
    gone = command(*given, "--model-column", "model", "--model", "d", code=2).err
    assert "no “d”. There are “cats”, “dogs”" in gone
    monkeypatch.chdir(tmp_path)
    opened = "__import__('pathlib').Path('a.csv').read_bytes()"
    for ran in (by_column, command(*given, "--slice", "model", "--independent", "model")):
        exec(ran.report["code"].replace("open('a.csv', 'rb').read()", opened), {})
        printed = capsys.readouterr().out.replace("*", "").strip().splitlines()[-1]
        assert ran.report["evidence"][-1]["note"].startswith(printed)


def test_a_file_for_each_model_of_losses(command: Command, tmp_path: Path) -> None:
    """All are of one size, and delta is the rule's all the same; what was done to rows is said of whom it is true."""
    every = files(tmp_path)
    head, *rows = every[1].read_text().splitlines()
    every[1].write_text("\n".join([head, *rows, *rows]))
    assert "--rows copies" in command(*every, code=2).err
    given = (*every, "--rows", "copies", *BOUND)
    found = command(*given)
    assert bounds(found.numbers["models"]) == pytest.approx(OF_ALL, rel=COUNTED)
    assert "of each" in found.report["settings"]["δ"]
    assert any(note.startswith("“dogs”: ") for note in found.report["data"]["notes"])
    assert "Each holds" not in " ".join(found.report["rests_on"])
    every[1].write_text("loss,member\n1.5,1\n")
    assert command(*given, code=2).err.startswith("error: dogs: ")


@pytest.mark.parametrize("evidence", ["two files", "two files each", "predictions"])
def test_models_of_two_files_and_of_predictions(command: Command, tmp_path: Path, evidence: str) -> None:
    paths = [tmp_path / f"{member}.csv" for member in (0, 1)]
    given: list[object] = [paths[1], "--population", paths[0], "--model-column", "epoch"]
    expected = OF_ALL
    if evidence == "predictions":
        right = {key: (1.0 / (1.0 + np.exp(own))).tolist() for key, own in LOSSES.items()}  # as it grows, losses fall
        rows = [
            f"{p if row % 2 else 1.0 - p!r},{row % 2},{member},{name}"
            for (name, member), own in right.items()
            for row, p in enumerate(own)
        ]
        paths[1].write_text("\n".join(["p,y,member,epoch", *rows]))
        named = ["--positive", "1", "--predictions", "p", "--answer", "y"]
        given = [paths[1], "--evidence", "predictions", *named, "--model-column", "epoch"]
    elif evidence == "two files each":
        for (name, member), own in LOSSES.items():
            (tmp_path / f"{name}{member}.csv").write_text("\n".join(["loss", *map(repr, own.tolist())]))
        fresh = [word for name in SHIFT for word in ("--population", tmp_path / f"{name}0.csv")]
        given = [*(tmp_path / f"{name}1.csv" for name in SHIFT), *fresh]
        expected = {f"{name}1": value for name, value in OF_ALL.items()}
    else:
        for member, path in enumerate(paths):
            rows = [f"{x!r},{name}" for name in SHIFT for x in LOSSES[name, member].tolist()]
            path.write_text("\n".join(["loss,epoch", *rows]))
    found = command(*given, *BOUND)
    near = 1e-6 if evidence == "predictions" else COUNTED  # losses come from probabilities with 16 digits
    assert bounds(found.numbers["models"]) == pytest.approx(expected, rel=near)
    if "--model-column" in given:
        assert found.report["verdict"]["sentences"][0].startswith("2 epochs: with 95 % confidence")
