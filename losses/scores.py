"""Attack scores, each with a label of two values: a number in every row, and whether its record was in."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from losses import columns
from losses.cells import MOST_CLASSES
from losses.columns import Chosen, Sketch
from losses.corrections import NOTHING, Corrections
from losses.dependence import names_clusters, names_models, names_records
from losses.groups import check_two_labels
from losses.reading import read_table
from losses.table import AnyColumn, LossTable
from numerics.trade_off import Floats

_SCORE = re.compile(r"score|statistic|lira|rmia|attack|logit|observ|confiden|(^|[^a-z])stat([^a-z]|$)", re.I)
_SMALL = re.compile(r"loss|nll|cross.?ent|deviance|perplex|error|(^|[^a-z])ce([^a-z]|$)|p.?value", re.IGNORECASE)
_GUESS = re.compile(r"guess|decision|verdict", re.IGNORECASE)  # made of scores


@dataclass(frozen=True, eq=False)
class Labelled:
    """Scores and whether each record was in, in the file's order.

    Attributes:
        values: (n,); large ones speak for "in".
        is_in: (n,).
        columns: the other columns of the same rows, by name.
        dropped: rows that were left out.
        rows: (n,) which of the table's each is, from 0.
    """

    values: Floats
    is_in: NDArray[np.bool_]
    columns: dict[str, AnyColumn]
    dropped: int
    rows: NDArray[np.intp]


def read_scores(data: bytes | bytearray, known: Corrections = NOTHING) -> LossTable:
    """Read a table of attack scores as loss tables are read; columns that name records are kept as clusters.

    Args:
        data: the file's bytes.
        known: what of a text table's layout need not be found.

    Raises:
        TableError: the file cannot be read as a table with a column of numbers.
    """
    return read_table(data, known=known, choose=_chosen, most_labels=MOST_CLASSES)


def _chosen(found: tuple[Sketch, ...]) -> Chosen:
    """Columns of scores, those named so first; of labels, the likeliest to tell who was in first; and of records."""
    numbers, labels = columns.chosen(found)
    columns.refuse_other_numbers(numbers, "score")
    numbers.sort(key=lambda one: (bool(_GUESS.search(one.name)), not names_scores(one.name)))
    clusters = [one for one in found if _is_cluster(one) and not (one in labels and len(one.cells) <= 2)]
    words = [one for one in found if not one.may_be_numbers and one not in labels]
    texts = [one for one in (*labels, *words) if one not in clusters]
    return Chosen(numbers, texts[: columns.MOST_READ], clusters[: columns.MOST_READ])


def _is_cluster(one: Sketch) -> bool:
    """Whether its cells name records, or others to whom several rows belong."""
    if one.may_be_numbers:
        return names_clusters(one.name) and len(one.cells) > 2
    return names_records(one.name) or names_clusters(one.name) or names_models(one.name)


def small_means_in(name: str) -> bool:
    """Whether a column's name says that small numbers speak for "in": losses, errors, p-values."""
    return _SMALL.search(name) is not None and _SCORE.search(name) is None


def names_scores(name: str) -> bool:
    """Whether a column is called like scores, and not like what was made of them."""
    return _SCORE.search(name) is not None and _GUESS.search(name) is None


def labelled(
    table: LossTable,
    name: str,
    membership: str,
    member: str,
    drop: bool = False,
    negate: bool = False,
    needed: Sequence[str] = (),
) -> Labelled:
    """The scores of a table, and who was in.

    Args:
        table: what ``read_scores`` found.
        name: the column with the scores.
        membership: the column that tells who was in.
        member: its label for "in".
        drop: leave out rows without a usable score or label, instead of stopping there.
        negate: small scores speak for "in": their signs are turned.
        needed: other columns without which a row cannot be used.

    Raises:
        TableError: the membership has more or fewer than two labels, or rows cannot be used.
    """
    scores, labels = table.number(name), table.label(membership)
    check_two_labels(labels, member)
    is_usable = scores.usable(drop) & labels.usable(drop)
    taken = {name, membership}
    every: list[AnyColumn] = [*table.numbers, *table.labels, *table.clusters]
    for column in (one for one in every if one.name in needed):
        is_usable &= column.usable(drop)
    rest = [column for column in every if column.name not in taken]
    values, is_in = scores.values, labels.codes == labels.labels.index(member)
    dropped = int(np.count_nonzero(~is_usable))
    if dropped:
        values, is_in, rest = values[is_usable], is_in[is_usable], [column.at(is_usable) for column in rest]
    others = {column.name: column for column in rest}
    return Labelled(-values if negate else values, is_in, others, dropped, np.flatnonzero(is_usable))
