"""The limit of all pages as this one reads it: in words, on a slider, and at the rate that models were trained for."""

from math import floor, log10

import streamlit as st

from numerics.calibration import PowerTarget
from pages.ui import release_in_force
from pages.ui.controls import round_values
from pages.ui.limit import Limit as LimitOfAllPages
from pages.ui.numbers_in_words import CROWD, at_most, counted, of_crowd, quantity
from pages.ui.release_in_force import DEFAULTS

SLIDER = "frontier.limit"
"""Its key."""
_HELP = (
    "My limit, the same on every page: how many members may be found at most, while as many outsiders are falsely "
    "accused as the sidebar says. The sidebar takes every number."
)
_LEAST = 1e-6  # people; stricter limits are entered in the sidebar
_STEPS = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)  # of a decade


class Limit(LimitOfAllPages):
    """The limit in force, as noise is calibrated to it, as a headline says it and as the slider has it."""

    @classmethod
    def current(cls) -> "Limit":
        """What the sidebar says, or where it starts on a page without one."""
        found, accused = (float(st.session_state.get(key, DEFAULTS[key])) for key in ("limit", "accused"))
        return cls(float(f"{found / CROWD:.15g}"), float(f"{accused / CROWD:.15g}"))

    @property
    def count(self) -> float:
        """How many of 10,000 may be found."""
        return of_crowd(self.found)

    @property
    def refusal(self) -> str:
        """Why there is nothing to protect, or nothing that could; empty for a limit that noise can keep."""
        if self.is_out_of_reach:
            guessed = f"{quantity(self.alpha * CROWD)} of {CROWD:,}"
            return (
                f"The limit must be above {guessed}, whom guessing finds: allow more, or lower the false accusations."
            )
        return "" if self.found < 1.0 else "The limit lets everybody be found, which takes no noise: allow fewer."

    @property
    def target(self) -> PowerTarget:
        """As noise is calibrated to it."""
        return PowerTarget(self.found, self.alpha)

    @property
    def headline(self) -> str:
        """The limit with its condition, in few words."""
        most = at_most(self.found)
        return f"at most {most} found while falsely accusing {self.alpha * most.of:,.6g}"

    @property
    def full(self) -> str:
        """The same, and of how many people everybody is counted."""
        most = at_most(self.found)
        return f"at most {most} found while falsely accusing {counted(self.alpha, most.of)}"


def axis(alpha: float) -> str:
    """The title of an axis of limits that hold while a share ``alpha`` is accused."""
    return f"Found of {CROWD:,} while accusing {quantity(alpha * CROWD)}, at most"


def round_limits(alpha: float) -> list[Limit]:
    """The limits that the slider has: round numbers of 10,000, above what guessing finds."""
    values = round_values(floor(log10(max(alpha * CROWD, _LEAST))), 9000.0, _STEPS)
    return [limit for value in values if (limit := Limit(float(f"{value / CROWD:.15g}"), alpha)).found > alpha]


def draw_slider() -> None:
    """Draw the limit as a slider; it shows what the sidebar says, and moved it says so there."""
    now = Limit.current()
    st.session_state[SLIDER] = now.count
    st.select_slider(
        "private ← my limit: found at most → accurate",
        sorted({now.count, *(limit.count for limit in round_limits(now.alpha))}),
        format_func=quantity,
        key=SLIDER,
        help=_HELP,
        on_change=_use,
    )


def _use() -> None:
    release_in_force.put({"limit": float(st.session_state[SLIDER])})
