"""Columns of a sweep as codes: which rows are alike in some of them."""

from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from losses.errors import TableError, quoted
from losses.table import LossTable

MOST_STRATEGIES = 30_000

Rows = NDArray[np.intp]


def paired(codes: Rows, others: Rows) -> Rows:
    """Codes of the pairs, numbered in the order they come."""
    return _in_order(codes * (int(others.max()) + 2) + others + 1)[0]


def _in_order(values: NDArray[Any]) -> tuple[Rows, NDArray[Any]]:
    """Codes (n,) of the different values, numbered in the order they come, and those; -1 for what is not a number."""
    encoded = pa.array(values + 0, from_pandas=True).dictionary_encode()  # -0.0 is 0.0
    return encoded.indices.fill_null(-1).to_numpy().astype(np.intp), encoded.dictionary.to_numpy()


def codes_of(table: LossTable, name: str) -> tuple[Rows, list[str]]:
    """A column as codes (n,) into its different cells as text; -1 for a blank one.

    Raises TableError for a column of words with more than ``MOST_STRATEGIES`` different ones.
    """
    column = next((one for one in table.labels if one.name == name), None)
    if column is None:
        codes, different = _in_order(table.number(name).values)
        return codes, [str(int(value)) if value % 1 == 0 else f"{value:.12g}" for value in different]
    if len(column.labels) > MOST_STRATEGIES:
        what = f"The column {quoted(name)} has more than {MOST_STRATEGIES:,} different cells."
        raise TableError(what, "Choose another column for strategies or hyperparameters.")
    return column.codes.astype(np.intp), list(column.labels)


def repeats(codes: Rows, runs: Rows) -> NDArray[np.bool_]:
    """Which rows (n,) are the same run, of those that have a number, as an earlier row with the same code."""
    pairs = paired(codes, runs)
    again = np.ones(len(pairs), dtype=bool)
    again[np.unique(pairs, return_index=True)[1]] = False
    found: NDArray[np.bool_] = again & (runs >= 0)
    return found
