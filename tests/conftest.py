"""Settings shared by all tests."""

import gc
import os
import sys
from collections.abc import Iterator
from datetime import date
from functools import cache, partial
from unittest.mock import MagicMock

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers

# One thread for linear algebra in each process: two steps of the tests fill the cores, and threads that wait for each
# other there burn as much time again. It also makes sums come out the same on every number of cores. NumPy reads it at
# its import.
assert "numpy" not in sys.modules, "NumPy was loaded before its number of threads was set."
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"

# The same examples on every run and machine: a failure can always be repeated, and none depends on the clock.
settings.register_profile("repeatable", derandomize=True, database=None, deadline=None)
# Other examples on every run, to look for failures: pytest --hypothesis-profile=searching
settings.register_profile("searching", derandomize=False, database=None, deadline=None)
settings.load_profile("repeatable")

# Hypothesis also draws constants from the modules that happen to be loaded. Which these are depends on the tests that
# ran before, so the same test would see other examples in other runs. There is no public setting for it.
assert hasattr(providers, "is_local_module_file"), "Hypothesis has moved its search for constants."
providers.is_local_module_file = lambda path: False


def _draw_pages_sooner() -> None:
    """Leave out of a page's run in a test what has nothing to do with the page.

    Streamlit reads what all installed packages say of themselves, 0.1 s, for every page that a test draws, and compiles
    its scripts for every run. It asks a thousand times a second whether one has ended, each time in the way of it. Its
    server is a mock that keeps a record of every look at a deadline: whether the visitor is still there.
    """
    if "streamlit" in sys.modules:
        from streamlit.components.v2 import manifest_scanner as scanner  # noqa: PLC0415 - a second, only if needed
        from streamlit.testing.v1 import app_test  # noqa: PLC0415
        from streamlit.testing.v1 import local_script_runner as scripts  # noqa: PLC0415

        vars(app_test)["MagicMock"] = partial(MagicMock, is_active_session=lambda _: True)
        scanner.scan_component_manifests = cache(scanner.scan_component_manifests)
        vars(app_test)["ScriptCache"] = vars(scripts)["ScriptCache"] = cache(vars(scripts)["ScriptCache"])
        ask = scripts.require_widgets_deltas

        def wait(runner: scripts.LocalScriptRunner, timeout: float = 3) -> None:
            script = runner._script_thread
            assert script is not None
            script.join(timeout)
            ask(runner, 0.0 if script.is_alive() else timeout)

        scripts.require_widgets_deltas = wait


# What is loaded is much and stays, and little that the tests make lies in a circle: the collector need not look at all
# of it for every few thousand objects.
gc.set_threshold(20_000, 10, 100)


def pytest_collection_finish() -> None:
    """Tests and what they import stay until the end: whoever looks for what is no longer needed may pass them over."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module")
def all_objects_are_seen() -> Iterator[None]:
    """For tests that ask the collector what there is: nothing is passed over."""
    gc.unfreeze()
    yield
    gc.collect()
    gc.freeze()


def _quarantine(item: pytest.Item) -> None:
    """Let a test in quarantine fail, until the day that its mark names."""
    for mark in item.iter_markers("quarantine"):
        until = date.fromisoformat(mark.kwargs["until"])
        if date.today() > until:
            raise pytest.UsageError(f"{item.nodeid} was in quarantine until {until}: mend it or remove it.")
        item.add_marker(pytest.mark.xfail(reason=mark.kwargs["reason"], strict=False))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Ready the machinery for what was collected."""
    _draw_pages_sooner()
    for item in items:
        _quarantine(item)
