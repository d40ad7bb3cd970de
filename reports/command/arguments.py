"""What the command takes, and which of it goes together: an option that would be ignored is refused."""

import argparse
import sys
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from losses.warehouse.engines import Resources
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.epsilon_star import LEVEL, LossScale, Method
from numerics.mechanisms import MECHANISMS
from numerics.sampling import Adjacency, Sampling
from reports import command

INSTALLED = "privacy-trade-offs"
LOSSES, PREDICTIONS, SCORES, CANARIES, RUNS = "losses", "predictions", "scores", "canaries", "runs"
_KINDS = (LOSSES, PREDICTIONS, SCORES, CANARIES, RUNS)
PAPER, NO_CLIP = "paper", "no"
UNITS = {"nats": LossScale.NATS, "bits": LossScale.BITS, "log-odds": LossScale.LOG_ODDS, "none": None}
METHODS = {Method.CONFIDENCE: "confidence", Method.PARAMETRIC: "parametric", Method.EMPIRICAL: "empirical"}
CLAIM = (
    "what was promised: mu=1, or epsilon=1,delta=1e-5, or a release: its kind of noise, noise=1,rate=0.01,steps=1000, "
    "and adjacency=replace-one or sampling=fixed-size where that is so"
)


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
    _add_data(audit)
    _add_wishes(audit)
    _add_report(audit)
    return made


def _add_data(audit: argparse.ArgumentParser) -> None:
    """What is read, from where, and what its columns are."""
    add = audit.add_argument_group("data").add_argument
    several = "CSV or Parquet file (.gz too), glob in quotes, or folder; several: a model each"
    add("sources", nargs="*", metavar="source", help=several)
    add(
        "--evidence",
        choices=_KINDS,
        help="what the rows are: losses (usual), predictions with the right answers, scores of an attack on one model, "
        "canaries of one run, or runs with and without a record",
    )
    fresh = "fresh data, where they are a source (table) of their own; of several sources once for each"
    add("--population", metavar="SOURCE", action="append", default=[], help=fresh)
    add("--loss", "--score", metavar="COLUMN", help="default: the only candidate")
    add("--membership", metavar="COLUMN", help="default: the only candidate")
    member = "the label of training data; default: as said by the labels or the column's name"
    add("--member", metavar="VALUE", help=member)
    suspect = "which scores speak for a member; default: as the column's name says, else large"
    add("--suspect", choices=("large", "small"), help=suspect)
    add("--drop", action="store_true", help="leave out rows without a finite loss or without a label")

    add = audit.add_argument_group("rows that belong together").add_argument
    rows = "where rows look like something else: each is a person of its own; or equal ones are copies, counted once"
    add("--rows", choices=("people", "copies"), help=rows)
    add("--cluster", metavar="COLUMN", help="whose a row is; one row of each person counts")
    add("--model-column", metavar="COLUMN", help="of several models in the table, all of them audited")
    add("--model", metavar="VALUE", help="the only model in that column which is audited")
    slices = "of classes or subgroups, each of them looked at, with limits that hold for all of them together"
    add("--slice", metavar="COLUMN", help=slices)
    independent = (
        "its name or its values say that rows belong together, but they count as independent; may be given often"
    )
    add("--independent", metavar="COLUMN", action="append", default=[], help=independent)

    add = audit.add_argument_group("an existing engine instead of files").add_argument
    add("--engine", metavar="URL", help="as Ibis connects to it: postgres://host/base, pyspark://")
    add("--table", metavar="NAME", help="a table of that engine, schema.table or table")
    setting = "of that engine, such as spark.sql.shuffle.partitions=64; may be given several times"
    add("--setting", type=_setting, metavar="NAME=VALUE", action="append", default=[], help=setting)

    add = audit.add_argument_group("predictions").add_argument
    predictions = "of a class, several times for several; default: as the names say"
    add("--predictions", metavar="COLUMN", action="append", default=[], help=predictions)
    add("--answer", metavar="COLUMN", help="the right answers; default: as the names say")
    add("--logits", action="store_true", help="predictions are logits, not probabilities")
    add("--positive", metavar="VALUE", help="the answer that a single column of predictions is for")


