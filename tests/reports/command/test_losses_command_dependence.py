"""The command about rows that belong together, engines that are not what was meant, and being interrupted."""

import json
from pathlib import Path

import numpy as np
import pytest

from losses import TableError, read_table, split
from losses.warehouse.engines import refusals
from numerics.epsilon_star import lower_bound
from numerics.epsilon_star.confidence import Ascending
from reports.command import losses
from reports.command.main import main
from reports.parts import kind_of

pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string'"),
]

COUNTED = 1e-12  # the same counts, divided in another order


def said(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> str:
    assert main(["audit", *arguments, "--method", "confidence"]) == code
    shown = capsys.readouterr()
    return shown.out if code < 2 else shown.err


def table(path: Path, column: str, cells: list[str], seed: int = 0) -> str:
    """A file of 400 losses of one law, the first half of them members."""
    losses = np.random.default_rng(seed).gamma(2.0, size=400).tolist()
    rows = [f"{loss!r},{int(row < 200)},{cell}" for row, (loss, cell) in enumerate(zip(losses, cells, strict=True))]
    path.write_text("\n".join([f"loss,member,{column}", *rows]), encoding="utf-8")
    return str(path)


def numbers(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, dict[str, object]]:
    found: dict[str, dict[str, object]] = json.loads(said(capsys, *arguments, "--json"))["numbers"]
    return found


def test_rows_of_one_person_are_refused_until_something_is_said(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = table(tmp_path / "a.csv", "user_id", [f"u{row // 5}" for row in range(400)])
    text = said(capsys, path, code=2)
    assert "Column “user_id” has 80 different cells" in text
    assert "--cluster user_id" in text
    found = numbers(capsys, path, "--cluster", "user_id")
    assert found["sizes"] == {"train": 40, "population": 40}
    note = "Column “user_id” names 80 persons in 400 rows: one row of each counts, drawn without a look at the losses."
    assert found["dependence"] == {"handled": [note], "doubts": []}
    assert note in said(capsys, path, "--cluster", "user_id")
    found = numbers(capsys, path, "--independent", "user_id")
    assert found["sizes"] == {"train": 200, "population": 200}
    assert found["dependence"]["handled"] == ["Rows that share “user_id” count as independent, as was said."]


def test_which_rows_are_drawn_depends_on_no_order_of_the_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = Path(table(tmp_path / "a.csv", "person", [f"p{row // 4}" for row in range(400)]))
    head, *rows = path.read_text().splitlines()
    (tmp_path / "b.csv").write_text("\n".join([head, *rows[::-1]]))
    first, second = (numbers(capsys, str(tmp_path / name), "--cluster", "person") for name in ("a.csv", "b.csv"))
    assert first["range"] == second["range"]
    assert first["estimates"] == second["estimates"]


def test_persons_in_both_groups_are_refused_with_the_count(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", "patient", [f"p{row % 197}" for row in range(400)])
    assert "197 values of column “patient” are in both groups" in said(capsys, path, "--cluster", "patient", code=2)


def test_rows_that_cannot_be_used_are_refused_before_the_draw(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cells = [f"p{row // 5}" if row else "" for row in range(400)]
    path = table(tmp_path / "a.csv", "person", cells)
    assert "“person” has 1 blank cells. The first is in row 1." in said(capsys, path, "--cluster", "person", code=2)
    assert "80 persons in 399 rows" in said(capsys, path, "--cluster", "person", "--drop")


@pytest.mark.parametrize("column", ["epoch", "model", "fold"])
def test_several_models_are_not_pooled(capsys: pytest.CaptureFixture[str], tmp_path: Path, column: str) -> None:
    path = table(tmp_path / "a.csv", column, [str(row % 4) for row in range(400)])
    assert f"Column “{column}” tells 4 models, or states of one" in said(capsys, path, code=2)
    every = json.loads(said(capsys, path, "--model-column", column, "--json"))
    assert every["verdict"]["sentences"][0].startswith(
        f"4 {kind_of([column])}: with 95 % confidence ε* of the most exposed"
    )
    assert list(every["numbers"]["models"]) == ["0", "1", "2", "3"]
    found = numbers(capsys, path, "--model-column", column, "--model", "2")
    assert found["sizes"] == {"train": 50, "population": 50}
    assert "no “7”" in said(capsys, path, "--model-column", column, "--model", "7", code=2)
    assert "--model must be given with --model-column" in said(capsys, path, "--model", "2", code=2)
    assert "There is no column “none”" in said(capsys, path, "--cluster", "none", code=2)


def test_a_column_of_one_value_or_of_one_row_each_is_no_matter(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert numbers(capsys, table(tmp_path / "a.csv", "epoch", ["3"] * 400))["sizes"] == {
        "train": 200,
        "population": 200,
    }
    each = table(tmp_path / "b.csv", "user", [f"u{row}" for row in range(400)])
    assert numbers(capsys, each)["sizes"] == {"train": 200, "population": 200}


def test_two_sources_with_persons(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for name, first in (("a", 0), ("b", 40)):
        losses = np.random.default_rng(first).gamma(2.0, size=200).tolist()
        rows = [f"{loss!r},u{first + row // 5}" for row, loss in enumerate(losses)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["loss,user", *rows]))
    sources = (str(tmp_path / "a.csv"), "--population", str(tmp_path / "b.csv"))
    assert "--cluster user" in said(capsys, *sources, code=2)
    assert numbers(capsys, *sources, "--cluster", "user")["sizes"] == {"train": 40, "population": 40}


def test_copies_count_once(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = Path(table(tmp_path / "a.csv", "note", ["x"] * 400)).read_text().splitlines()
    path = tmp_path / "copies.csv"
    path.write_text("\n".join([rows[0], *(row for row in rows[1:] for _ in range(6))]))
    assert "--rows people" in said(capsys, str(path), code=2)
    found = numbers(capsys, str(path), "--rows", "copies")
    groups = split(read_table((tmp_path / "a.csv").read_bytes()), "loss", "member", "1")
    expected = lower_bound(Ascending(groups.train), Ascending(groups.population), float(found["delta"]))  # type: ignore[arg-type]
    assert found["estimates"]["confidence"]["value"] == pytest.approx(expected.value, rel=COUNTED)  # type: ignore[index]
    assert found["sizes"] == {"train": 200, "population": 200}
    assert "They are copies, as was said: each counts once." in said(capsys, str(path), "--rows", "copies")
    assert numbers(capsys, str(path), "--rows", "people")["sizes"] == {"train": 1200, "population": 1200}


def test_people_in_both_groups_are_pointed_out(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = Path(table(tmp_path / "a.csv", "note", ["x"] * 400)).read_text().splitlines()
    more = [row.replace(",1,", ",0,") for row in rows[1:5]]
    (tmp_path / "b.csv").write_text("\n".join([*rows, *more]))
    assert "4 or more losses are in both groups" in said(capsys, str(tmp_path / "b.csv"))


def test_a_level_is_checked_for_every_method(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = table(tmp_path / "a.csv", "note", ["x"] * 400)
    assert main(["audit", path, "--level", "95"]) == 2
    assert "level must be between 0 and 1, got 95.0." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("refusal", "shown"),
    [(RuntimeError("no table t:\n  see here"), "It says: no table t: see here"), (ValueError(), "ValueError")],
)
def test_what_an_engine_says_is_repeated(refusal: Exception, shown: str) -> None:
    with pytest.raises(TableError) as caught, refusals("count"):
        raise refusal
    assert shown in str(caught.value)


def test_an_interrupted_command_says_so(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ctrl_c = type("InterruptException", (Exception,), {})  # as DuckDB names it

    def interrupted(*_: object) -> None:
        with refusals("count"):
            raise ctrl_c

    monkeypatch.setattr(losses, "audit", interrupted)
    assert main(["audit", table(tmp_path / "a.csv", "note", ["x"] * 400)]) == 130
    assert capsys.readouterr().err == "Interrupted: there is no verdict.\n"


def test_bounds_of_several_models_hold_together_and_the_limit_is_for_all(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Of three models one tells its members; each bound is that of its rows at a third of the risk."""
    rng = np.random.default_rng(4)
    shift = {"a": 0.0, "b": 4.0, "c": 0.0}
    losses = {(name, member): rng.normal(-by * member, 1.0, 300) for name, by in shift.items() for member in (0, 1)}
    rows = [f"{loss!r},{member},{name}" for (name, member), own in losses.items() for loss in own.tolist()]
    path = tmp_path / "models.csv"
    path.write_text("\n".join(["loss,member,model", *rows]))
    arguments = (str(path), "--model-column", "model", "--json", "--delta", "1e-3")
    found = json.loads(said(capsys, *arguments))["numbers"]["models"]
    for name in shift:
        groups = [Ascending(np.sort(losses[name, member])) for member in (1, 0)]
        expected = lower_bound(groups[0], groups[1], 1e-3, 1.0 - 0.05 / 3)
        assert found[name]["lower_bound"]["epsilon_star_at_least"] == pytest.approx(expected.value, rel=COUNTED)
    assert found["a"]["lower_bound"]["epsilon_star_at_least"] == 0.0
    most = found["b"]["lower_bound"]["epsilon_star_at_least"]
    assert most > 1.0
    said(capsys, *arguments, "--max-epsilon-star", "0.5", code=1)
    kept = json.loads(said(capsys, *arguments, "--max-epsilon-star", repr(most)))
    assert kept["verdict"]["sentences"][0].startswith(f"Limit {most:g}")
    assert "no “d”" in said(capsys, str(path), "--model-column", "model", "--model", "d", code=2)
    assert "There is no column “epoch”" in said(capsys, str(path), "--model-column", "epoch", code=2)
