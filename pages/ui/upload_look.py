"""A glance at what uploaded files hold: how many rows are usable, and how their numbers lie."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from losses import Groups, TableError
from numerics.trade_off import Floats
from plotting import group_histograms
from plotting.group_histograms import GroupHistogram

MEMBERS = ("training data", "fresh data")


@dataclass(frozen=True, eq=False)
class UploadLook:
    """What the files hold, as far as a glance shows it.

    Attributes:
        words: how many rows are usable and how many are left out, in plain text.
        notes: what else is to be known, a sentence each.
        histogram: of the numbers that are read, by group; None where there is nothing to count.
    """

    words: str
    notes: tuple[str, ...] = ()
    histogram: GroupHistogram | None = None


def look_at(groups: Mapping[str, Floats], left_out: int, axis: str, notes: Sequence[str] = ()) -> UploadLook:
    """A glance at the numbers of each group; with two of them, who was in comes first."""
    counts = ", ".join(f"{len(values):,} {name}" for name, values in groups.items())
    rows = "no row" if not left_out else "1 row" if left_out == 1 else f"{left_out:,} rows"
    histogram = group_histograms.counted(groups, axis)
    return UploadLook(f"{counts}; {rows} left out", tuple(notes), histogram)


def look_at_losses(groups: Groups, axis: str = "Loss") -> UploadLook:
    """A glance at two groups of losses."""
    both = dict(zip(MEMBERS, (groups.train, groups.population), strict=True))
    return look_at(both, groups.dropped, axis, (*groups.notes, *groups.doubts))


def refusing(problem: TableError) -> Callable[[], UploadLook]:
    """A glance at what cannot be read as it was chosen."""

    def look() -> UploadLook:
        raise problem

    return look


def nothing() -> UploadLook:
    """What there is to see while a question is open."""
    return UploadLook("")
