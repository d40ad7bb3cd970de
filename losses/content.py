"""From a file's raw bytes to plain text bytes: compression, encodings, and what is no text at all."""

import zlib

from losses.problem import TableError

LARGEST = 200 * 2**20  # bytes, before and after decompression

_GZIP = b"\x1f\x8b"
_NO_TEXT = {
    b"PK\x03\x04": "an Excel workbook or a zip archive",
    b"\xd0\xcf\x11\xe0": "an old Excel workbook",
    b"PAR1": "a Parquet file",
    b"%PDF": "a PDF document",
    b"\x89PNG": "a picture",
    b"\x93NUMPY": "a NumPy array",
    b"\x80\x04": "a Python pickle",
}
_WIDE_MARKS = {
    b"\xff\xfe\x00\x00": "utf-32",
    b"\x00\x00\xfe\xff": "utf-32",
    b"\xff\xfe": "utf-16",
    b"\xfe\xff": "utf-16",
}
_PIECE = 2**20


def plain_text(data: bytes, largest: int = LARGEST) -> bytes:
    """The table as text bytes, in UTF-8 or Latin-1.

    Raises TableError for empty, oversized, truncated or binary content.
    """
    if not data:
        raise TableError("The file is empty. Choose a table with a column of losses.")
    if len(data) > largest:
        raise TableError(f"The file has {len(data) / 2**20:.0f} MB, more than the limit of {largest // 2**20} MB.")
    if data.startswith(_GZIP):
        data = _unzipped(data, largest)
    for mark, kind in _NO_TEXT.items():
        if data.startswith(mark):
            raise TableError(f"This is {kind}, whatever its name says. Save the table as CSV and upload that.")
    data = _narrow(data)
    if (place := data.find(b"\x00")) >= 0:
        line = data.count(b"\n", 0, place) + 1
        raise TableError(f"Line {line} holds a NUL byte: this is no text file, or a damaged one. Save it as CSV anew.")
    if not data.strip():
        raise TableError("The file holds nothing but blanks. Choose a table with a column of losses.")
    return data


def _unzipped(data: bytes, largest: int) -> bytes:
    """Content of a gzip file of one or more members; stops at ``largest`` bytes."""
    pieces: list[bytes] = []
    size, rest = 0, memoryview(data)
    while rest:
        unzip = zlib.decompressobj(wbits=31)
        try:
            while not unzip.eof:
                piece = unzip.decompress(rest, _PIECE)
                rest = memoryview(unzip.unconsumed_tail)
                if not piece and not rest and not unzip.eof:
                    raise TableError("The gzip file ends too early: it was cut off. Compress or copy it anew.")
                pieces.append(piece)
                size += len(piece)
                if size > largest:
                    raise TableError(f"Unpacked, the file has more than the limit of {largest // 2**20} MB.")
        except zlib.error as error:
            raise TableError(f"The gzip file is damaged ({error}). Compress or copy it anew.") from error
        rest = memoryview(unzip.unused_data) if unzip.unused_data.startswith(_GZIP) else memoryview(b"")
    return b"".join(pieces)


def _narrow(data: bytes) -> bytes:
    """UTF-16 and UTF-32 as UTF-8; a UTF-8 byte order mark is left out."""
    for mark, encoding in _WIDE_MARKS.items():
        if data.startswith(mark):
            try:
                return data.decode(encoding).encode()
            except UnicodeDecodeError as error:
                message = f"The file starts as {encoding.upper()} but is not ({error.reason}). Save it as UTF-8 CSV."
                raise TableError(message) from error
    return data.removeprefix(b"\xef\xbb\xbf")
