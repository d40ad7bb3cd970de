"""The second answer: how much noise keeps the limit, and what each assumption about the attacker saves of it."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

import streamlit as st

from numerics.calibration import PowerTarget
from numerics.deadline import DeadlineError
from numerics.trade_off import Bound
from pages.attackers import noise_needed
from pages.attackers.doors import Doors
from pages.attackers.noise_needed import GIVES_UP, NOISES, Limit, attempted, rounded
from pages.server.budget import Budget, within
from pages.ui import chart, longer_work, release_controls, solve_for
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
        st.markdown(_sentence(bars))
        with st.container(horizontal=True):
            _draw_use(setting, bars[FULL].noise)
            if later.unfinished:
                label = f"Find noise: {RELAXED.short}"
                longer_work.draw_button(label, ATTACKERS.address, later, "find_noise")
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
    return found and replace(found, name=model.short, text=f"{rounded(found.noise):g}" if found.noise else found.text)


def _sentence(bars: Mapping[ThreatModel, Bar]) -> str:
    """The noise against full knowledge, and what less of it gives up."""
    full = bars[FULL].noise
    first = f"**Noise {rounded(full):g} keeps your limit** against whoever knows all but the noise."
    if full == 0.0:
        first = "**No noise is needed** to keep your limit, even against whoever knows all the rest."
    return " ".join([first, *(_saved(full, model, bar.noise) for model, bar in bars.items() if model is not FULL)])


def _saved(full: float, model: ThreatModel, noise: float) -> str:
    if model is SAMPLE:
        return "Not knowing who was drawn saves nothing: no smaller number is proved."
    if noise >= full:
        return f"Against one who {model.name} it takes as much."
    about = "about " if model is OTHERS else ""
    enough = f"{about}{rounded(noise):g} is" if noise else "no noise is"
    return (
        f"Against one who {model.name}, {enough} enough: {1.0 - noise / full:.0%} less. "
        f"That no longer protects against {GIVES_UP[model]}."
    )


def _draw_use(setting: ReleaseSetting, noise: float) -> None:
    """Offer the noise that keeps the limit, rounded up, where it is another than that in force."""
    enough, release = rounded(noise), setting.release
    if len(release.phases) > 1 or release.noise_multiplier >= enough:
        return
    noisy = release.with_noise(enough)
    if solve_for.is_usable(noisy):
        st.button(f"Use {enough:g}", key="use_saving", on_click=release_controls.put_noise, args=(noisy,))
