"""Files with a score and a label in every row: of an attack on one model, of canaries, of runs with and without."""

import argparse
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from losses.errors import TableError, listed, quoted
from losses.membership import Membership, training_label
from losses.scores import Labelled, labelled, read_scores, small_means_in
from losses.table import LossTable
from numerics.audits import Scores, claim_verdict
from numerics.audits.one_run import Canaries, audit
from numerics.sampling import Adjacency
from reports import attack_scores, canaries, python_code, runs
from reports.audit_report import AuditReport, Data
from reports.command import identity
from reports.command.claims import claim_of
from reports.scores_file import notes_on_scores

CANARIES, RUNS, SCORES = "canaries", "runs", "scores"
HOLDS = {CANARIES: canaries.CONFIRMED, RUNS: runs.CONFIRMED}
"""What somebody has to confirm before a promise is tested."""
Say = Callable[[str], object]


def audited(chosen: argparse.Namespace, progress: Say) -> AuditReport:
    """The report on scores; raises TableError, and ValueError for settings that do not fit."""
    _check(chosen)
    progress("reading the scores")
    rows, data = _read(chosen, progress)
    progress("testing the promise" if chosen.claim else "measuring")
    return {CANARIES: _of_canaries, RUNS: _of_runs, SCORES: _of_scores}[chosen.evidence](chosen, rows, data)


def _check(chosen: argparse.Namespace) -> None:
    if chosen.source is None or chosen.population is not None:
        raise ValueError("scores are in one file, with a score and a label in every row.")
    if chosen.evidence == SCORES:
        if chosen.claim is not None:
            raise ValueError("scores of one model test no promise: --claim goes with --evidence canaries or runs.")
        return
    if chosen.claim is None:
        raise ValueError(f"--claim must be given with --evidence {chosen.evidence}: what was promised.")
    if not chosen.confirm:
        raise ValueError(f"no verdict without --confirm, that all of this holds: {HOLDS[chosen.evidence]}")


def _of_canaries(chosen: argparse.Namespace, rows: Labelled, data: Data) -> AuditReport:
    claim = claim_of(chosen.claim)
    adjacency = claim.adjacency or Adjacency.ADD_REMOVE
    if chosen.left_out is not None:
        adjacency = Adjacency.REPLACE_ONE if chosen.left_out == "replaced" else Adjacency.ADD_REMOVE
    guesses = Canaries(rows.values, rows.is_in, adjacency).guesses()
    found = audit(guesses, claim, chosen.level)
    made = canaries.report(guesses, claim, found, _with(data, canaries.guesses_in_python(adjacency)))
    if chosen.report is None:
        return made
    return replace(made, pictures=(import_module("reports.figures").of_canaries(guesses, found).picture,))


def _of_runs(chosen: argparse.Namespace, rows: Labelled, data: Data) -> AuditReport:
    scores = Scores(rows.values[~rows.is_in], rows.values[rows.is_in])
    verdict = claim_verdict(scores, claim_of(chosen.claim), chosen.level)
    made = runs.report(verdict, data)
    if chosen.report is None:
        return made
    figures = import_module("reports.figures")
    return replace(made, pictures=(figures.of_runs(figures.measured(scores, chosen.level), verdict).picture,))


def _of_scores(chosen: argparse.Namespace, rows: Labelled, data: Data) -> AuditReport:
    scores = Scores(rows.values[~rows.is_in], rows.values[rows.is_in])
    shown = attack_scores.measured(scores, chosen.level)
    made = attack_scores.report(shown, _with(data, attack_scores.SCORES_IN_PYTHON))
    if chosen.report is None:
        return made
    figures = import_module("reports.figures")
    return replace(made, pictures=(figures.of_scores(figures.measured(scores, chosen.level), shown).picture,))


def _with(data: Data, further: str) -> Data:
    return replace(data, python=f"{data.python}\n{further}")


def _read(chosen: argparse.Namespace, progress: Say) -> tuple[Labelled, Data]:
    path = Path(chosen.source)
    table = read_scores(path.read_bytes())
    name, membership = _score(table, chosen.loss), _membership(table, chosen)
    negate = small_means_in(name) if chosen.suspect is None else chosen.suspect == "small"
    rows = labelled(table, name, membership.column, membership.member, chosen.drop, negate)
    files = identity.of_files([chosen.source], progress)
    lines = python_code.scores(path.name, name, membership, chosen.drop, negate)
    return rows, Data(path.name, files, lines, notes_on_scores(membership, negate, rows.dropped))


def _score(table: LossTable, said: str | None) -> str:
    names = [column.name for column in table.numbers]
    if said is not None and said not in names:
        raise TableError(f"There is no column of numbers {quoted(said)}.", f"There are {listed(names, 20)}.")
    return said or names[0]


def _membership(table: LossTable, chosen: argparse.Namespace) -> Membership:
    names = [column.name for column in table.labels]
    if chosen.membership is not None and chosen.membership not in names:
        what = f"There is no column of labels {quoted(chosen.membership)}."
        raise TableError(what, f"There are {listed(names, 20)}." if names else "The file has none.")
    column = chosen.membership or (names[0] if names else "")
    if not column:
        raise TableError("There is no column that says what was in.", "Name it with --membership.")
    labels = list(table.label(column).labels)
    if chosen.member is not None and chosen.member not in labels:
        raise TableError(f"No row has the label {quoted(chosen.member)}.", f"The labels are {listed(labels)}.")
    found = training_label(column, labels, chosen.member)
    if found is None:
        raise TableError(f"It is not clear which label of {quoted(column)} means in.", "Say it with --member.")
    return found
