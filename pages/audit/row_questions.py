"""Questions about what rows and numbers are, asked before anything follows from them; their words are ``losses``'s."""

from collections.abc import Callable, Sequence

from losses import Groups, LossTable, TableError, counted_as_people, counted_once
from losses import row_questions as words
from losses.columns import why_number
from losses.errors import listed, quoted
from pages.audit import row_groups
from pages.server.shared_cache import session_cache
from pages.ui.upload_preview import UNKNOWN, Preview, nothing, refusing
from pages.ui.uploads import Check

LOSSES, PREDICTIONS, SCORES = "losses", "predictions, with right answers", "scores of an attack"
_ELSEWHERE = {
    PREDICTIONS: TableError("These numbers are predictions.", "Choose “predictions” as what the losses come from."),
    SCORES: TableError("These numbers are scores.", "Choose “attack scores” as what was measured."),
}
_MOST_KEPT = 12


def rows_are_people(preview: Preview, check: Check | None = None) -> bool:
    """Whether the rows of all files are people; where the columns of one say something else, draw the question.

    ``check`` raises TableError for a table of people that cannot be used all the same.
    """
    why = next(filter(None, map(words.curves, preview.tables)), "")
    if not why:
        return True
    chosen = preview.choice("Each row is", "rows", [UNKNOWN, words.PEOPLE, words.STEPS], width=320)
    if chosen == UNKNOWN:
        preview.confirmed(nothing, why)
        return False
    try:
        if chosen == words.STEPS:
            raise TableError(*words.NO_PEOPLE)
        if check is not None:
            for table in preview.tables:
                check(table)
    except TableError as problem:
        preview.confirmed(refusing(problem))
        return False
    row_groups.note_said(f"{why} Each row is {words.PEOPLE}, as was said.")
    return True


def column_of_numbers(
    preview: Preview, names: Sequence[str], clear: Sequence[str | None], words_for: tuple[str, str, str]
) -> str:
    """Draw the choice of a column of numbers; UNKNOWN while neither its name nor anybody says which it is.

    Args:
        preview: of the files.
        names: the columns there are, the likeliest first.
        clear: the one that each file's names tell; None where they tell none.
        words_for: the choice's label and place, and what the numbers are: "loss" or "score".
    """
    label, what, kind = words_for
    told = clear[0] if len(set(clear)) == 1 and clear[0] in names else None
    ordered = [UNKNOWN, *names] if told is None else [told, *(name for name in names if name != told)]
    chosen = preview.column(label, what, ordered, lambda name: why_number(name, names, kind))
    if told is None and chosen != UNKNOWN:
        among, numbers = listed(list(names)), words.NUMBERS[kind]
        row_groups.note_said(f"Of {among}, the {numbers} of {quoted(chosen)} are looked at, as was said.")
    return chosen


def numbers_are_losses(preview: Preview, tables: Sequence[LossTable], columns: Sequence[str], more: str = "") -> bool:
    """Whether numbers in ``columns`` of ``tables`` are losses; where names say something else, draw the question.

    False as well while a column is UNKNOWN; ``more`` says what else can be done then.
    """
    found = [words.predictions(table) for table in tables] + [words.scores(name) for name in columns]
    why = next(filter(None, found), "")
    if why:
        chosen = preview.choice("These numbers are", "numbers", [UNKNOWN, LOSSES, *_ELSEWHERE], width=320)
        if chosen != LOSSES:
            preview.confirmed(*((nothing, why) if chosen == UNKNOWN else (refusing(_ELSEWHERE[chosen]),)))
            return False
        row_groups.note_said(f"{why} They are losses, as was said.")
    if UNKNOWN in columns:
        preview.confirmed(nothing, f"{words.refuse_several(_names(tables)).what} Say which holds the losses.{more}")
        return False
    return True


def _names(tables: Sequence[LossTable]) -> list[str]:
    return [one.name for table in tables[:1] for one in table.numbers]


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
