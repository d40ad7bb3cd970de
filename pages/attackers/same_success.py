"""Noise for the same attack success: what each assumption about the attacker saves, and no longer protects against."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st

from numerics import relaxed
from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.relaxed import Reading, RelaxedTarget
from numerics.trade_off import Bound
from pages.ui import cached, cached_threat_models, chart, csv_tables, downloads, left_out
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import CROWD, counted
from pages.ui.release_curves import Release
from pages.ui.segmented_control import segmented_control
from pages.ui.threat_models import notions, views
from pages.ui.threat_models.release import ReleaseSetting
from plotting.noise_bars import Bar, noise_bars_figure

KEYS = ("same_limit", "same_found", "same_advantage")
_ADVANTAGE, _FOUND = "advantage", "members found"
_SAME = "MIP: no less noise is proved to be enough than against full knowledge."
_GIVES_UP = {
    notions.RELAXED: "an attacker who knows the record, or guesses the side it pulls to",
    notions.OTHERS: "an attacker who knows other records, and records with gradients far from the mean",
}


@dataclass(frozen=True)
class Limit:
    """The largest acceptable success: an advantage, or a share of members found at ``alpha``."""

    value: float
    alpha: float | None

    @property
    def words(self) -> str:
        """For file headers and descriptions."""
        if self.alpha is None:
            return f"advantage at most {self.value:g}"
        return f"at most {self.value:g} of members found at alpha = {self.alpha:g}"

    def target(self) -> PowerTarget | AdvantageTarget:
        """For full knowledge, and for paper 004."""
        return AdvantageTarget(self.value) if self.alpha is None else PowerTarget(self.value, self.alpha)


def draw_limit(setting: ReleaseSetting) -> Limit:
    """Draw the choice of the limit."""
    kind = segmented_control("Keep below a limit", [_ADVANTAGE, _FOUND], default=_ADVANTAGE, key="same_limit")
    if kind == _FOUND:
        alpha = setting.choice.alpha
        label = f"Largest share of members found while {counted(alpha, CROWD)} outsiders are accused"
        return Limit(number_box(label, "same_found", (1e-9, 0.999), 0.01, width=420), alpha)
    label = "Largest advantage: share of members found minus share of outsiders accused"
    return Limit(number_box(label, "same_advantage", (1e-9, 0.999), 0.1, width=420), None)


def draw(setting: ReleaseSetting) -> None:
    """Draw the target, the bars and what they mean."""
    st.markdown("**How much noise keeps the attack at the same success, if the attacker knows less?**")
    limit = draw_limit(setting)
    if limit.alpha is not None and limit.value <= limit.alpha:
        st.warning(f"The limit must be above {limit.alpha:g}, which guessing finds. Enter more, or lower α above.")
        return
    with st.spinner("Calibrating the noise to every attacker …", show_time=True):
        bars = [_attempted(setting, limit, model) for model in NOISES if not views.differs(setting, model)]
    drawn = [bar for bar in bars if bar is not None]
    figure = noise_bars_figure(_with_ratios(drawn))
    chart.draw(figure, f"{limit.words}: " + "; ".join(f"{bar.name}: {bar.text}" for bar in drawn))
    st.caption(f"Hatched: an estimate, no guarantee. Ratios are to full knowledge. {_SAME}")
    _draw_given_up(setting, [bar.name for bar in drawn])
    _draw_apart(setting, limit)
    header = {"limit": limit.words, "release": setting.release.label} | left_out.header()
    columns = {"attacker": [bar.name for bar in drawn], "noise multiplier": [f"{bar.noise:g}" for bar in drawn]}
    data = partial(csv_tables.table, columns, header)
    downloads.button("Data (CSV)", "noise-for-the-same-success.csv", data)


def _draw_given_up(setting: ReleaseSetting, names: list[str]) -> None:
    """What less noise no longer protects against, and which notion is not defined here."""
    given_up = [(model, words) for model, words in _GIVES_UP.items() if model.notion in names]
    st.markdown("\n".join(f"- **{model.notion}** no longer protects against {words}." for model, words in given_up))
    if views.differs(setting, notions.RELAXED):
        st.caption(f"**{notions.RELAXED.notion}:** {views.view(setting, notions.RELAXED).note}")


def _draw_apart(setting: ReleaseSetting, limit: Limit) -> None:
    """The noise of the attacker who stands apart, beside that of full knowledge for the same question."""
    if not views.differs(setting, notions.OTHERS):
        return
    st.markdown(f"**Apart: {notions.OTHERS.notion}, an attacker who {notions.OTHERS.name}**")
    st.caption(views.APART)
    found = _attempted(setting, limit, notions.OTHERS)
    if found is not None:
        full, _ = _noise_of(setting.fixed_size, setting, limit)
        st.markdown(
            f"With a record replaced and batches of fixed size: noise {found.text}, an estimate. The guarantee against "
            f"one who knows all but the noise takes {full:g} there."
        )


def _attempted(setting: ReleaseSetting, limit: Limit, model: notions.Model) -> Bar | None:
    try:
        with left_out.unless_in_time(model.notion):
            noise, bound = NOISES[model](setting, limit)
            return Bar(model.notion, noise, "none needed" if noise == 0.0 else f"{noise:g}", bound)
    except ValueError as reason:
        st.info(f"**{model.notion}:** no noise found: {reason}", icon=":material/info:")
    return None


def _with_ratios(bars: list[Bar]) -> list[Bar]:
    """Each bar's share of full knowledge's noise in its text."""
    if not bars or not bars[0].name.startswith(notions.FULL.notion) or bars[0].noise == 0.0:
        return bars
    rest = [
        replace(bar, text=f"{bar.text} (× {bar.noise / bars[0].noise:.2f})") if bar.noise else bar for bar in bars[1:]
    ]
    return [bars[0], *rest]


def _ordered(setting: ReleaseSetting, limit: Limit) -> PowerTarget | AdvantageTarget:
    target = limit.target()
    return replace(target, order=setting.choice.order) if isinstance(target, PowerTarget) else target


def _noise_of(release: Release, setting: ReleaseSetting, limit: Limit) -> tuple[float, Bound]:
    """Noise against full knowledge of ``release``; enough against whoever knows less."""
    found = cached.noise_for(_ordered(setting, limit), release.with_noise(1.0))
    return (found.noise_multiplier if found.noise_needed else 0.0), release.bound


def _full(setting: ReleaseSetting, limit: Limit) -> tuple[float, Bound]:
    return _noise_of(setting.release, setting, limit)


def _relaxed(setting: ReleaseSetting, limit: Limit) -> tuple[float, Bound]:
    full_target = _ordered(setting, limit)
    target = RelaxedTarget(full_target, setting.relaxed_dimension, setting.reading)
    # Noise that is enough against full knowledge is enough here: a good place to start from.
    full = cached.noise_for(full_target, setting.release.with_noise(1.0)).noise_multiplier
    found = cached_threat_models.noise_for(target, setting.release.with_noise(full))
    closed = relaxed.closed_form(setting.release, setting.relaxed_dimension, relaxed.Direction.COMMON)
    noise = min(found.noise_multiplier, full) if setting.reading is Reading.MINIMAX else found.noise_multiplier
    return (noise if found.noise_needed else 0.0), Bound.ESTIMATE if closed is None else Bound.EXACT


def _sample(setting: ReleaseSetting, limit: Limit) -> tuple[float, Bound]:
    """No less is proved to be enough than against full knowledge, which is."""
    noise, _ = _full(setting, limit)
    return noise, Bound.LOWER


def _others(setting: ReleaseSetting, limit: Limit) -> tuple[float, Bound]:
    order, release = setting.choice.order, setting.gradients().with_noise(0.0)
    found = cached_threat_models.membership_noise(limit.target(), release, order)
    return min(found, _noise_of(setting.fixed_size, setting, limit)[0]), Bound.ESTIMATE


NOISES: dict[notions.Model, Callable[[ReleaseSetting, Limit], tuple[float, Bound]]] = {
    notions.FULL: _full,
    notions.RELAXED: _relaxed,
    notions.SAMPLE: _sample,
    notions.OTHERS: _others,
}
