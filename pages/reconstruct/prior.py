"""The prior: how likely the attacker's best guess is before it sees the release, said in one of four ways."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from numerics.reconstruction.priors import Normal, Uniform
from pages.reconstruct import candidate_list
from pages.ui.controls import SliderWithBox, number_box, segmented_control, whole_box
from pages.ui.numbers_in_words import quantity
from pages.ui.prior_guess import Guessed, Known
from pages.ui.skipped import error_boundary
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
_RECORDS_HELP = "One of n candidates that the attacker has is the record, none likelier than another: κ = 1/n."
_DEVIATION_HELP = "Standard deviation of the secret number, in its own unit, such as years."
_TOLERANCE_HELP = "A guess counts as right when it is off by no more than this, in the same unit."
_DEVIATION, _TOLERANCE = "reconstruct.normal_deviation", "reconstruct.normal_tolerance"
_SIZES = 1e-3, 1e6  # of both, so that no guess is rarer than the page looks at


class Knows(StrEnum):
    """What the attacker knows; the values are the labels, and the values in the URL."""

    PROBABILITY = "a probability"
    RECORDS = "one of n records"
    NORMAL = "a normal number"
    UPLOAD = "an uploaded distribution"


KEYS = (
    "reconstruct.guessed",
    "reconstruct.knows",
    *(key for slider in (KAPPA, COMMONER) for key in (slider.key, slider.exact_key)),
    *("reconstruct.guess_records", _DEVIATION, _TOLERANCE),
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
        elif knows is Knows.NORMAL:
            with st.container(horizontal=True):
                spread = number_box("Standard deviation", _DEVIATION, _SIZES, 15.0, _DEVIATION_HELP, width=150)
                within = number_box("Right within ±", _TOLERANCE, _SIZES, 1.0, _TOLERANCE_HELP, width=150)
            words = f"a guess within ±{within:g} of a normal number with standard deviation {spread:g}"
            known = Known(Normal(spread, within).kappa, words)
        else:
            count = whole_box("Records", "reconstruct.guess_records", (1.0, _MOST), 50_000, _RECORDS_HELP, width=150)
            known = Known(Uniform(count).kappa, f"one of {count:,} records")
    is_usable = known is not None and known.kappa < 1.0
    # Of a record, the sentence says it already.
    with fold if guessed is Guessed.RECORD and is_usable else meaning:
        return _explained(known, guessed)


def _explained(known: Known | None, guessed: Guessed) -> Known | None:
    """Say what kappa is and means; None where there is nothing to attack."""
    if known is None:
        return None
    if known.kappa >= 1.0:
        st.info("The attacker's guess is always right: nothing is left for the release to give away.")
        return None
    meaning = _MEANINGS[guessed].format(people=quantity(1.0 / known.kappa))
    source = f", {known.words}" if known.words else ""
    st.caption(f"κ = {nearest(known.kappa)}{source}: {meaning}.")
    return replace(known, guessed=guessed)
