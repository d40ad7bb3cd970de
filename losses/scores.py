"""Attack scores, each with a label of two values: a number in every row, and whether its record was in."""

import re

from losses import columns
from losses.cells import MOST_CLASSES
from losses.columns import ColumnCandidates, Sketch
from losses.dependence import names_clusters, names_models, names_records
from losses.layout import NOTHING, KnownLayout
from losses.reading import read_table
from losses.table import LossTable

_SCORE = re.compile(r"score|statistic|lira|rmia|attack|logit|observ|confiden|(^|[^a-z])stat([^a-z]|$)", re.I)
_SMALL = re.compile(r"loss|nll|cross.?ent|deviance|perplex|error|(^|[^a-z])ce([^a-z]|$)|p.?value", re.IGNORECASE)
_GUESS = re.compile(r"guess|decision|verdict", re.IGNORECASE)  # made of scores


def read_scores(data: bytes | bytearray, known: KnownLayout = NOTHING) -> LossTable:
    """Read a table of attack scores as loss tables are read; columns that name records are kept as clusters.

    Args:
        data: the file's bytes.
        known: what of a text table's layout need not be found.

    Raises:
        TableError: the file cannot be read as a table with a column of numbers.
    """
    return read_table(data, known=known, choose=_chosen, most_labels=MOST_CLASSES)


def _chosen(found: tuple[Sketch, ...]) -> ColumnCandidates:
    """Columns of scores, those named so first; of labels, the likeliest to tell who was in first; and of records."""
    numbers, labels = columns.chosen(found)
    columns.refuse_other_numbers(numbers, "score")
    numbers.sort(key=lambda one: (bool(_GUESS.search(one.name)), not names_scores(one.name)))
    clusters = [one for one in found if _is_cluster(one) and not (one in labels and len(one.cells) <= 2)]
    words = [one for one in found if not one.may_be_numbers and one not in labels]
    words.sort(key=lambda one: not one.repeats)
    texts = [one for one in (*labels, *words) if one not in clusters]
    return ColumnCandidates(numbers, texts[: columns.MOST_READ], clusters[: columns.MOST_READ])


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
