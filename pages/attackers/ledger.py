"""The ledger: what each attacker knows, which data sets its notion compares, what it finds once its door is open."""

from collections.abc import Mapping

import streamlit as st

from numerics.trade_off import Bound
from pages.ui import threat_models
from pages.ui.numbers_in_words import rounded_down, rounded_up
from pages.ui.threat_models import (
    ATTACKERS,
    NOT_DEFINED,
    RELAXED,
    SAMPLE,
    ReleaseSetting,
    ThreatModel,
    View,
    compared,
    differs,
    game,
)

CLOSED = "door closed"
_WHOLE = "The first number holds against whoever knows less; a smaller one needs a proof of its own."


def draw(setting: ReleaseSetting, seen: Mapping[ThreatModel, View]) -> None:
    """Draw the table, and what is to be known of the numbers in it."""
    st.table(rows(setting, seen), hide_index=True)
    st.caption(_WHOLE)
    notes = [f"- **{view.model.notion}:** {view.note}" for view in seen.values() if view.note and not view.differs]
    if notes:
        st.caption("\n".join(notes))


def rows(setting: ReleaseSetting, seen: Mapping[ThreatModel, View]) -> dict[str, list[str]]:
    """The columns: in plain words but for the last, the share that is found."""
    return {
        "Attacker": [f"**{model.notion}** {model.name}" for model in ATTACKERS],
        "Knows": [model.knows for model in ATTACKERS],
        "Hidden": [model.hidden for model in ATTACKERS],
        "Neighbours; sampling": [_compared(setting, model) for model in ATTACKERS],
        "Share found": [number(setting, seen[model]) if model in seen else CLOSED for model in ATTACKERS],
    }


def number(setting: ReleaseSetting, view: View) -> str:
    """The share of members found, with eta for whom it is stated; no number of those who stand apart."""
    if view.differs:
        return NOT_DEFINED if view.absent == NOT_DEFINED else "apart"
    if view.found is None or view.curve is None:
        return view.absent
    found = rounded_down(view.found.lower) if view.curve.bound is Bound.UPPER else rounded_up(view.found.upper)
    if view.model is not SAMPLE:
        return found
    played = game(setting)  # the one that compares the neighbours in force
    return f"{found}; η at most {rounded_up(threat_models.eta(setting.release, played).upper)} ({played})"


def _compared(setting: ReleaseSetting, model: ThreatModel) -> str:
    if not differs(setting, model):
        return "; ".join(compared(setting, model))
    return NOT_DEFINED if model is RELAXED else f"{'; '.join(compared(setting, model))} (apart)"
