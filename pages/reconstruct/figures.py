"""The page's figures: reconstruction against the prior, also while that is dragged, and against other noise."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial

import numpy as np
import streamlit as st

from numerics import reconstruction, relaxed
from numerics.deadline import UNLIMITED, Deadline
from numerics.mechanisms import Mechanism
from numerics.relaxed import RelaxedCurve
from numerics.trade_off import Bound, Floats, Order, TradeOffCurve
from pages.reconstruct import answer, limit
from pages.reconstruct.answer import ExtraCurve, FigureChoice, ReconstructionSetting
from pages.reconstruct.prior import COMMONER, KAPPA, Knows
from pages.server.shared_cache import shared_cache
from pages.ui import (
    address,
    cached,
    chart,
    comparison,
    downloads,
    estimates,
    knob,
    prior_guess,
    skipped,
    threat_models,
)
from pages.ui.chart import WHOLE
from pages.ui.controls import nearest, segmented_control
from pages.ui.estimates import Estimate
from pages.ui.knob import States
from pages.ui.numbers_in_words import CROWD, EPSILON_DIGITS, as_entered, rounded_up
from pages.ui.prior_guess import Guessed, in_words
from pages.ui.skipped import error_boundary
from pages.ui.threat_models import RELAXED
from people_view import State
from plotting import power, theme
from plotting.curves import Axes, EstimatedCurve, OfAttacker, OperatingPoint
from plotting.motion import motions
from plotting.power import PowerCurve, power_figure
from plotting.reconstruction import LimitLine, Ratio, ReconstructionMarks, Window, reconstruction_figure

KEYS = (
    *("reconstruct.axes", "reconstruct.guess_window", "reconstruct.also", "reconstruct.across"),
    *("estimates", "edgeworth_order"),
)
CHART = "reconstruct.reconstruction_chart"
ANSWER, NUMBERS, USE = "reconstruct.answer", "reconstruct.numbers", "reconstruct.use_guess_noise"
"""Keys of what moves beside the figure, and of what is pale meanwhile."""
_WINDOWS = {WHOLE: 1.0, "up to 10 %": 0.1, "up to 1 %": 0.01, "up to 0.1 %": 0.001}
_ALSO_HELP = (
    "RTM: an attacker who holds no candidates, so not even the side the record pulls to (one dimension, its worst "
    "case). From ε and δ alone: what they promise without knowing the mechanism."
)
UNKNOWN = RELAXED.short


def draw_figure_choice() -> FigureChoice:
    """Draw how the figure looks at the release, folded away."""
    fold = st.expander("Change the figure", type="compact")
    fold.caption("Click on the curve to look at another guess.")
    with fold.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        axes = segmented_control("Axes", list(Axes), default=Axes.LOG, key="reconstruct.axes")
        window = segmented_control("Guesses shown", list(_WINDOWS), default=WHOLE, key="reconstruct.guess_window")
        also = st.pills(
            "Also shown",
            list(ExtraCurve),
            selection_mode="multi",
            key="reconstruct.also",
            bind="query-params",
            help=_ALSO_HELP,
        )
        return FigureChoice(axes, _WINDOWS[window], tuple(map(ExtraCurve, also)), estimates.draw())


def take_click() -> None:
    """Make the clicked point's prior the one in force. For the chart's ``on_select``."""
    for point in st.session_state[CHART]["selection"]["points"][:1]:
        clicked = float(point["x"])
        if st.session_state.get("reconstruct.guessed") == Guessed.YES_OR_NO:
            COMMONER.put(min(COMMONER.values, key=lambda share: abs(share - clicked)))
        else:
            st.session_state["reconstruct.knows"] = Knows.PROBABILITY
            KAPPA.put(float(f"{nearest(clicked, KAPPA.values):.3g}"))
            address.put(KAPPA.key, st.session_state[KAPPA.key])


@shared_cache
def record_unknown(release: Mechanism, deadline: Deadline = UNLIMITED) -> RelaxedCurve:
    """The curve of priors for an attacker who does not know the record, in one dimension."""
    return relaxed.trade_off(release, prior_guess.PRIORS, deadline=deadline)


@shared_cache
def from_epsilon_delta(epsilon: float, delta: float) -> TradeOffCurve:
    """What (epsilon, delta) alone promises."""
    priors = prior_guess.PRIORS.copy()
    power = np.array([reconstruction.from_epsilon_delta(epsilon, delta, float(prior)).tight for prior in priors])
    label = f"ε = {rounded_up(epsilon, EPSILON_DIGITS)}, δ = {as_entered(delta)} alone"
    return TradeOffCurve(priors, 1.0 - power, power, Bound.LOWER, label, ("Nothing but ε and δ is known.",))


def beside(setting: ReconstructionSetting) -> list[TradeOffCurve]:
    """The other curves asked for, and that of the second release; what cannot be computed is said."""
    found = list[TradeOffCurve]()
    also = () if setting.is_yes_or_no else setting.shown.also
    if ExtraCurve.RELAXED in also:
        with error_boundary("curve for an unknown record"), skipped.if_no_time(UNKNOWN):
            found.append(replace(record_unknown(setting.release), label=UNKNOWN))
    if ExtraCurve.EPSILON in also:
        found.append(from_epsilon_delta(setting.epsilon, setting.choice.delta))
    return [*found, *comparison.curves(setting.curve)]


def overlays(setting: ReconstructionSetting) -> list[EstimatedCurve]:
    """The chosen estimates; those that cannot be had say why."""
    if not setting.is_yes_or_no:
        return estimates.overlays(setting.release, setting.shown.estimates)
    if setting.shown.estimates.names or setting.shown.also:
        st.info("A yes or no has a curve of its own: no estimates and other attackers.", icon=":material/info:")
    return []


def ratio(own: TradeOffCurve, guess: EstimatedCurve) -> Ratio:
    """An estimate over the certified value, where both are asked at the same priors."""
    inside = (own.alpha > 0.0) & (own.power > 0.0)
    return Ratio(guess.curve.label, own.alpha[inside], guess.curve.power[inside] / own.power[inside])


def draw_curve(
    setting: ReconstructionSetting, others: list[TradeOffCurve], guesses: list[EstimatedCurve]
) -> theme.Figure:
    """Draw reconstruction against the prior, and say how far estimates are off. Returns the figure, for export.

    A click makes a prior the one in force.
    """
    figure = figure_at(setting, others, guesses)
    guessed, rebuilt = in_words(setting.prior, setting.success.upper)
    label = setting.release.label
    alt = (
        f"How often a guess is right with the release against how often it is right without it, for {label}: a "
        f"guess right {guessed} times becomes one right at most {rebuilt} times. Above {setting.limit.words} is too "
        "often."
    )
    chart.draw(figure, alt, CHART, take_click)
    truth = partial(prior_guess.success, setting.release)
    if guesses:
        lines = [estimates.error_sentence(guess, setting.prior, truth, "γ", "κ") for guess in guesses]
        st.markdown("\n".join(f"- {line}" for line in lines))
    return figure


def figure_at(
    setting: ReconstructionSetting, others: list[TradeOffCurve], guesses: list[EstimatedCurve]
) -> theme.Figure:
    """Reconstruction against the prior, with the guess of this setting marked."""
    own, success, shown = setting.curve(setting.release), setting.success, setting.shown
    _, rebuilt = in_words(setting.prior, success.upper)
    return reconstruction_figure(
        own,
        OperatingPoint(setting.prior, success),
        Window(Axes.LINEAR, low=0.5) if setting.is_yes_or_no else Window(shown.axes, shown.largest_prior),
        [OfAttacker(other, RELAXED.color) if other.label == UNKNOWN else other for other in others],
        guesses,
        [ratio(own, guess) for guess in guesses],
        ReconstructionMarks(LimitLine(setting.limit.share, setting.limit.name), rebuilt.removesuffix(f" of {CROWD:,}")),
    )


@dataclass(frozen=True)
class Beside:
    """What else the figure draws; by its names and the ``second`` release, as the setting says the rest."""

    names: tuple[str, ...]
    second: Mechanism | None
    others: Sequence[TradeOffCurve] = field(compare=False)
    guesses: Sequence[EstimatedCurve] = field(compare=False)


def draw_motion(setting: ReconstructionSetting, others: list[TradeOffCurve], guesses: list[EstimatedCurve]) -> None:
    """Let the slider move the page, where the prior is the slider's."""
    if setting.known.words:
        return
    slider, known = COMMONER if setting.is_yes_or_no else KAPPA, setting.known
    names = tuple(curve.label for curve in (*others, *(guess.curve for guess in guesses)))
    beside = Beside(names, comparison.second(), others, guesses)
    anywhere = replace(setting, known=replace(known, kappa=slider.default))  # of every prior the same
    knob.draw(slider.key, slider.shown(known.kappa), lambda: states(anywhere, beside), [USE])


