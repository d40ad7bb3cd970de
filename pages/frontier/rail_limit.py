"""The limit that the visitor keeps on every page, for views that have a slider of their own."""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.ui.numbers_in_words import CROWD
from pages.ui.release_controls import STARTS


@dataclass(frozen=True)
class RailLimit:
    """At most ``found`` of those in the data may be found while ``alpha`` of the others are falsely accused."""

    found: float
    alpha: float

    @property
    def words(self) -> str:
        """In people, as the rail says it."""
        return (
            f"at most {self.found * CROWD:,g} of {CROWD:,} found while {self.alpha * CROWD:,g} of {CROWD:,} are "
            "falsely accused"
        )


def in_force() -> RailLimit:
    """What the rail says, or where it starts on a page without one."""
    found, alpha = (float(st.session_state.get(key, STARTS[key])) for key in ("limit", "accused"))
    return RailLimit(float(f"{found / CROWD:.15g}"), float(f"{alpha / CROWD:.15g}"))


def draw(is_kept: Callable[[RailLimit], bool], use: Callable[[RailLimit], None]) -> None:
    """Draw the button that takes the limit over; it rests where the view keeps to that limit already."""
    limit = in_force()
    rests = is_kept(limit)
    st.button(
        f"My limit: {limit.found * CROWD:,g}",
        icon=":material/check:" if rests else ":material/flag:",
        help=f"The limit that goes along to every page: {limit.words}.",
        key="use_my_limit",
        disabled=rests,
        on_click=use,
        args=(limit,),
    )
