"""The answer in words, and the ledger: what each attacker knows, and which data sets its notion compares."""

from collections.abc import Sequence
from math import ceil

import streamlit as st

from numerics.trade_off import Bound, Bracket, Order
from pages.attackers.setting import Setting
from pages.attackers.views import View
from pages.shared.frequencies import at_least, at_most, one_in, rounded_down, rounded_up
from pages.shared.readout import Metric

_LARGEST_CROWD = 1_000_000
_ROUNDING = 1e-12
_LOOSER = "Knowing less is no advantage: where a number is larger, its bound is looser, or its neighbours are others."
_SURELY = {
    Bound.EXACT: "at most",
    Bound.CERTIFIED: "at most",
    Bound.LOWER: "at most",
    Bound.UPPER: "at least",
    Bound.ESTIMATE: "about",
}


def sentence(setting: Setting, seen: Sequence[View]) -> str:
    """One sentence that compares the attackers at the operating point, in counts out of one crowd."""
    alpha, order = setting.choice.alpha, setting.choice.order
    found = [(view, view.found, view.curve.bound) for view in seen if view.found and view.curve]
    if not found:
        return "None of the attackers' success can be computed for this release."
    crowd = _crowd(min(rate.upper for _, rate, _ in found), alpha)
    cleared = order is Order.REMOVE
    accused = f"wrongly clearing {one_in(alpha)} members" if cleared else f"falsely accusing {one_in(alpha)} outsiders"
    verb, whom = ("rules out", "outsiders") if cleared else ("finds", "members")
    parts = [
        f"{'one who' if parts_before else 'an attacker who'} {view.model.name} {verb} {_words(rate, bound, crowd)}"
        f"{'' if parts_before else f' of {crowd:,} {whom}'}{_mark(view)}"
        for parts_before, (view, rate, bound) in enumerate(found)
    ]
    guessed = f"Blind guessing {verb} {_guessed(alpha, crowd)}."
    looser = f" {_LOOSER}" if any(rate.upper > found[0][1].upper for _, rate, _ in found[1:]) else ""
    return f"With the same noise, and {accused}: {'; '.join(parts)}. {guessed}{looser}"


def _crowd(smallest: float, alpha: float) -> int:
    return at_most(min(smallest, 1.0), min(at_most(alpha).of, _LARGEST_CROWD)).of


def _guessed(alpha: float, crowd: int) -> str:
    count = round(alpha * crowd)
    return f"{count:,}" if count else "fewer than one"


def _words(found: Bracket, bound: Bound, crowd: int) -> str:
    if bound is Bound.UPPER:
        count = at_least(found.lower, crowd).count
    else:
        count = min(ceil(found.upper * crowd * (1.0 - _ROUNDING)), crowd)
    return f"{_SURELY[bound]} **{count:,}**"


def _mark(view: View) -> str:
    return f" (*{view.adjacency}, sampling: {view.sampling}*)" if view.differs else ""


def metrics(setting: Setting, seen: Sequence[View]) -> list[Metric]:
    """What each attacker finds, as a number."""
    alpha, cleared = setting.choice.alpha, setting.choice.order is Order.REMOVE
    whom = "outsiders ruled out at false negative" if cleared else "members found at false positive"
    return [
        Metric(
            view.model.notion,
            _number(view),
            f"Share of {whom} rate {alpha:g} by an attacker who {view.model.name}. {view.note}",
        )
        for view in seen
    ]


def _number(view: View) -> str:
    if view.found is None or view.curve is None:
        return "—"
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
    notes = [f"- **{view.model.notion}:** {view.note}" for view in seen if view.note]
    if notes:
        st.caption("\n".join(notes))


def _compared(view: View) -> str:
    if view.curve is None:
        return "—"
    return f"{view.adjacency}; {view.sampling}{' ⚠' if view.differs else ''}"
