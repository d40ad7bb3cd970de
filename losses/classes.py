"""Which class a label names, and which columns are predictions: by their names, or by their numbers and order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from os.path import commonprefix

import numpy as np

from losses.cells import MOST_CLASSES
from losses.errors import TableError, quoted
from losses.names import names_answers, names_predictions
from losses.table import (
    LARGEST_WHOLE,
    NO_LABEL,
    AnyColumn,
    ClusterColumn,
    LabelColumn,
    LossTable,
    NumberColumn,
    number_as_text,
)

_NO_SCORE = re.compile(
    r"loss|nll|member|split|(^|[^a-z])(id|idx|index|row|epoch|instance|model)([^a-z]|$)", re.IGNORECASE
)
_YES = ("1", "1.0", "true", "t", "yes", "y", "positive", "pos")


class Naming(StrEnum):
    """How a label names the column of its class."""

    NAMES = "by the column's name"
    FROM_ZERO = "by its number, from 0"
    FROM_ONE = "by its number, from 1"
    ORDER = "by its place among the sorted labels"


@dataclass(frozen=True)
class ClassColumns:
    """Columns that look like predictions and like the right answers."""

    scores: tuple[str, ...]
    label: str


def as_labels(table: LossTable, name: str) -> LabelColumn:
    """The labels in a column, be it one of labels or of numbers.

    Raises TableError for a column of more than ``MOST_CLASSES`` different cells, or of numbers beyond 2^53.
    """
    return labels_of(table.column(name))


def labels_of(numbers: AnyColumn) -> LabelColumn:
    """The labels of a column of any kind; raises TableError as ``as_labels``."""
    name = numbers.name
    if isinstance(numbers, LabelColumn):
        return numbers
    if isinstance(numbers, ClusterColumn):
        _check_classes(name, len(numbers.words))
        return LabelColumn(name, numbers.codes, tuple(numbers.words))
    if np.any(np.abs(numbers.values[np.isfinite(numbers.values)]) > LARGEST_WHOLE):
        what = f"The column {quoted(name)} has whole numbers beyond 2^53, some of which cannot be told apart."
        raise TableError(what, "Write them as text, such as m1234, or number what they name: 1, 2, 3, ...")
    different, codes = np.unique(numbers.values, return_inverse=True)
    usable = np.isfinite(different)
    _check_classes(name, int(np.count_nonzero(usable)))
    code_of = np.where(usable, np.cumsum(usable) - 1, NO_LABEL).astype(np.int16)
    return LabelColumn(name, code_of[codes], tuple(map(number_as_text, different[usable].tolist())))


def joint_labels(columns: Sequence[LabelColumn]) -> LabelColumn:
    """One label for each combination that occurs: "model 1, epoch 5". Blank where one of them is.

    Raises TableError where these are too many.
    """
    if len(columns) == 1:
        return columns[0]
    name = " and ".join(column.name for column in columns)
    codes, is_blank = np.zeros(len(columns[0].codes), np.int64), np.zeros(len(columns[0].codes), bool)
    for column in columns:
        is_blank |= column.codes == NO_LABEL
        codes = codes * (len(column.labels) + 1) + column.codes
        present, codes = np.unique(codes, return_inverse=True)
    different, first = np.unique(np.where(is_blank, NO_LABEL, codes), return_index=True)
    _check_classes(name, len(different))
    rows = [row for code, row in zip(different, first, strict=True) if code != NO_LABEL]
    labels = tuple(", ".join(f"{one.name} {one.labels[one.codes[row]]}" for one in columns) for row in rows)
    place = np.full(len(present), NO_LABEL, np.int16)
    place[codes[rows]] = np.arange(len(rows))
    return LabelColumn(name, np.where(is_blank, NO_LABEL, place[codes]).astype(np.int16), labels)


def _check_classes(name: str, count: int) -> None:
    if count > MOST_CLASSES:
        what = f"The column {quoted(name)} has {count:,} different cells."
        raise TableError(what, f"Labels name one of at most {MOST_CLASSES:,} classes; choose another column.")


def positive_label(labels: Sequence[str]) -> str | None:
    """Which of two labels means yes; None where neither or both are words for it."""
    found = [label for label in labels if label.lower() in _YES]
    return found[0] if len(found) == 1 else None


def places_of(scores: Sequence[str], labels: Sequence[str], naming: Naming) -> list[int] | None:
    """The column of each label's class; None where some label has none."""
    if naming is Naming.NAMES:
        columns = {name: place for place, name in enumerate(_without_common_start(scores))}
        columns |= {name: place for place, name in enumerate(scores)}
        wanted: Sequence[str] = labels
    elif naming is Naming.ORDER:
        if len(labels) != len(scores):
            return None
        wanted, columns = labels, {label: place for place, label in enumerate(sorted(labels, key=_sorting))}
    else:
        first = int(naming is Naming.FROM_ONE)
        columns = {str(place + first): place for place in range(len(scores))}
        wanted = [label.removesuffix(".0") for label in labels]
    return [columns[label] for label in wanted] if all(label in columns for label in wanted) else None


def _sorting(label: str) -> tuple[bool, float, str]:
    """Numbers by their size, before words."""
    try:
        return False, float(label), label
    except ValueError:
        return True, 0.0, label


def _without_common_start(names: Sequence[str]) -> list[str]:
    """``prob_cat`` and ``prob_dog`` are cat and dog: the start up to the last mark that all of them share."""
    common = commonprefix(names)  # noqa: RUF071 - of characters
    start = re.match(r".*[^A-Za-z0-9]", common)
    letters = re.split(r"[0-9]", names[0])[0] if names else ""  # x0, x1, ...
    length = start.end() if start else len(letters) if common.startswith(letters) else 0
    return [name[length:] for name in names]


def guess(table: LossTable) -> ClassColumns | None:
    """Which columns hold predictions and which the right answers; None where names and numbers do not tell."""
    names = list(table.layout.names)
    numbers = {column.name: column for column in table.numbers}
    readable = [name for name in names if name in numbers or any(name == column.name for column in table.labels)]
    truths = [
        name for name in readable if names_answers(name) and not (name in numbers and _has_fractions(numbers[name]))
    ]
    if not truths:
        return None
    label = next((name for name in truths if not names_predictions(name)), truths[0])
    candidates = [name for name in readable if name in numbers and name != label and not _NO_SCORE.search(name)]
    named = [name for name in candidates if names_predictions(name)]
    if not named:
        words = set(as_labels(table, label).labels)
        named = [name for name in candidates if name in words]
    scores = named or [name for name in candidates if _has_fractions(numbers[name])]
    return ClassColumns(tuple(scores), label) if scores else None


def _has_fractions(column: NumberColumn) -> bool:
    start = column.values[:1000]
    return bool(np.any(start[np.isfinite(start)] % 1))
