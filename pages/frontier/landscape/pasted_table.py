"""A table that is pasted as text: it is read as a file would be, and stays in the visitor's session, with its text."""

from hashlib import sha256

import streamlit as st

from losses.isolation.worker import Reader
from pages.server import memory_quota
from pages.server.shared_cache import session_cache
from pages.ui import uploads
from pages.ui.plain_text import literal
from pages.ui.uploads import Refusal, Upload
from reports.rounding import how_many

NAME = "pasted.csv"
_MOST = 5_000_000  # characters


def draw(slot: str, label: str, key: str, reader: Reader, example: str) -> Upload | None:
    """Draw the place for the text, say what is in it, and return that; None where there is none or it is no table.

    Args:
        slot: where the table is held, as for ``uploads``.
        label: of the text.
        key: of the text in the session; never part of the address.
        reader: what reads its bytes.
        example: shown where there is no text.
    """
    memory = f"{slot}_read"
    memory_quota.expect()
    text = st.text_area(label, key=key, height=140, max_chars=_MOST, placeholder=example, persist_state="session")
    if not (text or "").strip():
        uploads.forget(slot)
        if st.session_state.pop(memory, None) is not None:  # the visitor took it out
            uploads.forget_place(slot)
        uploads.note(slot, False)
        return None
    data = text.encode(errors="replace")
    found = session_cache(memory, sha256(data).digest(), 1, lambda: uploads.read(NAME, data, reader))
    if isinstance(found, Refusal):
        uploads.forget(slot)
        uploads.complain(found.problem)
        return None
    if uploads.held(slot).get(NAME) is not found:
        uploads.put(slot, found)
    uploads.note(slot, True)
    st.caption(
        f":material/check_circle: **Pasted**: {how_many(found.table.rows, 'row')}, {literal(found.table.layout.words)}"
    )
    return found
