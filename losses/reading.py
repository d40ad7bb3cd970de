"""From a file's bytes to a table: text or Parquet, with losses, with predictions or with attack scores."""

from collections.abc import Callable
from functools import partial

import pyarrow as pa

from losses import cells, recognise_columns, recognise_evidence
from losses.cells import MOST_CLASSES, MOST_LABELS
from losses.layout import NOTHING, KnownLayout
from losses.parquet_file import ParquetFile, is_parquet
from losses.recognise_columns import ColumnCandidates, Sketch
from losses.table import FileLayout, LossTable
from losses.text_file import TextFile
from losses.unpacking import LARGEST, as_text, check_size, from_latin

Choose = Callable[[tuple[Sketch, ...]], ColumnCandidates]


def read_table(
    data: bytes | bytearray,
    largest: int = LARGEST,
    known: KnownLayout = NOTHING,
    choose: Choose | None = None,
    most_labels: int = MOST_LABELS,
) -> LossTable:
    """Read a table of losses: Parquet, or CSV or TSV, packed with gzip or not, in any of ``ENCODINGS``.

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
    read = partial(
        _table,
        choose=choose or partial(recognise_columns.of_losses, named=known.columns),
        most_labels=most_labels,
        known=known,
    )
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

    Raises:
        TableError: it cannot be read as a table with a column of numbers, or is no evidence for an audit.
    """
    return read_table(data, largest, known, recognise_evidence.columns_of, MOST_CLASSES)


def as_written(data: bytes | bytearray) -> pa.Table:
    """All columns of a text table, as text or as numbers: for an engine, which reads fewer layouts and encodings.

    Raises TableError as ``read_table``.
    """
    text = as_text(data)
    try:
        return TextFile.of(text, NOTHING).as_written()
    except UnicodeDecodeError:
        return TextFile.of(from_latin(text), NOTHING).as_written()


def _table(file: TextFile | ParquetFile, choose: Choose, most_labels: int, known: KnownLayout) -> LossTable:
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
    return LossTable(
        FileLayout(file.layout.names, file.layout.has_header, file.layout.words),
        rows,
        tuple(found_numbers[one.name] for one in numbers),
        tuple(found_labels[one.name] for one in labels),
        bool(labels) and labels[0].likely_membership > 0,
        tuple(found for one in clusters if (found := found_clusters[one.name]) is not None),
        recognise_columns.unread(sketches, {one.name for one in (*numbers, *labels, *clusters)}),
        "" if kind is None else kind.value,
    )
