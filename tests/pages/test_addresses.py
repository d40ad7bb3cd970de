"""The address: its format does not drift, old ones open the same view, presets set it, and nonsense is harmless."""

import tomllib
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1.element_tree import Widget

from numerics import relaxed
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Gaussian, Laplace, Sampling
from numerics.trade_off import Order
from pages.ui.catalog import PAGES, Page
from pages.ui.release_in_force import LARGEST_DIMENSION, ReleaseChoice
from pages.ui.release_presets import PRESETS, ReleasePreset
from reports.rounding import as_entered
from tests.pages.driver import SHOWN, control, elements, numbered, visit
from tests.pages.visit import app_at, checked, visited

TABLE = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text())
SGD = Gaussian(1.0, 0.01, 1000)
USUAL = ReleaseChoice(SGD, 1e-3, Order.ADD, 1e-5, 0.002, 60_000)
NAMES: dict[str, Any] = {
    **{kind.__name__: kind for kind in (Gaussian, Laplace, Composition, Adjacency, Sampling, Order, ReleaseChoice)},
    "SGD": SGD,
    "of": lambda release, **more: replace(USUAL, mechanism=release, **more),
}
# What a hand-edited, a truncated or a hostile address says of any name.
NONSENSE = (
    *("-1", "0", "nan", "inf", "1e999", "1" * 400, "\N{ARABIC-INDIC DIGIT ONE}", "0.5;1"),
    *("abc", "", "None", "\0", "<img src=x onerror=alert(1)>"),
)


def test_names_starts_and_labels_of_an_address_are_pinned() -> None:
    for part, address in (("starts", "rail"), ("rate_and_steps", "rail?knows_rate=true")):
        app = visit(address, folds_open=True)
        SHOWN.check(f"the sidebar with {part}", numbered(app))
        state = app.session_state
        assert {key: state[key] for key in TABLE[part]} == {key: eval(one, NAMES) for key, one in TABLE[part].items()}
    assert not any(key in state for key in ("people", "batch", "epochs"))
    assert {"Gaussian", "Laplace", "Logistic"} <= {kind.name for kind in MECHANISMS}
    labels = ["add/remove", "replace-one", "zero-out", "Poisson", "fixed size", "shuffled", "random allocation"]
    assert [*Adjacency, *Sampling, *Order] == [*labels, "add-one", "remove-one", "both"]
    for kind in MECHANISMS:
        assert type(visit(f"rail?mechanism={kind.name}").session_state["result"].mechanism) is kind
    assert LARGEST_DIMENSION == relaxed.LARGEST_DIMENSION, "every dimension that can be computed can be entered"


@pytest.mark.parametrize(("query", "choice", "words"), TABLE["choices"]["rows"], ids=lambda one: one[:60])
def test_an_address_opens_this_choice(query: str, choice: str, words: str) -> None:
    found = visit(f"rail?{query}", folds_open=True).session_state["result"]
    assert found == eval(choice, NAMES)
    assert found.words == words or not words


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_is_the_default_or_a_number_in_range(nonsense: str) -> None:
    names = {*TABLE["starts"], *TABLE["rate_and_steps"], "noise_2", "rate_2", "steps_2", "tour", "unknown"}
    for known in ({"phases": "2"}, {"phases": "2", "knows_rate": "true"}):
        query = dict.fromkeys(names - {"knows_rate", "phases"}, nonsense) | known
        choice = visited(visit("rail"), query).session_state["result"]
        assert choice.mechanism.assumptions
        assert 0.0 < choice.alpha < 1.0
        assert 0.0 < choice.delta < 1.0
        if nonsense in ("nan", "abc", "", "-1", "1" * 400):
            assert choice == visited(visit("rail"), known).session_state["result"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.folder)
def test_nonsense_takes_no_page_down(page: Page) -> None:
    """Of every control that the page has: it is drawn, and its numbers are numbers."""
    address = "" if page is PAGES[0] else page.address
    drawn = visited(app_at(address), {"phases": "2"})
    keys = {str(one.key) for one in elements(drawn._tree) if isinstance(one, Widget) and one.key} | {"tour"}
    for nonsense in ("-inf", "<b>"):
        app = visited(app_at(address), dict.fromkeys(keys, nonsense))
        assert len(app.main) == len(drawn.main)
        assert all(one.value is None or isfinite(one.value) for one in app.number_input)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_a_preset_sets_every_control_and_the_switch_says_it_in_other_words(preset: ReleasePreset) -> None:
    """The rest is empty, whatever stood there; the release stays what it is."""
    before = "noise=3.21&phases=2&adjacency=replace-one&mechanism=Laplace&clip=3&dimension=9&people=77"
    app = visit(f"rail?{before}", folds_open=True)
    checked(control(app, preset.name).click().run())
    chosen = app.session_state["result"]
    assert chosen == ReleaseChoice(
        preset.mechanism, 1e-3, Order.ADD, preset.delta, 0.002, preset.records, None, preset.clip
    )
    assert app.session_state["knows_rate"] == (preset.records is None)
    for knows_rate in (True, False) if preset.records else ():
        checked(app.toggle(key="knows_rate").set_value(knows_rate).run())
        assert app.session_state["result"] == chosen
        assert {"people", "rate"} & {box.key for box in app.number_input} == {"rate" if knows_rate else "people"}
    if preset.records:
        for said in (preset.source, f"of {preset.records:,} records", f"δ = {as_entered(preset.delta)}", "Not set: d"):
            assert said in preset.words
