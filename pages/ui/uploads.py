"""Uploaded tables: what was read lives in this visitor's session, and the files' bytes are dropped at once.

Streamlit keeps the bytes of an upload until the session ends, and forgets the file when the visitor looks at another
page. Here it is the other way round: the bytes go as soon as the table is read, and the table stays. A place holds one
file, which the next one replaces, or many, told by their names.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

import streamlit as st

from losses import TableError
from pages.server import memory_quota
from pages.server.shared_cache import PRIVATE, session_cache
from pages.ui import csv_tables, lost_uploads
from pages.ui.plain_text import literal
from pages.ui.upload_reading import Refusal, Upload
from reports.rounding import how_many

if TYPE_CHECKING:
    from streamlit.typing import UploadedFile

FORMATS = "CSV, TSV or Parquet, packed with gzip or not, up to 200 MB."
MOST_FILES = 2000
_CHOOSE = "choose …"
_TAKEN = TableError(
    "Another file with this name is here already, and stays.", "Rename the new one, or remove the other first."
)
_Made = TypeVar("_Made")


@dataclass(frozen=True, eq=False)
class _Place:
    """What a session has of a place for files.

    Attributes:
        most: how many files it holds.
        files: those that were read, by their names, in the order they came.
        refused: those of the last upload that cannot be used.
        uploads: how many there were: each leaves an empty uploader behind.
        is_reading: whether an upload is being read.
    """

    most: int = 1
    files: Mapping[str, Upload] = field(default_factory=dict)
    refused: tuple[Refusal, ...] = ()
    uploads: int = 0
    is_reading: bool = False


def _place(slot: str) -> _Place:
    place: _Place = st.session_state.get(f"{slot}_place", _Place())
    return place


def _change(slot: str, **changes: Any) -> _Place:
    place: _Place = replace(_place(slot), **changes)
    st.session_state.pop(f"{slot}_place", None)  # else what is replaced stays in memory until the next run
    st.session_state[f"{slot}_place"] = place
    return place


def held(slot: str) -> dict[str, Upload]:
    """The files this session holds in ``slot``, by their names, in the order they came."""
    return dict(_place(slot).files)


def seen(slot: str) -> Sequence[Upload | Refusal]:
    """The files that came to ``slot`` last, whether they can be used or not: as many as it holds."""
    place = _place(slot)
    came: tuple[Upload | Refusal, ...] = (*place.files.values(), *place.refused)
    return came[-place.most :]


def complain(problem: TableError, name: str = "") -> None:
    """Show what is wrong, where, and what to do."""
    what = f"{name}: {problem.what}" if name else problem.what
    rest = " ".join(literal(part) for part in (problem.where, problem.remedy) if part)
    st.error(f"**{literal(what)}** {rest}", icon=":material/error:")


def draw(slot: str, label: str, read: "Callable[[UploadedFile], Upload | Refusal]", most: int = 1) -> dict[str, Upload]:
    """Draw the place for files, say which are there, and return them by their names, in the order they came.

    Args:
        slot: where the session holds them.
        label: of the place.
        read: gives what is in a file, and drops its bytes.
        most: how many files the place holds.
    """
    place = _change(slot, most=most)
    key = f"{slot}_upload_{place.uploads}"
    memory_quota.expect()
    formats = FORMATS if most == 1 else f"{FORMATS[:-1]} each."
    came = st.file_uploader(label, accept_multiple_files=most > 1, key=key, help=formats)
    if came:
        with st.spinner("Reading …", show_time=True):
            _take(slot, came if isinstance(came, list) else [came], read)
            # Before the spinner goes: a run may be broken off there, and the files are dropped.
            st.session_state.pop(key, None)  # Streamlit's own objects with the bytes
            _change(slot, uploads=place.uploads + 1, is_reading=False)
        st.rerun()
    for refusal in place.refused:
        complain(refusal.problem, refusal.name)
    if place.files:
        _describe(slot)
    lost_uploads.note(slot, bool(place.files))
    return held(slot)


def _take(slot: str, files: "Sequence[UploadedFile]", read: "Callable[[UploadedFile], Upload | Refusal]") -> None:
    """Read one after the other. A run that is stopped half-way leaves the others to the next."""
    bar = st.empty()
    if not _place(slot).is_reading:
        _change(slot, is_reading=True, refused=())
    for number, file in enumerate(files):
        if file.closed:
            continue
        if len(files) > 1:
            bar.progress(number / len(files), f"Reading file {number + 1:,} of {len(files):,} …")
        put(slot, read(file))


def put(slot: str, found: Upload | Refusal) -> None:
    """Hold in ``slot`` what was read, or why nothing was: what was there before stays then.

    A place for one file is left with nothing that was made of another one.
    """
    place = _place(slot)
    if place.most > 1 and isinstance(found, Upload):
        found = _told_apart(place, found)
    if isinstance(found, Refusal):
        _change(slot, refused=(*place.refused, found))
        if place.most == 1:
            _change(slot, files={name: replace(file, is_older=True) for name, file in place.files.items()})
        return
    if place.most == 1:
        forget(slot)
    _change(slot, files={**_place(slot).files, found.name: found})


def _told_apart(place: _Place, found: Upload) -> Upload | Refusal:
    """One of many files; a refusal where another one has its name, or there is no room for it."""
    other = place.files.get(found.name)
    if other is not None:
        return found if other.digest == found.digest else Refusal(found.name, _TAKEN)
    if len(place.files) < place.most:
        return found
    return Refusal(found.name, TableError(f"There are {place.most:,} files already.", "Remove some first."))


def _describe(slot: str) -> None:
    place = _place(slot)
    files = list(place.files.values())
    rows = how_many(sum(file.table.rows for file in files), "row")
    mark, count = ":material/check_circle:", how_many(len(files), "file")
    said, label = f"**{count}**: {rows}", "Remove all"
    if place.most == 1:
        (file,) = files
        mark = ":material/history: Results are of a file read before," if file.is_older else mark
        said, label = f"**{literal(file.shown)}**: {rows}, {literal(file.table.layout.words)}", "Remove"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{mark} {said}", width="content")
        st.button(label, key=f"{slot}_remove", on_click=_remove, args=(slot,), type="tertiary")
    if place.most > 1:
        _draw_list(slot, files)


def _draw_list(slot: str, files: Sequence[Upload]) -> None:
    with st.expander("What was read", key=f"{slot}_list", type="compact"):
        listed: dict[str, list[str] | list[int]] = {
            "File": [file.name for file in files],
            "Rows": [file.table.rows for file in files],
            "Read as": [file.table.layout.words for file in files],
        }
        csv_tables.draw(listed, width="stretch")
        key, names = f"{slot}_remove_one", [file.name for file in files]
        st.selectbox("Remove", [_CHOOSE, *names], key=key, on_change=_remove_one, args=(slot, key), width=320)


def _remove_one(slot: str, key: str) -> None:
    removed = st.session_state.pop(key)
    _change(slot, files={name: file for name, file in held(slot).items() if name != removed}, refused=())
    if not held(slot):
        _remove(slot)


def _remove(slot: str) -> None:
    forget(slot)
    lost_uploads.forget(slot)


def forget(slot: str) -> None:
    """Forget the files, and all that was made of them."""
    _change(slot, files={}, refused=())
    for key in [key for key in st.session_state if str(key).startswith((made_of(slot, ""), PRIVATE))]:
        del st.session_state[key]


def made_of(slot: str, what: str) -> str:
    """Where ``what`` is kept in the session that follows from the files in ``slot``: it goes with them."""
    return f"{slot}_made_{what}"


def made(slot: str, what: str, key: Hashable, make: Callable[[], _Made]) -> _Made:
    """What ``make`` makes of the files in ``slot``: once for as long as ``key`` stays, and gone with them."""
    return session_cache(made_of(slot, what), key, 1, make)
