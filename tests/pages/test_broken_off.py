"""A page that fails says so in plain words, and keeps what was entered; the log has nothing of it."""

from collections.abc import Iterator
from functools import wraps
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.testing.v1 import AppTest

import app
import people_view
from pages.server import broken_off
from pages.server.turns import RUNS
from pages.ui import chart
from pages.ui.catalog import ABOUT, ATTACKERS, AUDIT, FRONTIER, HOME, MECHANISM, PAGES, PAPERS, RECONSTRUCT, Page
from tests.pages.driver import visit

SECRET = "4.2 of Alice"
ENTERED: dict[Page, dict[str, object]] = {
    MECHANISM: {"noise": 2.0, "limit": 30.0},
    ATTACKERS: {"noise": 2.0, "attackers.susceptibility": "spread"},
    RECONSTRUCT: {"reconstruct.guess_limit": 30.0, "reconstruct.kappa": 0.002},
    FRONTIER: {"frontier.train_wanted": 0.8},
    AUDIT: {"audit.note": "mine", "audit.method": "empirical"},
    PAPERS: {"papers.000_fig_1c": 1.0},
    ABOUT: {"about.section": "How numbers are labelled"},
}


@pytest.fixture(autouse=True)
def handled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Runs have the handler that the server gives them, and the log is as the server keeps it."""
    own = ScriptRunner.__init__

    @wraps(own)
    def begun(self: ScriptRunner, *args: Any, **kwargs: Any) -> None:
        own(self, *args, **kwargs)
        self._on_script_error = app.app._on_script_error

    monkeypatch.setattr(ScriptRunner, "__init__", begun)
    broken_off.keep_values_out()
    yield
    broken_off.LOGGER.filters.clear()


def fails(*_args: object, **_kwargs: object) -> None:
    try:
        raise KeyError(SECRET)
    except KeyError:
        raise OverflowError(SECRET) from None


def texts(found: AppTest) -> list[str]:
    assert not found.exception
    return [one.value for one in found.error]


def test_a_page_that_fails_says_so_and_keeps_what_was_entered(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for page in PAGES:
        found = visit("" if page is HOME else f"{page.address}?papers.figure=000-fig-1c")
        for key, value in ENTERED.get(page, {}).items():
            found.session_state[key] = value
        assert texts(found.run()) == []
        state = found.session_state._state.filtered_state
        entered = {key: value for key, value in state.items() if value is not False}  # nor pressed buttons
        assert ENTERED.get(page, {}).items() <= entered.items()
        held = list[bool]()
        with monkeypatch.context() as patch:
            patch.setattr(
                *((people_view, "draw_answer") if page is HOME else (chart, "draw")),
                lambda *_, held=held, **__: fails(held.append(RUNS.held)),
            )
            assert broken_off.WORDS in texts(found.run())
            assert broken_off.WORDS in texts(found.run())  # the second finds the state that the first left
        assert all(held), "one page at a time is drawn"
        with RUNS.turn(patience=0.0) as free:
            assert free
        assert broken_off.WORDS not in texts(found.run())
        kept = found.session_state._state.filtered_state
        assert {key: kept.get(key) for key in entered} == entered
        assert "OverflowError" in caplog.text
        assert "in fails" in caplog.text
        assert SECRET not in caplog.text
        caplog.clear()


SCRIPT = """
import streamlit as st
from tests.pages.test_broken_off import fails

st.text_input("name", key="name")
"""


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("st.button('press', on_click=fails)", [broken_off.WORDS]),
        ("st.fragment(fails)()", [broken_off.WORDS]),
        ("st.stop()", []),
    ],
)
def test_callbacks_and_fragments_that_fail_say_so_and_an_end_on_purpose_is_no_failure(
    last: str, said: list[str]
) -> None:
    found = AppTest.from_string(SCRIPT + last).run()
    found.text_input[0].set_value("Alice").run()
    for button in found.button:
        button.click().run()
    assert texts(found) == said
    assert found.session_state["name"] == "Alice"


def test_a_run_beyond_what_can_be_computed_is_said_where_a_page_looks_at_it() -> None:
    found = visit("?people=1000000000&batch=1")
    assert "the smallest that can be computed is 1e-07" in str(found.warning[0].value)
    assert not found.switch_page("pages/frontier/page.py").run().warning
