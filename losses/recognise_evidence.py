"""What a table is evidence of, by the names of its columns and their first cells: said to a person, who may correct it.

Nothing here looks at how well groups can be told apart, and nothing is decided: names that tell nothing leave it open.
Whether rows are people at all is asked afterwards (``row_questions.curves``).
"""

import re
from collections.abc import Collection, Sequence
from enum import StrEnum

from losses.errors import TableError
from losses.names import names_answers, names_predictions, names_scores
from losses.recognise_columns import ColumnCandidates, Sketch, of_losses, of_predictions, of_scores
from losses.sweeps.roles import are_of_a_sweep
from losses.table import LossTable
from losses.training_labels import says_trained, spaced, training_label

_LOSS = re.compile(r"loss|nll|entropy|perplex|deviance|log.?lik|(^|[^a-z])ce([^a-z]|$)", re.IGNORECASE)
_ATTACK = re.compile(r"lira|rmia|(^|[^a-z])mia([^a-z]|$)|attack|member|leak|inference", re.IGNORECASE)
_OF_AN_ATTACK = re.compile(r"lira|rmia|(^|[^a-z])mia([^a-z]|$)|attack.?score", re.IGNORECASE)
_CERTAINLY_PREDICTED = re.compile(r"logit|prob(?!e|lem)|softmax|sigmoid|y[\W_]?hat|(^|[^a-z])pred(?!ec)", re.IGNORECASE)
_CANARY = re.compile(r"canar|(^|[^a-z])(coin|inserted|included|injected)([^a-z]|$)", re.IGNORECASE)
_WORLD = re.compile(r"(^|[^a-z])(world|hypothesis)s?([^a-z]|$)|(with|contains|has).?(the.?)?(record|target)", re.I)
_RATE = re.compile(
    r"(^|[^a-z])(tpr|fpr|auc|roc|(true|false).?positive|threshold|attack.?type|predictive.?value)s?([^a-z]|$)", re.I
)
_MOST_ANSWERS = 100


class Kind(StrEnum):
    """What a table is evidence of; the values are the words for it."""

    LOSSES = "losses"
    PREDICTIONS = "predictions"
    SCORES = "attack scores"
    CANARIES = "canaries"
    RUNS = "many runs"
    SWEEP = "a sweep"
    RESULTS = "results of an attack"
    UNANSWERED = "predictions without right answers"


_PEOPLE = "If its rows are people, call the column that tells their groups “member”."
REFUSED = {
    Kind.RESULTS: (
        "These are rates, not people.",
        "An audit computes rates and areas itself, with limits that hold: give the score of every single record. "
        + _PEOPLE,
    ),
    Kind.UNANSWERED: (
        "These are predictions without the right answers.",
        "Add the right answer of every record, in a column called y, or give the losses.",
    ),
    Kind.SWEEP: ("This is a sweep of strategies.", f"Weigh it on the page Frontier, under “your own sweep”. {_PEOPLE}"),
}
"""Kinds of tables that are no evidence for an audit: what is wrong, and what to do."""


def recognise(columns: Sequence[Sketch]) -> Kind | None:
    """What a table with these columns is; None where names and cells tell nothing."""
    numbers = [one for one in columns if one.may_be_numbers]
    of_two = [one for one in columns if len(one.cells) == 2]
    if any(_WORLD.search(spaced(one.name)) for one in of_two):
        return Kind.RUNS
    names_canaries = [_CANARY.search(spaced(one.name)) or all(map(_CANARY.search, one.cells)) for one in of_two]
    if any(names_canaries) or _is_each_named(_CANARY, numbers):
        return Kind.CANARIES
    has_groups = any(training_label(one.name, one.cells) for one in of_two) or _is_each_named(_LOSS, numbers)
    if not has_groups and (found := _of_no_people([one.name for one in columns])):
        return found
    if any(_LOSS.search(one.name) for one in numbers):
        return Kind.LOSSES
    if _are_predicted(columns, numbers):
        return Kind.PREDICTIONS
    are_predicted = sum(bool(_CERTAINLY_PREDICTED.search(one.name)) for one in numbers) > 1
    return Kind.UNANSWERED if are_predicted and not of_two else _of_scores(numbers)


def _of_scores(numbers: Sequence[Sketch]) -> Kind | None:
    """Attack scores, where a column of numbers that tells no groups is named like them."""
    measured = [one.name for one in numbers if len(one.cells) > 2 or says_trained(one.name) is None]
    return Kind.SCORES if any(names_scores(name) or _ATTACK.search(name) for name in measured) else None


def fitting(table: LossTable) -> list[Kind]:
    """All that a table may be: what it is recognised as, and attack scores where some stand beside the rest."""
    found = [Kind(table.kind)] if table.kind else []
    if found in ([Kind.LOSSES], [Kind.PREDICTIONS]):
        others = [one.name for one in table.numbers if not _LOSS.search(one.name)]
        if any(_OF_AN_ATTACK.search(name) for name in others):
            found.append(Kind.SCORES)
    return found


def _of_no_people(names: Sequence[str]) -> Kind | None:
    """What a table is whose rows are attacks or strategies; None where its names do not say so."""
    if sum(bool(_RATE.search(spaced(name))) for name in names) > 1:
        return Kind.RESULTS
    return Kind.SWEEP if are_of_a_sweep(names) else None


def columns_of(found: tuple[Sketch, ...], said: str | None = None, named: Collection[str] = ()) -> ColumnCandidates:
    """The columns to keep of a table, by what it is, or by what was ``said`` of it; and those that somebody ``named``.

    Raises TableError where it is no evidence for an audit.
    """
    kind = Kind(said) if said else recognise(found)
    if kind in REFUSED:
        raise TableError(*REFUSED[kind])
    if kind is Kind.PREDICTIONS:
        told = [one for one in found if len(one.cells) == 2 and training_label(one.name, one.cells)]
        numbers, labels, clusters = of_predictions(found)
        numbers = [one for one in numbers if one not in told]
        return ColumnCandidates(numbers, [*told, *(one for one in labels if one not in told)], clusters)
    return (of_scores if kind in (Kind.SCORES, Kind.CANARIES, Kind.RUNS) else of_losses)(found, named)


def _is_each_named(words: re.Pattern[str], numbers: Sequence[Sketch]) -> bool:
    """Whether there is a column of numbers named so for each group: ``in_canary_scores`` and ``out_canary_scores``."""
    named = {says_trained(one.name, is_cell=True) for one in numbers if words.search(one.name)}
    return {True, False} <= named


def _are_predicted(columns: Sequence[Sketch], numbers: Sequence[Sketch]) -> bool:
    """Whether there are right answers, and numbers named like predictions of them, or like the classes."""
    answers = [
        one
        for one in columns
        if names_answers(one.name) and not _CERTAINLY_PREDICTED.search(one.name) and not one.has_fractions
    ]
    answers = [one for one in answers if 1 < len(one.cells) <= _MOST_ANSWERS]
    for number in numbers:
        if number in answers or _ATTACK.search(number.name):
            continue
        is_named = _CERTAINLY_PREDICTED.search(number.name) or (names_predictions(number.name) and _are_shares(number))
        if (answers and is_named) or any(number.name in one.cells for one in answers):
            return True
    return False


def _are_shares(number: Sketch) -> bool:
    """Whether all cells that are numbers lie between 0 and 1."""
    for cell in number.cells:
        try:
            if not 0.0 <= float(cell) <= 1.0:
                return False
        except ValueError:
            continue
    return True
