"""Who still waits: asked of the server and of what the visitor did, as no run is told before it draws."""

import gc
from collections.abc import Callable

import pytest
from streamlit import runtime
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from pages.server import presence
from pages.server.shared_cache import SharedCache
from pages.server.startup import import_parts
from pages.server.turns import SLOW


class Page:
    """What runs has of Streamlit's context."""

    session_id = "here"
    script_requests = None


BY_THE_CLOCK = RerunData(fragment_id="part", is_auto_rerun=True)


@pytest.mark.parametrize(
    ("asked", "ends"),
    [
        (lambda _: None, False),
        (lambda requests: requests.request_rerun(BY_THE_CLOCK), False),
        (lambda requests: requests.request_rerun(RerunData(fragment_id="part")), True),
        (lambda requests: requests.request_rerun(RerunData(page_script_hash="another")), True),
        (lambda requests: requests.request_stop(), True),
    ],
    ids=["nothing", "the clock", "a button", "another page", "the end"],
)
def test_a_run_ends_for_what_the_visitor_did(asked: Callable[[ScriptRequests], object], ends: bool) -> None:
    requests = ScriptRequests()
    asked(requests)
    assert presence.is_asked_for(requests) is ends


def test_what_the_visitor_did_counts_whatever_the_clock_asks_next() -> None:
    requests = ScriptRequests()
    requests.request_rerun(RerunData(page_script_hash="another"))
    requests.request_rerun(BY_THE_CLOCK)
    assert presence.is_asked_for(requests)


@pytest.mark.parametrize("is_active", [True, False])
def test_a_tab_that_is_closed_is_left(is_active: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    class Server:
        def is_active_session(self, _session: str) -> bool:
            return is_active

    monkeypatch.setattr(runtime, "get_instance", Server)
    with monkeypatch.context() as patched:
        patched.setattr(runtime, "exists", lambda: True)
        assert not presence.tab_closed()(), "where no page runs nobody leaves"
    monkeypatch.setattr(presence, "get_script_run_ctx", lambda **_: Page)
    assert not presence.tab_closed()(), "without a server nobody leaves"
    monkeypatch.setattr(runtime, "exists", lambda: True)
    assert presence.tab_closed()() is not is_active
    assert presence.moved_on()() is not is_active


@pytest.mark.usefixtures("all_objects_are_seen")
def test_what_may_take_long_looks_at_a_deadline() -> None:
    import_parts("pages")
    every = [
        one for one in gc.get_objects() if issubclass(type(one), SharedCache) and one.__module__.startswith("pages.")
    ]
    slow = [one for one in every if one._turns is SLOW]
    assert len(slow) > 8
    assert [one._function.__name__ for one in slow if not one._has_deadline] == []
