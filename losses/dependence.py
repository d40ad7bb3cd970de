"""Rows that are no independent evidence: several of one person, copies of one row, and rows of several models.

Bounds hold for independent losses. Where a column names the person, one row of each is drawn, with a fixed seed and
without a look at the losses: the rows drawn are independent if the persons are, and what is said of them is said of a
random row of a random person. Counted as if they were independent, 100 persons with ten alike rows each show something
where there is nothing in nine audits of ten.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from losses.errors import TableError, counted, quoted
from losses.membership import spaced
from losses.table import NO_LABEL, UNIT, ClusterColumn, DistinctTexts, LossTable
from numerics.trade_off import Floats

_PERSON = re.compile(
    r"(?<![a-z])(person(en)?|user|patient(in|en)?|subject|customer|client|participant|individual|household|famil(y|ie)|"
    r"speaker|student|respondent|nutzer|benutzer|proband(en)?|teilnehmer|kund(e|en|in)|haushalt|personne|utilisateur|"
    r"sujet|menage)s?(?![a-z])",
    re.IGNORECASE,
)
_CLUSTER = re.compile(
    r"(?<![a-z])(cluster|group|account|device|author|writer|owner|gruppe|groupe|grappe)s?(?![a-z])", re.I
)
_MODEL = re.compile(
    r"(?<![a-z])(model|instance|run|seed|trial|shadow|epoch|fold|checkpoint|modell|modele|lauf|epoche|epoque)s?(?![a-z])",
    re.IGNORECASE,
)
_SLICE = re.compile(
    r"(?<![a-z])(class|label|target|category|slice|subgroup|subset|domain|source|sex|gender|age|region|country|language|"
    r"klasse|classe|kategorie|categorie)s?(?![a-z])",
    re.IGNORECASE,
)
_RECORD = re.compile(r"(?<![a-z])(id|ids|idx|index|record|canary|sample|example|row)s?(?![a-z])", re.IGNORECASE)
_MEASURED = re.compile(r"loss|nll|entropy|score|logit|prob|accura|correct|error", re.IGNORECASE)
_LONG = 12  # significant digits; rounded losses have no more
_SAMPLED = 2000  # losses whose digits are counted
_ALMOST_ALL = 0.99
_FEWEST = 10  # different losses; of fewer, the same number of each may be chance
_FEW_OUTPUTS = 3  # times that a loss is there on average
_AROUND, _NEXT = 25, 1.5  # gaps on either side, and how many times the smallest of them is no gap to a next point
_DEVIATIONS = 4  # of a Poisson law
_LOOKED_AT = 1000  # rows, for fractions
_CHANCE = 2  # equal losses in both groups; more are no chance


def names_persons(name: str) -> bool:
    """Whether a column's name says that its cells name persons."""
    return _says(_PERSON, name)


def names_clusters(name: str) -> bool:
    """Whether its cells may name persons, or others to whom several rows belong."""
    return names_persons(name) or _says(_CLUSTER, name)


def names_models(name: str) -> bool:
    """Whether its cells name models, or states of one, such as epochs."""
    return _says(_MODEL, name)


def names_slices(name: str) -> bool:
    """Whether its cells may name classes or subgroups."""
    return _says(_SLICE, name)


def names_records(name: str) -> bool:
    """Whether its cells may name records."""
    return _says(_RECORD, name)


def mentions_models(name: str) -> bool:
    """Whether a name speaks of models, or states of one, even if it is a measurement's: ``loss_model_1``."""
    return _MODEL.search(spaced(name)) is not None


def _says(words: re.Pattern[str], name: str) -> bool:
    """Whether a name has one of the words, and is none of a measurement, such as ``model_loss``."""
    return words.search(spaced(name)) is not None and _MEASURED.search(name) is None


def few_valued(table: LossTable) -> Iterator[tuple[str, int]]:
    """Columns whose rows may belong together by them, with how many different cells each has."""
    counts = {column.name: len(column.labels) for column in table.labels}
    counts |= {column.name: len(column.words) for column in table.clusters}
    for column in table.numbers:
        start = column.values[:_LOOKED_AT]
        if names_models(column.name) or not np.any(start[np.isfinite(start)] % 1.0):
            counts[column.name] = len(np.unique(column.values[np.isfinite(column.values)]))
    yield from ((name, count) for name, count in counts.items() if may_group(name, count, table.rows))


def may_group(name: str, cells: int, rows: int) -> bool:
    """Whether rows may belong together by a column with so many different cells in so many rows.

    A model has two rows or more on average: ``model_a`` with ever new numbers holds the losses of one.
    """
    return 1 < cells < rows and (2 * cells <= rows or not names_models(name))


def refuse_pooled(table: LossTable, taken: Collection[str]) -> None:
    """Raise TableError where a column's name says that rows belong together, unless it is ``taken`` for something."""
    refuse_together({name: count for name, count in few_valued(table) if name not in taken})


def refuse_together(counts: Mapping[str, int]) -> None:
    """Raise TableError where one of these columns, with so many different cells, is named as of models or persons."""
    for name, count in counts.items():
        if names_models(name):
            raise TableError(
                f"Column {quoted(name)} tells {count:,} models, or states of one: pooled rows are not one model's.",
                f"Audit all: --model-column {name}, or one: --model VALUE, too. Or say that all are one's: "
                f"--independent {name}.",
            )
    for name, count in counts.items():
        if names_clusters(name):
            raise TableError(
                f"Column {quoted(name)} has {count:,} different cells: several rows of one person are no independent "
                "evidence.",
                f"Count one row of each: --cluster {name}. Or say that rows are independent: --independent {name}.",
            )


