"""Reading loss tables: every layout that works, every input that does not, and what is said about it."""

import csv
import gzip
import io
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from losses import SAMPLES, Groups, LossTable, Sample, TableError, join, one_column, read_table, split
from losses.columns import member_label
from losses.unpacking import as_text
from numerics.epsilon_star import EMPIRICAL_CLIP, Method, estimate
from numerics.trade_off import Floats

ROOT = Path(__file__).parents[1]
TRAIN = np.round(np.random.default_rng(1).gamma(2, 1, 30), 6)
Labels = tuple[str, str]
FRESH = np.round(np.random.default_rng(2).gamma(3, 1, 20), 6)


def both(
    delimiter: str = ",", header: str = "loss,member", labels: tuple[str, str] = ("1", "0"), mark: str = "."
) -> str:
    """One file with both groups."""
    rows = [(loss, labels[0]) for loss in TRAIN] + [(loss, labels[1]) for loss in FRESH]
    lines = [header.replace(",", delimiter)] if header else []
    lines += [f"{loss!s}".replace(".", mark) + delimiter + label for loss, label in rows]
    return "\n".join(lines) + "\n"


def one(losses: Floats = TRAIN, header: str = "loss") -> str:
    return "\n".join([header, *map(str, losses)]) + "\n"


def groups(text: str | bytes, drop: bool = False) -> Groups:
    """The groups as a page without any correction by hand would take them."""
    table = read_table(text.encode() if isinstance(text, str) else text)
    labels = table.labels[0]
    member = member_label(labels.labels) or labels.labels[0]
    return split(table, table.numbers[0].name, labels.name, member, drop)


def check_both(found: Groups) -> None:
    assert found.train == pytest.approx(np.sort(TRAIN), abs=0)
    assert found.population == pytest.approx(np.sort(FRESH), abs=0)
    assert found.dropped == 0


def refusal(text: str | bytes) -> TableError:
    """The complaint; every one says what to do."""
    with pytest.raises(TableError) as caught:
        groups(text)
    assert caught.value.what
    assert caught.value.remedy.endswith(".")
    assert str(caught.value).startswith(caught.value.what)
    return caught.value


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|", " "])
@pytest.mark.parametrize("header", ["loss,member", ""])
def test_delimiters_with_and_without_header(delimiter: str, header: str) -> None:
    check_both(groups(both(delimiter, header)))


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " "])
@pytest.mark.parametrize("header", ["loss,member", ""])
def test_decimal_comma(delimiter: str, header: str) -> None:
    check_both(groups(both(delimiter, header, mark=",")))


@pytest.mark.parametrize(
    "labels",
    [("train", "test"), ("True", "False"), ("member", "non-member"), ("in", "out"), ("1.0", "0.0"), ("yes", "no")],
)
def test_member_is_recognised_in_either_order(labels: tuple[str, str]) -> None:
    check_both(groups(both(labels=labels)))
    assert member_label(labels[::-1]) == labels[0]


@pytest.mark.parametrize("labels", [("a", "b"), ("train", "in"), ("0", "2"), ("train", "unknown")])
def test_member_is_not_guessed_where_words_do_not_tell(labels: tuple[str, str]) -> None:
    assert member_label(labels) is None


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
def test_encodings(encoding: str) -> None:
    text = both(header="Verlust loss (größe),Mitglied é member")
    table = read_table(text.encode(encoding))
    assert (table.numbers[0].name, table.labels[0].name) == ("Verlust loss (größe)", "Mitglied é member")
    check_both(groups(text.encode(encoding)))


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_old_encodings_met_late_in_the_file(encoding: str) -> None:
    rows = [f"{number / 7:.5f},{'außen' if number % 2 else 'innen'}" for number in range(60_000)]
    rows[:20_000] = [f"{number / 7:.5f},innen" for number in range(20_000)]
    table = read_table(("loss,member\n" + "\n".join(rows) + "\n").encode(encoding))
    assert set(table.labels[0].labels) == {"innen", "außen"}


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


def test_gzip_of_several_members() -> None:
    text = both().encode()
    check_both(groups(gzip.compress(text[:100]) + gzip.compress(text[100:])))


def test_duplicate_blank_and_hostile_headers_are_told_apart() -> None:
    hostile = ["loss", "loss", "", "=cmd()|x", "<img src=x onerror=alert(1)>", "\u202egnp.exe", "a\u200bb", "x" * 100]
    out = io.StringIO()
    csv.writer(out).writerow(hostile)
    rows = "\n".join(",".join(f"{row}.5" for _ in hostile) for row in range(12))
    names = read_table((out.getvalue() + rows).encode()).layout.names
    assert names[:7] == ("loss", "loss (2)", "column 3", "=cmd()|x", "<img src=x onerror=alert(1)>", "gnp.exe", "ab")
    assert len(names[7]) == 60


