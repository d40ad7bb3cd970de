"""The command: what is asked for, the audit, what is printed and written, and the exit code."""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic

from losses.errors import TableError
from losses.isolation.client import run
from numerics.audits import Decision
from reports import json_file, plain_text, promise_slices, sheet
from reports.audit_report import AuditReport
from reports.command import arguments, losses, provenance, recognised, scores

FINE, EXCEEDED, UNUSABLE, FAULT = range(4)
INTERRUPTED = 130  # as shells say it for Ctrl-C
PATIENCE = 2.0  # seconds
_CODES: dict[str, int] = {
    losses.EXCEEDED: EXCEEDED,
    losses.UNDECIDED: UNUSABLE,
    Decision.REFUTED: EXCEEDED,
    promise_slices.REFUTED: EXCEEDED,
    Decision.TOO_FEW: UNUSABLE,
}
"""Of outcomes; all others are fine."""


@dataclass(frozen=True)
class Progress:
    """Tells on stderr what is being done: at once on a terminal, elsewhere when it takes longer than a moment.

    Attributes:
        started: when the command was.
    """

    started: float = field(default_factory=monotonic)

    def __call__(self, doing: str) -> None:
        """Say it, where somebody waits for it."""
        if sys.stderr.isatty() or monotonic() - self.started > PATIENCE:
            print(f"... {doing}", file=sys.stderr, flush=True)


def started() -> int:
    """Run the command in a process of its own, which a damaged file may end."""
    return run(main)


def main(given: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        chosen = arguments.chosen_of(given)
        report = _report(chosen, sys.argv[1:] if given is None else given)
        _write(report, chosen)
    except BrokenPipeError:  # whoever read on has seen enough; what was found is still the exit code
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - it is flushed once more at the exit
    except (TableError, ValueError, OSError) as refusal:
        print(f"error: {refusal}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("Interrupted: there is no verdict.", file=sys.stderr)
        return INTERRUPTED
    except Exception:
        traceback.print_exc()
        return FAULT
    return _CODES.get(report.outcome, FINE)


def _report(chosen: argparse.Namespace, given: Sequence[str]) -> AuditReport:
    """The audit that was asked for; raises TableError, and ValueError for settings that do not fit."""
    progress, code = Progress(), provenance.line(given, chosen)
    arguments.check(chosen)
    recognised.note_kind(chosen)
    arguments.check_kind(chosen)
    recognised.note_groups(chosen)
    is_of_losses = arguments.kind_of(chosen) in (arguments.LOSSES, arguments.PREDICTIONS)
    return (losses.report if is_of_losses else scores.report)(chosen, code, progress)


def _against(report: AuditReport, chosen: argparse.Namespace) -> sheet.Against | None:
    """How the losses stand against the limit that was given; an audit shows no limit to be kept."""
    if chosen.max_epsilon_star is None:
        return None
    standing = sheet.Standing.OVER if report.outcome == losses.EXCEEDED else sheet.Standing.OPEN
    return sheet.Against(standing, f"ε* at most {chosen.max_epsilon_star:g}.", report.outcome)


def _write(report: AuditReport, chosen: argparse.Namespace) -> None:
    """Write the report, then print: who reads the output finds the file there."""
    if chosen.report is not None:
        chosen.report.write_text(sheet.of_audit(report, limit=_against(report, chosen)).html, encoding="utf-8")
    print(json_file.text(report).rstrip("\n") if chosen.json else plain_text.text(report), flush=True)
