"""Attackers: one release, and four doors behind which attackers stand who know less and less."""

from dataclasses import replace
from functools import partial
from time import perf_counter

import streamlit as st

from pages.attackers import answer, attacker_quiz, audit, controls, converters, noise_for_eta, not_comparable, saving
from pages.attackers.formulas import formulas, snippet
from pages.ui import address, chart, downloads, release_in_force, result_header, share, sheet_filling, threat_models
from pages.ui.share import Shared
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import ATTACKERS, FULL, OTHERS

PARTS = {"converters": converters.draw, "noise for η": noise_for_eta.draw, "audit": audit.draw}
KNOWLEDGE = "who knows what"
KEPT = (
    *("attackers.reading", "attackers.susceptibility", "axes", "window", "attackers.part", attacker_quiz.KEY),
    *("attackers.limit_on", "attackers.advantage", "attackers.convert_", "attackers.audit_"),
)

choice = release_in_force.current()
address.start_anew(KEPT)
state = attacker_quiz.current()
first = st.container(gap="xsmall")
with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
    look = chart.draw_curve()
apart, save = st.container(), st.container()
release = controls.draw(choice)
entered = replace(release, choice=choice)  # without a d that nobody has set: what is planted, and what is filed

started = perf_counter()
with first, st.spinner("Looking through their eyes …", show_time=True):
    seen = {model: threat_models.view(release, model) for model in ATTACKERS if state.is_open(model)}
opened = list(seen.values())
said_in_full = answer.in_full(release, seen[FULL], opened[1:])
figure = answer.figure(release, opened, look) if threat_models.comparable(opened[:1]) else None
seconds = perf_counter() - started
with first:
    result_header.answer(answer.verdict(release, seen[FULL]))
    attacker_quiz.draw(release, state, seen)
    if figure is not None:
        chart.draw(figure, result_header.spoken(said_in_full), chart.CHART, chart.take_click)

if conditions := [f"- **{view.model.notion}:** {view.note}" for view in opened if view.note and not view.differs]:
    apart.caption("\n".join(conditions))
with save, error_boundary("noise"):
    saving.draw(release, state)
if OTHERS in seen and seen[OTHERS].differs:
    with apart:
        not_comparable.draw(release, seen[OTHERS])
names = [KNOWLEDGE, *PARTS]
part = st.segmented_control("More about this release", names, key="attackers.part", bind="query-params", wrap=True)
if part:
    with st.container(border=True), error_boundary(part):
        if part == KNOWLEDGE:
            answer.draw_ledger(release, seen)
        else:
            PARTS[part](entered if part == "audit" else release)

curves = [curve for _, curve, _ in threat_models.comparable(opened)]
notes = tuple(f"**{curve.label}.** {' '.join(curve.assumptions)}" for curve in curves)
result_header.how_computed(formulas(release), notes, [curve.bound for curve in curves], seconds)
if figure is not None:
    absent = answer.absent(opened)
    data, sheet = partial(downloads.of_curves, curves, absent), partial(sheet_filling.sheet, entered)
    share.offer(Shared("attackers", snippet(release, seen), data, sheet=sheet, release=choice.exported))
result_header.aria_live(said_in_full)
