"""What takes long is left out and said, computed when asked for, and dropped when the visitor moves on."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from time import thread_time
from types import SimpleNamespace

import pytest
from streamlit.testing.v1 import AppTest

from numerics.deadline import UNLIMITED, Deadline
from pages.server import budget
from pages.server.budget import RESERVED
from pages.server.shared_cache import SharedCache
from pages.server.turns import SLOW
from pages.ui import cached, cached_reconstruction, cached_threat_models, downloads, longer_work, release_curves
from pages.ui.downloads import Downloads
from tests.pages.driver import visit
from tests.pages.visit import checked

LONG = 30.0  # seconds that nothing here takes unless it hangs
QUESTION: list[SharedCache[..., float]] = []
TASK: list["Asking"] = []


def computed(seconds: str | float, deadline: Deadline = UNLIMITED) -> float:
    began = thread_time()
    while thread_time() - began < float(seconds):
        deadline.check()
    return float(seconds)


PAGE = """
import streamlit as st
from pages.server.budget import Budget, within
from pages.ui import longer_work
from pages.ui.error_boundary import error_boundary
from tests.pages.ui.test_longer_work import QUESTION

place, budget = st.container(), Budget(longer_work.UNASKED)
with within(budget), error_boundary("answer"):
    st.text(f"The answer is {QUESTION[0](st.query_params.get('noise', '1'))}.")
with place:
    longer_work.draw("here", budget)
"""


def started(seconds: str, monkeypatch: pytest.MonkeyPatch) -> AppTest:
    """The page whose answer takes so long, once it was asked for it all the same."""
    monkeypatch.setattr(longer_work, "UNASKED", RESERVED + 0.05)
    QUESTION[:] = [SharedCache(computed, SLOW)]
    app = AppTest.from_string(PAGE, default_timeout=LONG)
    app.query_params["noise"] = seconds
    app.run()
    assert "Not all of this page is computed." in app.markdown[0].value
    assert "**No answer:**" in app.warning[0].value
    return app.button(key="longer_work.start").click().run()


@pytest.mark.parametrize("ends", ["computed", "cancelled", "moved on"])
def test_what_takes_long_is_computed_when_asked_for_and_ends_when_nobody_waits(
    ends: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = started("0.2" if ends == "computed" else "1000", monkeypatch)
    work = app.session_state["longer_work.asked"].work
    if ends == "cancelled":
        assert "of processor time so far" in app.markdown[0].value
        app.button(key="longer_work.cancel").click().run()
        assert app.button(key="longer_work.start")
    elif ends == "moved on":
        app.query_params["noise"] = "0"
        assert app.run().text[0].value == "The answer is 0.0."
        assert not app.button, "a quick page offers nothing"
    work._thread.join(LONG)
    assert work.finished
    if ends == "computed":
        assert not app.run().button
        assert app.text[0].value == "The answer is 0.2."
    else:
        assert "longer_work.asked" not in app.session_state


@dataclass(frozen=True)
class Asking:
    """So many parts of three, and then a refusal. See task_runner.Task."""

    parts: int

    def start(self) -> Generator[SimpleNamespace, None, None]:
        for number in range(self.parts):
            yield SimpleNamespace(done=number + 1, total=3)
        if self.parts < 3:
            raise ValueError("there is only one step.")

    def words(self, chunks: Sequence[object], seconds: float) -> str:
        return f"{len(chunks)}, {seconds}"

    def result(self, chunks: Sequence[object], _: float) -> int:
        return len(chunks)


RUNNER = """
import streamlit as st
from pages.ui.task_runner import TaskRunner
from tests.pages.ui.test_longer_work import TASK

runner = TaskRunner("asking")
runner.draw_start(TASK[0], 3.0)
st.text(str(runner.result_of(TASK[0])))
"""


@pytest.mark.parametrize("parts", [0, 1, 3])
def test_a_task_runs_to_its_result_and_a_later_one_that_is_refused_leaves_it(parts: int) -> None:
    TASK[:] = [Asking(parts)]
    app = AppTest.from_string(RUNNER, default_timeout=LONG)
    if parts < 3:
        app.session_state["asking_results"] = {TASK[0]: (1.0, 3)}
    checked(app.run().button(key="asking_start").click().run())
    while "asking_running" in app.session_state:
        app.run()
    assert [one.value for one in app.text] == ["3"]
    assert [one.value for one in app.warning] == ["**Not run:** there is only one step."] * (parts < 3)
    assert not checked(app).button(key="asking_start").disabled
    assert app.caption[0].value == "About 3 s on one core."


def test_a_figure_says_what_it_lacks_and_so_do_its_data(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that may take long is out of time at once."""
    offered = list[Downloads]()
    monkeypatch.setattr(budget.Slow, "check", lambda slow: slow.budget.check(1e9))
    monkeypatch.setattr(downloads, "draw", offered.append)
    for module in (cached, cached_reconstruction, cached_threat_models, release_curves):
        for cache in vars(module).values():
            if isinstance(cache, SharedCache):
                cache.cache_clear()
    app = visit("reconstruct?knows_rate=true&reconstruct.also=record+unknown+(RTM)", folds_open=True)
    (said, *_) = [one.value for one in app.caption if "**Not computed yet, and not drawn:**" in one.value]
    assert "record unknown" in said
    assert not app.info
    assert "# not computed, and missing here: record unknown" in str(offered[0].data())
