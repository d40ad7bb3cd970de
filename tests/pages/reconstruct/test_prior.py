"""What the attacker can guess beforehand: every way to say it, its address, and lists that are no use."""

import re

import pytest
from scipy.stats import norm
from streamlit.testing.v1 import AppTest

from pages.reconstruct import prior
from reports.rounding import nearest
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
NAMED = "a named distribution"
UPLOADED = "an uploaded distribution"


def script() -> None:
    """The part alone, and what it returns."""
    import streamlit as st  # noqa: PLC0415 (AppTest runs the body of this function)

    from pages.reconstruct import prior as part  # noqa: PLC0415

    known = part.draw()
    st.text("nothing" if known is None else f"{known.kappa!r} {known.words}")


def page(**query: str) -> AppTest:
    return visited(AppTest.from_function(script, default_timeout=SECONDS), addressed("reconstruct", query))


def answer(app: AppTest) -> tuple[float, str]:
    kappa, _, words = app.text[0].value.partition(" ")
    return float(kappa), words


def is_nothing(app: AppTest) -> bool:
    return bool(app.text[0].value == "nothing")


def said(app: AppTest) -> str:
    """Messages as they are read: without the escapes."""
    blocks = [*app.error, *app.warning, *app.info, *app.caption]
    return " ".join(re.sub(r"\\(.)|\u2060", r"\1", str(block.value)) for block in blocks)


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
        ({"reconstruct.kappa": "1e-09"}, 1e-9, ""),
        ({"reconstruct.kappa_exact": "0.37"}, 0.37, ""),
        ({"reconstruct.kappa_exact": "1e-12"}, 1e-12, ""),
        ({"reconstruct.knows": "one of n records"}, 1 / 50_000, "one of 50,000 records"),
        (
            {"reconstruct.knows": "one of n records", "reconstruct.guess_records": "60000"},
            1 / 60_000,
            "one of 60,000 records",
        ),
        ({"reconstruct.knows": "k candidates"}, 0.1, "one of 10 candidates"),
        ({"reconstruct.knows": "k candidates", "reconstruct.candidates": "4"}, 0.25, "one of 4 candidates"),
        (
            {"reconstruct.knows": NAMED, "reconstruct.zipf_exponent": "1", "reconstruct.zipf_candidates": "3"},
            6 / 11,
            "the likeliest of 3 candidates, Zipf with exponent 1",
        ),
        (
            {"reconstruct.knows": NAMED, "reconstruct.law": "geometric", "reconstruct.geometric_stop": "0.25"},
            0.25,
            "the likeliest of candidates that each take 0.25 of what is left",
        ),
        (
            {
                "reconstruct.knows": NAMED,
                "reconstruct.law": "normal within a tolerance",
                "reconstruct.normal_tolerance": "3",
            },
            1 - 2 * norm.sf(3 / 15),
            "a guess within ±3 of a normal number with standard deviation 15",
        ),
        ({"reconstruct.knows": UPLOADED}, 19 / 442, "the likeliest age of 442 patients"),
        (
            {"reconstruct.knows": UPLOADED, "reconstruct.guess_tolerance": "1"},
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
    assert f"κ = {nearest(kappa)}{f', {words}' if words else ''}: how often" in said(app)


def test_a_change_in_the_page_changes_kappa() -> None:
    app = page(knows="k candidates")
    checked(app.number_input("reconstruct.candidates").set_value(40.0).run())
    assert answer(app) == (1 / 40, "one of 40 candidates")


@pytest.mark.parametrize(
    ("query", "kappa"),
    [
        ({"reconstruct.knows": "everything"}, 1e-3),
        ({"reconstruct.knows": ""}, 1e-3),
        ({"reconstruct.kappa": "2"}, 1e-3),
        ({"reconstruct.kappa": "<b>"}, 1e-3),
        ({"reconstruct.kappa_exact": "-1"}, 1e-3),
        ({"reconstruct.kappa_exact": "nan"}, 1e-3),
        ({"reconstruct.kappa_exact": "inf"}, 1e-3),
        ({"reconstruct.knows": "one of n records", "reconstruct.guess_records": "0"}, 1 / 50_000),
        ({"reconstruct.knows": "one of n records", "reconstruct.guess_records": "inf"}, 1 / 50_000),
        ({"reconstruct.knows": "one of n records", "reconstruct.guess_records": "nan"}, 1 / 50_000),
        ({"reconstruct.knows": "k candidates", "reconstruct.candidates": "-3"}, 0.1),
        ({"reconstruct.knows": NAMED, "reconstruct.law": "", "reconstruct.zipf_exponent": "0"}, 1e-4),
        ({"reconstruct.knows": NAMED, "reconstruct.law": "Cauchy", "reconstruct.zipf_exponent": "0"}, 1e-4),
        ({"reconstruct.knows": NAMED, "reconstruct.law": "geometric", "reconstruct.geometric_stop": "7"}, 0.1),
        ({"reconstruct.knows": UPLOADED, "reconstruct.candidates_from": "nowhere"}, 19 / 442),
        (
            {"reconstruct.knows": UPLOADED, "reconstruct.candidates_from": "", "reconstruct.guess_tolerance": "-1"},
            19 / 442,
        ),
    ],
)
def test_nonsense_in_the_address_falls_back(query: dict[str, str], kappa: float) -> None:
    assert answer(page(**query))[0] == pytest.approx(kappa, rel=PRINTED)


@pytest.mark.parametrize(
    "query",
    [
        {"reconstruct.knows": "k candidates", "reconstruct.candidates": "1"},
        {"reconstruct.knows": UPLOADED, "reconstruct.guess_tolerance": "100"},
    ],
)
def test_a_certain_guess_leaves_nothing_to_find_out(query: dict[str, str]) -> None:
    app = page(**query)
    assert is_nothing(app)
    assert "always right" in said(app)


def test_a_guess_rarer_than_the_page_can_look_at() -> None:
    app = page(knows=NAMED, law="normal within a tolerance", normal_deviation="1e9", normal_tolerance="1e-6")
    assert is_nothing(app)
    assert "below 10⁻¹² this page makes no statement" in said(app)
