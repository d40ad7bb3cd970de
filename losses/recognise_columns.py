"""Which columns hold the losses, and which one tells members from outsiders: guessed from names and cells."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from losses.errors import TableError, listed, quoted
from losses.layout import MISSING, Layout
from losses.names import (
    is_made_of_scores,
    mentions_models,
    names_clusters,
    names_models,
    names_records,
    names_scores,
)
from losses.table import UNIT
from losses.training_labels import says_trained, training_label

MOST_READ = 16  # columns of a kind; a person chooses among them
MOST_ALIKE = 200  # columns that are named alike but for a number: a model each
_MOST_LABELS = 20
SAYS_IT = 4  # of ``likely_losses``: what a telling name counts at the least
_PLAIN = 100  # cells that are looked at for their decimals
_FLOAT_DIGITS = 9  # no float32 needs more

_DIGIT = re.compile(r"\d")
_LAST_WORD = re.compile(r"[^a-z]+[a-z]+$", re.IGNORECASE)
_LOSS = re.compile(r"loss|nll|cross.?ent|log.?lik|deviance", re.IGNORECASE)
_SCORE = re.compile(r"score|logit|(^|[^a-z])ce([^a-z]|$)|error", re.IGNORECASE)
_NO_LOSS = re.compile(
    r"(^|[^a-z])(id|idx|index|row|nr|no|number|epoch|step|seed|fold|acc|f1|auc|precision|recall|correct)([^a-z]|$)|"
    r"unnamed|accura",
    re.IGNORECASE,
)
_NAMED = {"loss": _LOSS, "score": re.compile(f"{_LOSS.pattern}|{_SCORE.pattern}", re.IGNORECASE)}
_GROUP = re.compile(r"split|subset|partition|(^|[^a-z])(group|set|worlds?)([^a-z]|$)", re.IGNORECASE)
_NO_MEMBERSHIP = re.compile(r"(^|[^a-z])(y|label|class|target|correct|pred\w*|outcome)([^a-z]|$)", re.IGNORECASE)


@dataclass(frozen=True)
class Sketch:
    """A column as far as the probed rows show it: its place, name, share of numbers, and its different cells.

    ``unit`` is the spacing next to 1 of the numbers as they are written; ``filled`` is how many cells there are.
    """

    place: int
    name: str
    numeric: float
    cells: tuple[str, ...]
    has_fractions: bool
    unit: float = UNIT
    filled: int = 0

    @classmethod
    def of(cls, place: int, name: str, filled: Sequence[str], numbers: Sequence[str], unit: float = UNIT) -> "Sketch":
        """Of ``filled`` cells as they are written, those that are ``numbers`` with a point as decimal mark."""
        fractions = any(any(mark in cell for mark in ".eE") for cell in numbers)
        share = len(numbers) / len(filled) if filled else 0.0
        return cls(place, name, share, tuple(dict.fromkeys(filled)), fractions, unit, len(filled))

    @property
    def repeats(self) -> bool:
        """Some of its cells are equal."""
        return len(self.cells) < self.filled

    @property
    def may_be_measured(self) -> bool:
        """Its cells are numbers with fractions, each another one."""
        return self.may_be_numbers and self.has_fractions and not self.repeats

    @property
    def may_be_numbers(self) -> bool:
        """Half of its cells are numbers."""
        return self.numeric >= 0.5

    @property
    def may_be_labels(self) -> bool:
        """It has few different cells; numbers only where they are two, or where the name says so."""
        few = 0 < len(self.cells) <= _MOST_LABELS and not _LOSS.search(self.name)
        return few and (self.numeric < 0.5 or len(self.cells) <= 2 or self.is_named_membership)

    @property
    def is_named_membership(self) -> bool:
        """Its name speaks of groups, or of one of them, and not of losses."""
        is_measured = _LOSS.search(self.name) or _SCORE.search(self.name)
        return not is_measured and (bool(_GROUP.search(self.name)) or says_trained(self.name) is not None)

    @property
    def likely_losses(self) -> int:
        """How much speaks for a column of losses."""
        named = (
            8 * bool(_LOSS.search(self.name))
            + 4 * bool(_SCORE.search(self.name))
            - 4 * bool(_NO_LOSS.search(self.name))
        )
        return named + 2 * self.has_fractions + (len(self.cells) > 2) - 6 * self.is_named_membership

    @property
    def likely_membership(self) -> int:
        """How much speaks for a column of memberships; only what is positive is worth a guess."""
        known = training_label(self.name, self.cells) is not None
        named = 4 * self.is_named_membership - 4 * bool(_NO_MEMBERSHIP.search(self.name))
        return named + 2 * known - 8 * bool(_LOSS.search(self.name))


class ColumnCandidates(NamedTuple):
    """Columns that may be the numbers looked for, those that may be labels, and those that say whose rows are."""

    numbers: list[Sketch]
    labels: list[Sketch]
    clusters: list[Sketch]


def of_losses(found: tuple[Sketch, ...], named: Collection[str] = ()) -> ColumnCandidates:
    """The columns of a table of losses, with those that somebody ``named``, whatever they are called.

    Raises TableError when no column holds numbers, or none that may be losses.
    """
    wanted = [one for one in found if one.name in named]
    of_numbers = [one for one in wanted if one.may_be_numbers and len(one.cells) > 2]
    if of_numbers:
        numbers, labels = _apart(found)
    else:
        numbers, labels = chosen(found)
        refuse_other_numbers(numbers)
    named_labels = [one for one in wanted if len(one.cells) <= _MOST_LABELS]
    return ColumnCandidates(
        list(dict.fromkeys((*numbers, *of_numbers))),
        list(dict.fromkeys((*labels, *named_labels))),
        list(dict.fromkeys((*clusters(found, labels), *(one for one in wanted if one not in named_labels)))),
    )


def of_predictions(found: tuple[Sketch, ...]) -> ColumnCandidates:
    """All columns of a table of predictions, in their order; raises TableError when none holds numbers."""
    numbers = [one for one in found if one.may_be_numbers]
    labels = [one for one in found if not one.may_be_numbers]
    return ColumnCandidates(numbers, labels, clusters(found, chosen(found)[1]))


def of_scores(found: tuple[Sketch, ...], named: Collection[str] = ()) -> ColumnCandidates:
    """The columns of a table of attack scores: those named so first, and columns that name records among clusters.

    Those that somebody ``named`` are kept, whatever they are called.
    """
    numbers, labels = chosen(found)
    refuse_other_numbers(numbers, "score")
    numbers.sort(key=lambda one: (is_made_of_scores(one.name), not names_scores(one.name)))
    texts = [one for one in found if not one.may_be_numbers and not (one in labels and len(one.cells) <= 2)]
    telling = [one for one in texts if names_records(one.name) or names_clusters(one.name) or names_models(one.name)]
    numbered = [one for one in found if one.may_be_numbers and names_clusters(one.name) and len(one.cells) > 2]
    clusters = sorted((*telling, *numbered), key=lambda one: one.place)
    words = [one for one in found if not one.may_be_numbers and one not in labels]
    words.sort(key=lambda one: not one.repeats)
    texts = [one for one in (*labels, *words) if one not in clusters]
    kept = [*numbers, *texts[:MOST_READ], *clusters[:MOST_READ]]
    wanted = [one for one in found if one.name in named and one not in kept]
    numbers += [one for one in wanted if one.may_be_numbers]
    texts = [*texts[:MOST_READ], *(one for one in wanted if not one.may_be_numbers)]
    return ColumnCandidates(numbers, texts, clusters[:MOST_READ])


def sketches(layout: Layout) -> tuple[Sketch, ...]:
    """One for every column."""
    width = len(layout.names)
    rows = [row for row in layout.probe if len(row) == width]
    found = []
    for place, name in enumerate(layout.names):
        filled = [cell for cell in (row[place].strip() for row in rows) if cell not in MISSING]
        numbers = [layout.plain(cell) for cell in filled if layout.is_number(cell)]
        found.append(Sketch.of(place, name, filled, numbers, _unit(numbers[:_PLAIN])))
    return tuple(found)


def _unit(cells: list[str]) -> float:
    """Spacing of the numbers next to 1: that of their decimals where all have as many, else of a float's digits."""
    if any("e" in cell.lower() for cell in cells):
        digits = [cell.lower().partition("e")[0] for cell in cells]
    else:
        digits = cells
        decimals = {len(cell.partition(".")[2]) for cell in cells}
        if len(decimals) == 1 and 1 < min(decimals) < _FLOAT_DIGITS and len(cells) > 1:
            return float(10.0 ** -min(decimals))
    longest = max((len(cell.replace(".", "").lstrip("+-0")) for cell in digits), default=0)
    return 2.0**-23 if 0 < longest <= _FLOAT_DIGITS and any("." in cell for cell in digits) else UNIT


