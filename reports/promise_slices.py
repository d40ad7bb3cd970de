"""A promise held against each slice of one run's canaries, or of many runs: which refute it, all looked at together."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from losses import LongRows
from losses.errors import listed
from losses.table import NO_LABEL, LabelColumn
from numerics.audits import ApproximateClaim, Claim, Decision, Scores, claim_test, level_each
from numerics.audits.one_run import Canaries, p_value, parameter_refuted
from numerics.audits.one_run.guesses import FEWEST_CANARIES, LEAST_FAIR, coin_p_value
from numerics.deadline import UNLIMITED, Deadline
from numerics.sampling import Adjacency
from reports.audit_report import AuditReport, ReportPart, plain
from reports.parts import starred
from reports.rounding import as_entered, how_many, nearest, rounded_down, rounded_up

REFUTED = "refuted by slices"
"""The outcome where slices refute what all rows together do not: each of the two at the level."""
_FEWEST_RUNS = 2  # of each world
_USUAL_EPSILON = 1.0  # where the search for what is proved starts


@dataclass(frozen=True)
class TestedSlice:
    """What a slice says of the promise.

    Attributes:
        name: its cell.
        rows: canaries, or runs.
        inside: how many of them are included, or with the record.
        p_value: of the promise, by this slice alone; None of a slice that cannot be looked into.
        why_not: why it cannot.
        is_refuted: whether it refutes the promise, with all slices looked at.
        proved: the largest epsilon that its canaries refute, with all slices looked at; None of runs.
    """

    name: str
    rows: int
    inside: int
    p_value: float | None = None
    why_not: str = ""
    is_refuted: bool = False
    proved: float | None = None


@dataclass(frozen=True)
class TestedSlices:
    """Every slice that a column tells; all statements hold together, and one that cannot be looked into counts, too.

    Attributes:
        column: that tells them.
        what: ``canaries`` or ``runs``.
        claim: the promise; None of canaries that have none, of which a proof of any epsilon is asked for.
        level: of all statements together.
        delta: at which an epsilon is proved; None of runs.
        each: in the column's order.
        outside: rows without a cell in the column.
    """

    column: str
    what: str
    claim: Claim | None
    level: float
    delta: float | None
    each: tuple[TestedSlice, ...]
    outside: int

    def sentence(self, named: Callable[[str], str]) -> str:
        """Which slices refute the promise; ``named`` puts an untrusted name into the sentence's Markdown."""
        refuting = [one.name for one in self.each if one.is_refuted]
        names = f": {named(listed(refuting))}" if refuting else ""
        sure = f"with {100 * self.level:g} % confidence for all slices together"
        all_of_them, count = how_many(len(self.each), "slice"), len(refuting)
        return f"**Of {all_of_them}, {count:,} {self._shown(count)}{names}**, {sure}."

    def _shown(self, count: int) -> str:
        """What so many slices do."""
        if self.claim is None:
            return "proves an ε above 0" if count == 1 else "prove an ε above 0"
        return "refutes the promise" if count == 1 else "refute the promise"

    @property
    def table(self) -> dict[str, list[str]]:
        """A row for each slice."""
        inside = "included" if self.delta is not None else "with the record"
        found = {
            "slice": [one.name for one in self.each],
            self.what: [f"{one.rows:,}" for one in self.each],
            inside: [f"{one.inside:,}" for one in self.each],
            "p by itself": [one.why_not if one.p_value is None else rounded_up(one.p_value, 2) for one in self.each],
            self._shown(1): ["yes" if one.is_refuted else "no" for one in self.each],
        }
        if self.delta is not None:
            proved = [one.proved for one in self.each]
            at_least = f"ε at least, at δ = {as_entered(self.delta)}"
            found[at_least] = ["nothing shown" if not value else rounded_down(value) for value in proved]
        return found

    @property
    def caption(self) -> str:
        """What the numbers hold for."""
        risk = nearest(1.0 - level_each(len(self.each), 1, self.level), 2)
        words = [f"Yes where p is at most {risk}: the slices share the risk of a false refutation."]
        words.append("What tells the slices was fixed before the coins." if self.delta is not None else "")
        words.append(f"{self.outside:,} {self.what} without a cell there are in none." if self.outside else "")
        return " ".join(filter(None, words))

    def overrule(self, report: AuditReport) -> bool:
        """Whether slices refute the promise that all rows together do not."""
        return self.claim is not None and self._show_something and report.outcome != Decision.REFUTED

    @property
    def _show_something(self) -> bool:
        return any(one.is_refuted for one in self.each)

    def added_to(self, report: AuditReport) -> AuditReport:
        """The report of all rows with the slices in its evidence, and in its verdict where some of them refute.

        There they come second; where all rows together do not refute the promise they come first.
        """
        said, is_new, (first, *others) = self.sentence(starred), self.overrule(report), report.verdict
        verdict = [said, first] if is_new else [first, said] if self._show_something else [first]
        part = ReportPart(
            "Slices",
            tuple(zip(*self.table.values(), strict=True)),
            tuple(self.table),
            f"{plain(said)} {self.caption}",
        )
        looked_at = f"all {len(self.each):,} of column “{self.column}”"
        return replace(
            report,
            outcome=REFUTED if is_new else report.outcome,
            verdict=(*verdict, *others),
            settings=(*report.settings, ("Slices looked at", looked_at)),
            evidence=(*report.evidence, part),
            numbers={**report.numbers, "slices": self.numbers},
            code=f"{report.code}\n{self._python}",
        )

    @property
    def _python(self) -> str:
        """The lines that print the sentence, below those that make ``rows``, ``claim`` and ``guesses`` of canaries."""
        of, claim = f"of_{self.what}", "None" if self.claim is None else "claim"
        more = "" if self.delta is None else f", guesses.adjacency, {self.delta!r}"
        return (
            f"from reports.promise_slices import {of}\n"
            f"print({of}(rows, rows.slices, {claim}, {self.level!r}{more}).sentence(str))"
        )

    @property
    def numbers(self) -> dict[str, object]:
        """The same with all digits, by the name of the slice."""
        return {
            "level_of_all_together": self.level,
            "rows_in_none": self.outside,
            "each": {
                one.name: {
                    self.what: one.rows,
                    "inside": one.inside,
                    "p_value": one.p_value,
                    "is_refuted": one.is_refuted,
                    **({} if self.delta is None else {"epsilon_at_least": one.proved, "delta": self.delta}),
                }
                for one in self.each
            },
        }


