"""Records that are unusually easy to accuse, with the share of false names kept to a rate."""

import numpy as np
import streamlit as st

from losses import LongRows
from numerics.audits import conformal_p_values, discoveries
from pages.ui import csv_tables
from pages.ui.numbers_in_words import rounded_up

_RATE = 0.05
_MOST_SHOWN = 200
_MEANING = (
    "Their scores are larger than those of outsiders would be, at a false discovery rate of 5 % (Benjamini and "
    "Hochberg). An easy record scores high whether or not it was in: this is no proof that any was memorised."
)


def draw(rows: LongRows) -> None:
    """Draw the fold with the members that stand out."""
    fold = st.expander("Members that are unusually easy to accuse", key="named_records", on_change="rerun")
    if not fold.open:
        return
    with fold:
        scores, places = rows.scores, np.flatnonzero(rows.is_in)
        p_values = conformal_p_values(scores.null, scores.alternative)
        standing = np.flatnonzero(discoveries(p_values, _RATE))
        fewest = int(np.ceil(len(p_values) / _RATE)) - 1
        st.markdown(f"**{len(standing):,} of {len(p_values):,} members stand out.** {_MEANING}")
        if not len(standing):
            st.caption(f"To name a single one of {len(p_values):,} takes up to {fewest:,} outsiders.")
            return
        first = standing[np.argsort(p_values[standing], kind="stable")][:_MOST_SHOWN]
        shown = {
            "row": [rows.row_at(int(places[place])) for place in first],
            "score": [f"{scores.alternative[place]:.4g}" for place in first],
            "p": [rounded_up(float(p_values[place]), 2) for place in first],
        }
        st.dataframe(
            {name: [csv_tables.inert(cell) for cell in cells] for name, cells in shown.items()}, hide_index=True
        )
