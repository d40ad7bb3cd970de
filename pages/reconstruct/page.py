"""Reconstruct: what an attacker's guess becomes with the release."""

from functools import partial
from time import perf_counter

import streamlit as st

from numerics.trade_off import TradeOffCurve
from pages.reconstruct import answer, figures, formulas, limit, prior
from pages.reconstruct.answer import ReconstructionSetting
from pages.ui import (
    address,
    comparison,
    downloads,
    prior_guess,
    release_in_force,
    result_header,
    share,
    sheet_filling,
    skipped,
)
from pages.ui.share import Shared
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import ReleaseSetting
from reports.rounding import nearest

choice = release_in_force.current()
address.start_anew((*prior.KEYS, *figures.KEYS, "reconstruct.more"))
place, row, figure_place = st.container(gap="small", key=figures.ANSWER), st.container(), st.container()
with st.container(horizontal=True, vertical_alignment="center", gap="small"):
    comparison.draw_button(choice)
    aside = st.container()
    shown = figures.draw_figure_choice()
with row:
    known = prior.draw(aside)

if known is None:
    place.markdown("## Say what the attacker knows beforehand, and the answer is here.")
else:
    view = ReconstructionSetting(choice, known, shown)
    drawn: list[TradeOffCurve] = []
    heard: tuple[str, ...] = ()
    started = perf_counter()
    with place, error_boundary("answer for this release"):
        result_header.answer(answer.sentence(view), prior_guess.bound(view.release, known))
    with figure_place, error_boundary("reconstruction curve"):
        with st.spinner("Composing the steps …", show_time=True):
            own, guesses, others = view.curve(view.release), figures.overlays(view), comparison.curves(view.curve)
        figure = figures.draw_curve(view, others, guesses)
        drawn = [own, *others, *(estimated.curve for estimated in guesses)]
    with place, error_boundary("verdict"):
        limit.draw_verdict(view.release, known, view.limit)
        heard = (answer.sentence(view), limit.words(view.success, view.limit))
    with error_boundary("numbers"):
        with st.spinner("Epsilon of this release …", show_time=True):
            metrics = answer.numbers(view)
        st.caption(answer.compared(view))
        result_header.metrics(metrics, figures.NUMBERS)
    seconds = perf_counter() - started

    parts = {
        "other noise": partial(figures.draw_other_noise, view),
        "what the limit allows": partial(limit.draw_allowed, view.release, known, view.limit),
    }
    part = st.segmented_control("More about reconstruction", list(parts), key="reconstruct.more", bind="query-params")
    if part:
        with st.container(border=True), error_boundary(part):
            parts[part]()

    gamma = partial(prior_guess.guessed_right, known=known)
    comparison.draw_table(choice, {f"γ at κ = {nearest(view.prior, 3)}": gamma})
    result_header.how_computed(formulas.formulas(view), formulas.assumptions(view), view.release.bound, seconds)
    if drawn:
        notes = {**formulas.parameters(view), **skipped.header()}
        notes |= {curve.label: " ".join(curve.assumptions) for curve in drawn}
        answered = partial(answer.on_sheet, view, figure)
        share.offer(
            Shared(
                "reconstruction",
                formulas.snippet(view),
                partial(downloads.of_curves, drawn, notes, ("prior", "missed", "reconstruction")),
                {"against effect size": partial(figures.other_noise_table, view)},
                partial(sheet_filling.sheet, ReleaseSetting(choice), answer=answered, known=known),
                release=choice.exported,
            )
        )
        figures.draw_motion(view, others, guesses)
    result_header.aria_live(*heard)
