"""Columns with cells that are not what they should be: read cell by cell, and the odd ones counted and quoted."""

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from losses.errors import quoted
from losses.header import MISSING
from losses.layout import Layout
from losses.table import NO_LABEL, UNIT, Faults, LabelColumn, NumberColumn

MOST_LABELS = 100  # different labels; more are no labels
MOST_CLASSES = 10_000


def numbers(name: str, cells: pa.ChunkedArray, layout: Layout, unit: float = UNIT) -> NumberColumn:
    """Numbers with a decimal comma, marks between thousands, a plus sign, a long minus, text between them ..."""
    import pandas as pd  # 0.15 s of every start, and few columns are as odd

    written = pc.replace_substring(pc.utf8_trim_whitespace(cells), "\u2212", "-").to_pandas()
    plain = written.map(layout.plain) if layout.grouped else written
    if layout.decimal == "," and not layout.grouped:
        plain = written.str.replace(",", ".", regex=False)
    values = np.array(pd.to_numeric(plain, errors="coerce"), dtype=np.float64)
    odd = np.flatnonzero(~np.isfinite(values))
    return NumberColumn(name, values, Faults.of(odd, lambda row: _worded(str(written.iloc[row]))), unit)


def _worded(cell: str) -> str:
    return quoted(cell) if cell else "blank"


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
