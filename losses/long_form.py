"""The long form of a table: a number in every row, and its roles beside it: group, model, person, slice, record.

Wide tables, which have columns of numbers for groups or for models, are brought to that form, and what is said of a
table is said of the long one; with the Python that says the same.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from losses.errors import TableError, listed
from losses.names import natural
from losses.recognise_columns import named_alike
from losses.table import ROW, ClusterColumn, DistinctTexts, Faults, LabelColumn, LossTable, NumberColumn
from losses.training_labels import Membership, Why, says_trained, spaced, training_label, without_group

GROUP, MODEL, VALUE = "group", "model", "value"
MOST_NUMBERS = 20_000_000
"""Of all columns together, in the long form."""
_PARTS = re.compile(r"[\W_]+|(?<=[^\W\d_])(?=\d)")
_AS_MANY = "Choose as many columns of one group as of the other: each pair is a model."


@dataclass(frozen=True, eq=False)
class LongForm:
    """The long form of a table.

    Attributes:
        table: with a number in every row.
        python: the expression that makes it.
        imports: what that needs from ``losses``.
        value: its column of numbers; None where the layout does not say it.
        membership: which of its rows are in; None where the layout does not say it.
        words: how the columns were taken; empty where nothing was done.
    """

    table: LossTable
    python: str
    imports: tuple[str, ...] = ()
    value: str | None = None
    membership: Membership | None = None
    words: str = ""


def long_form(table: LossTable, read: str = "table", imports: Sequence[str] = ()) -> LongForm:
    """Of a table with columns for each group, or each model, as far as their names tell; another one as it is.

    Args:
        table: of any layout.
        read: the expression that reads it.
        imports: what that needs from ``losses``.
    """
    members, outsiders = group_columns(table)
    if members and not any(len(one.labels) == 2 for one in table.labels):
        return of_groups(table, members, outsiders, read, imports)
    if columns := model_columns(table):
        return of_models(table, columns, read, imports)
    return LongForm(table, read, tuple(imports))


def of_groups(
    table: LossTable, members: Sequence[str], outsiders: Sequence[str], read: str, imports: Sequence[str]
) -> LongForm:
    """Of a table with these columns for each group; raises TableError unless they are pairs."""
    stacked = groups_stacked(table, members, outsiders)
    return LongForm(
        stacked,
        f"groups_stacked({read}, {members!r}, {outsiders!r})",
        ("groups_stacked", *imports),
        stacked.numbers[0].name,
        Membership(GROUP, stacked.labels[0].labels[0], Why.COLUMN),
        f"Columns of members are {listed(list(members))}; of outsiders, {listed(list(outsiders))}.",
    )


def of_models(table: LossTable, columns: Sequence[str], read: str, imports: Sequence[str]) -> LongForm:
    """Of a table with these columns of models; raises TableError unless there are two, and memberships agree."""
    told = membership_columns(table, columns) if len(columns) > 1 else ()
    stacked = models_stacked(table, columns, told)
    return LongForm(
        stacked,
        f"models_stacked({read}, {columns!r}{f', {list(told)!r}' if told else ''})",
        ("models_stacked", *imports),
        stacked.numbers[0].name,
        words=f"A column for each model: {listed(list(columns))}.",
    )


def group_columns(table: LossTable) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The columns named like numbers of members and of outsiders, in the order of their models; none unless paired."""
    said = {column.name: says_trained(column.name, is_cell=True) for column in table.numbers}
    stems = {name: _without_marks(without_group(name)) for name in said}
    pair = [{stems[name]: name for name, who in said.items() if who is side} for side in (True, False)]
    if len(pair[0]) == len(pair[1]) == 1:
        return tuple(pair[0].values()), tuple(pair[1].values())
    if pair[0].keys() != pair[1].keys() or sum(who is not None for who in said.values()) != 2 * len(pair[0]):
        return (), ()
    order = sorted(pair[0], key=natural)
    return tuple(pair[0][name] for name in order), tuple(pair[1][name] for name in order)


def model_columns(table: LossTable) -> tuple[str, ...]:
    """The columns of numbers that are named alike but for a number or a model's name; none unless there are two."""
    alike = named_alike([column.name for column in table.numbers])
    return tuple(sorted(alike, key=natural))


def membership_columns(table: LossTable, columns: Sequence[str]) -> tuple[str, ...]:
    """For each of the columns of models, the one that says who was in that model; none unless all have their own."""
    wanted = model_names(columns)
    told = [column.name for column in table.labels if len(column.labels) == 2]
    by_model: dict[str, list[str]] = {}
    for name in told:
        for model in wanted:
            if _words(name)[-len(_words(model)) :] == _words(model):
                by_model.setdefault(model, []).append(name)
    if by_model.keys() != set(wanted) or any(len(found) != 1 for found in by_model.values()):
        return ()
    return tuple(by_model[model][0] for model in wanted)


def model_names(columns: Sequence[str]) -> tuple[str, ...]:
    """What tells columns apart: their names without the words that all of them have."""
    words = [_words(name) for name in columns]
    rest = [" ".join(word for word in own if any(word not in other for other in words)) for own in words]
    return tuple(rest) if all(rest) and len(set(rest)) == len(rest) else tuple(columns)


