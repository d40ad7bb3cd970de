"""What cannot stand on the axis of the release in force: an attacker known for other neighbours and batches only."""

from collections.abc import Sequence

import streamlit as st

from pages.attackers import answer
from pages.ui.threat_models.notions import OTHERS
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import APART, View


def draw(setting: ReleaseSetting, seen: Sequence[View]) -> None:
    """Draw reason and number under a heading of their own; nothing where the release in force is of that kind."""
    for view in seen:
        if view.model is OTHERS and view.differs:
            with st.container(border=True):
                st.markdown(f"**Apart: {view.model.notion}, an attacker who {view.model.name}**")
                st.caption(APART)
                st.markdown(answer.apart(setting, view))
