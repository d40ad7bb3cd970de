"""The address: its format does not drift, old ones open the same view, and nonsense in it is harmless on every page."""

from math import isfinite

import pytest
import streamlit as st
from streamlit.testing.v1.element_tree import Widget

from numerics import relaxed
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.ui import tour
from pages.ui.catalog import PAGES, Page
from pages.ui.rail import LARGEST_DIMENSION
from pages.ui.release_choice import ReleaseChoice
from tests.pages.driver import visit
from tests.pages.rail import app_with_url, choice_for
from tests.pages.visit import app_at, visited
from tests.pages.wording import _elements as elements

# Public formats: a key is a name in the URL, and a value equal to the default is left out of it.
DEFAULTS: dict[str, object] = {
    "knows_rate": False,
    "people": 60_000.0,
    "batch": 600.0,
    "epochs": 10.0,
    "noise": 1.0,
    "mechanism": "Gaussian",
    "dimension": None,
    "clip": None,
    "adjacency": Adjacency.ADD_REMOVE,
    "sampling": Sampling.POISSON,
    "records_per_person": 1.0,
    "order": Order.ADD,
    "delta": None,
    "phases": 1,
    "accused": 10.0,
    "limit": 20.0,
}
# Beside them where the visitor knows rate and steps, instead of people, batch and epochs.
RATE_AND_STEPS: dict[str, object] = {"rate": 0.01, "steps": 1000.0, "records": None}
USUAL = ReleaseChoice(Gaussian(1.0, 0.01, 1000), 1e-3, Order.ADD, 1e-5, 0.002, 60_000)
KNOWN = "knows_rate=true&rate=0.08192&steps=30"
LATER = Gaussian(2.0, 0.01, 10), Gaussian(1.0, 1.0, 5)
# An address, the choice that it opens, and the words that it is said in ("" where no matter).
CHOICES: list[tuple[str, ReleaseChoice, str]] = [
    ("", USUAL, "Gaussian noise 1, 60,000 people in batches of 600, 10 epochs"),
    ("limit=0.5", ReleaseChoice(USUAL.mechanism, 1e-3, Order.ADD, 1e-5, 5e-5, 60_000), ""),
    ("limit=10000", ReleaseChoice(USUAL.mechanism, 1e-3, Order.ADD, 1e-5, 1.0, 60_000), ""),
    (
        "mechanism=Laplace&people=1000&batch=50&epochs=1.5&noise=2.512&accused=200&adjacency=replace-one&order=both"
        "&limit=300&dimension=7&clip=0.5",
        ReleaseChoice(Laplace(2.512, 0.05, 30, Adjacency.REPLACE_ONE), 0.02, Order.SYMMETRIC, 1e-4, 0.03, 1000, 7, 0.5),
        "Laplace noise 2.512, 1,000 people in batches of 50, 1.5 epochs",
    ),
    (
        "sampling=fixed+size",
        ReleaseChoice(
            Gaussian(1.0, 0.01, 1000, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE), 1e-3, Order.ADD, 1e-5, 0.002, 60_000
        ),
        "Gaussian noise 1, 60,000 people in batches of 600, 10 epochs, batches of fixed size",
    ),
    (
        "records_per_person=4",
        ReleaseChoice(Gaussian(1.0, 0.01, 1000, records_per_person=4), 1e-3, Order.ADD, 1e-5, 0.002, 60_000),
        "",
    ),
    (KNOWN, ReleaseChoice(Gaussian(1.0, 0.08192, 30), 1e-3, Order.ADD, 1e-5), ""),
    (
        f"{KNOWN}&records=1000",
        ReleaseChoice(Gaussian(1.0, 0.08192, 30), 1e-3, Order.ADD, 1e-4, 0.002, 1000),
        "Gaussian, noise 1, rate 0.08192, 30 steps",
    ),
    (
        f"{KNOWN}&records=1000&delta=1e-7",
        ReleaseChoice(Gaussian(1.0, 0.08192, 30), 1e-3, Order.ADD, 1e-7, 0.002, 1000),
        "",
    ),
    (
        "phases=3&noise_2=2&steps_2=10&rate_3=1&steps_3=5",
        ReleaseChoice(Composition((Gaussian(1.0, 0.01, 1000), *LATER)), 1e-3, Order.ADD, 1e-5, 0.002, 60_000),
        "Phase 1: Gaussian, noise 1, rate 0.01, 1,000 steps; Phase 2: Gaussian, noise 2, rate 0.01, 10 steps; "
        "Phase 3: Gaussian, noise 1, 5 steps",
    ),
    (
        "records_per_person=4&phases=2",
        ReleaseChoice(
            Composition((Gaussian(1.0, 0.01, 1000, records_per_person=4),) * 2), 1e-3, Order.ADD, 1e-5, 0.002, 60_000
        ),
        "",
    ),
]
# What a hand-edited, a truncated or a hostile address says of any name.
NONSENSE = (
    *("-1", "0", "nan", "inf", "1e999", "1" * 400, "\N{ARABIC-INDIC DIGIT ONE}", "0.5;1"),
    *("abc", "", "None", "\0", "<img src=x onerror=alert(1)>"),
)
EVERYWHERE = ("-inf", "nan", "1" * 400, "<b>")
"""Of these every page is asked."""


