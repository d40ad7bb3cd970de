"""What cannot stand on the axis of the release in force: an attacker known for other neighbours and batches only."""

import streamlit as st

from numerics.trade_off import Bound, Bracket
from pages.attackers import answer, saving
from pages.ui import cached, chart
from pages.ui.result_header import Headline
from pages.ui.threat_models import APART, FULL, ReleaseSetting, View, view
from plotting import theme
from plotting.attackers import people_figure
from plotting.people_rows import AttackersFrame

_WHY_MORE = "Replacing a record moves the sum twice as far as adding one, so it can be more than above."
_NOT_REACHED = " The guarantee for batches of fixed size is one that no known attack reaches."


def draw(setting: ReleaseSetting, other: View) -> None:
    """Draw reason, number and noise under a heading of their own."""
    with st.container(border=True):
        st.subheader(f"Apart: an attacker who {other.model.name} ({other.model.notion})", anchor=False)
        st.caption(APART)
        if other.found is None or other.curve is None:
            st.markdown(f"**{other.model.notion}:** {other.note}")
            return
        # The guarantee about the same neighbours and sampling: what stands beside this attacker's number.
        full = cached.power(setting.fixed_size, setting.choice.alpha, setting.choice.order)
        words = sentence(setting, other, other.found, full)
        text, picture = st.columns(2, gap="medium")
        text.markdown(f"{words} {_WHY_MORE}{_NOT_REACHED if setting.fixed_size.bound is Bound.LOWER else ''}")
        with text:
            saving.draw_not_comparable(setting)
        with picture:
            chart.draw(figure(setting, other, other.found, full), words)
            st.caption(other.note)


def sentence(setting: ReleaseSetting, other: View, found: Bracket, full: Bracket) -> str:
    """What this attacker finds, beside the guarantee about the same neighbours and sampling."""
    stated = Headline.of(setting.choice)
    return (
        f"With a record replaced and batches of fixed size, of one who {other.model.name}: "
        f"{stated.clause(found, Bound.ESTIMATE)}. The guarantee against one who {FULL.name} is at most "
        f"**{stated.count(full):,}** there."
    )


def figure(setting: ReleaseSetting, other: View, found: Bracket, full: Bracket) -> theme.Figure:
    """The people that both find, without curves."""
    choice = setting.choice
    rows = [
        answer.row(setting, view(setting, FULL), full, setting.fixed_size.bound),
        answer.row(setting, other, found, Bound.ESTIMATE),
    ]
    return people_figure(rows, AttackersFrame(choice.alpha, None, Headline.of(choice).crowd, choice.order))
