"""Tests of a copy of the checkout, each run in a process that starts with the libraries loaded."""

import importlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from collections import defaultdict
from collections.abc import Callable, Generator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Of the project only the settings of the tests are loaded before: all else may be broken.
_LOADED = """
    tests.conftest numpy scipy.integrate scipy.interpolate scipy.optimize scipy.signal scipy.stats pandas
    pyarrow.parquet plotly.graph_objects plotly.io sklearn.linear_model streamlit streamlit.testing.v1
    hypothesis.extra.numpy mpmath
"""
_UNFIT = 70  # the exit status where what ends is not the tests
_MEMORY = 6 * 2**30
_QUIET = (
    "-q",
    "--tb=no",
    "--no-header",
    "--assert=plain",
    "-p",
    "no:cacheprovider",
    "--hypothesis-profile=first failure",
)


def workers(jobs: int, base: str) -> ProcessPoolExecutor:
    """Processes, each at work in a copy of its own."""
    return ProcessPoolExecutor(jobs, get_context("spawn"), partial(_ready, base))


def _ready(base: str) -> None:
    folder = copied(Path(tempfile.mkdtemp(dir=base)))
    os.chdir(folder)
    sys.path[:] = [str(folder), *(path for path in sys.path if path not in ("", str(ROOT)))]
    for name in _LOADED.split():
        importlib.import_module(name)
    from hypothesis import Phase, settings  # noqa: PLC0415 - after the settings of the tests

    kept = settings.get_profile("repeatable")
    settings.register_profile("first failure", kept, phases=(Phase.explicit, Phase.generate))


def copied(folder: Path) -> Path:
    """The checkout's files in a folder of their own, compiled so that a changed file is noticed by its content."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout.decode()
    for name in filter(None, names.split("\0")):
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    compiled = [sys.executable, "-m", "compileall", "-qq", "--invalidation-mode", "checked-hash", str(folder)]
    subprocess.run(compiled, check=False)
    return folder


class Watch:
    """Stops a test that takes too long, and keeps what tests took.

    Attributes:
        seconds: seconds of processor time by a test's name, all of its parameters together.
        failed: the names of tests that failed, those stopped among them.
    """

    def __init__(self, limit: Callable[[str], float], begun: Callable[[str], object] = str) -> None:
        self.seconds: dict[str, float] = defaultdict(float)
        self.failed: list[str] = []
        self._limit, self._begun = limit, begun
        signal.signal(signal.SIGPROF, _stop)

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Time the test."""
        name = function(item.nodeid)
        self._begun(name)
        began = time.process_time()
        # Again each second, if it is caught.
        signal.setitimer(signal.ITIMER_PROF, max(self._limit(name), 0.1), 1.0)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0.0)
            self.seconds[name] += time.process_time() - began

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Pass over the other parameters of a test that takes too long."""
        if self._limit(function(item.nodeid)) <= 0.0:
            self.failed.append(function(item.nodeid))
            pytest.skip("takes too long")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note who failed."""
        if report.failed:
            self.failed.append(function(report.nodeid))


class _TooLong(BaseException):
    """Caught by nothing that catches what fails."""


def _stop(*_: object) -> None:
    raise _TooLong


def function(node: str) -> str:
    """A test's name without its parameters."""
    return node.partition("[")[0]


def run_tests(tests: list[str], watch: Watch, *options: str) -> int:
    """Run tests in this process: 0 where all pass."""
    return int(pytest.main([*_QUIET, *options, *tests], plugins=[watch]))


def forked(run: Callable[[], int], limit: float) -> int | None:
    """What ``run`` returns in a process of its own, None after ``limit`` seconds; whatever it started ends with it."""
    child = os.fork()
    if not child:
        _alone(run)
    ends = time.monotonic() + limit
    try:
        while time.monotonic() < ends:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended and os.waitstatus_to_exitcode(status) == _UNFIT:
                raise RuntimeError(Path("output").read_text())
            if ended:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.02)
        return None
    finally:
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(child, 0)


def _alone(run: Callable[[], int]) -> None:
    status = _UNFIT
    try:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
        for stream, path in enumerate((os.devnull, "output", "output")):
            os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), stream)
        status = run()
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)
