"""How messages about tables quote cells."""

from losses.errors import counted, listed, quoted, visible


def test_five_cells_are_listed_and_the_rest_is_counted() -> None:
    assert listed(list("abcde")) == "“a”, “b”, “c”, “d”, “e”"
    assert listed(list("abcdef")) == "“a”, “b”, “c”, “d”, “e” and 1 more"
    assert listed(["a"] * 1_010, 2) == "“a”, “a” and 1,008 more"


def test_one_and_many() -> None:
    assert (counted(1, "cell"), counted(2_000, "cell")) == ("1 cell", "2,000 cells")


def test_cells_are_cut_and_shown_without_what_cannot_be_seen() -> None:
    assert visible("x" * 80, 80) == "x" * 80
    assert visible("x" * 81, 80) == "x" * 79 + "…"
    assert quoted(" a\u202eb ") == "“ab”"
