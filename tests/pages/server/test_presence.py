"""Who still waits: asked of the server and of what the visitor did, as no run is told before it draws."""

import gc
from types import SimpleNamespace

import pytest
from streamlit import runtime
from streamlit.runtime.scriptrunner import RerunData
from streamlit.runtime.scriptrunner_utils.script_requests import ScriptRequests

from pages.server import presence
from pages.server.shared_cache import SharedCache
from pages.server.startup import import_parts
from pages.server.turns import SLOW

BY_THE_CLOCK = RerunData(fragment_id="part", is_auto_rerun=True)
ANOTHER_PAGE = RerunData(page_script_hash="another")


class Page:
    """What a run has of Streamlit's context."""

    session_id = "here"
    script_requests = ScriptRequests()


@pytest.mark.parametrize(
    ("reruns", "stops", "ends"),
    [
        ([], False, False),
        ([BY_THE_CLOCK], False, False),
        ([RerunData(fragment_id="part")], False, True),
        ([ANOTHER_PAGE], False, True),
        ([ANOTHER_PAGE, BY_THE_CLOCK], False, True),
        ([], True, True),
    ],
    ids=["nothing", "the clock", "a button", "another page", "another page before the clock", "the end"],
)
def test_a_run_ends_for_what_the_visitor_did(
    reruns: list[RerunData], stops: bool, ends: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    requests = ScriptRequests()
    monkeypatch.setattr(Page, "script_requests", requests)
    monkeypatch.setattr(presence, "get_script_run_ctx", lambda **_: Page)
    moved_on = presence.moved_on()
    for asked in reruns:
        requests.request_rerun(asked)
    if stops:
        requests.request_stop()
    assert moved_on() is ends


@pytest.mark.parametrize("is_active", [True, False])
def test_a_tab_that_is_closed_is_left(is_active: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    server = SimpleNamespace(is_active_session=lambda _session: is_active)
    monkeypatch.setattr(runtime, "get_instance", lambda: server)
    monkeypatch.setattr(runtime, "exists", lambda: True)
    assert not presence.tab_closed()(), "where no page runs nobody leaves"
    monkeypatch.setattr(presence, "get_script_run_ctx", lambda **_: Page)
    assert presence.tab_closed()() is not is_active
    assert presence.moved_on()() is not is_active
    monkeypatch.setattr(runtime, "exists", lambda: False)
    assert not presence.tab_closed()(), "without a server nobody leaves"


@pytest.mark.usefixtures("all_objects_are_seen")
def test_what_may_take_long_looks_at_a_deadline() -> None:
    import_parts("pages")
    every = [
        one for one in gc.get_objects() if issubclass(type(one), SharedCache) and one.__module__.startswith("pages.")
    ]
    slow = [one for one in every if one._turns is SLOW]
    assert len(slow) > 8
    assert [one._function.__name__ for one in slow if not one._has_deadline] == []
