"""Mechanism explorer: what the best attack on a noisy release achieves, and what noise keeps it below a limit."""

from contextlib import nullcontext
from functools import partial
from time import perf_counter

import streamlit as st

import people_view
from numerics.trade_off import TradeOffCurve
from pages.mechanism import batches, details, figures, relaxed_overlay, unit_of_privacy
from pages.mechanism.in_numbers import python_snippet
from pages.ui import (
    address,
    cached,
    comparison,
    downloads,
    estimates,
    people_scene,
    release_in_force,
    remedies,
    result_header,
    share,
    sheet_filling,
)
from pages.ui.result_header import formulas
from pages.ui.share import Shared
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import RELAXED, ReleaseSetting
from plotting.curves import Compared, EstimatedCurve, OfAttacker
from reports.python_code import constructor

choice = release_in_force.current()
release = choice.mechanism
address.start_anew((*details.KEYS, *unit_of_privacy.KEYS))
drawn: list[TradeOffCurve] = []
overlays: list[EstimatedCurve] = []
started = perf_counter()
scene: people_view.Scene | None = None
# In no container: on a phone the answer stays in view while all of what is around it is scrolled.
with error_boundary("answer for this release"):
    with nullcontext() if people_scene.is_known(choice) else st.spinner("Composing the steps …", show_time=True):
        scene = people_scene.scene(choice, "mechanism")
    people_view.draw_answer(scene, people_scene.take_noise)
    if len(release.phases) > 1:  # the controls beside it show the first, and others once they are unfolded
        st.caption(f"{choice.words}.")
    people_view.draw_people(scene.name)
first, second = st.columns(2, gap="small")
if scene:
    with first:
        people_view.draw_hills(scene.name)
batches.draw_promise(choice)
look = details.draw_curve_choice(choice)
with second, error_boundary("trade-off curve"):
    overlays = estimates.overlays(release, look.estimates)
    unknown = relaxed_overlay.curves(choice, look.dimension)
    compared = comparison.curves(lambda other: cached.trade_off(other, choice.order))
    found = [cached.trade_off(release, choice.order), *unknown, *compared, *(overlay.curve for overlay in overlays)]
    beside: list[Compared] = [*(OfAttacker(curve, RELAXED.color) for curve in unknown), *compared]
    figures.draw_trade_off(choice, look.view, beside, overlays)
    drawn = found
with look.place:
    estimates.describe(choice, overlays)
seconds = perf_counter() - started

details.draw_epsilon(choice)
comparison.draw_table(choice)
prior = details.draw_numbers(choice)
unit_of_privacy.draw(choice)
others = details.draw_figures(choice, look.dimension)
remedies.draw_solve_for(choice)
result_header.how_computed(formulas(release), release.assumptions, release.bound, seconds)
if drawn:
    parameters = {
        "release in force": constructor(release),
        "order of the test": choice.order.value,
        "operating point": f"alpha = {choice.alpha:g}",
        "delta": f"{choice.delta:g}",
    }
    python = python_snippet(release, choice.alpha, choice.delta, choice.order, prior)
    table = partial(downloads.of_curves, drawn, parameters)
    sheet = partial(sheet_filling.sheet, ReleaseSetting(choice))
    share.offer(Shared("trade-off", python, parameters, table, others, sheet, release=choice.exported))
if scene:
    people_view.draw_levels(people_scene.rest(choice, scene))
