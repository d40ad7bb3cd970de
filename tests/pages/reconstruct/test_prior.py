"""What the attacker can guess beforehand: every way to say it, its address, and lists of candidates, some of no use."""

import gc
import re
import sys
from typing import Any

import pytest
from scipy.stats import norm
from streamlit.testing.v1 import AppTest

from losses import RowUnit
from numerics.reconstruction.priors import largest_ball
from pages.reconstruct import prior
from pages.ui.plain_text import literal
from reports.rounding import nearest
from tests.pages import uploading
from tests.pages.visit import addressed, checked, visited

SECONDS = 60  # the first run imports Streamlit's parts on a busy machine
PRINTED = 1e-12  # numbers are printed with all digits
DEFAULTS: dict[str, object] = {
    "reconstruct.guessed": "a record",
    "reconstruct.commoner": 0.5,
    "reconstruct.commoner_exact": None,
    "reconstruct.knows": "a probability",
    "reconstruct.kappa": 1e-3,
    "reconstruct.kappa_exact": None,
    "reconstruct.guess_records": 50_000.0,
    "reconstruct.candidates": 10.0,
    "reconstruct.law": "Zipf",
    "reconstruct.zipf_exponent": 1.0,
    "reconstruct.zipf_candidates": 10_000.0,
    "reconstruct.geometric_stop": 0.1,
    "reconstruct.normal_deviation": 15.0,
    "reconstruct.normal_tolerance": 1.0,
    "reconstruct.candidates_from": "a sample",
    "reconstruct.guess_tolerance": 0.0,
}
NAMED, UPLOADED = "a named distribution", "an uploaded distribution"
NORMAL = {"knows": NAMED, "law": "normal within a tolerance"}


def script() -> None:
    """The part alone, and what it returns."""
    import streamlit as st  # noqa: PLC0415 (AppTest runs the body of this function)

    from pages.reconstruct import prior as part  # noqa: PLC0415

    known = part.draw()
    st.text("nothing" if known is None else f"{known.kappa!r} {known.words}")


def page(**query: str) -> AppTest:
    return visited(AppTest.from_function(script, default_timeout=SECONDS), addressed("reconstruct", query))


def answer(app: AppTest) -> tuple[object, str]:
    kappa, _, words = app.text[0].value.partition(" ")
    return float(kappa), words


def is_nothing(app: AppTest) -> bool:
    return bool(app.text[0].value == "nothing")


def said(app: AppTest) -> str:
    """Messages as they are read: without the escapes."""
    blocks = [*app.error, *app.warning, *app.info, *app.caption]
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(block.value)) for block in blocks)


def uploaded(data: str | bytes, name: str = "candidates.csv", rows: str | None = None) -> AppTest:
    """The page with a file, and with what its rows are where that is said."""
    content = data.encode() if isinstance(data, str) else data
    app = uploading.give(page(knows=UPLOADED, candidates_from="a file"), (name, content))
    asked = any("What is a row" in question.value for question in app.info)
    return uploading.choose(app, "Each row is", rows) if asked and rows else app


def tick(app: AppTest, label: str) -> AppTest:
    (box,) = (box for box in app.checkbox if box.label.startswith(label))
    return uploading.confirm(checked(box.check().run()))


def test_defaults_are_public() -> None:
    """A value equal to its default is left out of the URL: another default would change old links."""
    drawn: dict[str, object] = {}
    queries: list[dict[str, str]] = [{}, {"reconstruct.guessed": "a yes or no"}]
    queries += [{"reconstruct.knows": knows} for knows in prior.Knows]
    queries += [{"reconstruct.knows": NAMED, "reconstruct.law": law} for law in prior.PriorLaw]
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
        ({"kappa_exact": "1e-12"}, 1e-12, ""),
        ({"knows": "one of n records"}, 1 / 50_000, "one of 50,000 records"),
        ({"knows": "one of n records", "guess_records": "60000"}, 1 / 60_000, "one of 60,000 records"),
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
            NORMAL | {"normal_tolerance": "3"},
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
    assert answer(app) == (pytest.approx(kappa, rel=PRINTED), words)
    assert (
        f"κ = {nearest(kappa)}{f', {words}' if words else ''}: how often the guess is right without the release"
        in said(app)
    )


def test_a_change_in_the_page_changes_kappa() -> None:
    app = page(knows="k candidates")
    checked(app.number_input("reconstruct.candidates").set_value(40.0).run())
    assert answer(app) == (1 / 40, "one of 40 candidates")


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ({"knows": "k candidates", "candidates": "1"}, "always right"),
        ({"knows": UPLOADED, "guess_tolerance": "100"}, "always right"),
        (NORMAL | {"normal_deviation": "1e9", "normal_tolerance": "1e-6"}, "below 10⁻¹² this page makes no statement"),
    ],
)
def test_a_guess_of_which_nothing_can_be_said(query: dict[str, str], why: str) -> None:
    app = page(**query)
    assert is_nothing(app)
    assert why in said(app)


