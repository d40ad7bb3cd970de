"""What the page measures: two groups of losses, of one model or of one among several, and how they are read."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from losses import Groups, Instance, LossTable, Membership, Sample, training_label
from losses.instances import instances_in
from losses.names import natural
from losses.roles import LongRows, rows_counted_once
from losses.row_questions import COPIES, clear_losses
from numerics.epsilon_star import LossScale
from pages.audit import row_questions
from pages.ui import uploads
from pages.ui.upload_preview import MEMBERS, UNKNOWN, Preview, UploadLook, look_at, look_at_losses
from reports.parts import MODELS, kind_of
from reports.python_code import readers


@dataclass(frozen=True, eq=False)
class Models:
    """Several models of one mechanism, not read yet.

    Attributes:
        key: tells them from all others, by the bytes of the files and by the choices made.
        names: one for each, in order.
        read: reads the losses of all of them, in the same order; raises TableError.
        files: names and SHA-256 of the files that hold them.
        rows: reads the rows of all, with the records they are of, where a column names these.
        kind: what they are called: ``models``, ``epochs``.
        blanks: rows of which nothing tells the model; they are left out.
    """

    key: tuple[str, ...]
    names: tuple[str, ...]
    read: Callable[[], list[Instance]]
    files: tuple[tuple[str, str], ...] = ()
    rows: Callable[[], LongRows] | None = None
    kind: str = MODELS
    blanks: int = 0


@dataclass(frozen=True, eq=False)
class LossSource:
    """Two groups of losses, not read yet.

    Attributes:
        key: tells it from every other, by the bytes of the files and by the choices made.
        name: for titles and exports.
        groups: reads the losses; raises TableError.
        python: what reads them in Python, imports included.
        models: the models it is one of.
        files: names and SHA-256 of the files that hold them.
        membership: which rows were taken for training data, and why; None where each group is a file of its own.
        scale: what the losses are, where that is known.
        cut: how many of the losses come from probabilities that were cut.
        about: what the model is, where that is known.
        shipped: the shipped sample that it is; None of what was uploaded.
        rows: reads its rows, with slices, where a column that tells these was chosen.
    """

    key: tuple[str, ...]
    name: str
    groups: Callable[[], Groups]
    python: str
    models: Models | None = None
    files: tuple[tuple[str, str], ...] = ()
    membership: Membership | None = None
    scale: LossScale | None = None
    cut: int = 0
    about: str = ""
    shipped: Sample | None = None
    rows: Callable[[], LongRows] | None = None


def membership(
    preview: Preview, table: LossTable, label: str = "Membership", members: str = "Members are"
) -> Membership | None:
    """Draw the choice of the membership in a table; None until it is made."""
    names = [column.name for column in table.labels]
    clear = table.is_membership_clear
    column = preview.column(label, "membership", names if clear else [UNKNOWN, *names], "its name or labels say so")
    if column == UNKNOWN:
        return None
    labels = list(table.label(column).labels)
    guess = training_label(column, labels)
    if guess is None:
        ordered = labels if len(labels) != 2 else [UNKNOWN, *labels]
    else:
        ordered = [guess.member, *(label for label in labels if label != guess.member)]
    member = preview.choice(members, f"member_{column}", ordered, guess.why if guess else "the first of them")
    return None if member == UNKNOWN else training_label(column, labels, member)


def loss_column(
    preview: Preview, names: Sequence[str], tables: Sequence[LossTable], what: str = "loss", label: str = "Losses"
) -> str:
    """Draw the choice of the column with the losses, one for all ``tables``; UNKNOWN while nothing says which it is."""
    clear = [clear_losses(table.numbers) for table in tables]
    return row_questions.column_of_numbers(preview, names, clear, (label, what, "loss"))


def confirmed(preview: Preview, source: LossSource, notes: Sequence[str] = ()) -> LossSource | None:
    """Draw what a source holds; the source, once it is confirmed. ``notes``: what else is to be known."""
    chosen = row_questions.copies(preview, source.key, lambda: source.groups().copied)
    if chosen is None:
        return None
    counted = _counted(source, chosen)

    def look() -> UploadLook:
        found = look_at_losses(counted.groups())
        return replace(found, notes=(*notes, *found.notes))

    return counted if preview.confirmed(look) else None


def _counted(source: LossSource, chosen: str) -> LossSource:
    """The source with its rows counted as was said of equal losses."""
    if not chosen:
        return source
    own, read = source.rows, source.groups
    return replace(
        source,
        key=(*source.key, chosen),
        groups=lambda: row_questions.settled(chosen)(read()),
        python=source.python + row_questions.in_python(chosen),
        rows=None if own is None else lambda: rows_counted_once(own()) if chosen == COPIES else own(),
    )


def all_confirmed(preview: Preview, models: Models, notes: Sequence[str] = ()) -> tuple[Models, str] | None:
    """Draw what the files of several models hold; once that is confirmed, the models, and what equal losses are.

    ``notes``: what else is to be known.
    """

    def copied() -> list[str]:
        return [f"{one.name}: {sentence}" for one in models.read() for sentence in one.groups.copied][:2]

    chosen = row_questions.copies(preview, models.key, copied)
    if chosen is None:
        return None
    counted = models
    if chosen:
        read, own = models.read, models.rows
        counted = replace(
            models,
            key=(*models.key, chosen),
            read=lambda: [one._replace(groups=row_questions.settled(chosen)(one.groups)) for one in read()],
            rows=None if own is None else lambda: rows_counted_once(own()) if chosen == COPIES else own(),
        )
    return (counted, chosen) if preview.confirmed(lambda: _look_at_models(counted, notes)) else None


def told_by(
    preview: Preview,
    columns: Sequence[str],
    key: tuple[str, ...],
    read: Callable[[], list[Instance]],
    tables: Sequence[LossTable],
) -> Models:
    """The models that columns of one or two tables tell."""

    def told() -> tuple[tuple[str, ...], int]:
        found = [instances_in(table, columns) for table in tables]
        names = {name for one in found for name in one.labels}
        return tuple(sorted(names, key=natural)), sum(int(np.count_nonzero(~one.is_usable)) for one in found)

    names, blanks = uploads.made(preview.slot, "models", (key, columns), told)
    files = tuple(file.file for file in preview.files.values())
    return Models((*key, *columns), names, read, files, None, kind_of(columns), blanks)


def one_of(
    preview: Preview,
    models: Models,
    python: tuple[Sequence[str], str],
    found: Membership | None = None,
    notes: Sequence[str] = (),
    rows: Callable[[str], LongRows] | None = None,
) -> LossSource | None:
    """Draw what the models' files hold; once that is confirmed, the one to look at.

    Args:
        preview: of the files.
        models: in them.
        python: what it imports from ``losses``, and the expression that reads all models.
        found: who is in, in all of them.
        notes: what else is to be known.
        rows: those of one, where slices were chosen.
    """
    confirmed_ones = all_confirmed(preview, models, notes)
    if confirmed_ones is None:
        return None
    (models, chosen), (names, every) = confirmed_ones, python

    def code(name: str) -> str:
        return readers(names, f"groups = dict({every})[{name!r}]")

    looked = looked_at(models, lambda name: dict(models.read())[name], code, lambda _: found, rows)
    return replace(looked, python=looked.python + row_questions.in_python(chosen))


def _look_at_models(models: Models, notes: Sequence[str]) -> UploadLook:
    groups = [instance.groups for instance in models.read()]
    together = {
        MEMBERS[0]: np.concatenate([one.train for one in groups]),
        MEMBERS[1]: np.concatenate([one.population for one in groups]),
    }
    found = look_at(together, models.blanks + sum(one.dropped for one in groups), "Loss")
    kind = models.kind.removesuffix("s") if len(groups) == 1 else models.kind
    return replace(found, words=f"{len(groups):,} {kind}: {found.words}", notes=(*notes, *found.notes))


def looked_at(
    models: Models,
    groups: Callable[[str], Groups],
    code: Callable[[str], str],
    found: Callable[[str], Membership | None],
    rows: Callable[[str], LongRows] | None = None,
) -> LossSource:
    """Draw the choice of the model to look at; functions go by its name, ``rows`` too, where slices were chosen."""
    name = uploads.choice("Look at one", "models_looked_at", models.names)
    words = f"{name}, one of {len(models.names):,} {models.kind}"
    of_one = None if rows is None else partial(rows, name)
    return LossSource(
        (*models.key, name), words, lambda: groups(name), code(name), models, models.files, found(name), rows=of_one
    )
