"""What cannot stand on the axis of the release in force: an attacker known for other neighbours and batches only."""

import streamlit as st

from numerics.calibration import PowerTarget
from pages.attackers import answer, figures
from pages.attackers.noise_needed import attempted, noise_of, rounded
from pages.ui import chart
from pages.ui.threat_models.notions import FULL, OTHERS
from pages.ui.threat_models.release import ReleaseSetting
from pages.ui.threat_models.views import APART, View

_WHY_MORE = (
    "That can be more than above although less is known: replacing a record moves the sum twice as far as adding one, "
    "and the guarantee for batches of fixed size is one that no known attack reaches."
)


def draw(setting: ReleaseSetting, view: View) -> None:
    """Draw reason, number and noise under a heading of their own."""
    with st.container(border=True):
        st.subheader(f"Apart: an attacker who {view.model.name} ({view.model.notion})", anchor=False)
        st.caption(APART)
        words = answer.apart(setting, view)
        if view.found is None:
            st.markdown(words)
            return
        text, picture = st.columns(2, gap="medium")
        with text:
            st.markdown(f"{words} {_WHY_MORE}")
            _draw_noise(setting)
        with picture:
            chart.draw(figures.apart(setting, view.found), words)
            st.caption(view.note)


def _draw_noise(setting: ReleaseSetting) -> None:
    choice = setting.choice
    if choice.limit <= choice.alpha:
        return
    limit = PowerTarget(choice.limit, choice.alpha, choice.order)
    bar = attempted(setting, limit, OTHERS)
    if bar is None:
        return
    full = noise_of(setting.fixed_size, limit)
    own = (
        f"about {rounded(setting.release, bar.noise):g}, an estimate"
        if bar.noise < full
        else "no less, by the estimate"
    )
    st.markdown(
        f"Your limit takes noise **{rounded(setting.fixed_size, full):g}** here against one who {FULL.name}; for this "
        f"attacker {own if bar.noise else 'none, by the estimate'}."
    )
