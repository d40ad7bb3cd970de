"""What the page measures: two groups of losses, of one model or of one among several, and how they are read."""

from collections.abc import Callable
from dataclasses import dataclass

from losses import Groups, Instance, LossTable, Membership, training_label
from numerics.epsilon_star import LossScale
from pages.ui import upload_choices

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
        files: names and SHA-256 of the files that hold them.
        membership: which rows were taken for training data, and why; None where each group is a file of its own.
        scale: what the losses are, where that is known.
        cut: how many of the losses come from probabilities that were cut.
        about: what the model is, where that is known.
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


def membership(
    table: LossTable, slot: str, label: str = "Membership", members: str = "Members are"
) -> Membership | None:
    """Draw the choice of the membership in the file in ``slot``; None until it is made."""
    names = [column.name for column in table.labels]
    column = upload_choices.column(label, slot, "membership", names if table.is_membership_clear else [UNKNOWN, *names])
    if column == UNKNOWN:
        return None
    labels = list(table.label(column).labels)
    guess = training_label(column, labels)
    if guess is None:
        ordered = labels if len(labels) != 2 else [UNKNOWN, *labels]
    else:
        ordered = [guess.member, *(label for label in labels if label != guess.member)]
    member = upload_choices.column(members, slot, f"member_{column}", ordered)
    return None if member == UNKNOWN else training_label(column, labels, member)


def looked_at(
    models: Models,
    groups: Callable[[str], Groups],
    code: Callable[[str], str],
    found: Callable[[str], Membership | None],
) -> Source:
    """Draw the choice of the model to look at; functions go by its name."""
    name = upload_choices.choice("Look at one", "models_looked_at", models.names)
    words = f"{name}, one of {len(models.names):,} models"
    return Source((*models.key, name), words, lambda: groups(name), code(name), models, models.files, found(name))
