"""The release as the page sees it: the shared controls, and what the attackers' models need beside them."""

import streamlit as st

from numerics.relaxed import Reading
from pages.ui import figure_presets
from pages.ui.release_choice import ReleaseChoice
from pages.ui.segmented_control import segmented_control
from pages.ui.threat_models.release import ReleaseSetting

_READING_HELP = (
    "For several sampled steps. guarantee: the best attack on an unknown side. The other two are the power of one "
    "statistic each, which other attacks may beat (correction 15)."
)
_PLUG_IN, _SPREAD = "K = d", "spread"
_SUSCEPTIBILITY_HELP = (
    "How far a record's gradient lies from the mean, K. d is typical, not the worst case (correction 46); spread: K is "
    "chi-square distributed over the records, and the attacker knows each record's."
)


def draw(choice: ReleaseChoice) -> ReleaseSetting:
    """Draw how two of the attackers are read, and say in the rail what follows from the clipping norm."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        reading = st.selectbox(
            "Record unknown: reading",
            list(Reading),
            key="attackers.reading",
            bind="query-params",
            width=230,
            help=_READING_HELP,
        )
        susceptibility = segmented_control(
            "Others unknown: K",
            [_PLUG_IN, _SPREAD],
            default=_PLUG_IN,
            key="attackers.susceptibility",
            help=_SUSCEPTIBILITY_HELP,
        )
        figure_presets.draw([*figure_presets.OF_PAPER_000, *figure_presets.OF_PAPER_004])
    setting = ReleaseSetting(choice, Reading(reading or Reading.MINIMAX), susceptibility == _SPREAD)
    if noise := _noise_on_the_mean(setting):
        with st.sidebar:
            st.caption(noise)
    return setting


def _noise_on_the_mean(setting: ReleaseSetting) -> str:
    """What the rail does not say of the run: the noise on the mean gradient, where the clipping norm is set."""
    batch, phase = setting.batch, setting.phases[0]
    if batch is None or setting.clip is None:
        return ""
    noise = phase.noise_multiplier * setting.clip / batch  # tau = s C / n
    where = " of the first phase" if len(setting.phases) > 1 else ""
    return f"Noise on a mean gradient{where}: {noise:.3g} in each coordinate."
