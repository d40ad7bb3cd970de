"""The command about rows that belong together: persons, copies, slices, models and files are never pooled unsaid."""

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from numerics.audits import GdpClaim, Scores, sliced
from numerics.epsilon_star import default_delta, lower_bound
from numerics.epsilon_star.confidence import Ascending
from tests.html import Elements
from tests.losses.files import content
from tests.losses.strangers import STRANGERS
from tests.reports.running import Command
from tests.warehouse_tables import COUNTED, QUIET_IBIS

pytestmark = QUIET_IBIS
RNG = np.random.default_rng(11)
ROWS = 400
SHIFT = {"cats": 4.0, "dogs": 0.0, "owls": 0.0}
LOSSES = {(name, member): RNG.normal(0.0 - by * member, 1.0, ROWS) for name, by in SHIFT.items() for member in (0, 1)}
"""Small for the members of one of three; as scores they are turned."""
BOUND = ("--method", "confidence", "--json")
SCENARIOS = tomllib.loads(Path(__file__).with_name("scenarios.toml").read_text(encoding="utf-8"))["scenario"]
GAMMAS = np.random.default_rng(0).gamma(2.0, size=ROWS)  # as the files of losses have them


def bound(name: str, parts: int = 3) -> float:
    members, outsiders = (Ascending(np.sort(LOSSES[name, member])) for member in (1, 0))
    return lower_bound(members, outsiders, default_delta(ROWS), 1.0 - 0.05 / parts).value


def bounds(found: dict[str, dict[str, dict[str, float]]]) -> dict[str, float]:
    return {name: one["lower_bound"]["epsilon_star_at_least"] for name, one in found.items() if "lower_bound" in one}


def table(
    path: Path, column: str = "class", value: str = "loss", sign: float = 1.0, small: int = 0, blank: int = 0
) -> Path:
    """All three in one table, with ``small`` further rows of a fourth, and rows whose cell is blank."""
    lines = [f"{value},member,{column}"]
    lines += [f"{sign * one!r},{member},{name}" for (name, member), own in LOSSES.items() for one in own.tolist()]
    lines += [f"{sign * row / 7.0!r},{row % 2},tiny" for row in range(small)]
    lines += [f"{sign * row / 7.0!r},{row % 2}," for row in range(blank)]
    path.write_text("\n".join(lines))
    return path


def files(tmp_path: Path, value: str = "loss", sign: float = 1.0) -> list[Path]:
    for name in SHIFT:
        rows = [f"{sign * one!r},{member}" for member in (0, 1) for one in LOSSES[name, member].tolist()]
        (tmp_path / f"{name}.csv").write_text("\n".join([f"{value},member", *rows]))
    return [tmp_path / f"{name}.csv" for name in SHIFT]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one["id"])
def test_rows_that_belong_together_are_refused_until_something_is_said(
    command: Command, tmp_path: Path, scenario: dict[str, Any]
) -> None:
    paths = {name: tmp_path / f"{name}.csv" for name in ("file", "second") if name in scenario}
    for name, path in paths.items():
        path.write_bytes(content(scenario[name]))
    for step in scenario["step"]:
        given = [str(paths["second"]) if one == "{second}" else one for one in step["given"]]
        method = () if "--evidence" in given else ("--method", "confidence")
        ran = command(paths["file"], *given, *method, "--json", code=step.get("code", 0))
        said = ran.err or json.dumps(ran.report, ensure_ascii=False)
        assert all(words in said for words in step.get("words", ())), said
        if "sizes" in step:
            assert list(ran.numbers["sizes"].values()) == step["sizes"]
        if "models" in step:
            assert list(ran.numbers["models"]) == step["models"]


def test_which_rows_are_drawn_depends_on_no_order_of_the_file_and_copies_change_no_bound(
    command: Command, tmp_path: Path
) -> None:
    path, file = tmp_path / "a.csv", {"row": "{gamma},{half},u{fifth}", "header": "loss,member,user", "count": ROWS}
    path.write_bytes(content(file))
    found = command(path, "--cluster", "user", *BOUND).numbers
    head, *rows = path.read_text().splitlines()
    path.write_text("\n".join([head, *rows[::-1]]))
    again = command(path, "--cluster", "user", *BOUND).numbers
    assert (again["range"], again["estimates"]) == (found["range"], found["estimates"])
    for copies in (1, 6):
        path.write_bytes(content({**file, "row": "{gamma},{half},x", "copies": copies}))
        found = command(path, *(("--rows", "copies") if copies > 1 else ()), *BOUND).numbers
        train, population = (Ascending(np.sort(GAMMAS[part])) for part in (slice(200), slice(200, ROWS)))
        expected = lower_bound(train, population, found["delta"])
        assert found["estimates"]["confidence"]["value"] == pytest.approx(expected.value, rel=COUNTED)


