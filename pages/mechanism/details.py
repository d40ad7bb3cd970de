"""What is one step away from the explorer's answer: the choices about its curve, its numbers, and other figures."""

from contextlib import suppress
from dataclasses import dataclass
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.mechanism import figures, in_numbers, relaxed_overlay
from pages.ui import address, cached, comparison, estimates, figure_controls, result_header, weak_epsilon
from pages.ui.downloads import Make
from pages.ui.estimates import EstimateChoice
from pages.ui.figure_controls import PRIOR, CurveView, SecondFigure
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, rounded_up
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.skipped import error_boundary

KEYS = ("axes", "window", "mechanism.second", "mechanism.prior", "estimates", "edgeworth_order", *relaxed_overlay.KEYS)
FIGURES = "mechanism.more_figures"
_STARTS_OF_CURVE = {**figure_controls.DEFAULTS_OF_CURVE, **estimates.DEFAULTS, **relaxed_overlay.STARTS}


@dataclass(frozen=True)
class CurveChoice:
    """What is drawn beside the release's curve and how.

    Attributes:
        view: axes and window.
        dimension: of a record that is unknown; 0 without that attacker.
        estimates: the approximations laid over it.
        place: where is said how far these are off.
    """

    view: CurveView
    dimension: int
    estimates: EstimateChoice
    place: DeltaGenerator


def draw_curve_choice(choice: ReleaseChoice) -> CurveChoice:
    """Draw, folded away, what the trade-off curve is compared with and how it is looked at."""
    title = "The curve: keep and compare, axes, estimates, other attackers"
    with st.expander(title, type="compact", key="mechanism.choices_of_curve", on_change="rerun") as fold:
        if not fold.open and address.is_default(_STARTS_OF_CURVE):
            return CurveChoice(CurveView(), 0, EstimateChoice(), fold)
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            comparison.draw_button(choice)
            view = figure_controls.draw_curve()
            chosen = estimates.draw()
            dimension = relaxed_overlay.draw()
        st.caption(figure_controls.axes_caption(view.axes, choice.order))
        return CurveChoice(view, dimension, chosen, st.container())


def draw_epsilon(choice: ReleaseChoice) -> None:
    """Say epsilon below the run that it follows from: who knows the word looks for nothing else."""
    with st.sidebar, suppress(ValueError):
        promised = rounded_up(cached.epsilon(choice.mechanism, choice.delta).upper, EPSILON_DIGITS)
        st.caption(f"ε is at most {promised} at δ = {as_entered(choice.delta)}.")


def draw_numbers(choice: ReleaseChoice) -> float:
    """Draw, folded away, the guarantees in numbers; returns the prior, by which one of them is stated."""
    fold = st.expander(
        "In numbers: ε, advantage, μ, what an accusation is worth",
        key="mechanism.numbers",
        on_change="rerun",
        bind="query-params",
    )
    with fold, error_boundary("numbers for this release"):
        if not fold.open and address.is_default({PRIOR.key: PRIOR.default}):
            return PRIOR.default
        prior = figure_controls.draw_prior(choice.order)
        if fold.open:
            st.markdown(in_numbers.sentences(choice, prior))
            result_header.metrics(in_numbers.numbers(choice, prior))
            if weakness := weak_epsilon.warning(choice):
                st.warning(weakness, icon=":material/warning:")
    return prior


def draw_figures(choice: ReleaseChoice, dimension: int) -> dict[str, Make]:
    """Draw, folded away, another figure of the release; returns what makes its data, by name."""
    if "mechanism.second" in st.query_params:
        st.session_state.setdefault(FIGURES, True)
    fold = st.expander(
        "More figures: evidence, effect size, ε and δ, batches", key=FIGURES, on_change="rerun", bind="query-params"
    )
    with fold:
        if not fold.open and address.is_default({"mechanism.second": SecondFigure.EVIDENCE}):
            return {}
        second = figure_controls.draw_second()
        if not fold.open:
            return {}
        tables: dict[str, Make] = {}
        with error_boundary("second figure"):
            figures.draw_second(choice, second, dimension)
            tables = {second.value: partial(figures.second_table, choice, second, dimension)}
    return tables
