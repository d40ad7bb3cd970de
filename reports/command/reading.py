"""What the command reads whole: files, each of them once and as the page reads it, and tables of an engine."""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import pyarrow as pa
from pyarrow import csv

from losses.errors import TableError, TooLargeError, quoted
from losses.instances import refusals_of
from losses.isolation import client
from losses.layout import KnownLayout
from losses.reading import read_evidence
from losses.several_files import files_stacked
from losses.table import LossTable
from losses.unpacking import LARGEST, check_size
from losses.warehouse.engines import Table, attached, check_database, files_of, named_table, refusals
from reports.command.arguments import KINDS

_LEAST_CELL = 2  # bytes of text, with what ends it


def named_files(source: str) -> dict[str, Path]:
    """The files of a source by names of their own; raises TableError where there are none."""
    paths = files_of(source)
    return dict(zip(different_names(paths), paths, strict=True))


def different_names(paths: Sequence[Path]) -> list[str]:
    """Names of files without their folders; where these are alike, with the folders in which they differ, alone."""
    if len({path.name for path in paths}) == len(paths):
        return [path.name for path in paths]
    whole = [path.absolute() for path in paths]
    common = os.path.commonpath([path.parent for path in whole])
    return [path.relative_to(common).as_posix() for path in whole]


def is_readable(source: str) -> bool:
    """Whether a source is a file, or files together, that the page would take."""
    try:
        return sum(path.stat().st_size for path in files_of(source)) <= LARGEST
    except TableError:
        return False


def read(chosen: argparse.Namespace, path: Path) -> LossTable:
    """The table of a file, by a process of its own; where it was read before, what ``keep`` kept of it.

    Raises TableError where it is no table.
    """
    if (found := chosen.kept.pop(path, None)) is None:
        check_size(path.stat().st_size, LARGEST)
        return client.read(read_evidence, path.read_bytes(), _known(chosen))
    if isinstance(found, TooLargeError):
        raise found
    return cast(LossTable, found)


def keep(chosen: argparse.Namespace, path: Path) -> LossTable:
    """The same, kept for whoever reads it next, as long as all that are kept are no larger than one file may be.

    That a file is too large is kept, too: finding that out takes longest.
    """
    try:
        found = read(chosen, path)
    except TooLargeError as refusal:
        chosen.kept[path] = refusal
        raise
    held = [one.size for one in chosen.kept.values() if isinstance(one, LossTable)]
    if found.size + sum(held) <= LARGEST:
        chosen.kept[path] = found
    return found


def read_whole(chosen: argparse.Namespace, source: str) -> LossTable:
    """The one table of a source: of files, or of an engine's table, as the CSV file that its columns are.

    Several files are a group each, a model each, or both, as on the page. Raises TableError for what is larger than a
    file may be, and where it is no table.
    """
    if chosen.engine is not None:
        return client.read(read_evidence, _exported(chosen.engine, source), _known(chosen))
    files = named_files(source)
    check_size(sum(path.stat().st_size for path in files.values()), LARGEST)
    if len(files) == 1:
        return read(chosen, *files.values())
    tables = dict[str, LossTable]()
    for name, path in files.items():
        with refusals_of(name):
            tables[name] = read(chosen, path)
    return files_stacked(tables)


def _known(chosen: argparse.Namespace) -> KnownLayout:
    """What was said of a file: the kind of evidence, and columns by name."""
    named = (chosen.loss, chosen.membership, chosen.cluster, chosen.model_column, chosen.slice, chosen.answer)
    columns = dict.fromkeys([*filter(None, named), *chosen.independent, *chosen.predictions])
    return KnownLayout(columns=tuple(columns), evidence=KINDS.get(chosen.evidence))


def _exported(url: str, source: str) -> bytes:
    """A table of an engine as CSV, of its columns of numbers and texts; raises TableError where it is too large."""
    check_database(url)
    out = pa.BufferOutputStream()
    with attached(url) as engine:
        table = named_table(engine, source)
        table = table.select(*plain_columns(table))
        with refusals("read the table"):
            if _LEAST_CELL * len(table.columns) * int(table.count().execute()) <= LARGEST:
                csv.write_csv(engine.to_pyarrow(table), out)
    content = bytes(out.getvalue())
    if not 0 < len(content) <= LARGEST:
        what = f"The table {quoted(source)} takes more than {LARGEST / 1e6:,.0f} MB as a file."
        raise TableError(what, "Engines count losses of any size; all else is read as a file is: make a view of it.")
    return content


def plain_columns(table: Table) -> list[str]:
    """The columns of an engine's table that hold numbers, texts, or yes and no."""
    kinds = table.schema().items()
    return [name for name, kind in kinds if kind.is_numeric() or kind.is_string() or kind.is_boolean()]
