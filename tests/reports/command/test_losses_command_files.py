"""The command reads text in any encoding, with decimal commas, and databases as they are."""

import sqlite3
from pathlib import Path

import numpy as np
import pytest

from losses import TableError, read_table
from numerics.epsilon_star import lower_bound
from numerics.epsilon_star.confidence import Ascending
from reports.command import memory_tables
from tests.reports.command.test_losses_command_dependence import COUNTED, numbers, said, table

pytestmark = [
    pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning"),
    pytest.mark.filterwarnings("ignore:The 'future.infer_string'"),
]


def test_a_database_that_is_not_there_is_not_made(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    for kind in ("sqlite", "duckdb"):
        path = tmp_path / f"none.{kind}"
        text = said(capsys, "--engine", f"{kind}://{path}", "--table", "t", code=2)
        assert f"There is no database at “{path}”"[:50] in text
        assert not path.exists()


def test_text_in_sqlite_is_read_and_a_missing_table_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    losses = np.random.default_rng(1).gamma(2.0, size=100).tolist()
    with sqlite3.connect(tmp_path / "a.db") as base:
        base.execute("CREATE TABLE losses (loss TEXT, member TEXT)")
        base.executemany("INSERT INTO losses VALUES (?, ?)", [(repr(one), row % 2) for row, one in enumerate(losses)])
        base.execute("INSERT INTO losses VALUES ('n.a.', '1')")
    base.close()
    url = f"sqlite://{tmp_path}/a.db"
    assert "There is no table “t”. Check its name" in said(capsys, "--engine", url, "--table", "t", code=2)
    assert "1 blank or no number" in said(capsys, "--engine", url, "--table", "losses", code=2)
    found = numbers(capsys, "--engine", url, "--table", "losses", "--drop")
    train, population = (Ascending(np.sort(losses[start::2])) for start in (1, 0))
    expected = lower_bound(train, population, float(found["delta"]))  # type: ignore[arg-type]
    assert found["estimates"]["confidence"]["value"] == pytest.approx(expected.value, rel=COUNTED)  # type: ignore[index]


@pytest.mark.parametrize("name", ["accuracy", "top1_accuracy", "acc", "id"])
def test_another_number_is_no_loss(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    path = Path(table(tmp_path / "a.csv", "note", ["x"] * 400))
    path.write_text(path.read_text().replace("loss,", f"{name},"))
    assert "No column of numbers is named like a loss" in said(capsys, str(path), code=2)
    with pytest.raises(TableError, match="No column of numbers is named like a loss"):
        read_table(path.read_bytes())
    assert numbers(capsys, str(path), "--loss", name)["columns"]["loss"] == name


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings_are_read_as_the_page_reads_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, encoding: str
) -> None:
    path = Path(table(tmp_path / "a.csv", "prüfung", ["x"] * 400))
    expected = numbers(capsys, str(path))["estimates"]["confidence"]
    path.write_bytes(path.read_text(encoding="utf-8").encode(encoding))
    assert numbers(capsys, str(path))["estimates"]["confidence"] == expected


def test_decimal_commas_are_read_as_the_page_reads_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = Path(table(tmp_path / "a.csv", "note", ["x"] * 400))
    expected = numbers(capsys, str(path))["estimates"]["confidence"]
    path.write_text(path.read_text().replace(",", ";").replace(".", ","))
    assert numbers(capsys, str(path))["estimates"]["confidence"] == expected


@pytest.mark.parametrize(
    ("encoding", "words"), [("utf-16", "is text in UTF-16"), ("latin-1", "is not text in UTF-8, perhaps Latin-1")]
)
def test_what_is_too_large_for_the_page_must_be_in_utf_8_with_decimal_points(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, words: str
) -> None:
    monkeypatch.setattr(memory_tables, "LARGEST", 100)
    path = Path(table(tmp_path / "a.csv", "prüfung", ["x"] * 400))
    text = path.read_text(encoding="utf-8")
    path.write_bytes(text.encode(encoding))
    assert words in said(capsys, str(path), code=2)
    path.write_text(text.replace(",", ";").replace(".", ","))
    assert "with a decimal point" in said(capsys, str(path), code=2)
