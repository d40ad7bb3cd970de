"""What takes long is left out and said, computed when asked for, and dropped when the visitor moves on."""

from time import thread_time

import pytest
from streamlit.testing.v1 import AppTest

from numerics.deadline import UNLIMITED, Deadline
from pages.server.budget import RESERVED
from pages.server.shared_cache import SharedCache
from pages.server.turns import SLOW
from pages.ui import longer_work

SECONDS = 30.0
SCRIPT = """
import streamlit as st
from pages.server.budget import Budget, within
from pages.ui import longer_work
from pages.ui.error_boundary import error_boundary
from tests.pages.ui import test_longer_work

place, budget = st.container(), Budget(longer_work.UNASKED)
with within(budget):
    for question in test_longer_work.QUESTIONS:
        with error_boundary("answer"):
            st.text(f"The answer is {question(st.query_params.get('noise', '1'))}.")
with place:
    longer_work.draw("here", budget)
"""


def _computed(noise: str, deadline: Deadline = UNLIMITED) -> str:
    began = thread_time()
    while thread_time() - began < float(noise):
        deadline.check()
    return f"{noise} s"


QUESTIONS: list[SharedCache[..., str]] = []


@pytest.fixture
def app(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    monkeypatch.setattr(longer_work, "UNASKED", RESERVED + 0.05)
    QUESTIONS[:] = [SharedCache(_computed, SLOW)]
    return AppTest.from_string(SCRIPT, default_timeout=SECONDS)


def noted(app: AppTest) -> str:
    return " ".join([*(str(one.value) for one in app.markdown), *(str(one.value) for one in app.warning)])


def finished(app: AppTest) -> AppTest:
    """The app after the work that it has in the background."""
    app.session_state["longer_work.asked"].work._thread.join(SECONDS)
    return app.run()


def test_a_quick_page_offers_nothing(app: AppTest) -> None:
    app.query_params["noise"] = "0"
    assert not app.run().button
    assert app.text[0].value == "The answer is 0 s."


def test_what_takes_long_is_computed_when_it_is_asked_for(app: AppTest) -> None:
    app.query_params["noise"] = "0.2"
    app.run()
    assert "Not all of this page is computed." in noted(app)
    assert "**No answer:**" in noted(app)
    app.button(key="longer_work.start").click().run()
    finished(app)
    assert not app.button
    assert app.text[0].value == "The answer is 0.2 s."


def test_another_view_drops_the_work(app: AppTest) -> None:
    app.query_params["noise"] = "1000"
    app.run()
    app.button(key="longer_work.start").click().run()
    work = app.session_state["longer_work.asked"].work
    app.query_params["noise"] = "0"
    app.run()
    work._thread.join(SECONDS)
    assert work.finished
    assert "longer_work.asked" not in app.session_state
    assert app.text[0].value == "The answer is 0 s."


def test_cancelled_work_is_offered_again(app: AppTest) -> None:
    app.query_params["noise"] = "1000"
    app.run()
    app.button(key="longer_work.start").click().run()
    assert "of processor time so far" in noted(app)
    work = app.session_state["longer_work.asked"].work
    app.button(key="longer_work.cancel").click().run()
    work._thread.join(SECONDS)
    assert work.finished
    assert app.button(key="longer_work.start")
