"""Audits of losses, or of predictions that give them: of one model, of several, and of slices of one model's people."""

import argparse
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import zip_longest
from pathlib import Path
from typing import NamedTuple

from losses.errors import TableError, listed, quoted
from losses.instances import MOST_INSTANCES
from losses.warehouse.auditing import WarehouseAudit, Wish, audit
from losses.warehouse.grouping import told_by
from numerics.audits import level_each
from numerics.audits.threshold_attack import threshold_attack
from numerics.epsilon_star import LossScale, Method
from numerics.epsilon_star.verdict import Standing
from numerics.validation import Interval
from reports import losses_audit
from reports.audit_report import AuditReport, Data, ReportPart, plain
from reports.command import provenance, tables
from reports.command.arguments import AS_PRINTED, METHODS, NO_ESTIMATE, PREDICTIONS, UNITS
from reports.losses_audit import (
    ASSUMPTIONS,
    NO_GUARANTEE,
    RESTS_ON,
    EstimateReport,
    MeasuredLosses,
    numbers_of_bound,
    percent,
)
from reports.parts import MODELS, SLICES, kind_of
from reports.rounding import rounded_down, rounded_up

EXCEEDED, UNDECIDED = "exceeded", "undecided"
"""Outcomes that a limit has."""
_MOST_SLICES = 200
_NO_PROOF = "A lower bound within the limit is no proof that it is kept."
_HEAD = ("Training", "Fresh", "δ", "ε* at least", "Can show at most", "Left out")
_MEANING = {
    Method.PARAMETRIC: "parametric estimate",
    Method.EMPIRICAL: "empirical estimate",
    Method.CONFIDENCE: "lower confidence bound",
}
_METHOD = {
    "parametric": Method.PARAMETRIC,
    AS_PRINTED: Method.PARAMETRIC,
    "empirical": Method.EMPIRICAL,
}
Say = Callable[[str], object]


class AuditedLosses(NamedTuple):
    """What the losses of a model show, how an engine counted them, and what else is known of that, by name."""

    measured: MeasuredLosses
    counted: WarehouseAudit
    numbers: Mapping[str, object]


def report(chosen: argparse.Namespace, code: str, progress: Say) -> AuditReport:
    """The report; ``code`` is the command line. Raises TableError, and ValueError for settings that do not fit."""
    Interval(1e-9, 1.0 - 1e-9).check("level", chosen.level)
    data = provenance.data_of(chosen, progress)
    if len(chosen.sources) > 1:
        return _report_of_several(_of_files(chosen, progress), chosen, data, code)
    with tables.opened(chosen) as opened:
        if chosen.model_column is not None and chosen.model is None:
            return _report_of_several(_of_models(opened, chosen, progress), chosen, data, code)
        found = _audited(opened, chosen, progress)
        slices = None if chosen.slice is None else _of_slices(opened, chosen, progress)
    measured = replace(found.measured, code=code, data=replace(data, notes=(*data.notes, *found.measured.data.notes)))
    made = losses_audit.report(measured, further=found.numbers)
    if chosen.max_epsilon_star is not None:
        made = _limited(made, found.counted, chosen.max_epsilon_star)
    if chosen.report is not None:
        drawn = import_module("reports.figures").of_bins(measured.result, found.counted.summary.bins)
        made = replace(made, pictures=(drawn.picture,))
    return made if slices is None else _with_slices(made, slices, chosen.slice)


