"""What the page measures: two groups of losses, of one model or of one among several, and how they are read."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from losses import Groups, Instance, LossTable
from losses.columns import member_label
from pages.shared import uploads

UNKNOWN = "choose …"


@dataclass(frozen=True, eq=False)
class Models:
    """Several models of one mechanism, not read yet.

    Attributes:
        key: tells them from all others, by the bytes of the files and by the choices made.
        names: one for each, in order.
        read: reads the losses of all of them, in the same order; raises TableError.
        files: names and SHA-256 of the files that hold them.
    """

    key: tuple[str, ...]
    names: tuple[str, ...]
    read: Callable[[], list[Instance]]
    files: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, eq=False)
class Source:
    """Two groups of losses, not read yet.

    Attributes:
        key: tells it from every other, by the bytes of the files and by the choices made.
        name: for titles and exports.
        groups: reads the losses; raises TableError.
        python: what reads them in Python, imports included.
        models: the models it is one of.
    """

    key: tuple[str, ...]
    name: str
    groups: Callable[[], Groups]
    python: str
    models: Models | None = None
    files: tuple[tuple[str, str], ...] = ()


class Membership(NamedTuple):
    """Which column tells members from outsiders, and which of its labels means a member."""

    column: str
    member: str


def membership(table: LossTable, slot: str) -> Membership | None:
    """Draw the choice of the membership in the file in ``slot``; None until it is made."""
    names = [column.name for column in table.labels]
    column = uploads.column("Membership", slot, "membership", names if table.is_membership_clear else [UNKNOWN, *names])
    if column == UNKNOWN:
        return None
    labels = list(table.label(column).labels)
    guess = member_label(tuple(labels))
    if guess is None:
        ordered = labels if len(labels) != 2 else [UNKNOWN, *labels]
    else:
        ordered = [guess, *(label for label in labels if label != guess)]
    member = uploads.column("Members are", slot, f"member_{column}", ordered)
    return None if member == UNKNOWN else Membership(column, member)
