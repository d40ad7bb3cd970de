"""What measurements prove: the losses of a trained model, and what else can be held against a promise."""

from collections.abc import Callable

import streamlit as st

from pages.audit import attack_scores
from pages.audit.epsilon_star import view as epsilon_star
from pages.audit.promise import canaries, runs
from pages.ui import address
from pages.ui.controls import segmented_control

VIEWS: dict[str, Callable[[], None]] = {
    "a model's losses": epsilon_star.draw,
    "attack scores": attack_scores.draw,
    "one run with canaries": canaries.draw,
    "many runs": runs.draw,
}
KEPT = ("audit.evidence", *epsilon_star.KEYS, *attack_scores.KEYS, *canaries.KEYS, *runs.KEYS)

address.start_anew(KEPT)
view = segmented_control(
    "What was measured", list(VIEWS), default=next(iter(VIEWS)), key="audit.evidence", label_visibility="collapsed"
)
with st.container():  # one place: the browser forgets the address' part of widgets that move
    VIEWS[view]()
