"""How numbers are labelled, with the dash each kind is drawn in; version and licence."""

import streamlit as st

from numerics.version import VERSION
from pages.ui import chart, readout
from plotting.correction import DOES_NOT_HOLD
from plotting.dashes import dashes_figure

_ALT = (
    "The kinds of curves, each in the dash it is drawn in: exact and certified solid, guarantee dashed, demonstrated "
    "attack "
    "dash-dotted, estimate dotted, audit long-dashed; formulas that do not hold dotted with crosses."
)


def draw() -> None:
    """Draw the kinds of numbers, and what software this is."""
    st.markdown("Every number and every curve says what kind it is. The dash tells it too, not colour alone.")
    chart.draw(dashes_figure(), _ALT)
    for bound, words in readout.kinds():
        with st.container(horizontal=True, gap="small"):
            readout.badge(bound)
            st.markdown(words, width="stretch")
    with st.container(horizontal=True, gap="small"):
        st.badge(DOES_NOT_HOLD, color="red")
        st.markdown(
            "A formula as our copy of a paper has it, or read in another way, that does not hold or bounds less "
            "well. Only About and Papers draw any, beside what holds."
        )
    st.markdown(
        "Rates that limit an attacker are rounded up, those that an attacker reaches are rounded down: rounding never "
        "promises more."
    )
    st.markdown(
        f"**Privacy trade-offs {VERSION}**, under the Apache License 2.0: free to use, change and pass on, without any "
        "warranty. The file `LICENSE` has the text, `CHANGELOG.md` what changed and whether numbers moved."
    )
