"""Gaussian DP and Gaussian membership privacy (paper 004) of one step, either from the other."""

from enum import StrEnum

import streamlit as st

from numerics.gaussian_membership import composition
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import rounded_down, rounded_up
from pages.ui.segmented_control import segmented_control
from pages.ui.threat_models.release import ReleaseSetting

_LEVEL_HELP = "The attacker of paper 004 knows neither the batch nor the other records: mean gradients, Gaussian noise."
_MU_HELP = "For replaced records: μ = 2C/(nτ), with noise τ on the mean gradient."


class EffectSizeKind(StrEnum):
    """Which of the two effect sizes of paper 004 is entered; the values are labels, and values in the URL."""

    PRIVATE = "Gaussian DP (noise)"
    MEMBERSHIP = "membership"


def draw(setting: ReleaseSetting) -> None:
    """Gaussian DP and Gaussian membership privacy of one step, either way."""
    st.markdown("**Gaussian DP and Gaussian membership privacy (paper 004), one step**")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        start = segmented_control(
            "Enter the level of",
            list(EffectSizeKind),
            default=EffectSizeKind.PRIVATE,
            key="attackers.convert_level_of",
            help=_LEVEL_HELP,
        )
        level = number_box("μ of the step", "attackers.convert_level", (1e-4, 1e3), 1.0, help=_MU_HELP, width=140)
    try:
        _, batch, dimension = setting.sizes()
    except ValueError as reason:
        st.info(f"This conversion {reason}", icon=":material/info:")
        return
    with error_boundary("conversion of levels"):
        words = _private_words if start == EffectSizeKind.MEMBERSHIP else _relaxed_words
        st.markdown(words(level, batch, dimension))


def _where(batch: int, dimension: int) -> str:
    return f"batches of n = {batch:,} and d = {dimension:,} dimensions"


def _relaxed_words(level: float, batch: int, dimension: int) -> str:
    found = composition.relaxed_mu(level, batch, dimension)
    own = f"the other gradients and the noise alone would give {found.own:.4g}"
    if found.set_by_privacy:
        reason = f"the Gaussian-DP level itself, the lesser of two: {own}. The relaxed notion buys nothing here"
    else:
        reason = "below the Gaussian-DP level: the other gradients of the batch hide the record too"
    return (
        f"With {_where(batch, dimension)}, a step of {level:g}-GDP is **{rounded_up(found.mu, 4)}-GMIP**, {reason}. "
        ":orange-badge[estimate] K = d plug-in (correction 50)."
    )


def _private_words(level: float, batch: int, dimension: int) -> str:
    needed = composition.private_mu(level, batch, dimension)
    where = _where(batch, dimension)
    if needed == float("inf"):
        return (
            f"With {where}, {level:g}-GMIP needs **no noise at all**, so no Gaussian DP goes with it: an attacker who "
            "knows the other records of the batch finds the record for sure. :orange-badge[estimate]"
        )
    if needed <= level:
        return (
            f"With {where}, the formula's noise is that of {needed:.4g}-GDP, but {level:g}-GDP noise is already enough "
            f"for {level:g}-GMIP: **the lesser noise, {level:g}-GDP**, counts. :orange-badge[estimate]"
        )
    return (
        f"With {where}, {level:g}-GMIP takes the noise of **{rounded_down(needed, 4)}-GDP**. This re-expresses the "
        "noise; from the membership guarantee alone no differential privacy follows. :orange-badge[estimate]"
    )
