"""Reconstruction at the prior in force against the noise, as effect size or as epsilon, all else as it is."""

from contextlib import suppress
from dataclasses import replace
from enum import StrEnum

import numpy as np
import streamlit as st

from numerics.trade_off import Order
from pages.reconstruct.controls import ExtraCurve, ReconstructionSetting
from pages.reconstruct.figures import UNKNOWN
from pages.ui import cached_reconstruction, cached_threat_models, chart, release_curves, skipped
from pages.ui.csv_tables import power_table
from pages.ui.estimates import Estimate
from pages.ui.release_curves import effect_size
from pages.ui.segmented_control import segmented_control
from plotting import power
from plotting.power import PowerCurve, power_figure

KEYS = ("reconstruct.across",)


class Across(StrEnum):
    """What the figure's horizontal axis is."""

    EFFECT = "effect size"
    EPSILON = "ε"


def draw(setting: ReconstructionSetting) -> None:
    """Draw the figure."""
    across = segmented_control("Against", list(Across), default=Across.EFFECT, key="reconstruct.across")
    with st.spinner("Computing the release at other noise levels …", show_time=True):
        own, others, guesses = _sweep(setting, across)
        here, words = effect_size(setting.release), power.RECONSTRUCTIONS
        if across is Across.EPSILON:
            here, words = setting.epsilon, power.RECONSTRUCTIONS_BY_EPSILON
    success = cached_reconstruction.success(setting.release, setting.prior)
    alt = f"Reconstruction at prior {setting.prior:.3g} rises as the noise falls, here drawn against {across}."
    chart.draw(power_figure(own, here, success.upper, others, words, guesses), alt)
    st.caption("To the right: less noise, or a larger influence of one record. Sampling and steps stay as they are.")


def in_force() -> Across:
    """What the axis was last."""
    return Across(st.session_state.get("reconstruct.across") or Across.EFFECT)


def data(setting: ReconstructionSetting, across: Across) -> str:
    """CSV of what is drawn."""
    own, others, guesses = _sweep(setting, across)
    header = {"release": setting.release.label, "prior": f"kappa = {setting.prior!r}"}
    return power_table([own, *others, *guesses], header, across.value)


def _sweep(setting: ReconstructionSetting, across: Across) -> tuple[PowerCurve, list[PowerCurve], list[PowerCurve]]:
    """The release's own curve, those of other attackers, and the estimates, against what the axis shows."""
    own = release_curves.power_against_effect(setting.release, setting.prior, Order.ADD)
    others, guesses = _attackers(setting), _guesses(setting, own)
    if across is Across.EPSILON:
        own = _by_epsilon(setting, own)
        others, guesses = ([_by_epsilon(setting, curve) for curve in curves] for curves in (others, guesses))
    return own, others, guesses


def _attackers(setting: ReconstructionSetting) -> list[PowerCurve]:
    if ExtraCurve.RELAXED not in setting.shown.also:
        return []
    with suppress(ValueError), skipped.if_no_time(UNKNOWN):  # refused: said beside the first figure
        return [cached_threat_models.relaxed_power_against_effect(setting.release, setting.prior, Order.ADD, 1)]
    return []


def _guesses(setting: ReconstructionSetting, own: PowerCurve) -> list[PowerCurve]:
    """The estimates that cost nothing to repeat, at the same effect sizes."""
    chosen, found = setting.shown.estimates, list[PowerCurve]()
    effects = tuple(float(effect) for effect in own.effect_size)
    for name in chosen.names:
        if name is not Estimate.MONTE_CARLO:
            order = chosen.edgeworth_order if name is Estimate.EDGEWORTH else None
            with suppress(ValueError), skipped.if_no_time(name):  # refused: said beside the first figure
                guess = cached_reconstruction.estimated_at_effects(setting.release, effects, setting.prior, order)
                found.append(guess)
    return found


def _by_epsilon(setting: ReconstructionSetting, curve: PowerCurve) -> PowerCurve:
    """The same against epsilon; levels without a finite one are left out."""
    effects = tuple(float(effect) for effect in curve.effect_size)
    epsilon = release_curves.epsilon_at_effects(setting.release, effects, setting.choice.delta)
    kept = np.isfinite(epsilon)
    sides = {name: getattr(curve, name)[kept] for name in ("lower", "power", "upper")}
    return replace(curve, effect_size=epsilon[kept], **sides)
