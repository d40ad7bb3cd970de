"""The drawer of the rail: the kind of noise, the size of the model, how neighbours and batches are read, phases."""

from collections.abc import Sequence
from typing import Literal

import streamlit as st

from numerics.mechanisms import LARGEST_PHASES, LARGEST_STEPS, Adjacency, Sampling
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
RATE_HELP = "Probability with which each person takes part in a step: batch size divided by the number of people."
STEPS_HELP = "How often a noisy sum is released: the number of training steps."
_ADJACENCY_HELP = (
    "add/remove: one record more or less, the usual reading for DP-SGD. replace-one: one record has another value, "
    "which moves the sum twice as far. zero-out: one record adds nothing, and sizes stay."
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
    "The small probability that (epsilon, delta) leaves out. Unless set it follows from the people: the largest power "
    "of ten below 1 in N, and 1e-5 where N is not set."
)
_PHASES_HELP = "Training in several phases with their own noise, sampling rate and steps, one after the other."


def draw(mechanisms: Sequence[str], mechanism: str, delta: float) -> None:
    """Draw the drawer's controls: ``mechanism`` is the first choice, ``delta`` what follows from the people."""
    with st.grid(2, min_column_width=100):
        # A mechanism whose name comes first must not change old addresses.
        st.selectbox("Mechanism", mechanisms, mechanisms.index(mechanism), key="mechanism", bind=_URL)
        number_box("Delta", "delta", DELTAS, None, _DELTA_HELP, unset=f"{delta:g}, from N")
        release_size.draw()
        st.selectbox("Order of the test", list(Order), key="order", bind=_URL, help=_ORDER_HELP)
        sampling = st.selectbox(
            "Sampling", list(Sampling), key="sampling", bind=_URL, help=_SAMPLING_HELP, on_change=_follow_sampling
        )
        possible = Sampling(sampling or Sampling.POISSON).batches.adjacencies
        if st.session_state.get("adjacency", Adjacency.ADD_REMOVE) not in possible:  # the box shows what holds
            address.put("adjacency", possible[0])
        st.selectbox(
            "Neighbours",
            list(Adjacency),
            key="adjacency",
            bind=_URL,
            help=_ADJACENCY_HELP,
            disabled=len(possible) == 1,
        )
        phases = st.selectbox("Phases", range(1, LARGEST_PHASES + 1), key="phases", bind=_URL, help=_PHASES_HELP)
    if len(possible) < len(Adjacency):
        read, own = " or ".join(possible), st.session_state["adjacency"]
        st.caption(f"{str(sampling).capitalize()} is read as {read}: compare it with Poisson under {own}.")
    for number in range(2, int(phases or 1) + 1):
        with st.grid(3, min_column_width=60):
            number_box(f"Noise {number}", f"noise_{number}", NOISES, 1.0, NOISE_HELP)
            number_box(f"Rate {number}", f"rate_{number}", (SMALLEST_RATE, 1.0), 0.01, RATE_HELP)
            whole_box(f"Steps {number}", f"steps_{number}", (1, LARGEST_STEPS), 1000, STEPS_HELP)


def _follow_sampling() -> None:
    """Keep the visitor's neighbours for when there is a choice again. For the box, before it is drawn anew."""
    state = st.session_state
    if neighbours(Sampling(state["sampling"]), state["adjacency"]) != state["adjacency"]:
        state.setdefault(_CHOSEN_NEIGHBOURS, state["adjacency"])
    elif neighbours(Sampling(state["sampling"]), chosen := state.get(_CHOSEN_NEIGHBOURS)) == chosen:
        state["adjacency"] = state.pop(_CHOSEN_NEIGHBOURS)


def neighbours(sampling: Sampling, chosen: str | None) -> Adjacency:
    """Those that were chosen, where data sets that are sampled so can have them."""
    possible = sampling.batches.adjacencies
    return Adjacency(chosen) if chosen in possible else possible[0]
