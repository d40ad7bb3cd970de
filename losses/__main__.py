"""Epsilon* of tables of any size, from the command line.

  python -m losses audit losses.parquet
  python -m losses audit train.csv.gz --population test.csv.gz --method confidence
  python -m losses audit runs/ --loss nll --membership split --member train --json
  python -m losses audit --engine postgres://host/base --table schema.losses --max-epsilon-star 1.0
  python -m losses audit canaries.csv --evidence canaries --claim epsilon=2,delta=1e-5 --confirm

What is certain comes first: a lower bound that holds with its confidence. Estimates stand below it, each with what it
is worth. A normal fit needs to know what the losses are: --unit.

With --claim the rows hold scores of canaries of one run, or of runs with and without a record, and a promise is tested.

Exit codes: 0 done, and within the limit if there is one; 1 the lower bound or the estimate of the chosen method exceeds
--max-epsilon-star, or the promise is refuted; 2 the command or the data cannot be used, with a message that says why,
or the limit is undecided: the bound keeps it, and the estimate asked for could not be made, or there are too few rows
to test the promise; 3 a fault of this program; 130 interrupted.
"""

import argparse
import os
import sys
import traceback
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from losses import promises
from losses.errors import TableError, quoted
from losses.isolation.command import run
from losses.warehouse.auditing import METHODS, Wish, audit
from losses.warehouse.belonging import Belonging, of_one_model, one_of_each, refuse_dependent
from losses.warehouse.columns import labelled_losses, two_tables
from losses.warehouse.engines import (
    Engine,
    Resources,
    Table,
    attached,
    check_database,
    embedded,
    file_table,
    named_table,
)
from losses.warehouse.report import NAMES, Report
from numerics.epsilon_star import LEVEL, LossScale
from numerics.validation import Interval

FINE, EXCEEDED, UNUSABLE, FAULT = range(4)
INTERRUPTED = 130  # as shells say it for Ctrl-C
_PAPER = "paper"
UNITS = {"nats": LossScale.NATS, "bits": LossScale.BITS, "log-odds": LossScale.LOG_ODDS, "none": None}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    chosen = _parser().parse_args(arguments)
    try:
        report = _audited(chosen) if chosen.claim is None else promises.audited(chosen)
        print(report.json() if chosen.json else report.text(), flush=True)
    except BrokenPipeError:  # whoever read on has seen enough; what was found is still the exit code
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115 - it is flushed once more at the exit
    except (TableError, ValueError, OSError) as refusal:
        print(f"error: {refusal}", file=sys.stderr)
        return UNUSABLE
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INTERRUPTED
    except Exception:
        traceback.print_exc()
        return FAULT
    if report.exceeded:
        return EXCEEDED
    return UNUSABLE if report.undecided else FINE


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m losses", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    command = parser.add_subparsers(required=True, metavar="audit").add_parser(
        "audit", help="Epsilon* of a table", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    _add_data(command.add_argument_group("data"))
    _add_wishes(command.add_argument_group("what is computed"))
    promises.add_arguments(command.add_argument_group("a promise that is tested"))
    _add_resources(command.add_argument_group("resources of the embedded engine"))
    return parser


def _add_data(group: "argparse._ArgumentGroup") -> None:
    group.add_argument("source", nargs="?", help="CSV or Parquet file (.gz too), glob in quotes, or folder")
    group.add_argument(
        "--population", metavar="SOURCE", help="fresh data, where they are a source (table) of their own"
    )
    group.add_argument("--loss", metavar="COLUMN", help="default: the only candidate")
    group.add_argument("--membership", metavar="COLUMN", help="default: the only candidate")
    group.add_argument(
        "--member",
        metavar="VALUE",
        help="the label of training data; default: as said by the labels or the column's name",
    )
    group.add_argument("--cluster", metavar="COLUMN", help="whose a row is; one row of each person counts")
    group.add_argument("--model-column", metavar="COLUMN", help="of several models in the table")
    group.add_argument("--model", metavar="VALUE", help="the model in that column which is audited")
    group.add_argument(
        "--independent",
        metavar="COLUMN",
        action="append",
        default=[],
        help="its name says that rows belong together, but they count as independent; may be given several times",
    )
    group.add_argument("--drop", action="store_true", help="leave out rows without a finite loss or without a label")
    group.add_argument("--engine", metavar="URL", help="an existing engine, as Ibis connects to it, instead of files")
    group.add_argument("--table", metavar="NAME", help="a table of that engine, schema.table or table")


