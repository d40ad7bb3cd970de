"""Which columns of predictions hold what: the predictions, the right answers, and what labels name."""

from collections.abc import Sequence
from hashlib import sha256

from losses import LossTable, Naming, PredictionScale, Roles, guess, seen_scale
from losses.classes import as_labels, places_of, positive_label
from pages.ui import uploads
from pages.ui.upload_preview import UNKNOWN, Preview

_MANY = 20  # columns; more are chosen together


OPEN = "Say what is still open: the predictions, the right answers, or the label that the predictions are for."


def draw(preview: Preview, table: LossTable) -> Roles | None:
    """Draw the choice of the columns; None while something is open."""
    slot, keys = preview.slot, tuple(file.key for file in preview.files.values())
    numbers = _in_order(table, [one.name for one in table.numbers])
    readable = _in_order(table, [*numbers, *(one.name for one in table.labels)])
    guessed = uploads.made(slot, "guess", keys, lambda: guess(table))
    usual = [name for name in guessed.scores if name in numbers] if guessed else []
    scores = _scores(preview, numbers, usual)
    others = [name for name in readable if name not in scores]
    first = guessed.label if guessed and guessed.label in others else UNKNOWN
    labels = [first, *(name for name in others if name != first)]
    label = preview.column("Right answers", "label", labels, "its name says so")
    if not scores or label == UNKNOWN:
        return None
    mark = sha256(repr((scores, label)).encode()).hexdigest()[:8]
    words = uploads.made(slot, "words", (keys, label), lambda: list(as_labels(table, label).labels))
    seen = seen_scale(table, scores)
    order = sorted(PredictionScale, key=lambda one: one is not seen)
    why = "many are negative" if seen is PredictionScale.LOGITS else "few are negative, or none"
    scale = PredictionScale(preview.choice("They are", f"scale_{mark}", list(map(str, order)), why))
    if len(scores) == 1:
        positive = _positive(preview, mark, words)
        return None if positive == UNKNOWN else Roles(scores, label, scale, positive)
    ways = [way for way in Naming if places_of(scores, words, way) is not None]
    naming = preview.choice("Labels name columns", f"naming_{mark}", list(map(str, ways))) if ways[1:] else None
    return Roles(scores, label, scale, naming=Naming(naming or ways[0]) if ways else None)


def in_python(roles: Roles, table: str) -> tuple[str, tuple[str, ...]]:
    """The expression of the table with its losses, and what it imports."""
    naming = None if roles.naming is None else f"Naming.{roles.naming.name}"
    said = f"{roles.scores!r}, {roles.label!r}, PredictionScale.{roles.scale.name}, {roles.positive!r}, {naming}"
    return f"with_losses({table}, Roles({said})).table", ("Naming", "PredictionScale", "Roles", "with_losses")


def _in_order(table: LossTable, names: Sequence[str]) -> list[str]:
    """The columns in the file's order."""
    return [name for name in table.layout.names if name in names]


def _scores(preview: Preview, numbers: list[str], usual: list[str]) -> tuple[str, ...]:
    """The columns of predictions; so many that nobody would pick them one by one are offered together."""
    if len(usual) > _MANY:
        together = f"{usual[0]} … {usual[-1]}, {len(usual):,} columns"
        if preview.choice("Predictions", "together", [together, "other columns"], "their names say so") == together:
            return tuple(usual)
        usual = []
    chosen = set(preview.columns("Predictions", "scores", numbers, usual))
    return tuple(name for name in numbers if name in chosen)


def _positive(preview: Preview, mark: str, words: list[str]) -> str | None:
    """The label a single column of predictions is for; None where there are not two, which is refused later."""
    if len(words) != 2:
        return None
    first = positive_label(words) or UNKNOWN
    order = [first, *(word for word in words if word != first)]
    return preview.choice("They are for the label", f"positive_{mark}", order, "it means yes")
