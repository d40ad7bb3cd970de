"""From a file's bytes to a table: text or Parquet, with losses or with predictions."""

from collections.abc import Callable, Collection
from functools import partial

import pyarrow as pa

from losses import cells, columns
from losses.cells import MOST_CLASSES, MOST_LABELS
from losses.columns import Sketch
from losses.layout import NOTHING, KnownLayout
from losses.parquet_file import ParquetFile, is_parquet
from losses.table import FileLayout, LossTable
from losses.text_file import TextFile
from losses.unpacking import LARGEST, as_text, check_size, from_latin

Choose = Callable[[tuple[Sketch, ...]], columns.ColumnCandidates]


_File = TextFile | ParquetFile


def read_table(
    data: bytes | bytearray,
    largest: int = LARGEST,
    known: KnownLayout = NOTHING,
    choose: Choose | None = None,
    most_labels: int = MOST_LABELS,
) -> LossTable:
    """Read a table of losses: Parquet, or CSV or TSV, packed with gzip or not, in any of ``ENCODINGS``.

    At most ``columns.MOST_READ`` columns of numbers and as many of labels are kept, the likeliest ones.

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
    chosen = choose or partial(columns.of_losses, named=known.columns)

    def read(file: _File) -> LossTable:
        return _table(file, chosen(file.sketches), most_labels, known.columns)

    return _opened(data, largest, known, read)


def read_scores(data: bytes | bytearray, known: KnownLayout = NOTHING) -> LossTable:
    """Read a table of attack scores as loss tables are read; columns that name records are kept as clusters.

    Raises:
        TableError: the file cannot be read as a table with a column of numbers.
    """
    return read_table(data, known=known, choose=columns.of_scores, most_labels=MOST_CLASSES)


def as_written(data: bytes | bytearray) -> pa.Table:
    """All columns of a text table, as text or as numbers: for an engine, which reads fewer layouts and encodings.

    Raises TableError as ``read_table``.
    """
    text = as_text(data)
    try:
        return TextFile.of(text, NOTHING).as_written()
    except UnicodeDecodeError:
        return TextFile.of(from_latin(text), NOTHING).as_written()


def read_predictions(data: bytes | bytearray, largest: int = LARGEST, known: KnownLayout = NOTHING) -> LossTable:
    """Read a table of predictions with labels: as ``read_table``, but all of its columns are kept, in their order.

    Raises:
        TableError: the file cannot be read as a table with a column of numbers.
    """
    return _opened(data, largest, known, _predictions_in)


def _opened(data: bytes | bytearray, largest: int, known: KnownLayout, read: Callable[[_File], LossTable]) -> LossTable:
    try:
        if is_parquet(data):
            check_size(len(data), largest)
            return read(ParquetFile.of(data, largest))
        text = as_text(data, largest, known.encoding)
        try:
            return read(TextFile.of(text, known))
        except UnicodeDecodeError:
            return read(TextFile.of(from_latin(text), known))
    finally:
        pa.default_memory_pool().release_unused()


def _predictions_in(file: _File) -> LossTable:
    sketches = file.sketches
    numbers = [one for one in sketches if one.may_be_numbers]
    labels = [one for one in sketches if not one.may_be_numbers]
    clusters = columns.clusters(sketches, columns.chosen(sketches)[1])
    return _table(file, columns.ColumnCandidates(numbers, labels, clusters), MOST_CLASSES)


def _table(file: _File, chosen: columns.ColumnCandidates, most_labels: int, named: Collection[str] = ()) -> LossTable:
    numbers, labels, clusters = chosen
    measured = [one for one in numbers if one not in clusters or one.name in named]
    if not measured:  # then a name was misunderstood
        measured, clusters = numbers, []
    found_numbers, found_labels, found_clusters, rows = {}, {}, {}, 0
    units = {one.name: one.unit for one in measured}
    words, persons = {one.name for one in labels}, {one.name for one in clusters}
    for name, column in file.read(measured, labels, clusters):
        rows = len(column)
        if name in units:
            found_numbers[name] = cells.numbers(name, column, file.layout, units[name])
        if name in words:
            found_labels[name] = cells.labels(name, column, most_labels)
        if name in persons:
            found_clusters[name] = cells.clusters(name, column)
    return LossTable(
        FileLayout(file.layout.names, file.layout.has_header, file.layout.words),
        rows,
        tuple(found_numbers[one.name] for one in measured),
        tuple(found_labels[one.name] for one in labels),
        bool(labels) and labels[0].likely_membership > 0,
        tuple(found for one in clusters if (found := found_clusters[one.name]) is not None),
        columns.unread(file.sketches, {one.name for one in (*measured, *labels, *clusters)}),
    )