def _audited(
    opened: tables.Opened, chosen: argparse.Namespace, progress: Say, slice_value: str | None = None
) -> AuditedLosses:
    """The audit of one model, or of a slice of its people."""
    with ExitStack() as stack:
        rows = tables.labelled_rows(opened, chosen, slice_value, stack)
        label, loss = rows.columns.membership or "group", rows.columns.loss
        found = audit(rows.engine, rows.table, _wish(chosen, opened.cut), chosen.member, chosen.drop, progress, label)
    if opened.membership is not None and opened.membership.member == found.membership.member:
        found = replace(found, membership=opened.membership)
        loss = " and ".join(opened.read[0][1].label(opened.membership.column).labels)
    membership = None if rows.columns.membership is None else found.membership
    measured = MeasuredLosses(
        found.found[Method.CONFIDENCE],
        _estimates(found),
        Data("", notes=(f"Losses are in column {quoted(loss)}.",)),
        threshold_attack(found.summary.bins, chosen.level),
        membership,
        sum(found.dropped.values()),
        (*opened.notes, *rows.notes, *found.notes),
        (*rows.doubts, *found.doubts),
    )
    moments = {"train": found.summary.train, "population": found.summary.population}
    numbers = {
        "sources": [Path(source).name or source for source in tables.sources_of(chosen)],
        "engine": f"{opened.engine.name} {opened.engine.version}",
        "columns": {
            "loss": loss,
            "membership": rows.columns.membership,
            "member": membership and membership.member,
            "why": membership and membership.why.value,
        },
        "scale": found.summary.scale.value,
        "scores": {name: {"mean": one.mean, "variance": one.variance} for name, one in moments.items()},
        "dropped": dict(found.dropped),
        "passes": found.passes,
        "limit": None,
    }
    return AuditedLosses(measured, found, numbers)


def _wish(chosen: argparse.Namespace, cut: int) -> Wish:
    """What is to be computed; ``cut`` losses come from probabilities that were cut."""
    scale = LossScale.PRINTED if AS_PRINTED in chosen.estimate else UNITS.get(chosen.unit)
    if chosen.evidence == PREDICTIONS and scale is None:
        scale = LossScale.LOG_ODDS
    return Wish(
        [_METHOD[name] for name in chosen.estimate if name in _METHOD],
        chosen.delta,
        chosen.level,
        scale,
        cut,
        tables.EQUAL_ROWS[chosen.rows],
    )


def _estimates(found: WarehouseAudit) -> tuple[EstimateReport, ...]:
    return tuple(
        EstimateReport(
            method,
            found.found.get(method),
            found.verdicts.get(method),
            found.refused.get(method, ""),
            None,
            found.at_most if method is Method.EMPIRICAL else None,
            found.summary.scale.value if method is Method.PARAMETRIC else "",
        )
        for method in (Method.PARAMETRIC, Method.EMPIRICAL)
        if method in found.found or method in found.refused
    )


def _limited(made: AuditReport, found: WarehouseAudit, limit: float) -> AuditReport:
    """The report with the comparison with the largest Epsilon* that passes first; of an interval the upper end counts.

    The limit is undecided where the bound alone keeps it, as the estimate that was asked for could not be made. One
    that says nothing about the losses decides nothing, as on the page.
    """
    silent = {method for method, verdict in found.verdicts.items() if verdict.standing is Standing.GREY}
    compared = {method: one.value for method, one in found.found.items() if method not in silent}
    if Method.EMPIRICAL in compared:
        compared[Method.EMPIRICAL] = found.at_most
    exceeded = [method for method, value in compared.items() if value > limit]
    outcome, end = "within the limit", "not exceeded."
    if exceeded:
        outcome, end = EXCEEDED, f"EXCEEDED by the {_in_words(exceeded)}."
    elif set(compared) == {Method.CONFIDENCE}:
        end = f"not exceeded. {_NO_PROOF}"
        if found.refused and not silent:
            outcome, end = UNDECIDED, "UNDECIDED, as the estimate asked for could not be made."
    numbers = {
        "max_epsilon_star": limit,
        "compared_with": {METHODS[method]: value for method, value in compared.items()},
        "exceeded_by": [METHODS[method] for method in exceeded],
        "undecided": outcome == UNDECIDED,
    }
    bound, details, attack, *further = made.verdict  # a page has room for the first three
    return replace(
        made,
        outcome=outcome,
        verdict=(
            f"**Limit {limit:g}, compared with the {_in_words(compared)}: {end}**",
            bound,
            attack,
            details,
            *further,
        ),
        settings=(*made.settings, ("Largest Epsilon* that passes", f"{limit:g}")),
        numbers={**made.numbers, "limit": numbers},
    )


