"""Noise for the same attack success: what each assumption about the attacker saves, and no longer protects against."""

from collections.abc import Callable

import streamlit as st

from numerics.calibration import PowerTarget
from numerics.membership import EtaTarget
from numerics.relaxed import Reading, RelaxedPowerTarget
from numerics.trade_off import Bound
from pages.attackers import views
from pages.attackers.setting import Setting
from pages.shared import cached, cached_notions, display, export
from pages.shared.frequencies import one_in
from plotting.noise_bars import Bar, noise_bars_figure

KEYS = ("same_found",)
_GIVES_UP = {
    views.RELAXED: "an attacker who knows the record, or guesses the side it pulls to",
    views.SAMPLE: "anything but the game of a random half: an attacker with a better prior than one half",
    views.OTHERS: "an attacker who knows other records, and records with gradients far from the mean",
}


def draw(setting: Setting) -> None:
    """Draw the target, the bars and what they mean."""
    alpha = setting.choice.alpha
    st.markdown("**How much noise keeps the attack at the same success, if the attacker knows less?**")
    limit = st.number_input(
        f"Largest share of members found while {one_in(alpha)} outsiders are accused",
        1e-9,
        0.999,
        min(max(3.0 * alpha, 1e-6), 0.5),
        format="%g",
        key="same_found",
        bind="query-params",
        width=420,
    )
    if not alpha < limit < 1.0:
        st.warning(f"The limit must be above {alpha:g}, which guessing finds. Enter a larger share, or lower α above.")
        return
    with st.spinner("Calibrating the noise to every attacker …", show_time=True):
        bars = [_attempted(setting, limit, model, found) for model, found in _NOISES.items()]
    drawn = [bar for bar in bars if bar is not None]
    figure = noise_bars_figure(_with_ratios(drawn))
    display.chart(figure, "; ".join(f"{bar.name}: noise {bar.noise:.3g}" for bar in drawn))
    st.markdown(
        "\n".join(f"- **{model.notion}** no longer protects against {words}." for model, words in _GIVES_UP.items())
    )
    header = {"limit": f"{limit:g} of members at alpha = {alpha:g}", "release": setting.release.label}
    columns = {"attacker": [bar.name for bar in drawn], "noise multiplier": [f"{bar.noise:.6g}" for bar in drawn]}
    data = export.table(columns, header)
    st.download_button("Data (CSV)", data, "noise-for-the-same-success.csv", "text/csv", on_click="ignore")


def _attempted(
    setting: Setting, limit: float, model: views.Model, found: Callable[[Setting, float], tuple[float, Bound]]
) -> Bar | None:
    try:
        noise, bound = found(setting, limit)
    except ValueError as reason:
        st.info(f"**{model.notion}:** no noise found: {reason}", icon=":material/info:")
        return None
    return Bar(f"{model.notion}: {model.name}", noise, "none needed" if noise == 0.0 else f"{noise:.4g}", bound)


def _with_ratios(bars: list[Bar]) -> list[Bar]:
    """Each bar's share of the first one's noise in its text."""
    if not bars or bars[0].noise == 0.0:
        return bars
    rest = [
        Bar(
            bar.name, bar.noise, f"{bar.text} (× {bar.noise / bars[0].noise:.2f})" if bar.noise else bar.text, bar.bound
        )
        for bar in bars[1:]
    ]
    return [bars[0], *rest]


def _full(setting: Setting, limit: float) -> tuple[float, Bound]:
    choice = setting.choice
    found = cached.noise_for(PowerTarget(limit, choice.alpha, choice.order), setting.release.with_noise(1.0))
    return (found.noise_multiplier if found.noise_needed else 0.0), setting.release.bound


def _relaxed(setting: Setting, limit: float) -> tuple[float, Bound]:
    target = RelaxedPowerTarget(limit, setting.choice.alpha, setting.relaxed_dimension, setting.reading)
    found = cached_notions.noise_for(target, setting.add_one.with_noise(1.0))
    exact = setting.reading is Reading.MINIMAX and sum(phase.steps for phase in setting.phases) == 1
    return (found.noise_multiplier if found.noise_needed else 0.0), Bound.EXACT if exact else Bound.ESTIMATE


def _sample(setting: Setting, limit: float) -> tuple[float, Bound]:
    target = EtaTarget(0.5 * (limit - setting.choice.alpha))
    found = cached_notions.noise_for(target, setting.replace_one.with_noise(1.0))
    return (found.noise_multiplier if found.noise_needed else 0.0), Bound.LOWER


def _others(setting: Setting, limit: float) -> tuple[float, Bound]:
    target = PowerTarget(limit, setting.choice.alpha)
    found = cached_notions.membership_noise(target, setting.gradients().with_noise(0.0))
    return found.noise_multiplier, Bound.ESTIMATE


_NOISES: dict[views.Model, Callable[[Setting, float], tuple[float, Bound]]] = {
    views.FULL: _full,
    views.RELAXED: _relaxed,
    views.SAMPLE: _sample,
    views.OTHERS: _others,
}
