"""What a table's columns leave open before any number means anything: are its rows people, and its numbers losses?

Nothing here decides: it gives the question, the page asks it with a control, and the command stops with the option that
answers it.
"""

import re
from collections.abc import Iterable, Sequence

import numpy as np

from losses.errors import TableError, listed, quoted
from losses.long_form import group_columns, model_columns
from losses.names import names_answers, names_models, names_predictions, names_scores, small_means_in
from losses.recognise_columns import Sketch, clear_number, refuse_too_many_alike
from losses.roles import check_two_labels
from losses.table import LabelColumn, LossTable, NumberColumn
from losses.training_labels import spaced
from numerics.epsilon_star import SMALLEST_GROUP

_STEP = re.compile(
    r"(?<![a-z])(steps?|epochs?|iter(ation)?s?|rounds?|epochen?|schritte?|epoques?)(?![a-z])", re.IGNORECASE
)
_COUNTED = re.compile(r"(?<![a-z])(batch(es)?|tokens?|minibatch(es)?|updates?)(?![a-z])", re.IGNORECASE)
_VALIDATION = re.compile(r"(?<![a-z])val(id(ation)?)?(?![a-z])", re.IGNORECASE)
_TRAINING = re.compile(r"(?<![a-z])train(ing)?(?![a-z])", re.IGNORECASE)
_EXTREME = re.compile(r"__(min|max)$", re.IGNORECASE)
_LOSS = re.compile(r"loss|nll|entropy", re.IGNORECASE)
_MOST_ANSWERS = 100
_LOOKED_AT = 100_000  # rows
_SKETCHED = 1000
_PEOPLE = "a person"
_FEW_ROWS = 2  # of a step and a group, on average
_ALMOST_ALL = 0.9

PEOPLE, STEPS, COPIES = "a person of its own", "a step of training, or an average", "copies: each counts once"
ROWS = "--rows copies (each counts once), or --rows people (each is a person of its own)."
NUMBERS = {"loss": "losses", "score": "scores"}
NO_PEOPLE = (
    "These rows are no people.",
    "An audit needs the loss of the final model on every single record: a row each, and a column that tells training "
    "data from fresh data.",
)


def curves(table: LossTable) -> str:
    """Why the rows of a table, in any layout, may be steps of training; empty if nothing says so.

    An index that counts rows, and values in order, are no evidence by themselves.
    """
    names = [column.name for column in table.numbers]
    is_wide = bool(group_columns(table)[0]) or not table.labels
    steps = [name for name in table.layout.names if _may_be_steps(table, name, is_wide)]
    if steps and len(names) > 1:
        return f"Column {quoted(steps[0])} looks as if each row were a step of training, not {_PEOPLE}."
    is_long = not is_wide and any(len(column.labels) == 2 for column in table.labels)
    if not is_long and (found := _curves(names)):
        return f"Columns {listed(found)} are named like curves of a training, with a step in each row, not {_PEOPLE}."
    return ""


def _may_be_steps(table: LossTable, name: str, is_wide: bool) -> bool:
    """Whether a column may number the steps: its name says so, and its cells where the name may mean other things."""
    words = spaced(name)
    if _LOSS.search(name) or name in model_columns(table):
        return False
    if is_wide and _STEP.search(words):
        return True
    return bool(_STEP.search(words) or _COUNTED.search(words)) and _run_like_steps(table, name)


