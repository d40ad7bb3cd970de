"""Rows that belong together: of one person, of one of several models, of a slice or a record. Never pooled silently."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import combinations

import streamlit as st

from losses import ColumnRoles, LossTable, Membership, TableError
from losses.dependence import SharedColumn, few_valued, of_table, unseen
from losses.errors import quoted
from losses.instances import MOST_INSTANCES
from losses.names import names_clusters, names_models, names_persons, names_records, names_slices
from losses.table import AnyColumn
from pages.server.shared_cache import session_cache
from pages.ui.upload_preview import UNKNOWN, Preview

NOBODY = "no column: each row is another person"
ONE_MODEL = "no column: all rows are one model's"
NO_SLICES, NO_RECORDS = "none", "no column"
MOST_SLICES = 200
_NAMED = "its name says so"
OPEN = "Say which rows belong together: rows of one person, or of several models, are no independent evidence."
_KEPT = "audit.columns_of_models"
_MOST_KEPT = 12
_SAID, _DOUBTED, _ASKED = (f"audit.{name}" for name in ("said_to_be_independent", "doubted_columns", "asked_columns"))


def begin() -> None:
    """Forget what was said about other files."""
    for kept in (_SAID, _DOUBTED, _ASKED):
        st.session_state[kept] = []


def said() -> tuple[str, ...]:
    """What was said in this run against a column's name, a sentence each."""
    return tuple(st.session_state[_SAID])


def question() -> str:
    """What is open about rows that belong together."""
    return " ".join([*st.session_state[_ASKED], OPEN])


def doubts() -> tuple[str, ...]:
    """What columns leave in doubt of which nothing was said in this run, a sentence each."""
    return tuple(st.session_state[_DOUBTED])


def note_said(sentence: str) -> None:
    """Note something else that was said in this run."""
    st.session_state[_SAID] += [sentence]


def _said_against(names: Iterable[str]) -> None:
    for name in names:
        note_said(f"Rows that share {quoted(name)} count as independent, as was said.")


def roles(
    preview: Preview, table: LossTable, value: str, found: Membership | None, is_of_several: bool = False
) -> tuple[ColumnRoles, bool]:
    """Draw what the columns of a long table are taken for, and whether that is still open.

    Args:
        preview: of the file.
        table: its long form.
        value: its column of numbers.
        found: who is in; None while that is open.
        is_of_several: there are several models, as was said.
    """
    group, member = ("", "") if found is None else (found.column, found.member)
    named = [one.name for one in table.clusters if names_clusters(one.name)]
    told = models(preview, table, (value, group, *named), is_of_several)
    columns = () if isinstance(told, str) else told
    roles = ColumnRoles(value, group, member, None, columns)

    def shared(person: str | None) -> list[SharedColumn]:
        if found is None or told == UNKNOWN:
            return []
        return _shared(
            preview, str((value, found, columns, person)), lambda: of_table(table, replace(roles, person=person))
        )

    person, is_said = persons(preview, (value, group, *columns), [table], shared)
    taken = (value, group, person or "", *columns)
    record = records(preview, table, taken) if columns else None
    sliced = slices(preview, table, (*taken, record or ""))
    is_open = told == UNKNOWN or not is_said
    return replace(roles, person=person, slice=sliced, record=record), is_open


def _shared(preview: Preview, asked: str, found: Callable[[], list[SharedColumn]]) -> list[SharedColumn]:
    """The shared columns of the files, or none where they cannot be read so, which is said elsewhere."""

    def or_none() -> list[SharedColumn]:
        try:
            return found()
        except TableError:
            return []

    key = (*(file.key for file in preview.files.values()), asked)
    return session_cache("audit.shared_columns", key, _MOST_KEPT, or_none)


