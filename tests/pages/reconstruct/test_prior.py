"""What the attacker can guess beforehand: every way to say it, its address, and lists that are no use."""

import gc
import re
import sys
from typing import Any

import pytest
from scipy.stats import norm
from streamlit.testing.v1 import AppTest

from losses import Rows
from numerics.reconstruction.priors import largest_ball
from pages.reconstruct import prior
from pages.ui.uploads import literal
from tests.pages import uploading
from tests.pages.visit import checked, visited

SECONDS = 60  # the first run imports Streamlit's parts on a busy machine
PRINTED = 1e-12  # numbers are printed with all digits
DEFAULTS: dict[str, object] = {
    "guessed": "a record",
    "commoner": 0.5,
    "commoner_exact": None,
    "knows": "a probability",
    "kappa": 1e-3,
    "kappa_exact": None,
    "guess_records": 50_000.0,
    "candidates": 10.0,
    "law": "Zipf",
    "zipf_exponent": 1.0,
    "zipf_candidates": 10_000.0,
    "geometric_stop": 0.1,
    "normal_deviation": 15.0,
    "normal_tolerance": 1.0,
    "candidates_from": "a sample",
    "guess_tolerance": 0.0,
}
NAMED = "a named distribution"
UPLOADED = "an uploaded distribution"


def script() -> None:
    """The part alone, and what it returns."""
    import streamlit as st  # noqa: PLC0415 (AppTest runs the body of this function)

    from pages.reconstruct import prior as part  # noqa: PLC0415

    known = part.draw()
    st.text("nothing" if known is None else f"{known.kappa!r} {known.words}")


def page(**query: str) -> AppTest:
    return visited(AppTest.from_function(script, default_timeout=SECONDS), query)


def answer(app: AppTest) -> tuple[float, str]:
    kappa, _, words = app.text[0].value.partition(" ")
    return float(kappa), words


def is_nothing(app: AppTest) -> bool:
    return bool(app.text[0].value == "nothing")


def give(app: AppTest, data: str | bytes, name: str = "candidates.csv") -> AppTest:
    content = data.encode() if isinstance(data, str) else data
    return uploading.give(app, (name, content))


def a_file(data: str | bytes, name: str = "candidates.csv", rows: str = Rows.CANDIDATES) -> AppTest:
    """The page with a file, and with what its rows are where that is asked."""
    app = give(page(knows=UPLOADED, candidates_from="a file"), data, name)
    return say(app, rows) if any("What is a row" in question.value for question in app.info) else app


def say(app: AppTest, rows: str) -> AppTest:
    return pick(app, "Each row is", rows)


def said(app: AppTest) -> str:
    """Messages as they are read: without the escapes."""
    blocks = [*app.error, *app.warning, *app.info, *app.caption]
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(block.value)) for block in blocks)


def tick(app: AppTest, label: str) -> AppTest:
    (box,) = (box for box in app.checkbox if box.label.startswith(label))
    return uploading.confirm(checked(box.check().run()))


def pick(app: AppTest, label: str, value: str) -> AppTest:
    return uploading.choose(app, label, value)


def test_defaults_are_public() -> None:
    """A value equal to its default is left out of the URL: another default would change old links."""
    drawn: dict[str, object] = {}
    queries: list[dict[str, str]] = [{}, {"guessed": "a yes or no"}]
    queries += [{"knows": knows} for knows in prior.Knows]
    queries += [{"knows": NAMED, "law": law} for law in prior.Law]
    for query in queries:
        app = page(**query)
        drawn |= {key: app.session_state[key] for key in prior.KEYS if key in app.session_state and key not in query}
    assert drawn == DEFAULTS
    assert set(prior.KEYS) == set(DEFAULTS)


@pytest.mark.parametrize(
    ("query", "kappa", "words"),
    [
        ({}, 1e-3, ""),
        ({"kappa": "1e-09"}, 1e-9, ""),
        ({"kappa_exact": "0.37"}, 0.37, ""),
        ({"kappa_exact": "1e-12"}, 1e-12, ""),
        ({"knows": "one of n records"}, 1 / 50_000, "one of 50,000 records"),
        ({"knows": "one of n records", "guess_records": "60000"}, 1 / 60_000, "one of 60,000 records"),
        ({"knows": "k candidates"}, 0.1, "one of 10 candidates"),
        ({"knows": "k candidates", "candidates": "4"}, 0.25, "one of 4 candidates"),
        (
            {"knows": NAMED, "zipf_exponent": "1", "zipf_candidates": "3"},
            6 / 11,
            "the likeliest of 3 candidates, Zipf with exponent 1",
        ),
        (
            {"knows": NAMED, "law": "geometric", "geometric_stop": "0.25"},
            0.25,
            "the likeliest of candidates that each take 0.25 of what is left",
        ),
        (
            {"knows": NAMED, "law": "normal within a tolerance", "normal_tolerance": "3"},
            1 - 2 * norm.sf(3 / 15),
            "a guess within ±3 of a normal number with standard deviation 15",
        ),
        ({"knows": UPLOADED}, 19 / 442, "the likeliest age of 442 patients"),
        (
            {"knows": UPLOADED, "guess_tolerance": "1"},
            (14 + 19 + 16) / 442,  # ages 52 to 54
            "the likeliest age of 442 patients, give or take 1",
        ),
    ],
)
def test_every_way_to_say_it_from_its_address(query: dict[str, str], kappa: float, words: str) -> None:
    app = page(**query)
    found = answer(app)
    assert found[0] == pytest.approx(kappa, rel=PRINTED)
    assert found[1] == words
    assert "how often the guess is right without the release" in said(app)
    assert f"κ = {kappa:.4g}{f', {words}' if words else ''}: how often" in said(app)


