"""Weigh protection against usefulness: what each assumption about the attacker costs."""

from collections.abc import Callable

import streamlit as st

from pages.shared import kept
from pages.shared.one_of import one_of
from pages.weighing.landscape import view as landscape
from pages.weighing.statistic import view as statistic
from pages.weighing.trained import view as trained

VIEWS: dict[str, Callable[[], None]] = {
    "a trained model": trained.draw,
    "a statistic": statistic.draw,
    "your own sweep": landscape.draw,
}
KEPT = ("weigh", *trained.KEYS, *statistic.KEYS, *landscape.KEYS)

kept.restore(KEPT)
view = one_of("What protection costs for", list(VIEWS), default=next(iter(VIEWS)), key="weigh")
with st.container():  # one place: the browser forgets the address' part of widgets that move
    VIEWS[view]()
kept.note(KEPT)
