"""Uploaded loss tables: what was read lives in this visitor's session, and the file's bytes are dropped at once.

Streamlit keeps the bytes of an upload until the session ends, and forgets the file when the visitor looks at another
page. Here it is the other way round: the bytes go as soon as the table is read, and the table stays.
"""

from collections.abc import Callable, Hashable
from typing import TypeVar

import streamlit as st

from losses import TableError, read_table
from losses.isolation.worker import Reader
from pages.server import held_tables
from pages.server.session_cache import PRIVATE, session_cache
from pages.ui import lost_uploads
from pages.ui.plain_text import literal
from pages.ui.upload_reading import AS_FOUND, Check, LayoutChoices, Refusal, Upload, no_check, read_and_drop

FORMATS = "CSV, TSV or Parquet, packed with gzip or not, up to 200 MB."
_Made = TypeVar("_Made")


def held(slot: str) -> Upload | None:
    """The file this session holds in ``slot``."""
    found = st.session_state.get(_place(slot))
    return found if isinstance(found, Upload) else None


def _place(slot: str) -> str:
    return f"upload_{slot}"


def _uploader(slot: str, turn: int) -> str:
    return f"upload_{slot}_{turn}"


def _complaint(slot: str) -> str:
    return f"upload_{slot}_refused"


def complain(problem: TableError, name: str = "") -> None:
    """Show what is wrong, where, and what to do."""
    what = f"{name}: {problem.what}" if name else problem.what
    rest = " ".join(literal(part) for part in (problem.where, problem.remedy) if part)
    st.error(f"**{literal(what)}** {rest}", icon=":material/error:")


def seen(slot: str) -> Upload | Refusal | None:
    """The last file that came to ``slot``, whether it could be used or not."""
    refused = st.session_state.get(_complaint(slot))
    return refused if isinstance(refused, Refusal) else held(slot)


def named(slot: str, upload: Upload) -> str:
    """The name of the file in ``slot`` for what is made of it: marked where a newer one could not be used."""
    return f"{upload.shown} (read before)" if isinstance(seen(slot), Refusal) else upload.shown


def draw(
    slot: str, label: str, reader: Reader = read_table, layout: LayoutChoices = AS_FOUND, check: Check = no_check
) -> Upload | None:
    """Draw the place for a file, say what is in it, and return that.

    A file that cannot be used leaves the one before it where it is, and that is then marked as read before.
    """
    turn = st.session_state.get(f"upload_{slot}_turn", 0)
    held_tables.expect()
    file = st.file_uploader(label, key=_uploader(slot, turn), help=FORMATS)
    if file is not None:
        _take(slot, turn, lambda: read_and_drop(file, reader, layout, check))
    refused = st.session_state.get(_complaint(slot))
    if isinstance(refused, Refusal):
        complain(refused.problem, refused.name)
    upload = held(slot)
    if upload is not None:
        _describe(slot, upload)
    lost_uploads.note(slot, upload is not None)
    return upload


def put(slot: str, found: Upload | Refusal) -> None:
    """Hold in ``slot`` what was read, with nothing left that was made of another table; or why nothing was."""
    if isinstance(found, Upload):
        forget(slot)
    _forget_complaint(slot)
    st.session_state[_place(slot) if isinstance(found, Upload) else _complaint(slot)] = found


def _take(slot: str, turn: int, read_file: Callable[[], Upload | Refusal]) -> None:
    """Read the file, and start over with a fresh, empty uploader."""
    with st.spinner("Reading …", show_time=True):
        put(slot, read_file())  # before the spinner goes: a run may be broken off there, and the file is dropped
        st.session_state.pop(_uploader(slot, turn), None)  # Streamlit's own object with the bytes
        st.session_state[f"upload_{slot}_turn"] = turn + 1
    st.rerun()


def _describe(slot: str, upload: Upload) -> None:
    table = upload.table
    with st.container(horizontal=True, vertical_alignment="center"):
        is_older = isinstance(seen(slot), Refusal)
        mark = ":material/history: Results are of a file read before," if is_older else ":material/check_circle:"
        st.caption(
            f"{mark} **{literal(upload.shown)}**: {table.rows:,} rows, {literal(table.layout.words)}", width="content"
        )
        st.button("Remove", key=f"upload_{slot}_remove", on_click=_remove, args=(slot,), type="tertiary")


def _remove(slot: str) -> None:
    forget(slot)
    lost_uploads.forget(slot)


def forget(slot: str) -> None:
    """Forget the file, and all that was made of it."""
    made = [key for key in st.session_state if str(key).startswith((made_of(slot, ""), PRIVATE))]
    for key in (_place(slot), *made):
        st.session_state.pop(key, None)
    _forget_complaint(slot)


def made_of(slot: str, what: str) -> str:
    """Where ``what`` is kept in the session that follows from the file in ``slot``: it goes with the file."""
    return f"{_place(slot)}_made_{what}"


def made(slot: str, what: str, key: Hashable, make: Callable[[], _Made]) -> _Made:
    """What ``make`` makes of the file in ``slot``: once for as long as ``key`` stays, and gone with the file."""
    return session_cache(made_of(slot, what), key, 1, make)


def _forget_complaint(slot: str) -> None:
    st.session_state.pop(_complaint(slot), None)
