"""One second release to compare with: kept in the session and, readable, in the page's address.

It is spelled ``Gaussian_1_0.01_1000_add``: mechanism, noise, rate, steps, neighbours, ``k4`` where a person has four
records, and the parameters that only this mechanism has; ``~`` joins phases. This is a public format: links hold it.
"""

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np
import streamlit as st

from numerics.deadline import DeadlineError
from numerics.mechanisms import MECHANISMS, Adjacency, Composition, Mechanism, SampledMechanism, Sampling
from numerics.trade_off import Bracket, TradeOffCurve
from pages.ui import address, cached, skipped
from pages.ui.numbers_in_words import as_entered, rounded_up
from pages.ui.release_in_force import ReleaseChoice
from pages.ui.result_header import words_for
from pages.ui.skipped import error_boundary

KEY = "compare"
_RECORDS = "k"
_KINDS = {kind.name: kind for kind in MECHANISMS}
_NEIGHBOURS = {
    "add": (Adjacency.ADD_REMOVE, Sampling.POISSON),
    "replace": (Adjacency.REPLACE_ONE, Sampling.POISSON),
    "zero": (Adjacency.ZERO_OUT, Sampling.POISSON),
    "fixed": (Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE),
    "shuffled-zero": (Adjacency.ZERO_OUT, Sampling.SHUFFLED),
    "shuffled-replace": (Adjacency.REPLACE_ONE, Sampling.SHUFFLED),
    "allocated-add": (Adjacency.ADD_REMOVE, Sampling.RANDOM_ALLOCATION),
    "allocated-zero": (Adjacency.ZERO_OUT, Sampling.RANDOM_ALLOCATION),
}
_LONGEST = 400  # characters that are read at all


Numbers = Mapping[str, Callable[[Mechanism], Bracket]]
"""What is compared: names, and what each is of a release."""


def spelled(release: Mechanism) -> str:
    """The release as it stands in the address.

    >>> from numerics.mechanisms import Gaussian
    >>> spelled(Gaussian(1.0, 0.01, 1000))
    'Gaussian_1_0.01_1000_add'
    """
    said = []
    for phase in release.phases:
        word = next(word for word, meaning in _NEIGHBOURS.items() if meaning == (phase.adjacency, phase.sampling))
        numbers = _digits(phase.noise_multiplier), _digits(phase.sampling_rate), str(phase.steps)
        records = [f"{_RECORDS}{phase.records_per_person}"] if phase.records_per_person > 1 else []
        own = (_digits(getattr(phase, each.name)) for each in phase.parameters)
        said.append("_".join((phase.name, *numbers, word, *records, *own)))
    return "~".join(said)


def _digits(value: float) -> str:
    """As few digits as read back as the same number."""
    return repr(float(value)).removesuffix(".0")


@lru_cache(maxsize=256)
def read(text: str) -> Mechanism | None:
    """The release that ``text`` spells; None where it spells none."""
    try:
        phases = tuple(_read_phase(part) for part in text[:_LONGEST].split("~"))
        return phases[0] if len(phases) == 1 else Composition(phases)
    except (ValueError, TypeError, KeyError):
        return None


def _read_phase(text: str) -> SampledMechanism:
    name, noise, rate, steps, neighbours, *own = text.split("_")
    kind = _KINDS[name]
    records = own.pop(0).removeprefix(_RECORDS) if own and own[0].startswith(_RECORDS) else "1"
    said: dict[str, Any] = {
        each.name: int(value) if each.is_whole else float(value)
        for each, value in zip(kind.parameters, own, strict=True)
    }
    return kind(float(noise), float(rate), int(steps), *_NEIGHBOURS[neighbours], int(records), **said)


def second() -> Mechanism | None:
    """The release to compare with; None where there is none, or where the address spells none, which is said once."""
    text = address.text_of(KEY)
    found = read(text) if text else None
    if text and found is None:
        _put(None)
        st.toast("The release to compare with cannot be read in this address: it is left out.")
    return found


def _put(release: Mechanism | None) -> None:
    st.session_state[KEY] = "" if release is None else spelled(release)


def curves(curve_of: Callable[[Mechanism], TradeOffCurve]) -> list[TradeOffCurve]:
    """The second release's curve; one that cannot be computed is missing here and marked in the table."""
    release, found = second(), list[TradeOffCurve]()
    if release is not None:
        with suppress(ValueError), skipped.if_no_time(release.label):
            curve = curve_of(release)
            found.append(replace(curve, label=f"kept: {curve.label}"))
    return found


def draw_button(choice: ReleaseChoice) -> None:
    """Draw the button that keeps the release in force, in place of an earlier one."""
    st.button(
        "Keep and compare",
        icon=":material/keep:",
        on_click=_put,
        args=(choice.mechanism,),
        disabled=choice.mechanism == second(),
        help="Keep this release's curve in the figure while you change the controls.",
    )


def draw_table(choice: ReleaseChoice, own: Numbers | None = None) -> None:
    """Draw what differs between the release in force and the second one, and a button to let that go.

    The page's ``own`` numbers come first.
    """
    release = second()
    if release is None:
        return
    with error_boundary("comparison"):
        st.table(table(choice, release, own), hide_index=True)
    if release.adjacency is not choice.mechanism.adjacency:
        st.info("The two differ in what counts as neighbouring data: their numbers answer different questions.")
    if release.records_per_person != choice.mechanism.records_per_person:
        st.info("The two differ in how many records a person has: their numbers are about different people.")
    st.button(
        "Compare no longer", icon=":material/close:", on_click=_put, args=(None,), key="comparison.end", type="tertiary"
    )


def table(choice: ReleaseChoice, release: Mechanism, own: Numbers | None = None) -> dict[str, list[str]]:
    """Columns: names of the numbers, the release in force, and the second one relative to it."""
    numbers: Numbers = {
        **(own or {}),
        f"ε at δ = {as_entered(choice.delta)}": lambda of: cached.epsilon(of, choice.delta),
        "advantage": cached.advantage,
        f"{words_for(choice.order).found} at α = {as_entered(choice.alpha)}": lambda of: cached.power(
            of, choice.alpha, choice.order
        ),
        "μ-GDP": cached.gaussian_mu,
        "AUC": cached.auc,
    }
    now = [number(choice.mechanism) for number in numbers.values()]
    try:
        other = [_beside(number(release), mine) for number, mine in zip(numbers.values(), now, strict=True)]
    except DeadlineError:
        other = ["not computed yet"] * len(now)
    except ValueError:
        other = ["cannot be computed"] * len(now)
    return {
        "at most": [*numbers],
        f"now: {choice.mechanism.label}": [rounded_up(mine.upper, 4) for mine in now],
        f"kept: {release.label}": other,
    }


def _beside(value: Bracket, own: Bracket) -> str:
    """The guarantee, and how many times that of the release in force it is."""
    shown = rounded_up(value.upper, 4)
    if not (np.isfinite(value.upper) and np.isfinite(own.upper) and own.upper > 0.0):
        return shown
    return f"{shown} (× {value.upper / own.upper:.2f})"