def why_number(name: str, names: Sequence[str], what: str = "loss") -> str:
    """Why this of several columns of numbers is taken for the losses, or for the scores."""
    named = [one for one in names if _NAMED[what].search(one)]
    if name in named:
        others = len(named) - 1
        more = f", as do those of {others:,} more: check it" if others > 1 else f", as does {others:,} more: check it"
        return f"its name says so{more if others else ''}"
    return "the only numbers" if len(names) == 1 else f"likeliest of {len(names):,} by its cells: check it"


def clear_number(numbers: Sequence[Sketch]) -> str | None:
    """The column that holds the losses: the only one, or the only one named so; None where that is open."""
    if len(numbers) == 1:
        return numbers[0].name
    most = max((one.likely_losses for one in numbers), default=0)
    named = [one.name for one in numbers if one.likely_losses >= max(SAYS_IT, most)]
    return named[0] if len(named) == 1 else None


def first_cells(found: tuple[Sketch, ...]) -> str:
    """Where a table cannot be used: the first cell of every column, in words."""
    return f"The first cells are {listed([one.cells[0] if one.cells else '' for one in found])}."


def chosen(found: tuple[Sketch, ...]) -> tuple[list[Sketch], list[Sketch]]:
    """Columns that may hold the losses, and columns that may tell members from outsiders; the likeliest first.

    Raises TableError when no column holds numbers, or the losses are no plain ones.
    """
    numbers, labels = _apart(found)
    if not numbers:
        raise TableError(
            "No column holds numbers.",
            "Losses must be plain numbers, one in a row; check the delimiter and the decimal mark.",
            first_cells(found),
        )
    if any(_LOSS.search(one.name) for one in numbers):
        return numbers, labels
    only_labels = all(one.may_be_labels for one in numbers)
    for one in found:  # whose losses are no plain numbers: another column, such as the membership, would pass for them
        is_spelled_out = not one.may_be_numbers and any(map(_DIGIT.search, one.cells))
        if is_spelled_out and (_LOSS.search(one.name) or (only_labels and len(one.cells) > _MOST_LABELS)):
            raise TableError(
                f"The cells of column {quoted(one.name)} are no plain numbers.",
                "Write losses such as -1.25 or 3e-4: with a decimal point, and no units, percent signs or underscores.",
                f"The first cells are {listed(list(one.cells[:3]))}.",
            )
    return numbers, labels