def _add_wishes(group: "argparse._ArgumentGroup") -> None:
    group.add_argument(
        "--method",
        choices=[*NAMES.values(), "all"],
        default="parametric",
        help="the estimate beside the lower bound; default: parametric, a normal fit",
    )
    group.add_argument(
        "--unit",
        choices=UNITS,
        help="what the losses are: cross-entropy in nats or bits, the log odds against the right answer, or none of "
        "these; a normal fit needs it",
    )
    group.add_argument(
        "--as-printed", action="store_true", help="fit as the paper prints it, after a min-max of the losses; any unit"
    )
    group.add_argument("--delta", type=float, help="default: 1 / (n log n) with n training losses")
    group.add_argument(
        "--clip", type=_clip, help='cut rates to (CLIP, 1 - CLIP); "paper" for the paper\'s; default: no'
    )
    group.add_argument("--level", type=float, default=LEVEL, help="of the confidence bound; default: %(default)s")
    group.add_argument(
        "--max-epsilon-star",
        type=_limit,
        metavar="X",
        help="exit with 1 if the lower bound or the estimate of the chosen method is larger; with all, if any is",
    )
    group.add_argument("--json", action="store_true", help="every number as JSON instead of a text")


def _add_resources(group: "argparse._ArgumentGroup") -> None:
    group.add_argument("--memory", default=Resources().memory, help="beyond it spills to disk; default: %(default)s")
    group.add_argument("--threads", type=int, default=Resources().threads, help="default: %(default)s")
    group.add_argument("--temporary", type=Path, default=Resources().temporary, help="folder; default: %(default)s")


def _clip(text: str) -> float | str:
    return text if text == _PAPER else float(text)


def _limit(text: str) -> float:
    value = float(text)
    if not value >= 0.0:
        raise ValueError
    return value


def _audited(chosen: argparse.Namespace) -> Report:
    Interval(0.0, 1.0 - 1e-9).check("level", chosen.level)
    sources = _sources(chosen)
    methods = [method for method in METHODS if chosen.method in {NAMES[method], "all"}]
    paper = chosen.clip == _PAPER
    scale = LossScale.PRINTED if chosen.as_printed else UNITS.get(chosen.unit)
    wish = Wish(methods, chosen.delta, None if paper else chosen.clip, paper, chosen.level, scale)
    said = Belonging(chosen.cluster, chosen.model_column, chosen.model, chosen.independent)
    with _engine(chosen) as engine, ExitStack() as stack:
        tables = [of_one_model(engine, _table(engine, source, chosen), said) for source in sources]
        if len(tables) == 1:
            rows, columns = labelled_losses(engine, tables[0], chosen.loss, chosen.membership, chosen.cluster)
        else:
            rows, columns = two_tables(engine, tables[0], tables[1], chosen.loss, chosen.cluster)
        for table in tables:
            refuse_dependent(engine, table, (columns.loss, columns.membership or ""), said)
        notes = [f"Rows that share {quoted(name)} count as independent, as was said." for name in said.independent]
        if chosen.model is not None:
            notes.append(f"Rows with {quoted(chosen.model)} in {quoted(chosen.model_column)}.")
        version, counting = f"{engine.name} {engine.version}", engine
        if chosen.cluster is not None:
            rows, note = one_of_each(engine, rows, chosen.cluster, chosen.drop)
            counting = stack.enter_context(embedded(_resources(chosen)))
            notes.append(note)
        found = audit(counting, rows, wish, chosen.member, chosen.drop, _progress, columns.membership or "group")
    return Report(found, sources, columns, version, chosen.max_epsilon_star, tuple(notes))


def _sources(chosen: argparse.Namespace) -> tuple[str, ...]:
    """One source, or training data and fresh data.

    Raises ValueError for settings that contradict each other.
    """
    if (chosen.engine is None) != (chosen.table is None):
        raise ValueError("--engine and --table must be given together.")
    if (chosen.source is None) == (chosen.table is None):
        raise ValueError("there must be a SOURCE, or --engine URL with --table NAME, and not both.")
    if chosen.model is not None and chosen.model_column is None:
        raise ValueError("--model must be given with --model-column.")
    if chosen.population is not None and (chosen.membership is not None or chosen.member is not None):
        raise ValueError("--membership and --member must not be given with --population: each source is a group.")
    return tuple(source for source in (chosen.source or chosen.table, chosen.population) if source is not None)


def _resources(chosen: argparse.Namespace) -> Resources:
    return Resources(chosen.memory, chosen.threads, chosen.temporary)


@contextmanager
def _engine(chosen: argparse.Namespace) -> Iterator[Engine]:
    if chosen.engine is not None:
        check_database(chosen.engine)
    with embedded(_resources(chosen)) if chosen.engine is None else attached(chosen.engine) as engine:
        yield engine


def _table(engine: Engine, source: str, chosen: argparse.Namespace) -> Table:
    return file_table(engine, source) if chosen.engine is None else named_table(engine, source)


def _progress(doing: str) -> None:
    if sys.stderr.isatty():
        print(f"... {doing}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(run(main))
