"""Reading an uploaded file: a table or a refusal comes of it, and its bytes are dropped whichever it is."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from traceback import extract_tb
from typing import TYPE_CHECKING

from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from losses import KnownLayout, LossTable, TableError, read_table
from losses.errors import visible
from losses.isolation.worker import Reader
from losses.layout import NOTHING
from pages.server import memory_quota, run_order

if TYPE_CHECKING:
    from streamlit.typing import UploadedFile

_LOG = logging.getLogger(__name__)
_LONGEST_NAME = 255  # of a file, on the systems there are
Check = Callable[[LossTable], object]  # raises TableError


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


@dataclass(frozen=True, eq=False)
class Refusal:
    """A file that cannot be used, what is wrong with it, its SHA-256, and what was said of its layout."""

    name: str
    problem: TableError
    digest: str = ""
    known: KnownLayout = NOTHING


@dataclass(frozen=True)
class LayoutChoices:
    """What a visitor said about the layout of ``files``, by their SHA-256, and of ``others``."""

    others: KnownLayout = NOTHING
    files: Mapping[str, KnownLayout] = field(default_factory=dict)

    def about(self, digest: str) -> KnownLayout:
        """What was said about this file."""
        return self.files.get(digest, self.others)


AS_FOUND = LayoutChoices()


def no_check(_table: LossTable) -> None:
    """Take any table."""


def read_and_drop(
    file: "UploadedFile", reader: Reader, layout: LayoutChoices, check: Check = no_check
) -> Upload | Refusal:
    """What is in an uploaded file, whose bytes are dropped however reading it ends."""
    try:
        return read(file.name, file.getvalue(), reader, layout, check)
    finally:
        drop(file)


def read(
    name: str, data: bytes, reader: Reader = read_table, layout: LayoutChoices = AS_FOUND, check: Check = no_check
) -> Upload | Refusal:
    """The table in ``data``, or what is wrong with it; where this program is to blame, it says so."""
    digest = sha256(data).hexdigest()
    known = layout.about(digest)
    try:
        run_order.leave()
        table = memory_quota.read(visible(name), reader, data, known)
        check(table)
        return Upload(visible(name, _LONGEST_NAME), digest, table, known)
    except TableError as problem:
        problem.__context__ = problem.__cause__ = None  # their frames hold the bytes, too
        return Refusal(visible(name), problem.with_traceback(None), digest, known)  # its frames would hold the bytes
    except Exception as fault:
        _log(fault)
        return Refusal(visible(name), _our_fault(), digest, known)


def _log(fault: Exception) -> None:
    """Log what failed and where. Never its message, which may quote the file."""
    places = [f"{frame.filename}:{frame.lineno}" for frame in extract_tb(fault.__traceback__)]
    _LOG.error("An upload could not be read: %s at %s", type(fault).__name__, " < ".join(reversed(places)))


def _our_fault() -> TableError:
    return TableError("This program failed to read the file.", "Try it once more, or save the table as CSV.")


def drop(file: "UploadedFile") -> None:
    """Remove the file from Streamlit's store, for which there is no public function, and empty the object itself."""
    context = get_script_run_ctx()
    if context is not None and isinstance(context.uploaded_file_mgr, MemoryUploadedFileManager):
        context.uploaded_file_mgr.remove_file(session_id=context.session_id, file_id=file.file_id)
    file.close()
