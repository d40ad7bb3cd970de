"""The answer in words, and the ledger: what each attacker knows, and which data sets its notion compares."""

from collections.abc import Sequence
from math import ceil

import streamlit as st

from numerics.trade_off import Bound, Bracket, Order
from pages.attackers.setting import Setting
from pages.attackers.views import View
from pages.shared.frequencies import at_most, one_in, rounded_up
from pages.shared.readout import Metric

_LARGEST_CROWD = 1_000_000
_ROUNDING = 1e-12
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
    accused = f"falsely accusing {one_in(alpha)} outsiders"
    if order is Order.REMOVE:
        accused = f"wrongly clearing {one_in(alpha)} members"
    parts = [
        f"{'one who' if parts_before else 'an attacker who'} {view.model.name} finds {_words(rate, bound, crowd)}"
        f"{'' if parts_before else f' of {crowd:,}'}{_mark(view)}"
        for parts_before, (view, rate, bound) in enumerate(found)
    ]
    return f"With the same noise, and {accused}: {'; '.join(parts)}. Blind guessing finds {_guessed(alpha, crowd)}."


def _crowd(smallest: float, alpha: float) -> int:
    return at_most(min(smallest, 1.0), min(at_most(alpha).of, _LARGEST_CROWD)).of


def _guessed(alpha: float, crowd: int) -> str:
    count = round(alpha * crowd)
    return f"{count:,}" if count else "fewer than one"


def _words(found: Bracket, bound: Bound, crowd: int) -> str:
    rate = found.lower if bound is Bound.UPPER else found.upper
    count = min(ceil(rate * crowd * (1.0 - _ROUNDING)), crowd)
    return f"{_SURELY[bound]} **{count:,}**"


def _mark(view: View) -> str:
    return f" (*{view.adjacency}, sampling: {view.sampling}*)" if view.differs else ""


def metrics(setting: Setting, seen: Sequence[View]) -> list[Metric]:
    """What each attacker finds, as a number."""
    alpha = setting.choice.alpha
    return [
        Metric(
            view.model.notion,
            "—" if view.found is None else rounded_up(view.found.upper),
            f"Members found at false positive rate {alpha:g} by an attacker who {view.model.name}. {view.note}",
        )
        for view in seen
    ]


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
