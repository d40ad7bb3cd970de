"""What the page says in one run: release, guess, how often that may be right, and how the figure looks."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import streamlit as st

from numerics import reconstruction
from numerics.mechanisms import Adjacency, Mechanism
from numerics.privacy_loss import Precision
from numerics.trade_off import Bound, Bracket, Floats, TradeOffCurve
from pages.reconstruct.limit import GuessLimit
from pages.reconstruct.prior import COMMONER, KAPPA, Knows
from pages.server.shared_cache import shared_cache
from pages.ui import address, cached, estimates, prior_guess
from pages.ui.chart import WHOLE
from pages.ui.controls import nearest, segmented_control
from pages.ui.estimates import EstimateChoice
from pages.ui.prior_guess import Guessed, Known
from pages.ui.release_in_force import ReleaseChoice
from plotting.curves import Axes

KEYS = ("reconstruct.axes", "reconstruct.guess_window", "reconstruct.also", "estimates", "edgeworth_order")
CHART = "reconstruct.reconstruction_chart"
_WINDOWS = {WHOLE: 1.0, "up to 10 %": 0.1, "up to 1 %": 0.01, "up to 0.1 %": 0.001}
_ALSO_HELP = (
    "RTM: an attacker who holds no candidates, so not even the side the record pulls to (one dimension, its worst "
    "case). From ε and δ alone: what they promise without knowing the mechanism."
)
NO_ESTIMATES = EstimateChoice()


class ExtraCurve(StrEnum):
    """What can be drawn beside the release's own curve; the values are the labels, and the values in the URL."""

    RELAXED = "record unknown (RTM)"
    EPSILON = "from ε and δ alone"


_SHARES = np.union1d(np.linspace(0.5, 0.99, 50), 1.0 - np.geomspace(1e-3, 1e-2, 11))


@shared_cache
def attribute_curve(release: Mechanism, *, precision: Precision = prior_guess.PRECISION) -> TradeOffCurve:
    """Inference of an attribute (power) for every share of the commoner answer (alpha), from even to nearly all."""
    found = [reconstruction.attribute_inference(release, float(share), precision) for share in _SHARES]
    lower, middle, upper = (np.array(side) for side in zip(*found, strict=True))
    replaced = release.with_neighbours(Adjacency.REPLACE_ONE)

    def side(power: Floats, bound: Bound, *sides: TradeOffCurve) -> TradeOffCurve:
        return TradeOffCurve(_SHARES.copy(), 1.0 - power, power, bound, release.label, replaced.assumptions, *sides)

    shown = middle if replaced.bound is Bound.CERTIFIED else upper
    if replaced.bound not in (Bound.CERTIFIED, Bound.OPEN):
        return side(shown, replaced.bound)
    return side(shown, replaced.bound, side(upper, Bound.LOWER), side(lower, Bound.UPPER))


@dataclass(frozen=True)
class FigureChoice:
    """How the figure looks at the release; it ends at ``largest_prior``.

    The estimates are laid over the figure against other noise, too.
    """

    axes: Axes = Axes.LOG
    largest_prior: float = 1.0
    also: tuple[ExtraCurve, ...] = ()
    estimates: EstimateChoice = NO_ESTIMATES


@dataclass(frozen=True)
class ReconstructionSetting:
    """What the controls say, and what is asked of the release most often."""

    choice: ReleaseChoice
    known: Known
    shown: FigureChoice

    @property
    def release(self) -> Mechanism:
        """The release in force."""
        return self.choice.mechanism

    @property
    def prior(self) -> float:
        """How likely a right guess is beforehand, kappa."""
        return self.known.kappa

    @property
    def limit(self) -> GuessLimit:
        """How often the guess may be right."""
        return GuessLimit.of(self.choice, self.known)

    @property
    def is_yes_or_no(self) -> bool:
        """Whether a yes or no is guessed, which has a curve of its own."""
        return self.known.guessed is Guessed.YES_OR_NO

    @property
    def success(self) -> Bracket:
        """How often the attacker is right with the release, in what it guesses."""
        return prior_guess.guessed_right(self.release, self.known)

    @property
    def epsilon(self) -> float:
        """The release's own epsilon at the delta in force: the guarantee."""
        return cached.epsilon(self.release, self.choice.delta).upper

    def curve(self, release: Mechanism) -> TradeOffCurve:
        """How often the attacker is right with a release, for every guess."""
        return (attribute_curve if self.is_yes_or_no else prior_guess.curve)(release)


def draw_figure_choice() -> FigureChoice:
    """Draw how the figure looks at the release, folded away."""
    fold = st.expander("Change the figure", type="compact")
    fold.caption("Click on the curve to look at another guess.")
    with fold.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        axes = segmented_control("Axes", list(Axes), default=Axes.LOG, key="reconstruct.axes")
        window = segmented_control("Guesses shown", list(_WINDOWS), default=WHOLE, key="reconstruct.guess_window")
        also = st.pills(
            "Also shown",
            list(ExtraCurve),
            selection_mode="multi",
            key="reconstruct.also",
            bind="query-params",
            help=_ALSO_HELP,
        )
        return FigureChoice(axes, _WINDOWS[window], tuple(map(ExtraCurve, also)), estimates.draw())


def take_click() -> None:
    """Make the clicked point's prior the one in force. For the chart's ``on_select``."""
    for point in st.session_state[CHART]["selection"]["points"][:1]:
        clicked = float(point["x"])
        if st.session_state.get("reconstruct.guessed") == Guessed.YES_OR_NO:
            COMMONER.put(min(COMMONER.values, key=lambda share: abs(share - clicked)))
        else:
            st.session_state["reconstruct.knows"] = Knows.PROBABILITY
            KAPPA.put(float(f"{nearest(clicked, KAPPA.values):.3g}"))
            address.put(KAPPA.key, st.session_state[KAPPA.key])