@shared_cache
def states(setting: ReconstructionSetting, beside: Beside) -> States:
    """What the page shows at every value of its slider."""
    slider, found, drawn = COMMONER if setting.is_yes_or_no else KAPPA, States(), {}
    for value in slider.values:
        there = replace(setting, known=replace(setting.known, kappa=value))
        drawn[slider.shown(value)] = figure_at(there, list(beside.others), list(beside.guesses))
        words = [answer.sentence(there), limit.words(there.success, there.limit)]
        numbers = [metric.value for metric in answer.numbers(there)]
        found[slider.shown(value)] = State({ANSWER: words, NUMBERS: numbers}, {})
    moved = motions(drawn)
    return States({place: replace(state, figures={CHART: moved[place]}) for place, state in found.items()})


class Across(StrEnum):
    """What the horizontal axis of the figure against other noise is; the values are the labels, also in the URL."""

    EFFECT = "effect size"
    EPSILON = "ε"


def draw_other_noise(setting: ReconstructionSetting) -> None:
    """Draw reconstruction at the prior in force against the noise, as effect size or as epsilon, all else as it is."""
    across = segmented_control("Against", list(Across), default=Across.EFFECT, key="reconstruct.across")
    with st.spinner("Computing the release at other noise levels …", show_time=True):
        own, others, guesses = _over_noise(setting, across)
        here, words = cached.effect_size(setting.release), power.RECONSTRUCTIONS
        if across is Across.EPSILON:
            here, words = setting.epsilon, power.RECONSTRUCTIONS_BY_EPSILON
    if not len(own.effect_size):
        st.info("No noise of this kind has an ε at this δ: look at the effect size.", icon=":material/info:")
        return
    success = prior_guess.success(setting.release, setting.prior)
    alt = f"Reconstruction at prior {setting.prior:.3g} rises as the noise falls, here drawn against {across}."
    chart.draw(power_figure(own, here, success.upper, others, words, guesses), alt)
    st.caption("To the right: less noise, or a larger influence of one record. Sampling and steps stay as they are.")


