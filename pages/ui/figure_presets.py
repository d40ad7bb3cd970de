"""Figures of the papers as presets: a click sets every control of the page to what the figure shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import streamlit as st

from numerics.mechanisms import Adjacency, Gaussian, Laplace, SampledMechanism, Sampling
from numerics.relaxed import Reading
from numerics.trade_off import Order
from pages.ui import address, preset_buttons, release_controls
from pages.ui.figure_controls import IN_PEOPLE, SecondFigure
from plotting.curves import Axes

_ACCUSED = 10.0  # of 10,000
_NO_NOISE = 1e-3  # of the clipping norm; the least the controls have
# Where the widgets of a figure start, by key, beside the shared controls. What it says nothing of goes back there.
_STARTS: Mapping[str, object] = MappingProxyType(
    {
        "axes": Axes.LOG,
        "mechanism.second": SecondFigure.EVIDENCE,
        "mechanism.relaxed": False,
        "estimates": [],
        "attackers.reading": Reading.MINIMAX,
        "attackers.susceptibility": "K = d",
        "window": IN_PEOPLE,
        "attackers.doors": "",
    }
)


@dataclass(frozen=True)
class PaperFigurePreset:
    """A figure of a paper and the settings that draw it; ``relaxed``: also for who does not know the record.

    ``records`` is None where the figure has no number of records.
    """

    name: str
    words: str
    mechanism: SampledMechanism
    order: Order = Order.SYMMETRIC
    axes: Axes = Axes.LINEAR
    dimension: int = 1
    records: int | None = None
    second: SecondFigure = SecondFigure.EVIDENCE
    relaxed: bool = True

    @property
    def state(self) -> dict[str, object]:
        """Every widget that draws it, by key."""
        return {
            **release_controls.state_of(self.mechanism, self.records, self.dimension),
            "accused": _ACCUSED,
            "delta": 1e-5,
            "order": self.order,
            "axes": self.axes,
            "mechanism.second": self.second,
            "attackers.doors": "all",  # a figure shows every attacker
            "mechanism.relaxed": self.relaxed,
        }

    @property
    def query(self) -> address.Query:
        """Its address."""
        return address.query(self.state, {**release_controls.STARTS, **_STARTS})


# Full knowledge against an unknown record.
OF_PAPER_000 = (
    PaperFigurePreset("000 Fig. 1a", "Laplace, Δ/b = 0.6: full knowledge against an unknown record.", Laplace(1 / 0.6)),
    PaperFigurePreset("000 Fig. 1b", "Laplace, Δ/b = 1.5.", Laplace(1 / 1.5)),
    PaperFigurePreset("000 Fig. 1c", "Gaussian, Δ/σ = 0.6, one dimension.", Gaussian(1 / 0.6)),
    PaperFigurePreset("000 Fig. 1d", "Gaussian, Δ/σ = 1.5, one dimension.", Gaussian(1 / 1.5)),
    PaperFigurePreset("000 Fig. 1e", "Sampled Gaussian, Δ/σ = 0.2, rate 0.4, 30 steps.", Gaussian(5.0, 0.4, 30)),
    PaperFigurePreset(
        "000 Fig. 1f", "Gaussian, Δ/σ = 1 in 30 dimensions; set d to 1 to compare.", Gaussian(1.0), dimension=30
    ),
    PaperFigurePreset(
        "000 Fig. 2a", "150 Gaussian releases, Δ/σ = 1/5, 300 dimensions.", Gaussian(5.0, 1.0, 150), dimension=300
    ),
    PaperFigurePreset(
        "000 Fig. 2b",
        "Members found against the effect size, Gaussian noise, α = 0.001.",
        Gaussian(1.0),
        Order.ADD,
        second=SecondFigure.POWER,
    ),
    PaperFigurePreset(
        "000 Fig. 2c",
        "The same for a sampled Gaussian step, rate 0.3.",
        Gaussian(1.0, 0.3),
        Order.ADD,
        second=SecondFigure.POWER,
    ),
    PaperFigurePreset("000 Fig. 5a", "Sampled Laplace, Δ/b = 1, rate 0.3.", Laplace(1.0, 0.3)),
)


def _fixed_size(noise: float, rate: float = 1.0, steps: int = 1) -> Gaussian:
    """A release as paper 004 sees it: a record replaced, batches of fixed size."""
    return Gaussian(noise, rate, steps, Adjacency.REPLACE_ONE, Sampling.FIXED_SIZE)


OF_PAPER_004 = (
    PaperFigurePreset(
        "004 Fig. 1",
        "One mean gradient of 50 records in 20 dimensions, next to no noise: Eq. 8 with K = d.",
        _fixed_size(_NO_NOISE),
        Order.ADD,
        dimension=20,
        records=50,
        relaxed=False,
    ),
    PaperFigurePreset(
        "004 Table 3",
        "CIFAR-10: five steps on 500 records, 650 parameters, next to no noise.",
        _fixed_size(_NO_NOISE, 1.0, 5),
        Order.ADD,
        Axes.LOG,
        650,
        500,
        relaxed=False,
    ),
    PaperFigurePreset(
        "004 Table 5",
        "CIFAR-10: the release of the table.",
        _fixed_size(1.0, 400 / 48_000, 1200),
        Order.ADD,
        Axes.LOG,
        650,
        48_000,
        relaxed=False,
    ),
)


def draw(presets: Sequence[PaperFigurePreset]) -> None:
    """Draw the presets, folded away."""
    preset_buttons.draw(presets, use)


def use(preset: PaperFigurePreset) -> None:
    """Set every control of the page. For a button's ``on_click``: the widgets of the run must not be drawn yet."""
    st.session_state.update({**_STARTS, **preset.state})
    release_controls.put(preset.state)
