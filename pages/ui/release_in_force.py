"""The release in force: what the controls of the sidebar say, why they say none (``refusal``), and setting them.

A widget's key is its name in the URL and its displayed value is the value there: both are public formats, and a value
equal to the default is left out, so a changed default changes old links; ``tests/pages/test_addresses.py`` pins all.

Widgets are the only state: ``current()`` derives the release from them anew in every run. ``sidebar`` draws them.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

import streamlit as st

from numerics.accountants import steps_of
from numerics.mechanisms import (
    LARGEST_PHASES,
    LARGEST_RECORDS,
    LARGEST_STEPS,
    MECHANISMS,
    Adjacency,
    Composition,
    Mechanism,
    SampledMechanism,
    Sampling,
)
from numerics.release_file import ReleaseFile
from numerics.trade_off import Order
from numerics.unsupported import UnsupportedError
from pages.ui import address
from pages.ui.controls import round_values
from pages.ui.numbers_in_words import CROWD, of_crowd
from pages.ui.release_presets import PRESETS, ReleasePreset
from plotting.people import quantity

SMALLEST_RATE = 1e-7
_ROUNDING = 1e-9  # of a number of steps or people: what is left of a whole number after a division


@dataclass(frozen=True)
class TrainingRun:
    """People in the data (N), people in a batch (with Poisson sampling on average), passes over the data.

    Where a person may have several records, N and batches count records.
    """

    people: int
    batch: float
    epochs: float

    @classmethod
    def of(cls, rate: float, steps: int, people: int) -> "TrainingRun":
        """The run on so many people that has this sampling rate and these steps."""
        batch = rate * people
        whole = round(batch)
        return cls(people, float(whole) if abs(batch - whole) <= _ROUNDING * batch else batch, steps * rate)

    @property
    def rate(self) -> float:
        """Probability with which each person takes part in a step."""
        return self.batch / self.people

    @property
    def steps(self) -> int:
        """Noisy sums that are released, never fewer than were made.

        >>> TrainingRun(60_000, 256, 60).steps, TrainingRun(60_000, 600, 10).steps
        (14063, 1000)
        """
        return steps_of(self.epochs, self.rate)

    @property
    def words(self) -> str:
        """As it is entered.

        >>> TrainingRun(60_000, 600, 10).words
        '60,000 people in batches of 600, 10 epochs'
        """
        return f"{'1 person' if self.people == 1 else f'{self.people:,} people'}{self._batches}"

    def in_records(self, most: int) -> str:
        """The same where a person has several records, so many at most: then N counts records.

        >>> TrainingRun(60_000, 600, 10).in_records(4)
        '60,000 records, at most 4 per person, in batches of 600, 10 epochs'
        """
        records = "1 record" if self.people == 1 else f"{self.people:,} records"
        return f"{records}, at most {most:,} per person,{self._batches}"

    @property
    def _batches(self) -> str:
        return f" in batches of {quantity(self.batch)}, {counted_epochs(self.epochs)}"

    def refusal(self, counted: str = "people") -> str:
        """Why it cannot be computed, and what to do; empty if it can. ``counted`` is what N counts."""
        if self.batch > self.people:
            batch = quantity(self.batch)
            return f"A batch of {batch} is more than all {self.people:,} {counted}. Make the batch smaller."
        if self.rate < SMALLEST_RATE:
            return (
                f"A batch of {quantity(self.batch)} of {self.people:,} {counted} is a rate of {self.rate:.3g}, and the "
                f"smallest that can be computed is {SMALLEST_RATE:g}. Make the batch larger."
            )
        if self.steps > LARGEST_STEPS:
            return (
                f"{counted_epochs(self.epochs)} of {self.people:,} {counted} in batches of {quantity(self.batch)} are "
                f"{self.steps:,} steps, and the most that can be computed are {LARGEST_STEPS:,}. Make the batch larger "
                "or the epochs fewer."
            )
        return ""


def counted_steps(steps: int) -> str:
    """So many steps in words.

    >>> counted_steps(1), counted_steps(1000)
    ('1 step', '1,000 steps')
    """
    return "1 step" if steps == 1 else f"{steps:,} steps"


def counted_epochs(epochs: float) -> str:
    """So many passes over the data in words.

    >>> counted_epochs(1.0), counted_epochs(0.5)
    ('1 epoch', '0.5 epochs')
    """
    number = quantity(epochs)
    return f"{number} epoch{'' if number == '1' else 's'}"


def delta_of(people: int | None) -> float:
    """The delta that goes with so many people where none is set: the largest power of ten below 1 in N.

    1e-5 where nobody has said how many people there are.

    >>> delta_of(60_000), delta_of(1000), delta_of(None)
    (1e-05, 0.0001, 1e-05)
    """
    return 1e-5 if people is None else float(f"1e-{len(str(people))}")


DEFAULT_LIMIT = 20.0  # people of a crowd


@dataclass(frozen=True)
class ReleaseChoice:
    """What the controls say in this run.

    Attributes:
        mechanism: the release.
        alpha: the false positive rate at which the attack is looked at.
        order: which of two neighbouring data sets is the null hypothesis.
        delta: the delta at which epsilon is stated.
        limit: the share of members found that the visitor accepts, at most.
        records: size of the data set (N); None where nobody has said it, as below.
        dimension: of the released sum (d).
        clip: the clipping norm (C).
        run: what the visitor said; None where rate and steps were entered. The choice is the same in either words.
    """

    mechanism: Mechanism
    alpha: float
    order: Order
    delta: float
    limit: float = DEFAULT_LIMIT / CROWD
    records: int | None = None
    dimension: int | None = None
    clip: float | None = None
    run: TrainingRun | None = field(default=None, compare=False)

    @property
    def kinds(self) -> str:
        """The name of its mechanism; of several phases that differ, the names of all."""
        return ", ".join(dict.fromkeys(phase.name for phase in self.mechanism.phases))

    @property
    def words(self) -> str:
        """The release as it was entered: who said people, batches and epochs knows no rate."""
        release, run = self.mechanism, self.run
        if len(release.phases) > 1:
            return "; ".join(f"Phase {number}: {phase.label}" for number, phase in enumerate(release.phases, 1))
        if run is None or not isinstance(release, SampledMechanism) or not release.is_sampled:
            return release.label
        batches = release.sampling.batches.suffix if release.sampling_rate < 1.0 else ""
        words = run.words if release.records_per_person == 1 else run.in_records(release.records_per_person)
        return f"{release.name} {release.noise_words}, {words}{batches}"

    def exported(self) -> str:
        """A JSON file that the sidebar reads again: the release, its sizes, and delta unless the records say it."""
        said = None if self.delta == delta_of(self.records) else self.delta
        return ReleaseFile(self.mechanism.phases, said, self.records, self.dimension, self.clip).text


# What the controls say

KINDS = {kind.name: kind for kind in MECHANISMS}
"""The kinds of mechanisms, by their names in the address."""
ALPHAS = (*round_values(-9, 0.3, (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8)), 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
"""Round false positive rates."""
DEFAULT = PRESETS[0].mechanism
DEFAULT_RUN = TrainingRun(60_000, 600.0, 10.0)
LARGEST_DIMENSION = 1_000_000_000
"""That of ``numerics.relaxed``, which the first page does without: a test keeps the two equal."""


@dataclass(frozen=True)
class Box:
    """A box for a number of the release: its label, with braces for what N counts, and the least and the most it takes.

    Attributes:
        default: what stands there at first; None where nobody has said it.
        step: of its buttons.
        is_whole: whether it holds whole numbers.
    """

    label: str
    low: float
    high: float
    default: float | None
    step: float | None = None
    is_whole: bool = False

    def held(self, value: float) -> float:
        """The value, or the end of the box that is nearest."""
        return min(max(value, self.low), self.high)


BOXES: Mapping[str, Box] = MappingProxyType(
    {
        "people": Box("{}, N", 1.0, 1e9, DEFAULT_RUN.people, 1.0, is_whole=True),
        "batch": Box("Batch size", 1e-6, 1e9, DEFAULT_RUN.batch, 1.0),
        "epochs": Box("Epochs", 1e-6, 1e9, DEFAULT_RUN.epochs, 1.0),
        "rate": Box("Sampling rate", SMALLEST_RATE, 1.0, DEFAULT.sampling_rate),
        "steps": Box("Steps", 1.0, LARGEST_STEPS, DEFAULT.steps, 1.0, is_whole=True),
        "records": Box("{}, N", 1.0, 1e9, None, 1.0, is_whole=True),
        "noise": Box("Noise", 1e-3, 1e3, DEFAULT.noise_multiplier, 0.05),
        "accused": Box(f"Falsely accused, of {CROWD:,}", 1e-8, 0.999 * CROWD, 10.0, 1.0),
        "limit": Box(f"My limit: people found, of {CROWD:,}", 1e-5, CROWD, DEFAULT_LIMIT, 1.0),
        "delta": Box("Delta", 1e-12, 0.1, None),
        "dimension": Box("Dimension, d", 1.0, LARGEST_DIMENSION, None, 1.0, is_whole=True),
        "clip": Box("Clip, C", 1e-6, 1e6, None),
        "records_per_person": Box("Records per person", 1.0, LARGEST_RECORDS, 1.0, 1.0, is_whole=True),
    }
)
"""The boxes by their keys, which are their names in the address; those of a later phase end in its number."""
DEFAULTS: Mapping[str, object] = MappingProxyType(
    {
        **{each.name: getattr(kind, each.name) for kind in KINDS.values() for each in kind.parameters},
        **{key: box.default for key, box in BOXES.items()},
        "knows_rate": False,
        "mechanism": DEFAULT.name,
        "sampling": DEFAULT.sampling,
        "adjacency": DEFAULT.adjacency,
        "phases": 1,
        "order": Order.ADD,
    }
)
"""The controls' defaults, by key."""
NAMES = frozenset(DEFAULTS) | {
    f"{name}_{phase}" for name in ("noise", "rate", "steps") for phase in range(2, LARGEST_PHASES + 1)
}
"""The names of all controls, in the address and in the session."""


