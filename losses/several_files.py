"""Several files as one table: of a group each, of a model each, or of a group of a model each, told by their names.

Below each other are the columns that all of them have, with one more that says which file a row is of: ``file`` tells
the groups, ``model`` the models. So whatever is asked of one table is asked of all files together.
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from losses.classes import guess, labels_of
from losses.dependence import digests_of
from losses.errors import TableError, quoted
from losses.instances import pairs, stem
from losses.long_form import group_columns
from losses.recognise_evidence import Kind
from losses.table import (
    NO_LABEL,
    AnyColumn,
    ClusterColumn,
    DistinctTexts,
    Faults,
    FileLayout,
    LabelColumn,
    LossTable,
    NumberColumn,
    as_clusters,
)
from losses.training_labels import says_trained, training_label

FILE, MODEL = "file", "model"
_BOTH = (
    "Add one with two different labels, or give both groups of every model as files: train_1.csv and population_1.csv."
)


def files_stacked(files: Mapping[str, LossTable]) -> LossTable:
    """One table of the rows of all files, in their order.

    Raises TableError where files have no column of numbers in common, or where some tell members and others do not.
    """
    tables, told = list(files.values()), told_by_names(files)
    numbers = tuple(_numbers(files, name) for name in _common(tables, lambda one: one.numbers))
    if not numbers:
        raise TableError("The files have no column of numbers in common.", "Name it alike in all files.")
    known = {one.name for one in numbers}
    labels = [
        _labels(tables, name) for name in _common(tables, lambda one: (*one.labels, *one.numbers)) if name not in known
    ]
    clusters = tuple(_clusters(tables, name) for name in _common(tables, lambda one: one.clusters))
    taken = known | {one.name for one in labels} | {one.name for one in clusters}
    sizes = [one.rows for one in tables]
    for name, of_file in told.items():
        different = tuple(dict.fromkeys(of_file))
        codes = np.repeat(np.array([different.index(one) for one in of_file], np.int32), sizes)
        own = LabelColumn(name if name not in taken else f"{name} of the rows", codes, different)
        labels.insert(0 if name == FILE else len(labels), own)
    # By one and the same column in all files: another may have dropped out, or call members by another label.
    is_one = FILE in told or all(one.is_membership_clear and one.labels[0].name == labels[0].name for one in tables)
    is_clear = is_one and training_label(labels[0].name, labels[0].labels) is not None
    columns: list[AnyColumn] = [*numbers, *labels, *clusters]
    names = tuple(dict.fromkeys(one.name for one in columns))
    unread = tuple(dict.fromkeys(name for one in tables for name in one.unread))
    notes = tuple(f"{quoted(file)}: {note}" for file, one in files.items() for note in one.layout.notes)
    layout = FileLayout(names, True, f"{len(tables):,} files", notes)
    return LossTable(layout, sum(sizes), numbers, tuple(labels), is_clear, clusters, unread, tables[0].kind)


def holds_both_groups(table: LossTable) -> bool:
    """Whether something in a table may tell members from outsiders: else each group is a file."""
    if table.kind != Kind.PREDICTIONS:
        return any(len(one.labels) == 2 for one in table.labels) or bool(group_columns(table)[0])
    found = guess(table)  # right answers tell no groups
    taken = set() if found is None else {found.label, *found.scores}
    others = [one for one in table.numbers if one.name not in taken]
    return any(len(one.labels) == 2 for one in table.labels if one.name not in taken) or any(
        len(np.unique(one.values[one.is_usable])) == 2 for one in others
    )


def told_by_names(files: Mapping[str, LossTable]) -> dict[str, list[str]]:
    """What the files tell of their rows: for each of them, the group, the model, or both; TableError where neither."""
    sides = [says_trained(stem(name), is_cell=True) for name in files]
    is_clear = any(one.is_membership_clear or group_columns(one)[0] for one in files.values())
    lone = [name for name, table in files.items() if not holds_both_groups(table)]
    if len(lone) == len(files) == 2 and None in sides:
        return {FILE: list(files)}
    if len(lone) == len(files) or (not is_clear and None not in sides):
        found = pairs(files)
        models = {name: model for model, pair in found.items() for name in pair}
        first, more = next(iter(found.values())), f" and {len(found) - 1:,} more" if len(found) > 1 else ""
        trained = {pair[0] for pair in found.values()}
        groups = [f"{first[0 if name in trained else 1]}{more}" for name in files]
        return {FILE: groups, MODEL: [models[name] for name in files]} if more else {FILE: groups}
    if lone:
        raise TableError(f"The file {quoted(lone[0])} has no column that tells members from outsiders.", _BOTH)
    short = [stem(name) for name in files]
    return {MODEL: short if len(set(short)) == len(files) else list(files)}


def _common(tables: Sequence[LossTable], kept: Callable[[LossTable], Sequence[AnyColumn]]) -> list[str]:
    """The columns of a kind that all tables have, in the first one's order."""
    names = [[one.name for one in kept(table)] for table in tables]
    return [name for name in dict.fromkeys(names[0]) if all(name in some for some in names)]


def _numbers(files: Mapping[str, LossTable], name: str) -> NumberColumn:
    columns = {file: table.number(name) for file, table in files.items()}
    examples = [f"{file}, {where}" for file, one in columns.items() for where in one.faults.examples]
    return NumberColumn(
        name,
        np.concatenate([one.values for one in columns.values()]),
        Faults(sum(one.faults.count for one in columns.values()), tuple(examples[:3])),
        max(one.unit for one in columns.values()),
    )


def _labels(tables: Sequence[LossTable], name: str) -> LabelColumn:
    """The same labels in all of the tables; what is numbers in one of them is labels here."""
    found = [next((one for one in each.labels if one.name == name), None) or each.number(name) for each in tables]
    columns = [labels_of(one) for one in found]
    words = dict.fromkeys(word for one in columns for word in one.labels)
    different = {word: place for place, word in enumerate(words)}
    places = [np.array([*(different[word] for word in one.labels), NO_LABEL], np.int32) for one in columns]
    codes = np.concatenate([place[one.codes] for place, one in zip(places, columns, strict=True)])
    return LabelColumn(name, codes, tuple(different))


def _clusters(tables: Sequence[LossTable], name: str) -> ClusterColumn:
    """The same words in all of the tables, told by digests: no text of them is made."""
    columns = [as_clusters(table.cluster(name)) for table in tables]
    digests = np.concatenate([digests_of(one.words) for one in columns])
    _, first, place = np.unique(digests, return_index=True, return_inverse=True)
    starts = np.cumsum([0, *(len(one.words) for one in columns)])
    owners = np.searchsorted(starts, first, side="right") - 1
    raw = [columns[owner].words.raw(int(at - starts[owner])) for owner, at in zip(owners, first, strict=True)]
    words = DistinctTexts(np.frombuffer(bytearray().join(raw), np.uint8), np.cumsum([len(one) for one in raw]))
    codes = [
        np.append(place[start:end], NO_LABEL)[one.codes]
        for one, start, end in zip(columns, starts, starts[1:], strict=False)
    ]
    return ClusterColumn(name, np.concatenate(codes), words)
