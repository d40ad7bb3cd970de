"""Layouts that a person corrects, and what is said of those that are found."""

import gzip

import pytest

from losses import KnownLayout, LossTable, TableError, read_table

ROWS = [f"{1.5 * row:.2f},{row % 2}" for row in range(1, 40)]


def read(text: str, written: str = "utf-8", **known: str | bool) -> LossTable:
    return read_table(text.encode(written), known=KnownLayout(**known))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "encoding", "words"),
    [
        ("loss,member\n" + "\n".join(ROWS), "utf-8", "comma-separated"),
        ("\n".join(ROWS), "utf-8-sig", "comma-separated, no header"),
        ("loss,member\n" + "\n".join(ROWS), "utf-16", "comma-separated, UTF-16 (little-endian)"),
        (
            "größe loss\n" + "\n".join(map(str, range(40))),
            "cp1252",
            "one column, Windows-1252 (Western Europe)",
        ),
        ("l\x81ss\n" + "\n".join(map(str, range(40))), "latin-1", "one column, Latin-1"),
        ("loss\tm\n" + "\n".join(ROWS).replace(",", "\t").replace(".", ","), "utf-8", "tab-separated, decimal comma"),
        ("loss\n" + "\n".join(f"1'{row:03d}.5" for row in range(40)), "utf-8", "one column, marks between thousands"),
    ],
)
def test_what_was_found_is_said(text: str, encoding: str, words: str) -> None:
    data = text.encode(encoding)
    found = read_table(data).layout.words
    assert found.replace("UTF-16", "UTF-16 (little-endian)") == words if encoding == "utf-16" else found == words
    assert read_table(gzip.compress(data)).layout.words == f"{found}, packed with gzip"


def test_a_delimiter_that_is_known() -> None:
    text = "error;a,b\n" + "\n".join(f"{row};x,{row}" for row in range(1, 40))
    assert read(text, delimiter=";").layout.names == ("error", "a,b")
    assert read(text, delimiter=",").layout.names == ("error;a", "b")
    assert read("loss\n" + "1,5\n" * 20, delimiter=";").number("loss").values[0] == 1.5


def test_a_decimal_mark_that_is_known_settles_what_is_ambiguous() -> None:
    text = "loss;member\n" + "\n".join(f"{row},{row:03d};{row % 2}" for row in range(1, 40))
    with pytest.raises(TableError, match="can mean two things"):
        read(text)
    assert read(text, decimal=",").number("loss").values[4] == 5.005
    assert read(text, decimal=".").number("loss").values[4] == 5005
    points = text.replace(",", ".")
    assert read(points, decimal=".").number("loss").values[4] == 5.005
    assert read(points, decimal=",").number("loss").values[4] == 5005


def test_an_encoding_that_is_known() -> None:
    text = "Öl loss,Дом\n" + "\n".join(ROWS)
    assert read(text.replace("Ö", "O"), "cp1251", encoding="cp1251").layout.names == ("Ol loss", "Дом")
    assert read(text.replace("Дом", "member"), "mac-roman", encoding="mac-roman").layout.names[0] == "Öl loss"
    assert read(text, "utf-8-sig", encoding="utf-8").layout.names == ("Öl loss", "Дом")
    assert read(text, "utf-16-be", encoding="utf-16-be").layout.words.endswith("UTF-16 (big-endian)")
    with pytest.raises(TableError, match=r"^The file is no text in UTF-8\. Choose another encoding"):
        read("größe loss\n1\n", "latin-1", encoding="utf-8")
    with pytest.raises(TableError, match=r"no text in UTF-16"):
        read("loss\n1\n", encoding="utf-16-le")


def test_a_header_that_is_known() -> None:
    years = "2019,2020\n" + "\n".join(f"{row}.5,{row}.25" for row in range(1, 40))
    assert read(years, has_header=True).layout.names == ("2019", "2020")
    assert read(years).layout.names == ("column 1", "column 2")
    assert read("loss\n" + "1.5\n" * 20, has_header=False).numbers[0].faults.count == 1


@pytest.mark.parametrize("wrong", [{"delimiter": "x"}, {"decimal": ";"}, {"encoding": "rot13"}])
def test_corrections_that_are_none(wrong: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=f"{next(iter(wrong))} must be one of"):
        KnownLayout(**wrong)  # type: ignore[arg-type]
