"""Reconstruct a record: what an attacker's guess becomes with the release."""

from functools import partial
from time import perf_counter

import streamlit as st

from numerics.trade_off import TradeOffCurve
from pages.certifying import form
from pages.rebuilding import (
    alone,
    answer,
    estimated,
    figures,
    formulas,
    methods,
    presets,
    prior,
    same_epsilon,
    setting,
    solve,
    taking,
)
from pages.shared import cached_reconstruction, comparison, controls, estimates, kept, readout
from pages.shared.attempt import attempt

PARTS = {
    "solve for": solve.draw,
    "methods compared": methods.draw,
    presets.SAME_EPSILON: same_epsilon.draw,
    "only ε and δ known": alone.draw,
}
KEPT = (
    *prior.KEYS,
    *setting.KEYS,
    *solve.KEYS,
    *methods.KEYS,
    *same_epsilon.KEYS,
    *alone.KEYS,
    "estimates",
    "edgeworth_order",
    "more",
)

choice = controls.chosen()
kept.restore(KEPT)
known = prior.draw()
place = st.container(border=True)

# Not st.stop() where there is no prior: what the page keeps is noted at its end.
if known is None:
    place.markdown("## Say what the attacker knows beforehand, and the answer is here.")
else:
    view = setting.draw(choice, known)
    drawn: list[TradeOffCurve] = []
    started = perf_counter()
    first, second = st.columns([3, 2], gap="medium")
    with first, attempt("reconstruction curve"):
        figure_place = st.container()
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            comparison.draw_button(choice)
            presets.draw()
            chosen = estimates.draw()
        with place, st.spinner("Composing the steps …", show_time=True):
            curve = cached_reconstruction.curve(view.release)
            guesses = estimated.overlays(view, chosen)
            others = figures.beside(view)
            drawn = [curve, *others, *(guess.curve for guess in guesses)]
        with figure_place:
            figure = figures.draw_curve(view, others, guesses)
        estimated.describe(view, guesses)
    with place, attempt("answer for this release"):
        readout.answer(answer.sentence(view), view.release.bound)
        with st.spinner("Epsilon of this release …", show_time=True):
            metrics = answer.numbers(view)
        readout.metrics(metrics)
        if weakness := answer.weakness(view):
            st.warning(weakness, icon=":material/warning:")
    seconds = perf_counter() - started
    with second, attempt("second figure"):
        figures.draw_sweep(view, chosen)

    part = st.segmented_control("More about reconstruction", list(PARTS), key="more", bind="query-params")
    if part in PARTS:
        with st.container(border=True), attempt(part):
            PARTS[part](view)

    gamma = comparison.Number(f"γ at κ = {view.prior:.3g}", lambda pin: cached_reconstruction.success(pin, view.prior))
    comparison.draw_table(choice, gamma)
    readout.how(formulas.formulas(view), formulas.assumptions(view), view.release.bound, seconds)
    if drawn:
        data = partial(figures.sweep_table, view, chosen)
        taking.draw(view, drawn, figure, data, form.offer(choice, known))
kept.note(KEPT)
