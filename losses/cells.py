"""Columns as Arrow read them, turned into the losses' own columns."""

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from losses import odd_cells
from losses.header import MISSING
from losses.table import NO_LABEL, UNIT, ClusterColumn, Faults, LabelColumn, NumberColumn, Words


def numbers(name: str, cells: pa.ChunkedArray, unit: float = UNIT) -> NumberColumn:
    """A column of numbers of any type; cells that are blank or not finite are counted as faults."""
    values = np.empty(len(cells))
    start = 0
    for chunk in cells.chunks:
        values[start : start + len(chunk)] = chunk.to_numpy(zero_copy_only=False)
        start += len(chunk)
    with np.errstate(over="ignore", invalid="ignore"):
        is_finite = np.isfinite(values.sum())  # faster than to look at every one; may overflow, or be inf - inf
    unusable = np.empty(0, dtype=int) if is_finite else np.flatnonzero(~np.isfinite(values))
    return NumberColumn(name, values, Faults.of(unusable, lambda row: unusable_cell(values[row])), unit)


def unusable_cell(value: float) -> str:
    """A number that is not finite, in words."""
    return "blank or not a number" if np.isnan(value) else str(value).replace("-", "\u2212")


def labels(name: str, cells: pa.ChunkedArray, two: Sequence[str], most: int = odd_cells.MOST_LABELS) -> LabelColumn:
    """A column of labels; ``two`` are the words for yes and no where Arrow read it as such."""
    if not pa.types.is_boolean(cells.type):
        return odd_cells.labels(name, cells, most)
    codes = np.empty(len(cells), dtype=np.int8)
    start = 0
    for chunk in cells.chunks:
        part = codes[start : start + len(chunk)]
        part[:] = ~chunk.fill_null(False).to_numpy(zero_copy_only=False)
        if chunk.null_count:
            part[chunk.is_null().to_numpy(zero_copy_only=False)] = NO_LABEL
        start += len(chunk)
    return LabelColumn(name, codes, tuple(two))


def clusters(name: str, cells: pa.ChunkedArray) -> ClusterColumn | None:
    """Whose each row is; None where no two rows are the same one's. Whole numbers keep all of their digits."""
    written = pc.utf8_trim_whitespace(cells.cast(pa.string()))
    blank = pc.is_in(written, value_set=pa.array(MISSING))
    encoded = pc.if_else(blank, pa.scalar(None, pa.string()), written).combine_chunks().dictionary_encode()
    codes = encoded.indices.fill_null(NO_LABEL).to_numpy(zero_copy_only=False)
    if len(encoded.dictionary) >= np.count_nonzero(codes != NO_LABEL):
        return None
    return ClusterColumn(name, codes, _words(encoded.dictionary))


def _words(texts: pa.StringArray) -> Words:
    _, ends, data = texts.buffers()
    places = np.frombuffer(ends, np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    return Words(np.frombuffer(data, np.uint8)[places[0] : places[-1]].copy(), places[1:] - places[0])
