"""The drawer of the rail: the kind of noise, the size of the model, how neighbours and batches are read, phases."""

from collections.abc import Callable
from typing import Any, Literal

import streamlit as st

from numerics.mechanisms import (
    LARGEST_PHASES,
    LARGEST_RECORDS,
    LARGEST_STEPS,
    MECHANISMS,
    Adjacency,
    SampledMechanism,
    Sampling,
)
from numerics.not_offered import NotOfferedError
from numerics.trade_off import Order
from pages.ui import address, release_size
from pages.ui.number_box import number_box, whole_box
from pages.ui.training_run import SMALLEST_RATE

_URL: Literal["query-params"] = "query-params"
_CHOSEN_NEIGHBOURS = "chosen_neighbours"
NOISES = 1e-3, 1e3
"""The least and the most noise that the controls have."""
DELTAS = 1e-12, 0.1
"""Likewise of delta."""
NOISE_HELP = (
    "Noise multiplier: the scale of the noise on the sum, in units of one record's largest share (the clipping norm). "
    "More noise is more private and less accurate."
)
EPSILON_HELP = (
    "1/ε, where ε is that of one release for one record's largest share: 2 is ε = 0.5. More noise is more private and "
    "less accurate."
)
RATE_HELP = "Probability with which each person takes part in a step: batch size divided by the number of people."
STEPS_HELP = "How often a noisy sum is released: the number of training steps."
_KIND_HELP = (
    "What is released, and by which noise. An output that is clamped to a range afterwards keeps the guarantee of its "
    "noise. Noise that is drawn again or renormalised until it lies in a range is another mechanism and not offered: "
    "its law depends on the data, and no certified bracket of it is known here."
)
_ADJACENCY_HELP = (
    "add/remove: one record more or less, the usual reading for DP-SGD. replace-one: one record has another value, "
    "which moves the sum twice as far. zero-out: one record adds nothing, and sizes stay."
)
_SAMPLING_HELP = (
    "Poisson: each record takes part independently, so batches vary in size. fixed size: batches are drawn without "
    "replacement; another mechanism with another guarantee, always read as replace-one. shuffled: every epoch puts the "
    "records into a new order and cuts it into batches, as loaders do. random allocation: in every epoch each record "
    "picks one batch by itself."
)
_ORDER_HELP = (
    "add-one: of outsiders, how many are accused (membership inference). remove-one: of members, how many are cleared. "
    "both: the worse of the two."
)
_DELTA_HELP = (
    "The small probability that (epsilon, delta) leaves out. Unless set it follows from the people: the largest power "
    "of ten below 1 in N, and 1e-5 where N is not set."
)
_PHASES_HELP = "Training in several phases with their own noise, sampling rate and steps, one after the other."


RECORDS_HELP = (
    "The most records that anybody has in the data; each is clipped and drawn by itself. Above 1 every number is about "
    "a person with all of their records, and N and the batch size count records. A person with fewer risks less."
)


KINDS = {kind.name: kind for kind in MECHANISMS}
"""The kinds of mechanisms, by their names in the address."""


def chosen_kind(default: type[SampledMechanism]) -> type[SampledMechanism]:
    """The kind of mechanism that the controls say, also before its box is drawn for the first time."""
    state = st.session_state
    name = state["mechanism"] if "mechanism" in state else st.query_params.get("mechanism")
    return KINDS.get(name or "", default)


def own_values(kind: type[SampledMechanism]) -> dict[str, Any]:
    """The parameters that only this kind has, as its boxes say."""
    found = {each.name: st.session_state.get(each.name, getattr(kind, each.name)) for each in kind.parameters}
    return {each.name: int(found[each.name]) if each.is_whole else float(found[each.name]) for each in kind.parameters}


