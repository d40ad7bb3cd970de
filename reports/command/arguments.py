"""What the command takes, and which of it goes together: an option that would be ignored is refused."""

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from losses.recognise_evidence import Kind
from losses.warehouse.engines import Resources
from numerics.audits import ApproximateClaim, Claim, GdpClaim, ReleaseClaim
from numerics.epsilon_star import LEVEL, LossScale, Method
from numerics.mechanisms import MECHANISMS
from numerics.sampling import Adjacency, Sampling
from reports import command

INSTALLED = "privacy-trade-offs"
LOSSES, PREDICTIONS, SCORES, CANARIES, RUNS = "losses", "predictions", "scores", "canaries", "runs"
KINDS = {
    LOSSES: Kind.LOSSES,
    PREDICTIONS: Kind.PREDICTIONS,
    SCORES: Kind.SCORES,
    CANARIES: Kind.CANARIES,
    RUNS: Kind.RUNS,
}
UNITS = {"nats": LossScale.NATS, "bits": LossScale.BITS, "log-odds": LossScale.LOG_ODDS, "none": None}
METHODS = {Method.CONFIDENCE: "confidence", Method.PARAMETRIC: "parametric", Method.EMPIRICAL: "empirical"}
AS_PRINTED, NO_ESTIMATE = "as-printed", "none"
PEOPLE, COPIES, PERSON, INDEPENDENT = "people", "copies", "person", "independent"
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
    several = (
        "CSV, TSV, JSON, Parquet, NumPy or Excel file (text packed with gzip, too), glob in quotes, or folder; or a "
        "table of the engine; several: a model each, or a group of a model, as their names say"
    )
    add("sources", nargs="*", metavar="source", help=several)
    add(
        "--evidence",
        choices=KINDS,
        help="what the rows are: losses, predictions with the right answers, scores of an attack on one model, "
        "canaries of one run, or runs with and without a record; default: as the columns are named",
    )
    fresh = "fresh data, where they are a source of their own; of several sources once for each"
    add("--population", metavar="SOURCE", action="append", default=[], help=fresh)
    add("--loss", "--score", metavar="COLUMN", help="default: the only candidate")
    member = "which column, and which label in it means training data; default: as names and labels say"
    add("--membership", metavar="COLUMN[=LABEL]", type=_column, default=(None, None), help=member)
    suspect = "which scores speak for a member; default: as the column's name says, else large"
    add("--suspect", choices=("large", "small"), help=suspect)
    add("--drop", action="store_true", help="leave out rows without a finite loss or without a label")
    add("--predictions", metavar="COLUMN", action="append", default=[], help="of a class; several times for several")
    answer = "the right answers, and the one that a single column of predictions is for; default: as the names say"
    add("--answer", metavar="COLUMN[=LABEL]", type=_column, default=(None, None), help=answer)
    engine = (
        "whose tables are the sources, as Ibis connects to it, with its settings: postgres://host/base, "
        "pyspark://?spark.sql.shuffle.partitions=64"
    )
    add("--engine", metavar="URL", help=engine)
    memory = "beyond it the embedded engine spills to disk; default: %(default)s"
    add("--memory", default=Resources().memory, help=memory)

    add = audit.add_argument_group("rows that belong together").add_argument
    rows = (
        "what rows are that look like something else; may be given several times. people: each is a person of its own; "
        "copies: equal ones count once; person=COLUMN: whose a row is, of which one counts; independent=COLUMN: those "
        "that share a cell there count as independent"
    )
    add("--rows", metavar="WHAT", type=_rows, action="append", default=[], help=rows)
    model = "of several models in the table: all of them audited, or one"
    add("--model", metavar="COLUMN[=LABEL]", type=_column, default=(None, None), help=model)
    slices = "of classes or subgroups, each of them looked at, with limits that hold for all of them together"
    add("--slice", metavar="COLUMN", help=slices)


