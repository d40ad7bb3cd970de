"""Whether what visitors ask for is still answered: beside ``/_stcore/health``, which says that the server listens.

A server whose threads wait for each other still listens. A busy one is told from it by the signs that threads give:
whoever computes looks at a deadline now and then, and ends, however many others wait.
"""

import faulthandler
from threading import get_ident
from time import monotonic

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from streamlit import runtime

PATH = "/health"
LONGEST_SILENCE = 60.0  # seconds; no piece of work takes a tenth of it between two looks
_SIGNS: dict[int, float] = {}  # by thread that computes: when it gave the last one


def give_sign() -> None:
    """Say that this thread computes, and goes on."""
    _SIGNS[get_ident()] = monotonic()


def end() -> None:
    """Say that this thread computes no more."""
    _SIGNS.pop(get_ident(), None)


def silence() -> float:
    """Seconds since the last sign of a thread that computes, of several the longest; 0 where none computes."""
    now = monotonic()
    return now - min([now, *_SIGNS.copy().values()])


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