def current() -> ReleaseChoice:
    """What the controls that were drawn in this run say. Only where there is no ``refusal``."""
    state, kind = st.session_state, chosen_kind()
    sampling = Sampling(state["sampling"]) if kind.is_sampled else Sampling.POISSON
    adjacency = neighbours(kind, sampling, state["adjacency"])
    most = int(state["records_per_person"])
    own: dict[str, Any] = {
        each.name: (int if each.is_whole else float)(state.get(each.name, getattr(kind, each.name)))
        for each in kind.parameters
    }

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
    return KINDS.get(_said("mechanism"), type(DEFAULT))


def chosen_order() -> Order:
    """The order of the test that the controls say, also before its box is drawn for the first time."""
    said = _said("order")
    return Order(said) if said in list(Order) else Order.ADD


def chosen_neighbours() -> str:
    """The neighbours that the controls say, also before their box is drawn; with some batches there are no such."""
    return _said("adjacency") or Adjacency.ADD_REMOVE


def _said(key: str) -> str:
    """What a box says, or the address before it is drawn; empty if neither does."""
    state = st.session_state
    return str((state[key] if key in state else st.query_params.get(key)) or "")


def counted() -> str:
    """What N and batches count: records where a person may have several, and people otherwise; as ``chosen_kind``."""
    with suppress(ValueError):  # of an address with nonsense, which the box refuses
        if 1.0 < float(_said("records_per_person") or "1") <= LARGEST_RECORDS:
            return "records"
    return "people"


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


