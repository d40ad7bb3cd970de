"""Reconstruct: what an attacker's guess becomes with the release."""

from functools import partial
from time import perf_counter

import streamlit as st

from numerics.trade_off import TradeOffCurve
from pages.reconstruct import (
    answer,
    bounded,
    controls,
    epsilon_delta_only,
    figures,
    formulas,
    limit,
    methods,
    other_noise,
    presets,
    prior,
    same_epsilon,
    what_the_limit_allows,
)
from pages.reconstruct.controls import ReconstructionSetting
from pages.ui import (
    cached_reconstruction,
    comparison,
    example_links,
    left_out,
    readout,
    release_controls,
    release_sheet,
    share,
)
from pages.ui.error_boundary import error_boundary
from pages.ui.share import Shared
from pages.ui.threat_models.release import ReleaseSetting
from reports.rounding import nearest

PARTS = {
    presets.OTHER_NOISE: other_noise.draw,
    "what the limit allows": what_the_limit_allows.draw,
    "what else it bounds": bounded.draw,
    "methods compared": methods.draw,
    presets.SAME_EPSILON: same_epsilon.draw,
    "only ε and δ known": epsilon_delta_only.draw,
}
KEPT = (
    *prior.KEYS,
    *limit.KEYS,
    *controls.KEYS,
    *other_noise.KEYS,
    *methods.KEYS,
    *same_epsilon.KEYS,
    *epsilon_delta_only.KEYS,
    "reconstruct.more",
)

choice = release_controls.current()
example_links.start_anew(KEPT)
place, row = st.container(gap="small"), st.container()
picture, side = st.columns([2.4, 1], gap="medium")
limit_place, aside = side.container(), side.container()
with row:
    known = prior.draw(aside)
with limit_place:
    held = None if known is None else limit.draw(known)
with picture:
    figure_place = st.container()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        comparison.draw_button(choice)
        shown = controls.draw_figure_choice()
with side:
    presets.draw()

if known is None or held is None:
    place.markdown("## Say what the attacker knows beforehand, and the answer is here.")
else:
    view = ReconstructionSetting(choice, known, held, shown)
    drawn: list[TradeOffCurve] = []
    heard: tuple[str, ...] = ()
    started = perf_counter()
    with place, error_boundary("answer for this release"):
        readout.answer(answer.sentence(view), cached_reconstruction.bound(view.release, known))
    with figure_place, error_boundary("reconstruction curve"):
        with st.spinner("Composing the steps …", show_time=True):
            own = figures.curve(view, view.release)
            guesses = figures.overlays(view)
            others = figures.beside(view)
        figure = figures.draw_curve(view, others, guesses)
        drawn = [own, *others, *(estimated.curve for estimated in guesses)]
        figures.describe(view, guesses)
    with place, error_boundary("verdict"):
        limit.draw_verdict(view.release, known, held)
        heard = (answer.sentence(view), limit.words(view.success, known, held))
    with error_boundary("numbers"):
        with st.spinner("Epsilon of this release …", show_time=True):
            metrics = answer.numbers(view)
        st.caption(answer.compared(view))
        readout.metrics(metrics)
        if weakness := answer.weakness(view):
            st.warning(weakness, icon=":material/warning:")
    seconds = perf_counter() - started

    part = st.segmented_control("More about reconstruction", list(PARTS), key="reconstruct.more", bind="query-params")
    if part in PARTS:
        with st.container(border=True), error_boundary(part):
            PARTS[part](view)

    gamma = comparison.ComparedNumber(
        f"γ at κ = {nearest(view.prior, 3)}", lambda pin: cached_reconstruction.guessed_right(pin, view.known)
    )
    comparison.draw_table(choice, gamma)
    readout.how_computed(formulas.formulas(view), formulas.assumptions(view), view.release.bound, seconds)
    if drawn:
        noise, parameters = other_noise.in_force(), formulas.parameters(view) | left_out.header()
        notes = parameters | {curve.label: " ".join(curve.assumptions) for curve in drawn}
        answered = partial(answer.on_sheet, view, figure)
        share.offer(
            Shared(
                "reconstruction",
                formulas.snippet(view),
                parameters,
                partial(figures.curves_table, drawn, notes),
                {f"against {noise}": partial(other_noise.data, view, noise)},
                partial(release_sheet.sheet, ReleaseSetting(choice), answer=answered, known=known),
                release=choice.exported,
            )
        )
    readout.announce(*heard)
