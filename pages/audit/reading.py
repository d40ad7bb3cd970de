"""From files that were dropped to what an audit measures: one form for all kinds of evidence."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from losses import (
    LOSS,
    ColumnRoles,
    Groups,
    Instance,
    Kind,
    LongRows,
    LossTable,
    Membership,
    TableError,
    by_column,
    copied_rows,
    counted_as_people,
    counted_once,
    files_stacked,
    rows_counted_once,
    rows_of,
    split,
    with_losses,
)
from losses.errors import quoted
from losses.instances import instances_in, stem
from losses.long_form import GROUP, LongForm, group_columns, model_columns, of_groups, of_models
from losses.names import natural, small_means_in
from losses.row_questions import COPIES, PEOPLE, check_any_layout, check_groups
from losses.several_files import FILE, holds_both_groups, told_by_names
from losses.training_labels import says_trained
from numerics.epsilon_star import SMALLEST_GROUP, LossScale
from pages.audit import prediction_columns
from pages.audit.evidence import LabelledScores, LossSource, Models
from pages.audit.form import Form
from pages.ui import uploads
from pages.ui.plain_text import literal
from pages.ui.upload_preview import MEMBERS, UNKNOWN, Preview, UploadLook, look_at, nothing, refusing
from pages.ui.uploads import Tables, imports, opened
from reports import python_code
from reports.parts import kind_of
from reports.python_code import readers

READER = "read_evidence"
_NAMED = 2  # files
_LARGE, _SMALL = "large numbers", "small numbers"
_LONG, _GROUPS, _MODELS = "one column of numbers", "a column for each group", "a column for each model"
_ONCE = (
    "\nfrom losses import rows_counted_once\nrows = rows_counted_once(rows)\nvalues, is_in = rows.values, rows.is_in"
)
_WAITING = "No column of this file says who was trained on. **Drop the file of the other group, too.**"


@dataclass(frozen=True)
class _Words:
    """What a kind of evidence calls its numbers and groups, and how many rows each of these needs."""

    numbers: str = "Scores"
    label: str = "Membership"
    member: str = "Members are"
    groups: tuple[str, str] = ("members", "outsiders")
    marked: str = "the members"
    fewest: int = SMALLEST_GROUP
    may_be_copies: bool = True


_KINDS = {
    Kind.LOSSES: _Words("Losses", groups=MEMBERS),
    Kind.PREDICTIONS: _Words("Losses", groups=MEMBERS),
    Kind.SCORES: _Words(),
    Kind.CANARIES: _Words(
        label="Included",
        member="Included are",
        groups=("included", "left out"),
        marked="those who are included",
        may_be_copies=False,
    ),
    Kind.RUNS: _Words(
        label="World",
        member="With the record are",
        groups=("runs with the record", "runs without it"),
        marked="runs with the record",
        fewest=2,
        may_be_copies=False,
    ),
}


def check(tables: Tables) -> None:
    """Raise TableError for tables that no answer makes evidence."""
    if len(tables) > 1:
        told_by_names(tables)
    elif not is_waiting(tables):
        (table,) = tables.values()
        if table.kind != Kind.PREDICTIONS:
            check_any_layout(table, _KINDS[Kind(table.kind or Kind.RUNS)].fewest)


def is_waiting(tables: Tables) -> bool:
    """Whether there is one file, of one group: what is dropped next is the other's."""
    if len(tables) != 1:
        return False
    ((name, table),) = tables.items()
    if holds_both_groups(table):
        return False
    is_named = says_trained(stem(name), is_cell=True) is not None and not table.is_membership_clear
    return is_named or not table.labels or table.kind == Kind.PREDICTIONS


def draw(preview: Preview, kind: Kind) -> LossSource | LabelledScores | None:
    """Draw how files are read as evidence of a kind, and what is open; what is measured, once nothing is."""
    form = Form(preview)
    try:
        table, words = _together(preview), _KINDS[kind]
        is_lone = is_waiting({name: file.table for name, file in preview.files.items()})
        check = (lambda: None) if is_lone else partial(check_groups, table.table, words.fewest)
        if not form.rows_are_people(table.table, check):
            return None
        if is_lone:
            preview.read_as(nothing, " ".join([*map(literal, _decided(preview)), _WAITING]))
            return None
        if (looks_like := table.table.kind) not in ("", kind):
            form.said.append(f"The columns are named like those of {looks_like}; they are {kind}, as was said.")
        cut, notes = 0, tuple[str, ...]()
        form.said += _decided(preview)
        if kind is Kind.PREDICTIONS:
            found = _with_losses(form, table)
            if found is None:
                return None
            long, cut, notes = found
        else:
            long = _long_form(form, table, kind)
        return _read(form, kind, long, cut, notes)
    except TableError as problem:
        preview.read_as(refusing(problem))
        return None