def _in_words(methods: Mapping[Method, float] | Sequence[Method]) -> str:
    return " and the ".join(_MEANING[method] for method in methods)


# Several models, or slices of one model's people: each of them audited, with bounds that hold together.


@dataclass(frozen=True)
class Several:
    """Audits of all models, or of all slices, at a level at which all bounds hold together.

    Attributes:
        kind: what they are called: ``models``, ``epochs``, ``slices``.
        measured: by name.
        refused: those that could not be audited, and why; they count among the others.
        blanks: rows that belong to none of them.
        level: of all bounds together.
    """

    kind: str
    measured: Mapping[str, MeasuredLosses]
    refused: Mapping[str, str]
    blanks: int
    level: float

    @property
    def one(self) -> str:
        """What one of them is called."""
        return self.kind.removesuffix("s")

    @property
    def most(self) -> float:
        """What the most exposed one has at least."""
        return max((one.bound.value for one in self.measured.values()), default=0.0)

    @property
    def notes(self) -> list[str]:
        """What was done about rows, and what looks like dependence; of which models, where it is not all."""
        said: dict[str, list[str]] = {}
        for name, one in self.measured.items():
            told = [] if one.membership is None else [one.membership.words]
            for line in (*one.data.notes, *told, *one.notes, *(f"Mind: {doubt}" for doubt in one.doubts)):
                said.setdefault(line, []).append(name)
        every = len(self.measured)
        return [line if len(names) == every else f"{listed(names)}: {line}" for line, names in said.items()]

    @property
    def sentence(self) -> str:
        """What all of them show together."""
        every = len(self.measured) + len(self.refused)
        return (
            f"{every:,} {self.kind}: with {percent(self.level)} confidence ε\\* of the most exposed {self.one} is **at "
            f"least {rounded_down(self.most)}**, and every bound below holds at once."
        )

    @property
    def table(self) -> ReportPart:
        """All of them, with their bounds."""
        rows = [
            (
                name,
                f"{one.groups.train_size:,}",
                f"{one.groups.population_size:,}",
                f"{one.bound.delta:.3g}",
                rounded_down(one.bound.value, 4),
                rounded_up(one.bound.attainable, 4),
                f"{one.dropped:,}",
            )
            for name, one in self.measured.items()
        ]
        rows += [(name, *("—",) * 6) for name in self.refused]
        note = [f"No estimates are made of {self.kind}: bounds alone count."]
        if self.blanks:
            note.append(f"{self.blanks:,} rows without a cell there are in none of the {self.kind}.")
        if self.refused:
            note.append("Not audited, and counted among the others:")
        note += [f"{quoted(name)}: {why}" for name, why in self.refused.items()]
        return ReportPart(f"All {self.kind}", tuple(rows), (self.one.capitalize(), *_HEAD), " ".join(note))

    @property
    def numbers(self) -> dict[str, object]:
        """The same with all digits, by name."""
        every: dict[str, object] = {
            name: {
                "sizes": {"train": one.groups.train_size, "population": one.groups.population_size},
                "rows_left_out": one.dropped,
                "lower_bound": numbers_of_bound(one.bound),
            }
            for name, one in self.measured.items()
        }
        every |= {name: {"refused": why} for name, why in self.refused.items()}
        kind = self.kind if self.kind == SLICES else MODELS
        return {kind: every, f"rows_in_none_of_the_{kind}": self.blanks}


def _of_files(chosen: argparse.Namespace, progress: Say) -> Several:
    """A model in each source, or in each pair of sources."""
    pairs = zip_longest(chosen.sources, chosen.population)
    cases = {
        name: {"sources": [source], "population": [] if fresh is None else [fresh]}
        for name, (source, fresh) in zip(provenance.names_of(chosen.sources), pairs, strict=True)
    }
    return _every_one(MODELS, cases, 0, chosen, progress)


