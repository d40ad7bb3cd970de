"""Files that cannot be used: the command says what the page says, and nothing of its engine or its own code."""

import gzip
import io
import zipfile
from pathlib import Path

import numpy as np
import pytest

from losses import TableError, read_table
from losses.isolation import client
from reports.command.main import main

pytestmark = pytest.mark.filterwarnings("ignore:fetch_arrow_table:DeprecationWarning")
ROWS = [f"{value:.6f},{row % 2}" for row, value in enumerate(np.random.default_rng(1).gamma(2.0, size=400))]


def text(*more: str, header: str = "loss,member") -> bytes:
    return "\n".join([header, *ROWS, *more, ""]).encode()


def of_numpy(archive: bool) -> bytes:
    out = io.BytesIO()
    np.savez(out, loss=np.ones(9)) if archive else np.save(out, np.ones(9))
    return out.getvalue()


def workbook() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("[Content_Types].xml", "<x/>")
    return out.getvalue()


BAD = {
    "cut.csv.gz": (gzip.compress(text())[:-200], "ends too early"),
    "a.npz": (of_numpy(archive=True), "a NumPy archive"),
    "a.npy": (of_numpy(archive=False), "a NumPy array"),
    "a.xlsx": (workbook(), "an Excel workbook"),
    "longer.csv": (text("1.5,1,7"), "Row 401 has 3: “1.5,1,7”"),
    "quote.csv": (text('"1.5,1'), "A quotation mark is never closed"),
    "underscores.csv": (b"loss,member\n" + b"1_000.5,1\n2_000.5,0\n" * 50, "no plain numbers"),
    "damaged.parquet": (b"PAR1" + bytes(50), "The Parquet file is damaged"),
    "empty.csv": (b"", "The file is empty"),
    "words.csv": (b"loss,group\nlow,train\nhigh,test\n", "No column holds numbers"),
}


@pytest.mark.parametrize("name", BAD)
def test_the_command_says_what_the_page_says(capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str) -> None:
    data, words = BAD[name]
    (tmp_path / name).write_bytes(data)
    with pytest.raises(TableError) as on_page:
        client.read(read_table, data)
    assert main(["audit", str(tmp_path / name), "--quiet"]) == 2
    assert capsys.readouterr().err == f"error: {on_page.value}\n"
    assert words in str(on_page.value)


def test_cells_that_cannot_be_used_are_named(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(text("n.a.,1", "x,0"))
    assert main(["audit", str(tmp_path / "a.csv"), "--quiet"]) == 2
    said = capsys.readouterr().err
    assert "2 cells without a finite number. Row 401: “n.a.”; row 402: “x”" in said
    assert "--drop" in said


def test_a_western_file_of_excel_is_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rows = [row.replace(",", ";").replace(".", ",") + ";ä" for row in ROWS]
    (tmp_path / "a.csv").write_bytes("\n".join(["sep=;", "loss;member;prüfung", *rows]).encode("cp1252"))
    assert main(["audit", str(tmp_path / "a.csv"), "--quiet"]) == 0
    assert "200 losses" in capsys.readouterr().out


def test_what_is_too_large_for_the_page_is_said_to_be_so_and_counted_by_an_engine(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """33 million rows in a third of a megabyte: no damage, but more than may be held."""
    data = gzip.compress(b"loss,member\n" + b"0.5,1\n" * 33_000_000, 6)
    with pytest.raises(TableError, match="too large to be read here"):
        client.read(read_table, data)
    (tmp_path / "a.csv.gz").write_bytes(data)
    assert main(["audit", str(tmp_path / "a.csv.gz"), "--quiet"]) == 2
    assert "One group is missing" in capsys.readouterr().err
