"""Converters: any one of (epsilon, delta), eta, mu, or a true positive rate, in terms of the others."""

from enum import StrEnum
from typing import Literal

import streamlit as st

from numerics.mechanisms import Adjacency, Sampling
from numerics.trade_off import Bound
from pages.attackers import levels
from pages.attackers.conversion_formulas import ASSUMPTIONS, FORMULAS
from pages.attackers.conversions import (
    ADVANTAGE,
    DELTA,
    EPSILON,
    ETA,
    FOUND,
    MU,
    At,
    Given,
    GivenAttack,
    GivenEpsilon,
    GivenEta,
    GivenLimit,
    GivenMu,
    Line,
    of_release,
)
from pages.attackers.setting import Setting
from pages.shared import export, readout
from pages.shared.attempt import attempt
from pages.shared.sweeps import Release

_URL: Literal["query-params"] = "query-params"
KEYS = (
    *levels.KEYS,
    "convert_from",
    "convert_adjacency",
    "convert_epsilon",
    "convert_delta",
    "convert_eta",
    "convert_mu",
    "convert_alarms",
    "convert_found",
    "convert_reading",
)


class From(StrEnum):
    """What is entered; the values are labels, and values in the URL."""

    EPSILON = "epsilon, delta"
    ETA = "eta"
    MU = "mu"
    FOUND = "TPR at FPR"


class Reading(StrEnum):
    """What a true positive rate is known to be; the values are labels, and values in the URL."""

    ATTACK = "an attack reaches it"
    LIMIT = "no attack exceeds it"


_ADJACENCY_HELP = (
    "What the entered number is about: one record more or less, or one record with another value. A guarantee for "
    "replaced records implies none for added ones. η always speaks of replaced records (correction 29)."
)
_KIND_HELP = (
    "exact: some release with just the entered number has this one, so no better can be said from it. "
    "bound: it holds, but may be far off."
)


def draw(setting: Setting) -> None:
    """Draw the converters, with the page's release beside them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        start = st.segmented_control(
            "Convert from", list(From), default=From.EPSILON, key="convert_from", bind=_URL, required=True
        )
        adjacency = st.selectbox(
            "stated for", list(Adjacency), key="convert_adjacency", bind=_URL, width=150, help=_ADJACENCY_HELP
        )
        given, at = _entered(From(start or From.EPSILON), Adjacency(adjacency or Adjacency.ADD_REMOVE), setting)
    with attempt("conversion"):
        with st.spinner("Reading the release's own curve …", show_time=True):
            own = _own(given, at, setting)
            lines = given.lines(at)
        st.markdown(f"##### {_sentence(given, lines, own, at)}")
        _draw_table(given, lines, own, at)
    levels.draw(setting)
    readout.how(FORMULAS, ASSUMPTIONS, Bound.EXACT)


def _number(label: str, key: str, limits: tuple[float, float], default: float, help_: str | None = None) -> float:
    low, high = limits
    return float(st.number_input(label, low, high, default, format="%g", key=key, bind=_URL, width=120, help=help_))


def _entered(start: From, adjacency: Adjacency, setting: Setting) -> tuple[Given, At]:
    """Draw the boxes of what is entered."""
    alpha, delta = setting.choice.alpha, setting.choice.delta
    if start is From.EPSILON:
        epsilon = _number("ε", "convert_epsilon", (0.0, 100.0), 1.0)
        given_delta = _number("δ", "convert_delta", (0.0, 1.0), 1e-5)
        return GivenEpsilon(epsilon, given_delta), At(alpha, given_delta if 0 < given_delta < 1 else delta, adjacency)
    if start is From.ETA:
        return GivenEta(_number("η", "convert_eta", (0.0, 0.5), 0.1)), At(alpha, delta, adjacency)
    if start is From.MU:
        return GivenMu(_number("μ", "convert_mu", (1e-3, 100.0), 1.0)), At(alpha, delta, adjacency)
    alpha = _number("at FPR", "convert_alarms", (1e-9, 0.999), 1e-3, "Share of outsiders wrongly accused.")
    found = _number("TPR", "convert_found", (1e-9, 0.999999), 0.05, "Share of members found.")
    reading = st.segmented_control(
        "known as", list(Reading), default=Reading.ATTACK, key="convert_reading", bind=_URL, required=True
    )
    given: Given = GivenLimit(found) if reading == Reading.LIMIT else GivenAttack(found)
    return given, At(alpha, delta, adjacency)


def _own(given: Given, at: At, setting: Setting) -> dict[str, str]:
    """The page's release under the entered adjacency; what cannot be computed is left out."""
    try:
        return of_release(given, at, _read_as(at.adjacency, setting), setting.replace_one)
    except ValueError:
        return {}


def _read_as(adjacency: Adjacency, setting: Setting) -> Release | None:
    """None where batches of a fixed size have no neighbours with a record more."""
    if adjacency is Adjacency.REPLACE_ONE:
        return setting.replace_one
    return None if setting.phases[0].sampling is Sampling.FIXED_SIZE else setting.add_one


def _sentence(given: Given, lines: list[Line], own: dict[str, str], at: At) -> str:
    """The first converted number in words, beside the release's own."""
    first = lines[0]
    subject = f"{_name(first.quantity, at)}"
    side = "at least" if isinstance(given, GivenAttack) else "at most"
    beside = f"; this release's own curve says {own[first.quantity]}" if first.quantity in own else ""
    source = {GivenAttack: "The attack proves that", GivenLimit: "From this limit alone,"}.get(
        type(given), "From the entered number alone,"
    )
    if first.value == "none":
        return f"{source} nothing follows about {subject}{beside}."
    return f"{source} {subject} is {side} {first.value}{beside}."


def _name(quantity: str, at: At) -> str:
    return {
        EPSILON: f"ε at δ = {at.delta:g}",
        FOUND: f"TPR at FPR {at.alpha:g}",
        MU: "μ-GDP",
        ETA: "η",
        DELTA: "δ",
        ADVANTAGE: "advantage",
    }[quantity]


def _draw_table(given: Given, lines: list[Line], own: dict[str, str], at: At) -> None:
    """The converted numbers, their kinds, and the release's own at most."""
    missing = "not for fixed-size batches" if set(own) == {ETA} else "–"
    names = [_name(line.quantity, at) for line in lines]
    st.table(
        {
            "": names,
            "from what is entered": [line.value for line in lines],
            "kind": [line.kind for line in lines],
            "this release (its curve)": [own.get(line.quantity, missing) for line in lines],
            "in words": [line.words for line in lines],
        },
        hide_index=True,
    )
    entered = [f"{_name(name, at)}: {value}" for name, value in own.items() if name not in {x.quantity for x in lines}]
    if entered:
        st.caption(f"The entered quantity, read from this release's own curve, at most: {'; '.join(entered)}.")
    st.caption(_KIND_HELP)
    header = {"entered": repr(given), "stated for": at.adjacency.value}
    columns = {
        "quantity": names,
        "value": [line.value for line in lines],
        "kind": [line.kind for line in lines],
        "this release at most": [own.get(line.quantity, "") for line in lines],
        "words": [line.words for line in lines],
    }
    st.download_button(
        "Data (CSV)", export.table(columns, header), "conversions.csv", "text/csv", key="convert_csv", on_click="ignore"
    )
