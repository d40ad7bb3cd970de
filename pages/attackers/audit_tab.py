"""Audits: attacks that are really run against the release, with the theory drawn beside what they reach."""

import streamlit as st

from pages.attackers import audit_controls, audit_presets, audit_result
from pages.attackers.audit_run import BENCH, Audit
from pages.attackers.setting import Setting
from pages.shared.attempt import attempt

KEYS = audit_controls.KEYS


def draw(setting: Setting) -> None:
    """Draw the choice of an attack, its start, its progress and what it found."""
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        attack = audit_controls.draw_attack()
        audit_presets.draw()
    st.caption(audit_controls.WORDS[attack])
    with attempt("audit"):
        audit = audit_controls.draw(attack, setting)
        BENCH.draw_start(audit, audit.subject.seconds(audit.rounds))
        _draw_found(audit, setting)
    sources = audit_presets.sources(attack)
    if sources:
        with st.expander("The papers' figures of this attack"):
            st.markdown(sources)


def _draw_found(audit: Audit, setting: Setting) -> None:
    found, refusal = BENCH.result_of(audit), BENCH.refusal_of(audit)
    if refusal:
        raise ValueError(refusal)
    if found is not None:
        audit_result.draw(found, setting.choice.alpha)
