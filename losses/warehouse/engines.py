"""Tables that stay where they are: files read out of core by an embedded DuckDB, and tables of existing engines.

Everything goes through Ibis, which writes the SQL of each engine; only aggregates come back. Ibis and the engines are
optional (requirements-warehouse.txt, requirements-spark.txt), so they are imported when the first table is opened.
"""

import glob
import gzip
import re
import tempfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from losses.errors import TableError, quoted, visible
from losses.json_file import is_json
from losses.parquet_file import is_parquet
from losses.unpacking import LARGEST, NUMPY, ZIP, refuse_binaries

# Ibis has no types: these are its backends, tables and columns.
Engine = Any
Table = Any
Expression = Any

_PARQUET = (".parquet", ".pq")
_TEXT = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson")
_READ = (*_PARQUET, *_TEXT, *(f"{ending}.gz" for ending in _TEXT), ".npz", ".npy", ".xlsx")
_FILES = ("sqlite", "duckdb")
_INTERRUPTED = "InterruptException"  # of DuckDB, for Ctrl-C
_LOOKED_AT = 1 << 16  # bytes
_AS_UTF8 = "Save it as UTF-8; the page of the app reads other encodings."
_LONGEST_REFUSAL = 300
_LINE, _FILE = re.compile(r"CSV Error on Line: (\d+)"), re.compile(r"file ?= ?([^\n]+)", re.IGNORECASE)
_QUOTES_CELLS = {"InvalidInputException", "ConversionException", "OutOfRangeException", "DataError"}
_RULES = {
    "Expected Number of Columns": "the row has more or fewer cells than others",
    "unterminated quote": "a quotation mark is never closed",
    "Invalid unicode": "the text is not in UTF-8",
    "Maximum line size": "the line is too long; perhaps a quotation mark is never closed",
}
_INSTALL = "Install it: python -m pip install -r {file}."
_CLIENTS = {
    "pyspark": "requirements-spark.txt",
    "postgres": "requirements-postgres.txt",
    "postgresql": "requirements-postgres.txt",
}


@dataclass(frozen=True)
class Resources:
    """What the embedded engine may use: memory before it spills to disk, threads, where its folder for that goes."""

    memory: str = "2GB"
    threads: int = 2
    temporary: Path = field(default_factory=lambda: Path(tempfile.gettempdir()))


def ibis() -> Any:
    """The Ibis package.

    Raises TableError when it is not installed.
    """
    try:
        return import_module("ibis")
    except ModuleNotFoundError as missing:
        raise TableError(
            f"The package {missing.name} is missing.", _INSTALL.format(file="requirements-warehouse.txt")
        ) from None


@contextmanager
def refusals(doing: str, secret: str = "") -> Iterator[None]:
    """Turn whatever an engine raises into a TableError, as each has classes of its own; ``secret`` is not repeated."""
    try:
        yield
    except (TableError, MemoryError):
        raise
    except Exception as refusal:
        if type(refusal).__name__ == _INTERRUPTED:
            raise KeyboardInterrupt from None
        if (of_cells := _of_cells(refusal)) is not None:
            raise of_cells from None
        lines = str(refusal).strip().splitlines() or [type(refusal).__name__]
        said = " ".join(line.strip() for line in lines)
        said = visible(said.replace(secret, "…") if secret else said, _LONGEST_REFUSAL)
        raise TableError(f"The engine refused to {doing}.", f"It says: {said}") from None


def _of_cells(refusal: Exception) -> TableError | None:
    """What is wrong with a cell or a line, without a word of it: what engines say there quotes people's rows."""
    kinds = {kind.__name__ for kind in type(refusal).__mro__}
    text = str(refusal)
    line, file = _LINE.search(text), _FILE.search(text)
    if line is None and not kinds & _QUOTES_CELLS:
        return None
    what = next(
        (said for mark, said in _RULES.items() if mark in text), "a cell cannot be read as what its column holds"
    )
    name = f"{quoted(Path(file.group(1).strip()).name)}: " if file else ""
    where = f"line {int(line.group(1)):,}: " if line else ""
    return TableError(f"{name}{where}{what}.", "Mend it, or save the table again as CSV in UTF-8.")


@contextmanager
def embedded(resources: Resources) -> Iterator[Engine]:
    """An embedded DuckDB within the resources; nothing is left behind.

    Raises TableError when DuckDB is not installed or takes no such setting.
    """
    with tempfile.TemporaryDirectory(prefix="losses-audit-", dir=resources.temporary) as folder:
        settings = {
            "memory_limit": resources.memory,
            "threads": resources.threads,
            "temp_directory": folder,
            "preserve_insertion_order": False,
        }
        with refusals("start"):
            engine = ibis().duckdb.connect(**settings)
        try:
            yield engine
        finally:
            engine.disconnect()


@contextmanager
def attached(url: str) -> Iterator[Engine]:
    """The engine at a URL such as duckdb://models.ddb, postgres://host/base or pyspark://?spark.sql.shuffle.partitions=3.

    Raises TableError when it cannot be reached.
    """
    secret = urlsplit(url).netloc.rpartition("@")[0]
    with refusals("connect to that URL", secret):
        try:
            engine = _connected(url)
        except ImportError as missing:
            scheme = urlsplit(url).scheme
            package = missing.name or f"ibis-framework[{scheme}]"
            install = _INSTALL.format(file=_CLIENTS[scheme]) if scheme in _CLIENTS else "Install it."
            raise TableError(f"The client of that engine is missing: {package}.", install) from None
    try:
        yield engine
    finally:
        engine.disconnect()


