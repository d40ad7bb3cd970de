"""Converters: any one of (epsilon, delta), eta, mu, or a true positive rate, in terms of the others."""

from contextlib import suppress
from enum import StrEnum

import streamlit as st

from numerics.deadline import DeadlineError
from numerics.mechanisms import Adjacency, Mechanism, Sampling
from numerics.trade_off import Bound, Bracket
from pages.attackers.converters import levels
from pages.attackers.converters.formulas import ASSUMPTIONS, FORMULAS
from pages.attackers.converters.rows import (
    ADVANTAGE,
    DELTA,
    EPSILON,
    ETA,
    FOUND,
    MU,
    PURE,
    At,
    ConvertedNumber,
    Given,
    GivenAttack,
    GivenEpsilon,
    GivenEta,
    GivenLimit,
    GivenMu,
    of_release,
)
from pages.ui import csv_tables, downloads, readout
from pages.ui.error_boundary import error_boundary
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import as_entered, rounded_up
from pages.ui.segmented_control import segmented_control
from pages.ui.threat_models.release import ReleaseSetting

_ALARMS = "FPR"
_BOXES = {
    EPSILON: ("attackers.convert_epsilon", (0.0, 100.0)),
    DELTA: ("attackers.convert_delta", (0.0, 1.0)),
    ETA: ("attackers.convert_eta", (0.0, 0.5)),
    MU: ("attackers.convert_mu", (1e-3, 100.0)),
    _ALARMS: ("attackers.convert_alarms", (1e-9, 0.999)),
    FOUND: ("attackers.convert_found", (1e-9, 0.999999)),
}


class From(StrEnum):
    """What is entered; the values are labels, and values in the URL."""

    EPSILON = "epsilon, delta"
    ETA = "eta"
    MU = "mu"
    FOUND = "TPR at FPR"


class KnownAs(StrEnum):
    """What a true positive rate is known to be; the values are labels, and values in the URL."""

    ATTACK = "an attack reaches it"
    LIMIT = "no attack exceeds it"


_STATED_FOR = [Adjacency.ADD_REMOVE, Adjacency.REPLACE_ONE]
_ADJACENCY_HELP = (
    "What the entered number is about: one record more or less, or one record with another value. A guarantee for "
    "replaced records implies none for added ones. η is that of exact halves, so it speaks of replaced records "
    "(correction 27)."
)
_KIND_HELP = (
    "exact: some release with just the entered number has this one, so no better can be said from it. "
    "bound: it holds, but may be far off."
)


def draw(setting: ReleaseSetting) -> None:
    """Draw the converters, with the page's release beside them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        start = segmented_control("Convert from", list(From), default=From.EPSILON, key="attackers.convert_from")
        adjacency = st.selectbox(
            "stated for",
            _STATED_FOR,
            key="attackers.convert_adjacency",
            bind="query-params",
            width=150,
            help=_ADJACENCY_HELP,
        )
        given, at = _entered(start, Adjacency(adjacency or Adjacency.ADD_REMOVE), setting)
    with error_boundary("conversion"):
        with st.spinner("Reading the release's own curve …", show_time=True):
            lines, own, missing = given.lines(at), dict[str, Bracket](), "not computed yet"
            with suppress(DeadlineError):
                own = _own(given, at, setting)
                missing = "not for fixed-size batches" if set(own) == {ETA} else "–"
        readout.answer(_sentence(given, lines[0], own, at), level=3)
        _draw_table(given, lines, own, at, missing)
    levels.draw(setting)
    readout.how_computed(FORMULAS, ASSUMPTIONS, Bound.EXACT, key="attackers.how_convert")


def _number(label: str, quantity: str, default: float, help_: str | None = None) -> float:
    return number_box(label, *_BOXES[quantity], default, width=120, help=help_)


def _entered(start: From, adjacency: Adjacency, setting: ReleaseSetting) -> tuple[Given, At]:
    alpha, delta = setting.choice.alpha, setting.choice.delta
    if start is From.EPSILON:
        epsilon = _number("ε", EPSILON, 1.0)
        given_delta = _number("δ", DELTA, 1e-5)
        return GivenEpsilon(epsilon, given_delta), At(alpha, given_delta if 0 < given_delta < 1 else delta, adjacency)
    if start is From.ETA:
        eta = _number("η", ETA, 0.1, "Accuracy above one half in the game of exact halves.")
        return GivenEta(eta), At(alpha, delta, adjacency)
    if start is From.MU:
        return GivenMu(_number("μ", MU, 1.0)), At(alpha, delta, adjacency)
    alpha = _number("at FPR", _ALARMS, 1e-3, "Share of outsiders wrongly accused.")
    found = _number("TPR", FOUND, 0.05, "Share of members found.")
    reading = segmented_control("known as", list(KnownAs), default=KnownAs.ATTACK, key="attackers.convert_reading")
    given: Given = GivenLimit(found) if reading == KnownAs.LIMIT else GivenAttack(found)
    return given, At(alpha, delta, adjacency)


def _own(given: Given, at: At, setting: ReleaseSetting) -> dict[str, Bracket]:
    """The page's release under the entered adjacency; what cannot be computed is left out.

    Raises DeadlineError where there is no time for it.
    """
    try:
        return of_release(given, at, _read_as(at.adjacency, setting), setting.replace_one)
    except DeadlineError:
        raise
    except ValueError:
        return {}


def _read_as(adjacency: Adjacency, setting: ReleaseSetting) -> Mechanism | None:
    """None where batches of a fixed size have no neighbours with a record more."""
    if adjacency is Adjacency.REPLACE_ONE:
        return setting.replace_one
    return None if setting.phases[0].sampling is Sampling.FIXED_SIZE else setting.add_one


def _sentence(given: Given, line: ConvertedNumber, own: dict[str, Bracket], at: At) -> str:
    """The first converted number in words, beside the release's own."""
    subject = _name(line.quantity, at)
    side = "at least" if isinstance(given, GivenAttack) else "at most"
    value = own[line.quantity].upper if line.quantity in own else None
    beside = "" if value is None else f"; this release's own curve says at most {rounded_up(value, 4)}"
    beside += "" if value is None or line.quantity != ETA else _guesses(value)
    source = {GivenAttack: "The attack proves that", GivenLimit: "From this limit alone,"}.get(
        type(given), f"From {'(ε, δ)' if isinstance(given, GivenEpsilon) else given.entered} alone,"
    )
    guesses = "" if line.number is None or line.quantity != ETA else _guesses(line.number)
    return f"{source} {subject} is {side} {line.value}{guesses}{beside}."


