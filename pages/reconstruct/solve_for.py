"""The inverse questions: the noise for a wanted reconstruction probability, and the guesses that this release keeps."""

import streamlit as st

from pages.reconstruct.controls import ReconstructionSetting
from pages.ui import cached_reconstruction, solve_for
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import one_in, rounded_down, rounded_up

KEYS = ("goal_reconstruction",)


def draw(setting: ReconstructionSetting) -> None:
    """Draw the limit, the noise that keeps it, and the guesses that the release in force keeps below it."""
    words = "Largest acceptable probability that a record is reconstructed"
    limit = number_box(words, KEYS[0], (1e-9, 0.999), 0.05, width=420)
    st.markdown(f"**How much noise does it take,** if a guess is right {one_in(setting.prior)} times beforehand?")
    try:
        with st.spinner("Searching the smallest noise that keeps this limit …", show_time=True):
            found = cached_reconstruction.noise_for(limit, setting.prior, setting.release.with_noise(1.0))
    except ValueError as reason:
        st.warning(f"No noise found: {reason}", icon=":material/search_off:")
    else:
        solve_for.answer(found)
    with error_boundary("largest guess"):
        largest = cached_reconstruction.largest_prior(setting.release, limit)
        st.markdown("**How well may the attacker guess beforehand,** with the release as it is?")
        st.success(
            f"Up to **κ = {rounded_down(largest.lower, 5)}** reconstruction stays at or below {limit:g}."
            + ("" if largest.width == 0 else f" From {rounded_up(largest.upper, 5)} on that is no longer promised."),
            icon=":material/check:",
        )