def _connected(url: str) -> Engine:
    """The engine; Spark takes some settings only before its session starts, which Ibis sets after that."""
    parts = urlsplit(url)
    if parts.scheme != "pyspark" or not parts.query:
        return ibis().connect(url)
    folder = {"spark.sql.warehouse.dir": str(Path(parts.path[1:]).absolute())} if parts.path[1:] else {}
    settings = folder | dict(parse_qsl(parts.query))
    session = import_module("pyspark.sql").SparkSession.builder.config(map=settings).getOrCreate()
    return ibis().pyspark.connect(session)


def check_database(url: str) -> None:
    """Raise TableError for a database that is a file and not there: engines would make an empty one."""
    parts = urlsplit(url)
    path = Path(parts.netloc, parts.path[bool(parts.netloc) :])  # as Ibis reads it
    if parts.scheme not in _FILES or not path.name or ":" in str(path) or path.exists():
        return
    remedy = f"For a path from here write {parts.scheme}://{path.name}." if path.is_absolute() else "Check the path."
    raise TableError(f"There is no database at {quoted(str(path))}.", remedy)


def named_table(engine: Engine, name: str) -> Table:
    """A table of an engine; a dotted name holds its schema.

    Raises TableError when there is none.
    """
    *schema, table = name.split(".")
    with refusals(f"open the table {quoted(name)}"):
        try:
            return engine.table(table, database=tuple(schema) or None)
        except ibis().common.exceptions.TableNotFound:
            remedy = "Check its name; a table in a schema is schema.table."
            raise TableError(f"There is no table {quoted(name)}.", remedy) from None


def file_table(engine: Engine, source: str) -> Table:
    """A file, a glob or a folder of CSV or Parquet files as one table of the embedded engine.

    Cells of CSV files are kept as written: those that are no numbers are counted later, not met halfway. Columns of
    several files go together by name.

    Raises TableError when there is nothing to read, or when it cannot be read as a table.
    """
    files = files_of(source)
    starts = {file: _start(file) for file in files}
    for file, start in starts.items():
        if not is_parquet(start):
            _refuse_other_encodings(file.name, start)
    are_parquet = {*map(is_parquet, starts.values())}
    if len(are_parquet) > 1:
        raise TableError(f"{quoted(source)} mixes Parquet and other files.", "Name those of one format, by a glob.")
    names = [str(file) for file in files]
    try:
        with refusals("read"):
            if are_parquet == {True}:
                return engine.read_parquet(names)
            path = names[0].replace("'", "''")  # the layout is as DuckDB's own look at its start says
            asked = f"SELECT Delimiter, Quote, HasHeader, SkipRows FROM sniff_csv('{path}')"
            delimiter, quote, has_header, skipped = engine.con.execute(asked).fetchone()
            is_found = quote not in {None, "", "(empty)"}  # further down there may be some all the same
            layout = {"delim": delimiter, "quote": quote if is_found else '"', "header": has_header, "skip": skipped}
            return engine.read_csv(names, all_varchar=True, union_by_name=True, **layout)
    except TableError:  # what an engine says of a file is about its own settings
        raise TableError(
            f"{quoted(Path(source).name)} cannot be read as a table.",
            "Rows may differ in length, or a quotation mark is never closed, or the file is damaged: save it again.",
        ) from None


def _refuse_other_encodings(name: str, start: bytes) -> None:
    """Raise TableError for text that the engine would misread: it takes UTF-8 alone."""
    refuse_binaries(start)
    if is_json(start):
        what = f"{quoted(name)} is JSON, and larger than the {LARGEST / 1e6:,.0f} MB that are read of it."
        raise TableError(what, "Save it as Parquet or CSV, which may be of any size.")
    if start[:2] in {b"\xff\xfe", b"\xfe\xff"} or b"\0" in start:
        raise TableError(f"{quoted(name)} is text in UTF-16, or no text.", _AS_UTF8)
    try:
        start.decode()
    except UnicodeDecodeError as refusal:
        if refusal.start < len(start) - 3:  # else a letter was cut in two
            raise TableError(f"{quoted(name)} is not text in UTF-8, perhaps Latin-1.", _AS_UTF8) from None


def is_read_by_engines(file: Path) -> bool:
    """Whether engines read the format of a file: Parquet, and text that is not JSON; TableError where it is damaged."""
    start = _start(file)
    return not (start.startswith((ZIP, NUMPY)) or is_json(start))


def _start(file: Path) -> bytes:
    """The first bytes of a file, unpacked; raises TableError where it is damaged."""
    try:
        with gzip.open(file) if file.name.lower().endswith(".gz") else file.open("rb") as opened:
            return opened.read(_LOOKED_AT)
    except (EOFError, gzip.BadGzipFile, zlib.error):
        what = f"The gzip file {quoted(file.name)} is damaged, or a part of it is missing."
        raise TableError(what, "Pack or copy it again.") from None


def files_of(source: str) -> list[Path]:
    """The files that a path, a glob or a folder means; names that start with . or _ are skipped.

    Raises TableError when there are none.
    """
    path = Path(source)
    found: Sequence[Path]
    if path.is_file():
        found = [path]
    elif path.is_dir():
        found = [file for file in path.rglob("*") if file.name.lower().endswith(_READ)]
        found = [file for file in found if not any(part[0] in "._" for part in file.relative_to(path).parts)]
    else:
        found = [Path(name) for name in glob.glob(source, recursive=True) if Path(name).is_file()]  # noqa: PTH207 - takes absolute patterns
    if not found:
        raise TableError(f"There is no file of a table at {quoted(source)}.", "Check the path.")
    return sorted(found)