def persons(
    preview: Preview,
    taken: Sequence[str],
    tables: Sequence[LossTable],
    shared: Callable[[str | None], Sequence[SharedColumn]],
) -> tuple[str | None, bool]:
    """Draw the choice of the column that says whose a row is, where names or values may say it.

    Args:
        preview: of the files.
        taken: columns that mean something else.
        tables: that must all have it.
        shared: the columns whose values repeat within one group each, where one row of each person counts.

    Returns:
        The column, None for no column; and whether nothing is open.
    """
    st.session_state[_DOUBTED] += unseen(list(dict.fromkeys(name for table in tables for name in table.unread)))
    columns = {one.name: one for one in shared(None)}
    named = [one.name for one in tables[0].clusters if names_clusters(one.name) and one.name not in taken]
    named = [name for name in named if all(name in (one.name for one in table.columns) for table in tables)]
    named.sort(key=lambda name: not names_persons(name))
    alike = [one.name for one in columns.values() if one.is_alike and one.name not in named]
    rest = [name for name in columns if name not in (*named, *alike)]
    asked = [*named, *alike]
    if not asked and not rest:
        return None, True
    is_told = bool(named) and names_persons(named[0])
    options = [*([] if is_told else [UNKNOWN]), *asked, NOBODY, *rest] if asked else [NOBODY, *rest]
    why = _NAMED if is_told else "" if asked else "values that repeat may name people: check it"
    chosen = preview.choice("Rows of one person share", "person", options, why, width=320)
    if chosen == UNKNOWN:
        st.session_state[_ASKED] += [columns[name].question for name in alike]
        return None, False
    person = None if chosen == NOBODY else chosen
    if person is None:
        _said_against(asked)
        _doubt(columns[name] for name in rest)
        return None, True
    left = shared(person)
    is_settled = [_are_independent(preview, one) for one in left if one.is_alike]
    _doubt(one for one in left if not one.is_alike)
    return person, all(is_settled)


def _are_independent(preview: Preview, one: SharedColumn) -> bool:
    """Whether rows that share a value count as independent although they are alike; until that is said, ask."""
    chosen = preview.choice(f"Rows that share {one.name}", f"independent_{one.name}", [UNKNOWN, NOBODY], width=320)
    if chosen == NOBODY:
        _said_against([one.name])
        return True
    st.session_state[_ASKED] += [one.question]
    return False


def _doubt(columns: Iterable[SharedColumn]) -> None:
    st.session_state[_DOUBTED] += [one.doubt for one in columns]


def of_files(preview: Preview, asked: str, found: Sequence[Callable[[], list[SharedColumn]]]) -> list[SharedColumn]:
    """The shared columns of several models' files, of which the first few are tested."""
    every = [one for place, of_one in enumerate(found) for one in _shared(preview, f"{asked} {place}", of_one)]
    alike = {one.name for one in every if one.is_alike}
    return [one._replace(is_alike=one.name in alike) for one in {one.name: one for one in every}.values()]


def models(preview: Preview, table: LossTable, taken: Sequence[str], is_asked: bool = False) -> tuple[str, ...] | str:
    """Draw the choice of the columns that tell several models, epochs or folds, where some may tell them.

    Args:
        preview: of the file.
        table: its long form.
        taken: columns that mean something else.
        is_asked: there are several models, as was said.

    Returns:
        The columns, none of them for one model; UNKNOWN until it is said.
    """
    counts = {name: count for name, count in _few_valued(preview, table) if name not in taken}
    told = [name for name in counts if names_models(name)]
    named = [name for name in told if counts[name] <= MOST_INSTANCES]
    others = [(name,) for name in counts if name not in told and counts[name] <= MOST_INSTANCES]
    every = [part for size in range(min(len(named), 3), 0, -1) for part in combinations(named, size)]
    one: tuple[str, ...] = ()
    if named:
        options: list[tuple[str, ...] | str] = [*every, one, *others]
    elif told or is_asked:
        options = [UNKNOWN, *others, *([] if is_asked else [one])]
    else:
        options = [one, *others]
    if is_asked and options == [UNKNOWN]:
        raise TableError("No column is left that could tell the models.", "Add one with a number for every model.")
    if len(options) == 1:
        return one
    why = "named so" if named else "no column is named so"
    chosen = preview.choice("Rows of one model share", "model", options, why, _words, width=320)
    if chosen != UNKNOWN:
        _said_against(name for name in told if name not in chosen)
    return chosen


