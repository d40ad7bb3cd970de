"""The visitor's limit on an attack, whatever its success is counted in: its words, its slider and its axis."""

from enum import StrEnum

from numerics.calibration import AdvantageTarget, EpsilonTarget, PowerTarget
from numerics.gaussian_membership.calibration import MuTarget
from pages.ui.numbers_in_words import CROWD, as_entered, at_most, counted

Limit = PowerTarget | AdvantageTarget | EpsilonTarget | MuTarget


class LimitOn(StrEnum):
    """What an attack's success is counted in; the values are the labels, and the values in the URL."""

    FOUND = "members found"
    ADVANTAGE = "advantage"
    MU = "μ"
    EPSILON = "ε"

    @property
    def slider(self) -> str:
        """The label of the slider that sets it."""
        shown = {LimitOn.FOUND: f"found, of {CROWD:,}", LimitOn.ADVANTAGE: f"more found than accused, of {CROWD:,}"}
        return f"private ← my limit: {shown.get(self, self.value)} → accurate"


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