def _decided(preview: Preview) -> list[str]:
    """What was decided to read files as tables, such as which sheet of a workbook."""
    notes = {name: file.table.layout.notes for name, file in preview.files.items()}
    return [note if len(notes) == 1 else f"{quoted(name)}: {note}" for name, own in notes.items() for note in own]


def _together(preview: Preview) -> LongForm:
    """The one table of all files, and the expression that reads it."""
    files = preview.files
    read = {name: opened(READER, file) for name, file in files.items()}
    names = (READER, *imports(*files.values()))
    if len(files) == 1:
        ((name, file),) = files.items()
        return LongForm(file.table, read[name], names)
    tables = {name: file.table for name, file in files.items()}
    keys = tuple(file.key for file in files.values())
    table = uploads.made(preview.slot, "together", keys, partial(files_stacked, tables))
    code = ", ".join(f"{name!r}: {one}" for name, one in read.items())
    return LongForm(table, f"files_stacked({{{code}}})", ("files_stacked", *names))


def _with_losses(form: Form, form_read: LongForm) -> tuple[LongForm, int, tuple[str, ...]] | None:
    """The table with the losses of its predictions, how many were cut, and how labels were understood."""
    preview, table = form.preview, form_read.table
    roles = prediction_columns.draw(preview, table)
    if roles is None:
        preview.read_as(nothing, prediction_columns.OPEN)
        return None
    key = (*(file.key for file in preview.files.values()), roles)
    found = uploads.made(preview.slot, "losses", key, partial(with_losses, table, roles))
    if not found.table.labels:
        raise TableError(
            "No other column tells members from outsiders.",
            "Add one with two different labels, or drop each group as a file of its own, both at once.",
        )
    code, names = prediction_columns.in_python(roles, form_read.python)
    return LongForm(found.table, code, (*names, *form_read.imports), LOSS), found.clipped, found.notes


def _long_form(form: Form, read: LongForm, kind: Kind) -> LongForm:
    """Draw the choice of the layout and of its columns."""
    preview, table, words = form.preview, read.table, _KINDS[kind]
    ways, why = _ways(table, len(preview.files) > 1)
    way = ways[0] if len(ways) == 1 else preview.choice("Layout", "layout", ways, why)
    if way == _LONG:
        return read
    names = [column.name for column in table.numbers]
    make: partial[LongForm]
    if way == _GROUPS:
        chosen = [
            preview.columns(f"Columns of {one}", f"columns{place}", names, usual)
            for place, (one, usual) in enumerate(zip(words.groups, group_columns(table), strict=True))
        ]
        make = partial(of_groups, table, chosen[0], chosen[1], read.python, read.imports)
    else:
        chosen = [preview.columns("Columns of models", "columns", names, model_columns(table))]
        make = partial(of_models, table, chosen[0], read.python, read.imports)
    keys = tuple(file.key for file in preview.files.values())
    return uploads.made(preview.slot, "long", (keys, way, str(chosen)), make)


def _ways(table: LossTable, are_several: bool) -> tuple[list[str], str]:
    """The layouts that a table may have, the likeliest first, and why it is."""
    pairs, models = len(group_columns(table)[0]), len(model_columns(table))
    is_paired = bool(pairs) and not table.is_membership_clear
    if len(table.numbers) < 2 or (are_several and not is_paired):
        return [_LONG], ""
    if are_several or not any(len(one.labels) == 2 for one in table.labels):
        return [_GROUPS], "columns are named so, and none tells groups"
    if is_paired:
        return [_GROUPS, _LONG, _MODELS], "columns are named so"
    if models and not pairs:
        return [_MODELS, _LONG, _GROUPS], f"{models:,} columns are named alike"
    why = "a column tells the groups" if pairs else "no columns are named alike"
    return [_LONG, _GROUPS, _MODELS], why


