"""The release, what the attacker can guess beforehand, and how both are looked at."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal

import streamlit as st

from pages.reconstruct.prior import KAPPA
from pages.ui import address, cached
from pages.ui.figure_controls import WHOLE, nearest
from pages.ui.prior_guess import Known
from pages.ui.release_controls import ReleaseChoice
from pages.ui.release_curves import Release
from pages.ui.segmented_control import segmented_control
from plotting.curves import Axes

_URL: Literal["query-params"] = "query-params"
KEYS = ("axes", "guess_window", "also", "across")
CHART = "reconstruction_chart"
_WINDOWS = {WHOLE: 1.0, "up to 10 %": 0.1, "up to 1 %": 0.01, "up to 0.1 %": 0.001}
_ALSO_HELP = (
    "RTM: an attacker who holds no candidates, so not even the side the record pulls to (one dimension, its worst "
    "case). From ε and δ alone: what they promise without knowing the mechanism."
)


class Also(StrEnum):
    """What can be drawn beside the release's own curve; the values are the labels, and the values in the URL."""

    RELAXED = "record unknown (RTM)"
    EPSILON = "from ε and δ alone"


class Across(StrEnum):
    """What the second figure's horizontal axis is."""

    EFFECT = "effect size"
    EPSILON = "ε"


@dataclass(frozen=True)
class ReconstructionSetting:
    """What the page says in this run.

    Attributes:
        choice: the shared controls.
        known: what the attacker can guess beforehand.
        axes: of the first figure.
        largest_prior: the largest prior on it.
        also: what is drawn beside the release's own curve.
        across: the second figure's horizontal axis.
    """

    choice: ReleaseChoice
    known: Known
    axes: Axes
    largest_prior: float
    also: tuple[Also, ...]
    across: Across

    @property
    def release(self) -> Release:
        """The release in force."""
        return self.choice.mechanism

    @property
    def prior(self) -> float:
        """How likely a right guess is beforehand, kappa."""
        return self.known.kappa

    @property
    def epsilon(self) -> float:
        """The release's own epsilon at the delta in force: the guarantee."""
        return cached.epsilon(self.release, self.choice.delta).upper


def draw(choice: ReleaseChoice, known: Known) -> ReconstructionSetting:
    """Draw the row of choices."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        axes = segmented_control("Axes", list(Axes), default=Axes.LOG, key="axes")
        window = segmented_control("Guesses shown", list(_WINDOWS), default=WHOLE, key="guess_window")
        across = segmented_control("Second figure against", list(Across), default=Across.EFFECT, key="across")
        also = st.pills("Also shown", list(Also), selection_mode="multi", key="also", bind=_URL, help=_ALSO_HELP)
    return ReconstructionSetting(
        choice,
        known,
        axes,
        _WINDOWS[window],
        tuple(map(Also, also)),
        across,
    )


def take_click() -> None:
    """Make the clicked point's prior the one in force. For the chart's ``on_select``."""
    points = st.session_state[CHART]["selection"]["points"]
    if points:
        put_prior(nearest(float(points[0]["x"]), KAPPA.values))


def put_prior(prior: float) -> None:
    """Let the attacker guess right with this probability. For a callback: the widgets must not be drawn yet."""
    st.session_state["knows"] = "a probability"
    KAPPA.put(float(f"{prior:.3g}"))
    round_value = st.session_state[KAPPA.key]
    address.put(KAPPA.key, round_value)