# Tables of strangers.

FIRST_ASKED = {one.asks: name for name, one in reversed(STRANGERS.items())}  # one table of each question is answered


@pytest.mark.parametrize("name", STRANGERS)
def test_what_is_open_stops_with_how_to_go_on_and_what_was_said_or_doubted_is_told(
    command: Command, tmp_path: Path, name: str
) -> None:
    one, path, fresh = STRANGERS[name], tmp_path / "a.csv", tmp_path / "fresh.csv"
    path.write_bytes(one.data)
    fresh.write_bytes(one.fresh)
    other = ("--population", fresh) if one.fresh else ()
    if one.asks:
        said = command(path, *other, "--quiet", "--method", "confidence", code=2).err
        assert one.asks in said
        for _, options, _ in one.answers:
            assert " ".join(options[:2]) in said.replace("--loss COLUMN", f"--loss {options[1]}")
        for _, options, told in one.answers if FIRST_ASKED[one.asks] == name else ():
            notes = command(path, *other, "--quiet", *BOUND, *options).report["data"]["notes"]
            assert any(told in note for note in notes)
        return
    report = tmp_path / "a.html"
    verdict = " ".join(command(path, *other, "--quiet", *BOUND, "--report", report).report["verdict"]["sentences"])
    first, _, _ = report.read_text().partition("Settings")
    assert ("Mind: " in verdict) == bool(one.doubt)
    for text in (verdict, first):
        assert one.doubt in text


# Models and slices.


def test_bounds_of_several_models_hold_together_and_the_limit_is_for_all(command: Command, tmp_path: Path) -> None:
    """Each bound is that of its rows at a third of the risk."""
    given = (table(tmp_path / "a.csv", "model"), "--model-column", "model", *BOUND)
    found = bounds(command(*given).numbers["models"])
    assert found == pytest.approx({name: bound(name) for name in SHIFT}, rel=COUNTED)
    assert found["dogs"] == 0.0
    assert found["cats"] > 1.0
    command(*given, "--max-epsilon-star", "0.5", code=1)
    kept = command(*given, "--max-epsilon-star", repr(found["cats"])).report
    assert kept["verdict"]["sentences"][0].startswith(f"Limit {found['cats']:g}")


