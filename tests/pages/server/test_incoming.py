"""Uploads that stall or trickle and connections of other sites end; all other requests are passed on."""

import asyncio
from typing import Any
from unittest.mock import AsyncMock

import pytest
import streamlit as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from pages.server import incoming
from tests.pages.server.conftest import Clock, in_a_loop

UPLOAD = "/_stcore/upload_file/session/file"
MB = b"x" * 10**6


@pytest.mark.parametrize(
    ("origin", "is_refused"),
    [(None, False), ("http://here:80", False), ("https://friend.example", False), ("http://here:81", True)],
)
def test_only_pages_of_this_server_and_of_sites_that_are_named_connect(
    origin: str | None, is_refused: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = {"server.enableCORS": True, "server.corsAllowedOrigins": ["https://friend.example"]}
    monkeypatch.setattr(st, "get_option", options.get)
    app, send = AsyncMock(), AsyncMock()
    headers = [(b"host", b"here:80"), *([(b"origin", origin.encode())] if origin else [])]
    in_a_loop(lambda: incoming.Incoming(app)({"type": "websocket", "headers": headers}, AsyncMock(), send))
    assert (app.await_count, send.await_count) == ((0, 1) if is_refused else (1, 0))


async def _read(request: Request) -> PlainTextResponse:
    return PlainTextResponse(str(len(await request.body())))


@pytest.mark.parametrize(
    ("path", "chunks", "seconds", "expected"),
    [
        (UPLOAD, [MB, MB], 30.0, 200),
        (UPLOAD, [b"x", b"x"], 30.0, 408),
        (UPLOAD, [b"x", b"x"], 10.0, 200),
        (UPLOAD, [MB, None], 0.0, 408),
        ("/other", [b"x", b"x"], 30.0, 200),
    ],
    ids=["large", "a trickle", "small", "stalled", "no upload"],
)
def test_an_upload_that_comes_too_slowly_ends(
    path: str, chunks: list[bytes | None], seconds: float, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock, sent, left = Clock(), list[Any](), list(chunks)
    monkeypatch.setattr(incoming, "monotonic", clock)
    monkeypatch.setattr(incoming, "SILENCE", 0.01 if None in chunks else 60.0)

    async def receive() -> dict[str, Any]:
        body = left.pop(0) if left else b""
        if body is None:
            await asyncio.Event().wait()
        clock.now += seconds
        return {"type": "http.request", "body": body, "more_body": bool(body)}

    async def send(message: Any) -> None:
        sent.append(message)

    app = Starlette(routes=[Route(path, _read, methods=["PUT"])], middleware=[incoming.MIDDLEWARE])
    scope = {"type": "http", "method": "PUT", "path": path, "headers": [], "query_string": b""}
    in_a_loop(lambda: app(scope, receive, send))
    assert sent[0]["status"] == expected
