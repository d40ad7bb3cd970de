"""Slices of the records, such as classes or subgroups: of which of them the attack tells members, all looked at."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from losses.table import LabelColumn
from numerics.audits import GdpClaim, Scores, Slice, divided, sliced
from pages.audit.labelled_scores import LabelledScores
from pages.server.session_cache import session_cache
from pages.ui import csv_tables, upload_choices
from pages.ui.numbers_in_words import rounded_down

_KEPT, _MOST_KEPT = "slices", 8
_ALPHA = 0.01
_NOTHING = GdpClaim(0.0)
_NONE = "none"


def draw(rows: LabelledScores, columns: Sequence[LabelColumn], level: float) -> None:
    """Draw the choice of the column, and the table of its slices."""
    if not columns:
        return
    named = {column.name: column for column in columns}
    chosen = upload_choices.choice("Slice by", f"slice_{hash(rows.key)}", [_NONE, *named])
    if chosen == _NONE:
        return
    column = named[chosen]
    found = session_cache(_KEPT, (rows.key, chosen, level), _MOST_KEPT, lambda: _found(rows, column, level))
    exceeding = sum(one.exceeds for one in found)
    st.markdown(
        f"Of {len(found):,} slices {exceeding:,} tell members from outsiders, with {100 * level:g} % confidence in all."
    )
    st.dataframe(_table(column, found), hide_index=True, width="stretch", alt="What the scores show of every slice.")


def _found(rows: LabelledScores, column: LabelColumn, level: float) -> tuple[Slice, ...]:
    known = column.codes >= 0
    inside = rows.is_in & known
    outside = ~rows.is_in & known
    scores = Scores(rows.values[outside], rows.values[inside])
    outsiders, members = (column.codes[group].astype(np.int64) for group in (outside, inside))
    return sliced(divided(scores, outsiders, members, len(column.labels)), _ALPHA, _NOTHING, level)


def _table(column: LabelColumn, found: Sequence[Slice]) -> dict[str, list[str]]:
    return {
        "slice": [csv_tables.inert(label) for label in column.labels],
        "members": [f"{one.members:,}" for one in found],
        "outsiders": [f"{one.null:,}" for one in found],
        "found at 1 % at least": [_least(one) for one in found],
        "tells members": ["yes" if one.exceeds else "too small" if one.is_too_small else "not shown" for one in found],
    }


def _least(one: Slice) -> str:
    return "—" if one.rate is None or one.rate.lower is None else rounded_down(one.rate.lower)
