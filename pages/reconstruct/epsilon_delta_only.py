"""Nothing but epsilon and delta is known: what they promise about reconstruction, tight and by the paper's theorem."""

import streamlit as st

from numerics import reconstruction
from pages.reconstruct.controls import ReconstructionSetting
from pages.ui import cached_reconstruction, readout
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, ceiling_digits, rounded_up
from pages.ui.prior_guess import in_words

KEYS = ("reconstruct.known_epsilon", "reconstruct.known_delta")
_LARGEST = 100.0


def draw(setting: ReconstructionSetting) -> None:
    """Draw the two numbers and what follows from them."""
    with st.container(horizontal=True):
        # It starts with what the release in force keeps.
        own = ceiling_digits(min(setting.epsilon, _LARGEST), EPSILON_DIGITS)
        epsilon = number_box("ε", "reconstruct.known_epsilon", (0.0, _LARGEST), own, width=160)
        kept = setting.choice.delta
        delta = number_box("δ", "reconstruct.known_delta", (0.0, 0.5), kept, step=1e-6, width=160)
    found = reconstruction.from_epsilon_delta(epsilon, delta, setting.prior)
    guessed, rebuilt = in_words(setting.prior, found.tight)
    readout.answer(
        f"Whatever the mechanism, a guess right {guessed} times becomes right at most **{rebuilt}** times.", level=3
    )
    st.table(
        {
            "bound": ["tight: min{1, eᵋκ + δ, 1 − e⁻ᵋ(1 − δ − κ)}", "paper 003, Theorem 1: min{1, eᵋκ + δ}"],
            "γ at most": [rounded_up(found.tight, 6), rounded_up(found.printed, 6)],
        },
        hide_index=True,
    )
    known = cached_reconstruction.success(setting.release, setting.prior)
    promised = rounded_up(setting.epsilon, EPSILON_DIGITS)
    st.caption(
        f"The release in force keeps ε = {promised} at δ = {as_entered(setting.choice.delta)}; "
        f"knowing the mechanism itself gives γ at most {rounded_up(known.upper)}. Both forms are valid (add/remove); "
        "the tight one uses the reverse direction of the promise too (correction 37)."
    )
