"""Whether what visitors ask for is still answered: beside ``/_stcore/health``, which says that the server listens.

A server whose threads wait for each other still listens. A busy one is told from it by the signs that threads give:
whoever computes looks at a deadline now and then, and ends, however many others wait.
"""

import faulthandler

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit import runtime

from pages.server.budget import silence

PATH = "/health"
LONGEST_SILENCE = 60.0  # seconds; no piece of work takes a tenth of it between two looks


async def health(_request: Request) -> PlainTextResponse:
    """200 where the server is ready and what is computed goes on; else 503, and where every thread stands in the log.

    Nothing is computed for it, so it answers at once.
    """
    is_well, words = await runtime.get_instance().is_ready_for_browser_connection
    if (seconds := silence()) > LONGEST_SILENCE:
        is_well, words = False, f"stuck: what is being computed has given no sign for {seconds:.0f} s"
        faulthandler.dump_traceback()
    return PlainTextResponse(words, 200 if is_well else 503, {"Cache-Control": "no-cache"})


ROUTE = Route(PATH, health)