def test_what_a_row_is_has_to_be_said_where_both_can_be() -> None:
    """Five visits of ann, or five who are called so; and a column of postcodes is no column of counts."""
    app = uploaded("name,count\nann,5\nbob,3\ncay,2\n")
    assert is_nothing(app)
    assert answer(uploading.choose(app, "Each row is", RowUnit.CANDIDATES)) == (
        0.5,
        "the likeliest of 3 uploaded candidates",
    )
    app = uploaded("postcode\n10115\n10115\n10116\n20095\n")
    assert is_nothing(app)
    assert "“postcode” has 3 different numbers in 4 rows." in said(app)
    uploading.choose(app, "Each row is", RowUnit.RECORDS)
    assert answer(app) == (0.5, "the likeliest of 3 values counted in 4 rows")
    assert "“10115” 50.0 %" in said(app)
    checked(app.number_input("reconstruct.guess_tolerance").set_value(1.0).run())
    assert answer(app) == (0.75, "the likeliest of 3 values counted in 4 rows, give or take 1")


def test_columns_are_chosen_and_values_count_near_their_guess() -> None:
    app = uploaded("name,count,weight\nann,5,1\nbob,5,9\n", rows=RowUnit.CANDIDATES)
    uploading.choose(app, "How often", "count")
    assert answer(app)[0] == 0.5
    uploading.choose(app, "How often", "weight")
    assert answer(app)[0] == pytest.approx(0.9, rel=PRINTED)
    app = uploaded("age,count\n20,1\n21,1\n22,1\n30,2\n", rows=RowUnit.CANDIDATES)
    uploading.choose(app, "Values, if near counts", "age")
    assert answer(app)[0] == 0.4
    checked(app.number_input("reconstruct.guess_tolerance").set_value(1.0).run())
    assert answer(app) == (0.6, "the likeliest of 4 uploaded candidates, give or take 1")


def test_unusable_rows_stop_or_are_left_out() -> None:
    app = uploaded("name,count\nann,3\nbob,-1\ncay,x\ndan,1\n", rows=RowUnit.CANDIDATES)
    assert is_nothing(app)
    assert "“count” has 1 cell without a finite number. Row 3: “x”" in said(app).replace("**", "")
    tick(app, "Leave out")
    assert answer(app)[0] == pytest.approx(0.75, rel=PRINTED)
    assert "2 unusable rows were left out" in said(app)


def test_probabilities_are_divided_only_when_asked_and_every_file_is_asked_about() -> None:
    app = uploaded("name,p\nann,0.3\nbob,0.1\n", rows=RowUnit.CANDIDATES)
    assert is_nothing(app)
    assert "The probabilities add up to 0.4, not to 1." in said(app)
    tick(app, "Divide by the sum")
    assert answer(app)[0] == pytest.approx(0.75, rel=PRINTED)
    uploading.give(app, ("candidates.csv", b"name,p\nann,0.3\nbob,0.2\n"))
    assert "What is a row of this table?" in said(app)
    assert is_nothing(uploading.choose(app, "Each row is", RowUnit.CANDIDATES))


def test_texts_are_counted_and_shown_as_text() -> None:
    app = uploaded("city\n**Rome**\n**Rome**\nOslo\n")
    assert answer(app) == (pytest.approx(2 / 3, rel=PRINTED), "the likeliest of 2 values counted in 3 rows")
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
    app = uploaded(data, rows=RowUnit.CANDIDATES)
    assert is_nothing(app)
    assert len(app.error) == 1
    assert words in said(app)


def test_names_are_text() -> None:
    """In what is said, every sign of a stranger's name is escaped; the words for other parts hold no name at all."""
    name = "**n** <b> [p](a://b) $x$"
    app = uploaded(f'name,"{name}"\nann,3\nbob,1\ncay,-1\n', f"{name.replace('/', '')}.csv", RowUnit.CANDIDATES)
    texts = " ".join(str(block.value) for block in [*app.error, *app.caption])
    assert literal(name) in texts
    assert name not in texts
    assert answer(tick(app, "Leave out")) == (
        pytest.approx(0.75, rel=PRINTED),
        "the likeliest of 2 uploaded candidates",
    )


def test_bytes_are_dropped_once_read_and_the_list_goes_when_removed() -> None:
    data = b"name,count\n" + b"ann,3\n" * 1000
    before = sys.getrefcount(data)
    app = uploaded(data, rows=RowUnit.CANDIDATES)
    gc.collect()
    assert answer(app)[0] == 1e-3
    assert sys.getrefcount(data) == before
    uploading.change(app)
    (remove,) = (button for button in app.button if button.label == "Remove")
    assert is_nothing(checked(remove.click().run()))


def test_the_answer_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sorting a million rows in every run would make the rest of the page slow."""
    calls = []

    def counted(*given: Any) -> float:
        calls.append(given)
        return largest_ball(*given)

    monkeypatch.setattr("pages.reconstruct.candidate_list.largest_ball", counted)
    app = uploaded("name,count\nann,3\nbob,1\n", rows=RowUnit.CANDIDATES)
    checked(app.run())
    assert len(calls) == 1
    uploading.give(app, ("candidates.csv", b"name,count\nann,3\nbob,2\n"))
    assert answer(uploading.choose(app, "Each row is", RowUnit.CANDIDATES))[0] == pytest.approx(0.6, rel=PRINTED)
    assert len(calls) == 2
