"""The page's figures, and the curves on them."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

import numpy as np
import streamlit as st

from numerics.trade_off import Order, TradeOffCurve
from pages.reconstruct.controls import CHART, Across, Also, ReconstructionSetting, take_click
from pages.ui import cached_reconstruction, chart, comparison, left_out, release_curves
from pages.ui.csv_tables import power_table, powers, table
from pages.ui.error_boundary import error_boundary
from pages.ui.estimates import Estimate, EstimateChoice
from pages.ui.prior_guess import in_words
from pages.ui.release_curves import effect_size
from plotting import power, theme
from plotting.curves import Estimated, OperatingPoint
from plotting.power import PowerCurve, power_figure
from plotting.reconstruction import Ratio, reconstruction_figure

_UNKNOWN = "record unknown"


def beside(setting: ReconstructionSetting) -> list[TradeOffCurve]:
    """The other curves asked for; what cannot be computed is said."""
    return [*_also(setting), *comparison.curves(cached_reconstruction.curve)]


def _also(setting: ReconstructionSetting) -> list[TradeOffCurve]:
    found: list[TradeOffCurve] = []
    if Also.RELAXED in setting.also:
        with error_boundary("curve for an unknown record"), left_out.unless_in_time(_UNKNOWN):
            found.append(replace(cached_reconstruction.record_unknown(setting.release), label=_UNKNOWN))
    if Also.EPSILON in setting.also:
        epsilon, delta = setting.epsilon, setting.choice.delta
        found.append(cached_reconstruction.from_epsilon_delta(epsilon, delta))
    return found


def ratios(curve: TradeOffCurve, estimates: Sequence[Estimated]) -> list[Ratio]:
    """Each estimate over the certified value, where both are asked at the same priors."""
    inside = (curve.alpha > 0.0) & (curve.power > 0.0)
    return [
        Ratio(guess.curve.label, curve.alpha[inside], guess.curve.power[inside] / curve.power[inside])
        for guess in estimates
    ]


def draw_curve(
    setting: ReconstructionSetting, others: Sequence[TradeOffCurve], estimates: Sequence[Estimated]
) -> theme.Figure:
    """Draw reconstruction against the prior; a click makes a prior the one in force. Returns the figure, for export."""
    curve = cached_reconstruction.curve(setting.release)
    success = cached_reconstruction.success(setting.release, setting.prior)
    figure = reconstruction_figure(
        curve,
        OperatingPoint(setting.prior, success),
        setting.axes,
        setting.largest_prior,
        others,
        estimates,
        ratios(curve, estimates),
    )
    guessed, rebuilt = in_words(setting.prior, success.upper)
    alt = (
        f"How likely a record is reconstructed against how likely it is guessed, for {curve.label}: a guess right "
        f"{guessed} times becomes a reconstruction right at most {rebuilt} times."
    )
    chart.draw(figure, alt, CHART, take_click)
    st.caption(
        "Across: how likely a blind guess is right. Up: how likely it is right with the release. The nearer to "
        "guessing, the less the release helps. Click to look at another guess. False alarms are not asked about here: "
        "the slider changes nothing in these figures."
    )
    return figure


def curves_table(curves: Sequence[TradeOffCurve], notes: Mapping[str, str]) -> str:
    """CSV of the curves below each other: prior, reconstruction probability, and its two limits where it has any."""
    header = {"prior": "kappa, probability of a right guess", "reconstruction": "gamma; at most, at least: certified"}
    names = [curve.label for curve in curves for _ in curve.alpha]
    kinds = [curve.bound.value for curve in curves for _ in curve.alpha]
    at_most, at_least = zip(*map(powers, curves), strict=True)
    columns = {
        "prior": [curve.alpha for curve in curves],
        "reconstruction": [curve.power for curve in curves],
        "at most": at_most,
        "at least": at_least,
    }
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    return table({"curve": names, "kind": kinds, **joined}, header | dict(notes))


def draw_sweep(setting: ReconstructionSetting, chosen: EstimateChoice) -> None:
    """Draw reconstruction at the prior in force against the noise: as effect size, or as epsilon."""
    with st.spinner("Computing the release at other noise levels …", show_time=True):
        own, others, guesses = _sweep(setting, chosen)
        here, words = effect_size(setting.release), power.RECONSTRUCTIONS
        if setting.across is Across.EPSILON:
            here, words = setting.epsilon, power.RECONSTRUCTIONS_BY_EPSILON
    success = cached_reconstruction.success(setting.release, setting.prior)
    alt = f"Reconstruction at prior {setting.prior:.3g} rises as the noise falls, here drawn against {setting.across}."
    chart.draw(power_figure(own, here, success.upper, others, words, guesses), alt)
    st.caption("To the right: less noise, or a larger influence of one record. Sampling and steps stay as they are.")


def sweep_table(setting: ReconstructionSetting, chosen: EstimateChoice) -> str:
    """CSV of what ``draw_sweep`` draws."""
    own, others, guesses = _sweep(setting, chosen)
    header = {"release": setting.release.label, "prior": f"kappa = {setting.prior!r}"}
    return power_table([own, *others, *guesses], header, setting.across.value)


def _sweep(
    setting: ReconstructionSetting, chosen: EstimateChoice
) -> tuple[PowerCurve, list[PowerCurve], list[PowerCurve]]:
    """The release's own curve, those of other attackers, and the estimates, against what the axis shows."""
    own = release_curves.power_against_effect(setting.release, setting.prior, Order.ADD)
    others, guesses = _attackers(setting), _guesses(setting, chosen, own)
    if setting.across is Across.EPSILON:
        own = _by_epsilon(setting, own)
        others, guesses = ([_by_epsilon(setting, curve) for curve in curves] for curves in (others, guesses))
    return own, others, guesses


def _attackers(setting: ReconstructionSetting) -> list[PowerCurve]:
    if Also.RELAXED not in setting.also:
        return []
    with suppress(ValueError), left_out.unless_in_time(_UNKNOWN):  # refused: said beside the first figure
        return [release_curves.relaxed_power_against_effect(setting.release, setting.prior, Order.ADD, 1)]
    return []


def _guesses(setting: ReconstructionSetting, chosen: EstimateChoice, own: PowerCurve) -> list[PowerCurve]:
    """The estimates that cost nothing to repeat, at the same effect sizes."""
    found, effects = [], tuple(float(effect) for effect in own.effect_size)
    for name in chosen.names:
        if name is not Estimate.MONTE_CARLO:
            order = chosen.edgeworth_order if name is Estimate.EDGEWORTH else None
            with suppress(ValueError), left_out.unless_in_time(name):  # refused: said beside the first figure
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
