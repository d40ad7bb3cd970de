"""Reading candidates for a record: every list that works, every one that does not, and what is said about it."""

import gzip
from hashlib import sha256

import numpy as np
import pytest

from data.make_ages import table
from losses import AGES, Candidates, RowUnit, TableError, counted_rows, read_candidates, readings, weights
from numerics.reconstruction.priors import largest_ball
from tests import ROOT

MILLION = 1_000_000
ROUNDING = 1e-12  # of sums of a million numbers


def found(text: str | bytes, column: str = "", drop: bool = False, values: str | None = None) -> Candidates:
    """The candidates; in the likeliest column unless another is named."""
    read = read_candidates(text.encode() if isinstance(text, str) else text)
    return weights(read, column or read.numbers[0].name, drop, values)


def refusal(text: str | bytes, **choices: object) -> TableError:
    """The complaint; every one says what to do."""
    with pytest.raises(TableError) as caught:
        found(text, **choices)  # type: ignore[arg-type]
    assert caught.value.what
    assert caught.value.remedy
    assert "loss" not in str(caught.value)
    return caught.value


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name,count\nann,5\nbob,5\ncay,3\n", [5, 5, 3]),
        ("count\n7\n7\n7\n", [7, 7, 7]),
        ("age,count\n20,5\n21,5\n22,3\n", [5, 5, 3]),
        ("count,age\n5,20\n5,21\n3,22\n", [5, 5, 3]),
        ("20;0.5\n21;0.25\n22;0.25\n", [0.5, 0.25, 0.25]),
        ("name;probability\nann;0,5\nbob;0,25\ncay;0,25\n", [0.5, 0.25, 0.25]),
        ("name\tshare\nann\t1\n", [1]),
        ("Müller,9\nMaier,1\n".encode("latin-1"), [9, 1]),
        ('name,n\n"Doe, Jane",1\n"Roe, Joe",0\n', [1, 0]),
    ],
    ids=["counts", "alike", "value first", "value last", "no header", "decimal comma", "one", "latin", "quoted"],
)
def test_short_lists_of_any_layout(text: str | bytes, expected: list[float]) -> None:
    """Three candidates are many enough, and a column with two different numbers is not taken for labels."""
    candidates = found(text)
    assert candidates.weights.tolist() == expected
    assert candidates.total == sum(expected)
    assert (candidates.dropped, candidates.values) == (0, None)
    assert not candidates.need_dividing


def test_packed_lists() -> None:
    assert found(gzip.compress(b"name,count\nann,5\nbob,2\n")).weights.tolist() == [5, 2]


def test_likeliest_weights_come_first() -> None:
    read = read_candidates(b"id,age,probability,height\n1,20,0.5,170\n2,30,0.5,180\n")
    assert [column.name for column in read.numbers] == ["probability", "height", "age", "id"]
    assert read.labels == ()


def test_values_go_with_their_weights() -> None:
    candidates = found("age,count\n30,1\n20,2\nx,3\n25,y\n40,-1\n", "count", drop=True, values="age")
    assert candidates.values is not None
    assert list(zip(candidates.values, candidates.weights, strict=True)) == [(30, 1), (20, 2)]
    assert candidates.dropped == 3


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "The file is empty."),
        (" \n\n", "The file is empty."),
        ("name,count\n", "a header and no rows"),
        ("name,count\nann,many\nbob,few\n", "No column holds numbers."),
        ("name,share\nann,50%\nbob,50%\n", "No column holds numbers."),
        ("name,count\nann,5\nbob,x\ncay,2\n", "1 cell without a finite number. Row 2: “x”."),
        ("name,count\nann,5\nbob,\ncay,2\n", "1 cell without a finite number. Row 2: blank"),
        ("name,count\nann,5\nbob,nan\ncay,2\n", "1 cell without a finite number. Row 2: blank or not a number"),
        ("name,count\nann,5\nbob,inf\ncay,2\n", "1 cell without a finite number. Row 2: inf"),
        ("name,count\nann,5\nbob,-2\ncay,-3\n", "2 negative cells: neither counts nor probabilities can be"),
        ("name,count\nann,5\nbob,-2\ncay,-3\n", "The first is in row 2: “-2”."),
        ("name,count\nann,0\nbob,0\ncay,0\n", "is 0 in all of its 3 rows"),
        ("name,count\nann,1e308\nbob,1e308\n", "too large to be added up"),
        (b"PK\x03\x04 and so on", "an Excel workbook or a ZIP archive"),
    ],
)
def test_refused(text: str | bytes, words: str) -> None:
    assert words in str(refusal(text))


def test_unusable_values_are_refused_by_their_own_name() -> None:
    assert "“age” has 1 cell " in refusal("age,count\n20,1\nold,2\n22,4\n", values="age").what


def test_unusable_rows_are_left_out_when_asked() -> None:
    candidates = found("name,count\nann,5\nbob,-2\ncay,x\ndan,inf\neve,\nfay,1\n", drop=True)
    assert candidates.weights.tolist() == [5, 1]
    assert (candidates.dropped, candidates.total) == (4, 6)


