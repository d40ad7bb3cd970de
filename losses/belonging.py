"""Columns of a table in memory by which rows may belong together: of one person, or of one of several models."""

from collections.abc import Collection, Iterator, Mapping

import numpy as np

from losses.dependence import names_clusters, names_models
from losses.errors import TableError, quoted
from losses.table import LossTable

_LOOKED_AT = 1000


def few_valued(table: LossTable) -> Iterator[tuple[str, int]]:
    """Columns whose rows may belong together by them, with how many different cells each has."""
    counts = {column.name: len(column.labels) for column in table.labels}
    counts |= {column.name: len(column.words) for column in table.clusters}
    for column in table.numbers:
        start = column.values[:_LOOKED_AT]
        if names_models(column.name) or not np.any(start[np.isfinite(start)] % 1.0):
            counts[column.name] = len(np.unique(column.values[np.isfinite(column.values)]))
    yield from ((name, count) for name, count in counts.items() if 1 < count < table.rows)


def refuse_pooled(table: LossTable, taken: Collection[str]) -> None:
    """Raise TableError where a column's name says that rows belong together, unless it is ``taken`` for something."""
    refuse_together({name: count for name, count in few_valued(table) if name not in taken})


def refuse_together(counts: Mapping[str, int]) -> None:
    """Raise TableError where one of these columns, with so many different cells, is named as of models or persons."""
    for name, count in counts.items():
        if names_models(name):
            raise TableError(
                f"Column {quoted(name)} tells {count:,} models, or states of one: pooled rows are not one model's.",
                f"Audit all: --model-column {name}, or one: --model VALUE, too. Or say that all are one's: "
                f"--independent {name}.",
            )
    for name, count in counts.items():
        if names_clusters(name):
            raise TableError(
                f"Column {quoted(name)} has {count:,} different cells: several rows of one person are no independent "
                "evidence.",
                f"Count one row of each: --cluster {name}. Or say that rows are independent: --independent {name}.",
            )
