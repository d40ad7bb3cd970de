"""Compare attackers: the same noisy training run, seen by four attackers who know different things."""

import streamlit as st

from pages.attackers import audit_tab, converters, noise_tab, setting
from pages.shared import controls, kept

KEPT = setting.KEYS

choice = controls.chosen()
kept.restore(KEPT)
release = setting.draw(choice)
part = st.segmented_control(
    "More about this release",
    ["converters", "noise for eta", "audit"],
    key="part",
    bind="query-params",
)
if part == "converters":
    converters.draw(release)
elif part == "noise for eta":
    noise_tab.draw(release)
elif part == "audit":
    audit_tab.draw(release)
kept.note(KEPT)
