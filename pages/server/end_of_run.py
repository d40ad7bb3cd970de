"""How a run of a page ends: with a mark that all of it is drawn, or with words that it broke off.

``app.py`` gives ``broken_off`` to Streamlit as its handler of errors: it stands behind pages, the sidebar, callbacks
and fragments alike, and what ends a run on purpose (``st.stop``, ``st.rerun``) never comes to it. Such a run is not
finished, so Streamlit keeps the state of the controls that it did not come to, and nothing that was entered is lost.

Streamlit logs the error in full, and has no setting. What it says may be a visitor's, a number, a name or a cell of an
upload: here the log has of what kind it is and where it was.
"""

import logging
import traceback
from collections.abc import Iterator
from itertools import count

import streamlit as st

LOGGER = logging.getLogger("streamlit.error_util")
WORDS = (
    "**This page broke off here.** The program failed, and you did nothing wrong. What stands above holds, and all "
    "that you entered and uploaded is still there: set what you changed last to something else. All other pages go on."
)
_ANEW = "It opens in another tab, with every control where it starts. This tab keeps what you entered."

# Of the process, for whoever compares what the session holds: a visitor's marks rise, and tell nothing else.
_RUNS = count(1)
# Else it has a row of its own, with the gap above it.
_NO_ROOM = "<style>[data-testid=stElementContainer]:has([data-settled]) { display: none }</style>"


def mark() -> None:
    """Write the number of the run that has come to its end, as ``data-settled``, last of all; nothing is seen.

    A browser test waits for it, a fact, and never for some time. A run that is stopped, or that begins anew
    (``st.rerun``), leaves no mark: the next one does. A part of a page that runs by the clock does not count.
    """
    st.html(f'<span data-settled="{next(_RUNS)}"></span>{_NO_ROOM}')


def broken_off(_error: Exception) -> bool:
    """Say that the page broke off, and what to do. As Streamlit's handler of errors: nothing else is then shown."""
    st.error(WORDS, icon=":material/error:")
    if st.context.url:
        st.link_button("Open this page anew", st.context.url, icon=":material/open_in_new:", help=_ANEW)
    mark()
    return True


def keep_values_out() -> None:
    """Have the log without what errors say from now on."""
    LOGGER.addFilter(_kind_and_place)


def _kind_and_place(record: logging.LogRecord) -> bool:
    """Put the error's kind and stack in the place of the error; every record is let through."""
    if record.exc_info and record.exc_info[1] is not None:
        record.msg, record.args = f"{record.getMessage()}\n{''.join(_stack(record.exc_info[1]))}".rstrip(), ()
        record.exc_info = record.exc_text = None
    return True


def _stack(error: BaseException | None) -> Iterator[str]:
    """Where the error was, after those that it followed from."""
    if error is not None:
        yield from _stack(error.__cause__ or error.__context__)
        yield f"{type(error).__qualname__}, at\n"
        yield from traceback.format_tb(error.__traceback__)
