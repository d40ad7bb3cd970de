"""What a server does once, before the first visitor comes."""

import socket
import subprocess
import sys
from pathlib import Path

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from pages.server import startup

ROOT = Path(__file__).parents[3]
PYTHONS_OWN = 5e-3  # seconds


def test_linear_algebra_keeps_to_one_thread() -> None:
    pools = threadpool_info()
    assert pools, "no library of linear algebra is loaded: nothing is tested"
    try:
        threadpool_limits(2)
        assert {pool["num_threads"] for pool in threadpool_info()} == {2}
        startup.one_thread()
        assert {pool["num_threads"] for pool in threadpool_info()} == {1}
    finally:
        threadpool_limits(1)  # as the tests have it


def test_a_thread_that_waits_gets_its_turn_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    turns: list[float] = []
    monkeypatch.setattr(sys, "setswitchinterval", turns.append)
    startup.short_turns()
    assert 0.0 < max(turns) < PYTHONS_OWN


def test_messages_are_not_held_back_until_the_one_before_is_acknowledged() -> None:
    closed = socket.create_server(("127.0.0.1", 0))
    closed.close()  # left alone
    with socket.create_server(("127.0.0.1", 0)) as listening:
        startup.send_at_once()
        with socket.create_connection(listening.getsockname()), listening.accept()[0] as taken:
            assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


FIRST = "from pages.server import startup; startup.import_parts(startup._FIRST)"
OTHER_PAGES = ("pages.mechanism.figures", "pages.audit.epsilon_star.view", "plotting.trade_off", "numerics.relaxed")


def loaded_by(program: str) -> set[str]:
    """Modules that are loaded when a new process has run ``program``."""
    command = [sys.executable, "-c", f"import app, sys; {program}; print(*sys.modules)"]
    return set(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())


def test_a_start_does_not_load_what_no_first_page_needs() -> None:
    assert loaded_by(FIRST).isdisjoint({*startup._NEEDED_LATE, *OTHER_PAGES})


def test_all_is_loaded_in_the_end_but_scripts_and_what_few_ask_for() -> None:
    loaded = loaded_by(f"{FIRST}; startup.load_rest()")
    assert loaded.issuperset({*startup._NEEDED_LATE, *OTHER_PAGES})
    assert not [name for name in loaded if name.startswith("pages.") and name.endswith(".page")]
    assert "matplotlib" not in loaded


@pytest.mark.parametrize(("query", "is_loaded"), [("", False), ("noise=2", True)])
def test_the_home_page_as_it_first_comes_does_without_what_is_loaded_late(query: str, is_loaded: bool) -> None:
    drawn = (
        f"{FIRST}; from streamlit.testing.v1 import AppTest; home = AppTest.from_file('app.py', default_timeout=60);"
        f"home.query_params.update({dict([query.split('=')] if query else [])}); home.run(); assert not home.exception"
    )
    late = {*startup._NEEDED_LATE, *OTHER_PAGES}
    assert loaded_by(drawn) & late == (late if is_loaded else set())
