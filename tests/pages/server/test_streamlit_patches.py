"""What is replaced in Streamlit closes a hole that is there without it, and fails loudly where Streamlit has changed.

Every test of a hole runs with the replacement and without. Where it fails without, the installed version has mended it:
take the replacement out.
"""

import tempfile
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.formparsers import MultiPartParser
from streamlit import net_util
from streamlit.runtime import media_file_manager
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.media_file_storage import MediaFileStorageError
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage
from streamlit.runtime.pages_manager import PagesManager
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager
from streamlit.watcher import local_sources_watcher
from streamlit.watcher.local_sources_watcher import LocalSourcesWatcher
from streamlit.web.server import server_util
from streamlit.web.server.starlette import starlette_routes

from pages.server import streamlit_patches
from tests import ROOT
from tests.pages.server.replaced import WITH_AND_WITHOUT, in_a_loop, put_in

APP = ROOT / "app.py"
CANARY = "canary7391"
REPLACED = [
    (PagesManager, "uses_pages_directory", streamlit_patches.serve_listed_pages),
    (MultiPartParser, "spool_max_size", streamlit_patches.keep_off_disk),
    (net_util, "_external_ip", streamlit_patches.ask_nobody),
    (LocalSourcesWatcher, "update_watched_modules", streamlit_patches.list_no_sources),
    (WebsocketSessionManager, "list_active_sessions", streamlit_patches.to_latest_connection),
    (AppSession, "_create_scriptrunner", streamlit_patches.before_the_next_run),
    (media_file_manager, "MediaFileMetadata", streamlit_patches.keep_downloads),
]


@pytest.mark.parametrize(("owner", "name", "replace"), REPLACED)
def test_a_start_fails_where_what_is_to_be_replaced_is_gone(
    owner: Any, name: str, replace: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(owner, name)
    monkeypatch.setattr(st, "get_option", {"server.fileWatcherType": "none"}.get)
    with pytest.raises((RuntimeError, AttributeError), match=name):
        replace()


def test_a_start_replaces_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(st, "get_option", {"server.fileWatcherType": "none"}.get)
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)  # as Streamlit begins
    before = [vars(owner)[name] for owner, name, _ in REPLACED]
    for owner, name, _ in REPLACED:
        monkeypatch.setattr(owner, name, vars(owner)[name])  # to be put back
    streamlit_patches.apply()
    assert all(vars(owner)[name] is not own for (owner, name, _), own in zip(REPLACED, before, strict=True))


@pytest.mark.parametrize("looked_up", ["part", "used"])
def test_what_the_library_no_more_looks_up_as_it_did_is_not_replaced(looked_up: str) -> None:
    owner = SimpleNamespace(__name__="library", part="theirs", used="theirs")
    readers = {"part": lambda: owner.part, "used": lambda: owner.used}
    with pytest.raises(RuntimeError, match=r"library\.part .*lambda"):
        streamlit_patches.replace(owner, "part", "ours", readers[looked_up], "used")
    assert owner.part == "theirs"


def test_what_the_library_looks_up_is_replaced() -> None:
    owner = SimpleNamespace(__name__="library", part="theirs", used="theirs")
    streamlit_patches.replace(owner, "part", "ours", lambda: (owner.part, owner.used), "used")
    assert owner.part == "ours"


