"""What visitors' tables take: a budget for each visit, and one for all of them together.

A file of 107 kB may unpack to 286 MB, so what counts is what is kept: the arrays of the table that was read, from the
moment they arrive. They are counted for as long as the table exists: until it is removed, or its session has ended.
"""

import gc
import os
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple
from weakref import WeakKeyDictionary

from streamlit.runtime.scriptrunner import get_script_run_ctx

from losses import KnownLayout, LossTable, TableError
from losses.errors import quoted
from losses.isolation import client
from losses.isolation.worker import Reader
from losses.layout import NOTHING
from pages.server import memory, session_expiry
from pages.server.budget import Visit

# Of the 4 GB in compose.yaml the server takes 0.3, two readers of files 1.4, all tables 1, and what is made of them as
# much again. The largest files make tables of 100 to 230 MB.
MOST_OF_A_VISIT = 10**6 * int(os.environ.get("TABLES_OF_A_VISIT_MB", "600"))
MOST_OF_ALL = 10**6 * int(os.environ.get("TABLES_OF_ALL_MB", "1000"))
_NAMED = 5  # of the largest tables


class _Held(NamedTuple):
    session: str
    name: str
    size: int


class _Arriving:
    """Stands for a table that is on its way."""


_LOCK = Lock()
_EXPECTED: set[str] = set()  # sessions that may upload something
_HELD: WeakKeyDictionary[LossTable | _Arriving, _Held] = WeakKeyDictionary()


def read(name: str, reader: Reader, data: bytes, known: KnownLayout = NOTHING) -> LossTable:
    """Read a stranger's file for this session, if there is room for its table.

    Args:
        name: the file's, for a refusal.
        reader: one of ``losses.isolation.worker.READERS``.
        data: the file's bytes.
        known: what of its layout need not be found.

    Raises:
        TableError: it is no such table, or the budget of the visit or of all visits is used up.
    """
    arriving, session = _Arriving(), session_name()

    def admit(size: int) -> None:
        with _LOCK:
            _refuse_too_much(session, size)
            _HELD[arriving] = _Held(session, name, size)

    table = client.read(reader, data, known, admit, Visit().is_closed)
    with _LOCK:
        _HELD[table] = _HELD.pop(arriving)
    return table


def expect() -> None:
    """Say that this session may upload something: from now on, freed memory is overwritten."""
    with _LOCK:
        _EXPECTED.add(session_name())
        memory.overwrite_freed(True)


def settle(is_active: Callable[[str], bool]) -> None:
    """Overwrite freed memory no more, once all sessions that uploaded something are gone, and all tables.

    To be called when garbage was collected: what hangs in circles would be freed later.
    """
    with _LOCK:
        _EXPECTED.intersection_update([session for session in _EXPECTED if is_active(session)])
        if not _EXPECTED and not _HELD:
            memory.overwrite_freed(False)


session_expiry.after_sweeps(settle)


def session_name() -> str:
    """Of the session whose page is running."""
    context = get_script_run_ctx()
    return "" if context is None else context.session_id


def held() -> int:
    """How many bytes all tables take."""
    return sum(one.size for one in _HELD.values())


def _refuse_too_much(session: str, size: int) -> None:
    own, everyone = _own(session), held()
    if sum(one.size for one in own) + size > MOST_OF_A_VISIT or everyone + size > MOST_OF_ALL:
        gc.collect()  # what was removed may still hang in circles
        own, everyone = _own(session), held()
    if sum(one.size for one in own) + size > MOST_OF_A_VISIT:
        raise TableError(
            f"The table takes {_megabytes(size)} of memory; a visit may hold {_megabytes(MOST_OF_A_VISIT)}.",
            "Remove one of these first." if own else "Keep only the columns that are needed, or fewer rows.",
            _listed(own),
        )
    if everyone + size > MOST_OF_ALL:
        raise TableError(
            f"The table takes {_megabytes(size)} of memory, and this server has no room for it: it holds tables of "
            f"{_megabytes(everyone)} for all visitors together.",
            "Remove what you no longer need, or try again later.",
            _listed(own),
        )


def _own(session: str) -> list[_Held]:
    """The tables of a session, the largest first."""
    return sorted((one for one in _HELD.values() if one.session == session), key=lambda one: -one.size)


def _listed(own: list[_Held]) -> str:
    if not own:
        return ""
    named = ", ".join(f"{quoted(one.name)} ({_megabytes(one.size)})" for one in own[:_NAMED])
    more = f" and {len(own) - _NAMED:,} more" if len(own) > _NAMED else ""
    return f"Here are {named}{more}."


def _megabytes(size: int) -> str:
    return f"{size / 1e6:,.0f} MB" if size >= 1e6 else "less than 1 MB"
