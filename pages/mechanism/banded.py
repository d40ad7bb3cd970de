"""Noise that later steps cancel in part (banded matrix factorisation), certified, beside independent noise."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import ceil, sqrt
from types import MappingProxyType
from typing import Literal

import numpy as np
import streamlit as st

from losses.errors import counted
from numerics.banded_noise import BandedNoise, square_root_factor
from numerics.mechanisms import Adjacency, SampledMechanism, Sampling
from numerics.trade_off import Order
from pages.server.shared_cache import shared_cache
from pages.ui import address, cached, csv_tables, downloads, report_fields
from pages.ui.error_boundary import error_boundary
from pages.ui.headline import crowd_for
from pages.ui.number_box import whole_box
from pages.ui.numbers_in_words import EPSILON_DIGITS, as_entered, count_up, rounded_up
from pages.ui.release_choice import ReleaseChoice
from pages.ui.training_run import counted_steps
from reports.sheet import FIELDS, NO_CLAIM

_URL: Literal["query-params"] = "query-params"
_BANDS, _MOST_BANDS = 8, 256
_STARTS: Mapping[str, object] = MappingProxyType({"mechanism.bands": _BANDS, "mechanism.separation": None})
KEYS = tuple(_STARTS)
_MOST_STEPS = 2_000  # C has as many rows and columns: 32 MB
_ROUNDING = 1e-9
_BANDS_HELP = (
    "How many diagonals of C are not zero: C is the square root of the matrix that adds steps up (1, 1/2, 3/8, ... "
    "from its diagonal down), cut off after so many. With 1 the noise is independent, as in DP-SGD."
)
_APART_HELP = "b: a record takes part in at most one of any b steps in a row. If not set, b is the number of bands."
_WHAT = (
    "Training adds C⁻¹Z instead of Z, so that later steps cancel a part of the noise and sums over many steps have "
    "less of it. The noise in the sidebar is in units of C's longest column, and the batches are those set there."
)
_HOLDS = (
    "**What must hold.** Drawn in a cycle: the records are split into {parts} before anybody looks at them; each step "
    "uses one part alone, in turn, and draws each of its records with probability {rate:.6g}. In a fixed "
    "cycle: every epoch goes through the same {cycle:,} batches in the same order, and nothing rests on random draws. "
    "Records are zeroed out, replaced, or (drawn) left out. Source: Choquette-Choo et al. 2023."
)
_OPEN = (
    "Not certified here: batches that are shuffled or drawn from all records at every step, more bands than steps "
    "apart (columns of C overlap; `numerics.banded_noise` has their sensitivity), and other factors than this C."
)
_NAMES = "independent noise, as set", "bands, drawn in a cycle", "bands, in a fixed cycle"


@dataclass(frozen=True)
class BandedPlan:
    """Noise in bands for the rail's steps.

    Attributes:
        phase: the rail's release.
        bands: of C.
        separation: b, the parts of the cycle.
    """

    phase: SampledMechanism
    bands: int
    separation: int

    @property
    def rate(self) -> float:
        """The chance with which a record of a part is drawn, so that batches are as large as the rail's."""
        return min(self.separation * self.phase.sampling_rate, 1.0)

    @property
    def cycle(self) -> int:
        """Batches of the rail's size in an epoch, at least ``separation``: how far apart they are in a fixed order."""
        return int((1.0 + _ROUNDING) / self.phase.sampling_rate)

    @property
    def holds(self) -> str:
        """What has to be so."""
        return _HOLDS.format(parts=counted(self.separation, "part"), rate=self.rate, cycle=self.cycle)

    def factor(self, apart: int) -> BandedNoise:
        """C, where a record takes part in at most one of so many steps in a row."""
        steps = self.phase.steps
        return BandedNoise(square_root_factor(steps, self.bands), apart, ceil(steps / apart))


