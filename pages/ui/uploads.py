"""Uploaded tables: what was read lives in this visitor's session, and the files' bytes are dropped at once.

Streamlit keeps the bytes of an upload until the session ends, and forgets the file when the visitor looks at another
page. Here it is the other way round: the bytes go as soon as the table is read, and the table stays. A place holds what
was dropped together, one file or many, told by their names; the next drop replaces it. The address names the places
that held a file, and nothing of the file: where the session has none, after a reload or in a link, the page says that
it is gone.
"""

import logging
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from traceback import extract_tb
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import streamlit as st
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from losses import KnownLayout, LossTable, TableError
from losses.errors import visible
from losses.isolation.worker import Reader
from losses.layout import DECIMALS, DELIMITERS, ENCODINGS, NOTHING
from pages.server import memory_quota
from pages.server.run_order import RUNS
from pages.server.shared_cache import PRIVATE, session_cache
from pages.ui import address, file_answers
from pages.ui.plain_text import literal
from reports import python_code

if TYPE_CHECKING:
    from streamlit.typing import UploadedFile

FORMATS = "CSV, TSV, JSON (all packed with gzip or not), Parquet, NumPy or Excel (.xlsx), up to 200 MB."
MOST_FILES = 2000
Tables = Mapping[str, LossTable]
Check = Callable[[Tables], object]
"""Raises TableError for tables that no choice makes usable."""
_LOG = logging.getLogger(__name__)
_LONGEST_NAME = 255  # of a file, on the systems there are
_TAKEN = TableError("Two files have this name.", "Rename one of them.")
_Made = TypeVar("_Made")
_Option = TypeVar("_Option")


@dataclass(frozen=True, eq=False)
class Upload:
    """A file that was read.

    Attributes:
        name: the file's name, without control and direction marks.
        digest: SHA-256 of its bytes.
        table: what was read.
        known: what was said of its layout.
        is_older: whether a newer one came in its place and could not be used.
    """

    name: str
    digest: str
    table: LossTable
    known: KnownLayout = NOTHING
    is_older: bool = False

    @property
    def shown(self) -> str:
        """The name, short."""
        return visible(self.name)

    @property
    def source(self) -> str:
        """The name for what is made of it: marked where a newer file could not be used."""
        return f"{self.shown} (read before)" if self.is_older else self.shown

    @property
    def file(self) -> tuple[str, str]:
        """Name and SHA-256, for a report."""
        return self.shown, self.digest

    @property
    def key(self) -> str:
        """Tells what was read from all else: the bytes, and how they were read."""
        return self.digest if self.known == NOTHING else f"{self.digest} {self.known}"


def opened(reader: str, upload: Upload) -> str:
    """The Python expression that reads a file as it was read here."""
    return python_code.opened(reader, upload.name, upload.known)


def imports(*files: Upload) -> tuple[str, ...]:
    """What else Python has to import to read ``files``."""
    return ("KnownLayout",) if any(upload.known != NOTHING for upload in files) else ()


@dataclass(frozen=True, eq=False)
class Refusal:
    """A file that cannot be used, what is wrong with it, its SHA-256, and what was said of its layout."""

    name: str
    problem: TableError
    digest: str = ""
    known: KnownLayout = NOTHING


@dataclass(frozen=True, eq=False)
class _Place:
    """What a session has of a place for files.

    Attributes:
        files: those that were read and are in force, by their names, in the order they came.
        coming: those of the drop that is being read.
        refused: those of the last drop that cannot be used.
        uploads: how many there were: each leaves an empty uploader behind.
        is_reading: whether a drop is being read.
    """

    files: Mapping[str, Upload] = field(default_factory=dict)
    coming: Mapping[str, Upload] = field(default_factory=dict)
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


def complain(problem: TableError, name: str = "") -> None:
    """Show what is wrong, where, and what to do."""
    what = f"{name}: {problem.what}" if name else problem.what
    rest = " ".join(literal(part) for part in (problem.where, problem.remedy) if part)
    st.error(f"**{literal(what)}** {rest}", icon=":material/error:")


# Reading


