"""The page's figures: reconstruction against the prior, also while that is dragged, and against other noise."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from numerics.mechanisms import Mechanism
from numerics.trade_off import Order, TradeOffCurve
from pages.reconstruct import answer, limit
from pages.reconstruct.answer import FigureChoice, ReconstructionSetting
from pages.reconstruct.prior import COMMONER, KAPPA, Knows
from pages.server.shared_cache import shared_cache
from pages.ui import address, cached, chart, comparison, downloads, estimates, knob, prior_guess, skipped
from pages.ui.chart import WHOLE
from pages.ui.controls import nearest, segmented_control
from pages.ui.estimates import Estimate
from pages.ui.knob import States
from pages.ui.numbers_in_words import CROWD
from pages.ui.prior_guess import Guessed, in_words
from people_view import State
from plotting import power, theme
from plotting.curves import Axes, EstimatedCurve, OperatingPoint
from plotting.motion import motions
from plotting.power import PowerCurve, power_figure
from plotting.reconstruction import LimitLine, Ratio, ReconstructionMarks, Window, reconstruction_figure

KEYS = ("reconstruct.axes", "reconstruct.guess_window", "estimates", "edgeworth_order")
CHART = "reconstruct.reconstruction_chart"
ANSWER, NUMBERS, USE = "reconstruct.answer", "reconstruct.numbers", "reconstruct.use_guess_noise"
"""Keys of what moves beside the figure, and of what is pale meanwhile."""
_WINDOWS = {WHOLE: 1.0, "up to 10 %": 0.1, "up to 1 %": 0.01, "up to 0.1 %": 0.001}


def draw_figure_choice() -> FigureChoice:
    """Draw how the figure looks at the release, folded away."""
    fold = st.expander("Change the figure", type="compact")
    fold.caption("Click on the curve to look at another guess.")
    with fold.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        axes = segmented_control("Axes", list(Axes), default=Axes.LOG, key="reconstruct.axes")
        window = segmented_control("Guesses shown", list(_WINDOWS), default=WHOLE, key="reconstruct.guess_window")
        return FigureChoice(axes, _WINDOWS[window], estimates.draw())


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


def overlays(setting: ReconstructionSetting) -> list[EstimatedCurve]:
    """The chosen estimates; those that cannot be had say why."""
    if not setting.is_yes_or_no:
        return estimates.overlays(setting.release, setting.shown.estimates)
    if setting.shown.estimates.names:
        st.info("A yes or no has a curve of its own, without estimates.", icon=":material/info:")
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
        others,
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


def draw_other_noise(setting: ReconstructionSetting) -> None:
    """Draw reconstruction at the prior in force against the noise, as effect size, all else as it is."""
    with st.spinner("Computing the release at other noise levels …", show_time=True):
        own, guesses = _over_noise(setting)
    here, there = cached.effect_size(setting.release), prior_guess.success(setting.release, setting.prior).upper
    alt = f"Reconstruction at prior {setting.prior:.3g} rises as the noise falls, here drawn against effect size."
    chart.draw(power_figure(own, here, there, words=power.RECONSTRUCTIONS, estimates=guesses), alt)
    st.caption("To the right: less noise, or a larger influence of one record. Sampling and steps stay as they are.")


def other_noise_table(setting: ReconstructionSetting) -> str:
    """CSV of what is drawn against other noise."""
    own, guesses = _over_noise(setting)
    header = {"release": setting.release.label, "prior": f"kappa = {setting.prior!r}"}
    return downloads.power_table([own, *guesses], header)


def _over_noise(setting: ReconstructionSetting) -> tuple[PowerCurve, list[PowerCurve]]:
    """The release's own curve, and estimates; what is refused is said at the first figure."""
    release, prior, chosen = setting.release, setting.prior, setting.shown.estimates
    own = cached.power_against_effect(release, prior, Order.ADD)
    effects, guesses = tuple(map(float, own.effect_size)), list[PowerCurve]()
    for name in chosen.names:
        if name is not Estimate.MONTE_CARLO:  # it would be drawn anew at every noise
            order = chosen.edgeworth_order if name is Estimate.EDGEWORTH else None
            with suppress(ValueError), skipped.if_no_time(name):
                guesses.append(prior_guess.estimated_at_effects(release, effects, prior, order))
    return own, guesses