def test_likeliest_columns_come_first() -> None:
    rows = [f"{row},{row % 10},{0.1 * row:.3f},{0.3 * row:.3f},{'train' if row % 3 else 'test'}" for row in range(60)]
    table = read_table(("id,label,confidence,train_loss,split\n" + "\n".join(rows)).encode())
    assert table.numbers[0].name == "train_loss"
    assert table.labels[0].name == "split"
    assert table.is_membership_clear


def test_a_class_label_is_not_taken_for_a_membership() -> None:
    rows = [f"{0.1 * row:.3f},{row % 2}" for row in range(60)]
    table = read_table(("loss,label\n" + "\n".join(rows)).encode())
    assert [column.name for column in table.labels] == ["label"]
    assert not table.is_membership_clear


def test_groups_in_sorted_files_are_both_seen() -> None:
    rows = [f"{row / 7:.6f},train" for row in range(60_000)] + [f"{row / 5:.6f},test" for row in range(60_000)]
    table = read_table(("loss,split\n" + "\n".join(rows)).encode())
    assert table.label("split").counts == {"train": 60_000, "test": 60_000}


def test_two_files() -> None:
    found = join(*(one_column(read_table(one(losses).encode()), "loss") for losses in (TRAIN, FRESH)))
    check_both(found)


def test_losses_ascend_and_the_table_is_left_alone() -> None:
    table = read_table(one().encode())
    before = table.number("loss").values.copy()
    column = one_column(table, "loss")
    assert np.all(np.diff(join(column, column).train) >= 0)
    assert np.array_equal(table.number("loss").values, before)


# What does not work, in the order of the product's list of bad input.


@pytest.mark.parametrize("nothing", [b"", b"\n\n  \n", b"\xef\xbb\xbf", b"\xff\xfe", gzip.compress(b"", mtime=0)])
def test_empty_file(nothing: bytes) -> None:
    assert refusal(nothing).what == "The file is empty."


def test_only_remarks() -> None:
    assert "only remarks" in refusal("# nothing\n# here\n").what


def test_header_only() -> None:
    assert refusal("loss,member\n").what == "The file has a header and no rows below it."


def test_one_column_where_two_are_needed() -> None:
    table = read_table(one().encode())
    assert table.labels == ()
    assert [column.name for column in table.numbers] == ["loss"]


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


def test_blank_memberships() -> None:
    lines = both().splitlines()
    lines[3] = lines[3].replace(",1", ",")
    error = refusal("\n".join(lines))
    assert (error.what, error.where) == ("The column “member” has 1 blank cells.", "The first is in row 3.")
    assert len(groups("\n".join(lines), drop=True).train) == 29


@pytest.mark.parametrize("row", ['"0.125,1,a', '0.125,1,"a'])
def test_a_quotation_mark_that_never_ends_loses_no_rows_silently(row: str) -> None:
    rows = "0.5,1,a\n0.25,0,b\n" * 100_000
    assert "never closed" in refusal(f"loss,member,name\n{rows}{row}\n{rows}").what
    assert "never closed" in refusal(f"loss,member,name\n{rows[:160]}{row}\n{rows[:160]}").what


def test_headerless_decimal_commas_are_not_taken_for_two_columns() -> None:
    assert "decimal marks" in refusal(one(header="").replace(".", ",").strip()).what


@pytest.mark.parametrize(("names", "cells"), [("0", "0.{0}5"), ("0,1", "0.{0}5,1"), (",0,1", "{0},0.{0}5,1")])
def test_names_as_pandas_counts_them_are_no_losses(names: str, cells: str) -> None:
    table = read_table("\n".join([names, *(cells.format(row) for row in range(1, 40))]).encode())
    assert (table.rows, table.layout.has_header) == (39, True)
    assert table.numbers[0].values[0] == 0.15


def test_nul_bytes() -> None:
    error = refusal(both().encode()[:60] + b"\0" + both().encode()[60:])
    assert "NUL bytes" in error.what
    assert error.where.startswith("The first is in line ")


@pytest.mark.parametrize(
    "start",
    [b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"ARROW1", b"%PDF-1.7", b"\x93NUMPY", b"\x89PNG", b"BZh9", b"\x80\x04\x95"],
)
@pytest.mark.parametrize("packed", [False, True])
def test_binary_files_whatever_their_name(start: bytes, packed: bool) -> None:
    data = start + bytes(range(256))
    assert "not a text table" in refusal(gzip.compress(data) if packed else data).what


def test_packed_twice() -> None:
    assert "packed twice" in refusal(gzip.compress(gzip.compress(both().encode()))).what


def test_bytes_without_any_structure() -> None:
    refusal(np.random.default_rng(3).integers(1, 256, 5000).astype(np.uint8).tobytes())


def test_truncated_and_damaged_gzip() -> None:
    packed = gzip.compress(both().encode())
    assert "ends too early" in refusal(packed[:-20]).what
    assert "damaged" in refusal(packed[:30] + b"\xff" * 20 + packed[50:]).what


def test_bytes_after_the_end_of_gzip() -> None:
    packed = gzip.compress(both().encode())
    check_both(groups(packed + b"\0" * 512))
    assert "other bytes follow" in refusal(packed + b"more").what


