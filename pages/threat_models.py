"""Compare attackers: the same noisy training run, seen by attackers who know different things."""

from functools import partial
from time import perf_counter

import streamlit as st

from pages.attackers import (
    apart,
    audit_presets,
    audit_tab,
    converters,
    ledger,
    noise_bars,
    noise_figure,
    noise_tab,
    paper_tables,
    setting,
    views,
)
from pages.attackers.formulas import FORMULAS, snippet
from pages.certifying import form
from pages.shared import controls, display, export, kept, readout, view
from pages.shared.attempt import attempt
from pages.shared.release_figures import reading
from plotting.curves import OperatingPoint
from plotting.trade_off import trade_off_figure

PARTS = {
    "same success": noise_bars.draw,
    "converters": converters.draw,
    noise_figure.PART: noise_tab.draw,
    audit_presets.PART: audit_tab.draw,
    "paper 004 tables": paper_tables.draw,
}
KEPT = (
    *setting.KEYS,
    *noise_bars.KEYS,
    *converters.KEYS,
    *noise_tab.KEYS,
    *audit_tab.KEYS,
    "axes",
    "window",
    "part",
)

choice = controls.chosen()
kept.restore(KEPT)
release = setting.draw(choice)
answer = st.container(border=True)
axes, largest_alpha = view.draw_axes()

started = perf_counter()
with answer, st.spinner("Looking through four pairs of eyes …", show_time=True):
    seen = views.views(release)
seconds = perf_counter() - started
with answer:
    readout.answer(ledger.sentence(release, seen))
    readout.metrics(ledger.metrics(release, seen))
    st.caption(ledger.inherited(release, seen))

answered = [(curve, found) for _, curve, found in views.comparable(seen)]
curves = [curve for curve, _ in answered]
first, second = st.columns([5, 4], gap="medium")  # at 768 pixels the table just fits
with second:
    ledger.draw(seen)
if answered:
    with first:
        point = OperatingPoint(choice.alpha, answered[0][1])
        figure = trade_off_figure(curves[0], point, axes, largest_alpha, curves[1:], order=choice.order)
        display.chart(figure, ledger.sentence(release, seen), view.CHART, view.take_click)
        st.caption(reading(axes, choice.order))

apart.draw(release, seen)
part = st.segmented_control("More about this release", list(PARTS), key="part", bind="query-params")
if part:
    with st.container(border=True), attempt(part):
        PARTS[part](release)

notes = tuple(f"**{curve.label}.** {' '.join(curve.assumptions)}" for curve in curves)
readout.how(FORMULAS, notes, [curve.bound for curve in curves], seconds)
if answered:
    settings = {curve.label: " ".join(curve.assumptions) for curve in curves}
    data = partial(export.curves_table, curves, settings)
    certificate = form.offer_for(release)
    export.offer("attackers", data, snippet(release), figure, settings, certificate=certificate)
kept.note(KEPT)
