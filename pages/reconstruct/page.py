"""Reconstruct a record: what an attacker's guess becomes with the release."""

from dataclasses import replace
from functools import partial
from time import perf_counter

import streamlit as st

from numerics.trade_off import TradeOffCurve
from pages.reconstruct import (
    answer,
    controls,
    epsilon_delta_only,
    estimate_overlays,
    figures,
    formulas,
    methods,
    presets,
    prior,
    same_epsilon,
    solve_for,
)
from pages.ui import (
    cached_reconstruction,
    comparison,
    downloads,
    estimates,
    left_out,
    page_state,
    readout,
    release_controls,
)
from pages.ui.certificate import form
from pages.ui.downloads import Downloads
from pages.ui.error_boundary import error_boundary

PARTS = {
    "solve for": solve_for.draw,
    "methods compared": methods.draw,
    presets.SAME_EPSILON: same_epsilon.draw,
    "only ε and δ known": epsilon_delta_only.draw,
}
KEPT = (
    *prior.KEYS,
    *controls.KEYS,
    *solve_for.KEYS,
    *methods.KEYS,
    *same_epsilon.KEYS,
    *epsilon_delta_only.KEYS,
    "estimates",
    "edgeworth_order",
    "more",
)

choice = release_controls.current()
page_state.restore(KEPT)
known = prior.draw()
place = st.container(border=True)

# Not st.stop() where there is no prior: what the page keeps is noted at its end.
if known is None:
    place.markdown("## Say what the attacker knows beforehand, and the answer is here.")
else:
    view = controls.draw(choice, known)
    drawn: list[TradeOffCurve] = []
    started = perf_counter()
    first, second = st.columns([3, 2], gap="medium")
    with first, error_boundary("reconstruction curve"):
        figure_place = st.container()
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            comparison.draw_button(choice)
            presets.draw()
            chosen = estimates.draw()
        with place, st.spinner("Composing the steps …", show_time=True):
            curve = cached_reconstruction.curve(view.release)
            guesses = estimate_overlays.overlays(view, chosen)
            others = figures.beside(view)
            found = [curve, *others, *(guess.curve for guess in guesses)]
        with figure_place:
            figure = figures.draw_curve(view, others, guesses)
        drawn = found
        estimate_overlays.describe(view, guesses)
    with place, error_boundary("answer for this release"):
        readout.answer(answer.sentence(view), view.release.bound)
        with st.spinner("Epsilon of this release …", show_time=True):
            metrics = answer.numbers(view)
        readout.metrics(metrics)
        if weakness := answer.weakness(view):
            st.warning(weakness, icon=":material/warning:")
    seconds = perf_counter() - started
    with second, error_boundary("second figure"):
        figures.draw_sweep(view, chosen)

    part = st.segmented_control("More about reconstruction", list(PARTS), key="more", bind="query-params")
    if part in PARTS:
        with st.container(border=True), error_boundary(part):
            PARTS[part](view)

    gamma = comparison.ComparedNumber(
        f"γ at κ = {view.prior:.3g}", lambda pin: cached_reconstruction.success(pin, view.prior)
    )
    comparison.draw_table(choice, gamma)
    readout.how(formulas.formulas(view), formulas.assumptions(view), view.release.bound, seconds)
    if drawn:
        offered = Downloads(
            "reconstruction",
            figure,
            formulas.snippet(view),
            formulas.parameters(view) | left_out.header(),
            drawn,
            others={f"against {view.across}": partial(figures.sweep_table, view, chosen)},
            certificate=form.offer(choice, known),
        )
        downloads.draw(replace(offered, table=partial(figures.curves_table, drawn, offered.notes)))
page_state.note(KEPT)