def test_nothing_left_after_leaving_out() -> None:
    assert "No row is left" in refusal("name,count\nann,-5\nbob,-2\n", drop=True).what


@pytest.mark.parametrize(
    ("numbers", "needs"),
    [
        ((0.5, 0.3, 0.2), False),
        ((0.1,) * 10, False),
        ((0.3333333, 0.3333333, 0.3333333), False),
        ((50.5, 49.5), False),
        ((5, 3, 0), False),
        ((1, 1, 1), False),
        ((0.5, 0.3), True),
        ((0.5, 0.3, 0.3), True),
        ((0.999, 0.00099), True),
        ((2.5, 3.5), True),
    ],
)
def test_probabilities_that_do_not_add_up_are_pointed_out_and_left_alone(
    numbers: tuple[float, ...], needs: bool
) -> None:
    candidates = found("\n".join(["p", *map(str, numbers)]))
    assert candidates.need_dividing is needs
    assert candidates.weights.tolist() == list(numbers)


def test_a_million_rows() -> None:
    """Read by Arrow at once; the largest ball is found by sorting."""
    counts = np.random.default_rng(0).integers(0, 1000, MILLION)
    text = "value,count\n" + "\n".join(map("{},{}".format, range(MILLION), counts.tolist()))
    candidates = found(text, "count", values="value")
    assert candidates.total == counts.sum()
    assert len(candidates.weights) == MILLION
    window = counts[:-2] + counts[1:-1] + counts[2:]
    assert candidates.values is not None
    kappa = largest_ball(candidates.weights, candidates.values, 1.0)
    assert kappa == pytest.approx(window.max() / counts.sum(), rel=ROUNDING)


def test_the_example_is_what_its_script_writes() -> None:
    assert AGES.read_text(encoding="utf-8") == table()
    assert found(AGES.read_bytes()).total == 442


def test_hash_of_the_example_is_stated() -> None:
    readme = (ROOT / "data" / "README.md").read_text(encoding="utf-8")
    assert f"{sha256(AGES.read_bytes()).hexdigest()}  {AGES.name}" in readme


EITHER = (RowUnit.CANDIDATES, RowUnit.RECORDS)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("postcode\n10115\n10115\n20095\n", EITHER),
        ("visits\n3\n1\n3\n", EITHER),
        ("name,count\nann,5\nbob,3\n", EITHER),  # visits of a patient are called so, too
        ("name,p\nann,0.3\nbob,0.1\n", EITHER),
        ("height\n-0.5\n1.5\n", EITHER),  # adds up to 1, and is no probability
        ("name,p\nann,0.25\nbob,0.75\n", (RowUnit.CANDIDATES,)),
        ("name,share\nann,12.5\nbob,87.5\n", (RowUnit.CANDIDATES,)),
        ("p\n0.9999999\n", (RowUnit.CANDIDATES,)),
        ("city,name\nRome,ann\nRome,bob\n", (RowUnit.RECORDS,)),
    ],
)
def test_a_table_that_can_be_read_in_two_ways_says_so(text: str, expected: tuple[RowUnit, ...]) -> None:
    assert readings(read_candidates(text.encode())) == expected


def test_rows_of_numbers_are_counted() -> None:
    """Sixty postcodes in 5,000 rows: as counts, the best guess would seem right .0002 of the time."""
    generator = np.random.default_rng(7)
    codes = 10_000 + 131 * generator.integers(0, 60, 5_000) ** 2 // 60
    table_ = read_candidates(("postcode\n" + "\n".join(map(str, codes))).encode())
    candidates = counted_rows(table_, "postcode")
    values, counts = np.unique(codes, return_counts=True)
    assert candidates.values is not None
    assert candidates.values.tolist() == values.tolist()
    assert candidates.weights.tolist() == counts.tolist()
    assert candidates.total == 5_000
    assert largest_ball(candidates.weights) == pytest.approx(counts.max() / 5_000, rel=ROUNDING)
    name, share = candidates.likeliest(1)[0]
    assert (int(name), share) == (values[counts.argmax()], counts.max() / 5_000)


def test_rows_of_text_are_counted() -> None:
    table_ = read_candidates(b"city,age\nRome,20\nOslo,30\nRome,40\nRome,20\n")
    candidates = counted_rows(table_, "city")
    assert (candidates.names, candidates.weights.tolist(), candidates.values) == (("Rome", "Oslo"), [3, 1], None)


@pytest.mark.parametrize("column", ["city", "age"])
def test_rows_without_a_value_stop_or_are_left_out(column: str) -> None:
    table_ = read_candidates(b"city,age\nRome,20\n,\nRome,40\n")
    with pytest.raises(TableError, match=r"(?i)row 2"):
        counted_rows(table_, column)
    candidates = counted_rows(table_, column, drop=True)
    assert (candidates.total, candidates.dropped) == (2, 1)


def test_more_texts_than_can_be_told_apart_are_refused() -> None:
    rows = "\n".join(f"name{row}" for row in range(32_001))
    with pytest.raises(TableError, match="more than 32,000 different texts"):
        counted_rows(read_candidates(f"name\n{rows}".encode()), "name")
