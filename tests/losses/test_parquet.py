"""Parquet files: every type that works, and everything that is refused before it can do harm."""

import io
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from losses import LossTable, TableError, one_column, read_predictions, read_table, split

N = 60
LOSS = np.round(np.random.default_rng(1).gamma(2, 1, N), 3)
MEMBER = np.arange(N) % 2


def written(columns: dict[str, object], **options: object) -> bytes:
    out = io.BytesIO()
    parquet.write_table(pa.table(columns), out, **options)
    return out.getvalue()


def read(columns: dict[str, object], **options: object) -> LossTable:
    return read_table(written(columns, **options))


def refusal(data: bytes, largest: int = 200_000_000) -> TableError:
    with pytest.raises(TableError) as caught:
        read_table(data, largest)
    assert caught.value.remedy.endswith(".")
    return caught.value


@pytest.mark.parametrize(
    ("cells", "error", "unit"),
    [
        (LOSS, 0, 2.0**-52),
        (LOSS.astype(np.float32), 2.0**-24, 2.0**-23),
        (LOSS.astype(np.float16), 2.0**-11, 2.0**-10),
        ([Decimal(f"{value:.3f}") for value in LOSS], 1e-15, 2.0**-52),
        (pa.array([Decimal(f"{value:.3f}") for value in LOSS], pa.decimal256(50, 3)), 1e-15, 2.0**-52),
        ((LOSS * 1000).round().astype(np.int32), 999, 2.0**-52),
        ((LOSS * 1000).round().astype(np.uint64), 999, 2.0**-52),
        (pa.array(LOSS).dictionary_encode(), 0, 2.0**-52),
    ],
)
def test_types_of_numbers(cells: object, error: float, unit: float) -> None:
    column = read({"loss": cells, "member": MEMBER}).number("loss")
    assert column.values.dtype == np.float64
    assert np.max(np.abs(column.values / LOSS - 1)) <= error + 1e-12 * (error > 0)
    assert (column.unit, column.faults.count) == (unit, 0)


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (MEMBER, ("0", "1")),
        (MEMBER.astype(np.int8), ("0", "1")),
        (MEMBER.astype(float), ("0.0", "1.0")),
        (MEMBER == 1, ("False", "True")),
        (np.where(MEMBER, "train", "test"), ("test", "train")),
        (pa.array(np.where(MEMBER, "train", "test")).dictionary_encode(), ("test", "train")),
        (pa.array(np.where(MEMBER, b"in", b"out"), pa.binary()), ("out", "in")),
        (pa.array(np.where(MEMBER, "member", "non-member"), pa.large_string()), ("non-member", "member")),
    ],
)
def test_types_of_memberships(cells: object, labels: tuple[str, str]) -> None:
    table = read({"loss": LOSS, "member": cells}, row_group_size=7)
    assert (table.rows, table.labels[0].labels, table.is_membership_clear) == (N, labels, True)
    found = split(table, "loss", "member", labels[1])
    assert np.array_equal(found.train, np.sort(LOSS[MEMBER == 1]))
    assert np.array_equal(found.population, np.sort(LOSS[MEMBER == 0]))


@pytest.mark.parametrize("compression", ["none", "snappy", "gzip", "zstd", "brotli", "lz4"])
@pytest.mark.parametrize("version", ["1.0", "2.0"])
def test_forms_of_pages(compression: str, version: str) -> None:
    options = {"compression": compression, "data_page_version": version, "write_page_checksum": True}
    table = read({"loss": LOSS, "member": MEMBER}, row_group_size=25, data_page_size=64, **options)
    assert np.array_equal(table.number("loss").values, LOSS)
    assert table.layout.words == "Parquet, 2 columns"