@dataclass(frozen=True)
class BandedTraining:
    """One way to train: a release that is as hard to attack.

    Attributes:
        name: what is done.
        kind: what its numbers are.
        release: the steps of a release whose numbers are known; None where nothing is certified.
        error: root mean square deviation of the noise in a running sum, in units of the clipping norm.
        refusal: why nothing is certified.
    """

    name: str
    kind: str
    release: SampledMechanism | None
    error: float
    refusal: str = ""


def draw(choice: ReleaseChoice) -> None:
    """Draw, folded away, what noise in bands protects and saves."""
    label = "Noise in bands: later steps cancel a part of it (DP-FTRL)"
    fold = st.expander(label, key="mechanism.banded", on_change="rerun", bind=_URL)
    with fold, error_boundary("numbers for noise in bands"):
        if not fold.open and address.is_at_start(_STARTS):
            return
        with st.grid(2, min_column_width=140):
            bands = whole_box("Bands of C", KEYS[0], (1, _MOST_BANDS), _BANDS, _BANDS_HELP)
            apart = whole_box("Steps apart", KEYS[1], (1, _MOST_STEPS), None, _APART_HELP, unset=f"{bands}, as bands")
        if not fold.open:
            return
        plan = planned(choice, bands, apart or bands)
        found = ways(plan)
        st.caption(_WHAT)
        st.table(table(choice, found), hide_index=True)
        st.caption(" ".join([plan.holds, *(f"{way.name.capitalize()}: {way.refusal}" for way in found if way.refusal)]))
        st.caption(_OPEN)
        with st.container(horizontal=True):
            downloads.button("Noise in bands (CSV)", "noise-in-bands.csv", partial(data, choice, plan))
            downloads.button("Fields of a report (CSV)", "noise-in-bands-report.csv", partial(report, choice, plan))


def planned(choice: ReleaseChoice, bands: int, separation: int) -> BandedPlan:
    """The plan; raises ValueError with the reason where nothing is certified."""
    phase, *later = choice.mechanism.phases
    plan = BandedPlan(phase, bands, separation)
    if later or not phase.adds_in_squares:
        raise ValueError("this is known for normal noise in one phase only.")
    if phase.records_per_person > 1:
        raise ValueError("this is known for people with one record only.")
    if phase.steps > _MOST_STEPS:
        raise ValueError(f"this is computed for up to {_MOST_STEPS:,} steps, got {phase.steps:,}.")
    if bands > separation:
        raise ValueError(
            f"{bands} bands need as many steps apart, got {separation}: else the columns of C overlap, and no "
            "certified amplification is known."
        )
    if separation * phase.sampling_rate > 1.0 + _ROUNDING:
        raise ValueError(
            f"with {separation} steps apart a part has 1/{separation} of the records, and a batch is larger: "
            f"{phase.sampling_rate:.4g} of all. Set at most {plan.cycle:,} steps apart, and no more bands."
        )
    return plan


@shared_cache
def ways(plan: BandedPlan) -> tuple[BandedTraining, ...]:
    """Independent noise, and noise in bands with both kinds of batches."""
    phase = plan.phase
    factor = plan.factor(plan.separation)
    noise = phase.noise_multiplier * factor.column_norm
    independent = BandedTraining(_NAMES[0], "as above", phase, phase.noise_multiplier * sqrt(0.5 * (phase.steps + 1)))

    def way(name: str, kind: str, make: Callable[[], SampledMechanism]) -> BandedTraining:
        error = noise * factor.running_sum_error
        try:
            return BandedTraining(name, kind, make(), error)
        except ValueError as reason:
            return BandedTraining(name, kind, None, error, str(reason))

    def drawn() -> SampledMechanism:
        if phase.sampling_rate < 1.0 and phase.sampling is not Sampling.POISSON:
            raise ValueError(
                f"set are {phase.sampling.batches.words}, and Poisson's rule within a part is what is certified."
            )
        return factor.amplified(noise, plan.rate).with_neighbours(phase.adjacency)

    def fixed() -> SampledMechanism:
        replaced = phase.adjacency is Adjacency.REPLACE_ONE
        return (
            plan.factor(plan.cycle).release(noise).with_neighbours(phase.adjacency if replaced else Adjacency.ZERO_OUT)
        )

    return independent, way(_NAMES[1], "guarantee", drawn), way(_NAMES[2], "exact", fixed)