def _run_like_steps(table: LossTable, name: str) -> bool:
    """Whether few rows of a group (of a model) share a value of a column, and values run evenly, or in all groups.

    People take steps, too: numbers of their own do neither.
    """
    kept = {column.name: column for column in table.columns}
    if name not in kept:
        return False
    told = [*table.labels[:1], *(one for one in kept.values() if names_models(one.name) and one.name != name)]
    step, *others = (one.codes[:_LOOKED_AT].astype(np.int64) for one in (kept[name], *told))
    each, different = step, np.unique(step)
    for codes in others:
        each = np.unique(each * (codes.max() + 2) + codes + 1, return_inverse=True)[1]
    if len(different) <= _FEW_ROWS or len(step) > _FEW_ROWS * len(np.unique(each)):
        return False
    groups = [np.unique(step[others[0] == code]) for code in np.unique(others[0])] if table.labels else []
    smallest = min(groups, key=len, default=different)
    if sum(np.isin(smallest, one).mean() >= _ALMOST_ALL for one in groups) > 1:
        return True
    number = kept[name]
    if not isinstance(number, NumberColumn):
        return False
    gaps = np.diff(np.unique(number.values[:_LOOKED_AT][number.is_usable[:_LOOKED_AT]]))
    return bool(np.mean(np.isclose(gaps, np.median(gaps))) >= _ALMOST_ALL)


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
    answers, found = list[str](), list[str]()
    for one in columns:
        if names_answers(one.name) and not names_predictions(one.name):
            start = np.empty(0) if isinstance(one, LabelColumn) else one.values[:_LOOKED_AT]
            different = one.labels if isinstance(one, LabelColumn) else np.unique(start[np.isfinite(start)])
            if 1 < len(different) <= _MOST_ANSWERS:
                answers.append(one.name)
    for number in table.numbers:
        known = number.values[number.is_usable]
        is_named = names_predictions(number.name) and number.name not in answers
        if is_named and len(known) and known.min() >= 0.0 and known.max() <= 1.0:
            found.append(number.name)
    if not answers or not found:
        return ""
    are = "looks like predictions" if len(found) == 1 else "look like predictions"
    return f"{listed(found, 3)} {are}, with the right answers in {quoted(answers[0])}: predictions are no losses."


def clear_losses(numbers: Sequence[NumberColumn]) -> str | None:
    """The column of numbers that holds the losses: the only one, or the only one named so; None where that is open."""
    sketches = []
    for one in numbers:
        known = one.values[:_SKETCHED][one.is_usable[:_SKETCHED]]
        sketches.append(Sketch(0, one.name, 1.0, tuple(map(str, np.unique(known))), bool(np.any(known % 1.0))))
    return clear_number(sketches)


def clear_scores(names: Sequence[str]) -> str | None:
    """The column of numbers that holds the scores: the only one, or the only one named so; None where that is open."""
    called = [name for name in names if names_scores(name)] or [name for name in names if small_means_in(name)]
    return names[0] if len(names) == 1 else called[0] if len(called) == 1 else None


def refuse_several(names: Sequence[str], kind: str = "loss") -> TableError:
    """What to say where nothing tells which column is meant."""
    what = f"Several columns may hold the {NUMBERS[kind]}: {listed(list(names))}."
    return TableError(what, f"Name one: --{kind} COLUMN.")


def scores(name: str) -> str:
    """Why the numbers of a column may be no losses but scores; empty if its name says nothing."""
    if _LOSS.search(name) or small_means_in(name):
        return ""
    if names_scores(name) or names_predictions(name):
        return f"Column {quoted(name)} is named like scores, not like losses."
    return ""


def check_any_layout(table: LossTable, fewest: int = SMALLEST_GROUP) -> None:
    """Raise TableError for a table that no choice of columns makes two groups of ``fewest`` rows, in any layout.

    Raises it, too, where columns of models were left out for their number. What may be no table of people is not told
    how to become one: that is asked first, and ``check_groups`` comes after the answer.
    """
    if not curves(table):
        check_groups(table, fewest)


def check_groups(table: LossTable, fewest: int = SMALLEST_GROUP) -> None:
    """The same of a table of people, whatever it looks like."""
    refuse_too_many_alike([column.name for column in table.numbers], table.layout.names)
    if group_columns(table)[0]:
        return
    if not table.labels:
        raise TableError(
            "The file has no column that tells members from outsiders.",
            "Add one with two different labels, or give each group as a file of its own.",
        )
    of_two = [column for column in table.labels if len(column.labels) == 2]
    if not of_two:
        check_two_labels(table.labels[0], next(iter(table.labels[0].labels), ""))
    size = max(min(column.counts.values()) for column in of_two)
    if size < fewest:
        raise TableError(
            f"One group has {size:,} rows; at least {fewest:,} are needed, and thousands to see anything.",
            "Upload more rows of this group.",
        )
