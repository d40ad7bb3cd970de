"""The prior: how likely the attacker's best guess is before it sees the release, said in one of five ways."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.reconstruction.priors import Normal, Uniform
from pages.reconstruct import candidate_list
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import number_box, whole_box
from pages.ui.numbers_in_words import quantity
from pages.ui.prior_guess import Guessed, Known
from pages.ui.segmented_control import segmented_control
from pages.ui.slider_with_box import SliderWithBox
from reports.rounding import nearest

SMALLEST = 1e-12  # of a prior; beyond it the certified bounds are not tested
_MOST = 1e12
_DECADES = tuple(float(f"{step}e{decade}") for decade in range(-9, -1) for step in (1, 2, 5))

KAPPA = SliderWithBox(
    "reconstruct.kappa",
    "hard ← prior guess → easy",
    (*_DECADES, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    1e-3,
    (SMALLEST, 0.999),
    "How likely the attacker's best guess of the record is right, before it looks at the release.",
)
COMMONER = SliderWithBox(
    "reconstruct.commoner",
    "even ← commoner answer → one-sided",
    (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999),
    0.5,
    (0.5, 0.999),
    "How many people have the commoner of both answers: that often an attacker is right who always names it.",
)
_GUESSED_HELP = (
    "One curve bounds them all: a whole record or one near enough; an attribute, by its commonest value; a yes or no, "
    "by the commoner answer; which of k people a record belongs to, by 1/k. An attacker who knows more beforehand "
    "guesses better: population frequencies are the least that it knows."
)
_KNOWS_HELP = (
    "Say what the attacker knows beforehand: how often its best guess is right, among how many records or candidates "
    "it must choose, or how often each candidate occurs."
)
_MEANINGS: Mapping[Guessed, str] = {
    Guessed.RECORD: "how often the guess is right without the release",
    Guessed.ATTRIBUTE: "how common the commonest value is",
    Guessed.YES_OR_NO: "how common the commoner answer is",
    Guessed.PERSON: "one of {people} people",
}
_WIDTH = 165  # pixels: the longest choice is read, and on a telephone the slider's label has a line beside it
_RECORDS_HELP = "The record is one of n that the attacker has, and no one is likelier than another: κ = 1/n."
_CANDIDATES_HELP = (
    "The attacker made a list of k candidates, all equally likely, and one of them is the record: κ = 1/k."
)
_DEVIATION_HELP = "Standard deviation of the secret number, in its own unit, such as years."
_TOLERANCE_HELP = "A guess counts as right when it is off by no more than this, in the same unit."


class Knows(StrEnum):
    """What the attacker knows; the values are the labels, and the values in the URL."""

    PROBABILITY = "a probability"
    RECORDS = "one of n records"
    CANDIDATES = "k candidates"
    NORMAL = "a normal number"
    UPLOAD = "an uploaded distribution"


KEYS = (
    "reconstruct.guessed",
    "reconstruct.knows",
    *(key for slider in (KAPPA, COMMONER) for key in (slider.key, slider.exact_key)),
    "reconstruct.guess_records",
    "reconstruct.candidates",
    "reconstruct.normal_deviation",
    "reconstruct.normal_tolerance",
    *candidate_list.KEYS,
)


def draw(aside: DeltaGenerator | None = None) -> Known | None:
    """Draw the guess in a row, and ``aside`` what it means and other ways to say it.

    None while something is missing or cannot be used.
    """
    aside = aside or st.container()
    with st.container(horizontal=True, vertical_alignment="top", gap="small"):
        chosen = st.selectbox(
            "The attacker guesses",
            list(Guessed),
            key="reconstruct.guessed",
            bind="query-params",
            help=_GUESSED_HELP,
            width=_WIDTH,
        )
        place = st.container()
    guessed, knows, known = Guessed(chosen or Guessed.RECORD), Knows.PROBABILITY, None
    meaning, fold = aside.container(), aside.expander("Another way to say it", type="compact")
    slider, name = KAPPA, "Exact prior guess"
    with fold:
        if guessed is Guessed.YES_OR_NO:
            slider, name = COMMONER, "Exact share of the commoner answer"
        else:
            knows = segmented_control(
                "The attacker knows", list(Knows), default=knows, key="reconstruct.knows", help=_KNOWS_HELP
            )
        if knows is Knows.PROBABILITY:  # first: while it is filled, the slider stands there
            slider.draw_box(name)
    with place, error_boundary("prior guess"):
        if knows is Knows.PROBABILITY:
            slider.draw_slider()
            known = Known(slider.value(), "")
        elif knows is Knows.UPLOAD:
            known = candidate_list.draw()
        else:
            known = _of_numbers(knows)
    is_usable = known is not None and SMALLEST <= known.kappa < 1.0
    # Of a record, the sentence says it already.
    with fold if guessed is Guessed.RECORD and is_usable else meaning:
        return _explained(known, guessed)


def _of_numbers(knows: Knows) -> Known:
    """Draw the numbers that say what the attacker knows."""
    if knows is Knows.NORMAL:
        deviation = number_box(
            "Standard deviation", "reconstruct.normal_deviation", (1e-6, 1e9), 15.0, _DEVIATION_HELP, width=150
        )
        tolerance = number_box(
            "Right within ±", "reconstruct.normal_tolerance", (1e-6, 1e9), 1.0, _TOLERANCE_HELP, width=150
        )
        words = f"a guess within ±{tolerance:g} of a normal number with standard deviation {deviation:g}"
        return Known(Normal(deviation, tolerance).kappa, words)
    name, key, start, what = "Records", "reconstruct.guess_records", 50_000, _RECORDS_HELP
    if knows is Knows.CANDIDATES:
        name, key, start, what = "Candidates", "reconstruct.candidates", 10, _CANDIDATES_HELP
    count = whole_box(name, key, (1.0, _MOST), start, what, width=150)
    return Known(Uniform(count).kappa, f"one of {count:,} {name.lower()}")


def _explained(known: Known | None, guessed: Guessed) -> Known | None:
    """Say what kappa is and means; None where there is nothing to attack, or less than the page can look at."""
    if known is None:
        return None
    if known.kappa >= 1.0:
        st.info("The attacker's guess is always right: nothing is left for the release to give away.")
        return None
    if known.kappa < SMALLEST:
        right = nearest(known.kappa, 2)
        st.info(f"The guess is right {right} of the time; below {nearest(SMALLEST)} this page makes no statement.")
        return None
    meaning = _MEANINGS[guessed].format(people=quantity(1.0 / known.kappa))
    source = f", {known.words}" if known.words else ""
    st.caption(f"κ = {nearest(known.kappa)}{source}: {meaning}.")
    return replace(known, guessed=guessed)
