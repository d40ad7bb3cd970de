"""The release as the page sees it: the shared controls, and what the attackers' models need beside them."""

from dataclasses import replace

import streamlit as st

from numerics.mechanisms import Gaussian
from numerics.relaxed import RelaxedTest
from pages.ui.controls import segmented_control
from pages.ui.release_in_force import DEFAULT_RUN, ReleaseChoice
from pages.ui.threat_models import ReleaseSetting

TEXTBOOK_DIMENSION = (28 * 28 + 1) * 10
"""Parameters of the least model of the run that the app opens with: ten classes, from the pixels of MNIST."""
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
    """Draw how two of the attackers are read, and say what follows from the sizes of the run."""
    fold = st.expander("How two of them are read", type="compact")
    with fold, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        reading = st.selectbox(
            "Record unknown: reading",
            list(RelaxedTest),
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
    sized = with_dimension(choice)
    if sized.dimension != choice.dimension:
        st.caption(
            f"d = {TEXTBOOK_DIMENSION:,}: softmax regression on the images of this textbook run. Set yours under More."
        )
    return ReleaseSetting(sized, RelaxedTest(reading or RelaxedTest.MINIMAX), susceptibility == _SPREAD)


def with_dimension(choice: ReleaseChoice) -> ReleaseChoice:
    """The choice; on the data of the run that the app opens with, its d where no other was set.

    So every attacker has a number before anybody has set anything. Of other data it would be somebody else's d.
    """
    on_its_data = choice.run is not None and choice.run.people == DEFAULT_RUN.people
    if choice.dimension is None and on_its_data and isinstance(choice.mechanism, Gaussian):
        return replace(choice, dimension=TEXTBOOK_DIMENSION)
    return choice
