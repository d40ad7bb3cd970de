"""What the controls of the release say, and setting them; ``rail`` draws them.

A widget's key is its name in the URL and its displayed value is the value there: both are public formats, and a value
equal to the default is left out, so a changed default changes old links; ``tests/pages/test_addresses.py`` pins all.

Widgets are the only state: ``current()`` derives the release from them anew in every run.
"""

from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import streamlit as st

from numerics.mechanisms import (
    LARGEST_RECORDS,
    MECHANISMS,
    Adjacency,
    Composition,
    Mechanism,
    SampledMechanism,
    Sampling,
)
from numerics.trade_off import Order
from numerics.unsupported import UnsupportedError
from pages.ui import address
from pages.ui.accountant_state import AccountantState
from pages.ui.numbers_in_words import CROWD, of_crowd
from pages.ui.release_choice import DEFAULT_LIMIT, NOISES, ReleaseChoice
from pages.ui.release_presets import PRESETS, ReleasePreset
from pages.ui.slider_with_box import round_values
from pages.ui.training_run import SMALLEST_RATE, TrainingRun, delta_of

KINDS = {kind.name: kind for kind in MECHANISMS}
"""The kinds of mechanisms, by their names in the address."""
ALPHAS = (*round_values(-9, 0.3, (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)), 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Round false positive rates."""
DEFAULT = PRESETS[0].mechanism
DEFAULT_RUN = TrainingRun(60_000, 600.0, 10.0)
ACCUSED, DEFAULT_ACCUSED = (1e-8, 0.999 * CROWD), 10.0  # people


def current() -> ReleaseChoice:
    """What the controls that were drawn in this run say. Only where there is no ``refusal``."""
    state, kind = st.session_state, chosen_kind()
    sampling = Sampling(state["sampling"]) if kind.is_sampled else Sampling.POISSON
    adjacency = neighbours(kind, sampling, state["adjacency"])
    most, own = int(state["records_per_person"]), _own_values(kind)

    def made(noise: float, rate: float, steps: int) -> SampledMechanism:
        return kind(noise, rate if kind.is_sampled else 1.0, steps, adjacency, sampling, most, **own)

    def phase(ending: str = "") -> SampledMechanism:
        noise, rate, steps = (state[f"{name}{ending}"] for name in ("noise", "rate", "steps"))
        return made(float(noise), float(rate), int(steps))

    run = None if state["knows_rate"] else training_run()
    first = phase() if run is None else made(float(state["noise"]), run.rate, run.steps)
    later = [phase(f"_{number}") for number in range(2, int(state["phases"]) + 1)]
    return ReleaseChoice(
        Composition((first, *later)) if later else first,
        float(f"{state['accused'] / CROWD:.15g}"),
        Order(state["order"]),
        delta_of(people()) if state["delta"] is None else float(state["delta"]),
        float(state["limit"]) / CROWD,
        people(),
        None if state["dimension"] is None else int(state["dimension"]),
        state["clip"],
        run,
    )


def refusal() -> str:
    """Why the controls that were drawn in this run say no release; empty if they say one."""
    if not st.session_state["knows_rate"] and (reason := training_run().refusal(counted())):
        return reason
    try:
        current()
    except UnsupportedError as reason:
        return str(reason)
    return ""


def chosen_kind() -> type[SampledMechanism]:
    """The kind of mechanism that the controls say, also before its box is drawn for the first time."""
    return KINDS.get(_told("mechanism"), type(DEFAULT))


def chosen_order() -> Order:
    """The order of the test that the controls say, also before its box is drawn for the first time."""
    told = _told("order")
    return Order(told) if told in list(Order) else Order.ADD


def chosen_neighbours() -> str:
    """The neighbours that the controls say, also before their box is drawn; with some batches there are no such."""
    return _told("adjacency") or Adjacency.ADD_REMOVE


def _told(key: str) -> str:
    """What a box says, or the address before it is drawn; empty if neither does."""
    state = st.session_state
    return str((state[key] if key in state else st.query_params.get(key)) or "")


def has_several_records() -> bool:
    """Whether a person may have several records, so that N and batches count records; also before its box is drawn."""
    with suppress(ValueError):  # of an address with nonsense, which the box refuses
        return 1.0 < float(_told("records_per_person") or "1") <= LARGEST_RECORDS
    return False


def counted() -> str:
    """What N and batches count: records where a person may have several, and people otherwise."""
    return "records" if has_several_records() else "people"


def _own_values(kind: type[SampledMechanism]) -> dict[str, Any]:
    """The parameters that only this kind has, as its boxes say."""
    found = {each.name: st.session_state.get(each.name, getattr(kind, each.name)) for each in kind.parameters}
    return {each.name: int(found[each.name]) if each.is_whole else float(found[each.name]) for each in kind.parameters}


def possible_neighbours(kind: type[SampledMechanism], sampling: Sampling) -> list[Adjacency]:
    """The neighbours that such a mechanism has on data sets that are sampled so."""
    sampled = sampling.batches.adjacencies if kind.is_sampled else tuple(Adjacency)
    return [each for each in sampled if each in kind.adjacencies]


def neighbours(kind: type[SampledMechanism], sampling: Sampling, chosen: str | None) -> Adjacency:
    """Those that were chosen, where there can be such."""
    known = possible_neighbours(kind, sampling)
    return Adjacency(chosen) if chosen in known else known[0]


def training_run() -> TrainingRun:
    """The run that people, batch and epochs say; all take part in every release of a kind that is not sampled."""
    people, batch, epochs = (float(st.session_state[key]) for key in ("people", "batch", "epochs"))
    return TrainingRun(int(people), batch if chosen_kind().is_sampled else people, epochs)


def people() -> int | None:
    """How many people there are; None where nobody has said it."""
    state = st.session_state
    said = state["records" if state["knows_rate"] else "people"]
    return None if said is None else int(said)


def state_of(
    mechanism: SampledMechanism, records: int | None = None, dimension: int | None = None, clip: float | None = None
) -> dict[str, object]:
    """The controls of this release and its size, by key, for who knows its rate and steps; None empties a box."""
    low, high = NOISES
    sizes = {"records": records, "dimension": dimension, "clip": clip}
    return {
        "knows_rate": True,
        "mechanism": mechanism.name,
        "noise": min(max(mechanism.noise_multiplier, low), high),
        "rate": max(mechanism.sampling_rate, SMALLEST_RATE),
        "steps": mechanism.steps,
        "adjacency": mechanism.adjacency,
        "sampling": mechanism.sampling,
        "records_per_person": float(mechanism.records_per_person),
        "phases": 1,
        **{each.name: getattr(mechanism, each.name) for each in mechanism.parameters},
        **{key: value if value is None else float(value) for key, value in sizes.items()},
    }


def state_of_run(run: TrainingRun) -> dict[str, object]:
    """The controls of this run, by key, for who does not."""
    return {"knows_rate": False, "people": float(run.people), "batch": run.batch, "epochs": run.epochs}


# Where the controls start, by key.
STARTS: Mapping[str, object] = MappingProxyType(
    {
        **{each.name: getattr(kind, each.name) for kind in KINDS.values() for each in kind.parameters},
        **state_of(DEFAULT),
        **state_of_run(DEFAULT_RUN),
        "order": Order.ADD,
        "delta": None,
        "accused": DEFAULT_ACCUSED,
        "limit": DEFAULT_LIMIT,
    }
)


def start_anew() -> None:
    """Let the address say where the controls are; what it leaves out is where it starts."""
    st.session_state.update(STARTS)
    for key in st.query_params:
        if key in STARTS:
            del st.session_state[key]


def use(preset: ReleasePreset) -> None:
    """Set every control to a preset. For a button's ``on_click``: the widgets of the run must not be drawn yet."""
    release = preset.mechanism
    state = {**state_of(release, None, preset.dimension, preset.clip), "delta": preset.delta}
    if preset.records is not None:
        run = TrainingRun.of(release.sampling_rate, release.steps, preset.records)
        state |= {key: STARTS[key] for key in ("rate", "steps")} | state_of_run(run)
    put(state)


def use_pasted(pasted: AccountantState) -> None:
    """Set the run to what an accountant printed; what it does not say of delta and sizes is not set. As ``use``."""
    first, *later = pasted.phases
    state = {**state_of(first, pasted.people, pasted.dimension, pasted.clip), "delta": pasted.delta}
    if pasted.run is not None:
        state |= {key: STARTS[key] for key in ("rate", "steps", "records")} | state_of_run(pasted.run)
    put({**state, "phases": len(pasted.phases)})
    for number, phase in enumerate(later, 2):
        address.put(f"noise_{number}", phase.noise_multiplier)
        address.put(f"rate_{number}", phase.sampling_rate)
        address.put(f"steps_{number}", float(phase.steps))


def put(state: Mapping[str, object]) -> None:
    """Set those of the shared controls that ``state`` names, also where they are drawn from now on only. As ``use``."""
    address.put_all({key: value for key, value in state.items() if key in STARTS}, STARTS)


def put_noise(release: Mechanism) -> None:
    """Set the noise of every phase to this release's, as far as the boxes go. For a callback, as ``use``."""
    for number, phase in enumerate(release.phases, 1):
        key = "noise" if number == 1 else f"noise_{number}"
        st.session_state[key] = min(max(phase.noise_multiplier, NOISES[0]), NOISES[1])


def put_alpha(alpha: float) -> None:
    """Set the attacker's false positive rate, for instance to a clicked point. For a callback, as ``use``."""
    low, high = ACCUSED
    st.session_state["accused"] = min(max(of_crowd(float(f"{alpha:.3g}")), low), high)
