"""The release as the page sees it: the shared controls, and what the attackers' models need beside them."""

from dataclasses import dataclass, replace
from typing import Literal

import streamlit as st

from numerics.gaussian_membership import GradientRelease
from numerics.mechanisms import Adjacency, Composition, Gaussian, SampledMechanism, Sampling
from numerics.relaxed import Reading
from pages.shared import figure_presets, size
from pages.shared.controls import Choice
from pages.shared.one_of import one_of
from pages.shared.sweeps import Release

_URL: Literal["query-params"] = "query-params"
KEYS = (*size.KEYS, "clip", "reading", "susceptibility")
_CLIP_HELP = "The clipping norm C of a record's gradient. Only the printed noise depends on it; all rates are the same."
_READING_HELP = (
    "For several sampled steps. guarantee: the best attack on an unknown side. The other two are the power of one "
    "statistic each, which other attacks may beat (correction 15)."
)
_PLUG_IN, _SPREAD = "K = d", "spread"
_SUSCEPTIBILITY_HELP = (
    "How far a record's gradient lies from the mean, K. d is typical, not the worst case (correction 46); spread: K is "
    "chi-square distributed over the records, and the attacker knows each record's."
)


@dataclass(frozen=True)
class Setting:
    """The release and its circumstances.

    Attributes:
        choice: what the shared controls say.
        records: size of the data set (N).
        dimension: of the released sum (d).
        clip: the clipping norm (C).
        reading: which relaxed curve is drawn for several sampled steps.
        spread: whether records' susceptibility K to paper 004's attacker is spread out, not d for all.
    """

    choice: Choice
    records: int
    dimension: int
    clip: float
    reading: Reading
    spread: bool

    @classmethod
    def plain(cls, choice: Choice, records: int, dimension: int) -> "Setting":
        """A release of which nothing else is said: unit clip, the relaxed guarantee, K = d."""
        return cls(choice, records, dimension, 1.0, Reading.MINIMAX, False)

    @property
    def release(self) -> Release:
        """The release of the shared controls."""
        return self.choice.mechanism

    @property
    def phases(self) -> tuple[SampledMechanism, ...]:
        """Its phases."""
        return self.release.phases if isinstance(self.release, Composition) else (self.release,)

    @property
    def batch(self) -> int:
        """Records in a batch of the first phase, at least one."""
        return max(round(self.phases[0].sampling_rate * self.records), 1)

    @property
    def noise_on_mean(self) -> float:
        """Standard deviation or scale of the noise on the mean gradient, tau = s C / n."""
        return self.phases[0].noise_multiplier * self.clip / self.batch

    @property
    def add_one(self) -> Release:
        """The release as the relaxed attacker sees it: a record is added, sampling is Poisson."""
        return self._with(Adjacency.ADD_REMOVE, Sampling.POISSON)

    @property
    def replace_one(self) -> Release:
        """The release under replace-one adjacency, sampled as chosen."""
        return self._with(Adjacency.REPLACE_ONE, self.phases[0].sampling)

    @property
    def relaxed_dimension(self) -> int:
        """The dimension of the relaxed curve: 1, the worst case, but for Gaussian noise with a closed form."""
        several = sum(phase.steps for phase in self.phases) > 1
        sampled = any(phase.sampling_rate < 1.0 for phase in self.phases)
        flat = several and sampled and self.reading is not Reading.MAGNITUDE
        return self.dimension if isinstance(self.phases[0], Gaussian) and not flat else 1

    def _with(self, adjacency: Adjacency, sampling: Sampling) -> Release:
        phases = tuple(replace(phase, adjacency=adjacency, sampling=sampling) for phase in self.phases)
        return phases[0] if len(phases) == 1 else Composition(phases)

    def gradients(self) -> GradientRelease:
        """The release of mean gradients that paper 004 looks at; raises ValueError where it is none."""
        if len(self.phases) > 1 or not isinstance(self.phases[0], Gaussian):
            raise ValueError(f"this notion is about Gaussian noise in one phase, got {self.release.label}.")
        phase = self.phases[0]
        return GradientRelease(self.records, self.batch, phase.steps, self.dimension, phase.noise_multiplier)


def draw(choice: Choice) -> Setting:
    """Draw the page's own controls of the release."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        records = size.draw_records()
        dimension = size.draw_dimension()
        clip = st.number_input(
            "Clip, C", 1e-6, 1e6, 1.0, format="%g", key="clip", bind=_URL, width=115, help=_CLIP_HELP
        )
        reading = st.selectbox(
            "Record unknown: reading", list(Reading), key="reading", bind=_URL, width=230, help=_READING_HELP
        )
        susceptibility = one_of(
            "Others unknown: K",
            [_PLUG_IN, _SPREAD],
            default=_PLUG_IN,
            key="susceptibility",
            help=_SUSCEPTIBILITY_HELP,
        )
        figure_presets.draw([*figure_presets.OF_PAPER_000, *figure_presets.OF_PAPER_004])
    setting = Setting(
        choice, records, dimension, float(clip), Reading(reading or Reading.MINIMAX), susceptibility == _SPREAD
    )
    st.caption(
        f"A batch holds {setting.batch:,} of {records:,} records; the noise on the mean gradient is "
        f"{setting.noise_on_mean:.3g} in each coordinate."
    )
    return setting
