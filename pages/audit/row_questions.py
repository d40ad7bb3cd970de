"""Questions about what rows and numbers are, asked before anything follows from them; their words are ``losses``'s."""

from collections.abc import Callable, Sequence

from losses import Groups, LossTable, TableError, counted_as_people, counted_once
from losses import row_questions as words
from pages.audit import row_groups
from pages.server.session_cache import session_cache
from pages.ui.upload_look import nothing, refusing
from pages.ui.upload_preview import UNKNOWN, Preview

LOSSES, PREDICTIONS, SCORES = "losses", "predictions, with right answers", "scores of an attack"
_ELSEWHERE = {
    PREDICTIONS: TableError("These numbers are predictions.", "Choose “predictions” as what the losses come from."),
    SCORES: TableError("These numbers are scores.", "Choose “attack scores” as what was measured."),
}
_MOST_KEPT = 12


def rows_are_people(preview: Preview, table: LossTable) -> bool:
    """Whether a table's rows are people; where its columns say something else, draw the question."""
    why = words.curves(table)
    if not why:
        return True
    chosen = preview.choice("Each row is", "rows", [UNKNOWN, words.PEOPLE, words.STEPS], width=320)
    if chosen == words.PEOPLE:
        row_groups.note_said(f"{why} Each row is {words.PEOPLE}, as was said.")
        return True
    if chosen == words.STEPS:
        preview.confirmed(refusing(TableError(*words.NO_PEOPLE)))
    else:
        preview.confirmed(nothing, why)
    return False


def numbers_are_losses(preview: Preview, tables: Sequence[LossTable], columns: Sequence[str]) -> bool:
    """Whether numbers in ``columns`` of ``tables`` are losses; where names say something else, draw the question."""
    found = [words.predictions(table) for table in tables] + [words.scores(name) for name in columns]
    why = next(filter(None, found), "")
    if not why:
        return True
    chosen = preview.choice("These numbers are", "numbers", [UNKNOWN, LOSSES, *_ELSEWHERE], width=320)
    if chosen == LOSSES:
        row_groups.note_said(f"{why} They are losses, as was said.")
        return True
    if chosen == UNKNOWN:
        preview.confirmed(nothing, why)
    else:
        preview.confirmed(refusing(_ELSEWHERE[chosen]))
    return False


def copies(preview: Preview, key: tuple[str, ...], found: Callable[[], Sequence[str]]) -> str | None:
    """What rows with equal numbers are: ``words.COPIES`` or ``words.PEOPLE``, or "" where none are noticed.

    None until it is said. ``found`` gives why rows may be copies; where it raises TableError, that is said elsewhere.
    """

    def noticed() -> tuple[str, ...]:
        try:
            return tuple(dict.fromkeys(found()))
        except TableError:
            return ()

    why = " ".join(session_cache("audit.copied_rows", key, _MOST_KEPT, noticed))
    if not why:
        return ""
    chosen = preview.choice("Rows with equal numbers are", "copies", [UNKNOWN, words.COPIES, words.PEOPLE], width=320)
    if chosen == UNKNOWN:
        preview.confirmed(nothing, why)
        return None
    return chosen


def settled(chosen: str) -> Callable[[Groups], Groups]:
    """What is done to groups, after the answer of ``copies``."""
    if chosen == words.COPIES:
        return counted_once
    return counted_as_people if chosen == words.PEOPLE else lambda groups: groups


def in_python(chosen: str) -> str:
    """Lines that do the same in Python."""
    if not chosen:
        return ""
    name = settled(chosen).__name__
    return f"\nfrom losses import {name}\ngroups = {name}(groups)"
