"""A file with a number and a two-valued label in every row: attack scores, canaries, runs with and without a record."""

from dataclasses import dataclass, replace
from functools import partial

from losses import ColumnRoles, LongRows, Membership, copied_rows, read_scores, rows_counted_once, rows_of
from losses.long_form import LongForm
from losses.names import small_means_in
from losses.row_questions import COPIES, PEOPLE, check_any_layout, clear_scores, refuse_several
from numerics.audits import Scores
from numerics.epsilon_star import SMALLEST_GROUP
from pages.audit import row_groups, row_questions, table_layout
from pages.audit.epsilon_star.source import membership
from pages.ui import upload_preview, uploads
from pages.ui.upload_preview import UNKNOWN, Preview, UploadLook, look_at, nothing
from reports import python_code
from reports.audit_report import Data, notes_on_scores
from reports.parts import kind_of

_LARGE, _SMALL = "large numbers", "small numbers"
_ONCE = (
    "\nfrom losses import rows_counted_once\nrows = rows_counted_once(rows)\nvalues, is_in = rows.values, rows.is_in"
)


@dataclass(frozen=True)
class ScoresWords:
    """What a view calls things.

    Attributes:
        place: the label of the place for the file.
        number: the column of numbers.
        label: the column of two values.
        member: asked of the value that counts as in.
        groups: who is in, and who is out.
        fewest: rows that each group needs.
        button: accepts the file as it is read.
        has_roles: whether rows may be of several persons, models, slices or records; else all are one model's.
    """

    place: str
    number: str = "Scores"
    label: str = "Membership"
    member: str = "Members are"
    groups: tuple[str, str] = ("members", "outsiders")
    fewest: int = SMALLEST_GROUP
    button: str = "Measure"
    has_roles: bool = False


@dataclass(frozen=True, eq=False)
class LabelledScores:
    """Scores and who was in, in the file's order.

    Attributes:
        key: tells them from all others, by the bytes of the file and by the choices made.
        name: for titles and exports.
        rows: of all models; large scores speak for "in".
        files: names and SHA-256 of the files that hold them.
        membership: which label counts as in, and why.
        negated: whether small numbers spoke for "in" in the file.
        python: what reads ``values`` and ``is_in`` in Python, imports included.
    """

    key: tuple[str, ...]
    name: str
    rows: LongRows
    files: tuple[tuple[str, str], ...]
    membership: Membership
    negated: bool
    python: str

    @property
    def scores(self) -> Scores:
        """The scores without the record, and with it."""
        return self.rows.scores

    def data(self, further: str = "") -> Data:
        """What was read, for a report; ``further`` lines of Python go on from ``values`` and ``is_in``."""
        notes = (*notes_on_scores(self.membership, self.negated, self.rows.dropped), *self.rows.notes)
        return Data(self.name, self.files, "\n".join(filter(None, (self.python, further))), notes)


def draw(slot: str, words: ScoresWords) -> LabelledScores | None:
    """Draw the place for a file and how it is read; None while a file, a choice or the confirmation is missing."""
    row_groups.begin()
    check = partial(check_any_layout, fewest=words.fewest)
    preview = upload_preview.of_file(slot, words.place, read_scores, check, words.button)
    long = None if preview is None else table_layout.draw(preview, "read_scores", words.groups, words.fewest)
    if preview is None or long is None:
        return None
    (upload,) = preview.files.values()
    table, names = long.table, [column.name for column in long.table.numbers]
    name = long.value or row_questions.column_of_numbers(
        preview, names, [clear_scores(names)], (words.number, "number", "score")
    )
    if name == UNKNOWN:
        preview.confirmed(nothing, f"{refuse_several(names, 'score').what} Say which.")
        return None
    found = long.membership or membership(preview, table, words.label, words.member)
    negate = _small_is_in(preview, name)
    roles, open_question = _roles(preview, long, (name, found), words)
    drop = row_groups.leave_out(preview, table, (name, roles.group, roles.person, *roles.models))
    if found is None or open_question:
        missing = f"Say which column and which label mark those who are {words.groups[0]}."
        preview.confirmed(nothing, missing if found is None else open_question)
        return None
    key = ("scores", upload.key, long.python, str(roles), str(drop), str(negate))
    as_read = partial(uploads.made, slot, "scores", key, partial(rows_of, table, roles, drop, negate))
    copies = row_questions.copies(preview, key, lambda: copied_rows(as_read())) if words.has_roles else ""
    if copies is None:
        return None
    told = [*row_groups.said(), *(f"Mind: {doubt}" for doubt in row_groups.doubts())]
    told += ["Rows with equal scores are people of their own, as was said."] if copies == PEOPLE else []

    def read() -> LongRows:
        rows = as_read()
        if copies == COPIES:
            rows = uploads.made(slot, "scores once", key, partial(rows_counted_once, rows))
        return replace(rows, notes=(*rows.notes, *told))

    if not preview.confirmed(lambda: _look(read(), words, name)):
        return None
    code = python_code.rows(long.python, long.imports, roles, f"drop={drop}, negate={negate}")
    code += _ONCE if copies == COPIES else ""
    return LabelledScores((*key, copies, *told), upload.source, read(), (upload.file,), found, negate, code)


def _roles(
    preview: Preview, long: LongForm, told: tuple[str, Membership | None], words: ScoresWords
) -> tuple[ColumnRoles, str]:
    """What columns are taken for, and what is still open."""
    name, found = told
    column, member = ("", "") if found is None else (found.column, found.member)
    if not words.has_roles:
        is_one = row_groups.are_of_one_model(preview, (name, column), [long.table])
        return ColumnRoles(name, column, member), "" if is_one else row_groups.question()
    roles, is_open = row_groups.roles(preview, long.table, name, found)
    return roles, row_groups.question() if is_open else ""


def _small_is_in(preview: Preview, name: str) -> bool:
    """Draw whether small numbers speak for "in", which the column's name may say."""
    ends = [_SMALL, _LARGE] if small_means_in(name) else [_LARGE, _SMALL]
    why = "as of losses" if small_means_in(name) else "as of scores: check it"
    return preview.choice("They suspect", f"end_{name}", ends, why) == _SMALL


def _look(rows: LongRows, words: ScoresWords, name: str) -> UploadLook:
    groups = dict(zip(words.groups, (rows.values[rows.is_in], rows.values[~rows.is_in]), strict=True))
    found = look_at(groups, rows.dropped, name, rows.notes)
    if rows.models is None:
        return found
    return replace(found, words=f"{len(rows.models.labels):,} {kind_of([rows.models.name])}: {found.words}")
