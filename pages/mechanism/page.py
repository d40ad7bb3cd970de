"""Mechanism explorer: what the best attack on a noisy release achieves, and what noise keeps it below a limit."""

from contextlib import nullcontext, suppress
from functools import partial
from time import perf_counter

import streamlit as st

import people_view
from numerics.trade_off import TradeOffCurve
from pages.mechanism import batches, figures, motion, numbers, solve_for
from pages.ui import (
    address,
    cached,
    chart,
    comparison,
    downloads,
    estimates,
    people_scene,
    release_in_force,
    result_header,
    share,
    sheet_filling,
)
from pages.ui.chart import CurveView, SecondFigure
from pages.ui.downloads import Make
from pages.ui.estimates import EstimateChoice
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, rounded_up
from pages.ui.share import Shared
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import RELAXED, ReleaseSetting
from plotting.curves import Compared, EstimatedCurve, OfAttacker
from reports.python_code import constructor

OF_CURVE = {**chart.DEFAULTS_OF_CURVE, **estimates.DEFAULTS, figures.RELAXED_KEY: False}
OF_FIGURES, OF_NUMBERS = {"mechanism.second": SecondFigure.EVIDENCE}, {numbers.PRIOR.key: numbers.PRIOR.default}

choice = release_in_force.current()
release = choice.mechanism
address.start_anew((*OF_CURVE, *OF_FIGURES, *OF_NUMBERS, numbers.PEOPLE_KEY))
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

# What the curve is compared with and how it is looked at. A fold that says nothing and is closed is sent empty.
view, chosen, dimension = CurveView(), EstimateChoice(), 0
fold = st.expander(
    "The curve: keep and compare, axes, estimates, other attackers",
    type="compact",
    key="mechanism.choices_of_curve",
    on_change="rerun",
)
with fold:
    if fold.open or not address.is_default(OF_CURVE):
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            comparison.draw_button(choice)
            view = chart.draw_curve()
            chosen = estimates.draw()
            dimension = figures.draw_relaxed_switch(choice)
        st.caption(figures.axes_caption(view.axes, choice.order))
    errors_of_estimates = st.container()

drawn: list[TradeOffCurve] = []
overlays: list[EstimatedCurve] = []
moving: list[TradeOffCurve] | None = None  # beside the curve, where it can move
with second, st.container(key=motion.CURVE), error_boundary("trade-off curve"):
    overlays = estimates.overlays(release, chosen)
    unknown = figures.relaxed_curves(choice, dimension)
    compared = comparison.curves(lambda other: cached.trade_off(other, choice.order))
    found = [cached.trade_off(release, choice.order), *unknown, *compared, *(overlay.curve for overlay in overlays)]
    beside: list[Compared] = [*(OfAttacker(curve, RELAXED.color) for curve in unknown), *compared]
    figures.draw_trade_off(choice, view, beside, overlays)
    drawn = found
    moving = None if unknown or overlays else compared
with errors_of_estimates:
    estimates.describe(choice, overlays)
seconds = perf_counter() - started

# Epsilon below the run that it follows from: who knows the word looks for nothing else.
with st.sidebar, suppress(ValueError):
    promised = rounded_up(cached.epsilon(release, choice.delta).upper, EPSILON_DIGITS)
    st.caption(f"ε is at most {promised} at δ = {as_entered(choice.delta)}.")
comparison.draw_table(choice)

prior = numbers.PRIOR.default
fold = st.expander(
    "In numbers: ε, advantage, μ, what an accusation is worth",
    key="mechanism.numbers",
    on_change="rerun",
    bind="query-params",
)
with fold, error_boundary("numbers for this release"):
    if fold.open or not address.is_default(OF_NUMBERS):
        prior = numbers.draw_prior(choice.order)
    if fold.open:
        st.markdown(numbers.sentences(choice, prior))
        result_header.metrics(numbers.metrics(choice, prior))
        if weakness := result_header.weakness(choice):
            st.warning(weakness, icon=":material/warning:")

numbers.draw_unit_of_privacy(choice)

others: dict[str, Make] = {}
if "mechanism.second" in st.query_params:
    st.session_state.setdefault("mechanism.more_figures", True)
fold = st.expander(
    "More figures: evidence, effect size, ε and δ, batches",
    key="mechanism.more_figures",
    on_change="rerun",
    bind="query-params",
)
with fold:
    if fold.open or not address.is_default(OF_FIGURES):
        other = figures.draw_choice_of_second()
        if fold.open:
            with error_boundary("second figure"):
                figures.draw_second(choice, other, dimension)
                others = {other.value: partial(figures.second_table, choice, other, dimension)}

solve_for.draw(choice)
result_header.how_computed(result_header.formulas(release), release.assumptions, release.bound, seconds)
if drawn:
    parameters = {
        "release in force": constructor(release),
        "order of the test": choice.order.value,
        "operating point": f"alpha = {choice.alpha:g}",
        "delta": f"{choice.delta:g}",
    }
    python = numbers.python_snippet(release, choice.alpha, choice.delta, choice.order, prior)
    table = partial(downloads.of_curves, drawn, parameters)
    sheet = partial(sheet_filling.sheet, ReleaseSetting(choice))
    share.offer(Shared("trade-off", python, table, others, sheet, release=choice.exported))
if scene:
    more = people_scene.rest(choice, scene)
    people_view.draw_levels(more)
    motion.draw(choice, scene, more, view, moving)