def test_a_change_in_the_page_changes_kappa() -> None:
    app = page(knows="k candidates")
    checked(app.number_input("candidates").set_value(40.0).run())
    assert answer(app) == (1 / 40, "one of 40 candidates")


@pytest.mark.parametrize(
    ("query", "kappa"),
    [
        ({"knows": "everything"}, 1e-3),
        ({"knows": ""}, 1e-3),
        ({"kappa": "2"}, 1e-3),
        ({"kappa": "<b>"}, 1e-3),
        ({"kappa_exact": "-1"}, 1e-3),
        ({"kappa_exact": "nan"}, 1e-3),
        ({"kappa_exact": "inf"}, 1e-3),
        ({"knows": "one of n records", "guess_records": "0"}, 1 / 50_000),
        ({"knows": "one of n records", "guess_records": "inf"}, 1 / 50_000),
        ({"knows": "one of n records", "guess_records": "nan"}, 1 / 50_000),
        ({"knows": "k candidates", "candidates": "-3"}, 0.1),
        ({"knows": NAMED, "law": "", "zipf_exponent": "0"}, 1e-4),
        ({"knows": NAMED, "law": "Cauchy", "zipf_exponent": "0"}, 1e-4),
        ({"knows": NAMED, "law": "geometric", "geometric_stop": "7"}, 0.1),
        ({"knows": UPLOADED, "candidates_from": "nowhere"}, 19 / 442),
        ({"knows": UPLOADED, "candidates_from": "", "guess_tolerance": "-1"}, 19 / 442),
    ],
)
def test_nonsense_in_the_address_falls_back(query: dict[str, str], kappa: float) -> None:
    assert answer(page(**query))[0] == pytest.approx(kappa, rel=PRINTED)


@pytest.mark.parametrize(
    "query", [{"knows": "k candidates", "candidates": "1"}, {"knows": UPLOADED, "guess_tolerance": "100"}]
)
def test_a_certain_guess_leaves_nothing_to_find_out(query: dict[str, str]) -> None:
    app = page(**query)
    assert is_nothing(app)
    assert "always right" in said(app)


def test_a_guess_rarer_than_the_page_can_look_at() -> None:
    app = page(knows=NAMED, law="normal within a tolerance", normal_deviation="1e9", normal_tolerance="1e-6")
    assert is_nothing(app)
    assert "below 1e-12 this page makes no statement" in said(app)


def test_an_uploaded_list() -> None:
    app = page(knows=UPLOADED, candidates_from="a file")
    assert is_nothing(app)
    give(app, "name,count\nann,5\nbob,3\ncay,2\n")
    assert is_nothing(app)  # five visits of ann, or five who are called so?
    say(app, Rows.CANDIDATES)
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
    checked(app.number_input("guess_tolerance").set_value(1.0).run())
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
    say(app, Rows.CANDIDATES)
    assert is_nothing(app)


def test_records_are_counted_only_when_asked() -> None:
    """A column of postcodes is no column of counts: its largest number says nothing about the best guess."""
    app = give(page(knows=UPLOADED, candidates_from="a file"), "postcode\n10115\n10115\n10116\n20095\n")
    assert is_nothing(app)
    assert "“postcode” has 3 different numbers in 4 rows." in said(app)
    say(app, Rows.RECORDS)
    assert answer(app) == (0.5, "the likeliest of 3 values counted in 4 rows")
    assert "“10115” 50.0%" in said(app)
    checked(app.number_input("guess_tolerance").set_value(1.0).run())
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
    app = say(give(page(knows=UPLOADED, candidates_from="a file"), data), Rows.CANDIDATES)
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
    say(give(app, "name,count\nann,3\nbob,2\n"), Rows.CANDIDATES)
    assert len(calls) == 2
    assert answer(app)[0] == pytest.approx(0.6, rel=PRINTED)
