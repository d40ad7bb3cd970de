"""Attackers: one release, and four doors behind which attackers stand who know less and less."""

from functools import partial
from time import perf_counter

import streamlit as st

from pages.attackers import (
    answer,
    controls,
    door_row,
    doors,
    figures,
    final_model,
    incomparable,
    ledger,
    paper_tables,
    same_success,
    saving,
)
from pages.attackers.audit import presets as audit_presets
from pages.attackers.audit import tab as audit_tab
from pages.attackers.converters import tab as converters
from pages.attackers.formulas import formulas, snippet
from pages.attackers.noise_for_eta import figure as noise_figure
from pages.attackers.noise_for_eta import tab as noise_tab
from pages.ui import (
    chart,
    csv_tables,
    example_links,
    figure_controls,
    readout,
    release_controls,
    release_sheet,
    share,
)
from pages.ui.error_boundary import error_boundary
from pages.ui.share import Shared
from pages.ui.threat_models import views
from pages.ui.threat_models.notions import ATTACKERS, FINAL, FULL, OTHERS

PARTS = {
    "same success": same_success.draw,
    "converters": converters.draw,
    noise_figure.PART: noise_tab.draw,
    audit_presets.PART: audit_tab.draw,
    "paper 004 tables": paper_tables.draw,
}
KEPT = (
    *("attackers.reading", "attackers.susceptibility", "axes", "window", "attackers.part", doors.KEY),
    *("attackers.final_", "attackers.convert_", "attackers.eta_", "attackers.audit_", *same_success.KEYS),
)

choice = release_controls.current()
example_links.start_anew(KEPT)
state = doors.current()
first = st.container(gap="xsmall")
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    look = figure_controls.draw_curve()
apart, final = st.container(), st.container()
save, table = st.columns([2, 3], gap="medium")
release = controls.draw(choice)

started = perf_counter()
with first, st.spinner("Looking through their eyes …", show_time=True):
    seen = {model: views.view(release, model) for model in ATTACKERS if state.is_open(model)}
if state.is_open(FINAL):
    with final:
        promise = final_model.draw()
        seen[FINAL] = final_model.view(release, promise)
        found, note = seen[FINAL].found, seen[FINAL].note
        st.markdown(final_model.apart(release, promise) if found else f"**No number:** {note}")
opened = list(seen.values())
said_in_full = answer.in_full(release, seen[FULL], opened[1:])
figure = figures.together(release, opened, look) if views.comparable(opened[:1]) else None
seconds = perf_counter() - started
with first:
    readout.answer(answer.verdict(release, seen[FULL]))
    door_row.draw(release, state, seen)
    door_row.draw_line(release, state, seen)
    if figure is not None:
        chart.draw(figure, readout.heard(said_in_full), figure_controls.CHART, figure_controls.take_click)

with save, error_boundary("noise"):
    saving.draw(release, state)
with table:
    ledger.draw(release, seen)
if OTHERS in seen and seen[OTHERS].differs:
    with apart:
        incomparable.draw(release, seen[OTHERS])
part = st.segmented_control("More about this release", list(PARTS), key="attackers.part", bind="query-params")
if part:
    with st.container(border=True), error_boundary(part):
        PARTS[part](release)

curves = [curve for _, curve, _ in views.comparable(opened)]
notes = tuple(f"**{curve.label}.** {' '.join(curve.assumptions)}" for curve in curves)
readout.how_computed(formulas(release), notes, [curve.bound for curve in curves], seconds)
if figure is not None:
    python, absent, sheet = snippet(release, seen), answer.absent(opened), partial(release_sheet.sheet, release)
    data = partial(csv_tables.of_curves, curves, absent)
    share.offer(Shared("attackers", python, absent, data, sheet=sheet, release=choice.exported))
readout.announce(said_in_full)
