"""The command: what is asked for, the audit, what is printed and written, and the exit code."""

import argparse
import os
import shlex
import sys
import traceback
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from losses.errors import TableError
from losses.isolation.command import run
from reports import html_file, json_file, plain_text
from reports.audit_report import Auditor, AuditReport, Data
from reports.command import arguments, identity, losses, scores, several, writing
from reports.command.progress import Progress

FINE, EXCEEDED, UNUSABLE, FAULT = range(4)
INTERRUPTED = 130  # as shells say it for Ctrl-C
_OUTCOMES = {"refuted": EXCEEDED, "refuted at this level": EXCEEDED}  # of a promise; too few to tell are unusable


class Answer(NamedTuple):
    """What is said, and the exit code."""

    report: AuditReport
    text: str
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


def _answer(chosen: argparse.Namespace, given: Sequence[str]) -> Answer:
    """The audit that was asked for; raises TableError, and ValueError for settings that do not fit."""
    progress = Progress(chosen.quiet)
    if chosen.evidence in (scores.SCORES, scores.CANARIES, scores.RUNS):
        report = scores.audited(chosen, progress)
        too_few = chosen.claim is not None and report.outcome.startswith("too few")
        return Answer(report, plain_text.text(report), UNUSABLE if too_few else _OUTCOMES.get(report.outcome, FINE))
    if chosen.claim is not None:
        raise ValueError("--evidence canaries or --evidence runs must be given with --claim.")
    data = _data(chosen, progress)
    code = _shell(given, chosen)
    if chosen.model_column is not None and chosen.model is None:
        all_models = several.audited(chosen, progress)
        report = several.report(all_models, data, code)
        return Answer(report, plain_text.text(report), EXCEEDED if all_models.exceeded else FINE)
    found = losses.audited(chosen, progress)
    exit_code = EXCEEDED if found.exceeded else UNUSABLE if found.undecided else FINE
    return Answer(writing.report_of(found, data, code), found.text(), exit_code)


def _data(chosen: argparse.Namespace, progress: Progress) -> Data:
    """What is read; the digests only where they are written."""
    sources = losses.sources_of(chosen)
    if chosen.engine is not None:
        files = identity.of_tables(sources)
    elif chosen.json or chosen.report:
        files = identity.of_files(sources, progress)
    else:
        files = ()
    names = [Path(source).name if chosen.engine is None else source for source in sources]
    return Data(" and ".join(names), files)


def _shell(given: Sequence[str], chosen: argparse.Namespace) -> str:
    """The command line, without what an engine's address keeps secret."""
    secret = urlsplit(chosen.engine or "").netloc.rpartition("@")[0]
    line = f"{arguments.program()} {shlex.join(given)}"
    return f"{line.replace(secret, '…') if secret else line}\n"


def _write(answer: Answer, chosen: argparse.Namespace) -> None:
    """Write the report, then print: who reads the output finds the file there."""
    report = replace(answer.report, auditor=Auditor(chosen.about, chosen.purpose, chosen.note))
    if chosen.report is not None:
        chosen.report.write_text(html_file.page(report), encoding="utf-8")
    print(json_file.text(report).rstrip("\n") if chosen.json else answer.text, flush=True)