def of_canaries(
    rows: LongRows,
    column: LabelColumn,
    claim: Claim | None,
    level: float,
    adjacency: Adjacency,
    delta: float,
    deadline: Deadline = UNLIMITED,
) -> TestedSlices:
    """One run's canaries: what holds of all holds of those of a slice, whatever the coins of the others were.

    Raises ValueError for neighbours of another kind, DeadlineError when it takes too long.
    """
    each = level_each(len(column.labels), 1, level)
    tested_claim = ApproximateClaim(0.0, delta) if claim is None else claim
    asked = claim if isinstance(claim, ApproximateClaim) else ApproximateClaim(_USUAL_EPSILON, delta)

    def tested(name: str, own: LongRows) -> TestedSlice:
        size, inside = len(own.values), int(own.is_in.sum())
        if size < FEWEST_CANARIES:
            return TestedSlice(name, size, inside, why_not="too few")
        if coin_p_value(size, inside) < LEAST_FAIR:
            return TestedSlice(name, size, inside, why_not="uneven coins")
        guesses = Canaries(own.values, own.is_in, adjacency).guesses()
        found = p_value(guesses, tested_claim, deadline=deadline)
        proved = parameter_refuted(guesses, asked, each, deadline=deadline) or 0.0
        return TestedSlice(name, size, inside, found, "", found <= 1.0 - each, proved)

    return TestedSlices(column.name, "canaries", claim, level, asked.delta, *_every(rows, column, tested))


def of_runs(
    rows: LongRows, column: LabelColumn, claim: Claim, level: float, deadline: Deadline = UNLIMITED
) -> TestedSlices:
    """Many runs with and without a record, such as those of several records. Raises DeadlineError."""
    each = level_each(len(column.labels), 1, level)

    def tested(name: str, own: LongRows) -> TestedSlice:
        deadline.check()
        scores: Scores = own.scores
        size, inside = len(own.values), len(scores.alternative)
        if min(inside, size - inside) < _FEWEST_RUNS:
            return TestedSlice(name, size, inside, why_not="too few")
        found = claim_test(scores, claim, each)
        return TestedSlice(name, size, inside, found.p_value, "", found.is_refuted)

    return TestedSlices(column.name, "runs", claim, level, None, *_every(rows, column, tested))


def _every(
    rows: LongRows, column: LabelColumn, tested: Callable[[str, LongRows], TestedSlice]
) -> tuple[tuple[TestedSlice, ...], int]:
    """Each slice tested, and how many rows are in none."""
    found = tuple(tested(name, rows.of(column.codes == place)) for place, name in enumerate(column.labels))
    return found, int(np.count_nonzero(column.codes == NO_LABEL))
