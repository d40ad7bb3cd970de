"""From a file's bytes to a table, in any format: with losses, with predictions or with attack scores."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import pyarrow as pa

from losses import cells, json_file, numpy_file, recognise_columns, recognise_evidence
from losses.cells import MOST_CLASSES, MOST_LABELS
from losses.columns_file import ColumnsFile
from losses.errors import TableError, listed
from losses.layout import NOTHING, KnownLayout
from losses.parquet_file import ParquetFile, is_parquet
from losses.recognise_columns import ColumnCandidates, Sketch
from losses.table import FileLayout, LossTable
from losses.text_file import TextFile
from losses.unpacking import LARGEST, NUMPY, ZIP, Text, as_text, check_size, from_latin, unzipped

Choose = Callable[[tuple[Sketch, ...]], ColumnCandidates]
TableFile = TextFile | ParquetFile | ColumnsFile


def read_table(
    data: bytes | bytearray,
    largest: int = LARGEST,
    known: KnownLayout = NOTHING,
    choose: Choose | None = None,
    most_labels: int = MOST_LABELS,
) -> LossTable:
    """Read a table of losses: CSV, TSV or JSON, packed with gzip or not, Parquet, NumPy's arrays, or a workbook.

    At most ``recognise_columns.MOST_READ`` columns of numbers and as many of labels are kept, the likeliest ones.

    Args:
        data: the file's bytes.
        largest: limit on their number, packed and unpacked.
        known: what of a text table's layout need not be found.
        choose: which columns may be the numbers looked for, which may be labels, and which may say that rows belong
            together; by default, of losses and membership.
        most_labels: different ones that are kept apart in a column, at most 32,766.

    Raises:
        TableError: the file cannot be read as a table with a column of numbers.
    """
    choose = choose or partial(recognise_columns.of_losses, named=known.columns)
    read = partial(_table, choose=choose, most_labels=most_labels, known=known)
    try:
        if (file := _of_no_text(data, largest)) is not None:
            return read(file)
        text = as_text(data, largest, known.encoding)
        try:
            return read(_of_text(text, known))
        except UnicodeDecodeError:
            return read(_of_text(from_latin(text), known))
    finally:
        pa.default_memory_pool().release_unused()


def _of_no_text(data: bytes | bytearray, largest: int) -> ParquetFile | ColumnsFile | None:
    """A file in a format that is no text; None for all others.

    Raises TableError where it is damaged or too large, and for an archive of other things.
    """
    if is_parquet(data):
        check_size(len(data), largest)
        return ParquetFile.of(data, largest)
    if data.startswith(NUMPY):
        check_size(len(data), largest)
        return numpy_file.opened(data)
    if not data.startswith(ZIP):
        return None
    check_size(len(data), largest)
    archive = unzipped(data, largest)
    names = archive.namelist()
    if "xl/workbook.xml" in names:
        from losses import workbook  # noqa: PLC0415 - few files are one

        return workbook.opened(data)
    if all(name.endswith(numpy_file.ENDING) for name in names):
        return numpy_file.opened_archive(archive)
    what = "The file is a ZIP archive of other things than NumPy's arrays."
    raise TableError(what, "Unpack it, and give the files in it.", f"It holds {listed(names, 3)}." if names else "")


def _of_text(text: Text, known: KnownLayout) -> TextFile | ColumnsFile:
    """Text in JSON, or in rows of cells; raises TableError, and UnicodeDecodeError for text that is not UTF-8."""
    if not json_file.is_json(text.buffer):
        return TextFile.of(text, known)
    file = json_file.opened(text.buffer)
    return replace(file, layout=replace(file.layout, encoding=text.encoding, is_packed=text.is_packed))


def read_predictions(data: bytes | bytearray, largest: int = LARGEST, known: KnownLayout = NOTHING) -> LossTable:
    """Read a table of predictions with labels: as ``read_table``, but all of its columns are kept, in their order.

    Raises:
        TableError: the file cannot be read as a table with a column of numbers.
    """
    return read_table(data, largest, known, recognise_columns.of_predictions, MOST_CLASSES)


def read_scores(data: bytes | bytearray, known: KnownLayout = NOTHING) -> LossTable:
    """Read a table of attack scores as loss tables are read; columns that name records are kept as clusters.

    Raises:
        TableError: the file cannot be read as a table with a column of numbers.
    """
    return read_table(data, known=known, choose=recognise_columns.of_scores, most_labels=MOST_CLASSES)


def read_evidence(data: bytes | bytearray, largest: int = LARGEST, known: KnownLayout = NOTHING) -> LossTable:
    """Read a table of any kind of evidence: losses, predictions, attack scores, canaries or runs; its ``kind`` says it.

    What was said of it, ``known.evidence``, decides which columns are kept.

    Raises:
        TableError: it cannot be read as a table with a column of numbers, or is no evidence for an audit.
    """
    choose = partial(recognise_evidence.columns_of, said=known.evidence, named=known.columns)
    return read_table(data, largest, known, choose, MOST_CLASSES)


def _table(file: TableFile, choose: Choose, most_labels: int, known: KnownLayout) -> LossTable:
    sketches = file.sketches
    kind = recognise_evidence.recognise(sketches)
    measured, labels, clusters = choose(sketches)
    numbers = [one for one in measured if one not in clusters or one.name in known.columns]
    if not numbers:  # then a name was misunderstood
        numbers, clusters = measured, []
    found_numbers, found_labels, found_clusters, rows = {}, {}, {}, 0
    units = {one.name: one.unit for one in numbers}
    words, persons = {one.name for one in labels}, {one.name for one in clusters}
    for name, column in file.read(numbers, labels, clusters):
        rows = len(column)
        if name in units:
            found_numbers[name] = cells.numbers(name, column, file.layout, units[name])
        if name in words:
            found_labels[name] = cells.labels(name, column, most_labels)
        if name in persons:
            found_clusters[name] = cells.clusters(name, column)
    layout = file.layout
    return LossTable(
        FileLayout(layout.names, layout.has_header, layout.words, layout.notes),
        rows,
        tuple(found_numbers[one.name] for one in numbers),
        tuple(found_labels[one.name] for one in labels),
        bool(labels) and labels[0].likely_membership > 0,
        tuple(found for one in clusters if (found := found_clusters[one.name]) is not None),
        recognise_columns.unread(sketches, {one.name for one in (*numbers, *labels, *clusters)}),
        "" if kind is None else kind.value,
    )
