"""The rail: the controls every page shares, and the release they describe.

A widget's key is its name in the URL and its displayed value is the value there: both are public formats, and a value
equal to the default is left out, so a changed default changes old links; ``tests/pages/test_addresses.py`` pins all.

Widgets are the only state: ``current()`` derives the release from them anew in every run.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

import streamlit as st

from numerics.mechanisms import Composition, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.ui import address, example_links, pasted_state, preset_buttons, release_details, release_size, run_controls
from pages.ui.accountant_state import AccountantState
from pages.ui.number_box import number_box
from pages.ui.numbers_in_words import CROWD, of_crowd
from pages.ui.release_choice import DEFAULT_LIMIT, ReleaseChoice
from pages.ui.release_presets import PRESETS, ReleasePreset
from pages.ui.slider_with_box import round_values
from pages.ui.training_run import SMALLEST_RATE, TrainingRun, delta_of

_DEFAULT = PRESETS[0]
_DEFAULT_ACCUSED = 10.0  # people
_LIMITS, _ACCUSED = (1e-5, CROWD), (1e-8, 0.999 * CROWD)
ALPHAS = (*round_values(-9, 0.3, (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)), 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Round false positive rates."""
_URL: Literal["query-params"] = "query-params"
_ACCUSED_HELP = (
    f"False positive rate α: of {CROWD:,} people who are not in the data, how many may the attacker wrongly accuse of "
    "being in it? 10 are α = 0.001."
)
_LIMIT_HELP = (
    f"The risk that you accept: of {CROWD:,} people in the data, how many may the attacker find, while it wrongly "
    "accuses outsiders as often as is said above?"
)
_ATTACK = (
    (f"Falsely accused, of {CROWD:,}", "accused", _ACCUSED, _DEFAULT_ACCUSED, _ACCUSED_HELP),
    (f"My limit: people found, of {CROWD:,}", "limit", _LIMITS, DEFAULT_LIMIT, _LIMIT_HELP),
)


def draw(finds_people: bool = True) -> str:
    """Draw the rail; returns why there is no release, empty if there is one.

    False alarms and the limit on people found rest beside a page that does not ask about them.

    On every page, in the same place, in folds and not in popovers: the browser forgets the URL's part of a widget that
    is not there, that has moved, or that lies in a closed popover, as soon as the visitor goes to another page.
    """
    if example_links.arrives():
        _start_anew()
    rests = not finds_people
    with st.sidebar:
        with st.container(horizontal=True, gap="small"):
            preset_buttons.draw(PRESETS, use, "Presets", key="presets")
            pasted_state.draw(use_pasted)
        st.toggle("I know rate and steps", key="knows_rate", bind=_URL, on_change=_switch)
        with st.grid(2, min_column_width=100):  # two in a row on phones too, where columns stack
            run_controls.draw(_DEFAULT.mechanism)
            start, kind = _DEFAULT.mechanism.noise_multiplier, _kind()
            label, meaning = "Noise, 1/ε" if kind.is_epsilon else "Noise", release_details.noise_help(kind)
            number_box(label, "noise", release_details.NOISES, start, meaning, step=0.05)
        told = st.container()
        for label, key, limits, start, meaning in _ATTACK:
            number_box(label, key, limits, start, meaning, step=1.0, disabled=rests)
        st.caption("Both are not asked about on this page." if rests else _guessing())
        with st.expander("More", type="compact"):
            release_details.draw(type(_DEFAULT.mechanism), delta_of(run_controls.people()))
        refused = refusal()
        told.caption(refused or _derived(kind))
    return refused


def refusal() -> str:
    """Why the controls that were drawn in this run say no release; empty if they say one."""
    run = "" if st.session_state["knows_rate"] else run_controls.run(_kind().is_sampled).refusal
    return run or release_details.contradiction(current)


def _kind() -> type[SampledMechanism]:
    return release_details.chosen_kind(type(_DEFAULT.mechanism))


def _derived(kind: type[SampledMechanism]) -> str:
    """What follows from the run, and epsilon where the noise is another word for it."""
    noise = float(st.session_state["noise"])
    epsilon = f" A release has ε = {1.0 / noise:.4g} for one record's largest share in it." if kind.is_epsilon else ""
    return run_controls.derived(kind) + epsilon


def _start_anew() -> None:
    """Let the address say where the controls are; what it leaves out is where it starts."""
    st.session_state.update(STARTS)
    for key in st.query_params:
        if key in STARTS:
            del st.session_state[key]


def _guessing() -> str:
    """What the limit is to be compared with; it is never raised on its own."""
    state = st.session_state
    guessing = f"Blind guessing finds {state['accused']:.6g} of {CROWD:,}"
    return f"{guessing}: no noise keeps this limit." if state["limit"] <= state["accused"] else f"{guessing}."


