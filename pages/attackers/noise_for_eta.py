"""The release's eta, and the way to the noise with which a statistic of a table hides as well who was drawn."""

from contextlib import suppress

import streamlit as st

from numerics.membership import Game
from pages.ui import threat_models
from pages.ui.catalog import FRONTIER
from pages.ui.numbers_in_words import floor_digits, rounded_up
from pages.ui.threat_models import ReleaseSetting

_ETAS = (1e-4, 0.499)  # that Frontier takes
_DIGITS = 4
# The mean of so few bundled records that every half can be tried.
_TABLE = {
    "frontier.weigh": "a statistic",
    "frontier.stat_more": "a table of my own",
    "frontier.stat_released": "mean",
    "frontier.stat_rows": "12",
}


def draw(setting: ReleaseSetting) -> None:
    """Say the release's eta for exact halves, and link to the noise of a table for the same."""
    eta = None
    with suppress(ValueError):
        eta = threat_models.eta(setting.replace_one, Game.HALVES).upper
    wanted, words = {}, "η of this release is not known."
    if eta is not None:
        right = rounded_up(50.0 + 100.0 * eta, _DIGITS)
        words = f"Who is in a random half is guessed with accuracy at most {right} % here: η is {rounded_up(eta)}."
        if _ETAS[0] <= eta <= _ETAS[1]:
            wanted = {"frontier.stat_eta": f"{floor_digits(eta, _DIGITS):g}"}
    st.markdown(
        f"{words} Which noise on a statistic of a table hides that as well? By the one-swap bound, by differential "
        "privacy, by the paper's constant and, of few records, exactly."
    )
    st.page_link(FRONTIER.script, label="Noise for a table", icon=FRONTIER.icon, query_params=_TABLE | wanted)
