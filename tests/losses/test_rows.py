"""Rows and cells that cannot be read: where they are, what is wrong with them, and what to do."""

from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from losses import LossTable, TableError, read_table
from tests.loss_files import both, groups, one, refusal


def test_only_remarks() -> None:
    assert "only remarks" in refusal("# nothing\n# here\n").what


def test_header_only() -> None:
    assert refusal("loss,member\n").what == "The file has a header and no rows below it."


def test_decimal_comma_between_commas() -> None:
    error = refusal("loss,member\n" + "\n".join(f"0,{row:03d},{row % 2}" for row in range(30)))
    assert error.what == "The first row has 2 cells, most others have 3."
    assert "decimal comma" in error.remedy


def test_rows_of_different_length() -> None:
    lines = both().splitlines()
    lines[17] += ",7"
    lines[30] = "0.25"
    error = refusal("\n".join(lines))
    assert error.what == "Rows differ in length: 2 of them do not have 2 cells."
    assert error.where.startswith("Row 17 has 3:")


def test_rows_without_a_common_length() -> None:
    assert "share no number of cells" in refusal("loss,member,0\n1,0\n1.5,1,0\n0.6,0\n").what


def test_no_numbers() -> None:
    error = refusal("name,city\n" + "\n".join(f"n{row},c{row}" for row in range(30)))
    assert error.what == "No column holds numbers."
    assert "“n0”, “c0”" in error.where


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ("n.a.", "Row 4: “n.a.”."),
        ("", "Row 4: blank"),
        ("NaN", "Row 4: blank or not a number."),
        ("inf", "Row 4: inf."),
        ("-inf", "Row 4: −inf."),
        ("=1+1", "Row 4: “=1+1”."),
        ("1_000", "Row 4: “1_000”."),
        ("0x10", "Row 4: “0x10”."),
    ],
)
def test_cells_that_are_no_numbers_are_counted_shown_and_can_be_left_out(cell: str, shown: str) -> None:
    lines = both().splitlines()
    lines[4] = f"{cell},1"
    error = refusal("\n".join(lines))
    assert "“loss” has 1 cell without a finite number" in error.what
    assert error.where.startswith(shown.removesuffix("."))
    kept = groups("\n".join(lines), drop=True)
    assert (len(kept.train), len(kept.population), kept.dropped) == (29, 20, 1)


def test_only_the_first_odd_cells_are_shown() -> None:
    error = refusal("loss,member\n" + "\n".join(f"{'x' if row % 3 == 0 else row / 7},{row % 2}" for row in range(60)))
    assert "20 cells" in error.what
    assert error.where == "Row 1: “x”; row 4: “x”; row 7: “x” …."


@pytest.mark.parametrize("row", ['"0.125,1,a', '0.125,1,"a'])
def test_a_quotation_mark_that_never_ends_loses_no_rows_silently(row: str) -> None:
    rows = "0.5,1,a\n0.25,0,b\n" * 100_000
    assert "never closed" in refusal(f"loss,member,name\n{rows}{row}\n{rows}").what
    assert "never closed" in refusal(f"loss,member,name\n{rows[:160]}{row}\n{rows[:160]}").what


def test_headerless_decimal_commas_are_not_taken_for_two_columns() -> None:
    assert "decimal marks" in refusal(one(header="").replace(".", ",").strip()).what


def test_a_million_columns() -> None:
    line = ",".join(["0.5"] * 1_000_000)
    assert "first line is longer" in refusal(f"{line}\n{line}\n").what
    line = ",".join(["0.5"] * 5_000)
    assert refusal(f"{line}\n{line}\n").what == "The file has 5,000 columns; at most 4,000 are read."


def test_messages_carry_no_control_or_direction_marks() -> None:
    lines = both(header="lo\u202ess,member").splitlines()
    lines[4] = "\u202e<b>\x07,1"
    message = str(refusal("\n".join(lines)))
    assert "“<b>”" in message
    assert not set(message) & {"\u202e", "\x07"}


@given(st.binary(max_size=400))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    with suppress(TableError):
        assert isinstance(read_table(data), LossTable)


@given(st.text(alphabet="0123456789.,;\t\n\"'abeEn -+\r", max_size=200))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        table = read_table(text.encode())
    except TableError:
        return
    for column in table.numbers:
        assert len(column.values) == table.rows
        assert int(np.sum(~np.isfinite(column.values))) == column.faults.count


ROWS = [
    "loss,member",
    "0.5,1",
    "0.25;0",
    "1,5",
    "0.7",
    '"0.5",0',
    '"',
    "nan,1",
    "1e999,0",
    "é,3,0",
    "a b,",
    "",
    "1.234,5",
]


@given(st.lists(st.sampled_from(ROWS), max_size=30), st.sampled_from(["utf-8", "latin-1", "utf-16", "utf-8-sig"]))
def test_rows_of_all_sorts_are_read_or_refused(rows: list[str], encoding: str) -> None:
    with suppress(TableError):
        assert read_table("\n".join(rows).encode(encoding)).rows <= len(rows)
