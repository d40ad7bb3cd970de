"""``python -m losses audit`` of slices, of several models and of several files: never pooled, with limits together."""

import json
from pathlib import Path

import numpy as np
import pytest

from numerics.audits import GdpClaim, Scores, sliced
from numerics.epsilon_star import default_delta, lower_bound
from numerics.epsilon_star.confidence import Ascending
from reports.command.main import main
from tests.html import Elements

pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string'"),
]
RNG = np.random.default_rng(11)
ROWS = 400
SHIFT = {"cats": 4.0, "dogs": 0.0, "owls": 0.0}
COUNTED = 1e-9
LOSSES = {(name, member): RNG.normal(0.0 - by * member, 1.0, ROWS) for name, by in SHIFT.items() for member in (0, 1)}
"""Small for the members of one of three; as scores they are turned."""


def table(
    path: Path, column: str = "class", value: str = "loss", sign: float = 1.0, small: int = 0, blank: int = 0
) -> str:
    """All three in one table, with ``small`` further rows of a fourth, and rows whose cell is blank."""
    lines = [f"{value},member,{column}"]
    lines += [f"{sign * one!r},{member},{name}" for (name, member), own in LOSSES.items() for one in own.tolist()]
    lines += [f"{sign * row / 7.0!r},{row % 2},tiny" for row in range(small)]
    lines += [f"{sign * row / 7.0!r},{row % 2}," for row in range(blank)]
    path.write_text("\n".join(lines))
    return str(path)


def files(tmp_path: Path, value: str = "loss", sign: float = 1.0) -> list[str]:
    found = []
    for name in SHIFT:
        path = tmp_path / f"{name}.csv"
        rows = [f"{sign * one!r},{member}" for member in (0, 1) for one in LOSSES[name, member].tolist()]
        path.write_text("\n".join([f"{value},member", *rows]))
        found.append(str(path))
    return found


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["audit", *arguments]) == code
    return "".join(capsys.readouterr())


def bound(name: str, parts: int = 3) -> float:
    members, outsiders = (Ascending(np.sort(LOSSES[name, member])) for member in (1, 0))
    return lower_bound(members, outsiders, default_delta(ROWS), 1.0 - 0.05 / parts).value


