"""What comes in is looked at before Streamlit has it: uploads that are too slow, and pages of other sites, are refused.

What came of an upload is held in memory until its last byte is there, or it ends. A page of another site that connects
could drive the app; Streamlit itself would ask a host on the internet for this server's own address there before it
says no, and serve nobody while it waits: 0.9 s where the host answers, two seconds each time where it does not.
"""

import asyncio
from time import monotonic
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SILENCE = 10.0  # seconds without a byte
GRACE, SLOWEST = 20.0, 20_000.0  # after so many seconds an upload has to have so many bytes for each of them
_PATH = "/_stcore/upload_file/"


class Incoming:
    """Answers in the place of ``app``: 408 to who sends too little of a file, 403 to a foreign page's connection."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and all that comes of it."""
        if scope["type"] == "websocket" and _is_foreign(Headers(scope=scope)):
            await send({"type": "websocket.close", "code": 1008})
            return
        began, received = monotonic(), 0

        async def in_time() -> Message:
            nonlocal received
            try:
                message = await asyncio.wait_for(receive(), SILENCE)
            except TimeoutError:
                raise HTTPException(408, "The upload stalled.") from None
            received += len(message.get("body", b""))
            seconds = monotonic() - began
            if message.get("more_body") and seconds > GRACE and received < SLOWEST * seconds:
                raise HTTPException(408, "The upload is too slow.")
            return message

        is_upload = scope["type"] == "http" and scope["method"] == "PUT" and _PATH in scope["path"]
        await self._app(scope, in_time if is_upload else receive, send)


def _is_foreign(headers: Headers) -> bool:
    """Whether a page of another site asks that the settings do not name (``corsAllowedOrigins``); programs say none."""
    origin = headers.get("origin")
    if origin is None or urlsplit(origin).netloc == headers.get("host") or not st.get_option("server.enableCORS"):
        return False
    return origin not in st.get_option("server.corsAllowedOrigins")


MIDDLEWARE = Middleware(Incoming)
