"""The controls every page shares, and the release they describe.

A widget's key is its name in the URL and its displayed value is the value there: both are public formats, and a value
equal to the default is left out, so a changed default changes old links. ``tests/test_app.py`` pins all three.

Widgets are the only state: ``chosen()`` derives the release from them anew in every run.
"""

from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

import streamlit as st

from numerics.mechanisms import (
    LARGEST_PHASES,
    LARGEST_STEPS,
    MECHANISMS,
    Adjacency,
    Composition,
    Mechanism,
    SampledMechanism,
    Sampling,
)
from numerics.trade_off import Order
from pages.ui import example_links, page_state, preset_buttons, release_size
from pages.ui.numbers_in_words import CROWD
from pages.ui.release_presets import PRESETS, ReleasePreset
from pages.ui.slider_with_box import SliderWithBox, round_values

_KINDS = {kind.name: kind for kind in MECHANISMS}
_DEFAULT = PRESETS[0]
_URL: Literal["query-params"] = "query-params"
_WIDE, _NARROW = 200, 140  # pixels
_ADJACENCY_HELP = (
    "add/remove: one record more or less, the usual reading for DP-SGD. replace-one: one record has another value, "
    "which moves the sum twice as far."
)
_SAMPLING_HELP = (
    "Poisson: each record takes part independently, so batches vary in size. fixed size: batches are drawn without "
    "replacement; another mechanism with another guarantee, always read as replace-one."
)
_ORDER_HELP = (
    "add-one: of outsiders, how many are accused (membership inference). remove-one: of members, how many are cleared. "
    "both: the worse of the two."
)
_DELTA_HELP = (
    "The small probability that (epsilon, delta) leaves out; choose it well below 1 over the number of records."
)
_STEPS_HELP = "How often a noisy sum is released: the number of training steps."
_LIMIT_HELP = (
    "The risk that you accept: of so many people in the data, how many may the attacker find, while it wrongly accuses "
    "outsiders as often as is said above?"
)
_DEFAULT_LIMIT, _SMALLEST_LIMIT = 20.0, 1e-5  # people
_PHASES_HELP = "Training in several phases with their own noise, sampling rate and steps, one after the other."


@dataclass(frozen=True)
class ReleaseChoice:
    """What the controls say in this run.

    Attributes:
        mechanism: the release.
        alpha: the false positive rate at which the attack is looked at.
        order: which of two neighbouring data sets is the null hypothesis.
        delta: the delta at which epsilon is stated.
        limit: the share of members found that the visitor accepts, at most.
    """

    mechanism: Mechanism
    alpha: float
    order: Order
    delta: float
    limit: float = _DEFAULT_LIMIT / CROWD


NOISE = SliderWithBox(
    "noise",
    "accurate ← noise → private",
    round_values(-1, 100.0),
    1.0,
    (1e-3, 1e3),
    "Noise multiplier: the scale of the noise on the sum, in units of one record's largest share (the clipping norm).",
)
RATE = SliderWithBox(
    "rate",
    "safe ← sampling rate → risky",
    round_values(-5, 1.0, (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)),
    0.01,
    (1e-7, 1.0),
    "Probability with which each record takes part in a step: batch size divided by the number of records.",
)
ALPHA = SliderWithBox(
    "alpha",
    "careful ← false alarms → bold",
    (*round_values(-9, 0.3, (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)), 0.4, 0.5, 0.6, 0.7, 0.8, 0.9),
    1e-3,
    (1e-12, 0.999),
    "False positive rate α: the share of outsiders whom the attacker wrongly accuses of being in the data.",
)


def draw() -> None:
    """Draw the rail: the release, the attacker's false alarms, and the risk that the visitor accepts.

    On every page, in the same place, in folds and not in popovers: the browser forgets the URL's part of a widget that
    is not there, that has moved, or that lies in a closed popover, as soon as the visitor goes to another page.
    """
    if example_links.arrives():
        _start_anew()
    with st.sidebar:
        _draw_presets()
        with st.container(horizontal=True, gap="small"):
            _draw_release()
        more = st.expander("More: exact values, delta, neighbours, order, phases", type="compact")
        with more:  # before the sliders, which stand at exact values
            _draw_more()
        NOISE.draw_slider()
        RATE.draw_slider()
        ALPHA.draw_slider()
        _draw_limit()


def _start_anew() -> None:
    """Let the address say where the controls are; what it leaves out is where it starts."""
    st.session_state.update(STARTS)
    page_state.forget(release_size.KEYS)  # drawn on several pages: another example's data must not stay behind
    for key in st.query_params:
        if key in STARTS:
            del st.session_state[key]


def _draw_release() -> None:
    names = list(_KINDS)
    start = names.index(_DEFAULT.mechanism.name)  # a mechanism whose name comes first must not change old addresses
    st.selectbox("Mechanism", names, start, key="mechanism", bind=_URL, width=138)
    _draw_steps("Steps", "steps", _DEFAULT.mechanism.steps, 128)


def _draw_steps(label: str, key: str, default: int, width: int) -> None:
    """A whole number as a float: a box of whole numbers raises when a URL says it is infinite."""
    st.number_input(
        label, 1.0, float(LARGEST_STEPS), float(default), 1.0, "%.0f", key=key, bind=_URL, width=width, help=_STEPS_HELP
    )


