"""Several files as one table, and files that an engine reads: the page's words for each, and nothing of an engine's."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from reports.command import memory_tables
from reports.command.main import main
from tests.losses.strangers import STRANGERS, long_curve

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
ROWS = [f"{value:.6f},{row % 2}" for row, value in enumerate(np.random.default_rng(1).gamma(2.0, size=400))]


def text(*more: str, header: str = "loss,member") -> bytes:
    return "\n".join([header, *ROWS, *more, ""]).encode()


RAGGED = text("1.5,1,7")
TOGETHER = {
    "ragged": (RAGGED, "“b.csv”: Rows differ in length: 1 of them does not have 2 cells. Row 401 has 3"),
    "open quote": (text('"1.5,1'), "“b.csv”: A quotation mark is never closed"),
    "no number": (text("n.a.,1"), "“b.csv”: The column “loss” has 1 cell without a finite number. Row 401: “n.a.”"),
    "underscores": (text("1_000.5,1"), "“b.csv”: The column “loss” has 1 cell without a finite number. Row 401"),
    "a curve": (text(header="step,train_loss"), "“b.csv”: Column “step” looks as if each row were a step of training"),
    "predictions": (
        "\n".join(
            ["y_pred_proba,split,y_true", *(f"0.{row + 100},{row % 2},{row // 2 % 2}" for row in range(400))]
        ).encode(),
        "--evidence predictions",
    ),
}


@pytest.mark.parametrize("name", TOGETHER)
def test_files_together_are_read_as_the_page_reads_each(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    data, words = TOGETHER[name]
    (tmp_path / "a.csv").write_bytes(text())
    (tmp_path / "b.csv").write_bytes(data)
    for source in (str(tmp_path), f"{tmp_path}/*.csv"):
        assert main(["audit", source, "--quiet"]) == 2
        assert words in capsys.readouterr().err


def test_a_cut_file_among_others_is_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.csv.gz").write_bytes(gzip.compress(text()))
    (tmp_path / "b.csv.gz").write_bytes(gzip.compress(text())[:-200])
    assert main(["audit", str(tmp_path), "--quiet"]) == 2
    assert "“b.csv.gz”: The gzip file ends too early" in capsys.readouterr().err


def test_files_of_other_encodings_and_layouts_are_one_table(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [row.replace(",", ";").replace(".", ",") + ";ä" for row in ROWS]
    (tmp_path / "a.csv").write_bytes("\n".join(["sep=;", "loss;member;prüfung", *rows]).encode("cp1252"))
    (tmp_path / "b.csv").write_bytes(
        "\n".join(["member,loss", *(f"{row % 2},{row / 401 + 1:.6f}" for row in range(400))]).encode()
    )
    assert main(["audit", str(tmp_path), "--quiet"]) == 0
    assert "400 losses" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        (b"secret 1.5,1,7", "line 60,002: the row has more or fewer cells than others."),
        (b'"secret 1.5,1', "a quotation mark is never closed"),
        (b"1.5,secret \xe4", "the text is not in UTF-8"),
    ],
)
def test_of_a_table_too_large_for_the_page_no_row_is_repeated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: bytes, rule: str
) -> None:
    monkeypatch.setattr(memory_tables, "LARGEST", 1)
    rows = b"\n".join(b"0.%06d,%d" % (row, row % 2) for row in range(60_000))
    (tmp_path / "a.csv").write_bytes(b"loss,member\n" + rows + b"\n" + line + b"\n" + b"0.5,1\n" * 10)
    assert main(["audit", str(tmp_path / "a.csv"), "--quiet"]) == 2
    said = capsys.readouterr().err
    assert rule in said
    assert "a.csv" in said
    assert "secret" not in said


@pytest.mark.parametrize(("header", "rule"), [("step,split,loss", "step of training"), ("p,is_train,y", "predictions")])
def test_what_an_engine_reads_is_asked_about_as_well(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, header: str, rule: str
) -> None:
    monkeypatch.setattr(memory_tables, "LARGEST", 1)
    rows = (
        f"{row // 2},{row % 2},0.{row + 1000}" if "step" in header else f"0.{row + 1000},{row % 2},{row // 2 % 2}"
        for row in range(400)
    )
    (tmp_path / "a.csv").write_text("\n".join([header, *rows]))
    assert main(["audit", str(tmp_path / "a.csv"), "--quiet"]) == 2
    assert rule in capsys.readouterr().err


def audited(folder: Path, name: str, *options: str) -> int:
    """The exit status for a table of strangers."""
    path = folder / "a.csv"
    path.write_bytes(STRANGERS[name].data)
    return main(["audit", str(path), "--quiet", "--method", "confidence", *options])


def test_of_a_column_for_each_group_no_column_is_named_that_the_file_lacks(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert audited(tmp_path, "losses of two groups") == 0
    said = capsys.readouterr().out
    assert "Losses are in column “train_loss and test_loss”." in said
    assert "“group”" not in said
    assert "“loss”" not in said


def test_no_report_says_that_its_settings_were_chosen_before_the_data_were_seen(tmp_path: Path) -> None:
    assert audited(tmp_path, "losses of two groups", "--report", str(tmp_path / "a.html")) == 0
    assert "whether they were chosen before the data were seen: not stated" in (tmp_path / "a.html").read_text()


def test_copies_whose_number_is_copied_too_need_one_answer(tmp_path: Path) -> None:
    rows = [f"{row * 0.377 % 3.1:.6f},{row % 2},{row}" for row in range(400)]
    (tmp_path / "a.csv").write_text("\n".join(["loss,member,id", *rows, *rows]))
    command = ["audit", str(tmp_path / "a.csv"), "--quiet", "--method", "confidence"]
    assert main(command) == 2
    assert main([*command, "--rows", "copies"]) == 0


def test_a_curve_with_epochs_is_no_table_of_models(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(long_curve("epoch,split,loss", range(100)).data)
    assert main(["audit", str(tmp_path / "a.csv"), "--quiet"]) == 2
    assert "step of training" in capsys.readouterr().err
