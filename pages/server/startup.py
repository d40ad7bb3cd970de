"""What is done once per server process, as it starts."""

import asyncio
import gc
import logging
import pkgutil
import socket
import sys
import webbrowser
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from threading import Lock

import streamlit as st
from threadpoolctl import threadpool_limits

from pages.server import end_of_run, memory, session_expiry, streamlit_patches
from pages.server.run_order import RUNS

_LOG = logging.getLogger(__name__)
# Seconds, after which a thread that computes hands the interpreter to one that waits. Python's own 5 ms add up to a
# stutter, as a run of a page waits for it some dozen times. Beside three long computations that made a slider's 95th
# percentile 0.6 s, and 0.2 s with this.
SWITCH_INTERVAL = 1e-3
_FIRST = ("pages.home.doors", "pages.ui.people_scene", "pages.ui.skipped", "pages.ui.frame")
_ALL = ("plotting", "pages")
_SCRIPT = "page"  # the script of a page is run, never imported; its parts are

_LATE = 3.0  # seconds
_LOADING_FIRST, _LOADING = Lock(), Lock()  # the home page waits for the first alone
_READERS, _PICTURES = "losses.isolation.client", "pages.papers.gallery"
_NEEDED_LATE = (_READERS, "pandas", "scipy.optimize", "scipy.interpolate", "scipy.stats")


@asynccontextmanager
async def prepared(_app: st.App) -> AsyncIterator[None]:
    """Get ready, serve, and leave nothing behind."""
    streamlit_patches.apply()
    end_of_run.keep_values_out()
    memory.hold()
    send_at_once()
    sys.setswitchinterval(SWITCH_INTERVAL)
    gc.freeze()
    if not st.get_option("server.headless"):
        webbrowser.open(f"http://localhost:{st.get_option('server.port')}")
    session_expiry.disconnected()
    tasks = [asyncio.create_task(session_expiry.end_on_time()), asyncio.create_task(load())]
    yield
    for task in tasks:
        task.cancel()


def import_parts(package: str) -> None:
    """Import all of a package, but for the scripts of pages."""
    for module in pkgutil.walk_packages(import_module(package).__path__, f"{package}."):
        if not module.name.endswith(f".{_SCRIPT}"):
            import_module(module.name)


async def load() -> None:
    """Load what the home page needs, while the first browser loads what it needs, and a while later the rest.

    A server that cannot load its home page ends.
    """
    gc.disable()  # next to nothing that is loaded is garbage, and to look for it takes a sixth of the time
    try:
        await asyncio.to_thread(load_first)
    except Exception:
        _LOG.exception("The app could not be loaded.")
        sys.exit(1)
    finally:
        gc.enable()
    freeze()
    await asyncio.sleep(_LATE)
    await asyncio.to_thread(load_rest)
    import_module(_READERS).start()
    await asyncio.to_thread(import_module(_PICTURES).draw_pictures)  # a gallery that nobody has opened yet is complete


def load_first() -> None:
    """Load what the home page needs, as it first comes, if that is not done; who comes meanwhile waits for it."""
    with _LOADING_FIRST:
        if any(name not in sys.modules for name in _FIRST):
            for name in _FIRST:
                import_module(name)
            one_thread()


def load_rest() -> None:
    """Load what takes long and the home page, as it first comes, does without. Before any other page is drawn.

    A second, a third of a start: parts of the other pages, root finders, interpolations and distributions, which SciPy
    loads when they are first used (``scipy.stats.…``), and pandas, which Streamlit loads with the first table. One
    thread at a time: two that load the same at once may each see half of it.
    """
    if _LOADING.locked():
        RUNS.leave()
    with _LOADING:
        if any(name not in sys.modules for name in _NEEDED_LATE):
            for package in _ALL:
                import_parts(package)
            for name in _NEEDED_LATE:
                import_module(name)
            one_thread()
    RUNS.come_back()


def one_thread() -> None:
    """Let linear algebra compute in the thread that asks.

    The matrices here are small: with a thread a core, these spend half of the time waiting for each other, and keep
    other sessions from the cores. After imports: libraries that are not loaded yet are not limited.
    """
    threadpool_limits(1)


def send_at_once() -> None:
    """Send what a page says as soon as it says it.

    The system would hold a message back until the browser has acknowledged the one before, which browsers put off by
    40 ms: more than a whole run takes. asyncio sees to that for sockets it opens itself, but Streamlit opens its own
    and has no setting for it. What is set on the one that listens holds for all connections it takes.
    """
    for one in gc.get_objects():
        is_open = type(one) is socket.socket and one.fileno() >= 0 and one.family in (socket.AF_INET, socket.AF_INET6)
        if is_open and one.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def freeze() -> None:
    """Move everything loaded so far out of the garbage collector's sight, unless somebody has come meanwhile.

    A sweep past it takes 60 ms; of a visit it would leave what was uploaded in memory for good. Streamlit's own sweep
    after every run of a page is switched off (``postScriptGC``): it grows with the sessions, and took more than half of
    the processor's time with 60 of them.
    """
    if not session_expiry.sessions():
        gc.freeze()
