"""Columns with cells that are not what they should be: read cell by cell, and the odd ones counted and quoted."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from losses.errors import quoted
from losses.header import MISSING
from losses.layout import Layout
from losses.table import NO_LABEL, Faults, LabelColumn, NumberColumn

EXAMPLES = 3
MOST_LABELS = 100  # different labels; more are no labels


def numbers(name: str, cells: pa.ChunkedArray, layout: Layout) -> NumberColumn:
    """Numbers with a decimal comma, marks between thousands, a plus sign, a long minus, text between them ..."""
    written = pc.replace_substring(pc.utf8_trim_whitespace(cells), "\u2212", "-").to_pandas()
    plain = written.map(layout.plain) if layout.grouped else written
    if layout.decimal == "," and not layout.grouped:
        plain = written.str.replace(",", ".", regex=False)
    values = np.array(pd.to_numeric(plain, errors="coerce"), dtype=np.float64)
    odd = np.flatnonzero(~np.isfinite(values))
    examples = tuple(f"row {row + 1:,}: {_worded(str(written.iloc[row]))}" for row in odd[:EXAMPLES])
    return NumberColumn(name, values, Faults(len(odd), examples))


def _worded(cell: str) -> str:
    return quoted(cell) if cell else "blank"


def labels(name: str, cells: pa.ChunkedArray) -> LabelColumn:
    """Labels and their codes; those beyond the first ``MOST_LABELS`` count as one."""
    if pa.types.is_dictionary(cells.type):
        cells = cells.cast(pa.string())
    encoded = pc.utf8_trim_whitespace(cells).combine_chunks().dictionary_encode()
    words = [str(word) for word in encoded.dictionary.to_pylist()]
    places = encoded.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    kept = [place for place, word in enumerate(words) if word not in MISSING][:MOST_LABELS]
    codes = np.full(len(words) + 1, NO_LABEL, dtype=np.int8)  # the last one is for cells without a label
    codes[kept] = np.arange(len(kept))
    for place, word in enumerate(words):
        if word not in MISSING and place not in kept:
            codes[place] = len(kept)
    rest = ("(others)",) if len(kept) == MOST_LABELS else ()
    return LabelColumn(name, (*(words[place] for place in kept), *rest), codes[places])
