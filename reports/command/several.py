"""Several models, or slices of one model's people: each of them audited, with bounds that hold together."""

import argparse
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import zip_longest

from losses.errors import TableError, listed, quoted
from losses.instances import MOST_INSTANCES
from numerics.audits import level_each
from numerics.epsilon_star import LowerBound, Method
from reports.audit_report import AuditReport, Data, ReportPart
from reports.command import identity, losses
from reports.command.writing import EngineAudit
from reports.losses_words import ASSUMPTIONS, NO_GUARANTEE, RESTS_ON, numbers_of_bound, percent
from reports.parts import MODELS, SLICES, kind_of
from reports.rounding import rounded_down, rounded_up

_MOST_SLICES = 200
_HEAD = ("Training", "Fresh", "δ", "ε* at least", "Can show at most", "Left out")


@dataclass(frozen=True)
class Several:
    """Audits of all models, or of all slices.

    Attributes:
        kind: what they are called: ``models``, ``epochs``, ``slices``.
        reports: by name, with bounds at a level at which all hold together.
        refused: those that could not be audited, and why; they count among the others.
        blanks: rows that belong to none of them.
        level: of all bounds together.
        delta: of all of them; None for the rule.
        limit: the largest Epsilon* that passes.
    """

    kind: str
    reports: Mapping[str, EngineAudit]
    refused: Mapping[str, str]
    blanks: int
    level: float
    delta: float | None
    limit: float | None

    @property
    def exceeded(self) -> bool:
        """Whether the bound of some model is above the limit, all bounds held together."""
        return self.limit is not None and self.most > self.limit

    @property
    def most(self) -> float:
        """What the most exposed one has at least."""
        return max((_bound(report).value for report in self.reports.values()), default=0.0)

    @property
    def notes(self) -> list[str]:
        """What was done about rows, and what looks like dependence; of which models, where it is not all."""
        said: dict[str, list[str]] = {}
        for name, report in self.reports.items():
            audit = report.audit
            told = None if report.columns.membership is None else audit.membership.words
            lines = [f"Losses are in column {quoted(report.columns.loss)}.", told, *report.notes, *audit.notes]
            for line in filter(None, [*lines, *(f"Mind: {doubt}" for doubt in (*report.doubts, *audit.doubts))]):
                said.setdefault(line, []).append(name)
        every = len(self.reports)
        return [line if len(names) == every else f"{listed(names)}: {line}" for line, names in said.items()]


def of_models(chosen: argparse.Namespace, progress: losses.Say) -> Several:
    """All models that a column tells; raises TableError, and ValueError where one of them cannot be audited."""
    names, blanks = losses.cells_of(chosen, chosen.model_column, MOST_INSTANCES)
    return _audited(
        kind_of([chosen.model_column]), [(name, {"model": name}) for name in names], blanks, chosen, progress
    )


def of_files(chosen: argparse.Namespace, progress: losses.Say) -> Several:
    """A model in each source, or in each pair of sources."""
    pairs = zip_longest(chosen.sources, chosen.population)
    told = [{"source": source, "fresh": fresh} for source, fresh in pairs]
    return _audited(MODELS, list(zip(identity.names_of(chosen.sources), told, strict=True)), 0, chosen, progress)


def of_slices(chosen: argparse.Namespace, progress: losses.Say) -> Several:
    """All slices that a column tells; one that is too small to be audited counts as one that shows nothing."""
    names, blanks = losses.cells_of(chosen, chosen.slice, _MOST_SLICES)
    cases: Sequence[tuple[str, dict[str, str | None]]] = [(name, {"slice_value": name}) for name in names]
    return _audited(SLICES, cases, blanks, chosen, progress)


def _audited(
    kind: str,
    cases: Sequence[tuple[str, Mapping[str, str | None]]],
    blanks: int,
    chosen: argparse.Namespace,
    progress: losses.Say,
) -> Several:
    found, refused = dict[str, EngineAudit](), dict[str, str]()
    for place, (name, told) in enumerate(cases, 1):
        own = copy(chosen)
        own.level, own.method, own.max_epsilon_star = level_each(len(cases), 1, chosen.level), "confidence", None
        for key, value in told.items():
            setattr(own, key, value)
        progress(f"{kind}: {place:,} of {len(cases):,}")
        try:
            found[name] = losses.audited(own, progress)
        except ValueError as refusal:
            if kind != SLICES or (isinstance(refusal, TableError) and refusal.what.find("cannot be used") >= 0):
                raise ValueError(f"{name}: {refusal}") from None
            refused[name] = str(refusal)
    if not found:
        raise ValueError(f"no slice can be audited; {next(iter(refused.values()))}")
    return Several(kind, found, refused, blanks, chosen.level, chosen.delta, chosen.max_epsilon_star)