def across_in_force() -> Across:
    """What the axis was last."""
    return Across(st.session_state.get("reconstruct.across") or Across.EFFECT)


def other_noise_table(setting: ReconstructionSetting, across: Across) -> str:
    """CSV of what is drawn against other noise."""
    own, others, guesses = _over_noise(setting, across)
    header = {"release": setting.release.label, "prior": f"kappa = {setting.prior!r}"}
    return downloads.power_table([own, *others, *guesses], header, across.value)


@shared_cache
def epsilon_at_effects(
    release: Mechanism, effects: tuple[float, ...], delta: float, deadline: Deadline = UNLIMITED
) -> Floats:
    """Epsilon (n,) at ``delta``, the guarantee, for the noise that makes each effect size; inf where there is none."""
    found, coarse = [], replace(cached.COARSE, deadline=deadline)
    for effect in effects:
        deadline.check()
        noisy = release.with_noise(cached.noise_at(release, effect))
        found.append(noisy.epsilon(delta, np.inf, coarse).upper)
    return np.array(found)


def _over_noise(
    setting: ReconstructionSetting, across: Across
) -> tuple[PowerCurve, list[PowerCurve], list[PowerCurve]]:
    """The release's own curve, those of other attackers, and estimates; what is refused is said at the first figure."""
    release, prior, chosen = setting.release, setting.prior, setting.shown.estimates
    own = cached.power_against_effect(release, prior, Order.ADD)
    effects, others, guesses = tuple(map(float, own.effect_size)), list[PowerCurve](), list[PowerCurve]()
    if ExtraCurve.RELAXED in setting.shown.also:
        with suppress(ValueError), skipped.if_no_time(UNKNOWN):
            others.append(threat_models.relaxed_power_against_effect(release, prior, Order.ADD, 1))
    for name in chosen.names:
        if name is not Estimate.MONTE_CARLO:  # it would be drawn anew at every noise
            order = chosen.edgeworth_order if name is Estimate.EDGEWORTH else None
            with suppress(ValueError), skipped.if_no_time(name):
                guesses.append(prior_guess.estimated_at_effects(release, effects, prior, order))
    if across is Across.EFFECT:
        return own, others, guesses

    def by_epsilon(curve: PowerCurve) -> PowerCurve:
        """The same against epsilon; levels without a finite one are left out."""
        at = tuple(map(float, curve.effect_size))
        epsilon = epsilon_at_effects(release, at, setting.choice.delta)
        kept = np.isfinite(epsilon)
        sides = {name: getattr(curve, name)[kept] for name in ("lower", "power", "upper")}
        return replace(curve, effect_size=epsilon[kept], **sides)

    return by_epsilon(own), list(map(by_epsilon, others)), list(map(by_epsilon, guesses))
