"""Compare attackers: the same noisy training run, seen by attackers who know different things."""

from time import perf_counter

import streamlit as st

from pages.attackers import answer, controls, incomparable, paper_tables, same_success
from pages.attackers.audit import presets as audit_presets
from pages.attackers.audit import tab as audit_tab
from pages.attackers.converters import tab as converters
from pages.attackers.formulas import formulas, snippet
from pages.attackers.noise_for_eta import figure as noise_figure
from pages.attackers.noise_for_eta import tab as noise_tab
from pages.ui import chart, downloads, figure_controls, page_state, readout, release_controls
from pages.ui.certificate import form
from pages.ui.downloads import Downloads
from pages.ui.error_boundary import error_boundary
from pages.ui.figure_controls import reading
from pages.ui.threat_models import views
from plotting.curves import OperatingPoint
from plotting.trade_off import trade_off_figure

PARTS = {
    "same success": same_success.draw,
    "converters": converters.draw,
    noise_figure.PART: noise_tab.draw,
    audit_presets.PART: audit_tab.draw,
    "paper 004 tables": paper_tables.draw,
}
KEPT = (
    *controls.KEYS,
    *same_success.KEYS,
    *converters.KEYS,
    *noise_tab.KEYS,
    *audit_tab.KEYS,
    "axes",
    "window",
    "part",
)

choice = release_controls.current()
page_state.restore(KEPT)
release = controls.draw(choice)
answer_box = st.container(border=True)
axes, largest_alpha = figure_controls.draw_axes()

started = perf_counter()
with answer_box, st.spinner("Looking through four pairs of eyes …", show_time=True):
    seen = views.views(release)
seconds = perf_counter() - started
with answer_box:
    readout.answer(answer.sentence(release, seen))
    readout.metrics(answer.metrics(release, seen))
    st.caption(answer.inherited(release, seen))

answered = [(curve, found) for _, curve, found in views.comparable(seen)]
curves = [curve for curve, _ in answered]
first, second = st.columns([5, 4], gap="medium")  # at 768 pixels the table just fits
with second:
    answer.draw(seen)
if answered:
    with first:
        point = OperatingPoint(choice.alpha, answered[0][1])
        figure = trade_off_figure(curves[0], point, axes, largest_alpha, curves[1:], order=choice.order)
        chart.draw(figure, answer.sentence(release, seen), figure_controls.CHART, figure_controls.take_click)
        st.caption(reading(axes, choice.order))

incomparable.draw(release, seen)
part = st.segmented_control("More about this release", list(PARTS), key="part", bind="query-params")
if part:
    with st.container(border=True), error_boundary(part):
        PARTS[part](release)

notes = tuple(f"**{curve.label}.** {' '.join(curve.assumptions)}" for curve in curves)
readout.how(formulas(release), notes, [curve.bound for curve in curves], seconds)
if answered:
    certificate = form.offer_for(release)
    absent = answer.absent(seen)
    downloads.draw(Downloads("attackers", figure, snippet(release), absent, curves, certificate=certificate))
page_state.note(KEPT)
