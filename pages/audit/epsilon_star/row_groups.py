"""Rows that belong together: those of one person, and those of one of several models. Never pooled without a word."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from losses import Groups, LossTable
from losses.dependence import names_clusters, names_models, names_persons
from losses.errors import quoted
from losses.instances import MOST_INSTANCES
from pages.audit.epsilon_star.source import Source
from pages.server.session_cache import session_cache
from pages.ui.upload_preview import UNKNOWN, Preview

NOBODY = "no column: each row is another person"
ONE_MODEL = "no column: all rows are one model's"
_NAMED = "its name says so"
OPEN = "Say which rows belong together: rows of one person, or of several models, are no independent evidence."
_KEPT = "columns_of_models"
_MOST_KEPT = 12
_SAID = "said_to_be_independent"


def begin() -> None:
    """Forget what was said about other files."""
    st.session_state[_SAID] = []


def noted(source: Source) -> Source:
    """The source whose groups note what was said in this run against a column's name, for report and JSON too."""
    said: tuple[str, ...] = tuple(st.session_state[_SAID])
    if not said:
        return source

    def groups() -> Groups:
        found = source.groups()
        return replace(found, notes=(*found.notes, *said))

    return replace(source, key=(*source.key, *said), groups=groups)


def _said_against(names: Iterable[str]) -> None:
    found = [f"Rows that share {quoted(name)} count as independent, as was said." for name in names]
    st.session_state[_SAID] += found


def persons(preview: Preview, taken: Sequence[str] = (), tables: Sequence[LossTable] = ()) -> str | None:
    """Draw the choice of the column that says whose a row is, where one may say it.

    Args:
        preview: of the files.
        taken: columns that mean something else.
        tables: that must all have it; by default, the files' own.

    Returns:
        The column; None for no column; UNKNOWN until it is said.
    """
    tables = tables or preview.tables
    names = [column.name for column in tables[0].clusters if names_clusters(column.name) and column.name not in taken]
    names = [name for name in names if all(name in (one.name for one in table.clusters) for table in tables)]
    if not names:
        return None
    names.sort(key=lambda name: not names_persons(name))
    first = [] if names_persons(names[0]) else [UNKNOWN]
    chosen = preview.choice("Rows of one person share", "person", [*first, *names, NOBODY], _NAMED, width=320)
    if chosen != NOBODY:
        return chosen
    _said_against(names)
    return None


def models(preview: Preview, taken: Sequence[str] = ()) -> str | None:
    """Draw the choice of the column that tells several models, where one may tell them; as ``persons``."""
    found = _columns_of_models(preview)
    names = [name for name, count in found if name not in taken and count <= MOST_INSTANCES]
    if not names and all(name in taken for name, _ in found):
        return None
    options = [*(names or [UNKNOWN]), ONE_MODEL]
    chosen = preview.choice("Rows of one model share", "model", options, _NAMED, width=320)
    if chosen != ONE_MODEL:
        return chosen
    _said_against(name for name, _ in found if name not in taken)
    return None


def are_of_one_model(preview: Preview, taken: Sequence[str] = ()) -> bool:
    """Whether rows are one model's, as far as columns say; where they say something else, draw the question."""
    names = list(dict.fromkeys(name for name, _ in _columns_of_models(preview) if name not in taken))
    if not names:
        return True
    options = [UNKNOWN, ONE_MODEL]
    is_one = preview.choice(f"Rows differ in {names[0]}", "one_model", options, width=320) == ONE_MODEL
    if is_one:
        _said_against(names)
    return is_one


def _columns_of_models(preview: Preview) -> list[tuple[str, int]]:
    key = tuple(file.key for file in preview.files.values())
    return session_cache(_KEPT, key, _MOST_KEPT, lambda: [pair for table in preview.tables for pair in _told(table)])


def _told(table: LossTable) -> list[tuple[str, int]]:
    """Columns that may tell models, with how many each tells: several, and not one a row."""
    numbers = [column for column in table.numbers if names_models(column.name)]
    counts = {column.name: len(np.unique(column.values[np.isfinite(column.values)])) for column in numbers}
    counts |= {column.name: len(column.labels) for column in table.labels}
    counts |= {column.name: len(column.words) for column in table.clusters}
    return [(name, count) for name, count in counts.items() if names_models(name) and 1 < count < table.rows]


def python(person: str | None) -> str:
    """The argument that says it, with its comma."""
    return "" if person is None else f", person={person!r}"
