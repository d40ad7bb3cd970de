"""The least noise that keeps an attacker's success within a limit, for each of those who know less and less."""

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from numerics import relaxed
from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.mechanisms import Mechanism
from numerics.relaxed import Reading, RelaxedTarget
from numerics.trade_off import Bound
from pages.ui import cached, cached_threat_models, phase_noise, skipped
from pages.ui.threat_models import notions
from pages.ui.threat_models.release import ReleaseSetting
from plotting.noise_bars import Bar

_DIGITS = 3
GIVES_UP = {
    notions.RELAXED: "an attacker who knows the record, or guesses the side it pulls to",
    notions.OTHERS: "an attacker who knows other records, and records with gradients far from the mean",
}
"""What less noise no longer protects against, by attacker."""


Limit = PowerTarget | AdvantageTarget
"""The largest acceptable success: a share of members found at a rate of false alarms, or an advantage."""


def attempted(setting: ReleaseSetting, limit: Limit, model: notions.ThreatModel) -> Bar | None:
    """The noise as a bar; where there is none, that is said."""
    try:
        with skipped.if_no_time(model.notion):
            return bar(setting, limit, model)
    except ValueError as reason:
        st.info(f"**{model.notion}:** no noise found: {reason}", icon=":material/info:")
    return None


def bar(setting: ReleaseSetting, limit: Limit, model: notions.ThreatModel) -> Bar:
    """The noise as a bar."""
    noise, bound = NOISES[model](setting, limit)
    return Bar(model.notion, model.color, noise, "none needed" if noise == 0.0 else said(setting.release, noise), bound)


def said(release: Mechanism, noise: float) -> str:
    """The noise, of every phase, with this one in the first."""
    return f"{noise:g}" if len(release.phases) == 1 else phase_noise.in_short(phase_noise.at_noise(release, noise))


def as_remedy(release: Mechanism, noise: float) -> str:
    """The same as a change of the release's own noise: the subject of a sentence."""
    if len(release.phases) == 1:
        return f"Noise {noise:g}"
    return phase_noise.remedy(release, phase_noise.at_noise(release, noise))


def rounded(release: Mechanism, noise: float) -> float:
    """As it is said: to three digits, and never less."""
    return phase_noise.rounded_up(release, noise, _DIGITS) if noise else 0.0


def with_ratios(bars: list[Bar]) -> list[Bar]:
    """Each bar's share of full knowledge's noise in its text."""
    if not bars or not bars[0].name.startswith(notions.FULL.notion) or bars[0].noise == 0.0:
        return bars
    rest = [
        replace(bar, text=f"{bar.text} (× {bar.noise / bars[0].noise:.2f})") if bar.noise else bar for bar in bars[1:]
    ]
    return [bars[0], *rest]


def noise_of(release: Mechanism, limit: Limit) -> float:
    """Noise against full knowledge of ``release``; enough against whoever knows less."""
    found = cached.noise_for(limit, release.with_noise(1.0))
    return found.noise_multiplier if found.noise_needed else 0.0


def _full(setting: ReleaseSetting, limit: Limit) -> tuple[float, Bound]:
    return noise_of(setting.release, limit), setting.release.bound


def _relaxed(setting: ReleaseSetting, limit: Limit) -> tuple[float, Bound]:
    target = RelaxedTarget(limit, setting.relaxed_dimension, setting.reading)
    # Noise that is enough against full knowledge is enough here: a good place to start from.
    full = cached.noise_for(limit, setting.release.with_noise(1.0)).noise_multiplier
    found = cached_threat_models.noise_for(target, setting.release.with_noise(full))
    noise = min(found.noise_multiplier, full) if setting.reading is Reading.MINIMAX else found.noise_multiplier
    return (noise if found.noise_needed else 0.0), Bound.EXACT if has_closed_form(setting) else Bound.ESTIMATE


def has_closed_form(setting: ReleaseSetting) -> bool:
    """Whether a formula answers for an unknown record, in a moment."""
    return relaxed.closed_form(setting.release, setting.relaxed_dimension, relaxed.Direction.COMMON) is not None


def _sample(setting: ReleaseSetting, limit: Limit) -> tuple[float, Bound]:
    """No less is proved to be enough than against full knowledge, which is."""
    return noise_of(setting.release, limit), Bound.LOWER


def _others(setting: ReleaseSetting, limit: Limit) -> tuple[float, Bound]:
    gradients = setting.gradients().with_noise(0.0)
    found = cached_threat_models.membership_noise(limit, gradients, setting.choice.order)
    return min(found, noise_of(setting.fixed_size, limit)), Bound.ESTIMATE


NOISES: dict[notions.ThreatModel, Callable[[ReleaseSetting, Limit], tuple[float, Bound]]] = {
    notions.FULL: _full,
    notions.RELAXED: _relaxed,
    notions.SAMPLE: _sample,
    notions.OTHERS: _others,
}