def test_keys_and_defaults_of_the_url_are_pinned() -> None:
    state = app_with_url().session_state
    assert {key: state[key] for key in DEFAULTS} == DEFAULTS
    state = app_with_url(knows_rate="true").session_state
    assert {key: state[key] for key in RATE_AND_STEPS} == RATE_AND_STEPS
    assert not any(key in state for key in ("people", "batch", "epochs"))


def test_labels_in_the_url_are_pinned() -> None:
    assert {"Gaussian", "Laplace", "Logistic"} <= {kind.name for kind in MECHANISMS}
    assert list(Adjacency) == ["add/remove", "replace-one", "zero-out"]
    assert list(Sampling) == ["Poisson", "fixed size", "shuffled", "random allocation"]
    assert list(Order) == ["add-one", "remove-one", "both"]


@pytest.mark.parametrize(("query", "choice", "words"), CHOICES, ids=[row[0] for row in CHOICES])
def test_an_address_opens_this_choice(query: str, choice: ReleaseChoice, words: str) -> None:
    found = visit(f"rail?{query}", folds_open=True).session_state["result"]
    assert found == choice
    assert found.words == words or not words


@pytest.mark.parametrize("kind", MECHANISMS)
def test_every_mechanism_has_a_control(kind: type[SampledMechanism]) -> None:
    assert type(choice_for(mechanism=kind.name).mechanism) is kind


def test_the_rail_takes_every_dimension_that_can_be_computed() -> None:
    assert LARGEST_DIMENSION == relaxed.LARGEST_DIMENSION


@pytest.mark.parametrize("nonsense", NONSENSE)
@pytest.mark.parametrize("known", [{}, {"knows_rate": "true"}], ids=["run", "rate"])
def test_nonsense_is_the_default_or_a_number_in_range(nonsense: str, known: dict[str, str]) -> None:
    keys = {*DEFAULTS, *RATE_AND_STEPS, "noise_2", "rate_2", "steps_2", "unknown"} - {"knows_rate", "phases"}
    choice = choice_for(**dict.fromkeys(keys, nonsense), **known, phases="2")
    assert choice.mechanism.assumptions
    assert 0.0 < choice.alpha < 1.0
    assert 0.0 < choice.delta < 1.0
    if nonsense in ("nan", "abc", "", "-1", "1" * 400):
        assert choice == choice_for(**known, phases="2")


@pytest.mark.parametrize("nonsense", ["", "0", "6", "-1", "1.0", " 1", "\u0663", "nan", "1" * 400, "<b>"])
def test_nonsense_is_no_step_of_the_tour(nonsense: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "query_params", {"tour": nonsense})
    assert tour.step() is None


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.folder)
def test_nonsense_takes_no_page_down(page: Page) -> None:
    """Of every control that the page has: it is drawn, and its numbers are numbers."""
    address = "" if page is PAGES[0] else page.address
    drawn = visited(app_at(address), {"phases": "2"})
    keys = {str(one.key) for one in elements(drawn._tree) if isinstance(one, Widget) and one.key}
    for nonsense in EVERYWHERE:
        app = visited(app_at(address), dict.fromkeys(keys, nonsense))
        assert len(app.main) == len(drawn.main)
        assert all(one.value is None or isfinite(one.value) for one in app.number_input)
