"""Mechanism explorer: what the best attack on a noisy release achieves, seen from every side."""

from time import perf_counter

import streamlit as st

from numerics.trade_off import TradeOffCurve
from pages.shared import (
    answer,
    cached,
    comparison,
    controls,
    estimates,
    readout,
    release_figures,
    solve_for,
    taking,
    view,
)
from pages.shared.attempt import attempt
from pages.shared.formulas import formulas

choice = controls.chosen()
release = choice.mechanism
answer_box = st.container(border=True)
look = view.draw()

drawn: list[TradeOffCurve] = []
started = perf_counter()
with answer_box, attempt("answer for this release"):
    with st.spinner("Composing the steps …", show_time=True):
        metrics = answer.numbers(choice, look.prior)
    st.markdown(f"##### {answer.sentences(choice, look.prior)}")
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center"):
        readout.metrics(metrics)
        readout.badge(release.bound)
    if weakness := answer.weakness(choice):
        st.warning(weakness, icon=":material/warning:")
seconds = perf_counter() - started

first, second = st.columns([3, 2], gap="medium")
with first, attempt("trade-off curve"):
    overlays = estimates.overlays(release)
    pinned = comparison.curves(choice)
    guesses = [overlay.curve for overlay in overlays]
    figure = release_figures.draw_trade_off(choice, look, pinned, guesses)
    drawn = [cached.trade_off(release, choice.order), *pinned, *guesses]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        comparison.draw_button(choice)
        estimates.draw_choice()
    estimates.describe(choice, overlays)
with second, attempt("second figure"):
    release_figures.draw_second(choice, look.second)

comparison.draw_table(choice)
solve_for.draw(choice)
readout.how(formulas(release), release.assumptions, release.bound, seconds)
if drawn:
    taking.draw(choice, drawn, figure)
