"""The second answer: how much noise keeps the limit, and what each assumption about the attacker saves of it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from numerics.calibration import PowerTarget
from numerics.deadline import DeadlineError
from numerics.mechanisms import Mechanism
from numerics.trade_off import Bound
from pages.attackers import noise_needed
from pages.attackers.doors import Doors
from pages.attackers.noise_needed import GIVES_UP, NOISES, Limit, attempted, rounded
from pages.server.budget import Budget, within
from pages.ui import chart, phase_noise, release_controls, skipped
from pages.ui.catalog import ATTACKERS
from pages.ui.error_boundary import error_boundary
from pages.ui.numbers_in_words import CROWD, counted
from pages.ui.threat_models import views
from pages.ui.threat_models.notions import FULL, OTHERS, RELAXED, SAMPLE, ThreatModel
from pages.ui.threat_models.release import ReleaseSetting
from plotting.noise_bars import Bar, noise_bars_figure


def draw(setting: ReleaseSetting, state: Doors) -> None:
    """Draw the sentence and a bar for every open door whose number can be compared."""
    st.subheader("What does each assumption save in noise?", anchor=False)
    if setting.choice.limit <= setting.choice.alpha:
        guessed = counted(setting.choice.alpha, CROWD)
        st.markdown(f"**No noise keeps your limit:** blind guessing finds {guessed}, which is not less.")
        return
    if setting.choice.limit >= 1.0:
        st.markdown("**No noise is needed:** your limit is everybody.")
        return
    limit = PowerTarget(setting.choice.limit, setting.choice.alpha, setting.choice.order)
    opened = [model for model in NOISES if state.is_open(model) and not views.differs(setting, model)]
    words, later = st.container(), Budget(0.0)
    bars = {model: bar for model in opened if (bar := _bar(setting, limit, model, later)) is not None}
    if FULL not in bars:
        return
    with words:
        st.markdown(_sentence(setting, bars))
        with st.container(horizontal=True):
            _draw_use(setting, bars[FULL].noise)
            if later.unfinished:
                label = f"Find noise: {RELAXED.short}"
                skipped.draw_button(label, ATTACKERS.address, later, "attackers.find_noise")
    said = "; ".join(f"{bar.name}: {bar.text}" for bar in bars.values())
    chart.draw(noise_bars_figure(list(bars.values())), f"Noise that keeps the limit. {said}")
    if any(bar.bound is Bound.ESTIMATE for bar in bars.values()):
        st.caption("Hatched: an estimate, no guarantee.")


def _bar(setting: ReleaseSetting, limit: Limit, model: ThreatModel, later: Budget) -> Bar | None:
    """The bar; what takes long is noted in ``later`` unless it is known, and computed once somebody asks for it."""
    found = None
    if model is not RELAXED or noise_needed.has_closed_form(setting):
        found = attempted(setting, limit, model)
    else:
        with error_boundary(f"noise against one who {model.name}"), within(later), suppress(DeadlineError):
            found = noise_needed.bar(setting, limit, model)
    if found is None:
        return None
    noise = rounded(setting.release, found.noise)
    return replace(found, name=model.short, text=noise_needed.said(setting.release, noise) if noise else found.text)


def _sentence(setting: ReleaseSetting, bars: Mapping[ThreatModel, Bar]) -> str:
    """The noise against full knowledge, and what less of it gives up."""
    release, full = setting.release, bars[FULL].noise
    first = "**No noise is needed** to keep your limit, even against whoever knows all the rest."
    if full:
        enough = noise_needed.as_remedy(release, rounded(release, full))
        first = f"**{enough} keeps your limit** against whoever knows all but the noise."
    less = (_saved(release, full, model, bar.noise) for model, bar in bars.items() if model is not FULL)
    return " ".join([first, *less])


def _saved(release: Mechanism, full: float, model: ThreatModel, noise: float) -> str:
    if model is SAMPLE:
        return "Not knowing who was drawn saves nothing: no smaller number is proved."
    if noise >= full:
        return f"Against one who {model.name} it takes as much."
    enough, estimated = "no noise", " (an estimate)" if model is OTHERS else ""
    if noise:
        enough = noise_needed.as_remedy(release, rounded(release, noise))
    return (
        f"Against one who {model.name}, {enough[0].lower()}{enough[1:]} is enough{estimated}: "
        f"{100.0 * (1.0 - noise / full):.0f} % less. That no longer protects against {GIVES_UP[model]}."
    )


def _draw_use(setting: ReleaseSetting, noise: float) -> None:
    """Offer the noise that keeps the limit, rounded up, where it is another than that in force."""
    release = setting.release
    enough = rounded(release, noise)
    if release.noise_multiplier >= enough:
        return
    noisy = phase_noise.at_noise(release, enough)
    if phase_noise.is_usable(noisy):
        label = phase_noise.use(release, noisy)
        st.button(label, key="attackers.use_saving", on_click=release_controls.put_noise, args=(noisy,))
