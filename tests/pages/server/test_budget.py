"""Who still waits is asked of the server and of what the visitor did, as no run is told before it draws.

A server that works through its visitors is well, however many wait; one whose work gives no sign is not.
"""

from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace

import pytest
from starlette.requests import Request
from streamlit import runtime
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from pages.server import budget, health
from pages.server.budget import Budget, Visit
from pages.server.shared_cache import SharedCache
from tests.pages.server.conftest import Clock, in_a_loop

BY_THE_CLOCK = RerunData(fragment_id="part", is_auto_rerun=True)
ANOTHER_PAGE = RerunData(page_script_hash="another")


class Page:
    """What a run has of Streamlit's context."""

    session_id = "here"
    script_requests = ScriptRequests()


@pytest.mark.parametrize(
    ("reruns", "stops", "closes", "ends"),
    [
        ([], False, False, False),
        ([BY_THE_CLOCK], False, False, False),
        ([RerunData(fragment_id="part")], False, False, True),
        ([ANOTHER_PAGE], False, False, True),
        ([ANOTHER_PAGE, BY_THE_CLOCK], False, False, True),
        ([], True, False, True),
        ([], False, True, True),
    ],
    ids=["nothing", "the clock", "a button", "another page", "another page before the clock", "the end", "the tab"],
)
def test_a_run_ends_for_what_the_visitor_did(
    reruns: list[RerunData], stops: bool, closes: bool, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests, server = ScriptRequests(), SimpleNamespace(is_active_session=lambda _session: not closes)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    monkeypatch.setattr(runtime, "exists", lambda: True)
    assert not Visit().is_cancelled(), "where no page runs nobody leaves"
    monkeypatch.setattr(Page, "script_requests", requests)
    monkeypatch.setattr(budget, "get_script_run_ctx", lambda **_: Page)
    visit = Visit()
    for asked in reruns:
        requests.request_rerun(asked)
    if stops:
        requests.request_stop()
    assert (visit.is_closed(), visit.is_cancelled()) == (closes, ends)
    monkeypatch.setattr(runtime, "exists", lambda: False)
    assert not Visit().is_closed(), "without a server nobody leaves"


class Listening:
    """Streamlit's side of a server that listens, or does not yet."""

    ready = (True, "ok")

    @property
    async def is_ready_for_browser_connection(self) -> tuple[bool, str]:
        return self.ready


def status(monkeypatch: pytest.MonkeyPatch) -> int:
    """What ``/health`` answers."""
    monkeypatch.setattr(runtime, "get_instance", Listening)
    return int(in_a_loop(lambda: health.health(Request({"type": "http"}))).status_code)


def test_work_that_looks_at_its_deadline_is_well_and_silent_work_is_stuck_whoever_else_is_served(
    clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    silent, working, seen = health.LONGEST_SILENCE + 1.0, Budget(), list[int]()
    with working.counted(), ThreadPoolExecutor(1) as another_visitor:
        seen.append(status(monkeypatch))
        for _ in range(2):
            clock.now += silent
            another_visitor.submit(SharedCache(lambda: 1.0)).result()
            seen.append(status(monkeypatch))
            working.check()
            seen.append(status(monkeypatch))
        clock.now += silent
    seen.append(status(monkeypatch))
    monkeypatch.setattr(Listening, "ready", (False, "unavailable"))
    assert [*seen, status(monkeypatch)] == [200, 503, 200, 503, 200, 200, 503]