def test_slices_of_scores_are_the_pages(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", value="score", sign=-1.0, small=20, blank=2)
    given = (path, "--evidence", "scores", "--slice", "class", "--json", "--report", str(tmp_path / "a.html"))
    found = json.loads(said(capsys, *given))
    parts = [Scores(-LOSSES[name, 0], -LOSSES[name, 1]) for name in SHIFT]
    tiny = np.arange(20) / -7.0
    expected = sliced([*parts, Scores(tiny[::2], tiny[1::2])], 0.1, GdpClaim(0.0))
    each = found["numbers"]["slices"]["each"]
    assert list(each) == [*SHIFT, "tiny"]
    for one, name in zip(expected, each, strict=True):
        assert each[name]["at_least"] == (None if one.rate is None else one.rate.lower)
        assert each[name]["gives_members_away"] == one.exceeds
    assert [each[name]["is_too_small"] for name in each] == [False, False, False, True]
    assert found["numbers"]["slices"]["rows_in_none"] == 2
    assert "2 rows without a cell there are in none." in found["evidence"][1]["note"]
    html = (tmp_path / "a.html").read_text()
    assert "Most is shown of “cats”" in Elements(html).text
    assert html.count("<figure>") == 2


def test_slices_of_losses_have_bounds_that_hold_together(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", small=8)
    given = (path, "--slice", "class", "--json", "--report", str(tmp_path / "a.html"), "--method", "confidence")
    found = json.loads(said(capsys, *given))
    slices = found["numbers"]["slices"]
    for name in SHIFT:
        at_least = slices[name]["lower_bound"]["epsilon_star_at_least"]
        assert at_least == pytest.approx(bound(name, parts=4), rel=COUNTED)
    assert slices["cats"]["lower_bound"]["epsilon_star_at_least"] > 1.0
    assert "at least 10 losses" in slices["tiny"]["refused"]
    assert found["numbers"]["sizes"] == {"train": 3 * ROWS + 4, "population": 3 * ROWS + 4}
    html = (tmp_path / "a.html").read_text()
    assert "4 slices: with 95 % confidence ε* of the most exposed slice is at least" in Elements(html).text
    assert html.count("<figure>") == 1
    blank = table(tmp_path / "b.csv", blank=3)
    assert "3 rows have a blank cell in column “class”" in said(capsys, blank, "--slice", "class", code=2)
    assert "3 rows without a cell there" in said(capsys, blank, "--slice", "class", "--drop", "--json")


@pytest.mark.parametrize("column", ["epoch", "user"])
def test_scores_that_belong_together_are_not_pooled(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, column: str
) -> None:
    path = table(tmp_path / "a.csv", column, "score", -1.0)
    for evidence in (("scores",), ("runs", "--claim", "mu=1", "--confirm")):
        assert f"Column “{column}”" in said(capsys, path, "--evidence", *evidence, code=2)
    for more in ((), ("--evidence", "scores")):  # not by slices either: the headline is of all rows
        named = path if more else table(tmp_path / "b.csv", column)
        assert f"Column “{column}”" in said(capsys, named, *more, "--slice", column, code=2)
    own = said(capsys, path, "--evidence", "scores", "--independent", column)
    assert f"Rows that share “{column}” count as independent, as was said." in own


def test_one_row_of_each_person_counts_among_scores(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [f"{score!r},{row % 2},u{row % 100}" for row, score in enumerate(RNG.normal(size=1000).tolist())]
    (tmp_path / "a.csv").write_text("\n".join(["score,member,user", *rows]))
    given = (str(tmp_path / "a.csv"), "--evidence", "scores", "--cluster", "user", "--json")
    found = json.loads(said(capsys, *given))
    assert (found["numbers"]["members"], found["numbers"]["outsiders"]) == (50, 50)
    assert any("names 100 persons in 1,000 rows" in note for note in found["data"]["notes"])


def test_several_models_of_scores(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """In a column of one file, or in a file each; and one of them by its name."""
    path = table(tmp_path / "a.csv", "model", "score", -1.0)
    by_column = json.loads(said(capsys, path, "--evidence", "scores", "--model-column", "model", "--json"))
    by_file = json.loads(said(capsys, *files(tmp_path, "score", -1.0), "--evidence", "scores", "--json"))
    assert by_column["numbers"]["models"] == by_file["numbers"]["models"]
    assert by_column["verdict"]["sentences"][0].startswith("Of 3 models, 1 surely gives members away")
    assert len(by_file["data"]["files"]) == 3
    one = json.loads(said(capsys, path, "--evidence", "scores", "--model-column", "model", "--model", "cats", "--json"))
    alone = json.loads(said(capsys, str(tmp_path / "cats.csv"), "--evidence", "scores", "--json"))
    assert one["numbers"] == alone["numbers"]
    gone = said(capsys, path, "--evidence", "scores", "--model-column", "model", "--model", "d", code=2)
    assert "Column “model” has no “d”. There are “cats”, “dogs”, “owls”." in gone


def test_the_code_of_several_models_says_what_the_report_says(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = table(tmp_path / "a.csv", "model", "score", -1.0)
    for option in ("--model-column", "--slice"):
        more = () if option == "--model-column" else ("--independent", "model")
        found = json.loads(said(capsys, path, "--evidence", "scores", option, "model", "--json", *more))
        opened = "__import__('pathlib').Path('a.csv').read_bytes()"
        exec(found["code"].replace("open('a.csv', 'rb').read()", opened), {})
        printed = capsys.readouterr().out.replace("*", "").strip().splitlines()[-1]
        assert found["evidence"][-1]["note"].startswith(printed)


def test_a_file_for_each_model_of_losses(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """All are of one size, and delta is the rule's all the same; what was done to rows is said of whom it is true."""
    every = files(tmp_path)
    copied = Path(every[1]).read_text().splitlines()
    Path(every[1]).write_text("\n".join([*copied, *copied[1:]]))
    assert "--rows copies" in said(capsys, *every, code=2)
    found = json.loads(said(capsys, *every, "--rows", "copies", "--json"))
    for name in SHIFT:
        at_least = found["numbers"]["models"][name]["lower_bound"]["epsilon_star_at_least"]
        assert at_least == pytest.approx(bound(name), rel=COUNTED)
    assert found["settings"]["δ"] == "the rule 1 / (n log n) of each"
    assert any(note.startswith("“dogs”: ") for note in found["data"]["notes"]), found["data"]["notes"]
    assert "Each holds" not in " ".join(found["rests_on"])
    assert (
        "chosen by hand"
        in json.loads(said(capsys, *every, "--rows", "copies", "--json", "--delta", "0.01"))["settings"]["δ"]
    )
    assert "EXCEEDED" in said(capsys, *every, "--rows", "copies", "--max-epsilon-star", "0.5", code=1)
    Path(every[2]).write_text("loss,member\n1.5,1\n")
    assert said(capsys, *every, "--rows", "copies", code=2).startswith("error: owls: ")


def test_two_files_for_each_model(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for (name, member), own in LOSSES.items():
        (tmp_path / f"{name}{member}.csv").write_text("\n".join(["loss", *map(repr, own.tolist())]))
    train, fresh = ([str(tmp_path / f"{name}{member}.csv") for name in ("cats", "dogs")] for member in (1, 0))
    given = [*train, *(word for path in fresh for word in ("--population", path)), "--json"]
    found = json.loads(said(capsys, *given))["numbers"]["models"]
    assert list(found) == ["cats1", "dogs1"]
    at_least = [found[name]["lower_bound"]["epsilon_star_at_least"] for name in found]
    assert at_least == pytest.approx([bound(name, parts=2) for name in ("cats", "dogs")], rel=COUNTED)


@pytest.mark.parametrize("evidence", ["two files", "predictions"])
def test_a_column_tells_the_models_of_two_files_and_of_predictions(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, evidence: str
) -> None:
    given = [str(tmp_path / "1.csv"), "--population", str(tmp_path / "0.csv")]
    if evidence == "predictions":
        right = {key: (1.0 / (1.0 + np.exp(own))).tolist() for key, own in LOSSES.items()}  # as it grows, losses fall
        rows = [
            f"{p if row % 2 else 1.0 - p!r},{row % 2},{member},{name}"
            for (name, member), own in right.items()
            for row, p in enumerate(own)
        ]
        (tmp_path / "1.csv").write_text("\n".join(["p,y,member,epoch", *rows]))
        given = [given[0], "--evidence", "predictions", "--positive", "1", "--predictions", "p", "--answer", "y"]
    else:
        for member in (0, 1):
            rows = [f"{x!r},{name}" for name in SHIFT for x in LOSSES[name, member].tolist()]
            (tmp_path / f"{member}.csv").write_text("\n".join(["loss,epoch", *rows]))
    found = json.loads(said(capsys, *given, "--model-column", "epoch", "--json"))
    assert found["verdict"]["sentences"][0].startswith("3 epochs: with 95 % confidence")
    for name in SHIFT:
        at_least = found["numbers"]["models"][name]["lower_bound"]["epsilon_star_at_least"]
        assert at_least == pytest.approx(bound(name), rel=1e-6)
