"""From a file's bytes to text in UTF-8: unpacked within a limit, decoded, and refused where it is no text at all."""

import codecs
import zipfile
import zlib
from contextlib import suppress
from typing import NamedTuple

import pyarrow as pa

from losses.errors import TableError, TooLargeError, quoted
from losses.layout import ENCODINGS

LARGEST = 200_000_000  # bytes, before and after unpacking
_PIECE = 1 << 20
_NOTHING = b"\xef\xbb\xbf\xff\xfe\r\n\t "  # byte order marks and blanks
_WINDOW = 1 << 14
_MOST_MEMBERS = 100_000  # block gzip has one for every 64 kB
_GZIP = b"\x1f\x8b"
_PACK_AGAIN = "Pack or upload it again."
ZIP, NUMPY, _COMPOUND = b"PK\x03\x04", b"\x93NUMPY", b"\xd0\xcf\x11\xe0"
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")  # the name under which a workbook with a password holds itself
_NOT_TEXT = (
    (ZIP, "an Excel workbook or a ZIP archive"),
    (_COMPOUND, "an old Excel workbook"),
    (b"PAR1", "a Parquet file"),
    (b"ARROW1", "an Arrow file"),
    (b"%PDF", "a PDF"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"\x89HDF", "an HDF5 file"),
    (NUMPY, "a NumPy array"),
    (b"FEA1", "a Feather file"),
    (b"\x80\x03", "a Python pickle"),
    (b"\x80\x04", "a Python pickle"),
    (b"\x80\x05", "a Python pickle"),
    (b"SQLite", "an SQLite database"),
    (_GZIP, "packed twice"),
    (b"{\\rtf", "a text document"),
    (b"<", "a web page or XML"),
    (b"BZh", "packed with bzip2"),
    (b"\xfd7zXZ", "packed with xz"),
    (b"(\xb5/\xfd", "packed with Zstandard"),
)
_SAVE_AS_CSV = "Export it as CSV or TSV (in Excel: Save as, CSV UTF-8), or pack such a file with gzip."
_SAVE_PLAINLY = "Save it without a password."
_NO_ZIP = (
    zipfile.BadZipFile,
    zlib.error,
    EOFError,
    OSError,
    NotImplementedError,
    RuntimeError,
    ValueError,
    OverflowError,
)
_WIDE = (  # UTF-32 first: its mark begins like that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class Text(NamedTuple):
    """A table's text in UTF-8, without a byte order mark, the encoding it was in, and whether it was packed."""

    buffer: pa.Buffer
    encoding: str
    is_packed: bool


def as_text(data: bytes | bytearray, largest: int = LARGEST, encoding: str | None = None) -> Text:
    """The table's text; the very bytes of ``data`` wherever that is possible.

    Raises TableError for an empty file, one over ``largest`` (packed or not), a damaged gzip file, anything that is
    not text, and text that is not in the ``encoding``, if that is given.
    """
    check_size(len(data), largest)
    is_packed = data[:2] == _GZIP
    text = _unpacked(data, largest) if is_packed else data
    if len(text) < _PIECE and not text.strip(_NOTHING):
        raise TableError("The file is empty.", "Choose a file with a row for every record.")
    refuse_binaries(text)
    if encoding is None:
        return Text(*_utf8(text), is_packed)
    with suppress(UnicodeError):
        decoded = text.decode(encoding).removeprefix("\ufeff")
        if "\0" not in decoded:
            return Text(pa.py_buffer(decoded.encode()), encoding, is_packed)
    raise TableError(f"The file is no text in {ENCODINGS[encoding]}.", "Choose another encoding, or have it found.")


def check_size(size: int, largest: int) -> None:
    """Raise TableError for a file of more than ``largest`` bytes."""
    if size > largest:
        raise TooLargeError(
            f"The file has {size / 1e6:,.0f} MB; the limit is {largest / 1e6:,.0f} MB.",
            "Keep only the columns that are needed, or fewer rows.",
        )


def _unpacked(data: bytes | bytearray, largest: int) -> bytearray:
    """Every member of a gzip file, read through a small window: neither many members nor a bomb can take long."""
    text, start, members = bytearray(), 0, 0
    while data[start : start + len(_GZIP)] == _GZIP:
        engine, members = zlib.decompressobj(wbits=31), members + 1
        while not engine.eof:
            window = data[start : start + _WINDOW]
            try:
                piece = engine.decompress(window, _PIECE)
            except zlib.error:
                raise TableError("The gzip file is damaged.", _PACK_AGAIN) from None
            if not window and not piece and not engine.eof:
                raise TableError("The gzip file ends too early: a part of it is missing.", _PACK_AGAIN)
            text += piece
            start += len(window) - len(engine.unconsumed_tail) - len(engine.unused_data)
            if len(text) > largest or members > _MOST_MEMBERS:
                raise TooLargeError(
                    f"Unpacked, the file has more than {largest / 1e6:,.0f} MB or {_MOST_MEMBERS:,} parts, the limit.",
                    "Keep only the columns that are needed, or fewer rows.",
                )
    if data[start:].strip(b"\0"):  # padding with NUL is allowed
        raise TableError("The gzip file is damaged: other bytes follow its end.", _PACK_AGAIN)
    return text


def refuse_binaries(data: bytes | bytearray) -> None:
    """Raise TableError for a file that begins like no text: what it is, and what to do."""
    if data.startswith(_COMPOUND) and _ENCRYPTED in data:
        raise TableError("The Excel workbook is encrypted.", _SAVE_PLAINLY)
    for start, name in _NOT_TEXT:
        if data.startswith(start):
            raise TableError(f"The file is not a text table: it looks like {name}.", _SAVE_AS_CSV)


def unzipped(data: bytes | bytearray, largest: int) -> zipfile.ZipFile:
    """The archive that a file is; raises TableError where it is damaged, encrypted, or too large by what it says."""
    try:
        archive = zipfile.ZipFile(pa.BufferReader(data))  # without a copy
    except _NO_ZIP:
        what = "The file is not a text table: it begins like an Excel workbook or a ZIP archive, and is damaged."
        raise TableError(what, _PACK_AGAIN) from None
    if any(info.flag_bits & 1 for info in archive.infolist()):
        raise TableError("The archive is encrypted.", _SAVE_PLAINLY)
    if len(set(archive.namelist())) < len(archive.namelist()):
        raise TableError("Two files in the archive have one name.", _PACK_AGAIN)
    size = sum(info.file_size for info in archive.infolist())
    if size > largest:
        raise TooLargeError(
            f"Unpacked, the file has {size / 1e6:,.0f} MB; the limit is {largest / 1e6:,.0f} MB.",
            "Keep only the columns that are needed, or fewer rows.",
        )
    return archive


def member(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> bytes:
    """A file of an archive, of no more bytes than that says; raises TableError where it is damaged."""
    try:
        with archive.open(info) as opened:
            data = opened.read(info.file_size + 1)
    except _NO_ZIP:
        data = b""
    if len(data) != info.file_size:
        raise TableError(f"The file {quoted(info.filename)} in the archive is damaged.", _PACK_AGAIN)
    return data


def _utf8(data: bytes | bytearray) -> tuple[pa.Buffer, str]:
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            return _recoded(data, encoding), encoding
    start = data[:2000]
    half = len(start) // 2  # UTF-16 of plain characters has a NUL in every other byte
    for encoding, nuls, others in (("utf-16-le", start[1::2], start[::2]), ("utf-16-be", start[::2], start[1::2])):
        if half > 4 and nuls.count(0) > 0.9 * half and others.count(0) == 0:
            return _recoded(data, encoding), encoding
    if (place := data.find(b"\0")) >= 0:
        line = data.count(b"\n", 0, place) + 1
        raise TableError(
            "The file holds NUL bytes, which no text table has.", _SAVE_AS_CSV, f"The first is in line {line:,}."
        )
    buffer = pa.py_buffer(data)
    return (buffer.slice(len(codecs.BOM_UTF8)) if data.startswith(codecs.BOM_UTF8) else buffer), "utf-8"


def _recoded(data: bytes | bytearray, encoding: str) -> pa.Buffer:
    try:
        return pa.py_buffer(data.decode(encoding).encode())
    except UnicodeDecodeError:
        raise TableError("The file starts as UTF-16 or UTF-32 but is damaged.", "Save it as UTF-8.") from None


def from_latin(text: Text) -> Text:
    """Text that turned out not to be UTF-8, read as Windows-1252 or Latin-1, which takes any byte."""
    data = text.buffer.to_pybytes()
    with suppress(UnicodeDecodeError):
        return Text(pa.py_buffer(data.decode("cp1252").encode()), "cp1252", text.is_packed)
    return Text(pa.py_buffer(data.decode("latin-1").encode()), "latin-1", text.is_packed)
