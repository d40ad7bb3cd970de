"""Parts side by side, slices of the people or models and epochs: which give members away, and which surely less."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from losses.errors import visible
from losses.roles import LongRows
from losses.table import LabelColumn
from numerics.audits import GdpClaim, Scores, Slice, rate_for, sliced, surely_below
from reports.audit_report import ReportPart, plain
from reports.rounding import rounded_down, rounded_up

RATES = (0.01, 0.1)
MODELS, SLICES = "models", "slices"
_NOTHING = GdpClaim(0.0)
_CROWD = 10_000


@dataclass(frozen=True, eq=False)
class ComparedParts:
    """Parts of rows, not looked at yet.

    Attributes:
        key: tells them from all others.
        kind: what they are called: ``slices``, ``models``, ``epochs``.
        names: of each.
        read: the scores of each, large ones speaking for "in".
        outside: rows that are in none of them.
    """

    key: tuple[str, ...]
    kind: str
    names: tuple[str, ...]
    read: Callable[[], Sequence[Scores]]
    outside: int = 0


def of_column(rows: LongRows, column: LabelColumn, kind: str, key: tuple[str, ...] = ()) -> ComparedParts:
    """The parts that a column of the rows tells."""
    outside = len(column.codes) - sum(column.counts.values())
    return ComparedParts(key, kind, column.labels, lambda: rows.scores_by(column), outside)


def kind_of(columns: Sequence[str]) -> str:
    """What is told apart by columns of models: ``epochs`` or ``folds`` by a column of that name alone, else models."""
    name = columns[0].casefold() if len(columns) == 1 else ""
    return {"epoch": "epochs", "fold": "folds", "checkpoint": "checkpoints"}.get(name, MODELS)


@dataclass(frozen=True, eq=False)
class Compared:
    """What the parts show, and which of them are surely below another."""

    alpha: float
    found: tuple[Slice, ...]
    below: tuple[bool, ...]

    @property
    def most(self) -> int:
        """The part of which surely most is found."""
        return max(range(len(self.found)), key=lambda place: least(self.found[place]))


def compared(parts: ComparedParts, level: float) -> Compared:
    """What the parts show."""
    scores = parts.read()
    alpha = rate_for(scores, RATES, level)
    found = sliced(scores, alpha, _NOTHING, level)
    return Compared(alpha, found, tuple(surely_below(found).tolist()))


def sentence(parts: ComparedParts, found: Compared, level: float, named: Callable[[str], str]) -> str:
    """Which parts tell members from outsiders, and which are surely below the one of which most is shown.

    Two families of statements, each with the confidence for all parts together. ``named`` puts a stranger's name into
    the sentence's Markdown.
    """
    count, kind = len(found.found), parts.kind
    telling, below = sum(one.exceeds for one in found.found), sum(found.below)
    sure = f"with {100 * level:g} % confidence for all {kind} together"
    if all(one.is_too_small for one in found.found):
        rate = f"{100 * found.alpha:g} % false alarms"
        return f"**All {count:,} {kind} are too small to tell anything at {rate},** {sure}."
    one, verb = kind.removesuffix("s"), "gives" if telling == 1 else "give"
    who = f"All {count:,} {kind}" if telling == count else f"Of {count:,} {kind}, {telling:,}"
    first = f"**{who} surely {verb} members away**"
    if not telling:
        return f"{first}, {sure}."
    if not below:
        return f"{first}, {sure}; that they differ from each other is not shown."
    name = named(f"“{visible(parts.names[found.most])}”")
    at_least, wronged = int(least(found.found[found.most]) * _CROWD), round(found.alpha * _CROWD)
    others = f"1 other {one} surely gives" if below == 1 else f"{below:,} other {kind} surely give"
    return (
        f"{first}, {sure}. **Most is shown of {name}:** at least {at_least:,} of {_CROWD:,} members are found at "
        f"{wronged:,} of {_CROWD:,} false alarms, and {others} away less, with the same confidence."
    )


def caption(parts: ComparedParts, found: Compared) -> str:
    """What the limits hold for, and what is left out."""
    small, kind = sum(one.is_too_small for one in found.found), parts.kind
    needed = next((one.rate.needed for one in found.found if one.rate is not None), None)
    rate = f"{100 * found.alpha:g} %"
    words = [f"Limits at {rate} false alarms hold for all {kind} together; yes and no by Holm's procedure."]
    if small:
        takes = "" if needed is None else f": each takes 30 members and {needed:,} outsiders"
        words.append(f"{small:,} too small{takes}.")
    if parts.outside:
        words.append(f"{parts.outside:,} rows without a cell there are in none.")
    return " ".join(words)


def table(parts: ComparedParts, found: Compared) -> dict[str, list[str]]:
    """A row for each part."""
    return {
        parts.kind.removesuffix("s"): list(parts.names),
        "members": [f"{one.members:,}" for one in found.found],
        "outsiders": [f"{one.null:,}" for one in found.found],
        **columns(found),
    }


def columns(found: Compared) -> dict[str, list[str]]:
    """What is found of each, without its name."""
    at = f"found at {100 * found.alpha:g} %"
    return {
        f"{at}: at least": [
            "—" if one.rate is None or one.rate.lower is None else rounded_down(one.rate.lower) for one in found.found
        ],
        "at most": ["—" if one.rate is None else rounded_up(one.rate.upper) for one in found.found],
        "gives members away": [
            "yes" if one.exceeds else "too small" if one.is_too_small else "not shown" for one in found.found
        ],
        "less than the most": ["yes" if below else "not shown" for below in found.below],
    }


def evidence(parts: ComparedParts, found: Compared, level: float) -> ReportPart:
    """The table for a report."""
    cells = table(parts, found)
    said = plain(sentence(parts, found, level, starred))
    rows = tuple(zip(*cells.values(), strict=True))
    return ReportPart(f"All {parts.kind}", rows, tuple(cells), f"{said} {caption(parts, found)}")


def starred(name: str) -> str:
    """A stranger's name in the Markdown of reports, which know stars alone."""
    return name.replace("*", r"\*")


def in_python(kind: str, column: str, level: float) -> str:
    """The lines that print the sentence of the parts that ``rows.{column}`` tells."""
    return (
        f"from reports import parts\nevery = parts.of_column(rows, rows.{column}, {kind!r})\n"
        f"print(parts.sentence(every, parts.compared(every, {level!r}), {level!r}, str))"
    )


def numbers(parts: ComparedParts, found: Compared, level: float) -> dict[str, object]:
    """The same with all digits, by the name of the part."""
    return {
        "level_of_all_together": level,
        "false_positive_rate": found.alpha,
        "rows_in_none": parts.outside,
        "each": {
            name: {
                "members": one.members,
                "outsiders": one.null,
                "is_too_small": one.is_too_small,
                "true_positive_rate": None if one.rate is None else one.rate.value,
                "at_least": None if one.rate is None else one.rate.lower,
                "at_most": None if one.rate is None else one.rate.upper,
                "gives_members_away": one.exceeds,
                "surely_less_than_the_most": below,
            }
            for name, one, below in zip(parts.names, found.found, found.below, strict=True)
        },
    }


def least(one: Slice) -> float:
    """The lower limit of what is found; 0 without any."""
    return 0.0 if one.rate is None or one.rate.lower is None else one.rate.lower