def read(name: str, data: bytes, reader: Reader, known: KnownLayout = NOTHING) -> Upload | Refusal:
    """The table in ``data``, or what is wrong with it; where this program is to blame, it says so."""
    digest = sha256(data).hexdigest()
    try:
        RUNS.leave()  # for good: with a file the run ends and begins anew, with a pasted text it goes on without a turn
        table = memory_quota.read(visible(name), reader, data, known)
        return Upload(visible(name, _LONGEST_NAME), digest, table, known)
    except TableError as problem:
        problem.__context__ = problem.__cause__ = None  # their frames hold the bytes, too
        return Refusal(visible(name), problem.with_traceback(None), digest, known)  # its frames would hold the bytes
    except Exception as fault:
        # Never its message, which may quote the file.
        places = [f"{frame.filename}:{frame.lineno}" for frame in extract_tb(fault.__traceback__)]
        _LOG.error("An upload could not be read: %s at %s", type(fault).__name__, " < ".join(reversed(places)))
        ours = TableError("This program failed to read the file.", "Try it once more, or save the table as CSV.")
        return Refusal(visible(name), ours, digest, known)


def drop(file: "UploadedFile") -> None:
    """Remove the file from Streamlit's store, for which there is no public function, and empty the object itself."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=file.file_id)
    file.close()


# Places


def draw(
    slot: str,
    label: str,
    reader: Reader,
    check: Check | None = None,
    is_waiting: Callable[[Tables], bool] = lambda _: False,
    most: int = 1,
    **look: Any,
) -> dict[str, Upload]:
    """Draw the place for files, and return those it holds by their names, in the order they came.

    What is dropped takes the place of what was there before, and is read whole or not at all.

    Args:
        slot: where the session holds them.
        label: of the place.
        reader: reads a file's bytes, which are dropped then.
        check: says what else is wrong with the tables together: such files leave those before.
        is_waiting: whether tables wait for more: what is dropped next comes beside them, unless it is whole by itself.
        most: how many files may be dropped together.
        look: of Streamlit's uploader.
    """
    place = _place(slot)
    key = f"{slot}_upload_{place.uploads}"
    memory_quota.expect()
    formats = FORMATS if most == 1 else f"{FORMATS[:-1]} each."
    came = st.file_uploader(label, accept_multiple_files=most > 1, key=key, help=formats, **look)
    if came:
        known: dict[str, KnownLayout] = st.session_state.get(f"{slot}_layout_kept", {})

        def read_and_drop(file: "UploadedFile") -> Upload | Refusal:
            try:
                data = file.getvalue()
                digest = sha256(data).hexdigest()
                return read(file.name, data, reader, known.get(digest) or file_answers.known_layout(slot, digest))
            finally:
                drop(file)

        with st.spinner("Reading …", show_time=True):
            _take(slot, came if isinstance(came, list) else [came], read_and_drop, most)
            settle(slot, check, is_waiting)
            # Before the spinner goes: a run may be broken off there, and the files are dropped.
            st.session_state.pop(key, None)  # Streamlit's own objects with the bytes
            _change(slot, uploads=place.uploads + 1, is_reading=False)
        st.rerun()
    address.note_upload(slot, bool(place.files))
    return dict(place.files)


def draw_refused(slot: str) -> tuple[Refusal, ...]:
    """Draw what is wrong with the files that were dropped last and cannot be used, and how else they may be read."""
    place = _place(slot)
    refused = place.refused
    for refusal in refused:
        complain(refusal.problem, refusal.name)
    if refused and not place.files:
        draw_remove(slot)
    if refused:
        with st.expander("Read it differently", key=f"{slot}_layout", type="compact"):
            _draw_layout(slot, refused)
    return refused


def _take(
    slot: str, files: "Sequence[UploadedFile]", read: "Callable[[UploadedFile], Upload | Refusal]", most: int
) -> None:
    """Read one after the other. A run that is stopped half-way leaves the others to the next."""
    bar = st.empty()
    if not _place(slot).is_reading:
        _change(slot, is_reading=True, coming={}, refused=())
    for number, file in enumerate(files):
        if file.closed:
            continue
        if len(files) > 1:
            bar.progress(number / len(files), f"Reading file {number + 1:,} of {len(files):,} …")
        put(slot, read(file), most)


def put(slot: str, found: Upload | Refusal, most: int = 1) -> None:
    """Add a file, or why there is none, to the drop that is being read; ``settle`` ends it."""
    place = _place(slot)
    if isinstance(found, Upload):
        other = place.coming.get(found.name)
        if other is not None and other.digest != found.digest:
            found = Refusal(found.name, _TAKEN)
        elif other is None and len(place.coming) >= most:
            found = Refusal(found.name, TableError(f"There are {most:,} files already.", "Drop fewer at once."))
    if isinstance(found, Refusal):
        _change(slot, refused=(*place.refused, found))
    else:
        _change(slot, coming={**place.coming, found.name: found})


def settle(slot: str, check: Check | None = None, is_waiting: Callable[[Tables], bool] = lambda _: False) -> None:
    """Let the files of a drop take the place of those before, or stand beside them where both wait for more.

    Where one of a drop cannot be used, or ``check`` refuses it, those before stay, marked as older.
    """
    place = _place(slot)
    files, refused = dict(place.coming), place.refused
    if not refused:
        problem = _problem(files, check)
        if is_waiting(_tables(place.files)) and (problem is not None or is_waiting(_tables(files))):
            files = {**place.files, **files}
            problem = _problem(files, check)
        if problem is not None:
            last = next(reversed(files.values()))
            refused = (Refusal(visible(", ".join(files)), problem, last.digest, last.known),)
    if refused:
        older = {name: replace(file, is_older=True) for name, file in place.files.items()}
        _change(slot, files=older, coming={}, refused=refused)
        return
    forget(slot)
    _change(slot, files=files)


def _problem(files: Mapping[str, Upload], check: Check | None) -> TableError | None:
    """Why these files cannot be used together; None if they can."""
    try:
        if check is not None:
            check(_tables(files))
    except TableError as problem:
        return problem.with_traceback(None)
    return None


def _tables(files: Mapping[str, Upload]) -> dict[str, LossTable]:
    return {name: file.table for name, file in files.items()}


def draw_remove(slot: str) -> None:
    """Draw the button that removes the files."""
    st.button("Remove", key=f"{slot}_remove", on_click=_remove, args=(slot,), type="tertiary")


def _remove(slot: str) -> None:
    forget(slot)
    address.forget_upload(slot)


def forget(slot: str) -> None:
    """Forget the files, and all that was made of them: with them all results that the session keeps."""
    _change(slot, files={}, coming={}, refused=())
    for key in [key for key in st.session_state if str(key).startswith((made_of(slot, ""), PRIVATE))]:
        del st.session_state[key]


def made_of(slot: str, what: str) -> str:
    """Where ``what`` is kept in the session that follows from the files in ``slot``: it goes with them."""
    return f"{slot}_made_{what}"


def made(slot: str, what: str, key: Hashable, make: Callable[[], _Made]) -> _Made:
    """What ``make`` makes of the files in ``slot``: once for as long as ``key`` stays, and gone with them."""
    return session_cache(made_of(slot, what), key, 1, make)


# Choices about a file


def choice(
    label: str,
    place: str,
    options: Sequence[_Option],
    words: Callable[[_Option], str] = str,
    width: int | Literal["stretch"] = 220,
) -> _Option:
    """A choice that stays as ``place`` in the session while the visitor looks at another page."""
    if st.session_state.get(place, options[0]) not in options:
        del st.session_state[place]
    return st.selectbox(label, options, format_func=words, key=place, persist_state="session", width=width)


_FOUND = "as found"
_LAYOUT = (
    "The bytes of a file are dropped as soon as it is read: choose, then **drop the file again**. What you choose "
    "holds for that file alone. It is about rows of text; other files say their layout themselves."
)


def draw_layout(slot: str) -> None:
    """Draw what a visitor may say of the files that are there, unless it is asked of others that were refused."""
    place = _place(slot)
    if not place.refused:
        _draw_layout(slot, list(place.files.values()))


def _draw_layout(slot: str, seen: Sequence[Upload | Refusal]) -> None:
    files = {one.digest for one in seen}
    memory = f"{slot}_layout_{sha256(''.join(sorted(files)).encode()).hexdigest()[:16]}"
    known = next(iter({one.known for one in seen}), NOTHING)

    def one(label: str, words: Mapping[str, str], said: str | None) -> str | None:
        place = f"{memory}_{label.split(maxsplit=1)[0].lower()}"
        st.session_state.setdefault(place, _FOUND if said is None else said)
        chosen = choice(label, place, [_FOUND, *words], lambda key: words.get(key, key), 190)
        return None if chosen == _FOUND else chosen

    st.caption(_LAYOUT)
    with st.container(horizontal=True):
        delimiter = one("Delimiter", DELIMITERS, known.delimiter)
        decimal = one("Decimal mark", DECIMALS, known.decimal)
        encoding = one("Encoding", ENCODINGS, known.encoding)
        has_header = None if known.has_header is None else "yes" if known.has_header else "no"
        header = one("Names in the first row", {"yes": "yes", "no": "no"}, has_header)
    known = KnownLayout(delimiter, decimal, encoding, None if header is None else header == "yes")
    kept: dict[str, KnownLayout] = st.session_state.setdefault(f"{slot}_layout_kept", {})
    kept |= dict.fromkeys(files, known)