def _draw_limit() -> None:
    """Whole or not, the limit is what the visitor says; what guessing alone reaches is said beside it."""
    limit = st.number_input(
        f"My limit: people found, of {CROWD:,}",
        _SMALLEST_LIMIT,
        float(CROWD),
        _DEFAULT_LIMIT,
        1.0,
        "%g",
        key="limit",
        bind=_URL,
        help=_LIMIT_HELP,
    )
    luck = ALPHA.value() * CROWD
    guessing = f"Blind guessing finds {luck:.3g} of {CROWD:,}"
    st.caption(f"{guessing}: no noise keeps this limit." if limit <= luck else f"{guessing}.")


def _draw_presets() -> None:
    note = "Any change of a control makes the release your own. The address of the page keeps it."
    preset_buttons.draw(PRESETS, use, "Presets", key="presets", note=note)


def _draw_more() -> None:
    # One container that wraps, not columns, each of which would be one more message in every run.
    with st.container(horizontal=True):
        st.selectbox("Order of the test", list(Order), key="order", bind=_URL, help=_ORDER_HELP, width=_WIDE)
        sampling = st.selectbox(
            "Sampling", list(Sampling), key="sampling", bind=_URL, help=_SAMPLING_HELP, width=_NARROW
        )
        only = _only_neighbours(Sampling(sampling or Sampling.POISSON))
        st.selectbox(
            f"Neighbours: {only}" if only else "Neighbouring data sets",
            list(Adjacency),
            key="adjacency",
            bind=_URL,
            help=_ADJACENCY_HELP,
            width=_WIDE,
            disabled=only is not None,
        )
        st.number_input(
            "Delta", 1e-12, 0.1, _DEFAULT.delta, 1e-6, "%g", key="delta", bind=_URL, help=_DELTA_HELP, width=_NARROW
        )
        phases = range(1, LARGEST_PHASES + 1)
        st.selectbox("Phases", phases, key="phases", bind=_URL, help=_PHASES_HELP, width=_NARROW)
        for scale, name in ((NOISE, "Exact noise"), (RATE, "Exact sampling rate"), (ALPHA, "Exact false alarms")):
            scale.draw_box(name, width=_WIDE)
    for number in _later_phases():
        _draw_phase(number)


def _only_neighbours(sampling: Sampling) -> Adjacency | None:
    """The neighbours of data sets that are sampled so, where there is no choice."""
    return sampling.batches.adjacencies[0] if len(sampling.batches.adjacencies) == 1 else None


def _draw_phase(number: int) -> None:
    with st.container(horizontal=True):
        st.number_input(f"Noise {number}", 1e-3, 1e3, 1.0, format="%g", key=f"noise_{number}", bind=_URL, width=110)
        st.number_input(f"Rate {number}", 1e-7, 1.0, 0.01, format="%g", key=f"rate_{number}", bind=_URL, width=110)
        _draw_steps(f"Steps {number}", f"steps_{number}", 1000, 120)


def _later_phases() -> range:
    return range(2, int(st.session_state["phases"]) + 1)


def current() -> ReleaseChoice:
    """What the controls that app.py drew in this run say."""
    state = st.session_state
    kind, sampling = _KINDS[state["mechanism"]], Sampling(state["sampling"])
    adjacency = _only_neighbours(sampling) or Adjacency(state["adjacency"])
    first = kind(NOISE.value(), RATE.value(), int(state["steps"]), adjacency, sampling)
    later = [_phase(kind, number, adjacency, sampling) for number in _later_phases()]
    mechanism = Composition((first, *later)) if later else first
    return ReleaseChoice(
        mechanism, ALPHA.value(), Order(state["order"]), float(state["delta"]), float(state["limit"]) / CROWD
    )


def _phase(kind: type[SampledMechanism], number: int, adjacency: Adjacency, sampling: Sampling) -> SampledMechanism:
    noise, rate, steps = (st.session_state[f"{name}_{number}"] for name in ("noise", "rate", "steps"))
    return kind(float(noise), float(rate), int(steps), adjacency, sampling)


def use(preset: ReleasePreset) -> None:
    """Set every control to a preset. For a button's ``on_click``: the widgets of the run must not be drawn yet."""
    put(preset.mechanism)
    st.session_state["delta"] = preset.delta
    page_state.put(release_size.state_of(preset.records, preset.dimension, preset.clip))


def put(mechanism: SampledMechanism) -> None:
    """Set the controls of the release. For a button's ``on_click``, as ``use``."""
    st.session_state.update(state_of(mechanism))


def state_of(mechanism: SampledMechanism) -> dict[str, object]:
    """The controls of this release, by key."""
    return {
        "mechanism": mechanism.name,
        "steps": mechanism.steps,
        "adjacency": mechanism.adjacency,
        "sampling": mechanism.sampling,
        "phases": 1,
        **NOISE.state_of(mechanism.noise_multiplier),
        **RATE.state_of(mechanism.sampling_rate),
    }


# Where the controls start, by key.
STARTS = MappingProxyType(
    {
        **state_of(_DEFAULT.mechanism),
        **ALPHA.state_of(ALPHA.default),
        "order": Order.ADD,
        "delta": _DEFAULT.delta,
        "limit": _DEFAULT_LIMIT,
    }
)


def put_noise(noise_multiplier: float) -> None:
    """Set the first phase's noise to a value found by solving for it. For a button's ``on_click``, as ``use``."""
    NOISE.put(noise_multiplier)


def put_alpha(alpha: float) -> None:
    """Set the attacker's false positive rate, for instance to a clicked point. For a callback, as ``use``."""
    ALPHA.put(float(f"{alpha:.3g}"))
