"""Many uploaded files at once: read one after the other, their bytes dropped; see ``uploads``."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from losses import TableError
from losses.isolation.worker import Reader
from pages.server import held_tables
from pages.server.turns import RUNS
from pages.ui import lost_uploads, upload_reading, uploads
from pages.ui.csv_tables import inert
from pages.ui.upload_reading import LayoutChoices, Refusal, Upload

if TYPE_CHECKING:
    from streamlit.typing import UploadedFile

MOST_FILES = 2000
_CHOOSE = "choose …"


def draw(slot: str, label: str, reader: Reader, layout: LayoutChoices) -> dict[str, Upload]:
    """Draw the place for files, say which are there, and return them by their names, in the order they came.

    Files that cannot be read are named; those that were there before stay.
    """
    turn = st.session_state.setdefault(f"uploads_{slot}_turn", 0)
    key = f"uploads_{slot}_{turn}"
    held_tables.expect()
    files = st.file_uploader(label, accept_multiple_files=True, key=key, help=f"{uploads.FORMATS[:-1]} each.")
    if files:
        _take(slot, files, reader, layout)
        st.session_state.pop(key, None)  # Streamlit's own objects with the bytes
        st.session_state[f"uploads_{slot}_turn"] = turn + 1
        st.session_state[f"uploads_{slot}_taking"] = False
        st.rerun()
    for refusal in _refused(slot):
        uploads.complain(refusal.problem, refusal.name)
    found = held(slot)
    if found:
        _describe(slot, found)
    lost_uploads.note(slot, bool(found))
    return dict(found)


def held(slot: str) -> dict[str, Upload]:
    """The files that are there, by their names, in the order they came."""
    found: dict[str, Upload] = st.session_state.setdefault(f"uploads_{slot}", {})
    return found


def seen(slot: str) -> tuple[Upload | Refusal, ...]:
    """All files that came, whether they could be used or not."""
    return (*held(slot).values(), *_refused(slot))


def _refused(slot: str) -> list[Refusal]:
    refused: list[Refusal] = st.session_state.setdefault(f"uploads_{slot}_refused", [])
    return refused


def _take(slot: str, files: Sequence["UploadedFile"], reader: Reader, layout: LayoutChoices) -> None:
    """Read and drop one after the other. A run that is stopped half-way leaves the others to the next."""
    if not st.session_state.get(f"uploads_{slot}_taking"):
        st.session_state[f"uploads_{slot}_taking"] = True
        _refused(slot).clear()
    bar = st.progress(0.0)
    with RUNS.paused():  # once: after each file it would queue for a new turn
        for number, file in enumerate(files):
            if file.closed:
                continue
            bar.progress(number / len(files), f"Reading file {number + 1:,} of {len(files):,} …")
            _add(slot, upload_reading.read_and_drop(file, reader, layout))


def _add(slot: str, found: Upload | Refusal) -> None:
    here = held(slot)
    if isinstance(found, Upload):
        other = here.get(found.name)
        if other is not None and other.digest != found.digest:
            found = Refusal(found.name, _taken())
        elif other is None and len(here) >= MOST_FILES:
            found = Refusal(found.name, TableError(f"There are {MOST_FILES:,} files already.", "Remove some first."))
    if isinstance(found, Upload):
        here[found.name] = found
    else:
        _refused(slot).append(found)


def _taken() -> TableError:
    return TableError(
        "Another file with this name is here already, and stays.", "Rename the new one, or remove the other first."
    )


def _describe(slot: str, here: dict[str, Upload]) -> None:
    rows = sum(upload.table.rows for upload in here.values())
    files = "1 file" if len(here) == 1 else f"{len(here):,} files"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f":material/check_circle: **{files}**: {rows:,} rows", width="content")
        st.button("Remove all", key=f"uploads_{slot}_clear", on_click=_clear, args=(slot,), type="tertiary")
    with st.expander("What was read", key=f"uploads_{slot}_list", type="compact"):
        listed = {
            "File": list(map(inert, here)),  # the table's own toolbar saves the cells as they are
            "Rows": [upload.table.rows for upload in here.values()],
            "Read as": [inert(upload.table.layout.words) for upload in here.values()],
        }
        st.dataframe(listed, hide_index=True, width="stretch")
        key = f"uploads_{slot}_remove"
        st.selectbox("Remove", [_CHOOSE, *here], key=key, on_change=_remove, args=(slot, key), width=320)


def _remove(slot: str, key: str) -> None:
    held(slot).pop(st.session_state.pop(key), None)
    _refused(slot).clear()
    if not held(slot):
        lost_uploads.forget(slot)


def _clear(slot: str) -> None:
    held(slot).clear()
    _refused(slot).clear()
    lost_uploads.forget(slot)