def _apart(found: tuple[Sketch, ...]) -> tuple[list[Sketch], list[Sketch]]:
    """Columns that may hold the losses, and columns that may tell members from outsiders; the likeliest first."""
    labels = [one for one in found if one.may_be_labels]
    numbers = [one for one in found if one.may_be_numbers and not one.may_be_labels]
    if not numbers:  # few different losses look like labels
        numbers = sorted((one for one in labels if one.may_be_numbers), key=lambda one: -one.likely_losses)[:1]
    labels = [one for one in labels if one not in numbers]
    numbers.sort(key=lambda one: -one.likely_losses)
    labels.sort(key=lambda one: -one.likely_membership)
    return _first_and_alike(numbers), _first_and_alike(labels)


def _first_and_alike(found: list[Sketch]) -> list[Sketch]:
    """The first ones, and all that are named like one of them but for a number, where each may be a model's."""
    patterns = {
        _pattern(one.name)
        for one in found[:MOST_READ]
        if _DIGIT.search(one.name)
        and (one.may_be_labels or mentions_models(one.name) or _NAMED["score"].search(one.name))
    }
    alike = [one for one in found if _pattern(one.name) in patterns]
    if len(alike) > MOST_ALIKE:
        return found[:MOST_READ]
    return [one for place, one in enumerate(found) if place < MOST_READ or one in alike]


