"""Ends uploads that come in too slowly: what came of one is held in memory until its last byte is there, or it ends."""

import asyncio
from time import monotonic

from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

SILENCE = 10.0  # seconds without a byte
GRACE, SLOWEST = 20.0, 20_000.0  # after so many seconds an upload has to have so many bytes for each of them
_PATH = "/_stcore/upload_file/"


class StalledUploads:
    """Answers 408 in the place of ``app`` where a browser, or whoever stands for one, sends too little of a file."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and all that comes of it."""
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


MIDDLEWARE = Middleware(StalledUploads)
