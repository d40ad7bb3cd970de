"""The release as the page sees it: the shared controls, and what the attackers' models need beside them."""

from typing import Literal

import streamlit as st

from numerics.mechanisms import Sampling
from numerics.relaxed import Reading
from pages.ui import figure_presets, release_size
from pages.ui.release_controls import ReleaseChoice
from pages.ui.segmented_control import segmented_control
from pages.ui.threat_models.release import ReleaseSetting

_URL: Literal["query-params"] = "query-params"
KEYS = ("reading", "susceptibility")
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
    """Draw how two of the attackers are read, and say in the rail what follows from the size of the data."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        reading = st.selectbox(
            "Record unknown: reading", list(Reading), key="reading", bind=_URL, width=230, help=_READING_HELP
        )
        susceptibility = segmented_control(
            "Others unknown: K",
            [_PLUG_IN, _SPREAD],
            default=_PLUG_IN,
            key="susceptibility",
            help=_SUSCEPTIBILITY_HELP,
        )
        figure_presets.draw([*figure_presets.OF_PAPER_000, *figure_presets.OF_PAPER_004])
    setting = ReleaseSetting(
        choice,
        choice.records,
        choice.dimension,
        choice.clip,
        Reading(reading or Reading.MINIMAX),
        susceptibility == _SPREAD,
    )
    with st.sidebar:
        st.caption(_batch_words(setting))
    return setting


def _batch_words(setting: ReleaseSetting) -> str:
    """The size of a batch, the passes over the data, and the noise on the mean; what is not set says so."""
    phase, batch = setting.phases[0], setting.batch
    epochs = phase.steps * phase.sampling_rate
    passes = f"; {phase.steps:,} steps are {_few(epochs)} epochs" if len(setting.phases) == 1 < phase.steps else ""
    if setting.records is None or batch is None:
        return f"Size of a batch: {release_size.NOT_SET} (enter N){passes}."
    average = "on average " if phase.sampling is Sampling.POISSON and phase.sampling_rate < 1.0 else ""
    where = "" if len(setting.phases) == 1 else " in the first phase"
    words = f"A batch{where} holds {average}{_few(batch)} of {setting.records:,} records{passes}."
    if setting.clip is None:
        return f"{words} Noise on the mean gradient: {release_size.NOT_SET} (enter C)."
    noise = phase.noise_multiplier * setting.clip / batch  # tau = s C / n
    return f"{words} The noise on the mean gradient is {noise:.3g} in each coordinate{where and ' there'}."


def _few(number: float) -> str:
    """A number of records or passes: whole ones where they are many."""
    return f"{number:,.0f}" if number >= 10.0 or number == round(number) else f"{number:.2g}"
