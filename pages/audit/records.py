"""Records that stand out: members of one model that are easy to accuse, and records that several models give away."""

from collections.abc import Callable

import numpy as np
import streamlit as st

from losses import LongRows, TableError
from losses.errors import visible
from losses.roles import ByRecord, by_record
from numerics.audits import Procedure, conformal_p_values, discoveries, models_needed, rank_test_p_values
from numerics.trade_off import Floats
from pages.server.shared_cache import session_cache
from pages.ui import downloads, uploads
from pages.ui.numbers_in_words import nearest, rounded_up

_KEPT, _MOST_KEPT = "audit.records_of_models_kept", 2
_RATE, _MOST_SHOWN = 0.05, 200
_OF_ONE = (
    "Their scores are larger than those of outsiders would be, at a false discovery rate of 5 % (Benjamini and "
    "Hochberg). An easy record scores high whether or not it was in: this is no proof that any was memorised."
)
_OF_MODELS = (
    "Their scores are larger under the models that were trained on them, by exact rank tests; of those named, at most "
    "5 % are named falsely on average, however models depend on each other (Benjamini and Yekutieli)."
)


def draw_members(rows: LongRows) -> None:
    """Draw the fold with the members that stand out."""
    fold = st.expander("Members that are unusually easy to accuse", key="audit.named_records", on_change="rerun")
    if not fold.open:
        return
    with fold:
        scores, places = rows.scores, np.flatnonzero(rows.is_in)
        p_values = conformal_p_values(scores.null, scores.alternative)
        standing = np.flatnonzero(discoveries(p_values, _RATE))
        fewest = int(np.ceil(len(p_values) / _RATE)) - 1
        st.markdown(f"**{len(standing):,} of {len(p_values):,} members stand out.** {_OF_ONE}")
        if not len(standing):
            st.caption(f"To name a single one of {len(p_values):,} takes up to {fewest:,} outsiders.")
            return
        first = standing[np.argsort(p_values[standing], kind="stable")][:_MOST_SHOWN]
        shown = {
            "row": [rows.row_at(int(places[place])) for place in first],
            "score": [nearest(float(scores.alternative[place])) for place in first],
            "p": [rounded_up(float(p_values[place]), 2) for place in first],
        }
        downloads.draw_table(shown)


def draw_of_models(read: Callable[[], LongRows], key: tuple[str, ...]) -> None:
    """Draw the fold with the records that stand out, and before that what naming one takes."""
    fold = st.expander("Records that models give away", key="audit.records_of_models", on_change="rerun")
    if not fold.open:
        return
    with fold:
        try:
            rows, found, p_values = session_cache(_KEPT, key, _MOST_KEPT, lambda: _found(read()))
        except TableError as problem:
            uploads.complain(problem)
            return
        _draw(rows, found, p_values)


def _found(rows: LongRows) -> tuple[LongRows, ByRecord, Floats]:
    found = by_record(rows)
    return rows, found, rank_test_p_values(found.scores, found.is_in)


def _draw(rows: LongRows, found: ByRecord, p_values: Floats) -> None:
    records, models = found.scores.shape
    if not records:
        st.markdown("**No record has a score under every model,** so none can be named.")
        return
    with_it = found.is_in.sum(axis=1)
    both = int(np.count_nonzero((with_it > 0) & (with_it < models)))
    left = f" {found.skipped:,} records lack some model's score, and are left out." if found.skipped else ""
    if not both:
        st.markdown(
            f"**Every record is in all {models:,} models or in none,** so none can be named: that takes models with it "
            f"and without it.{left}"
        )
        return
    needed = models_needed(records, _RATE)
    standing = np.flatnonzero(discoveries(p_values, _RATE, Procedure.BENJAMINI_YEKUTIELI))
    st.markdown(f"**{len(standing):,} of {records:,} records stand out over {models:,} models.** {_OF_MODELS}{left}")
    if not len(standing):
        st.caption(
            f"To name a single one of {records:,} takes {needed:,} models with it and {needed:,} without it; here are "
            f"{int(np.minimum(with_it, models - with_it).max()):,} at most."
        )
        return
    first = standing[np.argsort(p_values[standing], kind="stable")][:_MOST_SHOWN]
    shown = {
        "record": [visible(rows.record_at(int(found.places[place]))) for place in first],
        "models with it": [f"{with_it[place]:,}" for place in first],
        "without": [f"{models - with_it[place]:,}" for place in first],
        "p": [rounded_up(float(p_values[place]), 2) for place in first],
    }
    downloads.draw_table(shown)
