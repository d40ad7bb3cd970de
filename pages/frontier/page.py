"""Weigh protection against usefulness: what each assumption about the attacker costs."""

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.trade_off import Order
from pages.frontier import statistic, sweep, trained
from pages.ui import address, release_in_force
from pages.ui.controls import segmented_control

VIEWS: dict[str, Callable[[DeltaGenerator], None]] = {
    "a trained model": trained.draw,
    "a statistic": statistic.draw,
    "your own sweep": sweep.draw,
}

address.start_anew(("frontier.weigh", "frontier.train_", "frontier.stat_", *sweep.KEYS))
with st.container(horizontal=True, gap="small"):
    view = segmented_control(
        "What protection costs for",
        list(VIEWS),
        default=next(iter(VIEWS)),
        key="frontier.weigh",
        label_visibility="collapsed",
    )
    subject = st.container(horizontal=True, width="content", vertical_alignment="bottom", gap="small")
told = st.container()  # always there, as what lies below must not move
if st.session_state.get("records_per_person", 1) > 1:
    words = "A person has one record here: “Records per person” does not enter these numbers."
    told.info(words, icon=":material/info:")
if release_in_force.chosen_order() is Order.REMOVE:
    told.info(
        "The limit is read as one on members found: the order of the test does not enter.", icon=":material/info:"
    )
with st.container():  # one place: the browser forgets the address' part of widgets that move
    VIEWS[view](subject)
