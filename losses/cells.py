"""Columns as Arrow read them, turned into the losses' own columns; cells that cannot be used are counted and quoted."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from losses.errors import quoted
from losses.layout import MISSING, Layout
from losses.table import (
    NO_LABEL,
    UNIT,
    ClusterColumn,
    DistinctTexts,
    Faults,
    FileLayout,
    LabelColumn,
    NumberColumn,
    unusable_cell,
)

MOST_LABELS = 100  # different labels; more are no labels
MOST_CLASSES = 10_000


def numbers(name: str, cells: pa.ChunkedArray, layout: Layout | FileLayout, unit: float = UNIT) -> NumberColumn:
    """A column of numbers of any type, or as they are written; blank cells and those not finite are its faults."""
    if isinstance(layout, Layout) and pa.types.is_string(cells.type):
        return written_numbers(name, cells, layout, unit)
    values = np.empty(len(cells))
    start = 0
    for chunk in cells.chunks:
        values[start : start + len(chunk)] = chunk.to_numpy(zero_copy_only=False)
        start += len(chunk)
    with np.errstate(over="ignore", invalid="ignore"):
        is_finite = np.isfinite(values.sum())  # faster than to look at every one; may overflow, or be inf - inf
    unusable = np.empty(0, dtype=int) if is_finite else np.flatnonzero(~np.isfinite(values))
    return NumberColumn(name, values, Faults.of(unusable, lambda row: unusable_cell(values[row])), unit)


def written_numbers(name: str, cells: pa.ChunkedArray, layout: Layout, unit: float = UNIT) -> NumberColumn:
    """Numbers with a decimal comma, marks between thousands, a plus sign, a long minus, text between them ..."""
    import pandas as pd  # 0.15 s of every start, and few columns are as odd

    written = pc.replace_substring(pc.utf8_trim_whitespace(cells), "\u2212", "-").to_pandas()
    plain = written.map(layout.plain) if layout.grouped else written
    if layout.decimal == "," and not layout.grouped:
        plain = written.str.replace(",", ".", regex=False)
    values = np.array(pd.to_numeric(plain, errors="coerce"), dtype=np.float64)
    odd = np.flatnonzero(~np.isfinite(values))
    said = Faults.of(odd, lambda row: quoted(str(written.iloc[row])) if written.iloc[row] else "blank")
    return NumberColumn(name, values, said, unit)


def labels(name: str, cells: pa.ChunkedArray, most: int = MOST_LABELS) -> LabelColumn:
    """Labels and their codes; those beyond the first ``most`` count as one."""
    if not pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_encode()
    cells = cells.unify_dictionaries()
    if not cells.num_chunks:
        return LabelColumn(name, np.empty(0, dtype=np.int8), ())
    words = cells.chunk(0).dictionary
    code_of: dict[str, int] = {}
    codes = np.full(len(words) + 1, NO_LABEL, dtype=np.int8 if most <= MOST_LABELS else np.int16)  # the last: no label
    codes[2 * most : len(words)] = most  # enough have been seen by then
    for place, word in enumerate(str(word).strip() for word in words.slice(0, 2 * most).to_pylist()):
        if word not in MISSING:
            codes[place] = code_of.setdefault(word, len(code_of)) if len(code_of) < most else code_of.get(word, most)
    codes[codes == most] = len(code_of)
    rest = ("(others)",) if len(code_of) == most or len(words) > 2 * most else ()
    places = [chunk.indices.fill_null(len(words)).to_numpy(zero_copy_only=False) for chunk in cells.chunks]
    picked: NDArray[np.signedinteger] = codes[np.concatenate(places)]
    return LabelColumn(name, picked, (*code_of, *rest))


def clusters(name: str, cells: pa.ChunkedArray) -> ClusterColumn | None:
    """Whose each row is; None where no two rows are the same one's. Whole numbers keep all of their digits."""
    written = pc.utf8_trim_whitespace(cells.cast(pa.string()))
    blank = pc.is_in(written, value_set=pa.array(MISSING))
    encoded = pc.if_else(blank, pa.scalar(None, pa.string()), written).combine_chunks().dictionary_encode()
    codes = encoded.indices.fill_null(NO_LABEL).to_numpy(zero_copy_only=False)
    if len(encoded.dictionary) >= np.count_nonzero(codes != NO_LABEL):
        return None
    texts = encoded.dictionary
    _, ends, data = texts.buffers()
    places = np.frombuffer(ends, np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    words = DistinctTexts(np.frombuffer(data, np.uint8)[places[0] : places[-1]].copy(), places[1:] - places[0])
    return ClusterColumn(name, codes, words)