def _add_wishes(audit: argparse.ArgumentParser) -> None:
    """What is computed, and which promise is tested."""
    add = audit.add_argument_group("what is computed").add_argument
    method = "the estimate beside the lower bound; default: parametric, a normal fit"
    add("--method", choices=[*METHODS.values(), "all"], default="parametric", help=method)
    add(
        "--unit",
        choices=UNITS,
        help="what the losses are: cross-entropy in nats or bits, the log odds against the right answer, or none of "
        "these; a normal fit needs it",
    )
    printed = "fit as the paper prints it, after a min-max of the losses; any unit"
    add("--as-printed", action="store_true", help=printed)
    add("--delta", type=float, help="default: 1 / (n log n) with n training losses")
    add(
        "--clip",
        type=_clip,
        help='cut rates to (CLIP, 1 - CLIP); "paper" for the paper\'s, "no" for no cut; default, as on the page: the '
        "paper's of counted rates, none of fits",
    )
    add("--level", type=float, default=LEVEL, help="of every statement; default: %(default)s")
    add(
        "--max-epsilon-star",
        type=_limit,
        metavar="X",
        help="exit with 1 if the lower bound or the estimate of the chosen method is larger; with all, if any is; of "
        "several models, if their bounds together are",
    )

    add = audit.add_argument_group("a promise that is tested").add_argument
    add("--claim", metavar="PROMISE", help=CLAIM)
    replaced = "what a canary that is left out is: absent, or replaced by another record; default: as promised"
    add("--left-out", choices=("absent", "replaced"), help=replaced)
    confirm = "what the verdict rests on holds; without it, it is told and nothing else"
    add("--confirm", action="store_true", help=confirm)


def _add_report(audit: argparse.ArgumentParser) -> None:
    """What is written, and what the embedded engine may use."""
    add = audit.add_argument_group("the report").add_argument
    add("--report", type=_html, metavar="FILE.html", help="write a report to hand in, page 1 the verdict")
    add("--json", action="store_true", help="every number as JSON instead of a text")
    add("--about", default="", metavar="TEXT", help="the model or code, for the report")
    add("--purpose", default="", metavar="TEXT", help="why it is audited, for the report")
    add("--note", default="", metavar="TEXT", help="the auditor's, for the report")
    add("--quiet", action="store_true", help="do not say on stderr what is being done")

    usual = Resources()
    add = audit.add_argument_group("resources of the embedded engine").add_argument
    add("--memory", default=usual.memory, help="beyond it spills to disk; default: %(default)s")
    add("--threads", type=int, default=usual.threads, help="default: %(default)s")
    add("--temporary", type=Path, default=usual.temporary, help="folder; default: %(default)s")


def _clip(text: str) -> float | str:
    return text if text in (PAPER, NO_CLIP) else _float(text, 'a number, nor "paper" or "no"')


def _limit(text: str) -> float:
    value = _float(text, "a number")
    if not value >= 0.0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of 0 or more")
    return value


def _float(text: str, what: str) -> float:
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


# What goes together.


_ENGINE = {"engine", "table", "setting"}
_PREDICTED = {"predictions", "answer", "logits", "positive"}
_OF_LOSSES = {"population", "method", "unit", "as_printed", "delta", "clip", "max_epsilon_star"}
_OF_ROWS = {"cluster", "model_column", "model", "slice", "rows"}
_OF_PROMISES = {"claim", "left_out", "confirm"}
_NOT_WITH = {
    LOSSES: _PREDICTED | _OF_PROMISES | {"suspect"},
    PREDICTIONS: _ENGINE | _OF_PROMISES | {"suspect", "loss"},
    SCORES: _ENGINE | _PREDICTED | _OF_LOSSES | _OF_PROMISES,
    CANARIES: _ENGINE | _PREDICTED | _OF_LOSSES | _OF_ROWS,
    RUNS: _ENGINE | _PREDICTED | _OF_LOSSES | _OF_ROWS | {"left_out"},
}


def kind_of(chosen: argparse.Namespace) -> str:
    """The kind of evidence; losses where nothing was said."""
    return chosen.evidence or LOSSES


