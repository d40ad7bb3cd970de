"""Every run that comes to its end says so last, and the mark rises; one that fails says so in plain words, too.

It keeps what was entered, and the log has nothing of it.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import wraps
from pathlib import Path
from typing import Any

import pytest
from streamlit.runtime.scriptrunner import ScriptRunner
from streamlit.testing.v1 import AppTest

import app
import people_view
from pages.server import end_of_run
from pages.server.run_order import RUNS
from pages.ui import chart
from pages.ui.catalog import HOME, PAGES
from tests.pages.driver import visit
from tests.pages.visit import app_at

SECRET = "4.2 of Alice"
ENTERED: dict[str, dict[str, object]] = tomllib.loads(Path(__file__).with_name("addresses.toml").read_text())["entered"]


@pytest.fixture(autouse=True)
def handled(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Runs have the handler that the server gives them, and the log is as the server keeps it."""
    own = ScriptRunner.__init__

    @wraps(own)
    def begun(self: ScriptRunner, *args: Any, **kwargs: Any) -> None:
        own(self, *args, **kwargs)
        self._on_script_error = app.app._on_script_error

    monkeypatch.setattr(ScriptRunner, "__init__", begun)
    end_of_run.keep_values_out()
    yield
    end_of_run.LOGGER.filters.clear()


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
        found = visit("" if page is HOME else f"{page.address}?papers.question=stronger-signal")
        asked = {} if page is HOME else ENTERED[page.address]
        for key, value in asked.items():
            found.session_state[key] = value
        assert texts(found.run()) == []
        state = found.session_state._state.filtered_state
        entered = {key: value for key, value in state.items() if value is not False}  # nor pressed buttons
        assert asked.items() <= entered.items()
        held = list[bool]()
        with monkeypatch.context() as patch:
            patch.setattr(
                *((people_view, "draw_answer") if page is HOME else (chart, "draw")),
                lambda *_, held=held, **__: fails(held.append(RUNS.is_held)),
            )
            assert end_of_run.WORDS in texts(found.run())
            assert end_of_run.WORDS in texts(found.run())  # the second finds the state that the first left
        assert all(held), "one page at a time is drawn"
        with RUNS.turn():
            assert RUNS.is_held
        assert end_of_run.WORDS not in texts(found.run())
        kept = found.session_state._state.filtered_state
        assert {key: kept.get(key) for key in entered} == entered
        assert "OverflowError" in caplog.text
        assert "in fails" in caplog.text
        assert SECRET not in caplog.text
        caplog.clear()


SCRIPT = """
import streamlit as st
from tests.pages.test_end_of_run import fails

st.text_input("name", key="name")
"""


@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("st.button('press', on_click=fails)", [end_of_run.WORDS]),
        ("st.fragment(fails)()", [end_of_run.WORDS]),
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


BREAKS_OFF = "from pages.server import end_of_run; end_of_run.broken_off(ValueError())"
BEGINS_ANEW = """
import streamlit as st
from pages.server import end_of_run
if not st.session_state.setdefault("again", []):
    st.session_state.again.append(1)
    st.rerun()
end_of_run.mark()
"""


def mark(app: AppTest) -> int:
    """The number in the last element of the page, which takes no room."""
    body: str = list(app.main.children.values())[-1].proto.body
    assert "display: none" in body
    return int(re.findall(r'^<span data-settled="(\d+)"></span>', body)[0])


def test_the_mark_is_the_last_element_and_rises_with_every_run_that_comes_to_its_end() -> None:
    app = app_at("about")
    marks = [mark(app.run()), mark(app.run()), mark(app.switch_page("pages/papers/page.py").run())]
    marks += [mark(AppTest.from_string(script).run()) for script in (BREAKS_OFF, BEGINS_ANEW)]
    assert marks == list(range(marks[0], marks[0] + 5))