def refuse_in_both(column: str, count: int) -> None:
    """Raise TableError where persons are in both groups."""
    if count:
        raise TableError(
            f"{counted(count, 'value')} of column {quoted(column)} {'is' if count == 1 else 'are'} in both groups: "
            "whoever has rows in the training data is no outsider.",
            f"Leave all their rows out of both groups; or say that {quoted(column)} names no persons.",
        )


def one_row_counts(column: str, persons: int, rows: int) -> str:
    """What was done where persons have several rows."""
    return (
        f"Column {quoted(column)} names {persons:,} persons in {rows:,} rows: one row of each counts, drawn without a "
        "look at the losses."
    )


class Copies(NamedTuple):
    """The losses of a group if equal ones beyond what rounding explains are copies of rows.

    Attributes:
        losses: those to be counted then, ascending; all where there are no such.
        times: how often every row is there, as a rule; 1 where that differs from row to row.
    """

    losses: Floats
    times: int = 1


def without_copies(losses: Floats) -> Copies:
    """The losses of a group, (n,) ascending, without what may be copies: equal ones, more than rounding explains.

    Two signs, either of which has to be asked about, for neighbours and saturated losses tie rightly:

    - nearly all different losses, ten or more, occur a multiple of k times (k above 1);
    - more of the different losses repeat than rounding makes. On a grid, a smooth law puts half as many pairs on one
      point as on two neighbouring ones; the grid around a loss is taken as the smallest of the 51 gaps there. Where a
      loss is there three times on average or more, the model has few outputs (a tree, a few neighbours), and ties say
      nothing.
    """
    starts = _starts(losses)
    different, counts = losses[starts], np.diff(np.append(starts, len(losses)))
    if len(different) < _FEWEST or len(different) == len(losses):
        return Copies(losses)
    for times in range(int(np.median(counts)), 1, -1):
        if np.mean(counts % times == 0) >= _ALMOST_ALL:
            return Copies(np.repeat(different, -(-counts // times)), times)
    if _FEW_OUTPUTS * len(different) < len(losses):
        return Copies(losses)
    gaps = np.diff(different)
    window = np.lib.stride_tricks.sliding_window_view(np.pad(gaps, _AROUND, mode="edge"), 2 * _AROUND + 1)
    expected = 0.5 * float((counts[1:] * counts[:-1])[gaps <= _NEXT * window.min(axis=1)].sum())
    repeated = int(np.count_nonzero(counts > 1))
    if repeated - expected < max(_FEWEST, _DEVIATIONS * np.sqrt(expected)):
        return Copies(losses)
    return Copies(different)


def copies_words(group: str, losses: int, copies: Copies) -> str:
    """What is noticed of a group whose ``losses`` are more often equal than rounding explains."""
    found = f"{losses - len(copies.losses):,} of the {losses:,} losses of the {group} equal another one"
    if copies.times > 1:
        found = f"The {losses:,} losses of the {group} are there {copies.times:,} times each, as a rule"
    return f"{found}: more than rounding explains."


def equal_in_both(train: Floats, population: Floats, unit: float = UNIT) -> int:
    """How many losses are in both groups to their last digit, where that is no chance; else 0.

    Losses that are rounded, or of a model with few different outputs, are equal by nature.
    """
    groups = [group[_starts(group)] for group in (train, population)]
    for group, own in zip(groups, (train, population), strict=True):
        if len(group) < _ALMOST_ALL * len(own) or not are_continuous(group, unit):
            return 0
    pooled = np.sort(np.concatenate(groups), kind="stable")  # fast: it finds both ascending already
    common = len(pooled) - len(_starts(pooled))
    return common if common > _CHANCE else 0


def in_both_words(common: int, more: str = "") -> str:
    """What is doubtful where ``common`` losses (or ``more``) are in both groups."""
    return (
        f"{common:,}{more} losses are in both groups, equal to their last digit. The same people may be in both: leave "
        "them out of both, else the bound may be false."
    )


def _starts(losses: Floats) -> NDArray[np.intp]:
    """Where each different loss begins, (d,), in ascending ones."""
    return np.flatnonzero(np.append(True, losses[1:] != losses[:-1]))


def are_continuous(losses: Floats, unit: float = UNIT) -> bool:
    """Whether nearly all losses are written with more than 12 significant digits."""
    sampled = losses[:: max(1, len(losses) // _SAMPLED)]
    with np.errstate(over="ignore"):
        are_short = np.mean(sampled.astype(np.float32) == sampled) > 1.0 - _ALMOST_ALL
    if unit > UNIT or are_short:  # floats of 32 bits are equal by chance, with as many digits as they are printed
        return False
    return bool(np.mean([_digits(loss) > _LONG for loss in sampled.tolist()]) >= _ALMOST_ALL)


def _digits(loss: float) -> int:
    return len(repr(loss).partition("e")[0].replace(".", "").lstrip("-0"))


def codes_of(column: ClusterColumn, other: ClusterColumn) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Two columns' cells as codes of one list of words."""
    words = np.concatenate([_digests(column.words), _digests(other.words)])
    same = np.append(np.unique(words, return_inverse=True)[1], NO_LABEL)  # the last, which -1 means, is for blanks
    first = np.append(same[: len(column.words)], NO_LABEL)
    return first[column.codes], same[len(column.words) :][other.codes]


def _digests(words: DistinctTexts) -> NDArray[np.void]:
    """128 bits that stand for each word: no text of it is made, which would stay where it lay in memory."""
    digests = bytearray().join(blake2b(words.raw(place), digest_size=16).digest() for place in range(len(words)))
    return np.frombuffer(digests, dtype=[("high", "<u8"), ("low", "<u8")])