def check(chosen: argparse.Namespace) -> None:
    """Raise ValueError for options that do not go together, or not with the kind of evidence."""
    kind, usual = kind_of(chosen), parser().parse_args(["audit"])
    for name in sorted(_NOT_WITH[kind]):
        if getattr(chosen, name) != getattr(usual, name):
            others = " or ".join(other for other in _KINDS if name not in _NOT_WITH[other])
            raise ValueError(f"--{name.replace('_', '-')} does not go with {kind}, but with --evidence {others}.")
    count = len(chosen.sources)
    several_models = chosen.model_column is not None and chosen.model is None
    refused = {
        f"{kind} are in one file: several files are several models.": count > 1 and kind in (CANARIES, RUNS),
        "the same source was given twice: each is a model.": len({Path(one).absolute() for one in chosen.sources})
        < count,
        "--population must be given once for every source, or not at all.": len(chosen.population)
        not in (0, count or 1),
        "--model-column and --slice must not be given with several sources: each is a model.": count > 1
        and (chosen.model_column is not None or chosen.slice is not None),
        "--model must be given with --model-column.": chosen.model is not None and chosen.model_column is None,
        "--slice must be given with --model: slices are of one model.": chosen.slice is not None and several_models,
    }
    for words, is_so in refused.items():
        if is_so:
            raise ValueError(words)
    if kind in (LOSSES, PREDICTIONS):
        _check_source(chosen)
    elif not chosen.sources:
        raise ValueError("scores are in files, with a score and a label in every row.")


def _check_source(chosen: argparse.Namespace) -> None:
    """Raise ValueError unless losses are in files, or in one table of an engine."""
    if (chosen.engine is None) != (chosen.table is None):
        raise ValueError("--engine and --table must be given together.")
    if (not chosen.sources) == (chosen.table is None):
        raise ValueError("there must be a SOURCE, or --engine URL with --table NAME, and not both.")
    if chosen.setting and chosen.engine is None:
        raise ValueError("--setting must be given with --engine: it is one of that engine.")
    if chosen.population and (chosen.membership is not None or chosen.member is not None):
        raise ValueError("--membership and --member must not be given with --population: each source is a group.")


# A promise as a command line says it.


_Kind = TypeVar("_Kind", bound=StrEnum)


def claim_of(text: str) -> Claim:
    """The promise that ``text`` says; raises ValueError."""
    if not text.strip():
        raise ValueError(f"--claim says {CLAIM}.")
    first, *rest = [part.strip() for part in text.split(",")]
    kinds = {kind.name.lower(): kind for kind in MECHANISMS}
    kind = kinds.get(first.lower())
    given = dict(_pair(part) for part in (rest if kind else [first, *rest]))
    if kind is not None:
        adjacency = _member(Adjacency, "adjacency", given.pop("adjacency", Adjacency.ADD_REMOVE.value))
        sampling = _member(Sampling, "sampling", given.pop("sampling", Sampling.POISSON.value))
        noise, rate = (_number(name, given.pop(name, usual)) for name, usual in (("noise", ""), ("rate", "1")))
        steps = _number("steps", given.pop("steps", "1"))
        _nothing_left(given)
        if not steps.is_integer():
            raise ValueError(f"steps in --claim must be a whole number, got {steps:g}.")
        return ReleaseClaim(kind(noise, rate, int(steps), adjacency, sampling))
    if given.keys() == {"mu"}:
        return GdpClaim(_number("mu", given["mu"]))
    epsilon, delta = _number("epsilon", given.pop("epsilon", "")), _number("delta", given.pop("delta", "0"))
    _nothing_left(given)
    return ApproximateClaim(epsilon, delta)


def _number(name: str, text: str) -> float:
    if not text:
        raise ValueError(f"{name} is missing in --claim: it says {CLAIM}.")
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"{name} in --claim must be a number, got {text!r}.") from None


def _member(kind: type[_Kind], name: str, text: str) -> _Kind:
    found = {str(member.value).replace(" ", "-"): member for member in kind}
    if text.replace(" ", "-") not in found:
        raise ValueError(f"{name} in --claim must be {' or '.join(found)}, got {text!r}.")
    return found[text.replace(" ", "-")]


def _pair(part: str) -> tuple[str, str]:
    name, sign, value = part.partition("=")
    if not sign:
        raise ValueError(f"{part!r} in --claim is neither a kind of noise nor name=value: it says {CLAIM}.")
    return name.strip(), value.strip()


def _nothing_left(given: dict[str, str]) -> None:
    if given:
        raise ValueError(f"nothing is called {', '.join(given)} in a promise.")
