"""Audits: attacks that are really run against the release, with the theory drawn beside what they reach."""

import streamlit as st

from pages.attackers.audit import controls, presets, result
from pages.attackers.audit.run import RUNNER, AuditTask
from pages.ui.error_boundary import error_boundary
from pages.ui.threat_models.release import ReleaseSetting


def draw(setting: ReleaseSetting) -> None:
    """Draw the choice of an attack, its start, its progress and what it found."""
    with st.container(horizontal=True, vertical_alignment="bottom", horizontal_alignment="distribute"):
        attack = controls.draw_attack()
        presets.draw()
    st.caption(controls.WORDS[attack])
    with error_boundary("audit"):
        audit = controls.draw(attack, setting)
        RUNNER.draw_start(audit, audit.subject.seconds(audit.rounds))
        _draw_found(audit, setting)
    sources = presets.sources(attack)
    if sources:
        with st.expander("The papers' figures of this attack"):
            st.markdown(sources)


def _draw_found(audit: AuditTask, setting: ReleaseSetting) -> None:
    found, refusal = RUNNER.result_of(audit), RUNNER.refusal_of(audit)
    if refusal:
        raise ValueError(refusal)
    if found is not None:
        result.draw(found, setting.choice.alpha)
