"""Uploaded loss tables: what was read lives in this visitor's session, and the file's bytes are dropped at once.

Streamlit keeps the bytes of an upload until the session ends, and forgets the file when the visitor looks at another
page. Here it is the other way round: the bytes go as soon as the table is read, and the table stays.
"""

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from losses import LossTable, TableError, read_table
from losses.errors import visible

if TYPE_CHECKING:
    from streamlit.typing import UploadedFile

_FORMATS = "CSV or TSV, packed with gzip or not, up to 200 MB."
_MARKUP = re.compile(r"([^\w\s])")


@dataclass(frozen=True, eq=False)
class Upload:
    """A file that was read, or that could not be.

    Attributes:
        name: the file's name, fit to be shown.
        digest: SHA-256 of its bytes.
        table: what was read; None where there is a problem.
        problem: what is wrong with it.
    """

    name: str
    digest: str
    table: LossTable | None = None
    problem: TableError | None = None


def literal(text: str) -> str:
    """Text for a place that takes Markdown, shown as it is: every sign is escaped."""
    return _MARKUP.sub(r"\\\1", text)


def present(slot: str) -> Upload | None:
    """What this session holds in ``slot``."""
    found = st.session_state.get(f"upload_{slot}")
    return found if isinstance(found, Upload) else None


def complain(problem: TableError, name: str = "") -> None:
    """Show what is wrong, where, and what to do."""
    what = f"{name}: {problem.what}" if name else problem.what
    st.error(f"**{literal(what)}** {literal(problem.where)} {literal(problem.remedy)}", icon=":material/error:")


def draw(slot: str, label: str) -> LossTable | None:
    """Draw the place for a file, say what is in it, and return its table if it could be read."""
    turn = st.session_state.get(f"upload_{slot}_turn", 0)
    file = st.file_uploader(label, key=f"upload_{slot}_{turn}", help=_FORMATS)
    if file is not None:
        _take(slot, turn, file)
    upload = present(slot)
    if upload is None:
        return None
    if upload.problem is not None:
        complain(upload.problem, upload.name)
        return None
    if upload.table is not None:
        _describe(slot, upload.name, upload.table)
    return upload.table


def _take(slot: str, turn: int, file: "UploadedFile") -> None:
    """Read the file, drop its bytes, and start over with a fresh, empty uploader."""
    with st.spinner("Reading …", show_time=True):
        st.session_state[f"upload_{slot}"] = read(file.name, file.getvalue())
    drop(file)
    st.session_state[f"upload_{slot}_turn"] = turn + 1
    st.rerun()


def read(name: str, data: bytes) -> Upload:
    """The table in ``data``, or what is wrong with it."""
    digest = sha256(data).hexdigest()
    try:
        return Upload(visible(name), digest, table=read_table(data))
    except TableError as problem:
        return Upload(visible(name), digest, problem=problem.with_traceback(None))  # frames would hold the bytes


def drop(file: "UploadedFile") -> None:
    """Remove the file from Streamlit's store, for which there is no public function, and empty the object itself."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=file.file_id)
    file.close()


def _describe(slot: str, name: str, table: LossTable) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(
            f":material/check_circle: **{literal(name)}**: {table.rows:,} rows, {literal(table.layout.words)}",
            width="content",
        )
        st.button("Remove", key=f"upload_{slot}_remove", on_click=_forget, args=(slot,), type="tertiary")


def _forget(slot: str) -> None:
    st.session_state.pop(f"upload_{slot}", None)
