"""Loss tables in every layout: delimiters, decimal marks, headers, line ends, spellings of numbers."""

import csv
import io

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from losses import TableError, one_column, read_table
from losses.layout import layout_of
from tests.loss_files import TRAIN, both, check_both, groups, one


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("header", ["loss,member", ""])
def test_delimiters_with_and_without_header(delimiter: str, header: str) -> None:
    check_both(groups(both(delimiter, header)))


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " "])
@pytest.mark.parametrize("header", ["loss,member", ""])
def test_decimal_comma(delimiter: str, header: str) -> None:
    check_both(groups(both(delimiter, header, mark=",")))


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends(ending: str) -> None:
    check_both(groups(both().replace("\n", ending)))
    check_both(groups(both().rstrip().replace("\n", ending)))


@pytest.mark.parametrize("preamble", ["# made by hand\n#\n", "sep=;\n", "\n\n"])
def test_lines_above_the_header(preamble: str) -> None:
    check_both(groups(preamble + both(";")))


def test_blank_lines_below_and_between() -> None:
    check_both(groups(both().replace("\n", "\n\n") + "\n\n"))


@pytest.mark.parametrize(("thousand", "mark"), [(".", ","), ("'", "."), (",", "."), (" ", ","), ("'", ",")])
def test_marks_between_thousands(thousand: str, mark: str) -> None:
    losses = TRAIN * 10_000
    written = [f"{loss:,.2f}".replace(",", "T").replace(".", mark).replace("T", thousand) for loss in losses]
    table = read_table("\n".join(["loss;x", *(f'"{cell}";1' for cell in written)]).encode())
    assert table.number("loss").values == pytest.approx(np.round(losses, 2), abs=1e-9)


def test_quoted_numbers_with_decimal_commas_between_commas() -> None:
    rows = [line.replace(";", '","') for line in both(";", "", mark=",").splitlines()]
    check_both(groups("\n".join(["loss,member", *(f'"{row}"' for row in rows)])))


def test_single_column_with_decimal_commas() -> None:
    text = one().replace(".", ",")
    table = read_table(text.encode())
    assert one_column(table, "loss").losses == pytest.approx(TRAIN, abs=0)


def test_numbers_in_every_spelling() -> None:
    spelled = ["+0.5", " 1e-3", "2E2 ", ".25", "3.", "-7", "0", "1", "1e5", "12345678901234567890"]
    table = read_table("\n".join(["loss", *spelled]).encode())
    assert list(table.number("loss").values) == [float(cell) for cell in spelled]


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=10, max_size=40))
def test_numbers_read_back_to_the_last_bit(values: list[float]) -> None:
    table = read_table("\n".join(["loss,x", *(f"{value!r},a{value}" for value in values)]).encode())
    assert list(table.number("loss").values) == values


def test_commas_beside_numbers_with_points_are_no_decimal_marks() -> None:
    rows = "".join(f"{row}.5,{row},{row + 100}\n" for row in range(1, 40))
    assert read_table(rows.encode()).number("column 1").values[0] == 1.5
    with pytest.raises(TableError, match="may be decimal marks"):
        read_table(rows.replace(".", "").encode())


def test_names_that_come_more_than_twice_are_counted() -> None:
    table = read_table(("loss,loss,loss,loss (2)\n" + "0.5,1.5,2.5,3.5\n" * 12).encode())
    assert table.layout.names == ("loss", "loss (2)", "loss (3)", "loss (2) (2)")


def test_duplicate_blank_and_hostile_headers_are_told_apart() -> None:
    hostile = ["loss", "loss", "", "=cmd()|x", "<img src=x onerror=alert(1)>", "\u202egnp.exe", "a\u200bb", "x" * 100]
    out = io.StringIO()
    csv.writer(out).writerow(hostile)
    rows = "\n".join(",".join(f"{row}.5" for _ in hostile) for row in range(12))
    names = read_table((out.getvalue() + rows).encode()).layout.names
    assert names[:7] == ("loss", "loss (2)", "column 3", "=cmd()|x", "<img src=x onerror=alert(1)>", "gnp.exe", "ab")
    assert len(names[7]) == 60


@pytest.mark.parametrize(("names", "cells"), [("0", "0.{0}5"), ("0,1", "0.{0}5,1"), (",0,1", "{0},0.{0}5,1")])
def test_names_as_pandas_counts_them_are_no_losses(names: str, cells: str) -> None:
    table = read_table("\n".join([names, *(cells.format(row) for row in range(1, 40))]).encode())
    assert (table.rows, table.layout.has_header) == (39, True)
    assert table.numbers[0].values[0] == 0.15


@pytest.mark.parametrize(
    ("delimiter", "remedy"), [(",", "If numbers have a decimal comma, save with"), (";", "Give every row the same")]
)
def test_rows_of_another_length_come_with_a_remedy_for_their_delimiter(delimiter: str, remedy: str) -> None:
    rows = "".join(f"{row}.5{delimiter}{row % 2}\n" for row in range(40))
    with pytest.raises(TableError) as caught:
        read_table(f"loss{delimiter}member\n{rows}0.5{delimiter}1{delimiter}1\n".encode())
    assert caught.value.remedy.startswith(remedy)


def test_blank_names_among_those_that_pandas_counts_are_cells() -> None:
    table = read_table(("0,,1\n" + "0.15,2.5,1.25\n" * 40).encode())
    assert (table.rows, table.layout.has_header) == (41, False)


def test_rows_from_the_middle_and_the_end_are_looked_at_whole() -> None:
    rows = [(f"{row}.5", f"{'long ' * 100}{row}") for row in range(1_500)]
    text = "loss,note\n" + "".join(f"{loss},{note}\n" for loss, note in rows)
    probe = layout_of(pa.py_buffer(text.encode())).probe
    assert {rows[0], rows[780], rows[-1]} <= set(probe) <= set(rows)


@pytest.mark.parametrize(("different", "offered"), [(20, ["town"]), (21, [])])
def test_a_column_of_words_has_at_most_twenty_labels(different: int, offered: list[str]) -> None:
    rows = (f"{row}.5,{'abcdefghijklmnopqrstuvwxyz'[row % different]}" for row in range(200))
    assert [column.name for column in read_table("\n".join(["loss,town", *rows]).encode()).labels] == offered


def test_only_the_likeliest_of_many_columns_are_kept() -> None:
    header = ",".join([f"x{number}" for number in range(300)] + ["loss"])
    table = read_table((header + "\n" + "\n".join(",".join([f"{row}.5"] * 301) for row in range(20))).encode())
    assert len(table.numbers) == 16
    assert table.numbers[0].name == "loss"
