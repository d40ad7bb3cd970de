"""Addresses that say infinity, and what a page says at its corners."""

import pytest
from streamlit.testing.v1 import AppTest

from pages.attackers import paper_tables
from pages.ui import cached
from tests.pages.mechanism import visit as page_mechanism
from tests.pages.reconstruct import visit as page_reconstruct
from tests.pages.visit import script_of, visited

LAST_DIGIT = 1e-3  # epsilon is rounded up to four digits, by so much at most
SECONDS = 60  # the first run imports Plotly on a busy machine


@pytest.mark.parametrize("value", ["inf", "-inf", "nan"])
def test_an_infinite_number_in_the_address_of_training_is_the_usual_one(value: str) -> None:
    app = AppTest.from_string(script_of("pages/frontier/page.py"), default_timeout=SECONDS)
    keys = ("frontier.train_seeds", "frontier.train_digits_batch", "frontier.train_digits_epochs")
    visited(app, {"topic": "a trained model", **dict.fromkeys(keys, value)})
    boxes = {str(box.key): box.value for box in app.number_input}
    assert boxes["frontier.train_seeds"] == 5
    assert isinstance(boxes["frontier.train_digits_batch"], float)


@pytest.mark.parametrize("value", ["inf", "-inf", "nan"])
def test_an_infinite_order_of_an_expansion_is_the_usual_one(value: str) -> None:
    app = page_mechanism.page(estimates=["Edgeworth"], edgeworth_order=value)
    assert app.number_input(key="edgeworth_order").value == 2


def test_what_is_known_starts_with_what_the_release_keeps() -> None:
    app = page_reconstruct.page(more="only ε and δ known", delta="1e-6")
    epsilon, delta = (
        app.number_input(key="reconstruct.known_epsilon").value,
        app.number_input(key="reconstruct.known_delta").value,
    )
    kept = cached.epsilon(page_reconstruct.RELEASE, 1e-6).upper
    assert isinstance(epsilon, float)
    assert kept <= epsilon <= kept * (1.0 + LAST_DIGIT)
    assert delta == 1e-6


def test_table_5_has_two_decimals() -> None:
    app = AppTest.from_string(
        "from pages.attackers import paper_tables\npaper_tables.draw(None)", default_timeout=SECONDS
    )
    assert not app.run().exception
    assert any(value == 1.7 for column in paper_tables.table_5().values() for value in column)
    assert "%.2f" in str(app.dataframe[0].proto.columns)


def test_the_python_to_take_away_says_where_to_run_it() -> None:
    app = page_mechanism.page()
    (code,) = (block.value for block in app.code if "numerics" in block.value)
    assert code.startswith("# Run this in the folder of the project")
