"""Which columns of uploaded predictions hold what: the predictions, the right answers, and what labels name."""

from collections.abc import Sequence
from hashlib import sha256

import numpy as np

from losses import Naming, PredictionScale, Roles, TableError, guess
from losses.classes import as_labels, places_of, positive_label
from pages.ui import uploads
from pages.ui.upload_preview import UNKNOWN, Preview
from pages.ui.uploads import Upload

_MANY = 20  # columns; more are chosen together
_PROBED = 1000  # rows


def draw(preview: Preview) -> Roles | None:
    """Draw the choice of the columns, which is one for all of the files; None while something is open."""
    files = list(preview.files.values())
    slot, keys = preview.slot, tuple(file.key for file in files)
    numbers, readable = _names(files)
    guessed = uploads.made(slot, "guess", keys, lambda: guess(files[0].table))
    usual = [name for name in guessed.scores if name in numbers] if guessed else []
    scores = _scores(preview, numbers, usual)
    others = [name for name in readable if name not in scores]
    first = guessed.label if guessed and guessed.label in others else UNKNOWN
    labels = [first, *(name for name in others if name != first)]
    label = preview.column("Right answers", "label", labels, "its name says so")
    if not scores or label == UNKNOWN:
        return None
    mark = sha256(repr((scores, label)).encode()).hexdigest()[:8]
    words = uploads.made(slot, "words", (keys, label), lambda: _words(files, label))
    scale = _scale(preview, mark, files, scores)
    if len(scores) == 1:
        positive = _positive(preview, mark, words)
        return None if positive == UNKNOWN else Roles(scores, label, scale, positive)
    ways = [way for way in Naming if places_of(scores, words, way) is not None]
    naming = preview.choice("Labels name columns", f"naming_{mark}", list(map(str, ways))) if ways[1:] else None
    return Roles(scores, label, scale, naming=Naming(naming or ways[0]) if ways else None)


def _names(files: Sequence[Upload]) -> tuple[list[str], list[str]]:
    """Columns of numbers, and columns that may be labels, which all of ``files`` have, in the first one's order."""
    numbers = set.intersection(*({column.name for column in file.table.numbers} for file in files))
    labels = set.intersection(*({column.name for column in file.table.labels} | numbers for file in files))
    names = files[0].table.layout.names
    if not numbers:
        raise TableError("The files have no column of numbers in common.", "Give their columns the same names.")
    return [name for name in names if name in numbers], [name for name in names if name in labels]


def _scores(preview: Preview, numbers: list[str], usual: list[str]) -> tuple[str, ...]:
    """The columns of predictions; so many that nobody would pick them one by one are offered together."""
    if len(usual) > _MANY:
        together = f"{usual[0]} … {usual[-1]}, {len(usual):,} columns"
        if preview.choice("Predictions", "together", [together, "other columns"], "their names say so") == together:
            return tuple(usual)
        usual = []
    chosen = set(preview.columns("Predictions", "scores", numbers, usual))
    return tuple(name for name in numbers if name in chosen)


def _words(files: Sequence[Upload], label: str) -> list[str]:
    """The labels of all of ``files``: one group may lack some."""
    return list(dict.fromkeys(word for file in files for word in as_labels(file.table, label).labels))


def _scale(preview: Preview, mark: str, files: Sequence[Upload], scores: tuple[str, ...]) -> PredictionScale:
    """Probabilities, unless the first rows have a negative number: above 1 may be a probability gone wrong."""
    starts = np.concatenate([file.table.number(name).values[:_PROBED] for file in files for name in scores])
    known = starts[np.isfinite(starts)]
    are_logits = bool(np.any(known < 0.0))
    order = sorted(PredictionScale, key=lambda scale: (scale is PredictionScale.LOGITS) is not are_logits)
    why = "some are negative" if are_logits else "none of the first is negative"
    return PredictionScale(preview.choice("They are", f"scale_{mark}", list(map(str, order)), why))


def _positive(preview: Preview, mark: str, words: list[str]) -> str | None:
    """The label a single column of predictions is for; None where there are not two, which is refused later."""
    if len(words) != 2:
        return None
    first = positive_label(words) or UNKNOWN
    order = [first, *(word for word in words if word != first)]
    return preview.choice("They are for the label", f"positive_{mark}", order, "it means yes")
