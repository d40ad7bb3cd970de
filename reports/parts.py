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
    """What parts show, and which of them are surely below another; it holds no row of them.

    Attributes:
        kind: what they are called.
        names: of each.
        outside: rows that are in none of them.
        level: of all statements together.
        alpha: the false positive rate at which they are compared.
        found: what is found of each.
        below: whether each is surely below another.
    """

    kind: str
    names: tuple[str, ...]
    outside: int
    level: float
    alpha: float
    found: tuple[Slice, ...]
    below: tuple[bool, ...]

    @property
    def one(self) -> str:
        """What one of them is called."""
        return self.kind.removesuffix("s")

    @property
    def are_too_small(self) -> bool:
        """Whether nothing can be told of any."""
        return all(one.is_too_small for one in self.found)

    def sentence(self, named: Callable[[str], str]) -> str:
        """Which parts tell members from outsiders, and which are surely below the one of which most is shown.

        Two families of statements, each with the confidence for all parts together. ``named`` puts an untrusted name
        into the sentence's Markdown.
        """
        count, kind = len(self.found), self.kind
        telling, below = sum(one.exceeds for one in self.found), sum(self.below)
        sure = f"with {100 * self.level:g} % confidence for all {kind} together"
        if self.are_too_small:
            rate = f"{100 * self.alpha:g} % false alarms"
            return f"**All {count:,} {kind} are too small to tell anything at {rate},** {sure}."
        verb = "gives" if telling == 1 else "give"
        who = f"All {count:,} {kind}" if telling == count else f"Of {count:,} {kind}, {telling:,}"
        first = f"**{who} surely {verb} members away**"
        if not telling:
            return f"{first}, {sure}."
        if not below:
            return f"{first}, {sure}; that they differ from each other is not shown."
        most = max(range(count), key=lambda place: least(self.found[place]))
        name = named(f"“{visible(self.names[most])}”")
        at_least, wronged = int(least(self.found[most]) * _CROWD), round(self.alpha * _CROWD)
        others = f"1 other {self.one} surely gives" if below == 1 else f"{below:,} other {kind} surely give"
        return (
            f"{first}, {sure}. **Most is shown of {name}:** at least {at_least:,} of {_CROWD:,} members are found at "
            f"{wronged:,} of {_CROWD:,} false alarms, and {others} away less, with the same confidence."
        )

    @property
    def caption(self) -> str:
        """What the limits hold for, and what is left out."""
        small = sum(one.is_too_small for one in self.found)
        needed = next((one.rate.needed for one in self.found if one.rate is not None), None)
        rate = f"{100 * self.alpha:g} %"
        words = [f"Limits at {rate} false alarms hold for all {self.kind} together; yes and no by Holm's procedure."]
        if small:
            takes = "" if needed is None else f": each takes 30 members and {needed:,} outsiders"
            words.append(f"{small:,} too small{takes}.")
        if self.outside:
            words.append(f"{self.outside:,} rows without a cell there are in none.")
        return " ".join(words)

    @property
    def table(self) -> dict[str, list[str]]:
        """A row for each part."""
        return {
            self.one: list(self.names),
            "members": [f"{one.members:,}" for one in self.found],
            "outsiders": [f"{one.null:,}" for one in self.found],
            **self.columns,
        }

    @property
    def columns(self) -> dict[str, list[str]]:
        """What is found of each, without its name."""
        rates = [one.rate for one in self.found]
        return {
            f"found at {100 * self.alpha:g} %: at least": [
                "—" if rate is None or rate.lower is None else rounded_down(rate.lower) for rate in rates
            ],
            "at most": ["—" if rate is None else rounded_up(rate.upper) for rate in rates],
            "gives members away": [
                "yes" if one.exceeds else "too small" if one.is_too_small else "not shown" for one in self.found
            ],
            "less than the most": ["yes" if below else "not shown" for below in self.below],
        }

    @property
    def evidence(self) -> ReportPart:
        """The table for a report."""
        rows = tuple(zip(*self.table.values(), strict=True))
        note = f"{plain(self.sentence(starred))} {self.caption}"
        return ReportPart(f"All {self.kind}", rows, tuple(self.table), note)

    @property
    def numbers(self) -> dict[str, object]:
        """The same with all digits, by the name of the part."""
        return {
            "level_of_all_together": self.level,
            "false_positive_rate": self.alpha,
            "rows_in_none": self.outside,
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
                for name, one, below in zip(self.names, self.found, self.below, strict=True)
            },
        }


def compared(parts: ComparedParts, level: float) -> Compared:
    """What the parts show."""
    scores = parts.read()
    alpha = rate_for(scores, RATES, level)
    found = sliced(scores, alpha, _NOTHING, level)
    below = tuple(surely_below(found).tolist())
    return Compared(parts.kind, parts.names, parts.outside, level, alpha, found, below)


def least(one: Slice) -> float:
    """The lower limit of what is found; 0 without any."""
    return 0.0 if one.rate is None or one.rate.lower is None else one.rate.lower


def starred(name: str) -> str:
    """An untrusted name in the Markdown of reports, which know stars alone."""
    return name.replace("*", r"\*")


def in_python(kind: str, column: str, level: float) -> str:
    """The lines that print the sentence of the parts that ``rows.{column}`` tells."""
    return (
        f"from reports import parts\nevery = parts.of_column(rows, rows.{column}, {kind!r})\n"
        f"print(parts.compared(every, {level!r}).sentence(str))"
    )