def _read(
    form: Form, kind: Kind, long: LongForm, cut: int, notes: tuple[str, ...]
) -> LossSource | LabelledScores | None:
    """Draw what the columns of a long table are taken for; what is measured, once nothing is open."""
    preview, words, table = form.preview, _KINDS[kind], long.table
    are_losses = kind in (Kind.LOSSES, Kind.PREDICTIONS)
    value = long.value or form.column_of_numbers(table, "loss" if are_losses else "score", words.numbers)
    found = long.membership or form.membership(table, words.label, words.member)
    negate = are_losses or _small_means_in(preview, value)
    is_of_one = kind in (Kind.CANARIES, Kind.RUNS)
    roles = form.of_one_model(table, value, found) if is_of_one else form.roles(table, value, found)
    drop = form.leave_out(table, roles)
    if found is None:
        form.open.append(f"Say which column and which label mark {words.marked}.")
    if found is None or form.open:
        form.is_settled(nothing)
        return None
    files = list(preview.files.values())
    key = (kind.value, *(file.key for file in files), long.python, str(roles), str(drop), str(negate))
    name = " and ".join(file.source for file in files) if len(files) <= _NAMED else f"{len(files):,} files"
    hashes = tuple(file.file for file in files)
    rows = partial(rows_of, table, roles, drop, negate)
    if not are_losses:
        code = python_code.rows(long.python, long.imports, roles, f"drop={drop}, negate={negate}")
        as_read = partial(uploads.made, preview.slot, "scores", key, rows)
        return _scores(form, words, LabelledScores(key, name, as_read(), hashes, found, negate, code))
    code = readers(("split", *long.imports), f"groups = split({long.python}, {_in_python(roles, drop)})")
    groups = partial(split, table, value, roles.group, roles.member, drop, roles.person)
    scale = LossScale.LOG_ODDS if kind is Kind.PREDICTIONS else None
    of_slices = None if roles.slice is None else rows
    one = LossSource(key, name, groups, code, None, hashes, found, scale, cut, rows=of_slices)
    return _losses_of_models(form, one, long, roles, drop, notes) if roles.models else _losses(form, one, notes)


def _small_means_in(preview: Preview, name: str) -> bool:
    """Draw whether small numbers speak for "in", which the column's name may say."""
    if name == UNKNOWN:
        return False
    ends = [_SMALL, _LARGE] if small_means_in(name) else [_LARGE, _SMALL]
    why = "as of losses" if small_means_in(name) else "as of scores: check it"
    return preview.choice("They suspect", f"end_{name}", ends, why) == _SMALL


def _told(found: Membership | None) -> str:
    """What tells who is in, in short."""
    if found is None:
        return ""
    return found.member if found.column in (FILE, GROUP) else f"{found.column} = {found.member}"


# Losses: of one model, or of several that columns tell


def _settled(form: Form, chosen: str) -> Callable[[Groups], Groups]:
    """What is done to groups, after what was said of equal rows; they note all that was said, for report and JSON."""
    count: Callable[[Groups], Groups] = {COPIES: counted_once, PEOPLE: counted_as_people}.get(chosen, replace)
    said, doubts = tuple(form.said), tuple(form.doubts)

    def settled(groups: Groups) -> Groups:
        found = count(groups)
        return replace(found, notes=(*found.notes, *said), doubts=(*found.doubts, *doubts))

    return settled


def _counted(rows: Callable[[], LongRows], chosen: str) -> Callable[[], LongRows]:
    return (lambda: rows_counted_once(rows())) if chosen == COPIES else rows


def _in_python(roles: ColumnRoles, drop: bool) -> str:
    """The arguments that say how groups are told apart, in Python."""
    whose = "" if roles.person is None else f", person={roles.person!r}"
    return f"{roles.value!r}, {roles.group!r}, {roles.member!r}, drop={drop}{whose}"


def _counted_in_python(chosen: str) -> str:
    """Lines that count groups so in Python."""
    name = {COPIES: "counted_once", PEOPLE: "counted_as_people"}.get(chosen)
    return f"\nfrom losses import {name}\ngroups = {name}(groups)" if name else ""


