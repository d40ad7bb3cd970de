"""Files and folders as tables in DuckDB: every format, names that tell the groups, and what is refused."""

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import csv, parquet

from losses.errors import TableError
from losses.warehouse.auditing import Wish, audit
from losses.warehouse.columns import LossColumns, labelled_losses, two_tables
from losses.warehouse.engines import Engine, Resources, embedded, file_table, files_of
from numerics.epsilon_star import LossScale, Method, estimate
from tests.warehouse_tables import QUIET_IBIS, SUMMED, gammas, one_table

pytestmark = QUIET_IBIS


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with embedded(Resources("500MB", 1)) as opened:
        yield opened


def parametric_of(engine: Engine, source: Path | str, **columns: Any) -> tuple[float, LossColumns]:
    rows, chosen = labelled_losses(engine, file_table(engine, str(source)), **columns)
    told = chosen.membership or ""
    return audit(engine, rows, Wish((Method.PARAMETRIC,), scale=LossScale.NATS), column=told).found[
        Method.PARAMETRIC
    ].value, chosen


def write(table: pa.Table, path: Path) -> Path:
    """The table in the format of the name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        parquet.write_table(table, path)
    else:
        with gzip.open(path, "wb") if path.suffix == ".gz" else path.open("wb") as stream:
            csv.write_csv(table, stream, csv.WriteOptions(delimiter="\t" if ".tsv" in path.name else ","))
    return path


@pytest.mark.parametrize("name", ["a.parquet", "a.csv", "a.csv.gz", "a.tsv", "it's a file.csv"])
def test_every_format_gives_the_number_in_memory(engine: Engine, tmp_path: Path, name: str) -> None:
    groups = gammas(500)
    found, chosen = parametric_of(engine, write(one_table(groups), tmp_path / name))
    assert found == pytest.approx(estimate(*groups, method=Method.PARAMETRIC, scale=LossScale.NATS).value, rel=SUMMED)
    assert chosen == LossColumns("loss", "member")


@pytest.mark.parametrize("suffix", ["parquet", "csv.gz"])
def test_folders_and_globs_are_one_table(engine: Engine, tmp_path: Path, suffix: str) -> None:
    groups = gammas(500)
    table = one_table(groups)
    write(table.slice(0, 300), tmp_path / "runs" / f"a.{suffix}")
    write(table.slice(300).select(["member", "loss", "row"]), tmp_path / "runs" / "deeper" / f"b.{suffix}")
    write(table, tmp_path / "runs" / "_temporary" / f"c.{suffix}")
    (tmp_path / "runs" / "_SUCCESS").touch()
    write(table, tmp_path / f"other.{suffix}")
    expected = pytest.approx(estimate(*groups, method=Method.PARAMETRIC, scale=LossScale.NATS).value, rel=SUMMED)
    assert parametric_of(engine, tmp_path / "runs")[0] == expected
    assert parametric_of(engine, f"{tmp_path}/runs/[a-z]*/../**/[ab].{suffix}")[0] == expected


def test_a_partitioned_folder_has_its_membership_in_its_names(engine: Engine, tmp_path: Path) -> None:
    groups = gammas(500)
    for losses, name in zip(groups, ("train", "test"), strict=True):
        write(pa.table({"loss": losses}), tmp_path / f"split={name}" / "0.parquet")
    found, chosen = parametric_of(engine, tmp_path)
    assert found == pytest.approx(estimate(*groups, method=Method.PARAMETRIC, scale=LossScale.NATS).value, rel=SUMMED)
    assert chosen == LossColumns("loss", "split")


def test_two_sources_are_two_groups(engine: Engine, tmp_path: Path) -> None:
    groups = gammas(500)
    train = file_table(engine, str(write(pa.table({"loss": groups[0]}), tmp_path / "train.csv")))
    fresh = file_table(engine, str(write(pa.table({"nll": groups[1].astype(np.float32)}), tmp_path / "fresh.parquet")))
    rows, chosen = two_tables(engine, train, fresh)
    found = audit(engine, rows, Wish((Method.PARAMETRIC,), scale=LossScale.NATS))
    expected = estimate(
        groups[0], groups[1].astype(np.float32).astype(float), method=Method.PARAMETRIC, scale=LossScale.NATS
    )
    assert found.found[Method.PARAMETRIC].value == pytest.approx(expected.value, rel=SUMMED)
    assert (chosen, found.membership.member) == (LossColumns("loss and nll"), "train")


def test_a_file_without_names_is_read_from_its_first_row(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("".join(f"0.{row}5,{row % 2}\n" for row in range(10, 40)))
    rows, _ = labelled_losses(engine, file_table(engine, str(tmp_path / "a.csv")), membership="column1")
    found = audit(engine, rows, Wish((Method.CONFIDENCE,)), member="1")
    assert (found.summary.train.size, found.summary.population.size) == (15, 15)


def test_cells_of_text_files_that_are_no_numbers_are_counted(engine: Engine, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("loss,member\n" + "0.5,1\n0.7,0\n" * 10_000 + "n.a.,1\ninf,0\n,1\n0.5,\n")
    rows, _ = labelled_losses(engine, file_table(engine, str(tmp_path / "a.csv")))
    with pytest.raises(
        TableError, match="4 rows cannot be used: 1 without a label, 2 blank or no number, 1 NaN or infinite"
    ):
        audit(engine, rows, column="member")


def test_sources_that_cannot_be_read_are_refused(engine: Engine, tmp_path: Path) -> None:
    with pytest.raises(TableError, match="no CSV or Parquet file at"):
        files_of(str(tmp_path / "*.csv"))
    write(one_table(gammas(20)), tmp_path / "a.csv")
    write(one_table(gammas(20)), tmp_path / "b.parquet")
    with pytest.raises(TableError, match="mixes Parquet and text files"):
        files_of(str(tmp_path))
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(TableError, match=r"“broken\.parquet” cannot be read as a table") as refusal:
        file_table(engine, str(tmp_path / "broken.parquet").removeprefix(f"{Path.cwd()}/"))
    assert "\n" not in str(refusal.value)