def _switch() -> None:
    """Say the same release in the other words. For the switch: the widgets are those of the run before."""
    state = st.session_state
    if state["knows_rate"]:
        run = run_controls.run()
        if not run.refusal:
            put({"rate": run.rate, "steps": run.steps, "records": float(run.people)})
        return
    people = int(state["records"] or run_controls.DEFAULT.people)
    if not state["records"]:
        st.toast(f"Nobody has said how many people there are: {people:,} stands there now, with the same release.")
    put(run_controls.state_of(TrainingRun.of(float(state["rate"]), int(state["steps"]), people)))


def current() -> ReleaseChoice:
    """What the controls that app.py drew in this run say. Only where there is no ``refusal``."""
    state = st.session_state
    kind = _kind()
    sampling = Sampling(state["sampling"]) if kind.is_sampled else Sampling.POISSON
    adjacency = release_details.neighbours(kind, sampling, state["adjacency"])
    most, own = int(state["records_per_person"]), release_details.own_values(kind)

    def made(noise: float, rate: float, steps: int) -> SampledMechanism:
        return kind(noise, rate if kind.is_sampled else 1.0, steps, adjacency, sampling, most, **own)

    def phase(ending: str = "") -> SampledMechanism:
        noise, rate, steps = (state[f"{name}{ending}"] for name in ("noise", "rate", "steps"))
        return made(float(noise), float(rate), int(steps))

    run = None if state["knows_rate"] else run_controls.run(kind.is_sampled)
    first = phase() if run is None else made(float(state["noise"]), run.rate, run.steps)
    later = [phase(f"_{number}") for number in range(2, int(state["phases"]) + 1)]
    return ReleaseChoice(
        Composition((first, *later)) if later else first,
        float(f"{state['accused'] / CROWD:.15g}"),
        Order(state["order"]),
        delta_of(run_controls.people()) if state["delta"] is None else float(state["delta"]),
        float(state["limit"]) / CROWD,
        run_controls.people(),
        None if state["dimension"] is None else int(state["dimension"]),
        state["clip"],
        run,
    )


def use(preset: ReleasePreset) -> None:
    """Set every control to a preset. For a button's ``on_click``: the widgets of the run must not be drawn yet."""
    release, sizes = preset.mechanism, release_size.state_of(None, preset.dimension, preset.clip)
    state = {**state_of(release), **sizes, "delta": preset.delta}
    if preset.records is not None:
        run = TrainingRun.of(release.sampling_rate, release.steps, preset.records)
        state |= {key: STARTS[key] for key in ("knows_rate", "rate", "steps")} | run_controls.state_of(run)
    put(state)


def use_pasted(pasted: AccountantState) -> None:
    """Set the run to what an accountant printed; what it does not say of delta and sizes is not set. As ``use``."""
    first, *later = pasted.phases
    state = {**state_of(first), **release_size.state_of(pasted.people, pasted.dimension, pasted.clip)}
    state["delta"] = pasted.delta
    if pasted.run is not None:
        start = {key: STARTS[key] for key in ("knows_rate", "rate", "steps", "records")}
        state |= start | run_controls.state_of(pasted.run)
    put({**state, "phases": len(pasted.phases)})
    for number, phase in enumerate(later, 2):
        address.put(f"noise_{number}", phase.noise_multiplier)
        address.put(f"rate_{number}", phase.sampling_rate)
        address.put(f"steps_{number}", float(phase.steps))


def put(state: Mapping[str, object]) -> None:
    """Set those of the shared controls that ``state`` names, also where they are drawn from now on only. As ``use``."""
    address.put_all({key: value for key, value in state.items() if key in STARTS}, STARTS)


def state_of(mechanism: SampledMechanism) -> dict[str, object]:
    """The controls of this release, by key, for who knows its rate and steps."""
    low, high = release_details.NOISES
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
    }


_OWN = {each.name: getattr(kind, each.name) for kind in release_details.KINDS.values() for each in kind.parameters}
# Where the controls start, by key.
STARTS: Mapping[str, object] = MappingProxyType(
    {
        **_OWN,
        **state_of(_DEFAULT.mechanism),
        "knows_rate": False,
        **run_controls.state_of(run_controls.DEFAULT),
        **release_size.state_of(None, None, None),
        "order": Order.ADD,
        "delta": None,
        "accused": _DEFAULT_ACCUSED,
        "limit": DEFAULT_LIMIT,
    }
)


def put_noise(noise_multiplier: float) -> None:
    """Set the first phase's noise, for instance to a value found by solving for it. For a callback, as ``use``."""
    low, high = release_details.NOISES
    st.session_state["noise"] = min(max(noise_multiplier, low), high)


def put_alpha(alpha: float) -> None:
    """Set the attacker's false positive rate, for instance to a clicked point. For a callback, as ``use``."""
    low, high = _ACCUSED
    st.session_state["accused"] = min(max(of_crowd(float(f"{alpha:.3g}")), low), high)
