"""Reading a table with Arrow: straight to numbers and yes-or-no where every cell obeys, as it is written where not."""

from collections.abc import Callable, Sequence

import numpy as np
import pyarrow as pa
from pyarrow import csv

from losses import columns, odd_cells
from losses.columns import Sketch
from losses.errors import TableError, quoted
from losses.header import MISSING
from losses.layout import Layout, layout_of
from losses.table import NO_LABEL, Faults, LabelColumn, LossTable, NumberColumn
from losses.unpacking import LARGEST, as_text, from_latin

_BLOCK = 1 << 20
_NULLS = [*MISSING, "nan", "NaN", "NAN"]

Choose = Callable[[tuple[Sketch, ...]], tuple[list[Sketch], list[Sketch]]]


def read_table(data: bytes, largest: int = LARGEST, choose: Choose = columns.chosen) -> LossTable:
    """Read a CSV or TSV table, packed with gzip or not, in UTF-8, UTF-16, Windows-1252 or Latin-1.

    At most ``columns.MOST_READ`` columns of numbers and as many of labels are kept, the likeliest ones.

    Args:
        data: the file's bytes.
        largest: limit on their number, packed and unpacked.
        choose: which columns may be the numbers looked for, and which may be labels; by default, losses and membership.

    Raises:
        TableError: the file cannot be read as a table with a column of numbers.
    """
    text = as_text(data, largest)
    try:
        return _read(text, choose)
    except UnicodeDecodeError:
        return _read(from_latin(text), choose)
    finally:
        pa.default_memory_pool().release_unused()


def _read(text: pa.Buffer, choose: Choose) -> LossTable:
    is_quoted = _quotation_marks(text) > 0
    layout = layout_of(text)
    numbers, labels = choose(columns.sketches(layout))
    kept = [one.name for one in (*numbers, *labels)]
    table = _strictly(text, layout, numbers, labels, is_quoted)
    if table is None:
        strings = _as_strings(text, layout, kept)
        number_columns = [odd_cells.numbers(one.name, strings[one.name], layout) for one in numbers]
        label_columns = [odd_cells.labels(one.name, strings[one.name]) for one in labels]
        rows = strings.num_rows
    else:
        number_columns = [_numbers(one.name, table[one.name]) for one in numbers]
        label_columns = [_labels(one, table[one.name]) for one in labels]
        rows = table.num_rows
    is_clear = bool(labels) and labels[0].likely_membership > 0
    return LossTable(layout, rows, tuple(number_columns), tuple(label_columns), is_clear)


def _strictly(
    text: pa.Buffer, layout: Layout, numbers: Sequence[Sketch], labels: Sequence[Sketch], is_quoted: bool
) -> pa.Table | None:
    """The table if every cell is what the probed rows promise; None otherwise.

    A column with two labels is read as yes and no, which costs an eighth of a byte a cell. Arrow has one list of words
    for all columns, so only the first can be read like that: a label of another column would not be noticed in it.
    Where cells are quoted, line ends may be too: that is slower to read.
    """
    types: dict[str, pa.DataType] = {one.name: pa.float64() for one in numbers}
    types |= {one.name: pa.dictionary(pa.int32(), pa.string()) for one in labels}
    yes_or_no: dict[str, list[str]] = {}
    if labels and len(labels[0].cells) == 2:
        types[labels[0].name] = pa.bool_()
        yes_or_no = {"true_values": [labels[0].cells[0]], "false_values": [labels[0].cells[1]]}
    if layout.grouped:
        return None
    convert = csv.ConvertOptions(
        column_types=types,
        include_columns=list(types),
        null_values=_NULLS,
        strings_can_be_null=True,
        decimal_point=layout.decimal,
        **yes_or_no,
    )
    parse = csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=is_quoted)
    try:
        return csv.read_csv(pa.BufferReader(text), _read_options(layout), parse, convert)
    except pa.ArrowInvalid:
        return None