def _add_wishes(audit: argparse.ArgumentParser) -> None:
    """What is computed, and which promise is tested."""
    add = audit.add_argument_group("what is computed").add_argument
    estimates = (
        "beside the lower bound; may be given several times: parametric (default), a normal fit; empirical, of counted "
        "rates; as-printed, the fit after a min-max of the losses as the paper prints it; none"
    )
    choices = ("parametric", "empirical", AS_PRINTED, NO_ESTIMATE)
    add("--estimate", choices=choices, action="append", default=[], help=estimates)
    add(
        "--unit",
        choices=UNITS,
        help="what the losses are: cross-entropy in nats or bits, the log odds against the right answer, or none of "
        "these; a normal fit needs it",
    )
    delta = "default: 1 / (n log n) with n training losses; of what canaries prove of epsilon, 1e-5"
    add("--delta", type=float, help=delta)
    add("--level", type=float, default=LEVEL, help="of every statement; default: %(default)s")
    add(
        "--max-epsilon-star",
        type=_limit,
        metavar="X",
        help="exit with 1 if the lower bound or an estimate that was asked for is larger; of several models, if "
        "their bounds together are",
    )

    add = audit.add_argument_group("a promise that is tested").add_argument
    replaced = "; with left-out=absent or left-out=replaced what a canary that is not in is, if not as promised"
    add("--claim", metavar="PROMISE", help=f"{CLAIM}{replaced}")
    confirm = "what the verdict rests on holds; without it, it is told and nothing else"
    add("--confirm", action="store_true", help=confirm)


def _add_report(audit: argparse.ArgumentParser) -> None:
    """What is written."""
    add = audit.add_argument_group("the report").add_argument
    add("--report", type=_html, metavar="FILE.html", help="write a report to hand in, page 1 the verdict")
    add("--json", action="store_true", help="every number as JSON instead of a text")


def _column(text: str) -> tuple[str | None, str | None]:
    """A column and a label in it; each may be missing. Of a column whose name has "=" in it, one more ends the name."""
    name, sign, label = text.rpartition("=")
    return (name or None, label or None) if sign else (text, None)


def _rows(text: str) -> tuple[str, str]:
    what, _, column = text.partition("=")
    if bool(column) != (what in (PERSON, INDEPENDENT)) or what not in (PEOPLE, COPIES, PERSON, INDEPENDENT):
        raise argparse.ArgumentTypeError(f"{text!r} is not people, copies, person=COLUMN or independent=COLUMN")
    return what, column


def _limit(text: str) -> float:
    with suppress(ValueError):
        if (value := float(text)) >= 0.0:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of 0 or more")


def _html(text: str) -> Path:
    path = Path(text)
    if not text.endswith(".html"):
        raise argparse.ArgumentTypeError(f"{text!r} does not end in .html")
    if not path.parent.is_dir():
        raise argparse.ArgumentTypeError(f"there is no folder {str(path.parent)!r} to write it to")
    return path


# What goes together.


_OF_LOSSES = {"population", "estimate", "unit", "delta", "max_epsilon_star"}
_PREDICTED, _OF_PROMISES, _OF_ROWS = (
    {"predictions", "answer"},
    {"claim", "confirm", "left_out"},
    {"model", "cluster", "rows"},
)
_NOT_WITH = {
    LOSSES: _PREDICTED | _OF_PROMISES | {"suspect"},
    PREDICTIONS: _OF_PROMISES | {"suspect", "loss"},
    SCORES: _PREDICTED | _OF_LOSSES | _OF_PROMISES,
    CANARIES: (_PREDICTED | _OF_LOSSES | _OF_ROWS) - {"delta"},
    RUNS: _PREDICTED | _OF_LOSSES | _OF_ROWS | {"left_out"},
}
_WRITTEN = {"cluster": f"--rows {PERSON}=COLUMN", "left_out": "left-out in --claim"}