def groups_stacked(table: LossTable, members: Sequence[str], outsiders: Sequence[str]) -> LossTable:
    """The long form of a table with columns for each group: for each model one of members, and one of outsiders.

    Its column ``group`` has two labels, the members' first: the first column of each, and how many more. Several pairs
    are told apart by its column ``model``.

    Raises TableError unless there are as many of one group as of the other.
    """
    if not members or len(members) != len(outsiders) or set(members) & set(outsiders):
        raise TableError("The columns of the two groups are no pairs.", _AS_MANY)
    models = model_names([_without_marks(without_group(name)) for name in members]) if len(members) > 1 else ("",)
    if len(set(models)) < len(models):
        models = tuple(members)
    long = _stacked(table, (*members, *outsiders), (*models, *models))
    codes = np.repeat(np.array([0, 1], np.int8), len(members) * table.rows)
    more = f" and {len(members) - 1:,} more" if len(members) > 1 else ""
    labels = LabelColumn(GROUP, codes, (f"{members[0]}{more}", f"{outsiders[0]}{more}"))
    return replace(long, labels=(labels, *(one for one in long.labels if one.name != GROUP)), is_membership_clear=True)


def models_stacked(table: LossTable, columns: Sequence[str], memberships: Sequence[str] = ()) -> LossTable:
    """The long form of a table with a column of numbers for each model, told apart by its column ``model``.

    Args:
        table: a row for each record.
        columns: the numbers of each model.
        memberships: who was in each model, where that differs; they become one column, named as they all are.

    Raises:
        TableError: there are no two columns, or memberships are not as many or differ in their labels.
    """
    if len(set(columns)) < 2:
        raise TableError("There is one column of a model.", "Choose two or more columns, a model each.")
    long = _stacked(table, columns, model_names(columns))
    if not memberships:
        return long
    told = [table.label(name) for name in memberships]
    words = sorted({label for column in told for label in column.labels})
    if len(told) != len(columns) or len(words) != 2:
        raise TableError(
            "The columns that say who was in the models do not agree.",
            "Mark who was in with the same two labels for every model.",
            f"Their labels are {listed(words)}.",
        )
    codes = [np.array([*map(words.index, column.labels), -1], np.int8)[column.codes] for column in told]
    name = _shared(memberships) or GROUP
    labels = LabelColumn(name, np.concatenate(codes), (words[0], words[1]))
    others = (one for one in long.labels if one.name not in (name, *memberships))
    is_clear = training_label(name, words) is not None
    return replace(long, labels=(labels, *others), is_membership_clear=is_clear)


def _stacked(table: LossTable, columns: Sequence[str], models: Sequence[str]) -> LossTable:
    """Columns of numbers below each other, with the other columns of their rows, and which row each was."""
    parts, times = [table.number(name) for name in columns], len(columns)
    if table.rows * times > MOST_NUMBERS:
        raise TableError(
            f"{times:,} columns of {table.rows:,} rows are {table.rows * times:,} numbers; at most {MOST_NUMBERS:,} "
            "are read together.",
            "Choose fewer columns, or keep a random sample of the rows.",
        )
    taken = {one.name for one in table.labels} | {one.name for one in table.clusters}
    shared = _shared(columns)
    name = VALUE if not shared or shared in taken else shared
    faults = Faults(
        sum(part.faults.count for part in parts),
        tuple(f"{part.name}, {where}" for part in parts for where in part.faults.examples)[:3],
    )
    values, unit = np.concatenate([part.values for part in parts]), max(part.unit for part in parts)
    value = NumberColumn(name, values, faults, unit)
    labels = [replace(one, codes=np.tile(one.codes, times)) for one in table.labels]
    different = tuple(dict.fromkeys(models))
    if len(different) > 1:
        codes = np.repeat(np.array([different.index(model) for model in models], np.int16), table.rows)
        labels.append(LabelColumn(_free(MODEL, taken), codes, different))
    clusters = [replace(one, codes=np.tile(one.codes, times)) for one in table.clusters]
    rows = np.tile(np.arange(table.rows, dtype=np.int32), times)
    clusters.append(ClusterColumn(_free(ROW, taken), rows, _counted(table.rows)))
    names = (name, *(one.name for one in labels), *(one.name for one in clusters))
    layout = replace(table.layout, names=names)
    is_clear = table.is_membership_clear
    return LossTable(layout, table.rows * times, (value,), tuple(labels), is_clear, tuple(clusters), table.unread)


def _shared(columns: Sequence[str]) -> str:
    """The words that all of the names have."""
    return " ".join(word for word in _words(columns[0]) if all(word in _words(name) for name in columns))


def _free(name: str, taken: set[str]) -> str:
    return name if name not in taken else f"{name} of the column"


def _counted(rows: int) -> DistinctTexts:
    """The numbers of the rows, from 1, as texts."""
    text = "".join(map(str, range(1, rows + 1))).encode()
    digits: NDArray[np.int64] = np.floor(np.log10(np.arange(1, rows + 1) + 0.5)).astype(np.int64) + 1
    return DistinctTexts(np.frombuffer(text, np.uint8), np.cumsum(digits))


def _words(name: str) -> list[str]:
    return [word for word in _PARTS.split(spaced(name)) if word]


def _without_marks(name: str) -> str:
    return " ".join(_words(name))
