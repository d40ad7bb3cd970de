"""Losses of both groups in one file, in any layout: one model's, or those of several, told apart by columns."""

from dataclasses import dataclass
from functools import partial

from losses import Groups, Instance, Membership, by_column, split
from losses.instances import instances_in, natural
from losses.long_form import LongForm
from losses.roles import ColumnRoles, LongRows, rows_of
from losses.wide import check_any_layout
from pages.audit import row_groups, table_layout
from pages.audit.epsilon_star.source import (
    Models,
    Source,
    all_confirmed,
    confirmed,
    looked_at,
    loss_column,
    membership,
    read_columns,
)
from pages.ui import upload_places, uploads
from pages.ui.upload_look import MEMBERS, nothing
from pages.ui.upload_preview import Preview
from pages.ui.upload_reading import Upload
from pages.ui.upload_snippet import python
from reports.parts import kind_of

_LABEL = "A file with the losses of both groups: a row each with a membership, or a column for each group or model"


@dataclass(frozen=True, eq=False)
class _Read:
    """A file, its long form, what its columns were taken for, and whether rows may be left out."""

    slot: str
    upload: Upload
    long: LongForm
    roles: ColumnRoles
    drop: bool

    @property
    def key(self) -> tuple[str, ...]:
        return self.upload.key, self.long.python, str(self.roles), str(self.drop)

    @property
    def arguments(self) -> str:
        roles = self.roles
        return f"{roles.value!r}, {roles.group!r}, {roles.member!r}, drop={self.drop}{row_groups.python(roles.person)}"

    def rows(self) -> LongRows:
        return rows_of(self.long.table, self.roles, self.drop, negate=True)


def draw(slot: str = "both", is_of_several: bool = False) -> Source | None:
    """Draw the place for a file and how it is read; one model's losses, or None while something is missing."""
    preview = upload_places.of_file(slot, _LABEL, check=check_any_layout)
    if preview is None:
        return None
    long = table_layout.draw(preview, "read_table", MEMBERS)
    if long is None:
        return None
    table = long.table
    loss = long.value or loss_column(preview, [column.name for column in table.numbers])
    found = long.membership or membership(preview, table)
    roles, is_open = row_groups.roles(preview, table, loss, found, is_of_several)
    drop = preview.leave_out(*read_columns(table, loss, found))
    if found is None or is_open:
        question = row_groups.OPEN if found else "Say which column and which label mark the members."
        preview.confirmed(nothing, question)
        return None
    (upload,) = preview.files.values()
    read = _Read(slot, upload, long, roles, drop)
    return _several(preview, read, found) if roles.models else confirmed(preview, _one(read, found))


def _one(read: _Read, found: Membership) -> Source:
    roles, long = read.roles, read.long
    groups = partial(split, long.table, roles.value, roles.group, roles.member, read.drop, roles.person)
    code = python(("split", *long.imports), f"groups = split({long.python}, {read.arguments})")
    name = uploads.named(read.slot, read.upload)
    files = (read.upload.file,)
    rows = None if roles.slice is None else read.rows
    return Source(("one", *read.key), name, groups, code, files=files, membership=found, rows=rows)


def _several(preview: Preview, read: _Read, found: Membership) -> Source | None:
    """The model to look at, of all in the file."""
    roles, long = read.roles, read.long
    columns = roles.models[0] if len(roles.models) == 1 else roles.models
    names = uploads.made(
        read.slot, "names", (read.upload.key, long.python, columns), lambda: _names(long, roles.models)
    )

    def every_one() -> list[Instance]:
        return by_column(long.table, columns, roles.value, roles.group, roles.member, read.drop, roles.person)

    rows = None if roles.record is None else read.rows
    every = Models(("column", *read.key), names, every_one, (read.upload.file,), rows, kind_of(roles.models))
    if not all_confirmed(preview, every):
        return None
    arguments = f"{long.python}, {columns!r}, {read.arguments}"

    def groups(name: str) -> Groups:
        return dict(every.read())[name]

    def code(name: str) -> str:
        return python(("by_column", *long.imports), f"groups = dict(by_column({arguments}))[{name!r}]")

    of_one = None if roles.slice is None else lambda name: read.rows().of_model(name)
    return looked_at(every, groups, code, lambda _: found, of_one)


def _names(long: LongForm, models: tuple[str, ...]) -> tuple[str, ...]:
    """The models' names in the order of ``by_column``."""
    return tuple(sorted(instances_in(long.table, models).labels, key=natural))
