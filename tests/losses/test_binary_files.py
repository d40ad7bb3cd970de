"""Bytes beyond text tables: Parquet of every type, bombs, damage, limits of size; and anything at all."""

import gzip
import tomllib
from contextlib import suppress
from decimal import Decimal
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks import fuzz_losses
from losses import KnownLayout, LossTable, TableError, read_table, split

ROWS = tomllib.loads(Path(__file__).with_name("rows.toml").read_text(encoding="utf-8"))
N = 60
LOSS = np.round(np.random.default_rng(1).gamma(2, 1, N), 3)
MEMBER = np.arange(N) % 2
DECIMALS = [Decimal(f"{value:.3f}") for value in LOSS]
GROUPS, BYTES = np.where(MEMBER, "train", "test"), np.where(MEMBER, b"in", b"out")
CODED = pa.array(GROUPS).dictionary_encode()


def written(columns: dict[str, object], **options: object) -> bytes:
    return fuzz_losses.written(pa.table(columns), **options)


def read(columns: dict[str, object], **options: object) -> LossTable:
    return read_table(written(columns, **options))


def refusal(data: bytes, largest: int = 200_000_000) -> str:
    with pytest.raises(TableError) as caught:
        read_table(data, largest)
    assert caught.value.remedy.endswith(".")
    return caught.value.what


@pytest.mark.parametrize(("cells", "error", "unit", "member", "labels", "compression", "version"), ROWS["types"])
def test_types_of_numbers_and_memberships_and_forms_of_pages(
    cells: str, error: float, unit: int, member: str, labels: list[str], compression: str, version: str
) -> None:
    options = {"compression": compression, "data_page_version": version, "write_page_checksum": True}
    columns = {"loss": eval(cells), "member": eval(member)}
    table = read(columns, row_group_size=7, data_page_size=64, **options)
    column = table.number("loss")
    assert column.values.dtype == np.float64
    assert np.max(np.abs(column.values / LOSS - 1)) <= error + 1e-12 * (error > 0)
    assert (column.unit, column.faults.count) == (2.0**-unit, 0)
    assert (table.rows, table.labels[0].labels, table.is_membership_clear) == (N, tuple(labels), True)
    found = split(table, "loss", "member", labels[1])
    assert np.array_equal(found.train, np.sort(column.values[MEMBER == 1]))
    assert np.array_equal(found.population, np.sort(column.values[MEMBER == 0]))


def test_cells_and_columns_of_no_use_are_left_or_refused() -> None:
    table = read({"loss": [*LOSS[:-4], None, np.nan, np.inf, None], "member": [*MEMBER[:-1].tolist(), None]})
    faults = table.number("loss").faults
    assert (faults.count, faults.examples[0], faults.examples[2]) == (4, "row 57: blank or not a number", "row 59: inf")
    kept = split(table, "loss", "member", "1", drop=True)
    assert (len(kept.train), len(kept.population), kept.dropped) == (28, 28, 4)
    assert "“loss” is nested" in refusal(written({"loss": [[value] for value in LOSS], "member": MEMBER}))
    assert read({"tokens": [[1, 2]] * N, "loss": LOSS, "member": MEMBER}).number("loss").values[3] == LOSS[3]
    table = read({"when": pa.array([0] * N, pa.timestamp("s")), "picture": [b"\xff\xd8"] * N, "loss": LOSS})
    assert ([column.name for column in table.numbers], table.labels) == (["loss"], ())
    assert "No column holds numbers" in refusal(written({"name": [f"n{row}" for row in range(N)]}))
    assert "no rows" in refusal(written({"loss": pa.array([], pa.float64())}))
    twice = pa.Table.from_arrays([pa.array(LOSS)] * 2, ["loss", "loss"])
    assert "Two columns have the name “loss”" in refusal(fuzz_losses.written(twice))
    assert read({"lo\u202ess": LOSS, "": MEMBER}).layout.names == ("loss", "column 2")


def test_damage_and_bombs_are_refused_before_they_are_decoded() -> None:
    """A few kilobytes that would become many megabytes, by their rows, by long cells, and packed."""
    whole = written({"loss": LOSS, "member": MEMBER}, write_page_checksum=True)
    for broken in (whole[:50], whole[:-1], whole[:-8] + b"\xff" * 8, b"PAR1", whole[:20] + b"\0" * 60 + whole[80:]):
        assert "damaged" in refusal(broken)
    assert "encrypted" in refusal(b"PARE" + whole[4:])
    rows = written({"loss": np.zeros(1_000_000), "member": np.zeros(1_000_000, np.int8)}, compression="zstd")
    cell = written({"loss": LOSS, "note": ["x" * 400_000] * N}, compression="zstd", use_dictionary=False)
    packed = gzip.compress(b"0" * 30_000_000)
    assert max(map(len, (rows, cell, packed))) < 40_000
    assert "1,000,000 rows; at most 250,000" in refusal(rows, largest=2_000_000)
    assert "larger" in refusal(cell, largest=2_000_000)
    assert "more than 2 MB" in refusal(packed, largest=2_000_000)
    assert "3 MB; the limit is 2 MB" in refusal(b"1\n" * 1_500_000, largest=2_000_000)
    assert "parts" in refusal(gzip.compress(b"", mtime=0) * 100_001)
    table = read({"loss": LOSS, "member": ["x" * 1_000_000] * N})  # one cell, repeated
    assert table.label("member").counts == {"x" * 1_000_000: N}
    options = {"use_dictionary": False, "column_encoding": {"member": "DELTA_BYTE_ARRAY"}}  # cells share beginnings
    assert read({"loss": LOSS, "member": GROUPS}, **options).label("member").counts == {"test": 30, "train": 30}
    with pytest.raises(ValueError, match="delimiter must be one of"):
        KnownLayout(delimiter="x")


# Anything at all is read, or refused in words.

LINES = "loss,member|0.5,1|0.25;0|1,5|0.7|'0.5',0|'|nan,1|1e999,0|é,3,0|a b,||1.234,5".replace("'", '"').split("|")
TEXTS = st.text(alphabet="0123456789.,;\t\n\"'abeEn -+\r", max_size=200).map(str.encode)
ENCODED = st.tuples(st.lists(st.sampled_from(LINES), max_size=30), st.sampled_from(["utf-8", "latin-1", "utf-16"]))


@settings(max_examples=30)
@given(st.one_of(st.binary(max_size=400), TEXTS, ENCODED.map(lambda drawn: "\n".join(drawn[0]).encode(drawn[1]))))
def test_anything_is_read_or_refused(data: bytes) -> None:
    with suppress(TableError):
        table = read_table(data)
        for column in table.numbers:
            assert len(column.values) == table.rows
            assert int(np.sum(~np.isfinite(column.values))) == column.faults.count


@settings(max_examples=10)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=10, max_size=40))
def test_numbers_read_back_to_the_last_bit(values: list[float]) -> None:
    table = read_table("\n".join(["loss,x", *(f"{value!r},a{value}" for value in values)]).encode())
    assert list(table.number("loss").values) == values


@pytest.mark.parametrize("count", [3, pytest.param(160, marks=pytest.mark.nightly)])
def test_damaged_files_are_read_or_refused(count: int) -> None:
    outcomes = fuzz_losses.run(count)
    assert outcomes.total() == count
    assert count < 100 or (len(outcomes) > 5 and outcomes["read"] > 5)
