"""Reading loss tables: numbers that could mean two things, and lines above the first row."""

import numpy as np
import pytest

from losses import TableError, read_table


@pytest.mark.parametrize("delimiter", [";", "\t"])
@pytest.mark.parametrize("mark", [",", "."])
def test_whole_numbers_with_marks_between_thousands_are_not_read_as_decimals(delimiter: str, mark: str) -> None:
    losses = [f"{loss:,}".replace(",", mark) for loss in range(400, 1600, 20)]
    text = "\n".join(f"{loss}{delimiter}{row % 2}" for row, loss in enumerate(losses))
    with pytest.raises(TableError, match=rf"“1\{mark}000” can mean two things.*column 1"):
        read_table(f"loss{delimiter}member\n{text}\n".encode())


@pytest.mark.parametrize("mark", [",", "."])
def test_quoted_thousands_between_commas(mark: str) -> None:
    text = "\n".join(f'"{loss:,}",{loss % 2}'.replace(",", mark, loss >= 1000) for loss in range(900, 1100))
    with pytest.raises(TableError, match="can mean two things"):
        read_table(f"loss,member\n{text}\n".encode())


@pytest.mark.parametrize(("mark", "proof"), [(",", "0,500"), (",", "1,5"), (".", "0.500"), (".", "1.5")])
def test_one_sure_decimal_settles_what_the_mark_means(mark: str, proof: str) -> None:
    cells = [f"{row}{mark}234" for row in range(1, 30)] + [proof]
    values = read_table(("loss;x\n" + "".join(f"{cell};1\n" for cell in cells)).encode()).number("loss").values
    assert list(values) == [float(cell.replace(mark, ".")) for cell in cells]


def test_decimals_of_three_digits_are_decimals_with_a_point() -> None:
    text = "".join(f"{row}.234,{row % 2}\n" for row in range(1, 30))
    assert read_table(f"loss,member\n{text}".encode()).number("loss").values[0] == 1.234


ROWS = "".join(f"{row}.5;{row % 2}\n" for row in range(40))


@pytest.mark.parametrize("above", [";;\n", ";\n", '"";""\n', " ; \n;\n"])
def test_lines_of_blank_cells_above_the_header(above: str) -> None:
    table = read_table(f"{above}loss;member\n{ROWS}".encode())
    assert (table.rows, table.number("loss").faults.count) == (40, 0)
    assert table.label("member").counts == {"0": 20, "1": 20}


@pytest.mark.parametrize("mark", ["\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"])
def test_only_line_ends_end_a_remark(mark: str) -> None:
    table = read_table(f"# made by{mark}\nloss;member\n{ROWS}".encode())
    assert (table.rows, table.number("loss").values[0]) == (40, 0.5)


@pytest.mark.parametrize("labels", [("1", "0"), ("train", "test")])
def test_headerless_decimal_commas_before_a_membership_are_refused(labels: tuple[str, str]) -> None:
    text = "".join(f"{1 + row % 2},{row * 37 + 1000},{labels[row % 2]}\n" for row in range(40))
    with pytest.raises(TableError, match="decimal marks"):
        read_table(text.encode())


def test_both_infinities_in_a_column_are_faults_without_a_warning() -> None:
    text = "".join(f"{cell},1\n" for cell in ("inf", "-inf", *(f"{row}.5" for row in range(20))))
    assert read_table(f"loss,member\n{text}".encode()).number("loss").faults.count == 2


def losses_and_membership(spelling: str, header: str = "loss,member\n") -> bytes:
    rows = (f"{spelling.format(value)},{row % 2}" for row, value in enumerate(np.linspace(-1.5, 1.5, 60)))
    return (header + "\n".join(rows)).encode()


@pytest.mark.parametrize(
    ("spelling", "header"),
    [("{:.2f}%", "loss,member\n"), ("{:.2f}%", ""), ("{:.2f} nats", ""), ("1_{:.0f}", "loss,member\n")],
)
def test_losses_that_are_no_plain_numbers_are_not_replaced_by_the_membership(spelling: str, header: str) -> None:
    with pytest.raises(TableError, match="no plain numbers"):
        read_table(losses_and_membership(spelling, header))


def test_a_long_minus_is_a_minus() -> None:
    plain, long = (read_table(losses_and_membership("{:.3f}").replace(b"-", minus)) for minus in (b"-", "−".encode()))
    np.testing.assert_array_equal(long.numbers[0].values, plain.numbers[0].values)


@pytest.mark.parametrize("start", [b"\x80\x05", b"\x80\x03", b"FEA1", b"{\\rtf1"])
def test_more_files_that_are_no_tables(start: bytes) -> None:
    with pytest.raises(TableError, match="not a text table"):
        read_table(start + b" rest\n1,2\n")


def test_a_line_of_very_many_columns_is_counted() -> None:
    with pytest.raises(TableError, match="70,000 columns"):
        read_table((",".join(["1"] * 70_000) + "\n").encode() * 3)