def _of_models(opened: tables.Opened, chosen: argparse.Namespace, progress: Say) -> Several:
    """All models that a column tells."""
    names, blanks = told_by(opened.engine, opened.tables, chosen.model_column, MOST_INSTANCES, chosen.drop)
    cases = {name: {"model": name} for name in names}
    return _every_one(kind_of([chosen.model_column]), cases, blanks, chosen, progress, opened)


def _of_slices(opened: tables.Opened, chosen: argparse.Namespace, progress: Say) -> Several:
    """All slices that a column tells."""
    names, blanks = told_by(opened.engine, opened.tables, chosen.slice, _MOST_SLICES, chosen.drop)
    return _every_one(SLICES, {name: {} for name in names}, blanks, chosen, progress, opened)


def _every_one(
    kind: str,
    cases: Mapping[str, Mapping[str, object]],
    blanks: int,
    chosen: argparse.Namespace,
    progress: Say,
    opened: tables.Opened | None = None,
) -> Several:
    """All cases audited, by what is chosen otherwise in each; a slice that is too small shows nothing, and counts.

    What is ``opened`` holds all of them; else each has sources of its own.
    """
    found, refused = dict[str, MeasuredLosses](), dict[str, str]()
    own = {"level": level_each(len(cases), 1, chosen.level), "estimate": [NO_ESTIMATE]}
    for place, (name, told) in enumerate(cases.items(), 1):
        progress(f"{kind}: {place:,} of {len(cases):,}")
        try:
            of_one = argparse.Namespace(**{**vars(chosen), **own, **told})
            with tables.opened(of_one) if opened is None else nullcontext(opened) as held:
                found[name] = _audited(held, of_one, progress, name if kind == SLICES else None).measured
        except ValueError as refusal:
            if kind != SLICES or (isinstance(refusal, TableError) and "cannot be used" in refusal.what):
                raise ValueError(f"{name}: {refusal}") from None
            refused[name] = str(refusal)
    if not found:
        raise ValueError(f"no slice can be audited; {next(iter(refused.values()))}")
    return Several(kind, found, refused, blanks, chosen.level)


def _report_of_several(several: Several, chosen: argparse.Namespace, data: Data, code: str) -> AuditReport:
    """The report: a table of all models, and what holds of all of them together."""
    limit, delta, verdict = chosen.max_epsilon_star, chosen.delta, [several.sentence, NO_GUARANTEE]
    outcome = f"largest epsilon* at least {rounded_down(several.most, 4)}"
    each = level_each(len(several.measured) + len(several.refused), 1, several.level)
    settings = [
        ("Confidence of all bounds together", f"{percent(several.level)}; of each, {percent(each)}"),
        ("δ", "the rule 1 / (n log n) of each" if delta is None else f"{delta:.6g} (chosen by hand)"),
    ]
    if limit is not None:
        said = f"Limit {limit:g}, compared with the bounds of all {several.kind} together"
        settings.append(("Largest Epsilon* that passes", f"{limit:g}"))
        if several.most > limit:
            outcome, verdict = EXCEEDED, [f"**{said}: EXCEEDED.**", *verdict]
        else:
            verdict = [f"**{said}: not exceeded.** {_NO_PROOF}", *verdict]
    notes = several.notes
    return AuditReport(
        "losses",
        outcome,
        (*verdict, *(note for note in notes if "Mind: " in note)),
        replace(data, notes=(*data.notes, *(note for note in notes if "Mind: " not in note))),
        tuple(settings),
        (RESTS_ON, *ASSUMPTIONS),
        (several.table,),
        {"level": several.level, "limit": limit, **several.numbers},
        code,
    )


def _with_slices(made: AuditReport, slices: Several, column: str) -> AuditReport:
    """The report with all slices that a column tells."""
    table = replace(slices.table, note=f"{plain(slices.sentence)} {slices.table.note}")
    return replace(
        made,
        evidence=(*made.evidence, table),
        numbers={**made.numbers, **slices.numbers},
        settings=(*made.settings, ("Slices looked at", f"all {len(table.rows):,} of column “{column}”")),
    )
