"""Noise for the same attack success: what each assumption about the attacker saves, and no longer protects against."""

from functools import partial

import streamlit as st

from numerics.calibration import AdvantageTarget, PowerTarget
from pages.attackers.noise_needed import GIVES_UP, NOISES, Limit, attempted, noise_of, with_ratios
from pages.ui import chart, csv_tables, downloads, skipped
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import CROWD, counted
from pages.ui.order_words import words_for
from pages.ui.segmented_control import segmented_control
from pages.ui.threat_models import notions, views
from pages.ui.threat_models.release import ReleaseSetting
from plotting.noise_bars import noise_bars_figure

KEYS = ("attackers.same_limit", "attackers.same_found", "attackers.same_advantage")
_ADVANTAGE, _FOUND = "advantage", "members found"
_SAME = "MIP: no less noise is proved to be enough than against full knowledge."


def _draw_limit(setting: ReleaseSetting) -> tuple[Limit, str] | None:
    """Draw the choice of the limit, and return it with its words; None where guessing passes it."""
    kind = segmented_control("Keep below a limit", [_ADVANTAGE, _FOUND], default=_ADVANTAGE, key="attackers.same_limit")
    if kind == _ADVANTAGE:
        label = "Largest advantage: share of members found minus share of outsiders accused"
        advantage = number_box(label, "attackers.same_advantage", (1e-9, 0.999), 0.1, width=420)
        return AdvantageTarget(advantage), f"advantage at most {advantage:g}"
    alpha = setting.choice.alpha
    said = words_for(setting.choice.order)
    wronged = f"{counted(alpha, CROWD)} {said.wronged} are {said.accused}"
    label = f"Largest share of {said.people} {said.found} while {wronged}"
    found = number_box(label, "attackers.same_found", (1e-9, 0.999), 0.01, width=420)
    if found <= alpha:
        st.warning(f"The limit must be above {alpha:g}, which guessing reaches: enter more, or set fewer false alarms.")
        return None
    limit = PowerTarget(found, alpha, setting.choice.order)
    return limit, f"at most {found:g} of {said.people} {said.found} at alpha = {alpha:g}"


def draw(setting: ReleaseSetting) -> None:
    """Draw the target, the bars and what they mean."""
    st.markdown("**How much noise keeps the attack at the same success, if the attacker knows less?**")
    chosen = _draw_limit(setting)
    if chosen is None:
        return
    limit, words = chosen
    with st.spinner("Calibrating the noise to every attacker …", show_time=True):
        bars = [attempted(setting, limit, model) for model in NOISES if not views.differs(setting, model)]
    drawn = [bar for bar in bars if bar is not None]
    figure = noise_bars_figure(with_ratios(drawn))
    chart.draw(figure, f"{words}: " + "; ".join(f"{bar.name}: {bar.text}" for bar in drawn))
    st.caption(f"Hatched: an estimate, no guarantee. Ratios are to full knowledge. {_SAME}")
    _draw_given_up(setting, [bar.name for bar in drawn])
    _draw_apart(setting, limit)
    header = {"limit": words, "release": setting.release.label} | skipped.header()
    columns = {"attacker": [bar.name for bar in drawn], "noise multiplier": [bar.text for bar in drawn]}
    data = partial(csv_tables.table, columns, header)
    downloads.button("Data (CSV)", "noise-for-the-same-success.csv", data)


def _draw_given_up(setting: ReleaseSetting, names: list[str]) -> None:
    """What less noise no longer protects against, and which notion is not defined here."""
    for model, words in GIVES_UP.items():
        if model.notion in names:
            st.markdown(f"- **{model.notion}** no longer protects against {words}.")
    if views.differs(setting, notions.RELAXED):
        st.caption(f"**{notions.RELAXED.notion}:** {views.view(setting, notions.RELAXED).note}")


def _draw_apart(setting: ReleaseSetting, limit: Limit) -> None:
    """The noise of the attacker who stands apart, beside that of full knowledge for the same question."""
    if not views.differs(setting, notions.OTHERS):
        return
    st.markdown(f"**Apart: {notions.OTHERS.notion}, an attacker who {notions.OTHERS.name}**")
    st.caption(views.APART)
    found = attempted(setting, limit, notions.OTHERS)
    if found is not None:
        st.markdown(
            f"With a record replaced and batches of fixed size: noise {found.text}, an estimate. The guarantee against "
            f"one who knows all but the noise takes {noise_of(setting.fixed_size, limit):g} there."
        )
