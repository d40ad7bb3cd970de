"""Every run that comes to its end says so last, and the mark rises; one that breaks off does, too."""

import re

from streamlit.testing.v1 import AppTest

from tests.pages.visit import app_at

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
    marks.append(
        mark(AppTest.from_string("from pages.server import end_of_run\nend_of_run.broken_off(ValueError())").run())
    )
    marks.append(mark(AppTest.from_string(BEGINS_ANEW).run()))
    assert marks == list(range(marks[0], marks[0] + 5))