def _guesses(eta: float) -> str:
    return f" ({rounded_up(min(round(50.0 + 100.0 * eta, 9), 100.0))} % of guesses right)"


def _name(quantity: str, at: At) -> str:
    return {
        EPSILON: f"ε at δ = {as_entered(at.delta)}",
        PURE: PURE,
        FOUND: f"TPR at FPR {at.alpha:g}",
        MU: "μ-GDP",
        ETA: "η (exact halves)",
        ADVANTAGE: "advantage",
    }[quantity]


def _draw_table(given: Given, lines: list[ConvertedNumber], own: dict[str, Bracket], at: At, missing: str) -> None:
    """The converted numbers, their kinds, and the release's own at most; ``missing`` where that is not known."""
    names = [_name(line.quantity, at) for line in lines]
    shown = [_known(own[line.quantity]) if line.quantity in own else missing for line in lines]
    columns = {
        "": names,
        "from what is entered": [line.value for line in lines],
        "kind": [line.kind for line in lines],
        "this release, at most": shown,
        "in words": [line.words for line in lines],
    }
    st.table(columns, hide_index=True)
    if isinstance(given, GivenEpsilon) and DELTA in own:
        st.caption(f"At ε = {given.epsilon:g}, this release's own δ is at most {_known(own[DELTA])}.")
    if isinstance(given, GivenAttack) and FOUND in own and given.power > own[FOUND].upper:
        st.caption("No attack on this release does that: it finds less at this false positive rate.")
    st.caption(_KIND_HELP)
    with st.container(horizontal=True):
        _draw_use(given, own, at)
        header = {"entered": repr(given), "stated for": at.adjacency.value}
        named = {name or "quantity": column for name, column in columns.items()}
        downloads.button("Data (CSV)", "conversions.csv", lambda: csv_tables.table(named, header))


def _known(number: Bracket) -> str:
    """A number of the release's own curve, and how well it is known."""
    return f"{rounded_up(number.upper, 4)} ({Bound.CERTIFIED if number.width else Bound.EXACT})"


def _draw_use(given: Given, own: dict[str, Bracket], at: At) -> None:
    """A button that enters the release's own number, for a comparison of like with like."""
    quantity = given.entered
    value = own[quantity].upper if quantity in own else None
    key, (low, high) = _BOXES[quantity]
    usable = value is not None and low <= value <= high
    text = "" if value is None else f": {_name(quantity, at)} at most {rounded_up(value, 4)}"
    st.button(
        f"Enter this release's own number{text}",
        on_click=_use,
        args=(key, value),
        disabled=not usable,
        key="attackers.convert_use",
    )


def _use(key: str, value: float) -> None:
    st.session_state[key] = value