def test_slices_of_scores(command: Command, tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", value="score", sign=-1.0, small=20, blank=2)
    html = tmp_path / "a.html"
    found = command(path, "--evidence", "scores", "--slice", "class", "--json", "--report", html)
    parts = [Scores(-LOSSES[name, 0], -LOSSES[name, 1]) for name in SHIFT]
    tiny = np.arange(20) / -7.0
    each = found.numbers["slices"]["each"]
    assert list(each) == [*SHIFT, "tiny"]
    for one, shown in zip(
        sliced([*parts, Scores(tiny[::2], tiny[1::2])], 0.1, GdpClaim(0.0)), each.values(), strict=True
    ):
        assert shown["at_least"] == (None if one.rate is None else one.rate.lower)
        assert shown["gives_members_away"] == one.exceeds
    assert [each[name]["is_too_small"] for name in each] == [False, False, False, True]
    assert found.numbers["slices"]["rows_in_none"] == 2
    assert "2 rows" in found.report["evidence"][1]["note"]
    assert "“cats”" in Elements(html.read_text()).text
    assert html.read_text().count("<figure>") == 2


def test_slices_of_losses_have_bounds_that_hold_together(command: Command, tmp_path: Path) -> None:
    html = tmp_path / "a.html"
    given = (table(tmp_path / "a.csv", small=8), "--slice", "class", *BOUND, "--report", html)
    found = command(*given).numbers
    assert bounds(found["slices"]) == pytest.approx({name: bound(name, parts=4) for name in SHIFT}, rel=COUNTED)
    assert "at least 10 losses" in found["slices"]["tiny"]["refused"]
    assert found["sizes"] == {"train": 3 * ROWS + 4, "population": 3 * ROWS + 4}
    text = Elements(html.read_text()).text
    assert "4 slices: with 95 % confidence" in text
    assert html.read_text().count("<figure>") == 1
    blank = table(tmp_path / "b.csv", blank=3)
    assert "3 rows have a blank cell in column “class”" in command(blank, "--slice", "class", code=2).err
    assert "3 rows" in command(blank, "--slice", "class", "--drop", *BOUND).out


def test_several_models_of_scores(command: Command, tmp_path: Path) -> None:
    """In a column of one file, or in a file each; and one of them by its name."""
    given = (table(tmp_path / "a.csv", "model", "score", -1.0), "--evidence", "scores", "--json")
    by_column = command(*given, "--model-column", "model")
    by_file = command(*files(tmp_path, "score", -1.0), *given[1:])
    assert by_column.numbers["models"] == by_file.numbers["models"]
    assert by_column.report["verdict"]["sentences"][0].startswith("Of 3 models, 1 surely")
    assert len(by_file.report["data"]["files"]) == 3
    one = command(*given, "--model-column", "model", "--model", "cats")
    assert one.numbers == command(tmp_path / "cats.csv", *given[1:]).numbers
    gone = command(*given, "--model-column", "model", "--model", "d", code=2).err
    assert "no “d”. There are “cats”, “dogs”, “owls”" in gone


def test_a_file_for_each_model_of_losses(command: Command, tmp_path: Path) -> None:
    """All are of one size, and delta is the rule's all the same; what was done to rows is said of whom it is true."""
    every = files(tmp_path)
    head, *rows = every[1].read_text().splitlines()
    every[1].write_text("\n".join([head, *rows, *rows]))
    assert "--rows copies" in command(*every, code=2).err
    given = (*every, "--rows", "copies", *BOUND)
    found = command(*given)
    assert bounds(found.numbers["models"]) == pytest.approx({name: bound(name) for name in SHIFT}, rel=COUNTED)
    assert "of each" in found.report["settings"]["δ"]
    assert any(note.startswith("“dogs”: ") for note in found.report["data"]["notes"])
    assert "Each holds" not in " ".join(found.report["rests_on"])
    assert "by hand" in command(*given, "--delta", "0.01").report["settings"]["δ"]
    assert "EXCEEDED" in command(*given[:-1], "--max-epsilon-star", "0.5", code=1).out
    every[2].write_text("loss,member\n1.5,1\n")
    assert command(*given, code=2).err.startswith("error: owls: ")


def test_two_files_for_each_model(command: Command, tmp_path: Path) -> None:
    for (name, member), own in LOSSES.items():
        (tmp_path / f"{name}{member}.csv").write_text("\n".join(["loss", *map(repr, own.tolist())]))
    train, fresh = ([tmp_path / f"{name}{member}.csv" for name in ("cats", "dogs")] for member in (1, 0))
    found = command(*train, *(word for path in fresh for word in ("--population", path)), *BOUND).numbers["models"]
    assert bounds(found) == pytest.approx({f"{name}1": bound(name, parts=2) for name in ("cats", "dogs")}, rel=COUNTED)


@pytest.mark.parametrize("evidence", ["two files", "predictions"])
def test_a_column_tells_the_models_of_two_files_and_of_predictions(
    command: Command, tmp_path: Path, evidence: str
) -> None:
    paths = [tmp_path / f"{member}.csv" for member in (0, 1)]
    given = [paths[1], "--population", paths[0]]
    if evidence == "predictions":
        right = {key: (1.0 / (1.0 + np.exp(own))).tolist() for key, own in LOSSES.items()}  # as it grows, losses fall
        rows = [
            f"{p if row % 2 else 1.0 - p!r},{row % 2},{member},{name}"
            for (name, member), own in right.items()
            for row, p in enumerate(own)
        ]
        paths[1].write_text("\n".join(["p,y,member,epoch", *rows]))
        given = [paths[1], "--evidence", "predictions", "--positive", "1", "--predictions", "p", "--answer", "y"]
    else:
        for member, path in enumerate(paths):
            rows = [f"{x!r},{name}" for name in SHIFT for x in LOSSES[name, member].tolist()]
            path.write_text("\n".join(["loss,epoch", *rows]))
    found = command(*given, "--model-column", "epoch", *BOUND)
    assert found.report["verdict"]["sentences"][0].startswith("3 epochs: with 95 % confidence")
    expected = {name: bound(name) for name in SHIFT}  # losses come from probabilities with 16 digits
    assert bounds(found.numbers["models"]) == pytest.approx(expected, rel=1e-6)


def test_the_code_of_several_models_says_what_the_report_says(
    command: Command, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = table(tmp_path / "a.csv", "model", "score", -1.0)
    for given in (("--model-column", "model"), ("--slice", "model", "--independent", "model")):
        found = json.loads(command(path, "--evidence", "scores", *given, "--json").out)
        opened = "__import__('pathlib').Path('a.csv').read_bytes()"
        exec(found["code"].replace("open('a.csv', 'rb').read()", opened), {})
        printed = capsys.readouterr().out.replace("*", "").strip().splitlines()[-1]
        assert found["evidence"][-1]["note"].startswith(printed)
