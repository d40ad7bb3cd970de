"""The explorer's figures, each drawn from cached answers about the release and described in words.

While the slider of the answer is dragged, the curve moves with it: at every noise it is the one people are counted on.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace

import numpy as np
import streamlit as st

from numerics.mechanisms import Adjacency
from numerics.relaxed import RelaxedTest
from numerics.trade_off import Bracket, Order, TradeOffCurve, alpha_grid
from pages.mechanism import batches
from pages.server.shared_cache import shared_cache
from pages.ui import cached, chart, downloads, knob, noise_levels, result_header, skipped, threat_models
from pages.ui.cached import effect_size
from pages.ui.chart import CHART, CurveView, SecondFigure, take_click
from pages.ui.controls import segmented_control
from pages.ui.knob import States
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, rounded_up
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import Headline, crowd_for, words_for
from pages.ui.skipped import error_boundary
from people_view import Levels, Scene, State
from plotting import theme
from plotting.curves import SMALLEST_SHOWN, Axes, Compared, EstimatedCurve, OperatingPoint
from plotting.densities import Runs, densities_figure, run_releases
from plotting.limit import LimitRegion
from plotting.motion import motions
from plotting.power import MEMBERS, OUTSIDERS, PowerCurve, power_figure
from plotting.promises import profile_figure
from plotting.trade_off import trade_off_figure

CURVE = "mechanism.curve"
"""The key of what holds the figure."""
_POINTS = 60  # of a curve that moves: more would not be seen, and all are sent
_RUNS = 100
_RUNS_HELP = (
    "Releases the same data 100 times with one person's record and 100 times without it, and shows the evidence that "
    "the attacker sees each time. A lot decides where it equals the threshold."
)


@dataclass(frozen=True)
class Deployment:
    """A published promise, about one day of one user: its ``epsilon``, and where it was published."""

    name: str
    epsilon: float
    source: str


# All three protect one day of one user, not one record of a data set.
DEPLOYMENTS = (
    Deployment("Google symptom searches", 1.68, "Bavadekar et al. 2020, arXiv 2009.01265"),
    Deployment("Google vaccination searches", 2.19, "arXiv 2107.01179, with δ = 10⁻⁵"),
    Deployment("Apple emoji suggestions", 4.0, "local model; D. Desfontaines, A list of real-world uses of DP"),
)


def axes_caption(axes: Axes, order: Order) -> str:
    """What the axes of the trade-off figure show, in a sentence, and what a click does."""
    words = words_for(order)
    up = f"are then {words.found}, at most" if axes == Axes.LOG else f"{words.missed}, at least"
    across = f"how many {words.wronged} are wrongly {words.accused}"
    return (
        f"Across: {across}. Up: how many {words.people} {up}. The nearer to guessing, the more private. "
        "Click to look at another point."
    )


def draw_trade_off(
    choice: ReleaseChoice,
    view: CurveView,
    compared: Sequence[Compared],
    estimates: Sequence[EstimatedCurve],
) -> theme.Figure:
    """Draw the trade-off curve; a click on it moves the operating point. Returns the figure, for export."""
    curve = cached.trade_off(choice.mechanism, choice.order)
    power = cached.power(choice.mechanism, choice.alpha, choice.order)
    figure = trade_off_at(choice, view, curve, power, compared, estimates)
    alt = f"Trade-off curve of {curve.label}. {_said(choice, power)}"
    chart.draw(figure, alt, CHART, take_click, height="stretch")
    return figure


def trade_off_at(
    choice: ReleaseChoice,
    view: CurveView,
    curve: TradeOffCurve,
    power: Bracket,
    compared: Sequence[Compared],
    estimates: Sequence[EstimatedCurve] = (),
) -> theme.Figure:
    """The ``curve`` of this release, with the point of the ``power`` on it."""
    point = OperatingPoint(choice.alpha, power)
    allowed = LimitRegion(choice.limit, crowd_for(choice.alpha) if view.counts_people else None)
    return trade_off_figure(curve, point, view.axes, view.largest_alpha, compared, estimates, choice.order, allowed)


def _said(choice: ReleaseChoice, found: Bracket) -> str:
    """What the page says of the operating point."""
    return f"{result_header.spoken(Headline.of(choice).beside_guessing(found, choice.mechanism.bound))}."


# The curve under the finger


@dataclass(frozen=True)
class Moving:
    """What the figure shows, whatever noise is in force.

    ``noises`` are the slider's; at the one that is ``advised`` people are counted as pages state it. The curves
    ``beside`` it do not move.
    """

    choice: ReleaseChoice
    view: CurveView
    noises: tuple[float, ...]
    advised: float | None
    names: tuple[str, ...]
    beside: Sequence[TradeOffCurve] = field(compare=False)


def draw_motion(
    choice: ReleaseChoice, scene: Scene, more: Levels, view: CurveView, beside: Sequence[TradeOffCurve] | None
) -> None:
    """Let the slider of the ``scene`` move the curve; it is pale where nobody is counted, or for want of ``beside``."""

    def found() -> States:
        if beside is None:
            return States()
        release, advised, names = choice.mechanism, scene.advised, tuple(curve.label for curve in beside)
        anywhere = release if len(release.phases) > 1 else release.with_noise(1.0)
        noises = sorted(level.noise for level in more.levels if level.noise != advised)
        asked = replace(choice, mechanism=anywhere)
        return states(Moving(asked, view, tuple(noises), advised, names, beside))

    knob.draw(scene.name, scene.levels[scene.chosen].named, found, moving=[CURVE])


@shared_cache
def states(moving: Moving) -> States:
    """The figure at every noise, by how the slider shows it."""
    choice, view = moving.choice, moving.view
    alpha, order = choice.alpha, choice.order
    rates = alpha_grid(_POINTS, 1e-4)
    if view.axes is Axes.LOG:
        smallest = 1.0 / crowd_for(alpha) if view.counts_people else SMALLEST_SHOWN
        rates = np.geomspace(smallest, view.largest_alpha, _POINTS)
    drawn = {}
    for noise in sorted({*moving.noises, *([moving.advised] if moving.advised else [])}):
        release, is_fine = noise_levels.at_noise(choice.mechanism, noise), noise == moving.advised
        found = noise_levels.level(release, alpha, order, is_fine=is_fine).found
        curve = noise_levels.curve(release, alpha, order, rates, is_fine=is_fine)
        if found is not None:
            drawn[noise_levels.in_short(release)] = trade_off_at(
                replace(choice, mechanism=release), view, curve, Bracket.exact(found), moving.beside
            )
    if len(drawn) < 2:  # what moves is what differs
        return States()
    return States({place: State({}, {CHART: moved}) for place, moved in motions(drawn).items()})


# The other figures


def draw_choice_of_second() -> SecondFigure:
    """Draw the choice of another figure."""
    return segmented_control("Figure", list(SecondFigure), default=SecondFigure.EVIDENCE, key="mechanism.second")


def draw_second(choice: ReleaseChoice, second: SecondFigure, dimension: int) -> None:
    """Draw the chosen one of the other figures; with ``dimension``, also for a record that is unknown."""
    match second:
        case SecondFigure.EVIDENCE:
            _draw_evidence(choice)
        case SecondFigure.POWER:
            _draw_power(choice, dimension)
        case SecondFigure.PROFILE:
            _draw_profile(choice)
        case SecondFigure.BATCHES:
            batches.draw_figure(choice)


def second_table(choice: ReleaseChoice, second: SecondFigure, dimension: int) -> str:
    """CSV of what ``draw_second`` draws."""
    header = {"release": choice.mechanism.label, "assumptions": " ".join(choice.mechanism.assumptions)}
    if second is SecondFigure.EVIDENCE:
        law = cached.statistic(choice.mechanism)
        columns = {"log-likelihood ratio": law.loss, "mass without": law.null, "mass with": law.alternative}
        threshold = cached.threshold(choice.mechanism, choice.alpha, choice.order)
        return downloads.table(columns, header | {"threshold": f"{threshold!r} at alpha = {choice.alpha!r}"})
    if second is SecondFigure.POWER:
        own = cached.power_against_effect(choice.mechanism, choice.alpha, choice.order)
        curves = [own, *relaxed_power_curves(choice, dimension)]
        return downloads.power_table(curves, header | {"alpha": f"{choice.alpha!r}", "order": choice.order.value})
    if second is SecondFigure.BATCHES:
        return batches.figure_table(choice)
    profile = cached.profile(choice.mechanism, choice.delta, cached.PRECISION)
    sides = {"delta (at least)": profile.lower, "delta": profile.delta, "delta (at most)": profile.upper}
    return downloads.table({"epsilon": profile.epsilon, **sides}, header | {"kind of bound": profile.bound.value})


_OVERLAP = "The more the two distributions overlap, the less the release says about one person."
_BOUNDED = "They belong to the guarantee: the release's own are no easier to tell apart, and are not known."


def _draw_evidence(choice: ReleaseChoice) -> None:
    release, alpha = choice.mechanism, choice.alpha
    clears = choice.order is Order.REMOVE
    power = cached.power(release, alpha, Order.REMOVE if clears else Order.ADD)
    law = cached.statistic(release)
    place = st.container()
    # Nobody can play an attack that is not known.
    asked = release.is_reached and st.button(
        f"Run {_RUNS} releases", icon=":material/play_arrow:", help=_RUNS_HELP, key="mechanism.run_releases"
    )
    # New ones at every press: that they differ is what they show. Nothing else on the page hangs on them.
    shares = (power.estimate, alpha) if clears else (alpha, power.estimate)
    runs = run_releases(law, shares, _RUNS, np.random.default_rng(), clears) if asked else None
    first, second = _shares(alpha, power, clears)
    figure = densities_figure(law, alpha, (first, second), runs, clears)
    alt = (
        "Two distributions: the evidence an attacker sees without and with the record. "
        f"{'Ruled out' if clears else 'Accused'} are {first} of the first and {second} of the second."
    )
    with place:
        chart.draw(figure, alt)
        if runs:
            st.markdown(_ran(runs, clears))
        st.caption(_OVERLAP if release.is_reached else f"{_OVERLAP} {_BOUNDED}")


def _shares(alpha: float, power: Bracket, clears: bool) -> tuple[str, str]:
    """The shares that are judged without and with the record, in the numbers of the answer."""
    wrongly, rightly = f"{alpha:g}", f"at most {rounded_up(power.upper)}"
    return (rightly, wrongly) if clears else (wrongly, rightly)


def _ran(runs: Runs, clears: bool) -> str:
    """Both worlds, counted."""
    outsider, member = runs.judged
    verdict = "ruled this person out" if clears else "accused this person"
    return (
        f"Just now, the attack {verdict} in **{member} of {_RUNS}** releases with the record, and in "
        f"**{outsider} of {_RUNS}** without it."
    )


def _draw_power(choice: ReleaseChoice, dimension: int) -> None:
    release = choice.mechanism
    with st.spinner("Computing the release at other noise levels …", show_time=True):
        curve = cached.power_against_effect(release, choice.alpha, choice.order)
        others = relaxed_power_curves(choice, dimension)
    power = cached.power(release, choice.alpha, choice.order)
    words, axis = words_for(choice.order), OUTSIDERS if choice.order is Order.REMOVE else MEMBERS
    share = f"{words.people.capitalize()} {words.found} at {words.rate} {choice.alpha:g}"
    alt = f"{share} rise with the effect size, the inverse of the noise."
    chart.draw(power_figure(curve, effect_size(release), power.estimate, others, axis), alt)
    st.caption("To the right: less noise, or a larger influence of one record. Sampling and steps stay as they are.")


def _draw_profile(choice: ReleaseChoice) -> None:
    with st.spinner("Computing delta for every epsilon …", show_time=True):
        curve = cached.profile(choice.mechanism, choice.delta, cached.PRECISION)
    epsilon = cached.epsilon(choice.mechanism, choice.delta)
    most = rounded_up(epsilon.upper, EPSILON_DIGITS)
    alt = f"Delta falls as epsilon grows; at delta {as_entered(choice.delta)} epsilon is {most}."
    others = [(deployment.name, deployment.epsilon) for deployment in DEPLOYMENTS]
    chart.draw(profile_figure(curve, choice.delta, as_entered(choice.delta), epsilon, others), alt)
    st.caption(
        "Every point of the line is a valid promise about the same release; quoting one hides the others. Dotted: ε "
        "published with real deployments, which protect one day of one user: orders of magnitude to compare with.",
        help="\n\n".join(f"{one.name}, ε = {one.epsilon:g}: {one.source}" for one in DEPLOYMENTS),
    )


# The attacker who does not know the record, on request

RELAXED_KEY = "mechanism.relaxed"
_RELAXED_HELP = (
    "Relaxed threat model (RTM): the attacker knows everything but the record, so not the side or direction it pulls "
    "to. No guarantee against one who guesses it. More on the page Attackers."
)

_NOT_DEFINED = (
    "No curve for an unknown record: what replaces it is not defined. Under “More” add/remove neighbours can be chosen."
)


def draw_relaxed_switch(choice: ReleaseChoice) -> int:
    """Draw the switch; returns the dimension when on, 1 where it is not set, and 0 when off."""
    if not st.toggle("Record unknown (RTM)", key=RELAXED_KEY, bind="query-params", help=_RELAXED_HELP):
        return 0
    return choice.dimension or 1  # where an unknown direction protects least


def relaxed_curves(choice: ReleaseChoice, dimension: int) -> list[TradeOffCurve]:
    """The relaxed curve of the release; none when off or where there is none, which is then said."""
    if not dimension:
        return []
    if choice.mechanism.adjacency is Adjacency.REPLACE_ONE:
        st.info(_NOT_DEFINED, icon=":material/info:")
        return []
    label, found = f"record unknown, d = {dimension:,}", list[TradeOffCurve]()
    with error_boundary("curve for an unknown record"), skipped.if_no_time(label):
        curve = threat_models.relaxed_curve(choice.mechanism, dimension, choice.order, RelaxedTest.MINIMAX)
        found.append(replace(curve, label=label))
    return found


def relaxed_power_curves(choice: ReleaseChoice, dimension: int) -> list[PowerCurve]:
    """Its power against the effect size, likewise."""
    if not dimension:
        return []
    with suppress(ValueError), skipped.if_no_time("record unknown"):  # refused: said beside the trade-off curve
        return [threat_models.relaxed_power_against_effect(choice.mechanism, choice.alpha, choice.order, dimension)]
    return []
