"""Several instances of a mechanism, each with both groups: of a column, and how names of files tell them.

A file that cannot be used stops all of them: a table with an instance less would show another minimum and mean.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from losses.classes import as_labels, joint_labels
from losses.errors import TableError, listed, quoted
from losses.groups import Groups, split
from losses.names import natural
from losses.table import NO_LABEL, LabelColumn, LossTable
from losses.training_labels import says_trained, without_group

MOST_INSTANCES = 1000
_ENDINGS = re.compile(r"(\.(csv|tsv|txt|dat|jsonl?|ndjson|gz|parquet|pq|np[yz]|xlsx))+$", re.IGNORECASE)
_PAIR = "Name the files of an instance alike but for “train” and “population”: train_1.csv and population_1.csv."


class Instance(NamedTuple):
    """One instance: its name, and its two groups of losses."""

    name: str
    groups: Groups


def pairs(names: Iterable[str]) -> dict[str, tuple[str, str]]:
    """The files with the training data and with the population of every instance.

    Raises:
        TableError: a file has no partner, or names it in no known way.
    """
    found: dict[str, dict[bool, str]] = {}
    for name in names:
        instance, is_train = _parted(name)
        pair = found.setdefault(instance, {})
        if is_train in pair:
            raise TableError(f"The files {quoted(pair[is_train])} and {quoted(name)} are for the same group.", _PAIR)
        pair[is_train] = name
    _check_number(len(found))
    alone = [next(iter(pair.values())) for pair in found.values() if len(pair) == 1]
    if alone:
        what = f"{len(alone):,} of the files have no partner with the other group."
        raise TableError(what, _PAIR, f"They are {listed(alone)}.")
    return {instance: (pair[True], pair[False]) for instance, pair in found.items()}


def _parted(name: str) -> tuple[str, bool]:
    """What a file's name is without the word for its group, and whether that is the training data."""
    whole = stem(name)
    is_train = says_trained(whole, is_cell=True)
    if is_train is None:
        raise TableError(f"The name of the file {quoted(name)} does not tell its group.", _PAIR)
    return " ".join(re.sub(r"[_\-.\s]+", " ", without_group(whole)).split()) or "the only one", is_train


def stem(name: str) -> str:
    """A file's name without the endings of its format."""
    return _ENDINGS.sub("", name) or name


def by_column(
    table: LossTable,
    instance: str | Sequence[str],
    name: str,
    membership: str,
    member: str,
    drop: bool = False,
    person: str | None = None,
) -> list[Instance]:
    """One table with columns that name the instance of every row; instances in the order of their sorted names.

    Args:
        table: the file.
        instance: the column with the instances; or several, such as models and epochs, each combination an instance.
        name: the column with the losses.
        membership: the column that tells members from outsiders.
        member: the label that means a member.
        drop: leave out rows without a usable loss, a membership or an instance.
        person: the column that says whose a row is, where a person has several in an instance.

    Raises:
        TableError: rows cannot be used, or an instance lacks a group.
    """
    instances = instances_in(table, instance)
    _check_number(len(instances.labels))
    blanks = int(np.count_nonzero(~instances.usable(drop)))
    order = np.argsort(instances.codes, kind="stable")
    ends = np.cumsum(np.bincount(instances.codes[instances.codes != NO_LABEL], minlength=len(instances.labels)))
    found = []
    for code, word in enumerate(instances.labels):
        rows = order[blanks + (ends[code - 1] if code else 0) : blanks + ends[code]]
        with refusals_of(word):
            part = table.at(rows)
            labels = part.label(membership)
            present = [label for label, count in labels.counts.items() if count]
            if len(present) < 2:
                raise TableError(
                    f"One group is missing: {quoted(labels.name)} is {listed(present) or 'blank'} in all of its rows.",
                    "Add the losses of the other group, or leave the instance out.",
                )
            found.append(Instance(word, split(part, name, membership, member, drop, person)))
    return sorted(found, key=lambda one: natural(one.name))


def instances_in(table: LossTable, columns: str | Sequence[str]) -> LabelColumn:
    """The instance of every row, told by one column or by several; raises TableError as ``joint_labels``."""
    named = [columns] if isinstance(columns, str) else columns
    return joint_labels([as_labels(table, name) for name in named])


def _check_number(count: int) -> None:
    if count > MOST_INSTANCES:
        what = f"There are {count:,} instances; at most {MOST_INSTANCES:,} are compared."
        raise TableError(what, "Leave some out, or choose another column.")
    if not count:
        raise TableError("There is no instance.", "Add a file, or choose a column that names instances.")


@contextmanager
def refusals_of(name: str) -> Iterator[None]:
    """Say which file or instance a refusal is about."""
    try:
        yield
    except TableError as refusal:
        raise type(refusal)(f"{quoted(name)}: {refusal.what}", refusal.remedy, refusal.where) from None