def test_blanks_and_numbers_that_are_none() -> None:
    cells = [*LOSS[:-4], None, np.nan, np.inf, None]
    table = read({"loss": cells, "member": [*MEMBER[:-1].tolist(), None]})
    assert table.number("loss").faults.count == 4
    assert table.number("loss").faults.examples[0] == "row 57: blank or not a number"
    assert table.number("loss").faults.examples[2] == "row 59: inf"
    kept = split(table, "loss", "member", "1", drop=True)
    assert (len(kept.train), len(kept.population), kept.dropped) == (28, 28, 4)


def test_nested_columns() -> None:
    error = refusal(written({"loss": [[value] for value in LOSS], "member": MEMBER}))
    assert error.what == "The column “loss” is nested: it holds “list<element: double>” in every row."
    assert "is nested" in refusal(written({"x": [{"a": 1.0}] * N})).what
    assert read({"tokens": [[1, 2]] * N, "loss": LOSS, "member": MEMBER}).number("loss").values[3] == LOSS[3]


def test_columns_that_are_of_no_use() -> None:
    table = read({"when": pa.array([0] * N, pa.timestamp("s")), "picture": [b"\xff\xd8"] * N, "loss": LOSS})
    assert [column.name for column in table.numbers] == ["loss"]
    assert table.labels == ()
    assert "No column holds numbers" in refusal(written({"name": [f"n{row}" for row in range(N)]})).what


def test_names() -> None:
    assert "Two columns have the name “loss”" in refusal(_with_names(["loss", "loss"])).what
    assert read_table(_with_names(["lo\u202ess", ""])).layout.names == ("loss", "column 2")


def _with_names(names: list[str]) -> bytes:
    out = io.BytesIO()
    parquet.write_table(pa.Table.from_arrays([pa.array(LOSS), pa.array(MEMBER)], names), out)
    return out.getvalue()


def test_no_rows() -> None:
    assert refusal(written({"loss": pa.array([], pa.float64())})).what == "The file holds no rows."


def test_files_that_are_damaged() -> None:
    whole = written({"loss": LOSS, "member": MEMBER}, write_page_checksum=True)
    for broken in (whole[:50], whole[:-1], whole[:-8] + b"\xff" * 8, b"PAR1", whole[:20] + b"\0" * 60 + whole[80:]):
        assert refusal(broken).what == "The Parquet file is damaged."
    assert "encrypted" in refusal(b"PARE" + whole[4:]).what


def test_bombs_are_refused_before_they_are_decoded() -> None:
    """A few kilobytes that would become many megabytes, by their rows, and by long cells."""
    rows = written({"loss": np.zeros(1_000_000), "member": np.zeros(1_000_000, np.int8)}, compression="zstd")
    assert len(rows) < 20_000
    assert refusal(rows, largest=2_000_000).what == "The file has 1,000,000 rows; at most 250,000 are read."
    cell = written({"loss": LOSS, "note": ["x" * 400_000] * N}, compression="zstd", use_dictionary=False)
    assert len(cell) < 20_000
    assert "Decoded, the file's columns are larger" in refusal(cell, largest=2_000_000).what
    table = read_table(written({"loss": LOSS, "member": ["x" * 1_000_000] * N}))  # one cell, repeated
    assert table.label("member").counts == {"x" * 1_000_000: N}


def test_encodings_that_grow_without_saying_so() -> None:
    """Cells that share their beginnings: no page says how long they become, and little memory holds these."""
    options = {"use_dictionary": False, "column_encoding": {"member": "DELTA_BYTE_ARRAY"}}
    table = read({"loss": LOSS, "member": np.where(MEMBER, "in", "out")}, **options)
    assert table.label("member").counts == {"out": N // 2, "in": N // 2}


def test_all_columns_of_predictions_are_kept_in_their_order() -> None:
    names = [f"p{place}" for place in range(40)]
    table = read_predictions(written(dict.fromkeys(names, LOSS) | {"label": [f"class {row}" for row in range(N)]}))
    assert [column.name for column in table.numbers] == names
    assert len(table.label("label").labels) == N


def test_one_group_in_a_file() -> None:
    assert np.array_equal(one_column(read({"loss": LOSS}), "loss").losses, LOSS)
