"""What the attacker can guess beforehand, from a list of candidates: what its rows are, and lists that are no use."""

import gc
import sys
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from losses import RowUnit
from numerics.reconstruction.priors import largest_ball
from pages.ui.plain_text import literal
from tests.pages import uploading
from tests.pages.reconstruct.test_prior import PRINTED, UPLOADED, answer, is_nothing, page, said
from tests.pages.visit import checked


def give(app: AppTest, data: str | bytes, name: str = "candidates.csv") -> AppTest:
    content = data.encode() if isinstance(data, str) else data
    return uploading.give(app, (name, content))


def a_file(data: str | bytes, name: str = "candidates.csv", rows: str = RowUnit.CANDIDATES) -> AppTest:
    """The page with a file, and with what its rows are where that is asked."""
    app = give(page(knows=UPLOADED, candidates_from="a file"), data, name)
    return say(app, rows) if any("What is a row" in question.value for question in app.info) else app


def say(app: AppTest, rows: str) -> AppTest:
    return pick(app, "Each row is", rows)


def tick(app: AppTest, label: str) -> AppTest:
    (box,) = (box for box in app.checkbox if box.label.startswith(label))
    return uploading.confirm(checked(box.check().run()))


def pick(app: AppTest, label: str, value: str) -> AppTest:
    return uploading.choose(app, label, value)


def test_an_uploaded_list() -> None:
    app = page(knows=UPLOADED, candidates_from="a file")
    assert is_nothing(app)
    give(app, "name,count\nann,5\nbob,3\ncay,2\n")
    assert is_nothing(app)  # five visits of ann, or five who are called so?
    say(app, RowUnit.CANDIDATES)
    assert answer(app) == (0.5, "the likeliest of 3 uploaded candidates")


def test_the_column_is_chosen() -> None:
    app = a_file("name,count,weight\nann,5,1\nbob,5,9\n")
    pick(app, "How often", "count")
    assert answer(app)[0] == 0.5
    pick(app, "How often", "weight")
    assert answer(app)[0] == pytest.approx(0.9, rel=PRINTED)


def test_values_and_a_tolerance() -> None:
    app = a_file("age,count\n20,1\n21,1\n22,1\n30,2\n")
    assert answer(app)[0] == 0.4
    pick(app, "Values, if near counts", "age")
    assert answer(app)[0] == 0.4
    checked(app.number_input("reconstruct.guess_tolerance").set_value(1.0).run())
    assert answer(app) == (0.6, "the likeliest of 4 uploaded candidates, give or take 1")


def test_unusable_rows_stop_or_are_left_out() -> None:
    app = a_file("name,count\nann,3\nbob,-1\ncay,x\ndan,1\n")
    assert is_nothing(app)
    assert "“count” has 1 cell without a finite number. Row 3: “x”" in said(app).replace("**", "")
    tick(app, "Leave out")
    assert answer(app)[0] == pytest.approx(0.75, rel=PRINTED)
    assert "2 unusable rows were left out" in said(app)


def test_probabilities_are_divided_only_when_asked() -> None:
    app = a_file("name,p\nann,0.3\nbob,0.1\n")
    assert is_nothing(app)
    assert "The probabilities add up to 0.4, not to 1." in said(app)
    tick(app, "Divide by the sum")
    assert answer(app)[0] == pytest.approx(0.75, rel=PRINTED)
    give(app, "name,p\nann,0.3\nbob,0.2\n")  # another file is asked about again
    assert "What is a row of this table?" in said(app)
    say(app, RowUnit.CANDIDATES)
    assert is_nothing(app)


def test_records_are_counted_only_when_asked() -> None:
    """A column of postcodes is no column of counts: its largest number says nothing about the best guess."""
    app = give(page(knows=UPLOADED, candidates_from="a file"), "postcode\n10115\n10115\n10116\n20095\n")
    assert is_nothing(app)
    assert "“postcode” has 3 different numbers in 4 rows." in said(app)
    say(app, RowUnit.RECORDS)
    assert answer(app) == (0.5, "the likeliest of 3 values counted in 4 rows")
    assert "“10115” 50.0 %" in said(app)
    checked(app.number_input("reconstruct.guess_tolerance").set_value(1.0).run())
    assert answer(app) == (0.75, "the likeliest of 3 values counted in 4 rows, give or take 1")


def test_texts_are_counted_and_shown_as_text() -> None:
    app = a_file("city\n**Rome**\n**Rome**\nOslo\n")
    kappa, words = answer(app)
    assert kappa == pytest.approx(2 / 3, rel=PRINTED)
    assert words == "the likeliest of 2 values counted in 3 rows"
    assert "Each row is: a record: equal ones are counted" in said(app)
    assert any(literal("**Rome**") in caption.value for caption in app.caption)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ("", "The file is empty."),
        ("name,count\n", "a header and no rows below it"),
        ("name,count\nann,many\nbob,few\n", "No column holds numbers."),
        ("name,count\nann,0\nbob,0\n", "is 0 in all of its 2 rows"),
        ("name,count\nann,1\nbob,-1\n", "1 negative cell"),
        ("name,count\nann,1\nbob,inf\n", "Row 2: inf"),
        ("name,count\nann,1\nbob,nan\n", "Row 2: blank or not a number"),
        ("name,count\nann,1e308\nbob,1e308\n", "too large to be added up"),
        (b"PK\x03\x04", "Excel"),
    ],
)
def test_lists_that_are_no_use(data: str | bytes, words: str) -> None:
    app = a_file(data)
    assert is_nothing(app)
    assert len(app.error) == 1
    assert words in said(app)


@pytest.mark.parametrize("name", ["**count**", "<b>n</b>", ":smile:", "[p](http://a.example)", "$x$"])
def test_names_are_text(name: str) -> None:
    """In what is said, every sign of a stranger's name is escaped; the words for other parts hold no name at all."""
    app = a_file(f'name,"{name}"\nann,3\nbob,1\ncay,-1\n', f"{name}.csv")
    texts = " ".join(str(block.value) for block in [*app.error, *app.caption])
    assert texts.count(literal(name)) == 2
    assert name not in texts
    tick(app, "Leave out")
    kappa, words = answer(app)
    assert kappa == pytest.approx(0.75, rel=PRINTED)
    assert words == "the likeliest of 2 uploaded candidates"


def test_bytes_are_dropped_once_read_and_the_list_goes_when_removed() -> None:
    data = b"name,count\n" + b"ann,3\n" * 1000
    before = sys.getrefcount(data)
    app = say(give(page(knows=UPLOADED, candidates_from="a file"), data), RowUnit.CANDIDATES)
    gc.collect()
    assert answer(app)[0] == 1e-3
    assert sys.getrefcount(data) == before
    uploading.change(app)
    (remove,) = (button for button in app.button if button.label == "Remove")
    checked(remove.click().run())
    assert is_nothing(app)


def test_the_answer_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorting a million rows in every run would make the rest of the page slow."""
    calls = []

    def counted(*given: Any) -> float:
        calls.append(given)
        return largest_ball(*given)

    monkeypatch.setattr("pages.reconstruct.candidate_list.largest_ball", counted)
    app = a_file("name,count\nann,3\nbob,1\n")
    checked(app.run())
    assert len(calls) == 1
    say(give(app, "name,count\nann,3\nbob,2\n"), RowUnit.CANDIDATES)
    assert len(calls) == 2
    assert answer(app)[0] == pytest.approx(0.6, rel=PRINTED)
