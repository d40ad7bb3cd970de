"""What the command takes."""

import argparse
import sys
from pathlib import Path

from losses.warehouse.engines import Resources
from numerics.epsilon_star import LEVEL
from reports import command
from reports.command.kinds import ALL, CLAIM
from reports.command.losses import NO_CLIP, PAPER, UNITS
from reports.command.writing import NAMES

INSTALLED = "privacy-trade-offs"
_Group = argparse._ArgumentGroup


def program() -> str:
    """What the command is called here: by its own name where a wheel was installed."""
    return INSTALLED if Path(sys.argv[0]).stem == INSTALLED else "python -m losses"


def parser() -> argparse.ArgumentParser:
    """The parser of the command."""
    raw = argparse.RawDescriptionHelpFormatter
    made = argparse.ArgumentParser(prog=program(), description=command.__doc__, formatter_class=raw)
    audit = made.add_subparsers(required=True, metavar="audit").add_parser(
        "audit", help="what losses, predictions or scores prove", description=command.__doc__, formatter_class=raw
    )
    _add_data(audit.add_argument_group("data"))
    _add_belonging(audit.add_argument_group("rows that belong together"))
    _add_engine(audit.add_argument_group("an existing engine instead of files"))
    _add_predictions(audit.add_argument_group("predictions"))
    _add_wishes(audit.add_argument_group("what is computed"))
    _add_promise(audit.add_argument_group("a promise that is tested"))
    _add_report(audit.add_argument_group("the report"))
    _add_resources(audit.add_argument_group("resources of the embedded engine"))
    return made


def _add_data(group: _Group) -> None:
    group.add_argument(
        "sources",
        nargs="*",
        metavar="source",
        help="CSV or Parquet file (.gz too), glob in quotes, or folder; several: a model each",
    )
    group.add_argument(
        "--evidence",
        choices=ALL,
        help="what the rows are: losses (usual), predictions with the right answers, scores of an attack on one model, "
        "canaries of one run, or runs with and without a record",
    )
    group.add_argument(
        "--population",
        metavar="SOURCE",
        action="append",
        default=[],
        help="fresh data, where they are a source (table) of their own; of several sources once for each",
    )
    group.add_argument("--loss", "--score", metavar="COLUMN", help="default: the only candidate")
    group.add_argument("--membership", metavar="COLUMN", help="default: the only candidate")
    group.add_argument(
        "--member",
        metavar="VALUE",
        help="the label of training data; default: as said by the labels or the column's name",
    )
    group.add_argument(
        "--suspect",
        choices=("large", "small"),
        help="which scores speak for a member; default: as the column's name says, else large",
    )
    group.add_argument("--drop", action="store_true", help="leave out rows without a finite loss or without a label")


def _add_belonging(group: _Group) -> None:
    group.add_argument(
        "--rows",
        choices=("people", "copies"),
        help="where rows look like something else: each is a person of its own; or equal ones are copies, counted once",
    )
    group.add_argument("--cluster", metavar="COLUMN", help="whose a row is; one row of each person counts")
    group.add_argument("--model-column", metavar="COLUMN", help="of several models in the table, all of them audited")
    group.add_argument("--model", metavar="VALUE", help="the only model in that column which is audited")
    group.add_argument(
        "--slice",
        metavar="COLUMN",
        help="of classes or subgroups, each of them looked at, with limits that hold for all of them together",
    )
    group.add_argument(
        "--independent",
        metavar="COLUMN",
        action="append",
        default=[],
        help="its name or its values say that rows belong together, but they count as independent; may be given often",
    )


def _add_engine(group: _Group) -> None:
    group.add_argument("--engine", metavar="URL", help="as Ibis connects to it: postgres://host/base, pyspark://")
    group.add_argument("--table", metavar="NAME", help="a table of that engine, schema.table or table")
    group.add_argument(
        "--setting",
        type=_setting,
        metavar="NAME=VALUE",
        action="append",
        default=[],
        help="of that engine, such as spark.sql.shuffle.partitions=64; may be given several times",
    )


def _add_predictions(group: _Group) -> None:
    group.add_argument(
        "--predictions",
        metavar="COLUMN",
        action="append",
        default=[],
        help="of a class, several times for several; default: as the names say",
    )
    group.add_argument("--answer", metavar="COLUMN", help="the right answers; default: as the names say")
    group.add_argument("--logits", action="store_true", help="predictions are logits, not probabilities")
    group.add_argument("--positive", metavar="VALUE", help="the answer that a single column of predictions is for")


def _add_wishes(group: _Group) -> None:
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
        "--clip",
        type=_clip,
        help='cut rates to (CLIP, 1 - CLIP); "paper" for the paper\'s, "no" for no cut; default, as on the page: the '
        "paper's of counted rates, none of fits",
    )
    group.add_argument("--level", type=float, default=LEVEL, help="of every statement; default: %(default)s")
    group.add_argument(
        "--max-epsilon-star",
        type=_limit,
        metavar="X",
        help="exit with 1 if the lower bound or the estimate of the chosen method is larger; with all, if any is; of "
        "several models, if their bounds together are",
    )


def _add_promise(group: _Group) -> None:
    group.add_argument("--claim", metavar="PROMISE", help=CLAIM)
    group.add_argument(
        "--left-out",
        choices=("absent", "replaced"),
        help="what a canary that is left out is: absent, or replaced by another record; default: as promised",
    )
    group.add_argument(
        "--confirm",
        action="store_true",
        help="what the verdict rests on holds; without it, it is told and nothing else",
    )


def _add_report(group: _Group) -> None:
    group.add_argument(
        "--report", type=_html, metavar="FILE.html", help="write a report to hand in, page 1 the verdict"
    )
    group.add_argument("--json", action="store_true", help="every number as JSON instead of a text")
    group.add_argument("--about", default="", metavar="TEXT", help="the model or code, for the report")
    group.add_argument("--purpose", default="", metavar="TEXT", help="why it is audited, for the report")
    group.add_argument("--note", default="", metavar="TEXT", help="the auditor's, for the report")
    group.add_argument("--quiet", action="store_true", help="do not say on stderr what is being done")


def _add_resources(group: _Group) -> None:
    group.add_argument("--memory", default=Resources().memory, help="beyond it spills to disk; default: %(default)s")
    group.add_argument("--threads", type=int, default=Resources().threads, help="default: %(default)s")
    group.add_argument("--temporary", type=Path, default=Resources().temporary, help="folder; default: %(default)s")


def _clip(text: str) -> float | str:
    return text if text in (PAPER, NO_CLIP) else _number(text, 'a number, nor "paper" or "no"')


def _limit(text: str) -> float:
    value = _number(text, "a number")
    if not value >= 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of 0 or more")
    return value


def _number(text: str, what: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}") from None


def _setting(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name.strip():
        raise argparse.ArgumentTypeError(f"{text!r} is not NAME=VALUE")
    return name.strip(), value.strip()


def _html(text: str) -> Path:
    path = Path(text)
    if not text.endswith(".html"):
        raise argparse.ArgumentTypeError(f"{text!r} does not end in .html")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {str(path.parent)!r} to write it to")
    return path
