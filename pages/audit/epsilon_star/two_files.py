"""Losses in two files, one of the training data and one of fresh data: of one model, or of several in both."""

from collections.abc import Mapping, Sequence
from functools import partial

from losses import Groups, by_column_of_two, join, one_column
from losses.dependence import SharedColumn, of_two_tables
from losses.long_form import LongForm
from losses.names import names_clusters
from pages.audit import row_groups, row_questions
from pages.audit.epsilon_star.source import LossSource, confirmed, loss_column, one_of, told_by
from pages.ui import upload_preview
from pages.ui.upload_preview import Preview, nothing
from pages.ui.uploads import imports, opened
from reports.python_code import readers

_LABELS = {"audit.train": "Losses of the training data", "audit.fresh": "Losses of fresh data, the population"}


def draw() -> LossSource | None:
    """Draw the places for both files and how they are read; None while something is missing."""
    preview = upload_preview.of_files(_LABELS)
    if preview is None or not row_questions.rows_are_people(preview):
        return None
    tables = {}
    for slot, file in preview.files.items():
        names = [one.name for one in file.table.numbers]
        loss = loss_column(preview, names, [file.table], slot, _LABELS[slot])
        read = opened("read_table", file), ("read_table", *imports(file))
        tables[slot] = LongForm(file.table, *read, loss), loss
    if not row_questions.numbers_are_losses(preview, preview.tables, [loss for _, loss in tables.values()]):
        return None
    return of_two(preview, tables)


def of_two(preview: Preview, files: Mapping[str, tuple[LongForm, str]], notes: Sequence[str] = ()) -> LossSource | None:
    """Draw what else columns of two tables tell; the losses of one model, or None while something is missing.

    Args:
        preview: of the files.
        files: the table of each group and its column of losses, by slot; the training data first.
        notes: what else is to be known.
    """
    forms, losses = zip(*files.values(), strict=True)
    tables = [form.table for form in forms]
    persons = [one.name for one in tables[0].clusters if names_clusters(one.name)]
    told, is_one = row_groups.several(preview, (*losses, *persons), tables)

    def shared(whose: str | None) -> list[SharedColumn]:
        found = partial(of_two_tables, tables, losses, whose, told)
        return row_groups.of_files(preview, str((losses, told, whose)), [found])

    person, is_said = row_groups.persons(preview, (*losses, *told), tables, shared)
    drops = tuple(
        row_groups.leave_out(preview, form.table, (loss, person, *told), slot) for slot, (form, loss) in files.items()
    )
    if not is_said or not is_one:
        preview.confirmed(nothing, row_groups.question())
        return None
    key = ("two", *(file.key for file in preview.files.values()), *map(str, (*losses, *drops, person)))
    key = (*key, *(form.python for form in forms))
    imports, whose = [name for form in forms for name in form.imports], row_groups.python(person)
    if told:
        read = partial(by_column_of_two, tables, told, losses, drops, person)
        both = ", ".join(form.python for form in forms)
        line = f"by_column_of_two([{both}], {told!r}, {losses!r}, {drops!r}{whose})"
        every = told_by(preview, told, key, read, tables)
        return one_of(preview, every, (("by_column_of_two", *imports), line), notes=notes)

    def groups() -> Groups:
        return join(*(one_column(*read, person) for read in zip(tables, losses, drops, strict=True)))

    read_in_python = (
        f"    one_column({form.python}, {loss!r}, drop={drop}{whose}),"
        for form, loss, drop in zip(forms, losses, drops, strict=True)
    )
    code = readers({"join", "one_column", *imports}, "groups = join(", *read_in_python, ")")
    name = " and ".join(file.source for file in preview.files.values())
    named = tuple(file.file for file in preview.files.values())
    return confirmed(preview, LossSource(key, name, groups, code, files=named), notes)
