"""The visitor's limit on an attack, whatever its success is counted in: its words, its slider and its axis."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

import streamlit as st

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget
from numerics.gaussian_membership.calibration import MuTarget
from pages.ui.numbers_in_words import CROWD, as_entered, at_most, counted, quantity
from pages.ui.release_controls import STARTS

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


def in_short(limit: Limit) -> str:
    """The largest success an attacker may have, in few words."""
    match limit:
        case PowerTarget():
            return f"at most {at_most(limit.power)} found"
        case AdvantageTarget():
            return f"at most {at_most(limit.advantage)} more found than accused"
        case EpsilonTarget():
            return f"ε at most {limit.epsilon:g}"
    return f"μ at most {limit.mu:.3g}"


def in_full(limit: Limit) -> str:
    """The same, with what else has to be known to understand it."""
    short = in_short(limit)
    match limit:
        case PowerTarget():
            return f"{short} while falsely accusing {counted(limit.alpha, at_most(limit.power).of)}"
        case AdvantageTarget():
            return f"{short}, of as many outsiders"
        case EpsilonTarget():
            return f"{short}, δ = {as_entered(limit.delta)}"
    return f"the attacker faces two normal laws {limit.mu:.3g} standard deviations apart ({short})"


def axis(limit: Limit) -> str:
    """The title of an axis of such limits."""
    match limit:
        case PowerTarget():
            return f"Members found, of {CROWD:,}, at most"
        case AdvantageTarget():
            return f"More found than accused, of {CROWD:,}, at most"
        case EpsilonTarget():
            return f"ε at δ = {as_entered(limit.delta)}"
    return "μ, at most"


def unit(limit: Limit) -> float:
    """What a limit is multiplied with where it is shown: people are counted, an ε or a μ is not."""
    return CROWD if isinstance(limit, PowerTarget | AdvantageTarget) else 1.0


@dataclass(frozen=True)
class RailLimit:
    """At most ``found`` of those in the data may be found while ``alpha`` of the others are falsely accused."""

    found: float
    alpha: float

    @property
    def words(self) -> str:
        """In people, as the rail says it."""
        found, accused = (f"{quantity(share * CROWD)} of {CROWD:,}" for share in (self.found, self.alpha))
        return f"at most {found} found while {accused} are falsely accused"


def of_the_rail() -> RailLimit:
    """What the rail says, or where it starts on a page without one."""
    found, alpha = (float(st.session_state.get(key, STARTS[key])) for key in ("limit", "accused"))
    return RailLimit(float(f"{found / CROWD:.15g}"), float(f"{alpha / CROWD:.15g}"))


def draw_my_limit(is_kept: Callable[[RailLimit], bool], use: Callable[[RailLimit], None]) -> None:
    """Draw the button that takes the limit over; it rests where the view keeps to that limit already."""
    limit = of_the_rail()
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
