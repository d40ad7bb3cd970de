"""What a table's columns leave open before any number means anything: are its rows people, and its numbers losses?

Nothing here decides: it gives the question, the page asks it with a control, and the command stops with the option that
answers it.
"""

import re
from collections.abc import Iterable

import numpy as np

from losses.errors import listed, quoted
from losses.membership import spaced
from losses.scores import names_scores, small_means_in
from losses.table import LabelColumn, LossTable, NumberColumn
from losses.wide import group_columns, model_columns

_STEP = re.compile(
    r"(?<![a-z])(steps?|epochs?|iter(ation)?s?|rounds?|epochen?|schritte?|epoques?)(?![a-z])", re.IGNORECASE
)
_VALIDATION = re.compile(r"(?<![a-z])val(id(ation)?)?(?![a-z])", re.IGNORECASE)
_TRAINING = re.compile(r"(?<![a-z])train(ing)?(?![a-z])", re.IGNORECASE)
_EXTREME = re.compile(r"__(min|max)$", re.IGNORECASE)
_ANSWER = re.compile(r"(?<![a-z])(y|labels?|targets?|class|answers?|truth|true)(?![a-z])", re.IGNORECASE)
_PREDICTION = re.compile(
    r"(?<![a-z])(probas?|prob(abilit(y|ies))?s?|pred(ict(ed|ions?)?)?s?|scores?|confidences?)(?![a-z])"
    r"|^p([\W_]?\d+)?$",
    re.IGNORECASE,
)
_LOSS = re.compile(r"loss|nll|entropy", re.IGNORECASE)
_MOST_ANSWERS = 100
_LOOKED_AT = 100_000  # rows
_PEOPLE = "a person"
_CLOSE = 0.01  # to a sum of 1

PEOPLE, STEPS, COPIES = "a person of its own", "a step of training, or an average", "copies: each counts once"
NO_PEOPLE = (
    "These rows are no people.",
    "An audit needs the loss of the final model on every single record: a row each, and a column that tells training "
    "data from fresh data.",
)


def curves(table: LossTable) -> str:
    """Why the rows of a table with a column for each group, or model, may be steps of training; empty if nothing says.

    An index that counts rows, and values in order, are no evidence by themselves.
    """
    names = [column.name for column in table.numbers]
    if not (group_columns(table)[0] or model_columns(table) or not table.labels):
        return ""
    steps = [name for name in table.layout.names if _STEP.search(spaced(name)) and not _LOSS.search(name)]
    if steps and len(names) > 1:
        return f"Column {quoted(steps[0])} looks as if each row were a step of training, not {_PEOPLE}."
    if found := _curves(names):
        return f"Columns {listed(found)} are named like curves of a training, with a step in each row, not {_PEOPLE}."
    return ""


def _curves(names: Iterable[str]) -> list[str]:
    """Columns named as those of the same measurement on training and on validation data, or as its extremes."""
    known = {_bare(name): name for name in names if not _VALIDATION.search(spaced(name))}
    for name in names:
        if _VALIDATION.search(spaced(name)) and (other := known.get(_bare(name))):
            return [other, name]
    extremes = [name for name in names if _EXTREME.search(name)]
    return extremes if len({_EXTREME.sub("", name) for name in extremes}) < len(extremes) else []


def _bare(name: str) -> str:
    """A name without the words for training and validation."""
    without = _TRAINING.sub(" ", _VALIDATION.sub(" ", spaced(name)))
    return " ".join(re.split(r"[\W_]+", without.casefold())).strip()


def predictions(table: LossTable) -> str:
    """Why numbers may be predictions with their right answers; empty if nothing says so."""
    if any(_LOSS.search(name) for name in table.layout.names):
        return ""
    columns: tuple[LabelColumn | NumberColumn, ...] = (*table.labels, *table.numbers)
    answers = [column.name for column in columns if _may_be_answers(column)]
    found = [
        one.name
        for one in table.numbers
        if one.name not in answers and _PREDICTION.search(spaced(one.name)) and _in_0_1(one)
    ]
    if not answers or not found:
        return ""
    shown = listed(found, 3)
    are = "looks like predictions" if len(found) == 1 else "look like predictions"
    return f"{shown} {are}, with the right answers in {quoted(answers[0])}: predictions are no losses."


def _may_be_answers(column: LabelColumn | NumberColumn) -> bool:
    if not _ANSWER.search(spaced(column.name)) or _PREDICTION.search(spaced(column.name)):
        return False
    if isinstance(column, LabelColumn):
        return 1 < len(column.labels) <= _MOST_ANSWERS
    start = column.values[:_LOOKED_AT]
    return 1 < len(np.unique(start[np.isfinite(start)])) <= _MOST_ANSWERS


def _in_0_1(column: NumberColumn) -> bool:
    known = column.values[np.isfinite(column.values)]
    return len(known) > 0 and bool(known.min() >= 0.0) and bool(known.max() <= 1.0)


def scores(name: str) -> str:
    """Why the numbers of a column may be no losses but scores; empty if its name says nothing."""
    if _LOSS.search(name) or small_means_in(name):
        return ""
    if names_scores(name) or _PREDICTION.search(spaced(name)):
        return f"Column {quoted(name)} is named like scores, not like losses."
    return ""