def _quotation_marks(text: pa.Buffer) -> int:
    """How many there are.

    Raises TableError for an odd number: one that is never closed swallows rows, silently where nobody needs its column.
    """
    blocks = (text.slice(start, min(_BLOCK, text.size - start)) for start in range(0, text.size, _BLOCK))
    count: int = sum(block.to_pybytes().count(b'"') for block in blocks)
    if count % 2:
        raise TableError(
            f"A quotation mark is never closed: the file has an odd number of them, {count:,}.",
            "Close it, or take out one that stands alone in a cell.",
        )
    return count


def _read_options(layout: Layout, use_threads: bool = True) -> csv.ReadOptions:
    return csv.ReadOptions(
        use_threads=use_threads,
        block_size=_BLOCK,
        column_names=list(layout.names),
        skip_rows=layout.skipped,
        skip_rows_after_names=int(layout.has_header),
    )


def _as_strings(text: pa.Buffer, layout: Layout, names: list[str]) -> pa.Table:
    """The table as it is written.

    Raises TableError for rows of another length, UnicodeDecodeError for text that is not UTF-8.
    """
    ragged: list[csv.InvalidRow] = []

    def note(row: csv.InvalidRow) -> str:
        ragged.append(row)
        return "skip" if len(ragged) < 1000 else "error"

    parse = csv.ParseOptions(delimiter=layout.delimiter, newlines_in_values=True, invalid_row_handler=note)
    types = dict.fromkeys(names, pa.string())
    convert = csv.ConvertOptions(column_types=types, include_columns=names, strings_can_be_null=False)
    try:
        strings = csv.read_csv(pa.BufferReader(text), _read_options(layout, use_threads=False), parse, convert)
    except pa.ArrowInvalid as refusal:
        if "UTF8" in str(refusal):
            raise UnicodeDecodeError("utf-8", b"", 0, 1, "not UTF-8") from None
        if not ragged:
            raise TableError(
                "The file cannot be read as rows of cells; perhaps a quotation mark is never closed.",
                "Save it again as CSV.",
            ) from None
        strings = None
    if ragged:
        raise _ragged_error(ragged, layout)
    return strings


def _ragged_error(ragged: list[csv.InvalidRow], layout: Layout) -> TableError:
    first = ragged[0]
    number = f"Row {first.number - layout.skipped - layout.has_header:,}" if first.number else "One row"
    count = f"{len(ragged):,}" if len(ragged) < 1000 else "1,000 or more"
    return TableError(
        f"Rows differ in length: {count} of them do not have {first.expected_columns:,} cells.",
        layout.remedy_for_lengths,
        f"{number} has {first.actual_columns:,}: {quoted(first.text)}.",
    )


def _numbers(name: str, cells: pa.ChunkedArray) -> NumberColumn:
    values = np.empty(len(cells))
    start = 0
    for chunk in cells.chunks:
        values[start : start + len(chunk)] = chunk.to_numpy(zero_copy_only=False)
        start += len(chunk)
    with np.errstate(over="ignore", invalid="ignore"):
        is_finite = np.isfinite(values.sum())  # faster than to look at every one; may overflow, or be inf - inf
    unusable = np.empty(0, dtype=int) if is_finite else np.flatnonzero(~np.isfinite(values))
    if not len(unusable):
        return NumberColumn(name, values, Faults())
    shown = tuple(f"row {row + 1:,}: {_unusable(values[row])}" for row in unusable[: odd_cells.EXAMPLES])
    return NumberColumn(name, values, Faults(len(unusable), shown))


def _unusable(value: float) -> str:
    return "blank or not a number" if np.isnan(value) else str(value).replace("-", "\u2212")


def _labels(sketch: Sketch, cells: pa.ChunkedArray) -> LabelColumn:
    if not pa.types.is_boolean(cells.type):
        return odd_cells.labels(sketch.name, cells)
    codes = np.empty(len(cells), dtype=np.int8)
    start = 0
    for chunk in cells.chunks:
        part = codes[start : start + len(chunk)]
        part[:] = ~chunk.fill_null(False).to_numpy(zero_copy_only=False)
        if chunk.null_count:
            part[chunk.is_null().to_numpy(zero_copy_only=False)] = NO_LABEL
        start += len(chunk)
    return LabelColumn(sketch.name, sketch.cells, codes)