def report(several: Several, data: Data, code: str) -> AuditReport:
    """The report: a table of all models, and what holds of all of them together."""
    limit = () if several.limit is None else (_limit(several, several.limit),)
    level = percent(several.level)
    return AuditReport(
        "losses",
        "exceeded" if several.exceeded else f"largest epsilon* at least {rounded_down(several.most, 4)}",
        (*limit, sentence(several), NO_GUARANTEE, *(note for note in several.notes if "Mind: " in note)),
        Data(
            data.name,
            data.files,
            data.python,
            (*data.notes, *(note for note in several.notes if "Mind: " not in note)),
        ),
        (
            ("Confidence of all bounds together", f"{level}; of each, {percent(_each(several))}"),
            (
                "δ",
                "the rule 1 / (n log n) of each" if several.delta is None else f"{several.delta:.6g} (chosen by hand)",
            ),
            *([] if several.limit is None else [("Largest Epsilon* that passes", f"{several.limit:g}")]),
        ),
        (RESTS_ON, *ASSUMPTIONS),
        (table(several),),
        {"level": several.level, "limit": several.limit, **numbers(several)},
        code,
    )


def sentence(several: Several) -> str:
    """What all of them show together."""
    count, one = len(several.reports) + len(several.refused), several.kind.removesuffix("s")
    return (
        f"{count:,} {several.kind}: with {percent(several.level)} confidence ε\\* of the most exposed {one} is **at "
        f"least {rounded_down(several.most)}**, and every bound below holds at once."
    )


def table(several: Several) -> ReportPart:
    """All of them, with their bounds."""
    head = (several.kind.removesuffix("s").capitalize(), *_HEAD)
    rows = [(name, *_row(report)) for name, report in several.reports.items()]
    rows += [(name, *("—",) * len(_HEAD)) for name in several.refused]
    note = [f"No estimates are made of {several.kind}: bounds alone count."]
    if several.blanks:
        note.append(f"{several.blanks:,} rows without a cell there are in none of the {several.kind}.")
    if several.refused:
        note.append("Not audited, and counted among the others:")
    note += [f"{quoted(name)}: {why}" for name, why in several.refused.items()]
    return ReportPart(f"All {several.kind}", tuple(rows), head, " ".join(note))


def numbers(several: Several) -> dict[str, object]:
    """The same with all digits, by name."""
    every = {name: _numbers(one) for name, one in several.reports.items()}
    every |= {name: {"refused": why} for name, why in several.refused.items()}
    kind = several.kind if several.kind == SLICES else MODELS
    return {kind: every, f"rows_in_none_of_the_{kind}": several.blanks}


def _each(several: Several) -> float:
    return level_each(len(several.reports) + len(several.refused), 1, several.level)


def _limit(several: Several, limit: float) -> str:
    said = f"Limit {limit:g}, compared with the bounds of all {several.kind} together"
    if several.exceeded:
        return f"**{said}: EXCEEDED.**"
    return f"**{said}: kept.** A lower bound within the limit is no proof of it."


def _bound(report: EngineAudit) -> LowerBound:
    found = report.audit.found[Method.CONFIDENCE].confidence
    assert found is not None
    return found


def _row(report: EngineAudit) -> tuple[str, ...]:
    bound, evidence = _bound(report), report.audit.summary.evidence
    return (
        f"{evidence.train_size:,}",
        f"{evidence.population_size:,}",
        f"{bound.delta:.3g}",
        rounded_down(bound.value, 4),
        rounded_up(bound.attainable, 4),
        f"{sum(report.audit.dropped.values()):,}",
    )


def _numbers(report: EngineAudit) -> dict[str, object]:
    bound, evidence = _bound(report), report.audit.summary.evidence
    sizes = {"train": evidence.train_size, "population": evidence.population_size}
    return {"sizes": sizes, "rows_left_out": sum(report.audit.dropped.values()), "lower_bound": numbers_of_bound(bound)}