# Setting them


def state_of(
    mechanism: SampledMechanism, records: int | None = None, dimension: int | None = None, clip: float | None = None
) -> dict[str, object]:
    """The controls of this release and its size, by key, for who knows its rate and steps; None empties a box."""
    sizes = {"records": records, "dimension": dimension, "clip": clip}
    return {
        "knows_rate": True,
        "mechanism": mechanism.name,
        "noise": BOXES["noise"].held(mechanism.noise_multiplier),
        "rate": BOXES["rate"].held(mechanism.sampling_rate),
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


def follow_address() -> None:
    """Let the address say where the controls are; what it leaves out is where it starts."""
    st.session_state.update(DEFAULTS)
    for key in st.query_params:
        if key in DEFAULTS:
            del st.session_state[key]


def use(preset: ReleasePreset) -> None:
    """Set every control to a preset. For a button's ``on_click``: the widgets of the run must not be drawn yet."""
    release = preset.mechanism
    state = {**state_of(release, clip=preset.clip), "delta": preset.delta}
    if preset.records is not None:
        run = TrainingRun.of(release.sampling_rate, release.steps, preset.records)
        state |= {key: DEFAULTS[key] for key in ("rate", "steps")} | state_of_run(run)
    put(state)


def put(state: Mapping[str, object]) -> None:
    """Set those of the shared controls that ``state`` names, also where they are drawn from now on only. As ``use``."""
    for key, value in state.items():
        if key in DEFAULTS:
            address.put(key, value, value == DEFAULTS[key])


def put_noise(release: Mechanism) -> None:
    """Set the noise of every phase to this release's, as far as the boxes go. For a callback, as ``use``."""
    for number, phase in enumerate(release.phases, 1):
        key = "noise" if number == 1 else f"noise_{number}"
        st.session_state[key] = BOXES["noise"].held(phase.noise_multiplier)


def put_alpha(alpha: float) -> None:
    """Set the attacker's false positive rate, for instance to a clicked point. For a callback, as ``use``."""
    st.session_state["accused"] = BOXES["accused"].held(of_crowd(float(f"{alpha:.3g}")))
