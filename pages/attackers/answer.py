"""The answer in words, and the ledger: what each attacker knows, and which data sets its notion compares."""

from collections.abc import Sequence
from math import ceil

import streamlit as st

from numerics.trade_off import Bound, Bracket, Order
from pages.ui import cached, cached_threat_models
from pages.ui.numbers_in_words import at_least, counted, rounded_down, rounded_up
from pages.ui.readout import Metric, guessed
from pages.ui.readout import crowd as counted_among
from pages.ui.threat_models.notions import FULL, OTHERS
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import NOT_DEFINED, View, comparable, game

_ROUNDING = 1e-12
_INHERITED = (
    "All are about the same release, neighbours ({}) and sampling ({}), so nobody who knows less finds more than the "
    "first. A smaller number needs a proof of its own."
)
_SURELY = {
    Bound.EXACT: "at most",
    Bound.CERTIFIED: "at most",
    Bound.LOWER: "at most",
    Bound.UPPER: "at least",
    Bound.ESTIMATE: "about",
}


def sentence(setting: ReleaseSetting, seen: Sequence[View]) -> str:
    """One sentence that compares the attackers at the operating point, in counts out of one crowd."""
    alpha, order = setting.choice.alpha, setting.choice.order
    found = [(view, rate, curve.bound) for view, curve, rate in comparable(seen)]
    if not found:
        return "None of the attackers' success is computed here for this release."
    crowd = counted_among(*(rate.upper for _, rate, _ in found))
    cleared = order is Order.REMOVE
    wronged = counted(alpha, crowd)
    accused = f"wrongly clearing {wronged} members" if cleared else f"falsely accusing {wronged} outsiders"
    verb, whom = ("rules out", "outsiders") if cleared else ("finds", "members")
    parts = [
        f"{'one who' if parts_before else 'an attacker who'} {view.model.name} {verb} {_words(rate, bound, crowd)}"
        f"{'' if parts_before else f' of {crowd:,} {whom}'}"
        for parts_before, (view, rate, bound) in enumerate(found)
    ]
    luck = f"Blind guessing {verb} {guessed(alpha, crowd)}."
    return f"With the same noise, and {accused}: {'; '.join(parts)}. {luck}"


def inherited(setting: ReleaseSetting, seen: Sequence[View]) -> str:
    """Why the numbers stand beside each other, and what follows; with what to know of the first one."""
    beside = comparable(seen)
    if not beside:
        return ""
    note = beside[0][0].note
    return f"{_INHERITED.format(setting.release.adjacency, setting.sampling)} {note}".strip()


def apart(setting: ReleaseSetting, view: View) -> str:
    """What an attacker finds who stands apart, beside the guarantee about the same neighbours and sampling."""
    alpha, order = setting.choice.alpha, setting.choice.order
    if view.found is None or view.curve is None:
        return f"**{view.model.notion}:** {view.note}"
    full = cached.power(setting.fixed_size, alpha, order)
    crowd = counted_among(view.found.upper, full.upper)
    verb, whom = ("rules out", "outsiders") if order is Order.REMOVE else ("finds", "members")
    return (
        f"With a record replaced and batches of fixed size, one who {view.model.name} {verb} "
        f"{_words(view.found, view.curve.bound, crowd)} of {crowd:,} {whom}. The guarantee against one who knows all "
        f"but the noise is {_words(full, Bound.LOWER, crowd)} there. {view.note}"
    )


def _words(found: Bracket, bound: Bound, crowd: int) -> str:
    if bound is Bound.UPPER:
        count = at_least(found.lower, crowd).count
    else:
        count = min(ceil(found.upper * crowd * (1.0 - _ROUNDING)), crowd)
    return f"{_SURELY[bound]} **{count:,}**"


def metrics(setting: ReleaseSetting, seen: Sequence[View]) -> list[Metric]:
    """What each attacker finds, as a number, and eta; not of those who stand apart, but for what is not defined."""
    alpha, cleared = setting.choice.alpha, setting.choice.order is Order.REMOVE
    whom = "outsiders ruled out at false negative" if cleared else "members found at false positive"
    row = [
        Metric(
            view.model.notion,
            _number(view),
            f"Share of {whom} rate {alpha:g} by an attacker who {view.model.name}. {view.note}",
        )
        for view in seen
        if not view.differs or view.absent == NOT_DEFINED
    ]
    return [*row, *_eta(setting)]


def _eta(setting: ReleaseSetting) -> list[Metric]:
    """Eta of the game that compares the neighbours in force; none where it cannot be computed."""
    played = game(setting)
    try:
        eta = cached_threat_models.eta(setting.release, played).upper
    except ValueError:
        return []
    return [Metric(f"η, {played}", rounded_up(eta), f"At most: accuracy above one half in the game. {played.words}")]


def _number(view: View) -> str:
    if view.found is None or view.curve is None:
        return view.absent
    return rounded_down(view.found.lower) if view.curve.bound is Bound.UPPER else rounded_up(view.found.upper)


def draw(seen: Sequence[View]) -> None:
    """Draw the ledger."""
    st.table(
        {
            "Attacker": [f"**{view.model.notion}** {view.model.name}" for view in seen],
            "Knows": [view.model.knows for view in seen],
            "Hidden": [view.model.hidden for view in seen],
            "Neighbours; sampling": [_compared(view) for view in seen],
        },
        hide_index=True,
    )
    notes = [f"- **{view.model.notion}:** {view.note}" for view in seen if view.note and not _said_elsewhere(view)]
    if notes:
        st.caption("\n".join(notes))


def absent(seen: Sequence[View]) -> dict[str, str]:
    """Whose curve is missing from the figure and its data, and why."""
    return {view.model.notion: f"no curve: {view.note or view.absent}" for view in seen if view.curve is None}


def _said_elsewhere(view: View) -> bool:
    """Whether the note stands below the sentence, or with what stands apart."""
    return view.differs if view.model is OTHERS else view.model is FULL and view.curve is not None


def _compared(view: View) -> str:
    if view.absent == NOT_DEFINED:
        return NOT_DEFINED
    return f"{view.adjacency}; {view.sampling}{' (apart)' if view.differs else ''}"