def _words(columns: tuple[str, ...] | str) -> str:
    return columns if isinstance(columns, str) else " and ".join(columns) or ONE_MODEL


def slices(preview: Preview, table: LossTable, taken: Sequence[str]) -> str | None:
    """Draw the choice of the column whose slices are looked at, where one has few different cells."""
    names = [name for name, count in _few_valued(preview, table) if name not in taken and count <= MOST_SLICES]
    names.sort(key=lambda name: not names_slices(name))
    if not names:
        return None
    why = "a look at slices is chosen before the answer"
    chosen = preview.choice("Slices", "slices", [NO_SLICES, *names], why)
    return None if chosen == NO_SLICES else chosen


def records(preview: Preview, table: LossTable, taken: Sequence[str]) -> str | None:
    """Draw the choice of the column that names the records that several models have, where one may."""
    every: list[AnyColumn] = [*table.clusters, *table.labels, *table.numbers]
    names = [one.name for one in every if names_records(one.name) and one.name not in taken]
    if not names:
        return None
    chosen = preview.choice("Rows of one record share", "record", [*names, NO_RECORDS], _NAMED)
    return None if chosen == NO_RECORDS else chosen


def are_of_one_model(preview: Preview, taken: Sequence[str] = (), tables: Sequence[LossTable] = ()) -> bool:
    """Whether rows are one model's, as far as columns say; where they say something else, draw the question.

    ``tables``: those that are asked; by default, the files' own.
    """
    found = [pair for table in tables or preview.tables for pair in _few_valued(preview, table)]
    names = list(dict.fromkeys(name for name, _ in found if names_models(name) and name not in taken))
    if not names:
        return True
    options = [UNKNOWN, ONE_MODEL]
    is_one = preview.choice(f"Rows differ in {names[0]}", "one_model", options, width=320) == ONE_MODEL
    if is_one:
        _said_against(names)
    return is_one


def several(preview: Preview, taken: Sequence[str], tables: Sequence[LossTable]) -> tuple[tuple[str, ...], bool]:
    """Draw the choice of the columns that tell several models, where ``tables`` all have some that are named so.

    Returns the columns, none of them for one model; and whether nothing else is open.
    """
    counts = [dict(_few_valued(preview, table)) for table in tables]
    names = [name for name in counts[0] if names_models(name) and name not in taken]
    named = [name for name in names if all(1 < one.get(name, 0) <= MOST_INSTANCES for one in counts)]
    is_one = are_of_one_model(preview, (*taken, *named), tables)
    if not named:
        return (), is_one
    every = [part for size in range(min(len(named), 3), 0, -1) for part in combinations(named, size)]
    chosen = preview.choice("Rows of one model share", "model", [*every, ()], "named so", _words, width=320)
    _said_against(name for name in named if name not in chosen)
    return chosen, is_one


def leave_out(preview: Preview, table: LossTable, names: Iterable[str | None], what: str = "") -> bool:
    """Draw whether rows are left out that lack a cell in these columns, as far as these are chosen; if there are some.

    ``what`` tells one table of the preview from another.
    """
    return preview.leave_out(*(table.column(name) for name in names if name and name != UNKNOWN), what=what)


def _few_valued(preview: Preview, table: LossTable) -> list[tuple[str, int]]:
    """Columns whose rows may belong together by them, with how many different cells each has."""
    key = (*(file.key for file in preview.files.values()), table.layout.names, table.rows)
    return session_cache(_KEPT, key, _MOST_KEPT, lambda: list(few_valued(table)))


def python(person: str | None) -> str:
    """The argument that says it, with its comma."""
    return "" if person is None else f", person={person!r}"