def table(choice: ReleaseChoice, found: Sequence[BandedTraining]) -> dict[str, list[str]]:
    """What each way protects and how much noise it leaves: columns of a table."""
    verb = "ruled out" if choice.order is Order.REMOVE else "found"
    crowd = crowd_for(choice.alpha)

    def each(read: Callable[[SampledMechanism], str]) -> list[str]:
        return ["—" if way.release is None else read(way.release) for way in found]

    return {
        "noise": [way.name for way in found],
        f"{verb}, of {crowd:,}, at most": each(
            lambda one: f"{count_up(cached.power(one, choice.alpha, choice.order).upper, crowd):,}"
        ),
        f"ε at δ = {as_entered(choice.delta)}, at most": each(
            lambda one: rounded_up(cached.epsilon(one, choice.delta).upper, EPSILON_DIGITS)
        ),
        "noise in a running sum, × clip": [rounded_up(way.error) for way in found],
        "what it is": [way.kind for way in found],
    }


def data(choice: ReleaseChoice, plan: BandedPlan) -> str:
    """CSV of the table, with all digits and the release that each way is as hard to attack as."""
    known = [(way, way.release) for way in ways(plan) if way.release is not None]
    powers = [cached.power(release, choice.alpha, choice.order) for _, release in known]
    epsilons = [cached.epsilon(release, choice.delta) for _, release in known]
    names = {"noise": [way.name for way, _ in known], "kind": [way.kind for way, _ in known]}
    numbers = {
        "power at most": [one.upper for one in powers],
        "epsilon at most": [one.upper for one in epsilons],
        "noise_multiplier": [release.noise_multiplier for _, release in known],
        "sampling_rate": [release.sampling_rate for _, release in known],
        "steps": [float(release.steps) for _, release in known],
        "noise in a running sum": [way.error for way, _ in known],
    }
    header = {
        "release": choice.mechanism.label,
        "C": f"square root of prefix sums, {plan.bands} bands, records {plan.separation} steps apart",
        "alpha; delta; order": f"{choice.alpha!r}; {choice.delta!r}; {choice.order}",
        "conditions": plan.holds.replace("**", ""),
    }
    return csv_tables.table(names | {name: np.array(column) for name, column in numbers.items()}, header)


def fields(choice: ReleaseChoice, plan: BandedPlan) -> list[tuple[str, str]]:
    """The fields of a report that fill themselves in, of noise in bands with batches drawn in a cycle, if certified."""
    way = next(way for way in ways(plan)[1:] if way.release is not None)
    assert way.release is not None
    steps = counted_steps(plan.phase.steps)
    own = {
        "mechanism": (
            f"{plan.phase.noise_words} in units of the longest column of C, the square root of prefix sums with "
            f"{plan.bands} bands: {steps} of banded matrix factorisation. {plan.phase.scale_sentence}"
        ),
        "sampler": f"As accounted: {way.name}. {plan.holds.replace('**', '')}",
        "steps": f"{steps}, all of them counted as published; accounted as {way.release.label}.",
    }
    known = report_fields.known(replace(choice, mechanism=way.release, run=None))
    return [(one.name, own.get(one.key) or known[one.key]) for one in FIELDS if one.key in known]


def report(choice: ReleaseChoice, plan: BandedPlan) -> str:
    """CSV of these fields."""
    found = fields(choice, plan)
    columns = {"field": [name for name, _ in found], "text": [text for _, text in found]}
    return csv_tables.table(columns, {"release": choice.mechanism.label, "claim": NO_CLAIM})
