"""The second answer: how much noise keeps the limit, and what each assumption about the attacker saves of it."""

from contextlib import suppress

import streamlit as st

from numerics import relaxed
from numerics.calibration import AdvantageTarget, PowerTarget
from numerics.deadline import DeadlineError
from numerics.gaussian_membership import GradientRelease
from numerics.gaussian_membership.calibration import noise_for as membership_noise_for
from numerics.mechanisms import Mechanism
from numerics.relaxed import RelaxedTarget, RelaxedTest
from numerics.trade_off import Bound, Order
from pages.attackers.attacker_quiz import Doors
from pages.server.budget import Budget, within
from pages.server.shared_cache import shared_cache
from pages.ui import cached, chart, noise_levels, release_in_force, remedies, skipped, threat_models
from pages.ui.catalog import ATTACKERS as PAGE
from pages.ui.controls import number_box, segmented_control
from pages.ui.numbers_in_words import CROWD, ceiling_digits, counted
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import ATTACKERS, FULL, OTHERS, RELAXED, SAMPLE, ReleaseSetting, ThreatModel, differs
from plotting.bars import Bar, noise_bars_figure

Limit = PowerTarget | AdvantageTarget
"""The largest acceptable success: a share of members found at a rate of false alarms, or an advantage."""
_DIGITS = 3
_NOISE_DIGITS, _LEAST_NOISE, _LEAST_STRIDE = 6, 1e-2, 1e-5  # of the noise of an estimate
_MY_LIMIT, _ADVANTAGE = "my limit", "advantage"
_ADVANTAGE_LABEL = "Largest advantage: share of members found minus share of outsiders accused"
_GIVES_UP = {
    RELAXED: "an attacker who knows the record, or guesses the side it pulls to",
    OTHERS: "an attacker who knows other records, and records with gradients far from the mean",
}
"""What less noise no longer protects against, by attacker."""


def draw(setting: ReleaseSetting, state: Doors) -> None:
    """Draw the sentence and a bar for every open door whose number can be compared."""
    st.subheader("What does each assumption save in noise?", anchor=False)
    left, right = st.columns([2, 3], gap="medium")
    words = left.container()
    with left:
        kind = segmented_control("Limit on", [_MY_LIMIT, _ADVANTAGE], default=_MY_LIMIT, key="attackers.limit_on")
        advantage = 0.1
        if kind == _ADVANTAGE:
            advantage = number_box(_ADVANTAGE_LABEL, "attackers.advantage", (1e-9, 0.999), 0.1, width=420)
    limit: Limit | None = AdvantageTarget(advantage) if kind == _ADVANTAGE else my_limit(setting)
    if limit is None:
        words.markdown(
            "**No noise is needed:** your limit is everybody."
            if setting.choice.limit >= 1.0
            else f"**No noise keeps your limit:** blind guessing finds {counted(setting.choice.alpha, CROWD)}, which "
            "is not less."
        )
        return
    opened = [model for model in ATTACKERS if state.is_open(model) and not differs(setting, model)]
    later = Budget(0.0)
    bars = {model: bar for model in opened if (bar := _attempted(setting, limit, model, later)) is not None}
    if FULL not in bars:
        return
    whose = "your limit" if kind == _MY_LIMIT else f"an advantage of {advantage:g}"
    release, full = setting.release, bars[FULL].noise
    first = f"**No noise is needed** to keep {whose}, even against whoever knows all the rest."
    if full:
        said = remedies.remedy(release, noise_levels.at_noise(release, full))
        first = f"**{said} keeps {whose}** against whoever knows all but the noise."
    # What less noise than that gives up, by attacker.
    less = [saved(release, full, model, bar.noise) for model, bar in bars.items() if model is not FULL]
    with words:
        st.markdown(" ".join([first, *less]))
        with st.container(horizontal=True):
            noisy = noise_levels.at_noise(release, full) if release.noise_multiplier < full else None
            if noisy is not None and noise_levels.is_usable(noisy):
                label = remedies.use(release, noisy)
                st.button(label, key="attackers.use_saving", on_click=release_in_force.put_noise, args=(noisy,))
            if later.unfinished:
                skipped.draw_button(f"Find noise: {RELAXED.short}", PAGE.address, later, "attackers.find_noise")
    said = "; ".join(f"{bar.name}: {bar.text}" for bar in bars.values())
    with right:
        chart.draw(noise_bars_figure(list(bars.values())), f"Noise that keeps the limit. {said}")
        if any(bar.bound is Bound.ESTIMATE for bar in bars.values()):
            st.caption("Hatched: an estimate, no guarantee.")


def my_limit(setting: ReleaseSetting) -> PowerTarget | None:
    """That of the sidebar; None where guessing passes it, or where it is everybody."""
    choice = setting.choice
    return PowerTarget(choice.limit, choice.alpha, choice.order) if choice.alpha < choice.limit < 1.0 else None


def draw_not_comparable(setting: ReleaseSetting) -> None:
    """Say which noise the same limit takes of the attacker who stands apart, about the same neighbours and sampling."""
    limit = my_limit(setting)
    own = None if limit is None else _attempted(setting, limit, OTHERS, Budget(0.0))
    if limit is None or own is None:
        return
    full = noise_of(setting.fixed_size, limit)
    less = f"about {own.noise:g}, an estimate" if own.noise else "none, by the estimate"
    st.markdown(
        f"Your limit takes noise **{rounded(setting.fixed_size, full):g}** here against one who {FULL.name}; for this "
        f"attacker {less if own.noise < full else 'no less, by the estimate'}."
    )


