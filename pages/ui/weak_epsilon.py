"""Words for an epsilon that promises next to nothing."""

import numpy as np

from pages.ui import cached
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, rounded_up
from pages.ui.release_in_force import ReleaseChoice

_WEAK_EPSILON = 10.0
_COUNTED = 1e6  # larger factors are powers of ten
_SHOWN_EPSILON = 50.0  # e^50 is beyond any odds anybody has


def warning(choice: ReleaseChoice) -> str:
    """Words for an epsilon that promises next to nothing; empty for one that protects."""
    epsilon = cached.epsilon(choice.mechanism, choice.delta)
    if epsilon.upper <= _WEAK_EPSILON:
        return ""
    delta = f"δ = {as_entered(choice.delta)}"
    if np.isinf(epsilon.upper):
        return (
            f"**No ε is known to hold at {delta}:** with a larger chance than δ the release may make an "
            "attacker sure, or all but sure, about a member. A larger δ or fewer steps would change that, and more "
            "noise where it is not truncated."
        )
    if epsilon.upper > _SHOWN_EPSILON:
        return (
            f"**ε is too large to promise anything at {delta}:** with a larger chance than δ the release may make an "
            "attacker all but sure about a member. More noise, fewer steps or a smaller sampling rate would change "
            "that."
        )
    shown, factor = rounded_up(epsilon.upper, EPSILON_DIGITS), float(np.exp(epsilon.upper))
    times = f"{np.ceil(factor):,.0f}" if factor < _COUNTED else rounded_up(factor)
    return (
        f"**An ε of {shown} promises little:** the release may move the odds about one person by a factor of "
        f"{times}. Judge it by what the attacker finds, shown here, or add noise."
    )