def draw(default: type[SampledMechanism], delta: float) -> None:
    """Draw the drawer's controls: ``default`` is the first choice, ``delta`` what follows from the people."""
    kind = chosen_kind(default)
    with st.grid(2, min_column_width=100):
        _draw_kind(kind, default)
        number_box("Delta", "delta", DELTAS, None, _DELTA_HELP, unset=f"{delta:g}, from N")
        release_size.draw()
        st.selectbox("Order of the test", list(Order), key="order", bind=_URL, help=_ORDER_HELP)
        sampling = st.selectbox(
            "Sampling" if kind.is_sampled else "Sampling: none",
            list(Sampling),
            key="sampling",
            bind=_URL,
            help=_SAMPLING_HELP if kind.is_sampled else kind.limits,
            disabled=not kind.is_sampled,
            on_change=_follow_sampling,
        )
        known = possible(kind, Sampling(sampling or Sampling.POISSON))
        if st.session_state.get("adjacency", Adjacency.ADD_REMOVE) not in known:  # the box shows what holds
            address.put("adjacency", known[0])
        st.selectbox(
            "Neighbours",
            list(Adjacency),
            key="adjacency",
            bind=_URL,
            help=_ADJACENCY_HELP,
            disabled=len(known) == 1,
        )
        whole_box("Records a person", "records_per_person", (1, LARGEST_RECORDS), 1, RECORDS_HELP)
        phases = st.selectbox("Phases", range(1, LARGEST_PHASES + 1), key="phases", bind=_URL, help=_PHASES_HELP)
    if kind.limits:
        st.caption(f"{kind.name}: {kind.limits}")
    elif len(known) < len(Adjacency):
        read, own = " or ".join(known), st.session_state["adjacency"]
        st.caption(f"{str(sampling).capitalize()} is read as {read}: compare it with Poisson under {own}.")
    _draw_later(kind, int(phases or 1))


def _draw_kind(kind: type[SampledMechanism], default: type[SampledMechanism]) -> None:
    """Draw the box of the mechanism, and those of the parameters that only this one has."""
    # A mechanism whose name comes first must not change old addresses.
    names = list(KINDS)
    start = names.index(default.name)
    st.selectbox("Mechanism", names, start, key="mechanism", bind=_URL, help=_KIND_HELP, on_change=_follow_sampling)
    for own in kind.parameters:
        box = whole_box if own.is_whole else number_box
        box(own.label, own.name, (own.low, own.high), getattr(kind, own.name), own.help)


def _draw_later(kind: type[SampledMechanism], phases: int) -> None:
    """Draw the boxes of the phases after the first."""
    rate = "Rate {}" if kind.is_sampled else "Rate {}: all"
    for number in range(2, phases + 1):
        with st.grid(3, min_column_width=60):
            number_box(f"Noise {number}", f"noise_{number}", NOISES, 1.0, noise_help(kind))
            limits, unused = (SMALLEST_RATE, 1.0), not kind.is_sampled
            number_box(rate.format(number), f"rate_{number}", limits, 0.01, RATE_HELP, disabled=unused)
            whole_box(f"Steps {number}", f"steps_{number}", (1, LARGEST_STEPS), 1000, STEPS_HELP)


def contradiction(make: Callable[[], object]) -> str:
    """Why the controls make no release, as they do not go together; empty if they make one."""
    try:
        make()
    except NotOfferedError as reason:
        return str(reason)
    return ""


def _follow_sampling() -> None:
    """Keep the visitor's neighbours for when there is a choice again. For the box, before it is drawn anew."""
    state = st.session_state
    kind = KINDS[state["mechanism"]]
    sampling = Sampling(state["sampling"])
    if neighbours(kind, sampling, state["adjacency"]) != state["adjacency"]:
        state.setdefault(_CHOSEN_NEIGHBOURS, state["adjacency"])
    elif neighbours(kind, sampling, chosen := state.get(_CHOSEN_NEIGHBOURS)) == chosen:
        state["adjacency"] = state.pop(_CHOSEN_NEIGHBOURS)


def possible(kind: type[SampledMechanism], sampling: Sampling) -> list[Adjacency]:
    """The neighbours that such a mechanism has on data sets that are sampled so."""
    sampled = sampling.batches.adjacencies if kind.is_sampled else tuple(Adjacency)
    return [each for each in sampled if each in kind.adjacencies]


def neighbours(kind: type[SampledMechanism], sampling: Sampling, chosen: str | None) -> Adjacency:
    """Those that were chosen, where there can be such."""
    known = possible(kind, sampling)
    return Adjacency(chosen) if chosen in known else known[0]


def noise_help(kind: type[SampledMechanism]) -> str:
    """What the noise means for such a mechanism."""
    return EPSILON_HELP if kind.is_epsilon else NOISE_HELP