def _losses(form: Form, one: LossSource, notes: tuple[str, ...]) -> LossSource | None:
    """Draw what the groups hold; the losses, once nothing is open."""
    chosen = form.copies(one.key, lambda: one.groups().copied)
    settled, read, rows = _settled(form, chosen), one.groups, one.rows
    source = replace(
        one,
        key=(*one.key, chosen, *form.said, *form.doubts),
        groups=lambda: settled(read()),
        python=one.python + _counted_in_python(chosen),
        rows=None if rows is None else _counted(rows, chosen),
    )

    def look() -> UploadLook:
        groups = source.groups()
        both = dict(zip(MEMBERS, (groups.train, groups.population), strict=True))
        return look_at(both, groups.dropped, "Loss", notes, _told(one.membership))

    return source if form.is_settled(look) else None


def _losses_of_models(
    form: Form, one: LossSource, long: LongForm, roles: ColumnRoles, drop: bool, notes: tuple[str, ...]
) -> LossSource | None:
    """Draw what the models hold, and which is looked at; that one, with all of them as its models."""
    table, kind, key = long.table, kind_of(roles.models), (*one.key, *roles.models)
    every = partial(by_column, table, roles.models, roles.value, roles.group, roles.member, drop, roles.person)
    line = f"by_column({long.python}, {roles.models!r}, {_in_python(roles, drop)})"

    def told() -> tuple[tuple[str, ...], int]:
        found = instances_in(table, roles.models)
        return tuple(sorted(found.labels, key=natural)), int(np.count_nonzero(~found.is_usable))

    names, blanks = uploads.made(form.preview.slot, "models", key, told)

    def copied() -> list[str]:
        return [f"{model.name}: {sentence}" for model in every() for sentence in model.groups.copied][:2]

    chosen = form.copies(key, copied)
    settled, counted = _settled(form, chosen), _counted(partial(rows_of, table, roles, drop, True), chosen)
    key = (*key, chosen, *form.said, *form.doubts)

    def groups_of(name: str) -> Groups:
        return settled(dict(every())[name])

    def of_one(name: str) -> LossSource:
        return replace(
            one,
            key=(*key, name),
            name=f"{name}, one of {len(names):,} {kind}",
            groups=partial(groups_of, name),
            python=readers((*long.imports, "by_column"), f"groups = dict({line})[{name!r}]")
            + _counted_in_python(chosen),
            models=models,
            rows=None if one.rows is None else lambda: counted().of_model(name),
        )

    def read_all() -> list[Instance]:
        return [model._replace(groups=settled(model.groups)) for model in every()]

    models = Models(key, names, read_all, of_one, None if roles.record is None else counted, kind)

    def look() -> UploadLook:
        groups = [model.groups for model in read_all()]
        parts = [own.train for own in groups], [own.population for own in groups]
        both = dict(zip(MEMBERS, map(np.concatenate, parts), strict=True))
        found = look_at(both, blanks + sum(own.dropped for own in groups), "Loss", notes, _told(one.membership))
        return replace(found, words=f"{len(names):,} {kind if len(names) > 1 else kind[:-1]}: {found.words}")

    return models.of_one(uploads.choice("Look at one", "models_looked_at", names)) if form.is_settled(look) else None


# Scores: of an attack, of canaries, or of runs


def _scores(form: Form, words: _Words, found: LabelledScores) -> LabelledScores | None:
    """Draw what the rows hold; the scores, once nothing is open."""
    slot, rows = form.preview.slot, found.rows
    chosen = form.copies(found.key, lambda: copied_rows(rows)) if words.may_be_copies else ""
    told = [*form.said, *(f"Mind: {doubt}" for doubt in form.doubts)]
    told += ["Rows with equal scores are people of their own, as was said."] if chosen == PEOPLE else []
    told += ["Rows are counted through all files, in the order of their names."] if len(form.preview.files) > 1 else []
    if chosen == COPIES:
        rows = uploads.made(slot, "scores once", found.key, partial(rows_counted_once, rows))
    rows = replace(rows, notes=(*rows.notes, *told))

    def look() -> UploadLook:
        groups = dict(zip(words.groups, (rows.values[rows.is_in], rows.values[~rows.is_in]), strict=True))
        seen = look_at(groups, rows.dropped, words.numbers, rows.notes, _told(found.membership))
        if rows.models is None:
            return seen
        return replace(seen, words=f"{len(rows.models.labels):,} {kind_of([rows.models.name])}: {seen.words}")

    python = found.python + (_ONCE if chosen == COPIES else "")
    found = replace(found, key=(*found.key, chosen, *told), rows=rows, python=python)
    return found if form.is_settled(look) else None