def refuse_too_many_alike(read: Sequence[str], names: Sequence[str]) -> None:
    """Raise TableError where columns of ``names`` are like the first that was ``read``, and were left out."""
    alike = [name for name in names if _pattern(name) == _pattern(read[0])] if read else []
    if len(alike) > MOST_ALIKE and named_alike(alike):
        raise TableError(
            f"{len(alike):,} columns are named alike but for a number; at most {MOST_ALIKE} models may have columns.",
            "Keep fewer, or write a row for each model: a number, and the model's in a column beside it.",
            f"The first are {listed(alike[:3])}.",
        )


def named_alike(names: Sequence[str]) -> list[str]:
    """Those of the names, the likeliest first, that differ from the first in a number or a model's name alone."""
    first = names[0] if names else ""
    if not (mentions_models(first) or _NAMED["score"].search(first)):
        return []
    alike = [name for name in names if _DIGIT.search(name) and _pattern(name) == _pattern(first)]
    if len(alike) < 2 and mentions_models(first):
        models = [name for name in names if mentions_models(name)]
        measured = [name for name in models if _NAMED["score"].search(name)]
        alike = measured or [name for name in models if _LAST_WORD.sub("", name) == _LAST_WORD.sub("", first)]
    return alike if len(alike) > 1 and first in alike else []


def _pattern(name: str) -> str:
    return re.sub(r"\d+", "#", name)


def refuse_other_numbers(numbers: list[Sketch], what: str = "loss") -> None:
    """Raise TableError where the names of all columns of numbers say that they hold something else."""
    if len(named_alike([one.name for one in numbers if one.has_fractions])) > 1:
        return  # epoch_1, epoch_2, ...
    if all(_NO_LOSS.search(one.name) and not _NAMED[what].search(one.name) for one in numbers):
        raise TableError(
            f"No column of numbers is named like a {what}.",
            f"Add the {what} of every row; a column that holds it all the same may be called “{what}”.",
            f"There are {listed([one.name for one in numbers])}.",
        )


def clusters(found: tuple[Sketch, ...], labels: list[Sketch]) -> list[Sketch]:
    """Columns whose cells may be shared by rows that belong together: all of text, and numbers that are named so.

    None of those that tell two groups. Names that say whose rows are come first, then texts that are there twice;
    numbers without such a name stay numbers, whose cells may be shared as well.
    """
    others = [one for one in found if not (one in labels and len(one.cells) <= 2)]
    persons = [one for one in others if names_clusters(one.name)]
    models = [one for one in others if names_models(one.name) and not one.may_be_numbers and one not in labels]
    texts = [one for one in others if one.cells and not one.may_be_numbers and one not in labels]
    texts.sort(key=lambda one: not one.repeats)
    return list(dict.fromkeys((*persons, *models, *texts)))[:MOST_READ]


def unread(found: Sequence[Sketch], kept: Collection[str]) -> tuple[str, ...]:
    """Columns that are not ``kept``, and whose cells rows may share for all that their first rows show."""
    return tuple(one.name for one in found if one.cells and one.name not in kept and not one.may_be_measured)
