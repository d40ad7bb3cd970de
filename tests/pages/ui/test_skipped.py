"""What takes long is left out and said, computed when asked for, and dropped when the visitor moves on."""

from collections import OrderedDict
from time import thread_time

import pytest
from streamlit.testing.v1 import AppTest

from numerics.deadline import UNLIMITED, Deadline
from pages.server import budget
from pages.server.budget import RESERVED
from pages.server.shared_cache import SharedCache
from pages.ui import cached, prior_guess, share, skipped
from pages.ui.share import Shared
from tests.pages.driver import visit

LONG = 30.0  # seconds that nothing here takes unless it hangs
QUESTION: list[SharedCache[..., float]] = []


def computed(seconds: str | float, deadline: Deadline = UNLIMITED) -> float:
    began = thread_time()
    while thread_time() - began < float(seconds):
        deadline.check()
    return float(seconds)


PAGE = """
import streamlit as st
from pages.server.budget import Budget, within
from pages.ui import skipped
from pages.ui.skipped import error_boundary
from tests.pages.ui.test_skipped import QUESTION

place, budget = st.container(), Budget(skipped.UNASKED)
with within(budget), error_boundary("answer"):
    st.text(f"The answer is {QUESTION[0](st.query_params.get('noise', '1'))}.")
with place:
    skipped.draw("here", budget)
"""


def started(seconds: str, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page whose answer takes so long, once it was asked for it all the same."""
    monkeypatch.setattr(skipped, "UNASKED", RESERVED + 0.05)
    QUESTION[:] = [SharedCache(computed)]
    app = AppTest.from_string(PAGE, default_timeout=LONG)
    app.query_params["noise"] = seconds
    app.run()
    assert "Not all of this page is computed." in app.markdown[0].value
    assert "**No answer:**" in app.warning[0].value
    return app.button(key="skipped.start").click().run()


@pytest.mark.parametrize("ends", ["computed", "cancelled", "moved on"])
def test_what_takes_long_is_computed_when_asked_for_and_ends_when_nobody_waits(
    ends: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = started("0.2" if ends == "computed" else "1000", monkeypatch)
    job = app.session_state["skipped.asked"].job
    if ends == "cancelled":
        assert "of processor time so far" in app.markdown[0].value
        app.button(key="skipped.cancel").click().run()
        assert app.button(key="skipped.start")
    elif ends == "moved on":
        app.query_params["noise"] = "0"
        assert app.run().text[0].value == "The answer is 0.0."
        assert not app.button, "a quick page offers nothing"
    assert job.ended.wait(LONG)
    if ends == "computed":
        assert not app.run().button
        assert app.text[0].value == "The answer is 0.2."
    else:
        assert "skipped.asked" not in app.session_state


def test_a_figure_says_what_it_lacks_and_so_do_its_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that may take long is out of time at once."""
    offered = list[Shared]()
    monkeypatch.setattr(budget.Slow, "check", lambda slow: slow.budget.check(1e9))
    monkeypatch.setattr(share, "offer", offered.append)
    for module in (cached, prior_guess):
        for cache in vars(module).values():
            if isinstance(cache, SharedCache):
                monkeypatch.setattr(cache, "_results", OrderedDict())
    app = visit("reconstruct?knows_rate=true&estimates=Monte+Carlo", folds_open=True)
    (said, *_) = [one.value for one in app.caption if "**Not computed yet, and not drawn:**" in one.value]
    assert "Monte Carlo" in said
    assert not app.info
    assert "# not computed, and missing here: Monte Carlo" in str(offered[0].table())
