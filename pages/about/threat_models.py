"""Threat models: who the attackers are, and what their notions compare, question by question."""

from collections.abc import Callable

import streamlit as st

from pages.ui.threat_models.notions import ALL, ThreatModel

_INTRODUCTION = (
    "A privacy number answers for one attacker. Seven appear on these pages; they differ in what they know, in what "
    "stays random to them, and in which data sets are compared. Who knows less about the same release never finds "
    "more; a smaller number needs a proof of its own. Numbers that differ in neighbours or sampling answer different "
    "questions: they are not put on one pair of axes."
)
# Question and what answers it: the ledger, one small table a question so that it can be read on a phone.
_QUESTIONS: tuple[tuple[str, Callable[[ThreatModel], str]], ...] = (
    ("What does the attacker know?", lambda model: model.knows),
    ("What stays hidden?", lambda model: model.hidden),
    ("Which data sets are compared?", lambda model: model.neighbours),
    ("How far does one record move the release?", lambda model: model.change),
    ("How are records drawn?", lambda model: model.sampling),
    ("What is tested against “member”?", lambda model: model.null),
    ("What does the answer say?", lambda model: model.answer),
)
_WIDTH = 400  # pixels; the tables stand beside each other where there is room


def draw() -> None:
    """Draw the attackers and the ledger."""
    st.markdown(_INTRODUCTION)
    st.markdown("\n".join(f"- **{one.notion}**, {one.title}: somebody who {one.name} ({one.source})." for one in ALL))
    with st.container(horizontal=True, gap="medium"):
        for question, answer in _QUESTIONS:
            with st.container(width=_WIDTH):
                st.markdown(f"**{question}**")
                st.table(
                    {"Attacker": [f"**{one.notion}**" for one in ALL], "Answer": [answer(one) for one in ALL]},
                    hide_index=True,
                )
    st.markdown("*Attackers* shows five of them looking at one release.")
