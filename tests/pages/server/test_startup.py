"""What a server does once, as it starts."""

import gc
import subprocess
import sys

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

import privacy_trade_offs
from numerics import accountants, calibration, mechanisms, privacy_loss, trade_off
from pages.server import startup
from privacy_trade_offs import written_sheet
from tests import ROOT
from tests.pages.server.conftest import in_a_loop


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


OTHER_PAGES = ("pages.mechanism.figures", "pages.audit.epsilon_star.view", "plotting.trade_off", "numerics.relaxed")
LATE = {*startup._NEEDED_LATE, *OTHER_PAGES}


def loaded_after(*steps: str) -> list[set[str]]:
    """Modules that are loaded in a new process when it answers, before its first page, and after each step."""
    program = "; print(*sys.modules); ".join(["import app, sys; from pages.server import startup", FIRST, *steps, ""])
    command = [sys.executable, "-c", program]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [set(line.split()) for line in ended.stdout.splitlines()]


FIRST = "startup.load_first()"
OURS = ("pages.", "plotting.", "numerics.", "reports.", "people_view.")


HOME = (
    "from streamlit.testing.v1 import AppTest; home = AppTest.from_file('app.py', default_timeout=60).run();"
    "assert not home.exception"
)


def test_a_start_and_the_home_page_as_it_first_comes_do_without_what_is_loaded_late() -> None:
    answers, started, drawn, rest = loaded_after(HOME, "startup.load_rest()")
    assert not [name for name in answers if name.startswith(("scipy", "numerics", "plotting", "pages.ui"))]
    assert started.isdisjoint(LATE)
    assert drawn.isdisjoint(LATE)
    assert not [name for name in drawn - started if name.startswith(OURS)]  # nobody waits for them in the first run
    assert rest.issuperset(LATE)
    assert not [name for name in rest if name.startswith("pages.") and name.endswith(".page")]


def test_the_command_starts_without_the_mathematics_that_its_package_exports() -> None:
    program = "import privacy_trade_offs.command, sys; print(*sys.modules)"
    ended = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {"numerics", "numpy"}.isdisjoint(ended.stdout.split())
    for name in (*privacy_trade_offs.__all__, *(kind.__name__ for kind in mechanisms.MECHANISMS)):
        found = getattr(privacy_trade_offs, name)
        homes = (mechanisms, accountants, calibration, privacy_loss, trade_off, written_sheet)
        assert any(found is getattr(home, name, None) for home in homes), name
    with pytest.raises(AttributeError, match="has no attribute 'import_modules'"):
        privacy_trade_offs.import_modules  # noqa: B018 - asked for, not used


def test_a_server_ends_that_cannot_load_its_own_parts(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(startup, "_FIRST", ("pages.ui.not_there",))
    with pytest.raises(SystemExit):
        in_a_loop(startup.load)
    assert gc.isenabled()
    assert "No module named 'pages.ui.not_there'" in caplog.text
