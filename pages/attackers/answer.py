"""What the attackers find: the verdict against the limit, a figure of those who can be compared, and the ledger."""

from collections.abc import Mapping, Sequence

import streamlit as st

from numerics.trade_off import Bound, Bracket
from pages.ui import people_scene, threat_models
from pages.ui.chart import CurveView
from pages.ui.numbers_in_words import is_within, rounded_down, rounded_up
from pages.ui.result_header import Headline, surely
from pages.ui.threat_models import ATTACKERS, FULL, OTHERS, RELAXED, SAMPLE, ReleaseSetting, ThreatModel, View
from plotting import theme
from plotting.attackers import attackers_figure
from plotting.people_rows import AttackerRow, AttackersFrame

WHY = {
    FULL: "Nobody finds more.",
    RELAXED: "Without knowing which way the record pulls, the attacker has to watch both sides.",
    SAMPLE: "What limits full knowledge limits this attacker too, and no smaller number is proved.",
    OTHERS: "Other people's gradients hide the record like further noise: an estimate, for a typical record.",
}
"""Why an attacker finds so many."""
_CLOSED = "door closed"


def count(setting: ReleaseSetting, view: View) -> int | None:
    """How many are found behind a door; None where there is no number."""
    if view.found is None or view.curve is None:
        return None
    return Headline.of(setting.choice).count(view.found, view.curve.bound)


def said(setting: ReleaseSetting, found: Bracket, bound: Bound) -> str:
    """The count with what may be claimed of it: ``at most 41``."""
    return f"{surely(bound)} {Headline.of(setting.choice).count(found, bound):,}"


def verdict(setting: ReleaseSetting, full: View) -> str:
    """The most that anybody finds, against the limit; the doors say what others find."""
    if full.found is None or full.curve is None:
        return "None of the attackers' success is computed here for this release."
    stated, bound = Headline.of(setting.choice), full.curve.bound
    limit = people_scene.limit_count(setting.choice.limit, stated.crowd)
    is_met = is_within(full.found.upper, setting.choice.limit)
    held = people_scene.verdict(stated.count(full.found, bound), limit, not is_met)
    return f"{stated.sentence(full.found, bound)}: {held[0].lower()}{held[1:]}"


def in_full(setting: ReleaseSetting, full: View, opened: Sequence[View]) -> str:
    """The verdict with what the opened doors show that is less, where no doors are seen."""
    most, stated = count(setting, full) or 0, Headline.of(setting.choice)
    less = [
        f"{view.model.short.capitalize()}: {surely(curve.bound)} **{fewer:,}**."
        for view, curve, found in threat_models.comparable(opened)
        if (fewer := stated.count(found, curve.bound)) < most
    ]
    return " ".join([verdict(setting, full), *less, f"{stated.guessing[0].upper()}{stated.guessing[1:]}."])


def absent(seen: Sequence[View]) -> dict[str, str]:
    """Whose curve is missing from the figure and its data though the door is open, and why."""
    return {view.model.notion: f"no curve: {view.note or view.absent}" for view in seen if view.curve is None}


def row(setting: ReleaseSetting, view: View, found: Bracket, bound: Bound) -> AttackerRow:
    """The people that an attacker finds, as a row of the figure."""
    counted = Headline.of(setting.choice).count(found, bound)
    return AttackerRow(view.model.short, view.model.color, counted, said(setting, found, bound), found, view.curve)


def figure(setting: ReleaseSetting, seen: Sequence[View], look: CurveView) -> theme.Figure:
    """People and curves of those whose numbers are about the same neighbours and sampling."""
    choice = setting.choice
    rows = [row(setting, view, found, curve.bound) for view, curve, found in threat_models.comparable(seen)]
    of = Headline.of(choice).crowd
    scene = AttackersFrame(
        choice.alpha, choice.limit, of, choice.order, look.axes, look.largest_alpha, look.counts_people
    )
    return attackers_figure(rows, scene)


# The ledger: what each attacker knows, which data sets its notion compares, what it finds once its door is open.


def draw_ledger(setting: ReleaseSetting, seen: Mapping[ThreatModel, View]) -> None:
    """Draw the table, and what follows from its first number."""
    st.table(ledger(setting, seen), hide_index=True)
    st.caption("The first number holds against whoever knows less; a smaller one needs a proof of its own.")


def ledger(setting: ReleaseSetting, seen: Mapping[ThreatModel, View]) -> dict[str, list[str]]:
    """The columns: in plain words but for the last, the share that is found."""
    return {
        "Attacker": [f"**{model.notion}** {model.name}" for model in ATTACKERS],
        "Knows": [model.knows for model in ATTACKERS],
        "Hidden": [model.hidden for model in ATTACKERS],
        "Neighbours; sampling": [_compared(setting, model) for model in ATTACKERS],
        "Share found": [share(setting, seen[model]) if model in seen else _CLOSED for model in ATTACKERS],
    }


def share(setting: ReleaseSetting, view: View) -> str:
    """The share of members found, with eta for whom it is stated; no number of those who stand apart."""
    if view.differs:
        return threat_models.NOT_DEFINED if view.absent == threat_models.NOT_DEFINED else "apart"
    if view.found is None or view.curve is None:
        return view.absent
    found = rounded_down(view.found.lower) if view.curve.bound is Bound.UPPER else rounded_up(view.found.upper)
    if view.model is not SAMPLE:
        return found
    played = threat_models.game(setting)  # the one that compares the neighbours in force
    return f"{found}; η at most {rounded_up(threat_models.eta(setting.release, played).upper)} ({played})"


def _compared(setting: ReleaseSetting, model: ThreatModel) -> str:
    if not threat_models.differs(setting, model):
        return "; ".join(threat_models.compared(setting, model))
    return (
        threat_models.NOT_DEFINED
        if model is RELAXED
        else f"{'; '.join(threat_models.compared(setting, model))} (apart)"
    )
