"""The page's figure, and the curves on it; the literature's estimates among them, with their error in words."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from numerics.mechanisms import Mechanism
from numerics.trade_off import TradeOffCurve
from pages.reconstruct import monte_carlo
from pages.reconstruct.controls import CHART, ExtraCurve, ReconstructionSetting, take_click
from pages.server.shared_cache import Private
from pages.ui import cached_reconstruction, chart, comparison, estimates, skipped
from pages.ui.csv_tables import powers, table
from pages.ui.error_boundary import error_boundary
from pages.ui.numbers_in_words import CROWD
from pages.ui.prior_guess import Guessed, in_words
from pages.ui.threat_models.notions import RELAXED
from plotting import theme
from plotting.curves import Axes, EstimatedCurve, OfAttacker, OperatingPoint
from plotting.reconstruction import LimitLine, Ratio, ReconstructionMarks, reconstruction_figure
from plotting.reconstruction_axes import Window
from reports.rounding import nearest

UNKNOWN = RELAXED.short


def curve(setting: ReconstructionSetting, release: Mechanism) -> TradeOffCurve:
    """How often the attacker is right with a release, for every guess."""
    is_answer = setting.known.guessed is Guessed.YES_OR_NO
    return (cached_reconstruction.attribute_curve if is_answer else cached_reconstruction.curve)(release)


def beside(setting: ReconstructionSetting) -> list[TradeOffCurve]:
    """The other curves asked for; what cannot be computed is said."""
    return [*_also(setting), *comparison.curves(partial(curve, setting))]


def _also(setting: ReconstructionSetting) -> list[TradeOffCurve]:
    found: list[TradeOffCurve] = []
    if setting.known.guessed is Guessed.YES_OR_NO:
        return found
    if ExtraCurve.RELAXED in setting.shown.also:
        with error_boundary("curve for an unknown record"), skipped.if_no_time(UNKNOWN):
            found.append(replace(cached_reconstruction.record_unknown(setting.release), label=UNKNOWN))
    if ExtraCurve.EPSILON in setting.shown.also:
        epsilon, delta = setting.epsilon, setting.choice.delta
        found.append(cached_reconstruction.from_epsilon_delta(epsilon, delta))
    return found


def ratios(own: TradeOffCurve, estimates: Sequence[EstimatedCurve]) -> list[Ratio]:
    """Each estimate over the certified value, where both are asked at the same priors."""
    inside = (own.alpha > 0.0) & (own.power > 0.0)
    return [
        Ratio(guess.curve.label, own.alpha[inside], guess.curve.power[inside] / own.power[inside])
        for guess in estimates
    ]


def draw_curve(
    setting: ReconstructionSetting, others: Sequence[TradeOffCurve], estimates: Sequence[EstimatedCurve]
) -> theme.Figure:
    """Draw reconstruction against the prior; a click makes a prior the one in force. Returns the figure, for export."""
    own, success = curve(setting, setting.release), setting.success
    guessed, rebuilt = in_words(setting.prior, success.upper)
    is_answer = setting.known.guessed is Guessed.YES_OR_NO
    figure = reconstruction_figure(
        own,
        OperatingPoint(setting.prior, success),
        Window(Axes.LINEAR, low=0.5) if is_answer else Window(setting.shown.axes, setting.shown.largest_prior),
        [OfAttacker(other, RELAXED.color) if other.label == UNKNOWN else other for other in others],
        estimates,
        ratios(own, estimates),
        ReconstructionMarks(LimitLine(setting.limit.share, setting.limit.name), rebuilt.removesuffix(f" of {CROWD:,}")),
    )
    alt = (
        f"How often a guess is right with the release against how often it is right without it, for {own.label}: a "
        f"guess right {guessed} times becomes one right at most {rebuilt} times. Above {setting.limit.words} is too "
        "often."
    )
    chart.draw(figure, alt, CHART, take_click)
    return figure


def curves_table(curves: Sequence[TradeOffCurve], notes: Mapping[str, str]) -> str:
    """CSV of the curves below each other: prior, reconstruction probability, and its two limits where it has any."""
    header = {
        "prior": "kappa, probability of a right guess",
        "reconstruction": "gamma, as its curve's kind has it; no attack is right more often than at most says",
        "at least": "the best test of presence reaches it; whether naming a record does depends on the data",
    }
    names = [curve.label for curve in curves for _ in curve.alpha]
    kinds = [curve.bound.value for curve in curves for _ in curve.alpha]
    at_most, at_least = zip(*map(powers, curves), strict=True)
    columns = {
        "prior": [curve.alpha for curve in curves],
        "reconstruction": [curve.power for curve in curves],
        "at most": at_most,
        "at least": at_least,
    }
    joined = {name: np.concatenate(parts) for name, parts in columns.items()}
    return table({"curve": names, "kind": kinds, **joined}, header | dict(notes))


_NEAR = 1.5  # as a ratio of priors; the curves' samples are closer together


def overlays(setting: ReconstructionSetting) -> list[EstimatedCurve]:
    """The chosen estimates, and what this session drew with Algorithm 1; those that cannot be had say why."""
    chosen = setting.shown.estimates
    if setting.known.guessed is Guessed.YES_OR_NO:
        if chosen.names or setting.shown.also:
            st.info("A yes or no has a curve of its own: no estimates and other attackers.", icon=":material/info:")
        return []
    made = estimates.overlays(setting.release, chosen)
    drawn = monte_carlo.result_of(setting.release)
    return made if drawn is None else [*made, drawn.overlay]


def describe(setting: ReconstructionSetting, made: list[EstimatedCurve]) -> None:
    """How far each estimate is from the certified curve at the prior in force."""
    lines = [f"- {_sentence(setting, guess)}" for guess in made]
    if lines:
        st.markdown("\n".join(lines))


def _sentence(setting: ReconstructionSetting, guess: EstimatedCurve) -> str:
    curve = guess.curve
    index = int(np.argmin(np.abs(np.log(np.maximum(curve.alpha, 1e-300) / setting.prior))))
    prior, value = float(curve.alpha[index]), float(curve.power[index])
    if np.isnan(value):
        return f"**{curve.label}** is not usable at κ = {nearest(prior, 3)}: too few samples count there."
    # Which of the curve's samples is nearest tells where an uploaded prior lies.
    truth = cached_reconstruction.success(setting.release, Private(prior))
    spread = "" if guess.error is None else f" ± {nearest(float(guess.error[index]), 2)} (standard error)"
    verdict = estimates.error_in_words(value, truth.estimate)
    beyond = prior / setting.prior
    place = "" if 1.0 / _NEAR < beyond < _NEAR else f" at κ = {nearest(prior, 3)}, where estimates start,"
    return f"**{curve.label}** puts γ{place} at {nearest(value)}{spread}, against {nearest(truth.estimate)}: {verdict}."
