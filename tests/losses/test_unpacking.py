"""From bytes to text: gzip, encodings, other formats under a wrong name, and the limits of size."""

import gzip

import numpy as np
import pytest

from losses import TableError, read_table
from losses.unpacking import as_text
from tests.loss_files import both, check_both, groups, refusal


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1"])
def test_encodings(encoding: str) -> None:
    text = both(header="Verlust loss (größe),Mitglied é member")
    table = read_table(text.encode(encoding))
    assert (table.numbers[0].name, table.labels[0].name) == ("Verlust loss (größe)", "Mitglied é member")
    check_both(groups(text.encode(encoding)))


@pytest.mark.parametrize("encoding", ["cp1252", "latin-1"])
def test_old_encodings_met_late_in_the_file(encoding: str) -> None:
    rows = [f"{number / 7:.5f},{'außen' if number % 2 else 'innen'}" for number in range(60_000)]
    rows[:20_000] = [f"{number / 7:.5f},innen" for number in range(20_000)]
    table = read_table(("loss,member\n" + "\n".join(rows) + "\n").encode(encoding))
    assert set(table.labels[0].labels) == {"innen", "außen"}


def test_gzip_of_several_members() -> None:
    text = both().encode()
    check_both(groups(gzip.compress(text[:100]) + gzip.compress(text[100:])))


@pytest.mark.parametrize("nothing", [b"", b"\n\n  \n", b"\xef\xbb\xbf", b"\xff\xfe", gzip.compress(b"", mtime=0)])
def test_empty_file(nothing: bytes) -> None:
    assert refusal(nothing).what == "The file is empty."


def test_nul_bytes() -> None:
    error = refusal(both().encode()[:60] + b"\0" + both().encode()[60:])
    assert "NUL bytes" in error.what
    assert error.where.startswith("The first is in line ")
    assert "NUL bytes" in refusal(b"\0" * 1000).what


@pytest.mark.parametrize(
    "start",
    [b"PK\x03\x04", b"\xd0\xcf\x11\xe0", b"ARROW1", b"%PDF-1.7", b"\x93NUMPY", b"\x89PNG", b"BZh9", b"\x80\x04\x95"],
)
@pytest.mark.parametrize("packed", [False, True])
def test_binary_files_whatever_their_name(start: bytes, packed: bool) -> None:
    data = start + bytes(range(256))
    assert "not a text table" in refusal(gzip.compress(data) if packed else data).what


def test_packed_twice() -> None:
    assert "packed twice" in refusal(gzip.compress(gzip.compress(both().encode()))).what


def test_bytes_without_any_structure() -> None:
    refusal(np.random.default_rng(3).integers(1, 256, 5000).astype(np.uint8).tobytes())


def test_truncated_and_damaged_gzip() -> None:
    packed = gzip.compress(both().encode())
    assert "ends too early" in refusal(packed[:-20]).what
    assert "damaged" in refusal(packed[:30] + b"\xff" * 20 + packed[50:]).what


def test_bytes_after_the_end_of_gzip() -> None:
    packed = gzip.compress(both().encode())
    check_both(groups(packed + b"\0" * 512))
    assert "other bytes follow" in refusal(packed + b"more").what


def test_gzip_of_very_many_empty_members() -> None:
    assert "parts" in refusal(gzip.compress(b"", mtime=0) * 100_001).what


def test_compression_bomb_stops_at_the_limit() -> None:
    bomb = gzip.compress(b"0" * 30_000_000)
    assert len(bomb) < 100_000
    with pytest.raises(TableError, match="Unpacked, the file has more than 2 MB"):
        as_text(bomb, largest=2_000_000)


def test_file_over_the_limit() -> None:
    with pytest.raises(TableError, match="The file has 3 MB; the limit is 2 MB"):
        read_table(b"1\n" * 1_500_000, largest=2_000_000)


@pytest.mark.parametrize("text", ["[{}]", "[\n  {}\n]", "[[1.5, 0], [2.5, 1]]", "{}"])
def test_json_is_called_so_however_it_begins(text: str) -> None:
    assert "looks like JSON" in refusal(text.replace("{}", '{"loss": 1.5}')).what
