"""Which rows of a table are members and which outsiders, by what the first pass found for each label."""

from collections.abc import Mapping
from types import MappingProxyType

from losses.errors import TableError, listed, quoted
from losses.membership import Membership, training_label
from losses.warehouse.expressions import LossRange
from losses.warehouse.passes import Label
from numerics.epsilon_star.aggregates import check_groups

_MEND = "Mend them, or leave out such rows: --drop."


def groups(
    found: list[Label], column: str, member: str | None, drop: bool
) -> tuple[Membership, Label, Label, Mapping[str, int]]:
    """Which label means training data, members, outsiders and unusable rows."""
    named = [label for label in found if label.label is not None]
    if len(named) != 2:
        _refuse_labels(named)
    words = (str(named[0].label), str(named[1].label))
    if member is not None and member not in words:
        raise TableError(f"No row has the label {quoted(member)}.", f"The labels are {listed(list(words))}.")
    told = training_label(column, words, member)
    if told is None:
        raise TableError(
            f"Neither the labels {listed(list(words))} nor the name {quoted(column)} say which rows are training data.",
            "Name the label of training data: --member VALUE.",
        )
    dropped = {
        "without a label": sum(label.rows for label in found if label.label is None),
        "blank or no number": sum(label.missing for label in named),
        "NaN or infinite": sum(label.not_finite for label in named),
    }
    if any(dropped.values()) and not drop:
        reasons = ", ".join(f"{count:,} {reason}" for reason, count in dropped.items() if count)
        raise TableError(f"{sum(dropped.values()):,} rows cannot be used: {reasons}.", _MEND)
    train, population = named if words[0] == told.member else named[::-1]
    return told, train, population, MappingProxyType(dropped)


def _refuse_labels(named: list[Label]) -> None:
    if not named:
        raise TableError("There is no row with a label.", "Check the source and the membership column.")
    words = [str(label.label) for label in named]
    if len(words) == 1:
        raise TableError(
            f"One group is missing: every label is {quoted(words[0])}.", "Add the losses of the other group."
        )
    many = "more than 20" if len(words) > 20 else str(len(words))
    raise TableError(
        f"The membership has {many} different labels; two are needed.",
        "Name another column: --membership COLUMN.",
        f"Among them are {listed(words)}.",
    )


def pooled(train: Label, population: Label) -> LossRange:
    """The range of all usable losses."""
    ranges = [group.range for group in (train, population) if group.range is not None]
    low, high = (min((one.low for one in ranges), default=0.0), max((one.high for one in ranges), default=0.0))
    check_groups(train.size, population.size, low, high)
    return LossRange(low, high)
