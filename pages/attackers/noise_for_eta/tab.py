"""Noise for a wanted eta: by the one-swap bound, differential privacy, the paper's constants, and what suffices."""

import streamlit as st

from numerics.trade_off import Bound
from pages.attackers.noise_for_eta import cached, exact_eta, small_release
from pages.attackers.noise_for_eta import figure as noise_figure
from pages.attackers.noise_for_eta.exact_eta import (
    ACCUSED,
    LEAST,
    PAPER_9,
    PAPER_14,
    PRIVATE,
    SCALE_DIGITS,
    NoiseComparison,
)
from pages.attackers.noise_for_eta.formulas import ASSUMPTIONS, FORMULAS
from pages.attackers.noise_for_eta.small_release import RECORDS, SmallDataSet, ValuesError
from pages.server.shared_cache import session_cache
from pages.ui import chart, csv_tables, downloads, readout
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import rounded_up
from pages.ui.plain_text import literal
from pages.ui.segmented_control import segmented_control
from pages.ui.threat_models.release import ReleaseSetting
from plotting.exact_eta import exact_eta_figure

_KINDS = {LEAST: "exact", PAPER_9: "paper's guarantee", PAPER_14: "paper's guarantee"}
_MEMORY = "attackers.eta_of_own_values"  # of this session
_DATA_HELP = {
    SmallDataSet.DIGITS: (
        "The first of the 1,797 images of handwritten digits that come with the project (data/README.md)."
    ),
    SmallDataSet.PROPOSITION_11: (
        "Constructed so that one replaced record can change everything, but hardly ever does."
    ),
    SmallDataSet.OWN: "They stay in your session: they are not stored, not shared and not part of the page's address.",
}


