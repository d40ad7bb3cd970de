"""Equal epsilon at one delta, different sampling rates: other mechanisms, other risks (paper 003 Fig. 3 and 4)."""

from dataclasses import replace

import numpy as np
import streamlit as st

from numerics.mechanisms import Gaussian
from numerics.trade_off import Order, TradeOffCurve
from pages.reconstruct.controls import ReconstructionSetting
from pages.ui import cached, cached_reconstruction, chart, csv_tables, downloads
from pages.ui.number_box import number_box, whole_box
from pages.ui.numbers_in_words import rounded_up
from pages.ui.segmented_control import segmented_control
from plotting.curves import Axes, OperatingPoint
from plotting.reconstruction import reconstruction_figure
from plotting.reconstruction_axes import Window
from plotting.trade_off import trade_off_figure

KEYS = (
    "reconstruct.same_epsilon",
    "reconstruct.same_delta",
    "reconstruct.same_steps",
    "reconstruct.same_rate_1",
    "reconstruct.same_rate_2",
    "reconstruct.same_rate_3",
    "reconstruct.same_order",
)
_RATES = (0.1, 0.5, 0.9)


def draw(setting: ReconstructionSetting) -> None:
    """Draw the guarantee all share, and what sets them apart."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        epsilon = number_box("ε", "reconstruct.same_epsilon", (0.01, 50.0), 4.0, width=120)
        delta = number_box("δ", "reconstruct.same_delta", (1e-9, 0.1), 1e-5, step=1e-6, width=130)
        steps = whole_box("Steps", "reconstruct.same_steps", (1, 1e5), 1, width=130)
        rates = [
            number_box(f"Rate {i}", f"reconstruct.same_rate_{i}", (1e-5, 1.0), rate, width=110)
            for i, rate in enumerate(_RATES, 1)
        ]
        order = segmented_control(
            "Order of the test",
            list(Order),
            default=Order.SYMMETRIC,
            key="reconstruct.same_order",
        )
    with st.spinner("Calibrating the noise to the same ε at every rate …", show_time=True):
        asked = [Gaussian(1.0, rate, steps) for rate in rates]
        releases = [release.with_noise(cached.noise_at_epsilon(release, epsilon, delta)) for release in asked]
        tested = [_named(cached.trade_off(release, order), release) for release in releases]
        rebuilt = [_named(cached_reconstruction.curve(release), release) for release in releases]
    first, second = st.columns(2, gap="medium")
    with first:
        point = OperatingPoint(setting.choice.alpha, cached.power(releases[0], setting.choice.alpha, order))
        alt = f"Trade-off curves of three releases with epsilon {epsilon:g} at delta {delta:g}."
        chart.draw(trade_off_figure(tested[0], point, Axes.LINEAR, 1.0, tested[1:], order=order), alt)
    with second:
        point = OperatingPoint(setting.prior, cached_reconstruction.success(releases[0], setting.prior))
        alt = "Reconstruction against the prior for the same three releases."
        chart.draw(reconstruction_figure(rebuilt[0], point, Window(setting.shown.axes), rebuilt[1:]), alt)
    table = _table(setting, releases)
    st.table(table, hide_index=True)
    st.markdown(verdict(rebuilt))
    header = {"epsilon": f"{epsilon!r}", "delta": f"{delta!r}", "steps": f"{steps}"}
    downloads.button("Data (CSV)", "same-epsilon.csv", lambda: csv_tables.table(table, header))


def _named(curve: TradeOffCurve, release: Gaussian) -> TradeOffCurve:
    return replace(curve, label=f"rate {release.sampling_rate:g}, noise {release.noise_multiplier:g}")


def _table(setting: ReconstructionSetting, releases: list[Gaussian]) -> dict[str, list[str]]:
    success = [cached_reconstruction.success(release, setting.prior) for release in releases]
    return {
        "rate": [f"{release.sampling_rate:g}" for release in releases],
        "noise": [f"{release.noise_multiplier:g}" for release in releases],
        f"γ at κ = {setting.prior:.3g}": [rounded_up(each.upper, 5) for each in success],
        "δ at ε = 1": [rounded_up(cached_reconstruction.delta_at(release, 1.0).upper, 5) for release in releases],
        "advantage": [rounded_up(cached.advantage(release).upper, 4) for release in releases],
    }


def verdict(curves: list[TradeOffCurve]) -> str:
    """How far apart the reconstruction curves are, for the claim that such releases are identical."""
    powers = np.array([curve.power for curve in curves])
    spread = powers.max(axis=0) - powers.min(axis=0)
    at = int(np.argmax(spread))
    inside = powers.min(axis=0) > 0.0
    ratio = float(np.max(powers.max(axis=0)[inside] / powers.min(axis=0)[inside]))
    return (
        f"The same ε at the same δ is one point of each curve. Elsewhere they differ: γ by up to **{spread[at]:.2g}** "
        f"(at κ = {curves[0].alpha[at]:.2g}), and by a factor of up to **{ratio:.3g}**. They come together as the "
        "steps grow in number, and are never identical."
    )
