"""Losses of both groups in one file, in any layout: one model's, or those of several, told apart by columns."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from losses import ColumnRoles, LongRows, Membership, by_column, rows_of, split
from losses.long_form import LongForm
from losses.row_questions import check_any_layout
from pages.audit import row_groups, row_questions, table_layout
from pages.audit.epsilon_star.source import LossSource, confirmed, loss_column, membership, one_of, told_by
from pages.ui import upload_preview
from pages.ui.upload_preview import MEMBERS, Preview, nothing
from reports.python_code import readers

_LABEL = "A file with the losses of both groups: a row each with a membership, or a column for each group or model"


def draw(slot: str = "audit.both", is_of_several: bool = False) -> LossSource | None:
    """Draw the place for a file and how it is read; one model's losses, or None while something is missing."""
    preview = upload_preview.of_file(slot, _LABEL, check=check_any_layout)
    if preview is None:
        return None
    form = table_layout.draw(preview, "read_table", MEMBERS)
    if form is None:
        return None
    loss = form.value or loss_column(preview, [column.name for column in form.table.numbers], [form.table])
    if not row_questions.numbers_are_losses(preview, preview.tables, [loss]):
        return None
    return of_table(preview, form, loss, is_of_several=is_of_several)


def of_table(
    preview: Preview, form: LongForm, loss: str, notes: Sequence[str] = (), is_of_several: bool = False
) -> LossSource | None:
    """Draw what else columns of a table tell; one model's losses, or None while something is missing.

    Args:
        preview: of the file.
        form: its table, with a number in every row.
        loss: the column with the losses.
        notes: what else is to be known.
        is_of_several: there are several models, as was said.
    """
    asked = _roles(preview, form, loss, is_of_several)
    if asked is None:
        return None
    table, (roles, found, drop) = form.table, asked
    (upload,) = preview.files.values()
    key = upload.key, form.python, str(roles), str(drop)
    read = partial(rows_of, table, roles, drop, negate=True)
    said = f"{loss!r}, {roles.group!r}, {roles.member!r}, drop={drop}{row_groups.python(roles.person)}"
    if not roles.models:
        groups = partial(split, table, loss, roles.group, roles.member, drop, roles.person)
        code = readers(("split", *form.imports), f"groups = split({form.python}, {said})")
        rows = None if roles.slice is None else read
        one = LossSource(("one", *key), upload.source, groups, code, files=(upload.file,), membership=found, rows=rows)
        return confirmed(preview, one, notes)
    every_one = partial(by_column, table, roles.models, loss, roles.group, roles.member, drop, roles.person)
    models = told_by(preview, roles.models, ("column", *key), every_one, [table])
    models = replace(models, rows=None if roles.record is None else read)

    def of_one(model: str) -> LongRows:
        return read().of_model(model)

    line = f"by_column({form.python}, {roles.models!r}, {said})"
    slices = None if roles.slice is None else of_one
    return one_of(preview, models, (("by_column", *form.imports), line), found, notes, slices)


def _roles(
    preview: Preview, form: LongForm, loss: str, is_of_several: bool
) -> tuple[ColumnRoles, Membership, bool] | None:
    """Draw what columns are taken for, who is in, and whether rows may be left out; None while something is open."""
    found = form.membership or membership(preview, form.table)
    roles, is_open = row_groups.roles(preview, form.table, loss, found, is_of_several)
    drop = row_groups.leave_out(preview, form.table, (loss, roles.group, roles.person, *roles.models))
    if found is None or is_open:
        question = row_groups.question() if found else "Say which column and which label mark the members."
        preview.confirmed(nothing, question)
        return None
    return roles, found, drop