@WITH_AND_WITHOUT
def test_the_first_visit_of_all_finds_the_listed_pages(replaced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A browser test visits a cold server by deep link."""
    monkeypatch.setattr(PagesManager, "uses_pages_directory", None)  # as Streamlit begins
    put_in(streamlit_patches.serve_listed_pages, replaced)
    takes_the_folder = PagesManager(str(APP)).uses_pages_directory
    assert takes_the_folder is not replaced


def uploaded(data: bytes) -> bytes:
    """``data`` as Streamlit keeps it, sent to the address that a browser sends files to."""
    kept: list[Any] = []
    manager: Any = SimpleNamespace(add_file=lambda session_id, file: kept.append(file.data))
    runtime: Any = SimpleNamespace(is_active_session=lambda _session: True)
    head = b'--line\r\nContent-Disposition: form-data; name="file"; filename="losses.csv"\r\n\r\n'
    body = [{"type": "http.request", "body": head + data + b"\r\n--line--\r\n", "more_body": False}]
    headers = [(b"content-type", b"multipart/form-data; boundary=line")]
    scope: Any = {"type": "http", "method": "PUT", "path": "/_stcore/upload_file/session/file", "headers": headers}

    async def receive() -> Any:
        return body.pop()

    async def send(_answer: Any) -> None:
        """Nobody reads it."""

    server = Starlette(routes=starlette_routes.create_upload_routes(runtime, manager, None))
    in_a_loop(lambda: server(scope | {"query_string": b"", "root_path": ""}, receive, send))
    (found,) = kept
    return bytes(found)


@WITH_AND_WITHOUT
def test_no_upload_is_written_to_the_disk(replaced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    written, own = list[bool](), tempfile.TemporaryFile

    def on_disk(*args: Any, **named: Any) -> Any:
        written.append(True)
        return own(*args, **named)

    monkeypatch.setattr(tempfile, "TemporaryFile", on_disk)
    monkeypatch.setattr(starlette_routes, "is_xsrf_enabled", lambda: False)
    monkeypatch.setattr(MultiPartParser, "spool_max_size", MultiPartParser.spool_max_size)
    put_in(streamlit_patches.keep_off_disk, replaced)
    data = CANARY.encode() * 300_000
    assert uploaded(data) == data
    assert bool(written) is not replaced


@WITH_AND_WITHOUT
def test_no_host_is_asked_for_this_servers_address(replaced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever connects from a page of another site would have every visitor wait for the answer."""
    asked = list[str]()
    monkeypatch.setattr(net_util, "_external_ip", None)  # as Streamlit begins
    monkeypatch.setattr(net_util, "_make_blocking_http_get", lambda url, **_: asked.append(url))
    put_in(streamlit_patches.ask_nobody, replaced)
    assert not server_util.is_url_from_allowed_origins("http://elsewhere.example")
    assert bool(asked) is not replaced


@WITH_AND_WITHOUT
def test_sources_that_nobody_watches_are_not_listed(replaced: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    listed: Any = []
    own = LocalSourcesWatcher.update_watched_modules
    monkeypatch.setattr(LocalSourcesWatcher, "update_watched_modules", own)  # to be put back
    monkeypatch.setattr(local_sources_watcher, "get_module_paths", lambda module: listed.append(module) or set())
    monkeypatch.setattr(st, "get_option", {"server.fileWatcherType": "none"}.get)
    put_in(streamlit_patches.list_no_sources, replaced)
    LocalSourcesWatcher(PagesManager(str(APP))).update_watched_modules()
    assert bool(listed) is not replaced


def test_sources_that_are_watched_are_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    own = LocalSourcesWatcher.update_watched_modules
    monkeypatch.setattr(st, "get_option", {"server.fileWatcherType": "auto"}.get)
    streamlit_patches.list_no_sources()
    assert LocalSourcesWatcher.update_watched_modules is own


@WITH_AND_WITHOUT
def test_a_download_stays_until_it_can_have_been_fetched_though_others_runs_end(
    replaced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(streamlit_patches, "perf_counter", lambda: now[0])
    monkeypatch.setattr(media_file_manager, "MediaFileMetadata", media_file_manager.MediaFileMetadata)
    put_in(streamlit_patches.keep_downloads, replaced)
    storage = MemoryMediaFileStorage("/media")
    manager = media_file_manager.MediaFileManager(storage)
    button = manager.add_deferred(lambda: CANARY, "text/plain", "1.2", "numbers.txt")
    name = manager.execute_deferred(button).rpartition("/")[2]

    def after_more(seconds: float) -> bool:
        """Whether the file is there when two more runs have ended."""
        now[0] += seconds
        for _ in range(2):
            manager.remove_orphaned_files()
        try:
            return storage.get_file(name).content == CANARY.encode()
        except MediaFileStorageError:
            return False

    assert after_more(0.0) is replaced
    assert after_more(14.0) is replaced
    assert not after_more(2.0)