def chosen_of(given: Sequence[str] | None) -> argparse.Namespace:
    """What was given, with the parts of an option by names of their own; raises ValueError where they do not fit."""
    chosen = parser().parse_args(given)
    chosen.membership, chosen.member = chosen.membership
    chosen.answer, chosen.positive = chosen.answer
    chosen.model_column, chosen.model = chosen.model
    said = {kind: [column for what, column in chosen.rows if what == kind] for kind in (PERSON, INDEPENDENT)}
    equal = {what for what, column in chosen.rows if not column}
    if len(equal) > 1 or len(said[PERSON]) > 1:
        raise ValueError("--rows must not be both people and copies, nor name two columns of persons.")
    chosen.rows, chosen.cluster = next(iter(equal), None), next(iter(said[PERSON]), None)
    chosen.independent = said[INDEPENDENT]
    chosen.estimate = chosen.estimate or ["parametric"]
    if {"parametric", AS_PRINTED} <= {*chosen.estimate}:
        raise ValueError("--estimate must not be both parametric and as-printed: a fit has one scale.")
    chosen.left_out, chosen.told, chosen.kept = None, "", {}
    if chosen.claim is not None:
        chosen.claim, chosen.left_out = _left_out(chosen.claim)
    return chosen


def _left_out(claim: str) -> tuple[str, str | None]:
    """A promise without what is said of canaries that are left out, and that."""
    parts = [part.strip() for part in claim.split(",")]
    said = [part for part in parts if part.partition("=")[0].strip() == "left-out"]
    found = [part.partition("=")[2].strip() for part in said]
    if [one for one in found if one not in ("absent", "replaced")] or len(found) > 1:
        raise ValueError(f"left-out in --claim must be absent or replaced, got {', '.join(found)!r}.")
    return ",".join(part for part in parts if part not in said), next(iter(found), None)


def kind_of(chosen: argparse.Namespace) -> str:
    """The kind of evidence; losses where nothing was said."""
    return chosen.evidence or LOSSES


def option_against(chosen: argparse.Namespace, kind: str) -> tuple[str, list[str]] | None:
    """An option that was given and does not go with a kind of evidence, and the kinds with which it goes; or None."""
    usual = chosen_of(["audit"])
    for name in sorted(_NOT_WITH[kind]):
        if getattr(chosen, name) != getattr(usual, name):
            option = _WRITTEN.get(name, f"--{name.replace('_', '-')}")
            return option, [other for other in KINDS if name not in _NOT_WITH[other]]
    return None


def check_kind(chosen: argparse.Namespace) -> None:
    """Raise ValueError for options that do not go with the kind of evidence."""
    kind = kind_of(chosen)
    if (against := option_against(chosen, kind)) is not None:
        raise ValueError(f"{against[0]} does not go with {kind}, but with --evidence {' or '.join(against[1])}.")
    if len(chosen.sources) > 1 and kind in (CANARIES, RUNS):
        raise ValueError(f"{kind} are in one file: several files are several models.")


def check(chosen: argparse.Namespace) -> None:
    """Raise ValueError for options that do not go together, whatever the kind of evidence."""
    count = len(chosen.sources)
    several_models = chosen.model_column is not None and chosen.model is None
    refused = {
        "the same source was given twice: each is a model.": len({Path(one).absolute() for one in chosen.sources})
        < count,
        "there must be a SOURCE.": not count,
        "--population must be given once for every source, or not at all.": len(chosen.population) not in (0, count),
        "--model and --slice must not be given with several sources: each is a model.": count > 1
        and (chosen.model_column is not None or chosen.slice is not None),
        "--model says which column names the models: --model COLUMN=LABEL.": chosen.model is not None
        and chosen.model_column is None,
        "--slice needs one model, --model COLUMN=LABEL: slices are of one.": chosen.slice is not None
        and several_models,
    }
    for words, is_so in refused.items():
        if is_so:
            raise ValueError(words)
    if chosen.population and (chosen.membership is not None or chosen.member is not None):
        raise ValueError("--membership must not be given with --population: each source is a group.")


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
