"""The visitor's limit on an attack, whatever its success is counted in: its words, its slider and its axis."""

from collections.abc import Callable
from enum import StrEnum
from typing import NamedTuple

import streamlit as st

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget
from numerics.gaussian_membership.calibration import MuTarget
from pages.ui.numbers_in_words import CROWD, as_entered, at_most, counted, quantity
from pages.ui.release_in_force import DEFAULTS

Limit = PowerTarget | AdvantageTarget | EpsilonTarget | MuTarget


class LimitOn(StrEnum):
    """What an attack's success is counted in; the values are the labels, and the values in the URL."""

    FOUND = "members found"
    ADVANTAGE = "advantage"
    MU = "μ"
    EPSILON = "ε"

    @property
    def slider(self) -> str:
        """The label of the slider that sets it; "my limit" is that of the rail. Short, for the line of a telephone.

        Of how many people are counted, the answer says above it and the axes below.
        """
        shown = {LimitOn.FOUND: "found at most", LimitOn.ADVANTAGE: "more found than accused"}
        return f"private ← {shown.get(self, self.value)} → accurate"


class LimitWords(NamedTuple):
    """How a limit is said.

    Attributes:
        headline: the largest success an attacker may have and the condition it holds under, in few words.
        full: the same, with what else has to be known to understand it.
        axis: the title of an axis of such limits.
        unit: what it is multiplied with where it is shown: people are counted, an ε or a μ is not.
    """

    headline: str
    full: str
    axis: str
    unit: float


def words(limit: Limit) -> LimitWords:
    """How ``limit`` is said."""
    match limit:
        case PowerTarget():
            most = at_most(limit.power)
            found, wronged = f"at most {most} found while falsely accusing", limit.alpha * most.of
            axis = f"Members found, of {CROWD:,}, at most"
            return LimitWords(f"{found} {wronged:,.6g}", f"{found} {counted(limit.alpha, most.of)}", axis, CROWD)
        case AdvantageTarget():
            short = f"at most {at_most(limit.advantage)} more found than accused"
            axis = f"More found than accused, of {CROWD:,}, at most"
            return LimitWords(short, f"{short}, of as many outsiders", axis, CROWD)
        case EpsilonTarget():
            delta = as_entered(limit.delta)
            words = f"ε at most {limit.epsilon:g}, δ = {delta}"
            return LimitWords(words, words, f"ε at δ = {delta}", 1.0)
    short = f"μ at most {limit.mu:.3g}"
    full = f"the attacker faces two normal laws {limit.mu:.3g} standard deviations apart ({short})"
    return LimitWords(short, full, "μ, at most", 1.0)


class RailLimit(NamedTuple):
    """At most ``found`` of those in the data may be found while ``alpha`` of the others are falsely accused."""

    found: float
    alpha: float

    @property
    def words(self) -> str:
        """In people, as the rail says it."""
        found, accused = (f"{quantity(share * CROWD)} of {CROWD:,}" for share in self)
        return f"at most {found} found while {accused} are falsely accused"


def draw_my_limit(is_kept: Callable[[RailLimit], bool], use: Callable[[RailLimit], None]) -> None:
    """Draw the button that takes the rail's limit over; it rests where the view keeps to that limit already."""
    # What the rail says, or where it starts on a page without one.
    found, accused = (float(st.session_state.get(key, DEFAULTS[key])) for key in ("limit", "accused"))
    limit = RailLimit(float(f"{found / CROWD:.15g}"), float(f"{accused / CROWD:.15g}"))
    rests = is_kept(limit)
    st.button(
        f"My limit: {quantity(limit.found * CROWD)}",
        icon=":material/check:" if rests else ":material/flag:",
        help=f"The limit that goes along to every page: {limit.words}.",
        key="frontier.use_my_limit",
        disabled=rests,
        on_click=use,
        args=(limit,),
    )
