"""The attacker who does not know the record, laid over the explorer's figures on request."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from types import MappingProxyType

import streamlit as st

from numerics.mechanisms import Adjacency
from numerics.relaxed import RelaxedTest
from numerics.trade_off import TradeOffCurve
from pages.ui import cached_threat_models, release_controls, skipped
from pages.ui.error_boundary import error_boundary
from pages.ui.release_choice import ReleaseChoice
from plotting.power import PowerCurve

STARTS: Mapping[str, object] = MappingProxyType({"mechanism.relaxed": False})
KEYS = tuple(STARTS)
_HELP = (
    "Relaxed threat model (RTM): the attacker knows everything but the record, so not the side or direction it pulls "
    "to. No guarantee against one who guesses it. More on the page Attackers."
)

_NOT_DEFINED = (
    "No curve for an unknown record: what replaces it is not defined. Under “More” add/remove neighbours can be chosen."
)


def draw() -> int:
    """Draw the switch; returns the dimension when on, 1 where it is not set, and 0 when off."""
    if not st.toggle("Record unknown (RTM)", key="mechanism.relaxed", bind="query-params", help=_HELP):
        return 0
    return release_controls.current().dimension or 1  # where an unknown direction protects least


def curves(choice: ReleaseChoice, dimension: int) -> list[TradeOffCurve]:
    """The relaxed curve of the release; none when off or where there is none, which is then said."""
    if not dimension:
        return []
    if choice.mechanism.adjacency is Adjacency.REPLACE_ONE:
        st.info(_NOT_DEFINED, icon=":material/info:")
        return []
    label, found = f"record unknown, d = {dimension:,}", list[TradeOffCurve]()
    with error_boundary("curve for an unknown record"), skipped.if_no_time(label):
        curve = cached_threat_models.relaxed_curve(choice.mechanism, dimension, choice.order, RelaxedTest.MINIMAX)
        found.append(replace(curve, label=label))
    return found


def power_curves(choice: ReleaseChoice, dimension: int) -> list[PowerCurve]:
    """The same for power against effect size."""
    if not dimension:
        return []
    with suppress(ValueError), skipped.if_no_time("record unknown"):  # refused: said beside the trade-off curve
        return [
            cached_threat_models.relaxed_power_against_effect(choice.mechanism, choice.alpha, choice.order, dimension)
        ]
    return []
