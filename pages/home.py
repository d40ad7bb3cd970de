"""Home: what the tool answers, the answer for the release in force, and the doors to the pages."""

import numpy as np
import streamlit as st

from pages.shared import cached, controls, presets, readout
from plotting import thumbnail

choice = controls.chosen()

st.title("How much does a release give away about one person?")
st.markdown(
    "Training a model or publishing a statistic with differential privacy adds noise, so that nobody can tell for sure "
    "whether *you* were in the data. How sure could somebody get? For any such release this tool says what the best "
    "possible attacker can do, under which assumptions, and how much noise it takes to stop that."
)

with st.container(border=True):
    with readout.explained():
        power = cached.power(choice.mechanism, choice.alpha, choice.order)
    st.markdown(f"#### {readout.membership_sentence(power, choice.alpha, choice.order)}")
    with st.container(horizontal=True, vertical_alignment="center"):
        readout.badge(choice.mechanism.bound)
        st.caption(f"For this release: {choice.mechanism.label}. Try another:", width="content")
    with st.container(horizontal=True, gap="small"):
        for preset in presets.PRESETS:
            st.button(preset.name, help=preset.source, on_click=controls.use, args=(preset,))

curve = cached.trade_off(choice.mechanism, choice.order, points=80, smallest=1e-3)
loss = np.linspace(0.0, 1.0, 60)
rates = np.linspace(0.0, 1.0, 60)
weaker = [(1.0 - rates**q) ** (1.0 / q) for q in (0.5, 0.6, 0.72, 0.88)]
hills = [np.exp(-0.5 * ((loss - middle) / 0.13) ** 2) for middle in (0.6, 0.38)]

explorer, attackers, rebuild, audit = st.columns(4)
with explorer.container(border=True, height="stretch"):
    st.image(thumbnail.curves_below_chance(curve.alpha, [curve.beta]), width="stretch", alt="A trade-off curve.")
    st.page_link("pages/mechanism_explorer.py", label="**Explore a mechanism**", icon=":material/tune:")
    st.markdown("I plan a release. How well can anybody be found in it, and how much noise keeps that below my limit?")
with attackers.container(border=True, height="stretch"):
    st.image(thumbnail.curves_below_chance(rates, weaker), width="stretch", alt="Trade-off curves of four attackers.")
    st.page_link("pages/threat_models.py", label="**Compare attackers**", icon=":material/groups:")
    st.markdown("Not every attacker knows everything. What does the same release give away to one who knows less?")
with rebuild.container(border=True, height="stretch"):
    st.image(thumbnail.curve_above_chance(rates, rates**0.6), width="stretch", alt="Reconstruction against guessing.")
    st.page_link("pages/reconstruction.py", label="**Reconstruct a record**", icon=":material/person_search:")
    st.markdown("An attacker has a guess about somebody's record. How much surer can the release make it?")
with audit.container(border=True, height="stretch"):
    st.image(thumbnail.two_hills(loss, hills), width="stretch", alt="Losses of members and of outsiders.")
    st.page_link("pages/epsilon_star.py", label="**Measure a trained model**", icon=":material/upload_file:")
    st.markdown("I have a model. How much do its losses on training data and on fresh data give away? Upload both.")

st.caption(
    "**Your data stays here.** Everything runs on the computer that serves this page: no account, no telemetry, no "
    "request to any other host. Uploaded losses are kept in the memory of your session only, never on disk or in a "
    "cache, and go when the session goes."
)
