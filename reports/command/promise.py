"""A promise tested by canaries of one run, or by runs with and without a record."""

import argparse
from dataclasses import replace
from importlib import import_module

from numerics.audits import claim_verdict
from numerics.audits.one_run import Canaries, audit
from numerics.sampling import Adjacency
from reports import canaries, runs
from reports.audit_report import AuditReport
from reports.command.kinds import CANARIES, RUNS, claim_of
from reports.command.reading import Read

HOLDS = {CANARIES: canaries.CONFIRMED, RUNS: runs.CONFIRMED}
"""What somebody has to confirm before a promise is tested."""


def check(chosen: argparse.Namespace) -> None:
    """Raise ValueError where no promise was said, or nobody confirmed what its test rests on."""
    if chosen.claim is None:
        raise ValueError(f"--claim must be given with --evidence {chosen.evidence}: what was promised.")
    if not chosen.confirm:
        raise ValueError(f"no verdict without --confirm, that all of this holds: {HOLDS[chosen.evidence]}")
    claim_of(chosen.claim)


def of_canaries(chosen: argparse.Namespace, read: Read) -> AuditReport:
    """The report on one run's canaries."""
    claim = claim_of(chosen.claim)
    adjacency = claim.adjacency or Adjacency.ADD_REMOVE
    if chosen.left_out is not None:
        adjacency = Adjacency.REPLACE_ONE if chosen.left_out == "replaced" else Adjacency.ADD_REMOVE
    guesses = Canaries(read.rows.values, read.rows.is_in, adjacency).guesses()
    found = audit(guesses, claim, chosen.level)
    data = replace(read.data, python=f"{read.data.python}\n{canaries.guesses_in_python(adjacency)}")
    made = canaries.report(guesses, claim, found, data)
    if chosen.report is None:
        return made
    return replace(made, pictures=(import_module("reports.figures").of_canaries(guesses, found).picture,))


def of_runs(chosen: argparse.Namespace, read: Read) -> AuditReport:
    """The report on many runs."""
    scores = read.rows.scores
    verdict = claim_verdict(scores, claim_of(chosen.claim), chosen.level)
    made = runs.report(verdict, read.data)
    if chosen.report is None:
        return made
    figures = import_module("reports.figures")
    return replace(made, pictures=(figures.of_runs(figures.measured(scores, chosen.level), verdict).picture,))
