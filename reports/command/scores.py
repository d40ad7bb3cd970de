"""Scores of an attack on one model, or on several: in one file with a column that tells them, or in a file each."""

import argparse
from dataclasses import replace
from importlib import import_module

from losses.errors import TableError, quoted
from numerics.audits import Scores
from reports import attack_scores, parts
from reports.attack_scores import SCORES_IN_PYTHON
from reports.audit_report import AuditReport, Data
from reports.command import identity, promise
from reports.command.kinds import CANARIES, RUNS, SCORES
from reports.command.reading import Read, Say, read
from reports.parts import MODELS, SLICES, ComparedParts


def audited(chosen: argparse.Namespace, code: str, progress: Say) -> AuditReport:
    """The report; ``code`` is the command line. Raises TableError, and ValueError for settings that do not fit."""
    if chosen.source is None:
        raise ValueError("scores are in files, with a score and a label in every row.")
    if chosen.evidence != SCORES:
        promise.check(chosen)
    progress("reading the scores")
    if len(chosen.sources) > 1:
        return _of_files(chosen, code, progress)
    found = read(chosen, chosen.source, progress)
    progress("testing the promise" if chosen.claim else "measuring")
    make = {CANARIES: promise.of_canaries, RUNS: promise.of_runs, SCORES: _of_scores}[chosen.evidence]
    return make(chosen, found)


def _of_scores(chosen: argparse.Namespace, found: Read) -> AuditReport:
    rows, level = found.rows, chosen.level
    if rows.models is not None and chosen.model is None:
        kind = parts.kind_of([rows.models.name])
        return _of_models(
            chosen, parts.of_column(rows, rows.models, kind), _with(found.data, parts.in_python(kind, MODELS, level))
        )
    shown = attack_scores.measured(rows.scores, level)
    every = None if rows.slices is None else parts.of_column(rows, rows.slices, SLICES)
    together = [] if every is None else [(every, parts.compared(every, level))]
    made = attack_scores.report(shown, _with(found.data, SCORES_IN_PYTHON), together)
    if chosen.report is None:
        return made
    figures = import_module("reports.figures")
    drawn = [figures.of_scores(figures.measured(rows.scores, level), shown)]
    drawn += filter(None, (figures.of_parts(*pair) for pair in together))
    return replace(made, pictures=tuple(one.picture for one in drawn))


def _of_files(chosen: argparse.Namespace, code: str, progress: Say) -> AuditReport:
    """Of a model in each file."""
    names = identity.names_of(chosen.sources)
    every = dict[str, Read]()
    for name, source in zip(names, chosen.sources, strict=True):
        try:
            every[name] = read(chosen, source, progress)
        except TableError as refusal:
            raise ValueError(f"{name}: {refusal}") from None

    def scores() -> list[Scores]:
        return [one.rows.scores for one in every.values()]

    files = identity.of_files(chosen.sources, progress)
    notes = tuple(f"{quoted(name)}: {note}" for name, one in every.items() for note in one.data.notes)
    data = Data(f"{len(files):,} files", files, code, tuple(notes))
    return _of_models(chosen, ComparedParts((), MODELS, names, scores), data)


def _of_models(chosen: argparse.Namespace, every: ComparedParts, data: Data) -> AuditReport:
    found = parts.compared(every, chosen.level)
    made = attack_scores.report_of_models(every, found, chosen.level, data)
    drawn = None if chosen.report is None else import_module("reports.figures").of_parts(every, found)
    return made if drawn is None else replace(made, pictures=(drawn.picture,))


def _with(data: Data, further: str) -> Data:
    return replace(data, python=f"{data.python}\n{further}")
