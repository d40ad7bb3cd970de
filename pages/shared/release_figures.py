"""The explorer's figures, each drawn from cached answers about the release and described in words."""

from collections.abc import Mapping, Sequence

import numpy as np
import streamlit as st

from numerics.trade_off import TradeOffCurve
from pages.shared import cached, display, export, relaxed_overlay
from pages.shared.controls import Choice
from pages.shared.frequencies import one_in, rounded_up
from pages.shared.sweeps import effect_size
from pages.shared.view import CHART, Second, View, take_click
from plotting import theme
from plotting.curves import Estimated, OperatingPoint
from plotting.densities import densities_figure
from plotting.power import PowerCurve, power_figure
from plotting.profile import profile_figure
from plotting.trade_off import trade_off_figure


def draw_trade_off(
    choice: Choice, view: View, pinned: Sequence[TradeOffCurve], estimates: Sequence[Estimated]
) -> theme.Figure:
    """Draw the trade-off curve; a click on it moves the operating point. Returns the figure, for export."""
    curve = cached.trade_off(choice.mechanism, choice.order)
    point = OperatingPoint(choice.alpha, cached.power(choice.mechanism, choice.alpha, choice.order))
    figure = trade_off_figure(curve, point, view.axes, view.largest_alpha, pinned, estimates)
    alt = (
        f"Trade-off curve of {curve.label}: while wrongly accusing {one_in(point.alpha)} outsiders, the attacker finds "
        f"at most a share of {rounded_up(point.power.upper)} of the members."
    )
    display.chart(figure, alt, CHART, take_click)
    return figure


def draw_second(choice: Choice, second: Second, dimension: int) -> None:
    """Draw the chosen one of the other figures; with ``dimension``, also for a record that is unknown."""
    drawn = {Second.EVIDENCE: _draw_evidence, Second.POWER: _draw_power, Second.PROFILE: _draw_profile}
    drawn[second](choice, dimension)


def second_table(choice: Choice, second: Second, dimension: int) -> str:
    """CSV of what ``draw_second`` draws."""
    header = {"release": choice.mechanism.label, "assumptions": " ".join(choice.mechanism.assumptions)}
    if second is Second.EVIDENCE:
        law = cached.statistic(choice.mechanism)
        columns = {"log-likelihood ratio": law.loss, "mass without": law.null, "mass with": law.alternative}
        threshold = cached.threshold(choice.mechanism, choice.alpha)
        return export.table(columns, header | {"threshold": f"{threshold!r} at alpha = {choice.alpha!r}"})
    if second is Second.POWER:
        own = cached.power_against_effect(choice.mechanism, choice.alpha, choice.order)
        curves = [own, *relaxed_overlay.power_curves(choice, dimension)]
        return power_table(curves, header | {"alpha": f"{choice.alpha!r}", "order": choice.order.value})
    profile = cached.profile(choice.mechanism, choice.delta)
    sides = {"delta (at least)": profile.lower, "delta": profile.delta, "delta (at most)": profile.upper}
    return export.table({"epsilon": profile.epsilon, **sides}, header | {"kind of bound": profile.bound.value})


def power_table(curves: Sequence[PowerCurve], header: Mapping[str, str], across: str = "effect size") -> str:
    """CSV of curves of power below each other, told apart by the column ``curve``; ``across`` names their axis."""
    names = [curve.label for curve in curves for _ in curve.power]
    kinds = [curve.bound.value for curve in curves for _ in curve.power]
    columns = {"effect_size": across, "power": "power", "upper": "at most", "lower": "at least"}
    joined = {
        words: np.concatenate([np.asarray(getattr(curve, name), dtype=float) for curve in curves])
        for name, words in columns.items()
    }
    return export.table({"curve": names, "kind": kinds, **joined}, header)


def _draw_evidence(choice: Choice, _dimension: int) -> None:
    release, alpha = choice.mechanism, choice.alpha
    power = cached.power(release, alpha)
    figure = densities_figure(cached.statistic(release), cached.threshold(release, alpha), alpha, power.estimate)
    alt = (
        "Two overlapping hills: the evidence an attacker sees without and with the record. Beyond the threshold lie "
        f"{alpha:g} of the first and {power.estimate:.3g} of the second."
    )
    display.chart(figure, alt)
    st.caption("The more the two hills overlap, the less the release says about one person. (Add-one order.)")


def _draw_power(choice: Choice, dimension: int) -> None:
    release = choice.mechanism
    with st.spinner("Computing the release at other noise levels …", show_time=True):
        curve = cached.power_against_effect(release, choice.alpha, choice.order)
        others = relaxed_overlay.power_curves(choice, dimension)
    power = cached.power(release, choice.alpha, choice.order)
    alt = f"Members found at false positive rate {choice.alpha:g} rise with the effect size, the inverse of the noise."
    display.chart(power_figure(curve, effect_size(release), power.estimate, others), alt)
    st.caption("To the right: less noise, or a larger influence of one record. Sampling and steps stay as they are.")


def _draw_profile(choice: Choice, _dimension: int) -> None:
    with st.spinner("Computing delta for every epsilon …", show_time=True):
        curve = cached.profile(choice.mechanism, choice.delta)
    epsilon = cached.epsilon(choice.mechanism, choice.delta)
    alt = f"Delta falls as epsilon grows; at delta {choice.delta:g} epsilon is {rounded_up(epsilon.upper, 4)}."
    display.chart(profile_figure(curve, choice.delta, epsilon), alt)
    st.caption("Every point of the line is a valid promise about the same release; quoting one hides the others.")