def draw(setting: ReleaseSetting) -> None:
    """Draw the part. It is about releasing one number of a random half of a small pool, not the page's release."""
    del setting
    st.caption(
        "Another release than the one above: one number, such as a mean, of a random half of a known pool. The "
        "attacker knows the pool and asks whether a record was in the half; η is the accuracy above one half."
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        goal = number_box(
            "Wanted η",
            "attackers.eta_goal",
            (1e-4, 0.499),
            0.01,
            width=120,
            help="0.01: at most 51 % of guesses are right.",
        )
        moment = number_box(
            "Moment, M",
            "attackers.eta_moment",
            (1.0, 20.0),
            2.0,
            width=120,
            help="Which moment of the spread the paper uses.",
        )
        data = segmented_control(
            "Whose membership", list(SmallDataSet), default=SmallDataSet.DIGITS, key="attackers.eta_data"
        )
        if data is not SmallDataSet.OWN:
            records = st.selectbox(
                "Records", RECORDS, RECORDS.index(12), key="attackers.eta_records", bind="query-params", width=100
            )
    st.caption(_DATA_HELP[data])
    with error_boundary("noise for this eta"), st.spinner("Trying all halves …", show_time=True):
        found = (
            _own(goal, moment) if data is SmallDataSet.OWN else cached.compare(data, int(records or 12), goal, moment)
        )
        if found is not None:
            _draw_found(found, goal, moment, data)
    noise_figure.draw()
    readout.how_computed(FORMULAS, ASSUMPTIONS, Bound.LOWER, key="attackers.how_noise")


def _own(goal: float, moment: float) -> NoiseComparison | None:
    """The comparison for pasted values, computed once in this session; None while there are none to use."""
    text = st.text_area(
        "Your values",
        key="attackers.eta_pasted",
        persist_state="session",
        placeholder="for instance 3.1 4.7 2.2 5.9 4.4 3.8",
        help=f"{RECORDS[0]} to {RECORDS[-1]} numbers, an even count. Their mean over a random half is released.",
    )
    if not (text or "").strip():
        st.session_state.pop(_MEMORY, None)
        st.info(f"Paste {RECORDS[0]} to {RECORDS[-1]} numbers, an even count of them.", icon=":material/edit:")
        return None
    try:
        values = small_release.read(text)
    except ValuesError as problem:
        st.error(f"**{literal(problem.what)}** {problem.remedy}", icon=":material/error:")
        return None
    key = (tuple(values.tolist()), goal, moment)
    words = "the mean of a random half of your values"
    return session_cache(_MEMORY, key, 1, lambda: exact_eta.compare(small_release.mean_of(values, words), goal, moment))


def _draw_found(found: NoiseComparison, goal: float, moment: float, data: SmallDataSet) -> None:
    readout.answer(_sentence(found, goal), level=3)
    _draw_table(found)
    st.caption(
        f"Released is {found.what}. One replaced record changes it by at most {found.sensitivity:.4g}, which is what "
        "differential privacy counts, from the range of these data: a limit fixed before seeing them would be larger, "
        "and without any limit it says nothing. The one-swap bound counts the mean change instead: "
        f"{found.mean_swap:.4g} for the record that it hides least, number {found.hidden_least} of {found.records}. "
        f"The paper counts the spread over the halves, {found.spread:.4g} for the moment M = {moment:g}. Changes and "
        "spread are the private data's own: noise that is scaled by them needs public data or an assumption."
    )
    marked = [(way.name, way.scale) for way in found.ways if way.scale]
    figure = exact_eta_figure(found.curves, goal, marked)
    chart.draw(
        figure,
        alt=f"Accuracy above guessing against the noise scale: the exact curve lies below the one-swap bound, and "
        f"that below differential privacy's. For {goal:g}, the one-swap bound asks for {found.swap:.3g}, differential "
        f"privacy for {found.scale_of(PRIVATE):.3g} and the paper for {found.scale_of(PAPER_9):.3g}.",
        key="attackers.eta_figure",
    )
    downloads.button("Data (CSV)", "exact_eta.csv", lambda: _csv(found, goal, moment, data))


def _sentence(found: NoiseComparison, goal: float) -> str:
    least = found.scale_of(LEAST)
    suffices = f"noise of scale {rounded_up(least)} is enough" if least else "no noise is needed"
    swap = f"asks for {rounded_up(found.swap)}" if found.swap else "asks for none"
    return (
        f"So that nobody's membership is guessed with accuracy above {50 + 100 * goal:.4g} %, {suffices}. The one-swap "
        f"bound {swap}, differential privacy for {rounded_up(found.scale_of(PRIVATE))}, the paper's constant 7.5 for "
        f"{rounded_up(found.scale_of(PAPER_9))}."
    )


def _draw_table(found: NoiseComparison) -> None:
    ways = found.ways
    st.table(
        {
            "way": [way.name for way in ways],
            "noise scale b": [
                "needs M ≥ 2" if way.scale is None else rounded_up(way.scale, SCALE_DIGITS) for way in ways
            ],
            "times the one-swap bound's": [
                _times(way.scale / found.swap) if way.scale is not None and found.swap else "" for way in ways
            ],
            "η it really gives": ["" if way.eta is None else rounded_up(way.eta) for way in ways],
            "kind": [_KINDS.get(way.name, "guarantee") for way in ways],
        },
        hide_index=True,
    )
    if found.swap:
        st.caption(
            "The one-swap bound holds at every rate of false alarms: at its noise, who says “used” of the record that "
            f"it hides least in {100 * ACCUSED:g} of 100 draws without it says so in at most "
            f"{rounded_up(100 * found.found)} of 100 draws with it. It never asks for more noise than differential "
            "privacy; how much less is a matter of the data, and nothing where all swaps are alike."
        )


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100.0 else f"{ratio:.3g}"


def _csv(found: NoiseComparison, goal: float, moment: float, data: SmallDataSet) -> str:
    curves = found.curves
    header = {
        "data": data.value,
        "released": found.what,
        "wanted eta": repr(goal),
        "moment": repr(moment),
    }
    header |= {f"noise by {way.name}": "none" if way.scale is None else repr(way.scale) for way in found.ways}
    columns = {
        "noise scale": curves.scale,
        "eta, all halves tried": curves.exact,
        "eta at most, one-swap bound": curves.swap,
        "eta at most, paper": curves.paper,
        "eta at most, differential privacy": curves.private,
    }
    return csv_tables.table(columns, header)