def _attempted(setting: ReleaseSetting, limit: Limit, model: ThreatModel, later: Budget) -> Bar | None:
    """The bar; where there is none, that is said.

    What takes long is noted in ``later`` unless it is known, and computed once somebody asks for it.
    """
    release = setting.release
    try:
        if model is RELAXED and not _has_closed_form(setting):
            with error_boundary(f"noise against one who {model.name}"), within(later), suppress(DeadlineError):
                return _bar(release, model, *noise_and_bound(setting, limit, model))
        else:
            with skipped.if_no_time(model.notion):
                return _bar(release, model, *noise_and_bound(setting, limit, model))
    except ValueError as reason:
        st.info(f"**{model.notion}:** no noise found: {reason}", icon=":material/info:")
    return None


def _bar(release: Mechanism, model: ThreatModel, noise: float, bound: Bound) -> Bar:
    shown = rounded(release, noise)
    text = f"{shown:g}"
    if len(release.phases) > 1:
        text = noise_levels.in_short(noise_levels.at_noise(release, shown)) if shown else ""
    return Bar(model.short, model.color, shown, text if shown else "none needed", bound)


def noise_and_bound(setting: ReleaseSetting, limit: Limit, model: ThreatModel) -> tuple[float, Bound]:
    """The least noise that keeps this attacker's success within the limit, 0 where none is needed, and its kind."""
    release = setting.release
    if model is RELAXED:
        target = RelaxedTarget(limit, setting.relaxed_dimension, setting.test)
        # Noise that is enough against full knowledge is enough here: a good place to start from.
        full = cached.noise_for(limit, release.with_noise(1.0)).noise_multiplier
        found = threat_models.noise_for(target, release.with_noise(full))
        noise = min(found.noise_multiplier, full) if setting.test is RelaxedTest.MINIMAX else found.noise_multiplier
        return (noise if found.noise_needed else 0.0), Bound.EXACT if _has_closed_form(setting) else Bound.ESTIMATE
    if model is OTHERS:
        gradients = setting.gradients().with_noise(0.0)
        own = membership_noise(limit, gradients, setting.choice.order)
        return min(own, noise_of(setting.fixed_size, limit)), Bound.ESTIMATE
    # Of an attacker who does not know who was drawn, no less noise is proved to be enough.
    return noise_of(release, limit), Bound.LOWER if model is SAMPLE else release.bound


@shared_cache
def membership_noise(target: Limit, release: GradientRelease, order: Order) -> float:
    """The least noise, of six digits, with which the estimate for K = d that the pages show keeps ``target``.

    The formulas of paper 004 give it, and the limit of many steps in them; where the pages show one step itself, which
    is a little easier to attack, the next noise that is enough is sought from there. 0 where none is needed.
    """

    def kept(noise: float) -> bool:
        noisy = release.with_noise(noise)
        if isinstance(target, PowerTarget):
            return threat_models.membership_power(noisy, False, target.alpha, order) <= target.goal
        curve = threat_models.membership_curve(noisy, False, order)
        return threat_models.largest_advantage(curve) <= target.goal

    found = membership_noise_for(target, release)
    noise = found.noise_multiplier
    if noise == 0.0 and kept(0.0):
        return 0.0
    noise, stride = max(noise, _LEAST_NOISE), _LEAST_STRIDE
    while not kept(noise := ceiling_digits(noise, _NOISE_DIGITS)):
        noise, stride = noise * (1.0 + stride), 2.0 * stride
    return noise


def noise_of(release: Mechanism, limit: Limit) -> float:
    """Noise against full knowledge of ``release``; enough against whoever knows less."""
    found = cached.noise_for(limit, release.with_noise(1.0))
    return found.noise_multiplier if found.noise_needed else 0.0


def _has_closed_form(setting: ReleaseSetting) -> bool:
    """Whether a formula answers for an unknown record, in a moment."""
    return relaxed.closed_form(setting.release, setting.relaxed_dimension) is not None


def rounded(release: Mechanism, noise: float) -> float:
    """As it is said: to three digits, and never less."""
    return noise_levels.round_up_noise(release, noise, _DIGITS) if noise else 0.0


def saved(release: Mechanism, full: float, model: ThreatModel, noise: float) -> str:
    """What this assumption about the attacker saves of the noise against full knowledge, and what it gives up."""
    if model is SAMPLE:
        return "Not knowing who was drawn saves nothing: no smaller number is proved."
    if noise >= full:
        return f"Against one who {model.name} it takes as much."
    enough = "no noise"
    if noise:
        said = remedies.remedy(release, noise_levels.at_noise(release, noise))
        enough = f"{said[0].lower()}{said[1:]}"
    estimated = " (an estimate)" if model is OTHERS else ""
    return (
        f"Against one who {model.name}, {enough} is enough{estimated}: {100.0 * (1.0 - noise / full):.0f} % less. That "
        f"no longer protects against {_GIVES_UP[model]}."
    )
