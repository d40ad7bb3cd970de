"""The inverse questions: the least noise that keeps the limit, and the guesses that this release keeps below it."""

import streamlit as st

from pages.reconstruct import limit
from pages.reconstruct.controls import ReconstructionSetting
from pages.ui import cached_reconstruction, solve_for
from pages.ui.error_boundary import error_boundary
from pages.ui.numbers_in_words import as_entered, one_in, rounded_down, rounded_up


def draw(setting: ReconstructionSetting) -> None:
    """Draw the least noise, and the guesses that the release in force keeps below the limit."""
    st.markdown(f"**How little noise is enough,** if a guess is right {one_in(setting.prior)} times beforehand?")
    try:
        with st.spinner("Searching the smallest noise that keeps this limit …", show_time=True):
            found = limit.least_noise(setting.release, setting.known, setting.limit)
    except ValueError as reason:
        st.warning(f"No noise found: {reason}", icon=":material/search_off:")
    else:
        solve_for.answer(found)
    with error_boundary("largest guess"):
        largest = cached_reconstruction.largest_prior(setting.release, setting.limit.share)
        st.markdown("**How well may the attacker guess beforehand,** with the release as it is?")
        st.success(
            f"Up to **κ = {rounded_down(largest.lower, 5)}** a guess among any number of values is right at most "
            f"{as_entered(setting.limit.share)} of the time."
            + ("" if largest.width == 0 else f" From {rounded_up(largest.upper, 5)} on that is no longer promised."),
            icon=":material/check:",
        )
