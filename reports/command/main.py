"""The command: what is asked for, the audit, what is printed and written, and the exit code."""

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from losses.errors import TableError
from losses.isolation.client import run
from numerics.audits import Decision
from reports import html_file, json_file, plain_text
from reports.audit_report import Auditor, AuditReport, Data, plain
from reports.command import arguments, identity, kinds, losses, scores, several, shell, writing
from reports.command.progress import Progress

FINE, EXCEEDED, UNUSABLE, FAULT = range(4)
_MANY = 3  # sources
INTERRUPTED = 130  # as shells say it for Ctrl-C
_CODES: dict[str, int] = {Decision.REFUTED: EXCEEDED, Decision.TOO_FEW: UNUSABLE}  # of a promise; all else is fine


class CommandAnswer(NamedTuple):
    """What is said, and the exit code."""

    report: AuditReport
    code: int


def started() -> int:
    """Run the command in a process of its own, which a damaged file may end."""
    return run(main)


def main(given: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    try:
        chosen = arguments.parser().parse_args(given)
        answer = _answer(chosen, sys.argv[1:] if given is None else given)
        _write(answer, chosen)
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
    return answer.code


def _answer(chosen: argparse.Namespace, given: Sequence[str]) -> CommandAnswer:
    """The audit that was asked for; raises TableError, and ValueError for settings that do not fit."""
    _settle(chosen)
    progress, code = Progress(chosen.quiet), shell.line(given, chosen)
    if kinds.kind_of(chosen) in (kinds.SCORES, kinds.CANARIES, kinds.RUNS):
        report = scores.audited(chosen, code, progress)
        return CommandAnswer(report, _CODES.get(report.outcome, FINE))
    data = _data(chosen, progress)
    if len(chosen.sources) > 1 or (chosen.model_column is not None and chosen.model is None):
        make = several.of_files if len(chosen.sources) > 1 else several.of_models
        report = several.report(found := make(chosen, progress), data, code)
        return CommandAnswer(report, EXCEEDED if found.exceeded else FINE)
    return _of_one_model(chosen, data, code, progress)


def _of_one_model(chosen: argparse.Namespace, data: Data, code: str, progress: Progress) -> CommandAnswer:
    """The losses of one model, and of slices of its people if these were asked for."""
    found = losses.audited(chosen, progress)
    report = writing.report_of(found, data, code)
    exit_code = EXCEEDED if found.exceeded else UNUSABLE if found.undecided else FINE
    if chosen.report is not None:
        report = replace(report, pictures=writing.pictures_of(found))
    if chosen.slice is None:
        return CommandAnswer(report, exit_code)
    slices = several.of_slices(chosen, progress)
    table = several.table(slices)
    table = replace(table, note=f"{plain(several.sentence(slices))} {table.note}")
    report = replace(
        report,
        evidence=(*report.evidence, table),
        numbers=dict(report.numbers) | several.numbers(slices),
        settings=(*report.settings, ("Slices looked at", f"all {len(table.rows):,} of column “{chosen.slice}”")),
    )
    return CommandAnswer(report, exit_code)


def _settle(chosen: argparse.Namespace) -> None:
    """Check which options go together, and set what a part of the command asks for; raises ValueError."""
    kinds.check(chosen, arguments.parser().parse_args(["audit"]))
    count, kind = len(chosen.sources), kinds.kind_of(chosen)
    if count > 1 and kind in (kinds.CANARIES, kinds.RUNS):
        raise ValueError(f"{kind} are in one file: several files are several models.")
    if len({Path(source).absolute() for source in chosen.sources}) < count:
        raise ValueError("the same source was given twice: each is a model.")
    if len(chosen.population) not in (0, count or 1):
        raise ValueError("--population must be given once for every source, or not at all.")
    if count > 1 and (chosen.model_column is not None or chosen.slice is not None):
        raise ValueError("--model-column and --slice must not be given with several sources: each is a model.")
    if chosen.model is not None and chosen.model_column is None:
        raise ValueError("--model must be given with --model-column.")
    if chosen.slice is not None and chosen.model_column is not None and chosen.model is None:
        raise ValueError("--slice must be given with --model: slices are of one model.")
    chosen.source, chosen.fresh = (next(iter(given), None) for given in (chosen.sources, chosen.population))
    chosen.slice_value = None


def _data(chosen: argparse.Namespace, progress: Progress) -> Data:
    """What is read; the digests only where they are written."""
    sources = [*chosen.sources, *chosen.population] if chosen.engine is None else losses.sources_of(chosen)
    if chosen.engine is not None:
        files = identity.of_tables(sources)
    elif chosen.json or chosen.report:
        files = identity.of_files(sources, progress)
    else:
        files = ()
    names = [Path(source).name if chosen.engine is None else source for source in sources]
    return Data(" and ".join(names) if len(names) < _MANY else f"{len(names):,} sources", files)


def _write(answer: CommandAnswer, chosen: argparse.Namespace) -> None:
    """Write the report, then print: who reads the output finds the file there."""
    report = replace(answer.report, auditor=Auditor(chosen.about, chosen.purpose, chosen.note))
    if chosen.report is not None:
        chosen.report.write_text(html_file.page(report), encoding="utf-8")
    print(json_file.text(report).rstrip("\n") if chosen.json else plain_text.text(report), flush=True)