def test_gzip_of_very_many_empty_members() -> None:
    assert "parts" in refusal(gzip.compress(b"", mtime=0) * 100_001).what


def test_compression_bomb_stops_at_the_limit() -> None:
    bomb = gzip.compress(b"0" * 30_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(TableError, match="Unpacked, the file has more than 2 MB"):
        as_text(bomb, largest=2_000_000)


def test_file_over_the_limit() -> None:
    with pytest.raises(TableError, match="The file has 3 MB; the limit is 2 MB"):
        read_table(b"1\n" * 1_500_000, largest=2_000_000)


def test_a_million_columns() -> None:
    line = ",".join(["0.5"] * 1_000_000)
    assert "first line is longer" in refusal(f"{line}\n{line}\n").what
    line = ",".join(["0.5"] * 5_000)
    assert refusal(f"{line}\n{line}\n").what == "The file has 5,000 columns; at most 4,000 are read."


def test_only_the_likeliest_of_many_columns_are_kept() -> None:
    header = ",".join([f"x{number}" for number in range(300)] + ["loss"])
    table = read_table((header + "\n" + "\n".join(",".join([f"{row}.5"] * 301) for row in range(20))).encode())
    assert len(table.numbers) == 16
    assert table.numbers[0].name == "loss"


@pytest.mark.parametrize(("train", "fresh", "named"), [(9, 20, "Training data: 9"), (20, 3, "Fresh data: 3")])
def test_groups_that_are_too_small(train: int, fresh: int, named: str) -> None:
    error = refusal(
        "loss,member\n" + "\n".join([f"{row}.5,1" for row in range(train)] + [f"{row}.5,0" for row in range(fresh)])
    )
    assert error.what.startswith(named)


def test_one_group_missing() -> None:
    error = refusal("loss,member\n" + "\n".join(f"{row}.5,1" for row in range(40)))
    assert error.what.startswith("One group is missing: the column “member” says “1” in every row.")


def test_three_labels() -> None:
    labels = ("train", "test", "val")
    error = refusal("loss,split\n" + "\n".join(f"{row}.5,{labels[row % 3]}" for row in range(31)))
    assert error.what == "The column “split” has 3 different labels; two are needed."
    assert error.where == "They are “train” 11 times, “test” 10 times, “val” 10 times."


def test_a_third_label_that_only_comes_late() -> None:
    rows = [f"{row / 7:.6f},{row % 2}" for row in range(200_000)]
    rows[70_000] = "0.5,2"
    error = refusal("loss,member\n" + "\n".join(rows))
    assert error.what == "The column “member” has 3 different labels; two are needed."


def test_a_label_of_another_column_is_not_taken_for_one_of_this() -> None:
    rows = [f"{row / 7:.6f},{row % 2},{'a' if row % 3 else 'b'}" for row in range(60_000)]
    rows[40_000] = "0.5,a,a"
    table = read_table(("loss,member,kind\n" + "\n".join(rows)).encode())
    assert set(table.label("member").labels) == {"0", "1", "a"}


def test_more_labels_than_any_membership_has() -> None:
    rows = [f"{row / 7:.6f},{row % 2}" for row in range(100_000)]
    rows[40_000:50_000] = [f"0.5,x{row}" for row in range(10_000)]
    error = refusal("loss,member\n" + "\n".join(rows))
    assert error.what.endswith("101 different labels; two are needed.")


@pytest.mark.parametrize("shape", ["loss,member", ""])
def test_constant_losses(shape: str) -> None:
    found = groups("\n".join(filter(None, [shape, *(f"0.5,{row % 2}" for row in range(40))])))
    with pytest.raises(ValueError, match=r"losses must differ, but all of them are 0\.5"):
        estimate(found.train, found.population)


def test_identical_groups() -> None:
    found = groups("loss,member\n" + "\n".join(f"{row // 2}.5,{row % 2}" for row in range(40)))
    assert estimate(found.train, found.population, method=Method.EMPIRICAL).value == 0.0


def test_separated_groups() -> None:
    found = groups("loss,member\n" + "\n".join(f"{row}.5,{int(row < 20)}" for row in range(40)))
    assert np.isinf(estimate(found.train, found.population, 0.01, Method.EMPIRICAL).value)
    capped = estimate(found.train, found.population, 0.01, Method.EMPIRICAL, EMPIRICAL_CLIP)
    assert capped.value == pytest.approx(capped.cap)


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


# The shipped samples.


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_samples(sample: Sample) -> None:
    found = sample.groups()
    assert (len(found.train), len(found.population)) == (898, 899)


def test_the_overfitted_model_shows_its_members() -> None:
    overfitted, regularised = (
        estimate(found.train, found.population, method=Method.EMPIRICAL, clip=EMPIRICAL_CLIP).value
        for found in (sample.groups() for sample in SAMPLES)
    )
    assert overfitted > regularised + 1.0


def test_reading_needs_neither_streamlit_nor_plotly() -> None:
    code = "import losses, sys; assert not {'streamlit', 'plotly'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True)
